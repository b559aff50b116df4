# With a daemon: it tries what is added, and asks it from then on.
$ calm
& steward run --vault vault
~ <time>  started on <...>
$ printf '#!/bin/sh\necho "{\\"id\\":\\"n-1\\",\\"title\\":\\"A note\\",\\"text\\":\\"Nobody knows of it.\\"}"\n' > notes && chmod +x notes
$ steward source add notes --vault vault --every 1h -- "$PWD/notes"
notes answers.
  It ran, and gave one event:
    A note
Wrote source/notes.md. Its address is allowed on this machine from now on.
The daemon asks it from now on, every hour; `steward status` shows its state.
~ <time>  fetched notes: <...>
$ steward source test notes --vault vault
notes runs <root>/notes.
notes answers.
  It ran, and gave one event:
    A note
$ steward source pause notes --vault vault
notes is paused; `steward source pause notes --off` resumes it.
$ steward source list --vault vault
  notes  paused  runs <root>/notes
$ steward status --all --vault vault | sed -n '/^Connected/,/^$/p'
Connected
  notes  command  paused  last contact <time>  last event <time>, <...> after it happened (1 of 1 taken)
! SIGTERM
? 0
