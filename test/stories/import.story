# What would be signalled, and why, before anything is done.
$ for n in 01 03 04 06 07; do drop $n; done; mkdir mails; mv vault/stream/0*.eml mails
$ find vault | sort > before; steward import --vault vault --dry-run mails/04-which-invoice.eml mails/06-newsletter.eml; find vault | sort | diff before -
stream/04-which-invoice.eml: 1 signal
stream/06-newsletter.eml: no signal (bulk mail)

The signal

marlow-invoice-041 or marlow-invoice-042 (you would be asked which)  state → done  0.93
  “We confirm that your invoice has been paid.” from Marlow Studio Accounts <accounts@marlow-studio.example>
  It says “has been paid”. The sender, the matter's name and the words “Marlow” and “invoice” point to “marlow-invoice-041”, and nearly as well to “marlow-invoice-042”. (note 0.72)
  Only proposed: “The amount is 840.00.” may limit it.
  stream/04-which-invoice.eml

This was a dry run. To import for real, leave out --dry-run.

# Done, it does what it said.
$ steward import --vault vault mails/*.eml
stream/01-payment-received.eml: 1 signal
  signal/<stamp>-c5ed3f0c.md
stream/03-not-yet-paid.eml: no signal ("for your car insurance has not yet been paid.": negated ("not"))
stream/04-which-invoice.eml: 1 signal
  signal/<stamp>-a96cd6c4.md
stream/06-newsletter.eml: no signal (bulk mail: List-Unsubscribe)
stream/07-please-obey.eml: no signal (no news for a matter)
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

# What nobody reads is not put into the vault, and the others are; what is not there is said.
$ echo hello > notes.pages && steward import --vault vault notes.pages mails/07-please-obey.eml
<root>/notes.pages: not imported: .pages files are not read
stream/07-please-obey.eml: no signal (it was read before)
Files that are read: a mail (.eml), a folder of mails, a Maildir, <...>
? 1
$ steward import --vault vault nowhere.eml
>2 There is no file <root>/nowhere.eml. (import-missing)
>2   The vault is searched first, then the current folder.
? 1
$ mkdir texts && cp notes.pages texts && steward import --vault vault ./texts
>2 texts is a folder without mails: no Maildir (cur/ and new/), and no .eml files. (import-folder)
>2   Name the files in it, such as texts/*.
? 1
$ steward import --vault vault
>2 error: missing required argument 'file'
>2 (see steward import --help)
? 2

# A mailbox, and a Maildir. What came by one door is known at the other.
$ (for n in 01 03 04; do echo 'From - Mon Nov 20 09:00:00 2034'; cat mails/$n-*.eml; echo; done) > box.mbox; steward import --vault vault ./box.mbox
stream/box.mbox: 3 events: 0 signals, 3 known
$ steward import --vault vault ./box.mbox
stream/box.mbox: it was read before (3 events: 0 signals, 3 known)
$ mkdir -p Mail/cur Mail/new && cp mails/06-newsletter.eml Mail/cur/1735689600.M1P2.host:2,S && steward import --vault vault ./Mail
stream/Mail: 1 event: 0 signals, 1 without a signal
$ mv Mail/cur/1735689600.M1P2.host:2,S Mail/cur/1735689600.M1P2.host:2,RS && steward import --vault vault ./Mail
stream/Mail: 1 event: 0 signals, 1 known
$ find vault/stream/Mail -type f
vault/stream/Mail/cur/1735689600.M1P2.host:2,S

# A file that a person drops into stream/ by hand stays there, whatever it is.
$ cp notes.pages vault/stream/ && steward import --vault vault stream/notes.pages
stream/notes.pages: no signal (.pages files are not read; it stays there, and is read by a version that can)
? 1

# Why a mail gave no signal is kept; what others gave is told with what has become of it.
$ steward explain --vault vault 03-not-yet-paid
It gave no signal: it may be about pay-car-insurance-premium, and it reports no change: "for your car insurance has not yet been paid.": negated ("not").

The file
  from service@fennwick-insurance.example
  subject: Re: Car insurance premium, policy FW-000-EX
  read <time> by rules (embedded)

Notes that it considered
  pay-car-insurance-premium 0.97 by a number, its sender and a keyword (0.50 needed)

What was missing
  A sentence that says that something was done, moved, cancelled or asked for.
$ steward explain --vault vault stream/06-newsletter.eml
It gave no signal: it was skipped as bulk mail: List-Unsubscribe.

The file
  from service@fennwick-insurance.example
  subject: Your car insurance premium: have you heard?
  read <time>
$ steward explain --vault vault 01-payment-received.eml
It is about pay-notary-deposit: it waits for the next check: anna@northgate-notary.example has no licence on house-purchase.

Notes that it considered
  pay-notary-deposit 0.97 by a number, its sender, its name and a keyword (0.85 needed)

What was missing
  A licence: `steward licence sign mail:anna@northgate-notary.example --matter house-purchase` lets this sender act without asking.
  Another mode: set `STEWARD_LIVE_MODE=live` for the daemon.

Signals, and what has become of them
  <stamp>-c5ed3f0c “We confirm that the payment has been received.” for pay-notary-deposit
    It waits for the next check: anna@northgate-notary.example has no licence on house-purchase.
$ steward explain --vault vault notes.pages
It gave no signal: .pages files are not read; it stays there, and is read by a version that can.

The file
  seen <time>
$ steward status --all --vault vault | tail -n 3
Streams
  15 files, 8 read: 2 signals, 5 files without a signal (steward explain FILE says why), 0 refused
  1 file of unreadable kinds (.pages 1)
