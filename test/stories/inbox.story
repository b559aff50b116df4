# A licence that came with the vault counts once you say that it is yours.
$ steward confirm mail-anna@northgate-notary.example-house-purchase --vault vault
confirmed  mail-anna@northgate-notary.example-house-purchase
  The licence is signed.
  mail-anna@northgate-notary.example-house-purchase

# What waits for a person: the same list that `status` begins with.
$ steward inbox --vault vault
1 thing waits for you: 1 proposal
  proposal  compare-tile-offers (kitchen-renovation)  state open → done
    3 Nov: Tilework thinks that all offers are in
    from studio@tilework.example  “you should have all three offers now”  since <time>
    mail was right 64 of 64 times
    only proposed: no signal clears its source's threshold; mail came closest, 0.6 against 0.75
  steward confirm EVENT, steward dismiss EVENT, steward dismiss EVENT --later, or answer in the
  note. EVENT is the note’s title, or the name under an entry.
$ steward inbox --vault vault --json
{
  "schemaVersion": 1,
  "warnings": [],
  "waiting": [
    {
      "kind": "proposal",
      "event": "steward-action-2026-11-03T09-30-00Z-compare-tile-offers",
      "target": "task/compare-tile-offers.md",
      "change": "state open → done",
      "from": "studio@tilework.example",
      "quote": "you should have all three offers now",
      "mail": "stream/2026-11-03-tile-offer.eml",
      "told": "2026-11-03 Tilework thinks that all offers are in",
      "since": "2026-11-03T09:30:00.000Z",
      "answers": [
        "confirm",
        "dismiss",
        "later"
      ],
      "candidates": [],
      "likelihood": null,
      "matter": "matter/kitchen-renovation.md",
      "trust": {
        "source": "mail",
        "sender": "mail",
        "right": 64,
        "wrong": 0,
        "reached": 0.6,
        "needed": 0.75
      },
      "why": [
        "no signal clears its source's threshold; mail came closest, 0.6 against 0.75."
      ],
      "warning": null,
      "isStale": false
    }
  ]
}

# A signal that may mean any of several notes is asked about, and answered by choosing one.
$ printf -- '---\nsource_type: mail\nfrom: Kim <kim@tilework.example>\nraw_quote: the hood has arrived\nheadline: The hood is here\neffect: mutation\neffect_confidence: 0.9\ntarget_ambiguous: true\ntarget_candidates: [task/order-extractor-hood.md, task/compare-tile-offers.md]\nmutation_proposal:\n  class: context_edit\n  set:\n    current_state: The hood has arrived.\n---\n' > vault/signal/hood.md
$ steward tick --vault vault > /dev/null
>2 read mail from anna@northgate-notary.example (Anna Placeholder), “Energy certificate, 7 Elm Lane”: no signal (older than 14 days)
>2 read mail from appointments@rivermouth-town.example (Rivermouth Town Hall), “Passport renewal: new date”: no signal (older than 14 days)
>2 read mail from kit@sampleton-surveys.example (Kit Sampleton), “Survey fee, invoice SV-88”: no signal (older than 14 days)
>2 read mail from accounts@marlow-studio.example (Marlow Studio Accounts), “Marlow invoice approved”: no signal (older than 14 days)
>2 read mail from studio@tilework.example (Tilework Studio), “Our offer for the kitchen wall”: no signal (older than 14 days)
>2 read mail from service@fennwick-insurance.example (Fennwick Insurance), “Your yearly mileage”: no signal (older than 14 days)
>2 read mail from frontdesk@casa-exemplo.example (Casa Exemplo), “Answers to your questions”: no signal (older than 14 days)
>2 asked which note is meant, marlow-invoice-041 or marlow-invoice-042 signal-action-<stamp>-undecided
>2 asked which note is meant, order-extractor-hood or compare-tile-offers signal-action-<stamp>-undecided
>2 recorded send-odometer-photo: no change (needs_input <...>; shadow changes no note<...>) steward-action-<stamp>-send-odometer-photo
$ steward inbox --vault vault
4 things wait for you: 1 proposal, 1 question, 2 choices
  proposal  compare-tile-offers (kitchen-renovation)  state open → done
    3 Nov: Tilework thinks that all offers are in
    from studio@tilework.example  “you should have all three offers now”  since <time>
    mail was right 64 of 64 times
    only proposed: no signal clears its source's threshold; mail came closest, 0.6 against 0.75
  choice  current_state → The hood has arrived.
    The hood is here
    from kim@tilework.example (Kim)  “the hood has arrived”  since <time>
    1  order-extractor-hood
    2  compare-tile-offers
    signal-action-<stamp>-undecided
  question  send-odometer-photo (car-insurance)  Fennwick asks for a photo of the odometer
    from mail  “a photo of the odometer by the end of the year”  since <time>
    read in 2026-11-04-odometer-photo.eml
    another program wrote this signal, so it never acts
  choice  which note is meant?
    2 Nov: A Marlow invoice is approved, but which?
    from mail  “Your invoice has been approved for payment.”  since <time>
    1  marlow-invoice-041
    2  marlow-invoice-042
    signal-action-<stamp>-undecided
  steward confirm EVENT, steward dismiss EVENT, steward dismiss EVENT --later, steward confirm EVENT
  --choose NOTE, or answer in the note. EVENT is the note’s title, or the name under an entry.

# One by one; what is not understood is asked again, and the end of the input ends it. `u` takes the last answer back.
$ printf 'what\nd\nu\nd\n2\ns\n1\nq\n' | steward inbox --vault vault --answer
4 things wait for you: 1 proposal, 1 question, 2 choices

  proposal  compare-tile-offers (kitchen-renovation)  state open → done
    3 Nov: Tilework thinks that all offers are in
    from studio@tilework.example  “you should have all three offers now”  since <time>
    mail was right 64 of 64 times
    only proposed: no signal clears its source's threshold; mail came closest, 0.6 against 0.75
  confirm (c), dismiss (d), not now (l), mark (m), skip (s), mail (e), note (o), reason (r),
  quit (q)?
  confirm (c), dismiss (d), not now (l), mark (m), skip (s), mail (e), note (o), reason (r),
  quit (q)?
  Dismissed. The proposal is closed; the note stays as it is.
    learned: mail 0.97 → 0.92

  choice  current_state → The hood has arrived.
    The hood is here
    from kim@tilework.example (Kim)  “the hood has arrived”  since <time>
    1  order-extractor-hood
    2  compare-tile-offers
  choose (1-2, or a part of the title of a note), dismiss (d), mark (m), skip (s), reason (r),
  undo (u), quit (q)?
  Undone. The answer was undone: the proposal waits for you again.
    learned: mail 0.92 → 0.97

  proposal  compare-tile-offers (kitchen-renovation)  state open → done
    3 Nov: Tilework thinks that all offers are in
    from studio@tilework.example  “you should have all three offers now”  since <time>
    mail was right 64 of 64 times
    only proposed: no signal clears its source's threshold; mail came closest, 0.6 against 0.75
  confirm (c), dismiss (d), not now (l), mark (m), skip (s), mail (e), note (o), reason (r),
  quit (q)?
  Dismissed. The proposal is closed; the note stays as it is.
    learned: mail 0.97 → 0.92

  choice  current_state → The hood has arrived.
    The hood is here
    from kim@tilework.example (Kim)  “the hood has arrived”  since <time>
    1  order-extractor-hood
    2  compare-tile-offers
  choose (1-2, or a part of the title of a note), dismiss (d), mark (m), skip (s), reason (r),
  undo (u), quit (q)?
  Done. compare-tile-offers: current_state Two of three offers are in. → The hood has arrived.
    learned: other 0.70 → 0.73

  question  send-odometer-photo (car-insurance)  Fennwick asks for a photo of the odometer
    from mail  “a photo of the odometer by the end of the year”  since <time>
    read in 2026-11-04-odometer-photo.eml
    another program wrote this signal, so it never acts
  dismiss (d), mark (m), skip (s), mail (e), note (o), reason (r), undo (u), quit (q)?

  choice  which note is meant?
    2 Nov: A Marlow invoice is approved, but which?
    from mail  “Your invoice has been approved for payment.”  since <time>
    1  marlow-invoice-041
    2  marlow-invoice-042
  choose (1-2, or a part of the title of a note), dismiss (d), mark (m), skip (s), mail (e),
  reason (r), undo (u), quit (q)?
  Done. It is settled; no change proposed.

That was all.
  undo (u), quit (q)?
$ grep current_state vault/task/compare-tile-offers.md
current_state: The hood has arrived.
$ steward inbox --vault vault
1 thing waits for you: 1 question
  question  send-odometer-photo (car-insurance)  Fennwick asks for a photo of the odometer
    from mail  “a photo of the odometer by the end of the year”  since <time>
    read in 2026-11-04-odometer-photo.eml
    another program wrote this signal, so it never acts
  steward dismiss EVENT, or answer in the note. EVENT is the note’s title, or the name under an
  entry.
$ steward inbox --vault vault --answer --list
>2 --answer and --list exclude each other. (usage)
>2   Leave out --answer or --list.
? 2
$ steward inbox --vault vault --answer --json
>2 --answer and --json exclude each other. (usage)
>2   Leave out --answer or --json.
? 2
$ grep -e waiting: -e outcome: vault/event/steward-action-2026-11-03T09-30-00Z-compare-tile-offers.md
waiting: false
outcome: dismissed

# A title is enough, or an unambiguous part of it; where several events are meant they are listed.
$ steward undo 'compare tile' --vault vault
undone  signal-action-confirmed-<stamp>-compare-tile-offers
  The change was undone: each field is as it was before.
  compare-tile-offers  current_state The hood has arrived. → Two of three offers are in.
  learned: other 0.73 → 0.70
  signal-action-reversed-<stamp>-compare-tile-offers
$ steward undo compare-tile-offers --vault vault --dry-run
would be undone  steward-action-dismissed-<stamp>-compare-tile-offers
  A dry run: this is what would happen.
$ steward dismiss 'send odometer' --vault vault --dry-run
would be dismissed  steward-action-<stamp>-send-odometer-photo
  A dry run: this is what would happen.
$ steward dismiss odometer --vault vault --dry-run
would be dismissed  steward-action-<stamp>-send-odometer-photo
  A dry run: this is what would happen.
