# One round over everything, or over one matter, without a daemon.
$ calm
$ steward import --vault vault "$(drop 02; echo vault/stream/02-appointment-moved.eml)"
stream/02-appointment-moved.eml: 1 signal
  signal/<stamp>-25936d1a.md
$ steward tick --vault vault kitchen-renovation
matter/kitchen-renovation.md: <...> notes looked at, 1 event
  event/signal-action-<stamp>-kitchen-measuring-appointment.md
>2 read stream/2026-10-08-energy-certificate.eml: no signal (older than 14 days)
>2 read stream/2026-10-14-passport-appointment.eml: no signal (older than 14 days)
>2 read stream/2026-10-30-survey-fee-received.eml: no signal (older than 14 days)
>2 read stream/2026-11-02-marlow-approved.eml: no signal (older than 14 days)
>2 read stream/2026-11-03-tile-offer.eml: no signal (older than 14 days)
>2 read stream/2026-11-04-odometer-photo.eml: no signal (older than 14 days)
>2 read stream/2026-11-05-breakfast-times.eml: no signal (older than 14 days)
>2 asked which note is meant, marlow-invoice-041 or marlow-invoice-042 (signal/2026-11-02T14-22-00Z-b5add323.md) event/signal-action-<stamp>-undecided.md
>2 recorded task/kitchen-measuring-appointment.md: due 2034-12-01 → 2034-12-12 (context_edit 0.90; shadow changes no note; live needs 0.60, this scored 0.90) event/signal-action-<stamp>-kitchen-measuring-appointment.md
$ STEWARD_LIVE_MODE=live steward tick --vault vault house-purchase "[[car-insurance]]"
matter/house-purchase.md: 5 notes looked at, 0 events
matter/car-insurance.md: 3 notes looked at, 1 event
  event/steward-action-<stamp>-send-odometer-photo.md
>2 recorded task/send-odometer-photo.md: no change (needs_input <...>; somebody else wrote the signal, and the settings trust no such source) event/steward-action-<stamp>-send-odometer-photo.md

# Once weighed, a signal leads to nothing more.
$ STEWARD_LIVE_MODE=live steward tick --vault vault house-purchase car-insurance
matter/house-purchase.md: 0 notes looked at, 0 events
matter/car-insurance.md: 0 notes looked at, 0 events
$ steward tick --vault vault car-insurance --force
matter/car-insurance.md: 3 notes looked at, 0 events
$ steward tick --vault vault car
matter/car-insurance.md: 0 notes looked at, 0 events
$ STEWARD_LIVE_MODE=brave steward tick --vault vault
>2 STEWARD_LIVE_MODE names no mode: "brave". (settings-mode)
>2   Set it to shadow, live_high_confidence_only or live.
? 78
