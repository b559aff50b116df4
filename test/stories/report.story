# How often it was right, what each mode would have done, and whether the next one is ready.
$ steward report --vault vault
6 decisions about a change: 3 right, 2 wrong, 1 undecided
mode shadow (in this shell; the service may run in another); right among those decided: 60 % (23 % to 88 %)

When to raise the mode
  live_high_confidence_only: not yet. 5 of 12 decisions known, 3 right. 9 more right decisions needed.
  live: not yet. 5 of 20 decisions known, 3 right. 16 more right decisions needed.
  Still undecided: 1 from mail.

What each mode would have done with the same decisions
                             acts  proposes  records  unknown  right of its actions
  shadow                     0     0         6        0        –
  live_high_confidence_only  3     3         0        0        2 of 3, 66 % (20 % to 93 %)
  live                       4     2         0        0        3 of 4, 75 % (30 % to 95 %)

Sources
              cases  in shadow  proposed  acted  confirmed  dismissed  taken back  by hand  otherwise  kept  silent  overtaken  open  right
  mail        4      1          1         2      0          0          0           1        0          2     0       0          1     100 % (43 % to 100 %)
  slack       1      0          0         1      0          0          1           0        0          0     0       0          0     0 % (0 % to 79 %)
  transcript  1      0          1         0      0          1          0           0        0          0     0       0          0     0 % (0 % to 79 %)

Kinds of change
                cases  in shadow  proposed  acted  confirmed  dismissed  taken back  by hand  otherwise  kept  silent  overtaken  open  right
  context_edit  1      0          0         1      0          0          0           0        0          1     0       0          0     100 % (20 % to 100 %)
  state_change  5      1          2         2      0          1          1           1        0          1     0       0          1     50 % (15 % to 84 %)

Decisions
                cases  in shadow  proposed  acted  confirmed  dismissed  taken back  by hand  otherwise  kept  silent  overtaken  open  right
  context_edit  1      0          0         1      0          0          0           0        0          1     0       0          0     100 % (20 % to 100 %)
  likely_done   3      1          2         0      0          1          0           1        0          0     0       0          1     50 % (9 % to 90 %)
  state_change  2      0          0         2      0          0          1           0        0          1     0       0          0     50 % (9 % to 90 %)

How it is counted
  right: confirmed; by hand (you made the proposed change yourself); kept (made, and you left it alone for seven days,
    and every source behind it was right five times before)
  wrong: dismissed; taken back; otherwise (you set a field to something else within seven days)
  undecided: silent (made and left alone for a week by a source still new); overtaken (decided again before any outcome;
    the later decision counts); open (everything else)
  the steward learns from these outcomes; where it has not learnt yet, the notes tell the outcome by the same rules

Saved in Steward report.md.
# It is kept in a note too, with charts and links; what a person writes around it stays.
$ head -n 9 'vault/Steward report.md'
---
steward: false
---

What you write above or below the part that the steward keeps up to date stays as it is.

%% steward: report %%

6 decisions about a change: 3 right, 2 wrong, 1 not decided so far. **60 % right**, with 95 % confidence between 23 % and 88 %. The mode is `shadow`.
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
