# Nothing is connected yet. A person who does not say what is told.
$ steward source list --vault vault
No source is connected. `steward source add` connects a mailbox, a calendar or a program.
$ steward source add --vault vault
>2 The kind of the source is missing. (usage)
>2   Say --kind: imap, caldav, ics, webhook or command.
? 2
$ steward source add inbox --vault vault --kind imap
>2 A source of the kind imap needs its user. (usage)
>2   Say --user ADDRESS.
? 2

# A program of one's own. It is run once before its note is written.
$ printf '#!/bin/sh\necho "{\\"id\\":\\"t-1\\",\\"title\\":\\"A ticket\\",\\"text\\":\\"Nobody knows of it.\\"}"\n' > tickets && chmod +x tickets
$ steward source add tickets --vault vault -- "$PWD/tickets"
tickets answers.
  It ran, and gave one event:
    A ticket
Wrote source/tickets.md. Its address is allowed on this machine from now on.
No daemon runs yet. Once it does (`steward run`), it asks it, every 15 minutes; `steward status` shows its state.
$ cat vault/source/tickets.md
---
type: source
kind: command
---
A program on this machine. Steward runs it regularly, and writes its output, one event a line, into `stream/tickets/`. The program's name is stored outside the vault.

It is paused by `paused: true` above, or by `steward source pause tickets`. Delete this note to disconnect it; the files that it brought stay.

Never write a password here. If this note has another address than was allowed on this machine, Steward sends no request until `steward source test tickets` allows it.
$ steward source add tickets --vault vault -- "$PWD/tickets"
>2 source/tickets.md  There is a source tickets already. (source-exists)
>2   Give the new one another name. `steward source test tickets` tests the existing one; edit its note to change it.
? 1

# One that does not work changes nothing.
$ steward source add broken --vault vault -- "$PWD/nowhere"
>2 broken cannot be connected. The program is missing, or may not be run.
>2   Look at it: ls -l <root>/nowhere
>2 With --no-test it is written without a test.
>2 Nothing is changed.
? 1
$ ls vault/source
tickets.md

# A mailbox, without trying it. The screen says where its password may come from; it is never asked for as an argument.
$ steward source add inbox --vault vault --kind imap --user anna@fastmail.com --no-test
Fastmail wants an app password: make one under Settings, Privacy & Security, with access to mail (IMAP) or calendars alone.
Fastmail authenticates senders. To trust it, say --mail-server fastmail
Until then mails only propose.
Wrote source/inbox.md. Its address is allowed on this machine from now on.
No daemon runs yet. Once it does (`steward run`), it asks it, every 5 minutes; `steward status` shows its state.

Its password
Steward stores no passwords. Give it to the daemon in one of these ways:

  1. A command prints it, such as secret-tool, pass or op; or cat, of a file that only you can read:
       steward source test inbox --password-command "secret-tool lookup steward inbox"
  2. A credential of the service, in a file that only you can read:
       mkdir -p ~/.config/steward && (umask 077; systemd-ask-password -n > ~/.config/steward/source_inbox)
       systemctl --user edit steward
         [Service]
         LoadCredential=source_inbox:%h/.config/steward/source_inbox
  3. The same, encrypted for this machine (systemd 256 and later):
       systemd-ask-password -n | systemd-creds --user encrypt --name=source_inbox - ~/.config/steward/source_inbox.cred
       systemctl --user edit steward
         [Service]
         LoadCredentialEncrypted=source_inbox:%h/.config/steward/source_inbox.cred
  4. The variable STEWARD_SOURCE_INBOX_PASSWORD, in the environment of the daemon.

After 2, 3 and 4 restart the daemon (a service: systemctl --user restart steward). Then: steward source test inbox
$ steward source list --vault vault
  inbox    not asked yet  imap.fastmail.com, port 993 (TLS) as anna@fastmail.com  no password is set
  tickets  not asked yet  runs <root>/tickets
$ steward source test inbox --vault vault 2>&1 | tail -n 3
  4. The variable STEWARD_SOURCE_INBOX_PASSWORD, in the environment of the daemon.

After 2, 3 and 4 restart the daemon (a service: systemctl --user restart steward). Then: steward source test inbox

# Somebody has changed where it leads: nothing is asked, until a person says that it is right.
$ sed -i 's/imap.fastmail.com/imap.thief.example/' vault/source/inbox.md && steward source test inbox --vault vault
inbox leads to imap.thief.example, port 993 (TLS) as anna@fastmail.com.
That differs from what you allowed on this machine <time>:
  server: imap.fastmail.com → imap.thief.example
>2 You have not allowed inbox to connect there; Steward sends no request. (source-not-allowed)
>2   If it is right, `steward source test inbox --yes` allows it.
? 1
$ steward status --all --vault vault | sed -n -e '/^Connected/,/^$/p' -e '/^Problems/,$p'
Connected
  inbox    imap     not allowed here  no contact yet  nothing came yet  The note of inbox has another address than was allowed on this machine, so Steward sends it no request.
  tickets  command  not asked yet     no contact yet  nothing came yet

Problems (1, stops something)
source/inbox.md  The note of inbox has another address than was allowed on this machine, so Steward sends it no request. (source-not-allowed)
  If the address is right, `steward source test inbox` allows it.

# Paused, and not a byte more.
$ cp vault/source/inbox.md before && steward source pause inbox --vault vault && diff before vault/source/inbox.md
inbox is paused; `steward source pause inbox --off` resumes it.
5a6
> paused: true
? 1
$ steward source pause inbox --vault vault
inbox is paused already.
$ steward source pause nothing --vault vault
>2 There is no source "nothing" in this vault. (source-unknown)
>2   `steward source list` names the existing ones; `steward source add` connects another.
? 1
$ steward doctor --vault vault | grep -e source -e Nothing
  source     inbox: paused; no password is set; imapflow is installed
  source     tickets: answers: It ran, and gave one event
