import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { plainLabel, sanitize } from '../../src/roundtable/notes.ts';
import { judgeNote } from '../../src/roundtable/session.ts';
import '../support/laws.ts';
import { lawRuns } from '../support/laws.ts';
import { type JudgeFile, parseJudgeFile } from './judge-file.ts';
import { Actors, briefingText, fiveLines, Hall, write } from './support.ts';

const RUNS = lawRuns();
const FILES = ['scoreboard.md', 'tensions.md', 'round-1.summary.md'];

/** Pieces of labels, live ones above all. */
const piece = fc.oneof(
  fc.constantFrom('[[secret]]', '![x](https://evil.example)', '](http://x.example)', '`=1`', '<% tp %>', '%%', 'a:: b'),
  fc.constantFrom(
    'www.evil.example',
    '[^1]',
    '^id',
    '#tag',
    '|',
    '$x$',
    '\\',
    '~~~',
    'vs.',
    'cost first',
    'Zeit – Geld',
  ),
  fc.string({ maxLength: 12 }),
  fc.string({ maxLength: 6, unit: 'grapheme' }),
);
const label = fc.array(piece, { minLength: 1, maxLength: 5 }).map((pieces) => pieces.join(' '));
const after = fc.oneof(
  fc.constantFrom('', ' so', '(https://evil.example)', '[x]', ': y', ':: y', '[[z]]'),
  fc.string(),
);

const read = (body: string): JudgeFile =>
  parseJudgeFile('tensions.md', Buffer.from(judgeNote('tiles', 1, 'judge', [sanitize(body)])));

describe('labels in a judge’s file', () => {
  test('stand as they were written where they are plain', () => {
    const { labels, sections } = read(
      '# Tensions\n\n- T01 [price vs. time] ada waits; ben does not.\n- T02 [who pays?] x',
    );
    expect(labels).toEqual([
      { id: 'T01', label: 'price vs. time' },
      { id: 'T02', label: 'who pays?' },
    ]);
    expect(sections[0]?.items[0]).toBe('T01 [price vs. time] ada waits; ben does not.');
  });

  test('LAW: any label is found again, and nothing in the file is live', () => {
    fc.assert(
      fc.property(label, after, (written, rest) => {
        const line = `- T01 [${written}]${rest}`.replace(/[\r\n\u2028\u2029\u0085\v\f]/g, ' ');
        const { labels, sections } = read(`# Tensions\n\n${line}\n- T02 [plain] end`);
        expect(labels.at(-1)).toEqual({ id: 'T02', label: 'plain' });
        expect(sections[0]?.items).toHaveLength(2);
        // Where the label has no bracket and is short enough, the very label comes back.
        if (!/[[\]\\]/.test(written) && written.length <= 80)
          expect(labels[0]).toEqual({
            id: 'T01',
            label: plainLabel(written.replace(/[\p{Cf}\p{Co}\p{Cs}]/gu, '').replace(/\p{Cc}+/gu, ' ')),
          });
      }),
      { numRuns: RUNS },
    );
  });
});

describe('a judge’s files', () => {
  const hostile = 'T01 [see [[secret]]](https://evil.example) at `once`:: now';

  test('are read back by a program, whatever the judge wrote into them', async () => {
    const hall = new Hall(briefingText({ rounds: 2 }));
    const agent = new Actors({
      'Round 1, verdict': async (errand) => {
        await write(errand, 'roundtable/tiles/scoreboard.md', `- ada: good P01 [cost first]\n- ben: ${hostile}`);
        await write(errand, 'roundtable/tiles/tensions.md', `- T01 [price vs. time] both\n- ${hostile}`);
        await write(errand, 'roundtable/tiles/round-1.summary.md', `## Established\n- It holds.\n- ${hostile}`);
        return 'Convergence: yes';
      },
    });
    await hall.hold({ agent });
    const [scores, tensions, summary] = FILES.map((name) =>
      parseJudgeFile(name, hall.vault.bytes(`roundtable/tiles/${name}`)),
    );
    expect(scores).toMatchObject({ roundtable: 'tiles', round: 1, writtenBy: 'judge' });
    expect(scores?.sections[0]?.items.map((one) => one.split(':')[0])).toEqual(['ada', 'ben']);
    expect(scores?.sections[1]).toMatchObject({
      heading: 'Citations up to round 1',
      rows: [
        ['agent', 'confirmed', 'lines cited', 'not confirmed', 'halted'],
        ['ada', '0', '0', '0', '0'],
        ['ben', '0', '0', '0', '0'],
      ],
    });
    expect(tensions?.labels[0]).toEqual({ id: 'T01', label: 'price vs. time' });
    expect(summary?.sections.map(({ heading }) => heading).filter((one) => one !== '')).toEqual([
      'Established',
      'How it ran',
    ]);
    expect(summary?.sections.at(-1)?.rows.map(([part]) => part)).toEqual([
      'part',
      'opening',
      'speaking',
      'review',
      'rebuttal',
      'verdict',
      'together',
    ]);
  });

  test('that the program wrote in the judge’s stead keep to the same grammar', async () => {
    const hall = new Hall(briefingText());
    const agent = new Actors({
      'Round 1, opening, ada': () =>
        fiveLines('nowhere', 'ada').replace('Tensions: none', `Tensions: ${hostile} T02 [b] c`),
      'Round 1, verdict': () => 'Convergence: no',
    });
    await hall.hold({ agent });
    for (const name of FILES) {
      const file = parseJudgeFile(name, hall.vault.bytes(`roundtable/tiles/${name}`));
      expect(file.writtenBy).toBe('steward-fallback');
      if (name === 'tensions.md') expect(file.labels.map(({ id }) => id)).toEqual(['T01', 'T02']);
    }
  });
});
