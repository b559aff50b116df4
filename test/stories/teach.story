# A mail meant something that Steward didn't understand. Say what: the change is made in any mode, and can be undone.
$ mkdir -p vault/stream; printf 'From: Anna Weber <anna@northgate-notary.example>\nTo: me@home.example\nSubject: Good news\nDate: %s\nMessage-ID: <good@northgate-notary.example>\n\nAll is well on our side.\n' "$(date -uR)" > good-news.eml
$ steward import --vault vault ./good-news.eml
stream/good-news.eml: no signal (no news for a matter)
$ steward teach good-news --task pay-notary-deposit --set state=done --vault vault
confirmed  signal-action-confirmed-<stamp>-pay-notary-deposit
  The change is made, and remembered as what this mail meant.
  pay-notary-deposit  state open → done
  learned: mail:unverified:anna@northgate-notary.example 0.97, slightly up
  signal-action-confirmed-<stamp>-pay-notary-deposit
$ grep '^state' vault/task/pay-notary-deposit.md
state: done                # transfer goes out on Friday
$ steward ledger --vault vault | grep -A 1 'Anna Weber'
  <time>  mail from anna@northgate-notary.example (Anna Weber), “Good news”
    done: you said what it means
$ steward undo --last 1 --vault vault | head -n 1
undone  signal-action-confirmed-<stamp>-pay-notary-deposit
$ grep '^state' vault/task/pay-notary-deposit.md
state: open                # transfer goes out on Friday

# What it can't do, it says.
$ steward teach good-news --task pay-notary-deposit --set discretion_threshold=0 --vault vault
refused  stream/good-news.eml
  discretion_threshold is protected and never written.
? 1
$ steward teach good-news --task pay-notary-deposit --set done --vault vault
>2 "done" isn't a change of a field. (usage)
>2   Write FIELD=VALUE, such as --set state=done.
? 2
$ steward teach no-such-mail --task pay-notary-deposit --set state=done --vault vault
>2 No received event is named "no-such-mail". (mail-unknown)
>2   Give the name of a file in stream/, or a unique part of it or of the subject: see `steward ledger`.
? 1
