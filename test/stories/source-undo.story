# What a source brought, from the event to the note and back: it only proposes, a person says yes, and takes it back.
$ calm
& steward run --vault vault
~ <time>  started on <...>
$ printf '#!/bin/sh\necho "{\\"id\\":\\"van-7\\",\\"from\\":\\"Movers\\",\\"title\\":\\"Book the moving van\\",\\"text\\":\\"The moving van has been booked.\\"}"\n' > movers && chmod +x movers
$ steward source add movers --vault vault --every 1h --no-test -- "$PWD/movers"
Written: source/movers.md. Where it leads is allowed on this machine from now on.
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
    It waits for the tick: sender: movers (movers) is not named by this note or its matter, and was right 0 of 5 times on this matter; nobody beside the file says that it is from movers (movers).
$ steward tick moving --force --vault vault
>2 There is no matter "moving". (matter-unknown)
>2   See `steward status` for the matters there are.
? 1
$ steward confirm book-moving-van --vault vault
>2 No event note is named like "book-moving-van". (event-unknown)
>2   See `steward log` for the names.
? 1
$ grep state vault/task/book-moving-van.md
state: open
current_state: Two companies asked, the small one is nicer.
$ steward undo --last 1 --vault vault
>2 There is no action that can still be taken back. (nothing-to-undo)
>2   See `steward log` for what happened.
? 1
$ grep state vault/task/book-moving-van.md
state: open
current_state: Two companies asked, the small one is nicer.
! SIGTERM
? 0
