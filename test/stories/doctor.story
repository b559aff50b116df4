# A vault in order.
$ steward doctor --vault vault
  vault      <root>/vault: 9 matters, 29 tasks, 9 signals, 8 events
  settings   read
  mode       this shell allows shadow; the service may allow another; steward.md says live
  evaluator  rules (built in; no key, no network)
  budget     models may cost 1 USD a day; 0 USD spent in the last 24 hours
  editing    not tried yet: the first start makes .steward
  daemon     not running
  node       <...>
The daemon isn't running, so mail isn't read: start it with `steward run`.

# One with a note that cannot be read, and a setting that cannot be meant.
$ edit task/pay-survey-fee.md 's/^status: .*/status: [open/'
$ edit steward.md 's/^settle_seconds: .*/settle_seconds: soon/'
$ steward doctor --vault vault | tail -n +9
The daemon isn't running, so mail isn't read: start it with `steward run`.

Problems (2)
steward.md:6:17  settle_seconds must be a number of seconds, 0 to 3600. (settings-invalid)
    settle_seconds: soon
                    ^
  Until it is corrected the last good value applies; after a start the default.
task/pay-survey-fee.md:3:1  The frontmatter is not valid YAML here: missed comma between flow collection entries. (frontmatter-yaml)
    priority: normal
    ^
  A bracket that opens must also close; a value that begins with [ or { must be in "quotes".

# A key that is no setting, but nearly.
$ edit task/pay-survey-fee.md 's/^status: .*/status: open/'
$ edit steward.md 's/^settle_seconds: .*/settle_secs: 10/'
$ steward doctor --vault vault | sed -n -e 2p -e '9,$p'
  settings   read; 1 unknown key
The daemon isn't running, so mail isn't read: start it with `steward run`.

Problems (1)
steward.md:6:1  Unknown setting "settle_secs". Did you mean "settle_seconds"? (settings-unknown)
    settle_secs: 10
    ^
  This key has no effect.
# "I know" hides a problem until it recurs.
$ steward status --vault vault --known settings-unknown
Hidden until it recurs: steward.md  Unknown setting "settle_secs". Did you mean "settle_seconds"? (settings-unknown-cda320)
$ steward doctor --vault vault | tail -n +9
The daemon isn't running, so mail isn't read: start it with `steward run`.
1 known problem is hidden: steward status --all
$ steward status --vault vault | sed -n '/hidden/p'
1 known problem is hidden: steward status --all
$ steward status --vault vault --all | sed -n '/^Known/,$p'
Known (1), hidden until they recur: steward status --unhide ID
  steward.md  Unknown setting "settle_secs". Did you mean "settle_seconds"? (settings-unknown-cda320)
$ steward status --vault vault --known typo
>2 There is no problem "typo". (problem-unknown)
>2   Name its code, its file or its id: `steward status --all` lists them.
? 1
$ steward status --vault vault --unhide steward.md
Shown again: steward.md  Unknown setting "settle_secs". Did you mean "settle_seconds"? (settings-unknown-cda320)

$ steward doctor --vault nowhere
>2 The vault <root>/nowhere is not there. (vault-away)
>2   Mount it, or name another with --vault; `steward init` makes a new one.
? 75

# A vault in which nothing can happen isn't well: the last line says what is missing.
$ steward init new --yes > init.txt
$ steward doctor --vault new | tail -n 1
There is no matter or task yet: `steward demo` shows what they look like.
$ cp -r vault/matter vault/task new/
$ steward doctor --vault new | tail -n 1
No events can arrive yet: `steward source add` connects a mailbox, `steward import FILE` reads files.
$ steward status --vault new | grep 'No events can'
No events can arrive yet: `steward source add` connects a mailbox, `steward import FILE` reads files.
