# A whole roundtable from recorded replies: no key, no network. What the agents look up is looked up.
$ steward roundtable --vault vault kitchen-tiles
>2 There is no key for a model, so no roundtable is convened. (roundtable-no-model)
>2   Set ANTHROPIC_API_KEY or the credential anthropic_api_key; `--recorded` plays recorded replies without a model.
? 1
$ steward roundtable --vault vault kitchen-tiles --recorded
Should the comparison of the tile offers be closed on two offers, or wait for the third?
2 rounds, converged, from recorded replies

Established
  Both offers are within the 1,500 EUR.
  From 4 January 2027 the glazed tiles take until 8 March 2027, after the fitters of 15 February 2027.
  The comparison stays open until 18 January 2027, and is then closed on what can be delivered.
  If the glazed tiles are not in stock, the matt ones are taken.

Positions
  paula: a last day for the third offer.
  enno: the stock decides.
  kit: only what is delivered in time.

Shifts
  paula: from waiting without end to a last day, because of the dates.
  enno: from Tilework at once to Tilework if it is in stock.
  enno: from the glazed tile to whatever can be had in time.

How it ran
  5 files written by their agents, 1 from replies, 0 missing
  3 requests for evidence: 3 answered, 0 unanswered, 0 refused
  unsupported: 360 EUR, by paula
  unsupported: 43 percent, by enno
  unsupported: six years, by enno
  unsupported: 25 January 2027, by kit
  unsupported: 8 March 2027, by kit
  HALT enno: fabricated data
    round 1  opening   3 agents<...>
    round 1  speaking  3 agents<...>
    round 1  review    1 agent<...>
    round 1  rebuttal  3 agents<...>
    round 1  verdict   1 agent<...>
    round 2  opening   3 agents<...>
    round 2  speaking  3 agents<...>
    round 2  review    1 agent<...>
    round 2  rebuttal  3 agents<...>
    round 2  verdict   1 agent<...>

The files are in roundtable/kitchen-tiles; steward-log-kitchen-tiles.json there has everything.
$ ls vault/roundtable/kitchen-tiles vault/roundtable/kitchen-tiles/round-2
vault/roundtable/kitchen-tiles:
briefing.md
kitchen-wall.json
recorded.yaml
round-1
round-1.summary.md
round-2
round-2.summary.md
scoreboard.md
steward-log-kitchen-tiles.json
tensions.md
tile-offers.csv

vault/roundtable/kitchen-tiles/round-2:
enno.md
kit.md
paula.md

# Each agent wrote its own file; one did not, and its reply was put there and marked.
$ head -n 6 vault/roundtable/kitchen-tiles/round-1/kit.md
---
roundtable: kitchen-tiles
round: 1
agent: kit
written_by: kit
---
$ grep -h written_by vault/roundtable/kitchen-tiles/round-2/*.md
written_by: enno
written_by: judge-fallback
written_by: paula

# The scoreboard is the judge's; beneath it stands what was counted.
$ tail -n 5 vault/roundtable/kitchen-tiles/scoreboard.md
| agent | confirmed | lines cited | not confirmed | halted |
| --- | ---: | ---: | ---: | ---: |
| paula | 4 | 0 | 1 | 0 |
| enno | 2 | 0 | 2 | 1 |
| kit | 8 | 0 | 3 | 0 |

# What was asked and answered.
$ grep -A1 '"by": "judge"' vault/roundtable/kitchen-tiles/steward-log-kitchen-tiles.json
   "by": "judge",
   "text": "value of grout_hours in kitchen-wall.json",

# It is over, and needs no key to be read: asked again, nobody speaks, and nothing is written.
$ touch before && steward roundtable --vault vault "[[roundtable/kitchen-tiles/briefing]]" --recorded | head -n 2 && find vault/roundtable -newer before
Should the comparison of the tile offers be closed on two offers, or wait for the third?
2 rounds, converged, from recorded replies

# No note of the matter has changed.
$ steward roundtable --vault vault kitchen-tiles --json | grep -c '"ended": "converged"'
1
$ steward log --vault vault --matter kitchen-renovation | head -n 1
<time>  proposed  compare-tile-offers  likely_done 0.66

# What cannot be held is said.
$ steward roundtable --vault vault nothing-such
>2 There is no briefing "nothing-such". (briefing-unknown)
>2   A briefing is in its own folder, as roundtable/<id>/briefing.md; name it by its id or its path.
? 1
$ steward roundtable --vault vault ../matter/house-purchase
>2 There is no briefing "../matter/house-purchase". (briefing-unknown)
>2   A briefing is in its own folder, as roundtable/<id>/briefing.md; name it by its id or its path.
? 1
$ mkdir vault/roundtable/one && printf -- '---\nquestion: Why?\nagents: [ada]\n---\n' > vault/roundtable/one/briefing.md && steward roundtable --vault vault one --recorded
>2 roundtable/one/briefing.md:3:9  agents must name at least two agents. (briefing-invalid)
>2     agents: [ada]
>2             ^
>2   A briefing has a question, agents (name, role, model) and, if you like, max_rounds and format.
? 1
$ mkdir vault/roundtable/two && printf -- '---\nquestion: Why?\nagents: [ada, ../ben]\n---\n' > vault/roundtable/two/briefing.md && steward roundtable --vault vault two --recorded
>2 roundtable/two/briefing.md:3:9  agents has the name "../ben"; a name has letters, digits, - and _ only, 40 at most. (briefing-invalid)
>2     agents: [ada, ../ben]
>2             ^
>2   A briefing has a question, agents (name, role, model) and, if you like, max_rounds and format.
? 1
$ sed -i 's|../ben|ben|' vault/roundtable/two/briefing.md && steward roundtable --vault vault two --recorded
>2 roundtable/two/recorded.yaml  This roundtable has no recorded replies. (recording-missing)
>2   Leave out --recorded to ask a model.
? 1
