# With a daemon: it tries what is added, and asks it from then on.
$ calm
& steward run --vault vault
~ <time>  started on <...>
$ printf '#!/bin/sh\necho "{\\"id\\":\\"n-1\\",\\"title\\":\\"A note\\",\\"text\\":\\"Nobody knows of it.\\"}"\n' > notes && chmod +x notes
$ steward source add notes --vault vault --every 1h -- "$PWD/notes"
~ <time>  fetched notes: <...>
$ steward source test notes --vault vault
$ steward source pause notes --vault vault
$ steward source list --vault vault
$ steward status --vault vault | sed -n '/^Connected/,/^$/p'
! SIGTERM
? 0
