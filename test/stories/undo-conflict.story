# A mail has moved a date, since its sender may, and a person has moved it again since.
$ steward licence sign juergen@muesterle-kuechen.example --matter kitchen-renovation --kind due --vault vault
signed  mail:juergen@muesterle-kuechen.example may move dates in kitchen-renovation, until <...>
  mail-juergen@muesterle-kuechen.example-kitchen-renovation
  no effect yet: Steward is in shadow mode
$ STEWARD_LIVE_MODE=live steward import --vault vault "$(drop 02; echo vault/stream/02-appointment-moved.eml)" > /dev/null
$ STEWARD_LIVE_MODE=live steward tick --vault vault kitchen-renovation > /dev/null
>2 read mail from anna@northgate-notary.example (Anna Placeholder), “Energy certificate, 7 Elm Lane”: no signal (older than 14 days)
>2 read mail from appointments@rivermouth-town.example (Rivermouth Town Hall), “Passport renewal: new date”: no signal (older than 14 days)
>2 read mail from kit@sampleton-surveys.example (Kit Sampleton), “Survey fee, invoice SV-88”: no signal (older than 14 days)
>2 read mail from accounts@marlow-studio.example (Marlow Studio Accounts), “Marlow invoice approved”: no signal (older than 14 days)
>2 read mail from studio@tilework.example (Tilework Studio), “Our offer for the kitchen wall”: no signal (older than 14 days)
>2 read mail from service@fennwick-insurance.example (Fennwick Insurance), “Your yearly mileage”: no signal (older than 14 days)
>2 read mail from frontdesk@casa-exemplo.example (Casa Exemplo), “Answers to your questions”: no signal (older than 14 days)
>2 asked which note is meant, marlow-invoice-041 or marlow-invoice-042 signal-action-<stamp>-undecided
>2 applied kitchen-measuring-appointment: due 2034-12-01 → 2034-12-12 (context_edit 0.90) signal-action-<stamp>-kitchen-measuring-appointment
$ grep due: vault/task/kitchen-measuring-appointment.md
due: 2034-12-12            # Jürgen comes in the morning
$ edit task/kitchen-measuring-appointment.md 's/2034-12-12/2034-12-13/'
$ steward undo --vault vault measuring-appointment
conflict  signal-action-<stamp>-kitchen-measuring-appointment
  Not undone: somebody has edited the same field since. due is now 2034-12-13, Steward had written 2034-12-12.
  signal-action-reversed-<stamp>-kitchen-measuring-appointment
? 1
$ grep due: vault/task/kitchen-measuring-appointment.md
due: 2034-12-13            # Jürgen comes in the morning

# With --force it is taken back all the same.
$ steward undo --vault vault --force "$(basename vault/event/*/signal-action-2*-measuring-appointment.md .md)"
undone  signal-action-<stamp>-kitchen-measuring-appointment
  The change was undone: each field is as it was before.
  kitchen-measuring-appointment  due 2034-12-13 → 2034-12-01
  learned: mail:juergen@muesterle-kuechen.example 0.96 → 0.86
  learned: mail 0.97 → 0.95
  signal-action-reversed-<stamp>-kitchen-measuring-appointment
$ grep due: vault/task/kitchen-measuring-appointment.md
due: 2034-12-01            # Jürgen comes in the morning

# What is older than seven days stays.
$ edit event/signal-action-2026-10-30T09-11-38Z-pay-survey-fee.md 's/expires_at: .*/expires_at: 2020-01-08T00:00:00Z/'
$ steward undo --vault vault pay-survey-fee
expired  signal-action-2026-10-30T09-11-38Z-pay-survey-fee
  Not undone: the seven days for an undo are over.
  signal-action-reversed-<stamp>-pay-survey-fee
? 1
$ steward undo --vault vault signal-action 2>&1 | sed -E 's/20[0-9T-]+Z/<time>/' | sort
    signal-action-<time>-kitchen-measuring-appointment  due 2034-12-01 → 2034-12-12
    signal-action-<time>-order-extractor-hood  state open → done
    signal-action-<time>-pay-survey-fee  status open → done; completedDate – → 2026-10-30
    signal-action-<time>-renew-passport  due 2026-11-20 → 2034-12-01
    signal-action-<time>-undecided
    signal-action-reversed-2026-10-23-wrong-hood  undoes signal-action-<time>-order-extractor-hood
    signal-action-reversed-<time>-kitchen-measuring-appointment  undoes signal-action-<stamp>-kitchen-measuring-appointment
    signal-action-reversed-<time>-kitchen-measuring-appointment  undoes signal-action-<stamp>-kitchen-measuring-appointment
    signal-action-reversed-<time>-pay-survey-fee  undoes signal-action-2026-10-30T09-11-38Z-pay-survey-fee
  Name one of them, or say more of its name.
"signal-action" may mean 9 event notes. (event-ambiguous)
$ steward undo --vault vault measuring-appointment
>2 "measuring-appointment" may mean 3 event notes. (event-ambiguous)
>2     signal-action-<stamp>-kitchen-measuring-appointment  due 2034-12-01 → 2034-12-12
>2     signal-action-reversed-<stamp>-kitchen-measuring-appointment  undoes signal-action-<stamp>-kitchen-measuring-appointment
>2     signal-action-reversed-<stamp>-kitchen-measuring-appointment  undoes signal-action-<stamp>-kitchen-measuring-appointment
>2   Name one of them, or say more of its name.
? 1
$ steward undo --vault vault no-such-event
>2 No event note fits "no-such-event", by its name or by the note it is about. (event-unknown)
>2   See `steward log` for the names.
? 1
$ steward undo --vault vault
>2 undo needs either names of events or --last N. (usage)
>2   See `steward log` for the names.
? 2
$ steward undo --vault vault --last 0
>2 error: option '--last <n>' argument '0' is invalid. Give a whole number, 1 or more.
>2 (see steward undo --help)
? 2
$ steward undo --vault vault --last 1 pay-survey-fee
>2 undo needs either names of events or --last N. (usage)
>2   See `steward log` for the names.
? 2
