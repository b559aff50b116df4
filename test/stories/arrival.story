# Another machine has kept this vault: its notes bear the marks of that machine's key.
$ XDG_STATE_HOME=$HOME/.elsewhere steward tick --vault vault > /dev/null 2>&1; steward inbox --vault vault --list | grep -A 2 'arrived vault  '
  arrived vault  Event notes in this vault were written by Steward with another key, as on another
    machine. Is this vault yours? After a yes you can confirm and undo them here.
    this-vault
$ steward doctor --vault vault 2>&1 | grep -A 1 'another key'
Event notes in this vault were written by Steward with another key, as on another machine. Is this vault yours? After a yes you can confirm and undo them here. (vault-from-elsewhere)
  `steward confirm this-vault` says yes, `steward dismiss this-vault` says no. Licences and settings are asked about one by one.
# A tick in one of its notes means nothing here before the yes.
$ steward confirm --vault vault this-vault --dry-run
would be confirmed  this-vault
  A dry run: this is what would happen.
$ steward confirm --vault vault this-vault
confirmed  this-vault
  You can confirm and undo its older event notes here. Licences and settings are asked about one by one.
$ steward inbox --vault vault --list | grep -c 'arrived vault'
0
? 1
$ steward confirm --vault vault this-vault
>2 No event note fits "this-vault", by its name or by the note it is about. (event-unknown)
>2   See `steward log` for the names.
? 1
