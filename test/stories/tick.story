# One round over everything, or over one matter, without a daemon.
$ calm
$ steward import --vault vault "$(drop 02; echo vault/stream/02-appointment-moved.eml)"
stream/02-appointment-moved.eml: 1 signal
  signal/<stamp>-25936d1a.md
$ steward tick --vault vault kitchen-renovation
matter/kitchen-renovation.md: <...> notes checked, 1 event
  event/steward-action-<stamp>-kitchen-measuring-appointment.md
  task/choose-worktop.md: closed: it is done
  task/clear-out-old-cupboards.md: nothing new
  task/order-extractor-hood.md: nothing new
  task/compare-tile-offers.md: not due until <...> (not before <...>, as the note says)
  matter/kitchen-renovation.md: nothing new
>2 read stream/2026-10-08-energy-certificate.eml: no signal (older than 14 days)
>2 read stream/2026-10-14-passport-appointment.eml: no signal (older than 14 days)
>2 read stream/2026-10-30-survey-fee-received.eml: no signal (older than 14 days)
>2 read stream/2026-11-02-marlow-approved.eml: no signal (older than 14 days)
>2 read stream/2026-11-03-tile-offer.eml: no signal (older than 14 days)
>2 read stream/2026-11-04-odometer-photo.eml: no signal (older than 14 days)
>2 read stream/2026-11-05-breakfast-times.eml: no signal (older than 14 days)
>2 asked which note is meant, marlow-invoice-041 or marlow-invoice-042 (signal/2026-11-02T14-22-00Z-b5add323.md) event/signal-action-<stamp>-undecided.md
>2 recorded task/kitchen-measuring-appointment.md: due 2034-12-01 → 2034-12-12 (changed 0.90; juergen@muesterle-kuechen.example has no licence on kitchen-renovation) event/steward-action-<stamp>-kitchen-measuring-appointment.md
$ STEWARD_LIVE_MODE=live steward tick --vault vault house-purchase "[[car-insurance]]"
matter/house-purchase.md: 5 notes checked, 0 events
  task/order-land-registry-extract.md: nothing new
  task/compare-mortgage-offers.md: nothing new
  task/pay-notary-deposit.md: nothing new
  task/pay-survey-fee.md: closed: it is done
  task/request-energy-certificate.md: closed: it is done
  task/book-moving-van.md: nothing new
  matter/house-purchase.md: nothing new
matter/car-insurance.md: 3 notes checked, 1 event
  event/steward-action-<stamp>-send-odometer-photo.md
  task/cancel-roadside-cover.md: closed: it is archived
  task/pay-car-insurance-premium.md: nothing new
  matter/car-insurance.md: nothing new
>2 recorded task/send-odometer-photo.md: no change (needs_input <...>; this scored <...>, live needs 0.60) event/steward-action-<stamp>-send-odometer-photo.md

# Once weighed, a signal leads to nothing more.
$ STEWARD_LIVE_MODE=live steward tick --vault vault house-purchase car-insurance
matter/house-purchase.md: 0 notes checked, 0 events
  task/order-land-registry-extract.md: not due until <...> (normal: every 4 h)
  task/compare-mortgage-offers.md: not due until <...> (normal: every 4 h)
  task/pay-notary-deposit.md: not due until <...> (high: every 30 min)
  task/pay-survey-fee.md: closed: it is done
  task/request-energy-certificate.md: closed: it is done
  task/book-moving-van.md: not due until <...> (normal: every 4 h)
  matter/house-purchase.md: not due until <...> (steward_schedule: cron 0 0 29 2 *)
matter/car-insurance.md: 0 notes checked, 0 events
  task/cancel-roadside-cover.md: closed: it is archived
  task/pay-car-insurance-premium.md: not due until <...> (normal: every 4 h)
  task/send-odometer-photo.md: not due until <...> (normal: every 4 h)
  matter/car-insurance.md: not due until <...> (default: cron 0 0 29 2 *)
$ steward tick --vault vault car-insurance --force
matter/car-insurance.md: 3 notes checked, 0 events
  task/cancel-roadside-cover.md: closed: it is archived
  task/pay-car-insurance-premium.md: nothing new
  task/send-odometer-photo.md: nothing new
  matter/car-insurance.md: nothing new
$ steward tick --vault vault car
matter/car-insurance.md: 0 notes checked, 0 events
  task/cancel-roadside-cover.md: closed: it is archived
  task/pay-car-insurance-premium.md: not due until <...> (normal: every 4 h)
  task/send-odometer-photo.md: not due until <...> (normal: every 4 h)
  matter/car-insurance.md: not due until <...> (default: cron 0 0 29 2 *)
$ STEWARD_LIVE_MODE=brave steward tick --vault vault
>2 STEWARD_LIVE_MODE names no mode: "brave". (settings-mode)
>2   Set it to shadow, live_high_confidence_only or live.
? 78
