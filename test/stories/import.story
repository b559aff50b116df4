# Files are put into stream/ and read.
$ for n in 01 03 04 06 07; do drop $n; done; mkdir mails; mv vault/stream/0*.eml mails
$ steward import --vault vault mails/*.eml
stream/01-payment-received.eml: 1 signal
  signal/<stamp>-c5ed3f0c.md
stream/03-not-yet-paid.eml: no signal ("for your car insurance has not yet been paid.": negated ("not"))
stream/04-which-invoice.eml: 1 signal
  signal/<stamp>-a96cd6c4.md
stream/06-newsletter.eml: no signal (bulk mail: List-Unsubscribe)
stream/07-please-obey.eml: no signal (nothing that changes a matter)
$ ls vault/stream | head -n 5
01-payment-received.eml
03-not-yet-paid.eml
04-which-invoice.eml
06-newsletter.eml
07-please-obey.eml

# The same again: nothing new. The originals stay.
$ steward import --vault vault mails/01-payment-received.eml
stream/01-payment-received.eml: no signal (it was read before)

# A path is the vault's own where it names a file there.
$ steward import --vault vault stream/2026-11-03-tile-offer.eml
stream/2026-11-03-tile-offer.eml: no signal (older than 14 days)
$ ls mails | wc -l
5

# What is no mail is kept and not read; what is not there is said.
$ echo hello > notes.txt && steward import --vault vault notes.txt
stream/notes.txt: no signal (.txt files are not read; it stays there, and is read by a version that can)
? 1
$ steward import --vault vault nowhere.eml
>2 There is no file <root>/nowhere.eml. (import-missing)
>2   A path is looked for in the vault first, then in the current folder.
? 1
$ steward import --vault vault mails
>2 mails is not a regular file. (not-a-file)
>2   Folders, pipes and sockets are left alone; move it elsewhere if it is in the way.
? 1
$ steward import --vault vault
>2 error: missing required argument 'file'
>2 (see steward import --help)
? 2

# Why a mail gave no signal is kept; what others gave is told with what has become of it.
$ steward explain --vault vault 03-not-yet-paid
It gave no signal: it may be about task/pay-car-insurance-premium.md, and what it says is no change: "for your car insurance has not yet been paid.": negated ("not").

The file
  from service@fennwick-insurance.example
  subject: Re: Car insurance premium, policy FW-000-EX
  read <time> by rules (embedded)

The notes that come closest (0.5 is needed)
  task/pay-car-insurance-premium.md 0.97
$ steward explain --vault vault stream/06-newsletter.eml
It gave no signal: it is not looked into, being bulk mail: List-Unsubscribe.

The file
  from service@fennwick-insurance.example
  subject: Your car insurance premium: have you heard?
  read <time>
$ steward explain --vault vault 01-payment-received.eml
It gave one signal.

Signals, and what has become of them
  [[<stamp>-c5ed3f0c]] “We confirm that the payment has been received.” for task/pay-notary-deposit.md
    It is strong enough alone and is acted upon at once.
$ steward explain --vault vault notes.txt
It gave no signal: .txt files are not read; it stays there, and is read by a version that can.

The file
  seen <time>
$ steward status --vault vault | tail -n 3
Streams
  13 files, 6 read: 2 signals, 4 with nothing for the vault (steward explain FILE says why), 0 refused
  1 file of kinds that are not read (.txt 1)
