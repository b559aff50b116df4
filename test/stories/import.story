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
stream/notes.txt: no signal (only mails (.eml) are read so far)
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
>2 (see steward --help)
? 2
