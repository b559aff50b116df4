# An answer that is undone in the inbox: an undone change is a no, and the next line says how to make it after all.
$ steward confirm mail-anna@northgate-notary.example-house-purchase --vault vault > /dev/null
$ printf 'c\nu\nq\n' | steward inbox --vault vault --answer | sed -n '/Done/,$p'
  Done. compare-tile-offers: state open → done
    learned: mail 0.97, slightly up

That was all.
  undo (u), quit (q)?
  Undone. compare-tile-offers: state done → open
    learned: mail 0.97, slightly down
  An undone change is a no: Steward doesn’t ask again. To make it after all: steward undo --last 1
$ steward undo --last 1 --vault vault | head -n 3
undone  steward-action-reversed-<stamp>-compare-tile-offers
  The undo was undone: each field is as it was before that undo.
  compare-tile-offers  state open → done
