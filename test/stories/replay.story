# With nothing set, everything comes out as it is recorded.
$ steward replay --vault vault --since 2026-10-01
Of 6 decisions 0 would differ.
Each is judged in the mode of its day.

            recorded  now
  acted     3         3
  proposed  2         2
  recorded  1         1
  nothing   0         0

# What would a lower bar have let through? No note is touched.
$ find vault -type f -exec sha256sum {} + | sort > before
$ steward replay --vault vault --since 2026-10-01 --until 2026-10-26 --set mode=live --set confidence_threshold=0.95
Of 4 decisions 3 would differ with mode=live, confidence_threshold=0.95.
This assumes that STEWARD_LIVE_MODE allows live.

            recorded  now
  acted     2         0
  proposed  1         4
  recorded  1         0
  nothing   0         0

2026-10-08 08:12:00  recorded → proposed  task/request-energy-certificate.md  likely_done 0.78
    then: shadow changes no note; live needs 0.60, this scored 0.78.
    now: mode: this scored 0.78, live needs 0.95.
    steward-action-2026-10-08T08-12-00Z-request-energy-certificate; the recorded verdict stands; only the gates judged again

2026-10-14 10:05:41  acted → proposed  task/renew-passport.md  changed 0.94
    then: Every gate holds.
    now: mode: this scored 0.94, live needs 0.95.
    signal-action-2026-10-14T10-05-41Z-renew-passport; its one signal is too weak alone, and would wait for the tick

2026-10-22 16:20:19  acted → proposed  task/order-extractor-hood.md  likely_done 0.94
    then: Every gate holds.
    now: mode: this scored 0.94, live needs 0.95.
    signal-action-2026-10-22T16-20-19Z-order-extractor-hood; its one signal is too weak alone, and would wait for the tick
$ find vault -type f -exec sha256sum {} + | sort | diff before -
$ steward replay --vault vault --since 2026-10-26 --set discretion_threshold=0.55
Of 3 decisions 2 would differ with discretion_threshold=0.55.
Each is judged in the mode of its day.

            recorded  now
  acted     1         3
  proposed  2         0
  recorded  0         0
  nothing   0         0

2026-10-26 14:02:00  proposed → acted  task/choose-worktop.md  likely_done 0.60
    then: transcript scored 0.59, 0.95 needed.
    now: Every gate holds.
    steward-action-2026-10-26T14-02-00Z-choose-worktop; the recorded verdict stands; only the gates judged again

2026-11-03 09:30:00  proposed → acted  task/compare-tile-offers.md  likely_done 0.66
    then: mail scored 0.60, 0.75 needed.
    now: Every gate holds.
    steward-action-2026-11-03T09-30-00Z-compare-tile-offers; the recorded verdict stands; only the gates judged again

# A setting that a replay cannot change, and one that cannot be meant.
$ steward replay --vault vault --since 2026-10-01 --set quiet_hours=22:00-07:00
>2 quiet_hours is no setting that a replay can change. (usage)
>2   The settings that can be changed: mode, confidence_threshold, high_confidence_threshold, discretion_threshold, editable_fields, protected_fields, prior.SOURCE.
? 2
$ steward replay --vault vault --since 2026-10-01 --set prior.mail=high
>2 prior.mail must be a number from 0 to 1. (usage)
>2   The settings that can be changed: mode, confidence_threshold, high_confidence_threshold, discretion_threshold, editable_fields, protected_fields, prior.SOURCE.
? 2
$ steward replay --vault vault
>2 error: required option '--since <date>' not specified
>2 (see steward replay --help)
? 2
