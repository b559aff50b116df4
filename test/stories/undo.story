# A mail has closed a task, since its sender may.
$ steward licence sign anna@northgate-notary.example --matter house-purchase --kind done --vault vault
signed  mail:anna@northgate-notary.example may mark tasks as done in house-purchase, until <...>
  licence/mail-anna@northgate-notary.example-house-purchase.md
$ STEWARD_LIVE_MODE=live steward import --vault vault "$(drop 01; echo vault/stream/01-payment-received.eml)"
stream/01-payment-received.eml: 1 signal
  signal/<stamp>-c5ed3f0c.md
$ cp vault/task/pay-notary-deposit.md before.md
$ STEWARD_LIVE_MODE=live steward tick --vault vault house-purchase
matter/house-purchase.md: 4 notes checked, 1 event
  event/signal-action-<stamp>-pay-notary-deposit.md
  task/order-land-registry-extract.md: nothing new
  task/compare-mortgage-offers.md: nothing new
  task/pay-survey-fee.md: closed: it is done
  task/request-energy-certificate.md: closed: it is done
  task/book-moving-van.md: nothing new
  matter/house-purchase.md: nothing new
>2 read stream/2026-10-08-energy-certificate.eml: no signal (older than 14 days)
>2 read stream/2026-10-14-passport-appointment.eml: no signal (older than 14 days)
>2 read stream/2026-10-30-survey-fee-received.eml: no signal (older than 14 days)
>2 read stream/2026-11-02-marlow-approved.eml: no signal (older than 14 days)
>2 read stream/2026-11-03-tile-offer.eml: no signal (older than 14 days)
>2 read stream/2026-11-04-odometer-photo.eml: no signal (older than 14 days)
>2 read stream/2026-11-05-breakfast-times.eml: no signal (older than 14 days)
>2 asked which note is meant, marlow-invoice-041 or marlow-invoice-042 (signal/2026-11-02T14-22-00Z-b5add323.md) event/signal-action-<stamp>-undecided.md
>2 acted task/pay-notary-deposit.md: state open → done (state_change 0.94) event/signal-action-<stamp>-pay-notary-deposit.md
$ head -n 3 vault/task/pay-notary-deposit.md
---
type: task
state: done                # transfer goes out on Friday

# What would an undo do? Nothing is changed by asking.
$ steward undo --vault vault --last 1 --dry-run
would be reversed  signal-action-<stamp>-pay-notary-deposit
  A dry run: this is what would happen.
  task/pay-notary-deposit.md  state done → open
$ grep state: vault/task/pay-notary-deposit.md
state: done                # transfer goes out on Friday
current_state: "Account details are here, the reference is NG-2026-0117."

# Undo it by a part of its name: the note is byte for byte what it was, and the source has learnt.
$ steward undo --vault vault pay-notary --reason "that was another deposit"
reversed  signal-action-<stamp>-pay-notary-deposit
  The change was undone: each field is as it was before.
  task/pay-notary-deposit.md  state done → open
  learned: mail:anna@northgate-notary.example 0.97 → 0.87
  learned: mail 0.97 → 0.95
  event/signal-action-reversed-<stamp>-pay-notary-deposit.md
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
  event/signal-action-reversed-<stamp>-pay-notary-deposit.md
? 1
$ grep confidence: vault/instinct/mail.md
confidence: 0.95

# The undo can itself be undone: the change is back, and the trust.
$ steward undo --vault vault --last 1
reversed  signal-action-reversed-<stamp>-pay-notary-deposit
  The undo was undone: each field is as it was before that undo.
  task/pay-notary-deposit.md  state open → done
  learned: mail:anna@northgate-notary.example 0.87 → 0.97
  learned: mail 0.95 → 0.97
  event/signal-action-reversed-<stamp>-pay-notary-deposit.md
$ head -n 3 vault/task/pay-notary-deposit.md
---
type: task
state: done                # transfer goes out on Friday
$ grep confidence: vault/instinct/mail.md
confidence: 0.97
$ steward undo --vault vault pay-notary --dry-run
would be reversed  signal-action-<stamp>-pay-notary-deposit
  A dry run: this is what would happen.
  task/pay-notary-deposit.md  state done → open
