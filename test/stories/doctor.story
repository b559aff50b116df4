# A vault in order.
$ steward doctor --vault vault
  vault      <root>/vault: 9 matters, 29 tasks, 9 signals, 7 events
  settings   read
  mode       this shell allows shadow; the service may allow another; the vault asks for live
  evaluator  rules (built in; no key, no network)
  budget     models may cost 1 USD a day; 0 USD spent in the last 24 hours
  editing    not tried yet: the first start makes .steward
  daemon     not running
  node       <...>
All is well.

# One with a note that cannot be read, and a setting that cannot be meant.
$ edit task/pay-survey-fee.md 's/^status: .*/status: [open/'
$ edit steward.md 's/^settle_seconds: .*/settle_seconds: soon/'
$ steward doctor --vault vault | tail -n +9

Trouble (2)
steward.md:6:17  settle_seconds must be a number of seconds, 0 to 3600. (settings-invalid)
    settle_seconds: soon
                    ^
  Until it is mended the last good value holds; at a start the default.
task/pay-survey-fee.md:3:1  The frontmatter is not valid YAML here: missed comma between flow collection entries. (frontmatter-yaml)
    priority: normal
    ^
  A bracket that opens must also close; a value that begins with [ or { must stand in "quotes".

# A key that is no setting, but nearly.
$ edit task/pay-survey-fee.md 's/^status: .*/status: open/'
$ edit steward.md 's/^settle_seconds: .*/settle_secs: 10/'
$ steward doctor --vault vault | sed -n -e 2p -e '9,$p'
  settings   read; 1 unknown key

Trouble (1)
steward.md:6:1  settle_secs is no setting; did you mean settle_seconds? (settings-unknown)
    settle_secs: 10
    ^
  As it is, the key changes nothing.
$ steward doctor --vault nowhere
>2 The vault <root>/nowhere is not there. (vault-away)
>2   Mount it, or name another with --vault; `steward init` makes a new one.
? 75
