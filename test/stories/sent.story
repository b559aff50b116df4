# What the user says they sent is their own word about their own tasks: it only proposes until they sign a licence for it.
$ printf 'From: Robin <robin@home.example>\nTo: anna@northgate-notary.example\nSubject: Deposit\nDate: %s\nMessage-ID: <sent@home.example>\n\nHello Anna,\n\nI have just paid the notary deposit.\n' "$(date -uR)" > paid.eml; sed -e 's/paid the notary deposit/had lunch/; s/sent@/lunch@/' paid.eml > lunch.eml
$ steward import --vault vault --sent-by robin@home.example ./paid.eml ./lunch.eml
stream/imported/<...>.eml: 1 signal
  signal/<...>.md
<...>lunch.eml: not imported: it says nothing about an open note, or is not from that address
$ ls vault/stream/imported | wc -l
1
$ grep -rh -e '^source_type' -e '^pattern' -e '^from' -e '^authenticated_by' vault/signal/ | grep -A 3 'source_type: sent'
source_type: sent
pattern: robin@home.example
from: You <robin@home.example>
authenticated_by: your imported file

# The user says which address is theirs.
$ steward import --vault vault --sent-by robin ./paid.eml
>2 "robin" is not an address. (usage)
>2   Write your own, such as anna@example.org.
? 2
$ steward import --vault vault --sent-by robin@home.example --dry-run ./paid.eml
>2 --sent-by and --dry-run do not go together. (usage)
>2   Leave out one of them.
? 2
