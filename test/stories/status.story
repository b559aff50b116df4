# How things stand, with no daemon running.
$ steward status --vault vault
⚠ 1 warning · 1 waits for you · 5 matters well

  ⚠ A licence came from outside: mail:anna@northgate-notary.example may mark tasks as done and move dates in house-purchase, without asking.
            It has no effect yet. If it is yours: steward confirm mail-anna@northgate-notary.example-house-purchase
  proposal  compare-tile-offers  state open → done
            from studio@tilework.example  “you should have all three offers now”  since <time>
  steward inbox answers them

<root>/vault  64 notes
daemon stopped, mode shadow (STEWARD_LIVE_MODE limits it), evaluated by rules
1 signal to evaluate: the daemon is stopped; steward tick evaluates now
trust: bank 0.93 · calendar 0.82 · mail 0.97 · slack 0.90 · transcript 0.80 · and 3 more: steward status --all
next check <time> (steward status --schedules)

# The schedules, and everything else, where they are asked for.
$ steward status --vault vault --schedules | sed -n '/^Schedules/,$p'
Schedules
  allotment-garden    every 1 h              not checked yet  next <time>
  car-insurance       default: every 30 min  not checked yet  next <time>
  freelance-invoices  default: every 30 min  not checked yet  next <time>
  house-purchase      every 15 min           not checked yet  next <time>
  kitchen-renovation  cron */20 7-20 * * *   not checked yet  next <time>
  lisbon-trip         default: every 30 min  not checked yet  next <time>
  school-enrolment    default: every 30 min  not checked yet  next <time>
$ steward status --vault vault --all | sed -n '/^Schedules/,$p'
Schedules
  allotment-garden    every 1 h              not checked yet  next <time>
  car-insurance       default: every 30 min  not checked yet  next <time>
  freelance-invoices  default: every 30 min  not checked yet  next <time>
  house-purchase      every 15 min           not checked yet  next <time>
  kitchen-renovation  cron */20 7-20 * * *   not checked yet  next <time>
  lisbon-trip         default: every 30 min  not checked yet  next <time>
  school-enrolment    default: every 30 min  not checked yet  next <time>

Gates
  rate guard, questions to models: minute 0/60, hour 0/600, day 0/6000, one task 0/6, one matter 0/50
  budget, last 24 h: 0 tokens, 0/1 USD
  act from 0.60 (live), 0.85 (high confidence only)

Senders and channels
  bank                                       0.93  needs 0.80  22 right  0 wrong  live
  calendar                                   0.82  needs 0.85  12 right  0 wrong  live
  mail                                       0.97  needs 0.75  64 right  0 wrong  live, pinned
  slack                                      0.90  needs 0.90  7 right   1 wrong  live
  transcript                                 0.80  needs 0.95  1 right   1 wrong  pending
  mail:anna@northgate-notary.example         0.97  needs 0.85  14 right  0 wrong  live, pinned
  mail:juergen@muesterle-kuechen.example     0.96  needs 0.85  11 right  0 wrong  live, pinned
  mail:office@greenfield-allotments.example  0.97  needs 0.85  12 right  0 wrong  live, pinned

Signs of life
  last file read  none yet
  last decision   none yet
  last lesson     none yet

Streams
  7 files, 0 read: 0 signals, 0 files without a signal, 0 refused
$ steward status --watch --vault vault
>2 status --watch needs a terminal. (usage)
>2   Ask again with `steward status` as often as you like.
? 2

# The vault may be named before the command, by the environment, or be the nearest one upward.
$ steward --vault vault status | grep notes
<root>/vault  64 notes
$ STEWARD_VAULT=vault steward status | grep notes
<root>/vault  64 notes
$ cd vault/matter/2026 && steward status | grep notes
<root>/vault  64 notes
$ steward status
>2 There is no vault here or in a folder above. (vault-unknown)
>2   Give --vault DIR, set STEWARD_VAULT, or make one with `steward init DIR`.
? 2
# A name that a script forgot to fill in is no name, and the folder it stands in no vault.
$ steward tick --vault "$UNSET"
>2 There is no vault here or in a folder above. (vault-unknown)
>2   Give --vault DIR, set STEWARD_VAULT, or make one with `steward init DIR`.
? 2

# A vault that is not there, and of which nothing is known.
$ steward status --vault nowhere
The vault is away

<root>/nowhere  away: its folder is not there
daemon stopped, mode shadow, evaluated by rules
? 75
