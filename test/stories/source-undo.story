# What a source brought, from the event to the note and back: it only proposes, a person says yes, and takes it back.
$ calm
& steward run --vault vault
~ <time>  started on <...>
$ printf '#!/bin/sh\necho "{\\"id\\":\\"van-7\\",\\"from\\":\\"Movers\\",\\"title\\":\\"Book the moving van\\",\\"text\\":\\"The moving van has been booked.\\"}"\n' > movers && chmod +x movers
$ steward source add movers --vault vault --every 1h --no-test -- "$PWD/movers"
Wrote source/movers.md. Where it leads is allowed on this machine from now on.
The daemon asks it from now on, every hour; `steward status` shows how it stands.
~ <time>  fetched movers: <...>
~ <time>  signal <...>
~ <time>  read stream/movers/<...>
$ ls vault/stream/movers
efee9278cf68a54d207ef107089ca9e9.event.json
$ steward explain "$(ls vault/stream/movers)" --vault vault
It gave one signal.

Signals, and what has become of them
  [[<stamp>-0e1da7ca]] “The moving van has been booked.” for task/book-moving-van.md
    It waits for the tick: neither this note nor its matter names movers (movers), and it has 0 of 5 right outcomes here; nobody beside the file vouches for movers (movers).
$ steward tick house-purchase --force --vault vault
matter/house-purchase.md: 5 notes looked at, 1 event
  event/steward-action-<stamp>-book-moving-van.md
$ steward confirm book-moving-van --vault vault
confirmed  steward-action-<stamp>-book-moving-van
  The change is made.
  task/book-moving-van.md  state open → done
  other:movers (movers) 0.7 → 0.73
  other 0.7 → 0.706
  event/steward-action-confirmed-<stamp>-book-moving-van.md
$ grep ^state vault/task/book-moving-van.md
state: done
$ steward undo --last 1 --vault vault
reversed  steward-action-confirmed-<stamp>-book-moving-van
  The change was taken back: each field is as it was before it.
  task/book-moving-van.md  state done → open
  other:movers (movers) 0.73 → 0.63
  other 0.706 → 0.686
  event/steward-action-reversed-<stamp>-book-moving-van.md
$ grep ^state vault/task/book-moving-van.md
state: open
! SIGTERM
? 0
