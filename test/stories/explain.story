# A task: what waits for it, what its gates say, what happened last.
$ edit task/compare-tile-offers.md 's/^next_check_after: .*/next_check_after: 2099-01-18T08:00:00/'
$ steward explain --vault vault compare-tile-offers
Nothing would happen to compare-tile-offers now: not due: not before <time>, as the note says.

Now
  mode: shadow
  next check: <time> (not before <time>, as the note says)

Signals waiting
  none

Last event
  [[steward-action-2026-11-03T09-30-00Z-compare-tile-offers]] likely_done at 0.66, live
  state: open → done
$ steward explain --vault vault send-odometer-photo
At the next tick one signal is weighed for send-odometer-photo.

Now
  mode: shadow
  next check: <time> (a signal waits)

Signals waiting
  [[2026-11-04T11-15-00Z-730dcc42]] Fennwick asks for a photo of the odometer

Last event
  none

# A matter, by a link.
$ steward explain --vault vault "[[family-health]]"
Nothing would happen to family-health now: steward: false.

Now
  mode: shadow
  next check: never (steward: false)

Signals waiting
  none

Last event
  none

# A signal, an action, a reversal.
$ steward explain --vault vault 2026-11-04T11-15-00Z-730dcc42
It waits for the tick: its effect is action, not a mutation.

What it says
  Fennwick asks for a photo of the odometer
  “a photo of the odometer by the end of the year” from stream/2026-11-04-odometer-photo.eml
  target: task/send-odometer-photo.md at 0.97
  effect: action at 0.4365
  The sender belongs to car-insurance and the mail names the odometer. It is a request; nothing has happened yet.

Gates
  mail: confidence 0.97, right 64 times, so it needs 0.75

Events
  none
$ steward explain --vault vault signal/2026-10-30T09-11-00Z-ce1a8ea6.md
It was applied, by signal-action-2026-10-30T09-11-38Z-pay-survey-fee.

What it says
  The survey fee has been received
  “We have received your payment of the survey fee.” from stream/2026-10-30-survey-fee-received.eml
  target: task/pay-survey-fee.md at 0.97
  effect: mutation at 0.9409, state_change: state = done
  The sender belongs to house-purchase, the subject names the survey fee, and the sentence says that the payment has arrived.

Gates
  mail: confidence 0.97, right 64 times, so it needs 0.75

Events
  [[signal-action-2026-10-30T09-11-38Z-pay-survey-fee]] state_change
$ edit event/signal-action-2026-10-30T09-11-38Z-pay-survey-fee.md 's/expires_at: .*/expires_at: 2020-01-08T00:00:00Z/'
$ steward explain --vault vault signal-action-2026-10-30T09-11-38Z-pay-survey-fee
It was made, and could be taken back until <time>.

What was decided
  [[signal-action-2026-10-30T09-11-38Z-pay-survey-fee]] state_change at 0.9409, live
  status: open → done
  completedDate: – → 2026-10-30
$ steward explain --vault vault signal-action-reversed-2026-10-23-wrong-hood
It takes [[signal-action-2026-10-22T16-20-19Z-order-extractor-hood]] back: reversed.

Learnt
  slack: 0.96 → 0.86
$ steward explain --vault vault mail
>2 There is no matter, task, signal or event named "mail". (note-unknown)
>2   Give its name, its path in the vault, or a link such as "[[name]]".
? 1
$ steward explain --vault vault pay-survey-fee
Nothing would happen to pay-survey-fee now: it is done.

Now
  mode: shadow
  next check: never (it is done)

Signals waiting
  none

Last event
  [[signal-action-2026-10-30T09-11-38Z-pay-survey-fee]] state_change at 0.9409, live
  status: open → done
  completedDate: – → 2026-10-30
$ steward explain --vault vault nothing-such
>2 There is no matter, task, signal or event named "nothing-such". (note-unknown)
>2   Give its name, its path in the vault, or a link such as "[[name]]".
? 1
