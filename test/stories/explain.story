# A task: what waits for it, what its gates say, what happened last.
$ edit task/compare-tile-offers.md 's/^next_check_after: .*/next_check_after: 2099-01-18T08:00:00/'
$ steward explain --vault vault compare-tile-offers
According to steward-action-2026-11-03T09-30-00Z-compare-tile-offers: Steward proposed on <time> to mark compare-tile-offers as done, because studio@tilework.example wrote “you should have all three offers now”.

Now
  A proposal for compare-tile-offers waits for you (state: open → done). Why it is only proposed: no signal clears its source's threshold; mail came closest, 0.6 against 0.75.
  mode: shadow
  next check: <time> (not before <time>, as the note says)

What would change this
  Your answer: `steward inbox`.
  A better record of this sender: each proposal that you confirm counts.

Without a signal
  not checked: next_check_after is still to come

Signals waiting
  none

Waiting for you
  steward-action-2026-11-03T09-30-00Z-compare-tile-offers state: open → done, <time>

Senders on this matter
  mail:juergen@muesterle-kuechen.example: no licence here; no outcome here yet
  studio@tilework.example: named; no mail so far

Last event
  steward-action-2026-11-03T09-30-00Z-compare-tile-offers likely_done at 0.66, live, <time>
  state: open → done
  failed: discretion: no signal clears its source's threshold; mail came closest, 0.6 against 0.75.
$ steward explain --vault vault send-odometer-photo
The next check would evaluate the signals for send-odometer-photo and change no note.

Now
  mode: shadow
  next check: <time> (a signal waits)

What would change this
  Another mode: set `STEWARD_LIVE_MODE=live` for the daemon.

Without a signal
  nothing noticed
  the next day that matters: <time>

Signals waiting
  2026-11-04T11-15-00Z-730dcc42 Fennwick asks for a photo of the odometer

What the next check would find
  needs_input at 0.<...>
  failed: mode: shadow changes no note<...>.
  passed: rate guard: no model is asked.

Senders on this matter
  service@fennwick-insurance.example: named; no mail so far

Last event
  none

# A matter, by a link.
$ steward explain --vault vault "[[family-health]]"
Steward does nothing with family-health now: steward: false.

Now
  mode: shadow
  next check: never (steward: false)

What would change this
  Take `steward: false` out of family-health.

Without a signal
  not checked: steward: false

Signals waiting
  none

Last event
  none

# A signal, an action, a reversal.
$ steward explain --vault vault 2026-11-04T11-15-00Z-730dcc42
It waits for the next check: it asks you for something, which changes no note.

What it says
  Fennwick asks for a photo of the odometer
  “a photo of the odometer by the end of the year” from stream/2026-11-04-odometer-photo.eml
  effect: action at 0.44
  The sender belongs to car-insurance and the mail names the odometer. It is a request; nothing has happened yet.

Who says it
  another program wrote the signal, and trusted_signal_sources leaves out mail: it counts as other, which never acts

Which note it means
  task/send-odometer-photo.md at 0.97

Alone
  confidence 0.32: the lower of target 0.97 and effect 0.32
  other: confidence 0.70, right 0 times, so it needs 0.95
  not alone: it asks you for something, which changes no note.

Events
  none
$ steward explain --vault vault signal/2026-10-30T09-11-00Z-ce1a8ea6.md
It was applied, by signal-action-2026-10-30T09-11-38Z-pay-survey-fee.

What it says
  The survey fee has been received
  “We have received your payment of the survey fee.” from stream/2026-10-30-survey-fee-received.eml
  effect: mutation at 0.94, state_change: state = done
  The sender belongs to house-purchase, the subject names the survey fee, and the sentence says that the payment has arrived.

Who says it
  another program wrote the signal, and trusted_signal_sources leaves out mail: it counts as other, which never acts

Which note it means
  task/pay-survey-fee.md at 0.97

Alone
  confidence 0.68: the lower of target 0.97 and effect 0.68
  other: confidence 0.70, right 0 times, so it needs 0.95
  not alone: the signal is applied already.

Events
  signal-action-2026-10-30T09-11-38Z-pay-survey-fee state_change at 0.94, live, <time>
  status: open → done
  completedDate: – → 2026-10-30
$ edit event/signal-action-2026-10-30T09-11-38Z-pay-survey-fee.md 's/expires_at: .*/expires_at: 2020-01-08T00:00:00Z/'
$ steward explain --vault vault signal-action-2026-10-30T09-11-38Z-pay-survey-fee
Steward marked pay-survey-fee as done on <time>, because kit@sampleton-surveys.example wrote “We have received your payment of the survey fee”. It could be undone until <time>.

What was decided
  signal-action-2026-10-30T09-11-38Z-pay-survey-fee state_change at 0.94, live, <time>
  status: open → done
  completedDate: – → 2026-10-30

Gates at that time
  none recorded

Signals
  2026-10-30T09-11-00Z-ce1a8ea6

What you can do
  none
$ steward explain --vault vault signal-action-reversed-2026-10-23-wrong-hood
It undoes signal-action-2026-10-22T16-20-19Z-order-extractor-hood: reversed, <time>.

Learnt
  slack: 0.96 → 0.86
$ steward explain --vault vault mail
Trust in mail is 0.97; its signals must reach 0.75 to act.

What was learnt
  right 64 times, wrong 0 times, undone 0 times
  it is live, and pinned by a person
  its history: instinct/mail.md

Outcomes
  none

On each matter
  none
$ steward explain --vault vault pay-survey-fee
According to signal-action-2026-10-30T09-11-38Z-pay-survey-fee: Steward marked pay-survey-fee as done on <time>, because kit@sampleton-surveys.example wrote “We have received your payment of the survey fee”.

Now
  Steward does nothing with pay-survey-fee now: it is done.
  mode: shadow
  next check: never (it is done)

What would change this
  Reopen it: Steward evaluates only open notes.

Without a signal
  not checked: it is done

Signals waiting
  none

Senders on this matter
  mail:anna@northgate-notary.example: no licence here; no outcome here yet
  loans@harbour-bank.example: named; no mail so far
  kit@sampleton-surveys.example: named; no mail so far

Last event
  signal-action-2026-10-30T09-11-38Z-pay-survey-fee state_change at 0.94, live, <time>
  status: open → done
  completedDate: – → 2026-10-30
$ steward explain --vault vault nothing-such
>2 There is no matter, task, signal, event, sender or stream file named "nothing-such". (note-unknown)
>2   Give its name, its path in the vault, a link such as "[[name]]", a sender such as anna@notary.example, or a file such as stream/letter.eml.
? 1

# A proposal, and one that a person made by hand since.
$ steward explain --vault vault compare-tile-offers | grep -B3 -A20 'Waiting for you'
Signals waiting
  none

Waiting for you
  steward-action-2026-11-03T09-30-00Z-compare-tile-offers state: open → done, <time>

Senders on this matter
  mail:juergen@muesterle-kuechen.example: no licence here; no outcome here yet
  studio@tilework.example: named; no mail so far

Last event
  steward-action-2026-11-03T09-30-00Z-compare-tile-offers likely_done at 0.66, live, <time>
  state: open → done
  failed: discretion: no signal clears its source's threshold; mail came closest, 0.6 against 0.75.
$ steward explain --vault vault steward-action-2026-11-03T09-30-00Z-compare-tile-offers
It is a proposal and waits for you. Why it is only proposed: no signal clears its source's threshold; mail came closest, 0.6 against 0.75.

What was decided
  steward-action-2026-11-03T09-30-00Z-compare-tile-offers likely_done at 0.66, live, <time>
  state: open → done

Gates at that time
  failed: discretion: no signal clears its source's threshold; mail came closest, 0.6 against 0.75.

Signals
  2026-11-03T08-50-00Z-6f6f5b5b

What you can do
  steward confirm steward-action-2026-11-03T09-30-00Z-compare-tile-offers
  steward dismiss steward-action-2026-11-03T09-30-00Z-compare-tile-offers
  or tick the box in the note
$ steward explain --vault vault steward-action-2026-10-08T08-12-00Z-request-energy-certificate | head -n 1
It closed itself: settled by hand, the note says it already.
$ steward explain --vault vault steward-action-2026-10-26T14-02-00Z-choose-worktop | head -n 1
It was dismissed by steward-action-dismissed-2026-10-26T18-45-20Z-choose-worktop.
$ steward explain --vault vault steward-action-dismissed-2026-10-26T18-45-20Z-choose-worktop | head -n 1
It dismissed steward-action-2026-10-26T14-02-00Z-choose-worktop; the note stays as it is.

# A note that is none of the steward's.
$ steward explain --vault vault README
It is an ordinary note of yours: Steward ignores it.
