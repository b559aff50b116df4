# What would Steward have done with last spring's mail? It reads the mails where they are, and writes nothing.
$ mkdir -p spring/cur spring/new; mail() { printf 'Authentication-Results: mx.sample-household.example; dmarc=pass header.from=%s\nFrom: %s\nTo: me@home.example\nSubject: %s\nDate: %s\nMessage-ID: <%s@%s>\n\n%s\n' "$3" "$2@$3" "$4" "$5" "$1" "$3" "$6" > "spring/cur/173568960$1.M1P2.host:2,S"; }; mail 1 anna northgate-notary.example 'Notary deposit' 'Wed, 11 Mar 2026 12:00:00 +0000' 'Dear Robin, the notary deposit has been paid. Anna'; mail 2 kit sampleton-surveys.example 'Survey' 'Sat, 18 Apr 2026 12:00:00 +0000' 'Hello Robin, the survey fee has been paid. Kit'; mail 3 pat elsewhere.example 'Lunch' 'Sun, 19 Apr 2026 12:00:00 +0000' 'Shall we have lunch on Thursday?'; mail 4 anna northgate-notary.example 'Land registry extract' 'Mon, 20 Apr 2026 12:00:00 +0000' 'Dear Robin, the land registry extract has been ordered. Anna'
$ rm -r vault/licence; close() { sed -i "s/^state: .*/state: done\ncompletedDate: $2/" "vault/task/$1.md"; }; close pay-notary-deposit 2026-03-12; close order-land-registry-extract 2026-04-22
$ find vault -type f -exec md5sum {} + | sort > before; steward rehearse --vault vault ./spring; find vault -type f -exec md5sum {} + | sort | cmp before -
4 events from 2026-03-11 to 2026-04-20, read by the rules
  = 0 applied + 3 proposed + 0 asked + 1 set aside + 0 not read

  Steward would have  right  wrong  missed  unknown  share right
  proposed            2      1      0       0        too few

You closed 2 tasks within 14 days after an event that names them; Steward would have found 2 (too
few for a figure).
Dates on which tasks were closed: 9 from completedDate, 2 from the last edit of the file, which may
be later.
37 of 38 tasks and matters have no date of creation, and count as existing from the beginning.
Without git, earlier due dates aren't known.

  By sender                      right  wrong  missed  unknown  share right
  anna@northgate-notary.example  2      0      0       0        too few
  kit@sampleton-surveys.example  0      1      0       0        too few

  By matter       right  wrong  missed  unknown  share right
  house-purchase  2      1      0       0        too few

  By kind  right  wrong  missed  unknown  share right
  done     2      1      0       0        too few

The most instructive

  wrong  2026-04-18  kit@sampleton-surveys.example: “Hello Robin, the survey fee has been paid.”
    Steward: proposed pay-survey-fee status open → done. You: completed it on 2026-10-30, 195 days
    later.
    <root>/spring/cur/1735689602.M1P2.host:2,S

Licences that your past supports; Steward signs one only after your yes
  anna@northgate-notary.example on house-purchase: done; right 2 of 2 times, on 2 days, in a rehearsal
    steward licence sign mail:anna@northgate-notary.example --matter house-purchase --kind done

# A note about it is written on request, and programs have every case.
$ steward rehearse --vault vault ./spring --note | tail -n 1
The note is event/rehearsal-<...>.md.
$ ls vault/event/*/rehearsal-*.md
vault/event/rehearsal-<...>.md
$ steward rehearse --vault vault ./spring --json | head -n 24
{
  "schemaVersion": 1,
  "complete": true,
  "ended": null,
  "evaluator": "rules",
  "model": null,
  "from": "2026-03-11",
  "to": "2026-04-20",
  "events": {
    "copies": 0,
    "earlier": 0,
    "undated": 0,
    "refused": 0,
    "evaluated": 4,
    "left": 0,
    "resumed": 0
  },
  "would": {
    "applied": 0,
    "proposed": 3,
    "asked": 0,
    "setAside": 1,
    "notRead": 0
  },
$ steward rehearse --vault vault ./spring --since 2026-04-19 | head -n 3
2 events from 2026-04-19 to 2026-04-20, read by the rules
  = 0 applied + 1 proposed + 0 asked + 1 set aside + 0 not read
Not counted: 2 earlier.

# The licence that the past supports is signed by a command, or by a yes on a terminal.
$ steward licence sign mail:anna@northgate-notary.example --matter house-purchase --kind done --vault vault
signed  mail:anna@northgate-notary.example may mark tasks as done in house-purchase, until <...>
  mail-anna@northgate-notary.example-house-purchase
  no effect yet: Steward is in shadow mode
$ steward rehearse --vault vault ./spring | grep -c 'Licences that this past supports'
0
? 1

# What it can't read, it says.
$ echo x > spring.pages; steward rehearse --vault vault ./spring.pages
No event was rehearsed.
Not counted: 1 unreadable.
  <root>/spring.pages: .pages files are not read
? 1
$ steward rehearse --vault vault ./nowhere.mbox
>2 There is no file <root>/nowhere.mbox. (import-missing)
>2   The vault is searched first, then the current folder.
? 1
$ steward rehearse --vault vault
>2 Name what to rehearse. (usage)
>2   Name a mailbox file, or a connected mailbox: `--source NAME --since DAY`.
? 2

# A connected mailbox is read from a day on, and a model is asked within a budget.
$ steward rehearse --vault vault --source inbox
>2 A rehearsal of a connected mailbox needs the day on which it begins. (rehearsal-since)
>2   Add the day, such as `--since 2026-01-01`.
? 2
$ steward rehearse --vault vault --source nowhere --since 2026-01-01
>2 There is no source "nowhere" in this vault. (source-unknown)
>2   `steward source list` names the existing ones; `steward source add` connects another.
? 1
$ steward rehearse --vault vault ./spring --evaluator model
>2 A model needs a budget. (rehearsal-budget)
>2   Add it in US dollars, such as `--budget 2`. Steward says what it may cost before it asks.
? 2
$ steward rehearse --vault vault ./spring --evaluator model --budget 2
>2 There is no key for a model. (rehearsal-key)
>2   Set ANTHROPIC_API_KEY, or leave out `--evaluator`: the rules read without a key.
? 78
