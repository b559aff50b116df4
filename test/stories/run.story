# The daemon in the foreground. The notary may mark tasks as done: a mail comes in and a task is done. SIGTERM ends it in order.
$ steward licence sign anna@northgate-notary.example --matter house-purchase --kind done --vault vault
signed  mail:anna@northgate-notary.example may mark tasks as done in house-purchase, until <...>
  mail-anna@northgate-notary.example-house-purchase
  no effect yet: Steward is in shadow mode
& STEWARD_LIVE_MODE=live steward run --vault vault
~ <time>  schedule house-purchase provisioned, steward_schedule: every 15 min, next <time>
~ <time>  started on <root>/vault: 7 matters, mode live
~ <time>  read mail from frontdesk@casa-exemplo.example (Casa Exemplo), “Answers to your questions”: no signal (<...>)
$ drop 01
~ <time>  signal for pay-notary-deposit: Notary deposit for 7 Elm Lane
~ <time>  applied pay-notary-deposit: state open → done (state_change 0.94) signal-action-<stamp>-pay-notary-deposit
$ head -n 4 vault/task/pay-notary-deposit.md
---
type: task
state: done                # transfer goes out on Friday
parent_matter: "[[house-purchase]]"

# A second daemon says who holds the vault.
$ steward run --vault vault
>2 .steward/lock  The vault is in use by daemon <pid> on <host>, since <time>. (vault-locked)
>2   Stop that one first, or use it: commands pass their work to a running daemon.
? 75

# Other commands see it run.
$ steward status --vault vault | grep ^daemon
daemon running since <time> (pid <pid>), mode live, evaluated by rules
$ steward doctor --vault vault | grep daemon
  mode       the daemon allows live; steward.md says live
  daemon     running

# A new matter gets its schedule at once, and loses it when it is done.
$ printf -- '---\ntype: matter\n---\n' > vault/matter/new-car.md
~ <time>  schedule new-car provisioned, default: every 30 min, next <time>
$ printf -- '---\ntype: matter\nstate: done\n---\n' > vault/matter/new-car.md
~ <time>  schedule new-car removed: <...>

! SIGTERM
? 0
$ steward status --vault vault | grep ^daemon
daemon stopped, mode shadow (STEWARD_LIVE_MODE limits it), evaluated by rules
$ ls vault/.steward
cache
history
journal
state
tmp
