# What a person does by hand is heard: a task ticked done is news for its matter, and asks nothing.
$ calm
$ edit steward.md 's/^settle_seconds: .*/settle_seconds: 0/'
& STEWARD_LIVE_MODE=live steward run --vault vault
~ <time>  read mail from frontdesk@casa-exemplo.example (Casa Exemplo), “Answers to your questions”: no signal (<...>)
$ edit task/send-odometer-photo.md 's/^state: open/state: done/'
~ <time>  signal <...>car-insurance<...>
$ steward inbox --vault vault | grep 'for you'
2 things wait for you: 1 proposal, 1 choice

# The last one asks whether the matter is over. Nobody but you closes it.
$ edit task/pay-car-insurance-premium.md 's/^state: open/state: done/'
~ <time>  proposed <...>
$ for task in send-odometer-photo pay-car-insurance-premium; do grep -h -e ^raw_quote -e ^from: -e ^effect: -e ^reasoning $(grep -l "You ticked “$task”" vault/signal/*/*.md); done
from: you
raw_quote: "state: done"
effect: none
reasoning: You ticked “send-odometer-photo” as done. 1 task of “car-insurance” is still open.
from: you
raw_quote: "state: done"
effect: mutation
reasoning: You ticked “pay-car-insurance-premium” as done. All tasks and checkboxes of “car-insurance” are done, so it may be over.
$ steward inbox --vault vault | grep -A3 '  car-insurance  ' | sed -E 's/^    (today|yesterday|tomorrow): /    <day>: /'
  proposal  car-insurance  state open → done
    <day>: pay-car-insurance-premium is done
    from you  “state: done”  since <time>
    only proposed: the tick by hand ends this part; you decide whether the whole affair has ended
$ grep ^state: vault/matter/car-insurance.md
state: open

# A completedDate in a task that is still open: the state follows, and can be taken back.
$ edit task/renew-passport.md 's/^state: open/state: open\ncompletedDate: 2025-01-02/'
~ <time>  applied <...>
$ grep -e ^state: -e ^completedDate: vault/task/renew-passport.md
state: done
completedDate: 2025-01-02
$ steward undo --last 1 --vault vault
undone  signal-action-<stamp>-renew-passport
  The change was undone: each field is as it was before.
  renew-passport  state done → open
  learned: vault_edit:you 0.95 → 0.85
  learned: vault_edit 0.95 → 0.93
  signal-action-reversed-<stamp>-renew-passport
$ grep -e ^state: -e ^completedDate: vault/task/renew-passport.md
state: open
completedDate: 2025-01-02
$ steward status --all --vault vault | grep -A1 'Your own edits'
Your own edits
  3 read today (vault_edit)
! SIGTERM
? 0

# What was ticked while nothing ran is heard at the next start.
$ edit task/choose-worktop.md 's/^state: done/state: open/'
$ edit task/build-compost-bin.md 's/^state: open/state: done/'
& STEWARD_LIVE_MODE=live steward run --vault vault
~ <time>  signal <...>allotment-garden<...>
! SIGTERM
? 0
$ edit task/choose-worktop.md 's/^state: open/state: done/'
& STEWARD_LIVE_MODE=live steward run --vault vault
~ <time>  signal <...>kitchen-renovation<...>
! SIGTERM
? 0
