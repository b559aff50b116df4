# How often it was right, what each mode would have done, and whether the next one is ready.
$ steward report --vault vault
6 decisions about a change: 1 right, 2 wrong, 3 undecided
mode shadow (in this shell; the service may run in another); right among those decided: 33 % of 3 (6 % to 80 %)
3 changes made without asking, 1 known to be wrong: 33.3 % of 3 (6.1 % to 79.3 %)
It isn't known yet how many important events are set aside: the first weekly sample comes when a week is over.

When to raise the mode
  live_high_confidence_only: not yet. 3 of 12 decisions known, 1 right: 33 % of 3 (6 % to 80 %). 11 more right decisions needed. No licence covers any of these changes: see `steward licence`.
  live: not yet. 3 of 20 decisions known, 1 right: 33 % of 3 (6 % to 80 %). 18 more right decisions needed.
  Still undecided: 3 from mail.

The modes compared on the same decisions
                             acts  proposes  records  unknown  right, of those applied
  shadow                     0     0         6        0        –
  live_high_confidence_only  0     2         0        4        –
  live                       3     2         0        1        0 % of 1 (0 % to 80 %)

Senders and channels
  mail: 4 decisions, right: 100 % of 1 (20 % to 100 %)
    1 in shadow, 1 proposed, 2 applied; 1 by hand, 2 silent, 1 open
  slack: 1 decision, right: 0 % of 1 (0 % to 80 %)
    1 applied; 1 undone
  transcript: 1 decision, right: 0 % of 1 (0 % to 80 %)
    1 proposed; 1 dismissed

Kinds of change
  context_edit: 1 decision, undecided
    1 applied; 1 silent
  state_change: 5 decisions, right: 33 % of 3 (6 % to 80 %)
    1 in shadow, 2 proposed, 2 applied; 1 dismissed, 1 undone, 1 by hand, 1 silent, 1 open

Decisions
  context_edit: 1 decision, undecided
    1 applied; 1 silent
  likely_done: 3 decisions, right: 50 % of 2 (9 % to 91 %)
    1 in shadow, 2 proposed; 1 dismissed, 1 by hand, 1 open
  state_change: 2 decisions, right: 0 % of 1 (0 % to 80 %)
    2 applied; 1 undone, 1 silent

How it is counted
  right: confirmed; by hand (you made the proposed change yourself)
  wrong: dismissed; undone; otherwise (you set a field to something else within seven days)
  undecided: not now; confirmed, then undone; silent (made, and left alone for a week); overtaken (decided again before any outcome; the later decision counts); open (everything else)
  an interval in brackets has 95 % confidence (Wilson); the figure after “of” is how many were counted
  Steward learns from these outcomes; if it hasn't yet, the outcome is derived from the notes by the same rules

Saved in Steward report.md.
# It is kept in a note too, with charts and links; what a person writes around it stays.
$ head -n 9 'vault/Steward report.md'
---
steward: false
---

Steward keeps what you write above or below its part.

%% steward: report %%

6 decisions about a change: 1 right, 2 wrong, 3 not decided so far. **Right: 33 % of 3 (6 % to 80 %)**, with 95 % confidence. 3 changes made without asking, 1 known to be wrong: 33.3 % of 3 (6.1 % to 79.3 %). It isn't known yet how many important events are set aside: the first weekly sample comes when a week is over. The mode is `shadow`.
$ edit 'Steward report.md' '$a My own thoughts.'
$ steward report --vault vault | tail -n 1
Steward report.md is up to date.
$ tail -n 2 'vault/Steward report.md'
%% /steward %%
My own thoughts.
# Of one matter, from a day on; the note is left as it is.
$ steward report --vault vault --matter kitchen-renovation --since 2026-11-01 --no-note | head -n 2
1 decision about a change for kitchen-renovation since <time>: 0 right, 0 wrong, 1 undecided
mode shadow (in this shell; the service may run in another); right among those decided: –
$ steward report --vault vault --matter nothing
>2 There is no matter "nothing". (matter-unknown)
>2   See `steward status --schedules` for the matters there are.
? 1
$ steward report --vault vault --since yesterday
>2 error: option '--since <date>' argument 'yesterday' is invalid. Give a date (YYYY-MM-DD) or a time (YYYY-MM-DDTHH:mm:ss).
>2 (see steward report --help)
? 2

# Where a daemon runs, it does the same.
$ calm
& steward run --vault vault
~ <time>  started on <root>/vault: 7 matters, mode shadow
$ steward report --vault vault | tail -n 1
Steward report.md is up to date.
! SIGINT
? 0
