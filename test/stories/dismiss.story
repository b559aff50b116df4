# A proposal is closed without being made; the source hears of it.
$ steward dismiss --vault vault compare-tile --dry-run
would be dismissed  steward-action-2026-11-03T09-30-00Z-compare-tile-offers
  A dry run: this is what would happen.
$ grep -e state: -e pending vault/task/compare-tile-offers.md
state: open
current_state: Two of three offers are in.
pending_confirmation: true
$ steward dismiss --vault vault compare-tile
dismissed  steward-action-2026-11-03T09-30-00Z-compare-tile-offers
  The proposal is closed; the note stays as it is.
  learned: mail 0.97 → 0.92
  steward-action-dismissed-<stamp>-compare-tile-offers
$ grep -e state: -e pending vault/task/compare-tile-offers.md
state: open
current_state: Two of three offers are in.
$ steward dismiss --vault vault steward-action-2026-11-03T09-30-00Z-compare-tile-offers
not-a-proposal  steward-action-2026-11-03T09-30-00Z-compare-tile-offers
  The proposal was closed before, by [[steward-action-dismissed-<stamp>-compare-tile-offers]].
? 1
# A dismissal can be taken back: the proposal waits again, and its source is as sure as before.
$ steward undo --vault vault compare-tile-offers --dry-run
would be undone  steward-action-dismissed-<stamp>-compare-tile-offers
  A dry run: this is what would happen.
$ steward undo --vault vault compare-tile-offers
undone  steward-action-dismissed-<stamp>-compare-tile-offers
  The answer was undone: the proposal waits for you again.
  learned: mail 0.92 → 0.97
  steward-action-reversed-<stamp>-compare-tile-offers
$ grep -e state: -e pending vault/task/compare-tile-offers.md
state: open
current_state: Two of three offers are in.
pending_confirmation: true
$ steward inbox --vault vault --list | grep "wait.* for you"
1 thing waits for you: 1 proposal
$ steward dismiss --vault vault
>2 dismiss needs names of events, or a filter. (usage)
>2   Name them as `steward status` does, or use --matter, --class, --min-confidence, --source, --all.
? 2
