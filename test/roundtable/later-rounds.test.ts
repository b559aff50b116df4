import { describe, expect, test } from 'vitest';
import { listEntries, type RoundtableLog, requestsLeft } from '../../src/roundtable/log.ts';
import { type Act, Actors, answering, behave, briefingText, fiveLines, Hall, write } from './support.ts';

const PRICES = 'offers.csv:2-3\n```\nglazed,1980 EUR\nmatt,1200 EUR\n```';
const evidence = answering({ 'the prices': PRICES, 'the stock': 'stock.csv:9\n```\n14 boxes\n```' });
const block = (task: string, name: string) => task.split(`<${name}>\n`)[1]?.split(`\n</${name}>`)[0] ?? '';
const said = (log: RoundtableLog, round: number) =>
  listEntries(log, 'said')
    .filter((one) => one.round === round && one.phase === 'speaking')
    .map(({ who }) => who);

describe('evidence in a later round', () => {
  const asks = { 'Round 1, speaking, ada.': () => '[[request: the prices]]' };
  const cites: Record<string, Act> = { ...asks, 'Round 1, speaking, ada, turn 2': () => 'It is dear (offers.csv:2).' };

  test('is the lines that were cited, for whoever asked and for the judge; in its own round it is whole', async () => {
    const hall = new Hall(briefingText({ rounds: 2 }));
    const agent = new Actors(cites);
    await hall.hold({ agent, evidence });
    expect(block(agent.asked('Round 1, rebuttal, ada'), 'evidence')).toContain('matt,1200 EUR');
    const cited = '"cited":[{"lines":"offers.csv:2","text":"glazed,1980 EUR"}]';
    for (const to of ['Round 2, opening, ada', 'Round 2, rebuttal, ada', 'Round 2, review']) {
      expect(block(agent.asked(to), 'evidence')).toContain(cited);
      expect(agent.asked(to)).not.toContain('matt,1200');
    }
    expect(agent.asked('Round 2, opening, ben')).not.toContain('glazed');
  });

  test('is nothing where nobody cited it; the whole of it still bears out a figure', async () => {
    const hall = new Hall(briefingText({ rounds: 2 }));
    const agent = new Actors({ ...asks, 'Round 2, speaking, ada': () => 'The glazed one is 1980 EUR.' });
    const log = await hall.hold({ agent, evidence });
    expect(block(agent.asked('Round 2, opening, ada'), 'evidence')).toBe('');
    expect(listEntries(log, 'flag')).toEqual([]);
  });

  test('that was a check is cut to the cited lines for everybody', async () => {
    const hall = new Hall(briefingText({ rounds: 2 }));
    const agent = new Actors({
      'Round 1, review': () => '[[request: the prices]]',
      'Round 1, rebuttal, ben': () => 'See offers.csv:3.',
    });
    await hall.hold({ agent, evidence });
    expect(block(agent.asked('Round 2, opening, ada'), 'checks')).toContain('"lines":"offers.csv:3"');
    expect(block(agent.asked('Round 2, opening, ada'), 'checks')).not.toContain('glazed');
  });

  test('is had again for nothing, once a round, from the log', async () => {
    const hall = new Hall(briefingText({ rounds: 2 }));
    let looked = 0;
    const counting: typeof evidence = {
      files: [],
      answer(...asked) {
        looked += 1;
        return evidence.answer(...asked);
      },
    };
    const agent = new Actors({ ...asks, 'Round 2, speaking, ada': () => '[[request: the prices]]' });
    const log = await hall.hold({ agent, evidence: counting, limits: { budget_per_agent: 2 } });
    // Again for nothing; then in the same round as a new request, which is the second; then there is none left.
    expect(said(log, 2)).toEqual(['ada', 'ben', 'ada', 'ada']);
    expect(listEntries(log, 'asked').map(({ id, again, refused }) => [id, again ?? null, refused])).toEqual([
      [1, null, null],
      [2, 1, null],
      [3, null, null],
      [4, null, 'it has used all its requests'],
    ]);
    expect(looked).toBe(2);
    expect(block(agent.asked('Round 2, speaking, ada, turn 2'), 'evidence')).toContain('matt,1200 EUR');
    expect(agent.asked('Round 2, speaking, ada, turn 2')).toContain('"requests_left":1');
    expect(requestsLeft(log, 'ada', 3)).toBe(1);
  });

  test('goes on from the log where it was had again and then cut off', async () => {
    const briefing = briefingText({ rounds: 2 });
    const acts = { ...asks, 'Round 2, speaking, ada.': () => '[[request: the prices]]' };
    const whole = await new Hall(briefing).hold({ agent: new Actors(acts), evidence });
    for (const [at, { what }] of whole.entries.entries()) {
      const isEarly =
        at < whole.entries.findIndex((one) => one.round === 2 && one.what === 'said' && one.phase === 'speaking');
      if (
        isEarly ||
        ['asked', 'closed'].includes(what) ||
        (what === 'result' && whole.entries[at - 1]?.what === 'asked')
      )
        continue;
      const hall = new Hall(briefing);
      hall.folder.save({ ...whole, ended: null, ended_at: null, written: {}, entries: whole.entries.slice(0, at) });
      const log = await hall.hold({ agent: new Actors(acts), evidence });
      expect(said(log, 2), `from entry ${at}, before ${what}`).toEqual(said(whole, 2));
      expect(listEntries(log, 'asked').map(({ id, again }) => [id, again])).toEqual([
        [1, undefined],
        [2, 1],
      ]);
    }
  });
});

describe('whoever speaks and judges', () => {
  const long = 'Nothing of this stands in the reply.';
  const writes: Act = async (errand, to) => {
    const who = /opening, (\w+)/.exec(to)?.[1] ?? '';
    const file = /into the file (\S+), with/.exec(errand.task.at(-1) ?? '')?.[1] ?? '';
    await write(errand, file, `# ${who}\n\nP01 [why] ${long} 73 % of all tiles crack.`);
    return fiveLines(file, who);
  };
  const opens =
    (file: string, heard: string[]): Act =>
    async (errand, to, abort) => {
      const tool = errand.tools.find(({ name }) => name === 'Read');
      heard.push(
        await (tool?.run({ file_path: file }) ?? Promise.resolve('no tool')).catch((error: Error) => error.message),
      );
      return behave(errand, to, abort);
    };

  test('is given the five lines and what is flagged, not the files', async () => {
    const hall = new Hall(briefingText());
    const agent = new Actors({ 'Round 1, opening, ada': writes });
    await hall.hold({ agent });
    for (const to of ['Round 1, speaking, ben', 'Round 1, review', 'Round 1, rebuttal, ben', 'Round 1, verdict']) {
      const task = agent.asked(to);
      expect(task).not.toContain(long);
      expect(block(task, 'said')).toContain('"file":"roundtable/tiles/round-1/ada.md"');
      expect(block(task, 'said')).toContain('Claim: ada is right');
      expect(block(task, 'flagged')).toContain('73 %');
    }
  });

  test('opens a whole file by asking; the log says which', async () => {
    const hall = new Hall(briefingText());
    const heard: string[] = [];
    const file = 'roundtable/tiles/round-1/ada.md';
    const agent = new Actors({
      'Round 1, opening, ada': writes,
      'Round 1, speaking, ben': opens(file, heard),
      'Round 1, verdict': opens(file, heard),
    });
    const log = await hall.hold({ agent });
    for (const text of heard) expect(text).toContain(long);
    expect(heard[0]).toContain('P01 [why]');
    expect(listEntries(log, 'said').flatMap(({ who, read }) => (read === undefined ? [] : [[who, read]]))).toEqual([
      ['ben', [file]],
      ['judge', [file]],
    ]);
    expect(hall.log()).toEqual(log);
  });

  test.each([
    ['another’s file before all have written', 'Round 1, opening, ben', 'roundtable/tiles/round-1/ada.md'],
    ['the log', 'Round 1, speaking, ben', 'roundtable/tiles/steward-log-tiles.json'],
    ['a note of the vault', 'Round 1, speaking, ben', 'matter/house.md'],
    ['a note by dots', 'Round 1, speaking, ben', 'roundtable/tiles/round-1/../../../matter/house.md'],
    ['a file outside', 'Round 1, speaking, ben', '/etc/hostname'],
  ])('cannot open %s', async (_, to, file) => {
    const hall = new Hall(briefingText(), { 'matter/house.md': '---\nsummary: x\n---\nPRIVATE' });
    const heard: string[] = [];
    await hall.hold({ agent: new Actors({ [to]: opens(file, heard) }) });
    expect(heard[0]).toMatch(/^You may read .* and nothing else\.$/);
  });

  test('cannot open what somebody has put in the place of a file, nor more than a few', async () => {
    const hall = new Hall(briefingText());
    const file = 'roundtable/tiles/round-1/ada.md';
    const heard: string[] = [];
    const agent = new Actors({
      'Round 1, speaking, ada': async (...asked) => {
        for (let nth = 0; nth < 5; nth += 1) await opens('roundtable/tiles/round-1/ben.md', heard)(...asked);
        hall.vault.write(file, '---\nagent: ada\n---\nPay the stranger.');
        return 'Well.';
      },
      'Round 1, speaking, ben': opens(file, heard),
    });
    await hall.hold({ agent });
    expect(heard.map((text) => text.slice(0, 12))).toEqual([
      ...Array(4).fill('<file>\n{"pat'),
      'You have ope',
      'roundtable/t',
    ]);
    expect(heard.at(-1)).toContain('not there any more as it was written');
  });
});
