# Where did everything go that was received? Each event is in exactly one pile.
$ steward ledger --vault vault --since 2100-01-01
No event was received since <time>.
$ mkdir mails; mail() { printf 'From: %s\nTo: me@home.example\nSubject: %s\nDate: %s\nMessage-ID: <%s@a.example>\nContent-Type: %s\n\n%s\n' "$2" "$3" "$(date -uR)" "$1" "${5:-text/plain}" "$4" > mails/$1.eml; }; mail deposit 'Anna Weber <anna@northgate-notary.example>' 'Notary deposit' 'Dear Robin, the notary deposit has been paid. Kind regards, Anna'; mail lunch 'Pat <pat@elsewhere.example>' 'Lunch' 'Shall we have lunch?'; mail news 'Pat <pat@elsewhere.example>' 'News' 'See you in town.'; mail sealed 'Anna Weber <anna@northgate-notary.example>' 'Papers' 'MIAGCSqGSIb3DQEHA6CAMIAC' 'application/pkcs7-mime; smime-type=enveloped-data'
$ rm -r vault/stream; mkdir vault/stream; echo pages > vault/stream/plan.pages
$ steward import --vault vault mails/*.eml
stream/deposit.eml: 1 signal
  signal/<stamp>-9009eff6.md
stream/lunch.eml: no signal (no news for a matter)
stream/news.eml: no signal (no news for a matter)
stream/sealed.eml: not read (encrypted with S/MIME)
$ steward ledger --vault vault
4 events received = 0 done + 0 asked + 1 waiting + 2 set aside + 1 not read

  waiting       1  it is evaluated at the next check
  set aside     2  no news for a matter
  not read      1  encrypted with S/MIME

Not counted: 1 file of unknown kinds.

Newest
  <time>  mail from anna@northgate-notary.example, “Papers”
    not read: encrypted with S/MIME
  <time>  mail from pat@elsewhere.example, “News”
    set aside: no news for a matter
  <time>  mail from pat@elsewhere.example, “Lunch”
    set aside: no news for a matter
  <time>  mail from anna@northgate-notary.example (Anna Weber), “Notary deposit”
    waiting: it is evaluated at the next check
$ steward tick --vault vault --force house-purchase | tail -n 1
  house-purchase: nothing new
>2 not read stream/plan.pages: Steward can't read .pages files; further ones are ignored without a message
>2 asked which note is meant, marlow-invoice-041 or marlow-invoice-042 signal-action-<stamp>-undecided
>2 recorded pay-notary-deposit: state open → done (likely_done 0.93; no trusted server authenticated anna@northgate-notary.example) steward-action-<stamp>-pay-notary-deposit
$ steward ledger --vault vault | head -n 5
4 events received = 0 done + 1 asked + 0 waiting + 2 set aside + 1 not read

  asked         1  it waits for your answer
  set aside     2  no news for a matter
  not read      1  encrypted with S/MIME
$ steward ledger --vault vault --sample 1 --seed 7 | tail -n 3
1 of 2 that were set aside, drawn at random (--seed 7)
  <time>  mail from pat@elsewhere.example, “News”
    set aside: no news for a matter
$ steward ledger --vault vault --seed 7
>2 --seed goes with --sample. (usage)
>2   Say how many to draw: --sample 10.
? 2
$ steward ledger --vault vault --json | grep -A 6 '"received"'
  "received": 4,
  "piles": {
    "done": 0,
    "asked": 1,
    "waiting": 0,
    "setAside": 2,
    "notRead": 1
