# Wrong usage is 2, and says what is right.
$ steward frobnicate
>2 error: unknown command 'frobnicate'
>2 (see steward --help)
? 2
$ steward status --wrong
>2 error: unknown option '--wrong'
>2 (see steward status --help)
? 2
$ steward explain
>2 error: missing required argument 'note'
>2 (see steward explain --help)
? 2
$ steward status --vault
>2 error: option '--vault <dir>' argument missing
>2 (see steward --help)
? 2
$ steward 2>&1 | head -n 1
Usage: steward [options] [command]
$ steward --version
0.1.0
$ cd / && steward log
>2 There is no vault here or in a folder above. (vault-unknown)
>2   Give --vault DIR, set STEWARD_VAULT, or make one with `steward init DIR`.
? 2

# A setting of the environment that cannot be meant is 78.
$ STEWARD_LIVE_MODE=brave steward run --vault vault
>2 STEWARD_LIVE_MODE names no mode: "brave". (settings-mode)
>2   Set it to shadow, live_high_confidence_only or live.
? 78
$ STEWARD_CONFIDENCE_THRESHOLD=high steward tick --vault vault
>2 STEWARD_CONFIDENCE_THRESHOLD must be a number from 0 to 1. (settings-threshold)
>2   Set it to a figure such as 0.6, or unset it.
? 78

# A vault that is not there is 75, for every command.
$ for c in run tick log "explain x" "undo x" "confirm x" "dismiss x" "import x" report doctor; do steward --vault nowhere $c 2> said; echo "$c: $?"; done; cat said
run: 75
tick: 75
log: 75
explain x: 75
undo x: 75
confirm x: 75
dismiss x: 75
import x: 75
report: 75
doctor: 75
The vault <root>/nowhere is not there. (vault-away)
  Mount it, or name another with --vault; `steward init` makes a new one.
