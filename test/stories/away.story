# The vault goes away under a running daemon: it says so, waits, and removes nothing.
$ calm
$ steward licence sign anna@northgate-notary.example --matter house-purchase --kind done --vault vault
signed  mail:anna@northgate-notary.example may mark tasks as done in house-purchase, until <...>
  mail-anna@northgate-notary.example-house-purchase
  no effect yet: Steward is in shadow mode
& STEWARD_LIVE_MODE=live steward run --vault vault
~ <time>  started on <root>/vault: 7 matters, mode live
~ <time>  read mail from frontdesk@casa-exemplo.example (Casa Exemplo), “Answers to your questions”: no signal (<...>)
$ mv vault elsewhere
$ steward tick --vault vault
>2 The vault is away: the vault folder cannot be read (ENOENT). (vault-away)
>2   Try again when it is back.
? 75
~ <time>  the vault is away: <...>
$ steward status --schedules --vault vault | sed -n '/vault  /,$p' | head -n 14
<root>/vault  away: the vault folder cannot be read (ENOENT)
daemon running since <time> (pid <pid>), mode live, evaluated by rules
1 signal to evaluate within a minute, by <...>
anna@northgate-notary.example may act without asking: steward licence
trust: bank 0.93 · calendar 0.82 · mail 0.97 · slack 0.90 · transcript 0.80 · and 3 more: steward status --all

Schedules
  allotment-garden    cron 0 0 29 2 *           not checked yet  next <time>
  car-insurance       default: cron 0 0 29 2 *  not checked yet  next <time>
  freelance-invoices  default: cron 0 0 29 2 *  not checked yet  next <time>
  house-purchase      cron 0 0 29 2 *           not checked yet  next <time>
  kitchen-renovation  cron 0 0 29 2 *           not checked yet  next <time>
  lisbon-trip         default: cron 0 0 29 2 *  not checked yet  next <time>
  school-enrolment    default: cron 0 0 29 2 *  not checked yet  next <time>
$ steward status --vault vault > /dev/null
? 75
$ mv elsewhere vault
~ <time>  the vault is back
$ drop 01
~ <time>  applied pay-notary-deposit: state open → done (state_change 0.94) signal-action-<stamp>-pay-notary-deposit
! SIGTERM
? 0

# With no daemon, what was last known is still told.
$ mv vault elsewhere
$ steward status --schedules --vault vault | sed -n '/vault  /,$p' | head -n 14
<root>/vault  away: its folder is not there
daemon stopped, mode live, evaluated by rules
1 signal to evaluate: the daemon is stopped; steward tick evaluates now
anna@northgate-notary.example may act without asking: steward licence
trust: bank 0.93 · calendar 0.82 · mail 0.97 · slack 0.90 · transcript 0.80 · and 3 more: steward status --all

Schedules
  allotment-garden    cron 0 0 29 2 *           not checked yet  next <time>
  car-insurance       default: cron 0 0 29 2 *  not checked yet  next <time>
  freelance-invoices  default: cron 0 0 29 2 *  not checked yet  next <time>
  house-purchase      cron 0 0 29 2 *           not checked yet  next <time>
  kitchen-renovation  cron 0 0 29 2 *           not checked yet  next <time>
  lisbon-trip         default: cron 0 0 29 2 *  not checked yet  next <time>
  school-enrolment    default: cron 0 0 29 2 *  not checked yet  next <time>
$ steward status --vault vault > /dev/null
? 75
$ steward log --vault vault
>2 The vault <root>/vault is not there. (vault-away)
>2   Mount it, or name another with --vault; `steward init` makes a new one.
? 75
