# The systemd unit, to be looked at first.
$ steward service install --print --vault vault | grep -e ^Environment= -e ^Type=
Type=notify
Environment="STEWARD_VAULT=<root>/vault"
Environment=STEWARD_LIVE_MODE=shadow
$ steward service install --system --print --vault vault | grep -e ^Description= -e ^Type=
Description=vault-steward on %f
Type=notify
$ steward service frobnicate --vault vault
>2 There is no "steward service frobnicate". (usage)
>2   Use install, uninstall or status.
? 2
