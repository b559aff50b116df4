# A task: what waits for it, what its gates say, what happened last.
$ edit task/compare-tile-offers.md 's/^next_check_after: .*/next_check_after: 2099-01-18T08:00:00/'
$ steward explain --vault vault compare-tile-offers
A proposal for compare-tile-offers waits for you (state: open → done).

Now
  mode: shadow
  next check: <time> (not before <time>, as the note says)

Without a signal
  not looked at: next_check_after is still to come

Signals waiting
  none

Waiting for you
  [[steward-action-2026-11-03T09-30-00Z-compare-tile-offers]] state: open → done, 2026-11-03 09:30:00

Who may act here
  mail:juergen@muesterle-kuechen.example: named, 0 of 5 right outcomes on kitchen-renovation; no signal of it is here; right 11 times in all, so its signals must reach 0.85; believed 0.96; pinned
  other: not written by this program, and no setting trusts it, so it never acts
  studio@tilework.example: named; nothing was heard of it yet

Last event
  [[steward-action-2026-11-03T09-30-00Z-compare-tile-offers]] likely_done at 0.66, live, 2026-11-03 09:30:00
  state: open → done
$ steward explain --vault vault send-odometer-photo
At the next tick the signals would be weighed for send-odometer-photo, and nothing changed.

Now
  mode: shadow
  next check: <time> (a signal waits)

Without a signal
  nothing to see
  the next day that matters: <time>

Signals waiting
  [[2026-11-04T11-15-00Z-730dcc42]] Fennwick asks for a photo of the odometer

What the next tick would find
  needs_input at 0.<...>
  refuses: sender: the signal was not written by this program, and the settings trust no such source.
  refuses: reading: it was read with 0.45, and 0.85 is needed to act alone.
  refuses: discretion: no signal clears its source's threshold; other came closest, 0.315 against 0.95.
  refuses: mode: in shadow nothing is touched; in live, 0.<...> is below the threshold of 0.6.
  holds: rate guard: there is room.

Who may act here
  other: not written by this program, and no setting trusts it, so it never acts
  service@fennwick-insurance.example: named; nothing was heard of it yet

Last event
  none

# A matter, by a link.
$ steward explain --vault vault "[[family-health]]"
Nothing would happen to family-health now: steward: false.

Now
  mode: shadow
  next check: never (steward: false)

Without a signal
  not looked at: steward: false

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
  effect: action at 0.4365
  The sender belongs to car-insurance and the mail names the odometer. It is a request; nothing has happened yet.

Who says it
  somebody else wrote the signal, and trusted_signal_sources does not name mail: it is heard as other, and never acts

Which note it means
  task/send-odometer-photo.md at 0.97

Alone
  confidence 0.315: the lower of target 0.97 and effect 0.315
  other: confidence 0.7, right 0 times, so it needs 0.95
  not alone: its effect is action, not a mutation.

Events
  none
$ steward explain --vault vault signal/2026-10-30T09-11-00Z-ce1a8ea6.md
It was applied, by signal-action-2026-10-30T09-11-38Z-pay-survey-fee.

What it says
  The survey fee has been received
  “We have received your payment of the survey fee.” from stream/2026-10-30-survey-fee-received.eml
  effect: mutation at 0.9409, state_change: state = done
  The sender belongs to house-purchase, the subject names the survey fee, and the sentence says that the payment has arrived.

Who says it
  somebody else wrote the signal, and trusted_signal_sources does not name mail: it is heard as other, and never acts

Which note it means
  task/pay-survey-fee.md at 0.97

Alone
  confidence 0.679: the lower of target 0.97 and effect 0.679
  other: confidence 0.7, right 0 times, so it needs 0.95
  not alone: the signal is applied already.

Events
  [[signal-action-2026-10-30T09-11-38Z-pay-survey-fee]] state_change at 0.9409, live, 2026-10-30 09:11:38
  status: open → done
  completedDate: – → 2026-10-30
$ edit event/signal-action-2026-10-30T09-11-38Z-pay-survey-fee.md 's/expires_at: .*/expires_at: 2020-01-08T00:00:00Z/'
$ steward explain --vault vault signal-action-2026-10-30T09-11-38Z-pay-survey-fee
It was made, and could be taken back until <time>.

What was decided
  [[signal-action-2026-10-30T09-11-38Z-pay-survey-fee]] state_change at 0.9409, live, 2026-10-30 09:11:38
  status: open → done
  completedDate: – → 2026-10-30

Gates, as they stood
  none recorded

Signals
  [[2026-10-30T09-11-00Z-ce1a8ea6]]

What you can do
  none
$ steward explain --vault vault signal-action-reversed-2026-10-23-wrong-hood
It takes [[signal-action-2026-10-22T16-20-19Z-order-extractor-hood]] back: reversed, 2026-10-23 07:02:11.

Learnt
  slack: 0.96 → 0.86
$ steward explain --vault vault mail
Signals from mail count 0.97 of what they say, and must reach 0.75 to be acted upon.

What was learnt
  right 64 times, wrong 0 times, taken back 0 times
  it is live, and pinned by a person
  its history: instinct/mail.md

Outcomes
  none

Where it may act
  none
$ steward explain --vault vault pay-survey-fee
Nothing would happen to pay-survey-fee now: it is done.

Now
  mode: shadow
  next check: never (it is done)

Without a signal
  not looked at: it is done

Signals waiting
  none

Who may act here
  mail:anna@northgate-notary.example: named, 0 of 5 right outcomes on house-purchase; no signal of it is here; right 14 times in all, so its signals must reach 0.85; believed 0.97; pinned
  other: not written by this program, and no setting trusts it, so it never acts
  loans@harbour-bank.example: named; nothing was heard of it yet
  kit@sampleton-surveys.example: named; nothing was heard of it yet

Last event
  [[signal-action-2026-10-30T09-11-38Z-pay-survey-fee]] state_change at 0.9409, live, 2026-10-30 09:11:38
  status: open → done
  completedDate: – → 2026-10-30
$ steward explain --vault vault nothing-such
>2 There is no matter, task, signal, event, source or stream file named "nothing-such". (note-unknown)
>2   Give its name, its path in the vault, a link such as "[[name]]", a source such as mail:anna@notary.example, or a file such as stream/letter.eml.
? 1

# A proposal, and one that a person made by hand since.
$ steward explain --vault vault compare-tile-offers | grep -B3 -A20 'Waiting for you'
Signals waiting
  none

Waiting for you
  [[steward-action-2026-11-03T09-30-00Z-compare-tile-offers]] state: open → done, 2026-11-03 09:30:00

Who may act here
  mail:juergen@muesterle-kuechen.example: named, 0 of 5 right outcomes on kitchen-renovation; no signal of it is here; right 11 times in all, so its signals must reach 0.85; believed 0.96; pinned
  other: not written by this program, and no setting trusts it, so it never acts
  studio@tilework.example: named; nothing was heard of it yet

Last event
  [[steward-action-2026-11-03T09-30-00Z-compare-tile-offers]] likely_done at 0.66, live, 2026-11-03 09:30:00
  state: open → done
$ steward explain --vault vault steward-action-2026-11-03T09-30-00Z-compare-tile-offers
It is a proposal and waits for you.

What was decided
  [[steward-action-2026-11-03T09-30-00Z-compare-tile-offers]] likely_done at 0.66, live, 2026-11-03 09:30:00
  state: open → done

Gates, as they stood
  none recorded

Signals
  [[2026-11-03T08-50-00Z-6f6f5b5b]]

What you can do
  steward confirm steward-action-2026-11-03T09-30-00Z-compare-tile-offers
  steward dismiss steward-action-2026-11-03T09-30-00Z-compare-tile-offers
  or tick the box in the note
$ steward explain --vault vault steward-action-2026-10-08T08-12-00Z-request-energy-certificate | head -n 1
It closed itself: settled by hand, the note says it already.
$ steward explain --vault vault steward-action-2026-10-26T14-02-00Z-choose-worktop | head -n 1
It was dismissed by [[steward-action-dismissed-2026-10-26T18-45-20Z-choose-worktop]].
$ steward explain --vault vault steward-action-dismissed-2026-10-26T18-45-20Z-choose-worktop | head -n 1
It dismissed [[steward-action-2026-10-26T14-02-00Z-choose-worktop]]: nothing was changed.

# A note that is none of the steward's.
$ steward explain --vault vault README
It is a note of yours, and no matter, task, signal or event: the steward leaves it alone.
