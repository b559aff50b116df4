# With a daemon running, other commands hand it their work and report what it did.
$ calm
$ steward licence sign office@greenfield-allotments.example --matter allotment-garden --kind done --vault vault
signed  mail:office@greenfield-allotments.example may mark tasks as done in allotment-garden, until <...>
  mail-office@greenfield-allotments.example-allotment-garden
  no effect yet: Steward is in shadow mode
& STEWARD_LIVE_MODE=live steward run --vault vault
~ <time>  started on <root>/vault: 7 matters, mode live
$ mkdir mails; drop 05; mv vault/stream/05-*.eml mails
$ steward import --vault vault mails/05-contract-signed.eml
stream/05-contract-signed.eml: 1 signal
  signal/<stamp>-e07f8c2c.md
~ <time>  applied sign-lease-contract-for-plot-14: status open → done; completedDate (none) → <...> (state_change 0.93) signal-action-<stamp>-sign-lease-contract-for-plot-14
$ steward undo --vault vault sign-lease-contract
undone  signal-action-<stamp>-sign-lease-contract-for-plot-14
  The change was undone: each field is as it was before.
  sign-lease-contract-for-plot-14  status done → open
  sign-lease-contract-for-plot-14  completedDate <...> → (none)
  learned: mail:office@greenfield-allotments.example 0.97 → 0.87
  learned: mail 0.97 → 0.95
  signal-action-reversed-<stamp>-sign-lease-contract-for-plot-14
~ <time>  undone sign-lease-contract-for-plot-14 (mail:office@greenfield-allotments.example 0.97 → 0.87; mail 0.97 → 0.95) <...>
$ steward tick --vault vault allotment-garden
allotment-garden: 3 notes checked, 0 events
  build-compost-bin: nothing new
  order-seed-potatoes: not due until <time> (snoozed until 2035-02-15)
  pay-water-share: closed: it is done
  sign-lease-contract-for-plot-14: nothing new
  allotment-garden: nothing new

# What would happen now is what the daemon would do, whatever this terminal's own environment allows.
$ steward explain --vault vault car-insurance | grep mode:
  mode: live

# The daemon is found from another session too: the lock says where it listens.
$ XDG_RUNTIME_DIR=/nowhere steward tick --vault vault car-insurance --force
car-insurance: 3 notes checked, 1 event
  steward-action-<stamp>-send-odometer-photo
  cancel-roadside-cover: closed: it is archived
  pay-car-insurance-premium: nothing new
  car-insurance: nothing new
$ steward tick --vault vault nonsense
>2 There is no matter "nonsense". (matter-unknown)
>2   See `steward status --schedules` for the matters there are.
? 1
$ steward confirm --vault vault compare-tile
confirmed  steward-action-2026-11-03T09-30-00Z-compare-tile-offers
  The change is made.
  compare-tile-offers  state open → done
  learned: mail 0.95, slightly up
  steward-action-confirmed-<stamp>-compare-tile-offers
~ <time>  confirmed compare-tile-offers: state open → done (likely_done 0.66) steward-action-confirmed-<stamp>-compare-tile-offers
$ steward undo --vault vault nonsense
>2 No event note fits "nonsense", by its name or by the note it is about. (event-unknown)
>2   See `steward log` for the names.
? 1

# kill -9, and all is well again at the next start.
! SIGKILL
? SIGKILL
$ steward status --vault vault | grep ^daemon
daemon stopped, mode shadow (STEWARD_LIVE_MODE limits it), evaluated by rules
$ for c in status doctor; do steward $c --vault vault | grep -o "was killed or crashed"; done
was killed or crashed
was killed or crashed
& steward run --vault vault
~ <time>  started on <root>/vault: 7 matters, mode shadow
$ steward status --vault vault | grep ^daemon
daemon running since <time> (pid <pid>), mode shadow (STEWARD_LIVE_MODE limits it), evaluated by rules
! SIGTERM
? 0
