# A mail whose words can't be read isn't one that says nothing: the reason is shown before, during and after the import.
$ mkdir mails; mail() { printf 'From: Anna Weber <anna@northgate-notary.example>\nTo: me@home.example\nSubject: Notary deposit\nDate: %s\nMessage-ID: <%s@northgate-notary.example>\nMIME-Version: 1.0\nContent-Type: %s\n\n%s\n' "$(date -uR)" "$1" "$2" "$3" > mails/$1.eml; }; mail sealed 'application/pkcs7-mime; smime-type=enveloped-data' MIAGCSqGSIb3DQEHA6CAMIAC; mail polish 'text/plain; charset=utf-8' 'Dzień dobry, umowa została wczoraj podpisana przez obie strony i wszystko jest już gotowe do odbioru. Dziękujemy bardzo.'
$ steward import --vault vault --dry-run mails/sealed.eml mails/polish.eml | head -n 2
stream/sealed.eml: not read (encrypted with S/MIME)
stream/polish.eml: not read (written in Polish)
$ steward import --vault vault mails/sealed.eml mails/polish.eml
stream/sealed.eml: not read (encrypted with S/MIME)
stream/polish.eml: not read (written in Polish)
$ steward import --vault vault --json mails/sealed.eml | grep -c '"unread":'
1
$ steward import --vault vault mails/sealed.eml
stream/sealed.eml: not read (encrypted with S/MIME)
$ steward import --vault vault --dry-run mails/sealed.eml | head -n 1
stream/sealed.eml: not read (encrypted with S/MIME)
$ steward explain --vault vault sealed.eml
Steward didn't read it: encrypted with S/MIME.

The file
  from anna@northgate-notary.example
  subject: Notary deposit
  seen <time>

Notes that it considered
  pay-notary-deposit 0.96 by its sender and a keyword (0.50 needed)
$ steward explain --vault vault polish.eml | head -n 1
Steward didn't read it: written in Polish.

# In a file with many events they are counted by their reasons.
$ echo '{"name":"Trip","type":"private_group","id":42,"messages":[{"id":1,"type":"message","date":"'$(date -u +%FT%T)'","from":"Mila","from_id":"user1","text":"","photo":"p.jpg"},{"id":2,"type":"message","date":"'$(date -u +%FT%T)'","from":"Mila","from_id":"user1","text":"","photo":"q.jpg"},{"id":3,"type":"message","date":"'$(date -u +%FT%T)'","from":"Mila","from_id":"user1","text":"","rich_message":{"blocks":[{"type":"chart"}]}}]}' > trip.json
$ steward import --vault vault --dry-run ./trip.json | head -n 1
stream/trip.json: 3 events: 0 signals, 3 not read (2 only a picture, 1 in a form that isn't read: chart)
$ steward import --vault vault ./trip.json
stream/trip.json: 3 events: 0 signals, 3 not read (2 only a picture, 1 in a form that isn't read: chart)
$ steward explain --vault vault trip.json | sed 's/#[0-9a-f]*/#<id>/'
It has 3 events. No event gave a signal.

Its events
  3 events, 3 not read (2 only a picture, 1 in a form that isn't read: chart)

Without a signal, the newest first
  Trip: (stream/trip.json#<id>)
    not read: in a form that isn't read: chart
  Trip: (stream/trip.json#<id>)
    not read: only a picture
  Trip: (stream/trip.json#<id>)
    not read: only a picture
$ steward status --vault vault | grep 'not read'
events: 5 not read (2 only a picture, 1 written in Polish, 1 encrypted with S/MIME, 1 in a form that isn't read: chart)
$ steward status --vault vault --json | grep -A 5 '"unread":'
    "unread": {
      "written in Polish": 1,
      "encrypted with S/MIME": 1,
      "only a picture": 2,
      "in a form that isn't read: chart": 1
    },
