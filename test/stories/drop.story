# A proposal is confirmed by a file, dropped beside it while the daemon runs.
$ edit steward.md 's/^settle_seconds: .*/settle_seconds: 0/'
& STEWARD_LIVE_MODE=shadow steward run --vault vault
~ <...>started<...>
$ printf -- '---\nconfirms: "[[steward-action-2026-11-03T09-30-00Z-compare-tile-offers]]"\n---\n' > vault/event/steward-action-confirmed-mine.md
~ <...>confirmed compare-tile-offers<...>
$ grep -e ^state: -e pending vault/task/compare-tile-offers.md
state: done
$ grep -e ^outcome -e _by: vault/event/steward-action-confirmed-mine.md
outcome: confirmed
confirmed_by: file

# One that names nothing is refused, in the file and in status.
$ printf -- '---\ndismisses: "[[nothing-such]]"\n---\n' > vault/event/steward-action-dismissed-odd.md
~ <...>refused steward-action-dismissed-odd<...>
$ grep -e ^outcome -e ^message vault/event/steward-action-dismissed-odd.md
outcome: refused
message: It names no event note of this vault; no note was changed.
$ steward status --all --vault vault | grep -A1 dismissed-odd
event/steward-action-dismissed-odd.md  The file should confirm or dismiss a proposal, but doesn't name one. (answers-nothing)
  Name the proposal in `confirms` or `dismisses`, in a new file, or delete this one.
! SIGTERM
? 0
