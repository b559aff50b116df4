# One round over everything, or over one matter, without a daemon.
$ calm
$ steward import --vault vault "$(drop 02; echo vault/stream/02-appointment-moved.eml)"
stream/02-appointment-moved.eml: 1 signal
  signal/<stamp>-25936d1a.md
$ steward tick --vault vault kitchen-renovation
kitchen-renovation: <...> notes checked, 1 event
  steward-action-<stamp>-kitchen-measuring-appointment
  choose-worktop: closed: it is done
  clear-out-old-cupboards: nothing new
  order-extractor-hood: nothing new
  compare-tile-offers: not due until <...> (not before <...>, as the note says)
  kitchen-renovation: nothing new
>2 read mail from anna@northgate-notary.example (Anna Placeholder), “Energy certificate, 7 Elm Lane”: no signal (older than 14 days)
>2 read mail from appointments@rivermouth-town.example (Rivermouth Town Hall), “Passport renewal: new date”: no signal (older than 14 days)
>2 read mail from kit@sampleton-surveys.example (Kit Sampleton), “Survey fee, invoice SV-88”: no signal (older than 14 days)
>2 read mail from accounts@marlow-studio.example (Marlow Studio Accounts), “Marlow invoice approved”: no signal (older than 14 days)
>2 read mail from studio@tilework.example (Tilework Studio), “Our offer for the kitchen wall”: no signal (older than 14 days)
>2 read mail from service@fennwick-insurance.example (Fennwick Insurance), “Your yearly mileage”: no signal (older than 14 days)
>2 read mail from frontdesk@casa-exemplo.example (Casa Exemplo), “Answers to your questions”: no signal (older than 14 days)
>2 asked which note is meant, marlow-invoice-041 or marlow-invoice-042 signal-action-<stamp>-undecided
>2 recorded kitchen-measuring-appointment: due 2034-12-01 → 2034-12-12 (changed 0.90; juergen@muesterle-kuechen.example has no licence on kitchen-renovation) steward-action-<stamp>-kitchen-measuring-appointment
$ STEWARD_LIVE_MODE=live steward tick --vault vault house-purchase "[[car-insurance]]"
house-purchase: 5 notes checked, 0 events
  order-land-registry-extract: nothing new
  compare-mortgage-offers: nothing new
  pay-notary-deposit: nothing new
  pay-survey-fee: closed: it is done
  request-energy-certificate: closed: it is done
  book-moving-van: nothing new
  house-purchase: nothing new
car-insurance: 3 notes checked, 1 event
  steward-action-<stamp>-send-odometer-photo
  cancel-roadside-cover: closed: it is archived
  pay-car-insurance-premium: nothing new
  car-insurance: nothing new
>2 recorded send-odometer-photo: no change (needs_input <...>; this scored <...>, live needs 0.60) steward-action-<stamp>-send-odometer-photo

# Once weighed, a signal leads to nothing more.
$ STEWARD_LIVE_MODE=live steward tick --vault vault house-purchase car-insurance
house-purchase: 0 notes checked, 0 events
  order-land-registry-extract: not due until <...> (normal: every 4 h)
  compare-mortgage-offers: not due until <...> (normal: every 4 h)
  pay-notary-deposit: not due until <...> (high: every 30 min)
  pay-survey-fee: closed: it is done
  request-energy-certificate: closed: it is done
  book-moving-van: not due until <...> (normal: every 4 h)
  house-purchase: not due until <...> (steward_schedule: cron 0 0 29 2 *)
car-insurance: 0 notes checked, 0 events
  cancel-roadside-cover: closed: it is archived
  pay-car-insurance-premium: not due until <...> (normal: every 4 h)
  send-odometer-photo: not due until <...> (normal: every 4 h)
  car-insurance: not due until <...> (default: cron 0 0 29 2 *)
$ steward tick --vault vault car-insurance --force
car-insurance: 3 notes checked, 0 events
  cancel-roadside-cover: closed: it is archived
  pay-car-insurance-premium: nothing new
  send-odometer-photo: nothing new
  car-insurance: nothing new
$ steward tick --vault vault car
car-insurance: 0 notes checked, 0 events
  cancel-roadside-cover: closed: it is archived
  pay-car-insurance-premium: not due until <...> (normal: every 4 h)
  send-odometer-photo: not due until <...> (normal: every 4 h)
  car-insurance: not due until <...> (default: cron 0 0 29 2 *)
$ STEWARD_LIVE_MODE=brave steward tick --vault vault
>2 STEWARD_LIVE_MODE names no mode: "brave". (settings-mode)
>2   Set it to shadow, live_high_confidence_only or live.
? 78
