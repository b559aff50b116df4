# A proposal waits. What would confirming do?
$ steward confirm --vault vault compare-tile --dry-run
would be confirmed  steward-action-2026-11-03T09-30-00Z-compare-tile-offers
  A dry run: this is what would happen.
  compare-tile-offers  state open → done
$ grep -e state: -e pending vault/task/compare-tile-offers.md
state: open
current_state: Two of three offers are in.
pending_confirmation: true

# It is done with the person's authority, in any mode.
$ steward confirm --vault vault compare-tile
confirmed  steward-action-2026-11-03T09-30-00Z-compare-tile-offers
  The change is made.
  compare-tile-offers  state open → done
  learned: mail 0.97, slightly up
  steward-action-confirmed-<stamp>-compare-tile-offers
$ grep -e state: -e pending vault/task/compare-tile-offers.md
state: done
current_state: Two of three offers are in.
$ steward confirm --vault vault steward-action-2026-11-03T09-30-00Z-compare-tile-offers
not-a-proposal  steward-action-2026-11-03T09-30-00Z-compare-tile-offers
  The proposal was closed before, by [[steward-action-confirmed-<stamp>-compare-tile-offers]].
? 1

# A confirmation can be undone.
$ steward undo --vault vault --last 1
undone  steward-action-confirmed-<stamp>-compare-tile-offers
  The change was undone: each field is as it was before.
  compare-tile-offers  state done → open
  learned: mail 0.97, slightly down
  steward-action-reversed-<stamp>-compare-tile-offers
$ grep -e state: -e pending vault/task/compare-tile-offers.md
state: open
current_state: Two of three offers are in.

# What is no proposal cannot be confirmed.
$ steward confirm --vault vault pay-survey-fee
not-a-proposal  signal-action-2026-10-30T09-11-38Z-pay-survey-fee
  The event proposes no change that isn't done already.
? 1
$ steward confirm --vault vault signal-action-reversed-2026-10-23-wrong-hood
>2 event/signal-action-reversed-2026-10-23-wrong-hood.md  signal-action-reversed-2026-10-23-wrong-hood is a reversal, not a proposal. (not-a-proposal)
>2   `steward undo signal-action-reversed-2026-10-23-wrong-hood` undoes it.
? 1
