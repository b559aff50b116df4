# What a source brought, from the event to the note and back: it only proposes, a person says yes, and takes it back.
$ calm
& steward run --vault vault
~ <time>  started on <...>
$ printf '#!/bin/sh\necho "{\\"id\\":\\"van-7\\",\\"from\\":\\"Movers\\",\\"title\\":\\"Book the moving van\\",\\"text\\":\\"The moving van has been booked.\\"}"\n' > movers && chmod +x movers
$ steward source add movers --vault vault --every 1h --no-test -- "$PWD/movers"
Wrote source/movers.md. Its address is allowed on this machine from now on.
The daemon asks it from now on, every hour; `steward status` shows its state.
~ <time>  fetched movers: <...>
~ <time>  signal <...>
~ <time>  read <...>
$ ls vault/stream/movers
efee9278cf68a54d207ef107089ca9e9.event.json
$ steward explain "$(ls vault/stream/movers)" --vault vault
It is about book-moving-van: it waits for the next check: only the file itself names movers (movers).

Notes that it considered
  book-moving-van 0.85 by words in common (0.85 needed)

What was missing
  Your answer: Steward can’t authenticate this sender, so it always asks.
  A number, a link or the sender that belongs to book-moving-van alone, in the same passage as the news. You can add it to the note’s keywords.
  Another mode: set `STEWARD_LIVE_MODE=live` for the daemon.

Signals, and what has become of them
  <stamp>-0e1da7ca “The moving van has been booked.” for book-moving-van
    It waits for the next check: only the file itself names movers (movers).
$ steward tick house-purchase --force --vault vault
house-purchase: 5 notes checked, 1 event
  steward-action-<stamp>-book-moving-van
  order-land-registry-extract: nothing new
  compare-mortgage-offers: nothing new
  pay-notary-deposit: nothing new
  pay-survey-fee: closed: it is done
  request-energy-certificate: closed: it is done
  house-purchase: nothing new
$ steward confirm book-moving-van --vault vault
confirmed  steward-action-<stamp>-book-moving-van
  The change is made.
  book-moving-van  state open → done
  learned: other:movers (movers) 0.70 → 0.73
  learned: other 0.70 → 0.71
  steward-action-confirmed-<stamp>-book-moving-van
$ grep ^state vault/task/book-moving-van.md
state: done
$ steward undo --last 1 --vault vault
undone  steward-action-confirmed-<stamp>-book-moving-van
  The change was undone: each field is as it was before.
  book-moving-van  state done → open
  learned: other:movers (movers) 0.73 → 0.70
  learned: other 0.71 → 0.70
  steward-action-reversed-<stamp>-book-moving-van
$ grep ^state vault/task/book-moving-van.md
state: open
! SIGTERM
? 0
