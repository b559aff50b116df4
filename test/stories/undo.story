# A mail has closed a task, since its sender may.
$ steward licence sign anna@northgate-notary.example --matter house-purchase --kind done --vault vault
signed  mail:anna@northgate-notary.example may mark tasks as done in house-purchase, until <...>
  mail-anna@northgate-notary.example-house-purchase
  no effect yet: Steward is in shadow mode
$ STEWARD_LIVE_MODE=live steward import --vault vault "$(drop 01; echo vault/stream/01-payment-received.eml)"
stream/01-payment-received.eml: 1 signal
  signal/<stamp>-c5ed3f0c.md
$ cp vault/task/pay-notary-deposit.md before.md
$ STEWARD_LIVE_MODE=live steward tick --vault vault house-purchase
house-purchase: 4 notes checked, 1 event
  signal-action-<stamp>-pay-notary-deposit
  order-land-registry-extract: nothing new
  compare-mortgage-offers: nothing new
  pay-survey-fee: closed: it is done
  request-energy-certificate: closed: it is done
  book-moving-van: nothing new
  house-purchase: nothing new
>2 read mail from anna@northgate-notary.example (Anna Placeholder), “Energy certificate, 7 Elm Lane”: no signal (older than 14 days)
>2 read mail from appointments@rivermouth-town.example (Rivermouth Town Hall), “Passport renewal: new date”: no signal (older than 14 days)
>2 read mail from kit@sampleton-surveys.example (Kit Sampleton), “Survey fee, invoice SV-88”: no signal (older than 14 days)
>2 read mail from accounts@marlow-studio.example (Marlow Studio Accounts), “Marlow invoice approved”: no signal (older than 14 days)
>2 read mail from studio@tilework.example (Tilework Studio), “Our offer for the kitchen wall”: no signal (older than 14 days)
>2 read mail from service@fennwick-insurance.example (Fennwick Insurance), “Your yearly mileage”: no signal (older than 14 days)
>2 read mail from frontdesk@casa-exemplo.example (Casa Exemplo), “Answers to your questions”: no signal (older than 14 days)
>2 asked which note is meant, marlow-invoice-041 or marlow-invoice-042 signal-action-<stamp>-undecided
>2 applied pay-notary-deposit: state open → done (state_change 0.94) signal-action-<stamp>-pay-notary-deposit
$ head -n 3 vault/task/pay-notary-deposit.md
---
type: task
state: done                # transfer goes out on Friday

# What would an undo do? Nothing is changed by asking.
$ steward undo --vault vault --last 1 --dry-run
would be undone  signal-action-<stamp>-pay-notary-deposit
  A dry run: this is what would happen.
  pay-notary-deposit  state done → open
$ grep state: vault/task/pay-notary-deposit.md
state: done                # transfer goes out on Friday
current_state: "Account details are here, the reference is NG-2026-0117."

# Undo it by a part of its name: the note is byte for byte what it was, and the source has learnt.
$ steward undo --vault vault pay-notary --reason "that was another deposit"
undone  signal-action-<stamp>-pay-notary-deposit
  The change was undone: each field is as it was before.
  pay-notary-deposit  state done → open
  learned: mail:anna@northgate-notary.example 0.97 → 0.87
  learned: mail 0.97 → 0.95
  signal-action-reversed-<stamp>-pay-notary-deposit
$ cmp before.md vault/task/pay-notary-deposit.md
$ grep confidence: vault/instinct/mail.md
confidence: 0.95
$ grep -h reason: vault/event/*/*reversed*-pay-notary-deposit.md
reason: that was another deposit
Your reason: that was another deposit

# A second time there is nothing to take back.
$ steward undo --vault vault signal/nothing
>2 No event note fits "signal/nothing", by its name or by the note it is about. (event-unknown)
>2   See `steward log` for the names.
? 1
$ steward undo --vault vault "$(basename vault/event/*/signal-action-2*-pay-notary-deposit.md .md)"
already-reversed  signal-action-<stamp>-pay-notary-deposit
  Not undone: it was already undone.
  signal-action-reversed-<stamp>-pay-notary-deposit
? 1
$ grep confidence: vault/instinct/mail.md
confidence: 0.95

# The undo can itself be undone: the change is back, and the trust.
$ steward undo --vault vault --last 1
undone  signal-action-reversed-<stamp>-pay-notary-deposit
  The undo was undone: each field is as it was before that undo.
  pay-notary-deposit  state open → done
  learned: mail:anna@northgate-notary.example 0.87 → 0.97
  learned: mail 0.95 → 0.97
  signal-action-reversed-<stamp>-pay-notary-deposit
$ head -n 3 vault/task/pay-notary-deposit.md
---
type: task
state: done                # transfer goes out on Friday
$ grep confidence: vault/instinct/mail.md
confidence: 0.97
$ steward undo --vault vault pay-notary --dry-run
would be undone  signal-action-<stamp>-pay-notary-deposit
  A dry run: this is what would happen.
  pay-notary-deposit  state done → open
