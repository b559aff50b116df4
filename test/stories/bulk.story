# Many proposals at once. First: which would it be?
$ edit steward.md 's/^settle_seconds: .*/settle_seconds: 0\ntrusted_signal_sources: [mail]/'
$ for task in compare-tile-offers send-odometer-photo; do printf -- '---\ntype: signal\nsource_type: mail\ntarget_kind: task\ntarget_path: task/%s.md\neffect: mutation\neffect_confidence: 0.7\nmutation_proposal: {class: related, add: {related_to: ["[[car-insurance]]"]}}\nheadline: It belongs to the car\n---\n' "$task" > "vault/signal/$task.md"; done
$ STEWARD_LIVE_MODE=live steward tick --vault vault --force > /dev/null 2>&1
$ steward confirm --vault vault --class related --source mail --min-confidence 0.1 --dry-run
would confirm 2 of 2 proposals of class related, from 0.1, by mail
would be confirmed  steward-action-<stamp>-send-odometer-photo
  A dry run: this is what would happen.
  send-odometer-photo  related_to (none) → [[car-insurance]]
would be confirmed  steward-action-<stamp>-compare-tile-offers
  A dry run: this is what would happen.
  compare-tile-offers  related_to (none) → [[car-insurance]]
$ steward confirm --vault vault --matter kitchen-renovation --class related
confirmed 1 of 1 proposal of kitchen-renovation, of class related
confirmed  steward-action-<stamp>-compare-tile-offers
  The change is made.
  compare-tile-offers  related_to (none) → [[car-insurance]]
  learned: mail 0.97, slightly up
  steward-action-confirmed-<stamp>-compare-tile-offers
$ steward dismiss --vault vault --all
dismissed 2 of 2 proposals (not now)
dismissed  steward-action-2026-11-03T09-30-00Z-compare-tile-offers
  Not now: it comes back only with something new.
  steward-action-dismissed-<stamp>-compare-tile-offers
dismissed  steward-action-<stamp>-send-odometer-photo
  Not now: it comes back only with something new.
  steward-action-dismissed-<stamp>-send-odometer-photo
$ steward confirm --vault vault --all
No proposal waits.
? 1

# Names and filters do not mix, and without either nothing is meant.
$ steward confirm --vault vault compare --all
>2 confirm takes either names of events or filters. (usage)
>2   Name them as `steward status` does, or use --matter, --class, --min-confidence, --source, --all.
? 2
$ steward confirm --vault vault
>2 confirm needs names of events, or a filter. (usage)
>2   Name them as `steward status` does, or use --matter, --class, --min-confidence, --source, --all.
? 2
$ steward confirm --vault vault --class colour
>2 There is no class "colour". (usage)
>2   The classes are state_change, context_edit, parent_matter, related.
? 2
$ steward confirm --vault vault --min-confidence 90
>2 error: option '--min-confidence <figure>' argument '90' is invalid. Give a figure from 0 to 1.
>2 (see steward confirm --help)
? 2
