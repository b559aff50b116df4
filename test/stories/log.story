# The audit trail, newest first.
$ steward log --vault vault -n 3
<time>  proposed  compare-tile-offers  likely_done 0.66
    state open → done
    steward-action-2026-11-03T09-30-00Z-compare-tile-offers
<time>  applied  pay-survey-fee  state_change 0.94
    status open → done
    completedDate (none) → 2026-10-30
    signal-action-2026-10-30T09-11-38Z-pay-survey-fee
<time>  dismissed  choose-worktop  likely_done 0.60
    steward-action-dismissed-2026-10-26T18-45-20Z-choose-worktop
$ steward log --vault vault --matter kitchen-renovation -n 2
<time>  proposed  compare-tile-offers  likely_done 0.66
    state open → done
    steward-action-2026-11-03T09-30-00Z-compare-tile-offers
<time>  dismissed  choose-worktop  likely_done 0.60
    steward-action-dismissed-2026-10-26T18-45-20Z-choose-worktop
$ steward log --vault vault --matter nothing
>2 There is no matter "nothing". (matter-unknown)
>2   See `steward status --schedules` for the matters there are.
? 1
$ steward log --vault vault -n many
>2 error: option '-n, --count <n>' argument 'many' is invalid. Give a whole number, 1 or more.
>2 (see steward log --help)
? 2
$ mkdir -p empty/.obsidian && steward log --vault empty
No entries yet.
