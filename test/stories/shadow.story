# Without STEWARD_LIVE_MODE the daemon writes down what it would do, and touches nothing.
$ steward licence sign anna@northgate-notary.example --matter house-purchase --kind done --vault vault > /dev/null
$ calm
& steward run --vault vault
~ <time>  started on <root>/vault: 7 matters, mode shadow
$ drop 01
~ <time>  recorded pay-notary-deposit: <...>
$ head -n 4 vault/task/pay-notary-deposit.md
---
type: task
state: open                # transfer goes out on Friday
parent_matter: "[[house-purchase]]"
! SIGINT
? 0
$ steward log --vault vault -n 1
<time>  recorded  pay-notary-deposit  state_change 0.94
    state open → done
    signal-action-<stamp>-pay-notary-deposit
