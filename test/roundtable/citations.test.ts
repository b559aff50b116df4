import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { type CitedSource, checkCitations } from '../../src/roundtable/citations.ts';
import { score } from './transcripts.ts';

const FOLDER = path.join(import.meta.dirname, 'transcripts/figures');

const PLACES = path.join(import.meta.dirname, 'transcripts/places');
const page = fs.readFileSync(path.join(import.meta.dirname, '../../docs/dev/citations.md'), 'utf8');

function textsIn(folder: string): string[] {
  return fs
    .readdirSync(folder)
    .sort()
    .map((file) => path.join(folder, file));
}

describe('made-up figures', () => {
  const GROUPS = [
    ['all that the rules were first made with', textsIn(FOLDER)],
    ['all cases that the rules were corrected with', textsIn(path.join(PLACES, 'mended'))],
    ['all that were written after the rules', textsIn(path.join(PLACES, 'after'))],
  ] as const;

  test.each(GROUPS)('%s: as the page says', (title, files) => {
    for (const file of files) {
      const { planted, caught, honest, wronged, missed, wrong } = score([file], 'figure');
      const row = `| \`${path.basename(file)}\` | ${caught} of ${planted} | ${wronged} of ${honest} |`;
      expect(page, [...missed, ...wrong].join('\n')).toContain(row);
    }
    const { planted, caught, honest, wronged } = score(files, 'figure');
    expect(page).toContain(`| ${title} | ${caught} of ${planted} | ${wronged} of ${honest} |`);
    expect(planted).toBeGreaterThanOrEqual(30);
    expect(honest).toBeGreaterThanOrEqual(60);
    expect(caught / planted).toBeGreaterThan(0.85);
    // Half of what the last transcripts compute is honest and in no source.
    expect(wronged / honest).toBeLessThan(0.6);
  });
});

describe('made-up places', () => {
  test.each(['before', 'mended', 'after'])('%s: as the page says', (folder) => {
    const { planted, caught, honest, wronged, missed, wrong } = score(textsIn(path.join(PLACES, folder)), 'place');
    const row = `| \`places/${folder}\` | ${caught} of ${planted} | ${wronged} of ${honest} |`;
    expect(page, [...missed, ...wrong].join('\n')).toContain(row);
  });

  test('all together: as the page says, and no worse than this', () => {
    const files = ['before', 'mended', 'after'].flatMap((folder) => textsIn(path.join(PLACES, folder)));
    const { planted, caught, honest, wronged } = score(files, 'place');
    expect(page).toContain(`| all places | ${caught} of ${planted} | ${wronged} of ${honest} |`);
    expect(planted).toBeGreaterThanOrEqual(60);
    expect(honest).toBeGreaterThanOrEqual(100);
    expect(caught / planted).toBeGreaterThan(0.95);
    expect(wronged / honest).toBeLessThan(0.05);
  });
});

const SOURCES: readonly CitedSource[] = [
  {
    file: 'roundtable/tiles/briefing.md',
    text: 'The budget is 1,200 EUR.\nThe floor is 0.82, the share 0.031.\nDue on 2026-10-30.\ntimeout_ms = 4200\n',
  },
  { file: null, text: '312 rows (results.json:4-90)\nsrc/gate.ts:17: const strict = 5;' },
];

function findings(text: string): string[] {
  return checkCitations([{ agent: 'ada', text }], SOURCES).map(({ figure, finding }) => `${figure}: ${finding}`);
}

describe('a figure is known in other clothes', () => {
  test.each([
    ['1200 euros', '1.200 EUR', '€1,200', '1 200 EUR', '€1.2k', 'twelve hundred', 'one thousand two hundred euros'],
    ['3.1 %', '3.1 percent'],
    ['30 October', 'October 30th, 2026', '30.10.2026', '10/30/2026', '2026-10-30'],
    ['4.2 seconds', '4200 ms'],
    ['0.82', '.82 or rather 0.82'],
    ['312 rows', 'three hundred and twelve rows'],
    ['results.json:4', 'results.json:12-13', 'results.json, line 90', 'line 17 of gate.ts', 'briefing.md:4'],
  ])('%s', (...forms) => {
    for (const form of forms) {
      expect(findings(`It is ${form}, as was found.`).filter((one) => !one.endsWith('borne-out'))).toEqual([]);
    }
  });
});

describe('what is no claim', () => {
  test.each([
    'In 2026 we said so, as in 1998 and since 2019.',
    'P01 meets T03 in round 2; see option 4, step 12 and section 14.',
    '1. first\n2. second\n   3) third\n## 4.2 fourth',
    'The 1st, the 2nd and the 21st time, utf8 and GPT-4 and sha256 and a 3D view.',
    'One or two of the three of us, a hundred times, half of it, a dozen, 100 % sure.',
    'FILE_WRITTEN: roundtable/x/round-1/ada-99.md',
    'I ask. [[request: count rows where score >= 77 in results.json]]',
    'I ask. [[ request : value of runs[0] with score >= 77 in results.json ]]',
    'See https://tiles.example/offer/4711.',
    'Pages 14-16 and INV-2026-114 and F-16.',
  ])('%s', (text) => {
    expect(findings(text)).toEqual([]);
  });
});

describe('what is a claim', () => {
  test.each([
    ['73 %', '73 %: unsupported'],
    ['a threshold of 7', '7: unsupported'],
    ['strict is 5 and floor = 9', '9: unsupported'],
    ['7 rows failed', '7: unsupported'],
    ['seventy-three percent', 'seventy-three percent: unsupported'],
    ['two thirds of them', 'two thirds: unsupported'],
    ['€1,201', '€1,201: unsupported'],
    ['1,200 USD', '1,200 USD: unsupported'],
    ['31 October 2026', '31 October 2026: unsupported'],
    ['results.json:91', 'results.json:91: unsupported'],
    ['other.json:12', 'other.json:12: unsupported'],
    ['0.9 at most', '0.9: unsupported'],
    ['version 3.1.4', '3.1.4: unsupported'],
    ['312 %', '312 %: unsupported'],
  ])('%s', (text, finding) => {
    expect(findings(`We know: ${text}, no doubt.`)).toContain(finding);
  });
});

test('a computed figure is flagged, for the judge to check', () => {
  expect(findings('The 312 rows and 1,200 EUR make 1,512 in all.')).toContain('1,512: unsupported');
});

test('whoever repeats another’s figure has not made it up; a proposal is no statement of fact', () => {
  const said = checkCitations(
    [
      { agent: 'ada', text: 'It is 73 % of them.' },
      { agent: 'ben', text: 'Ada says 73 %. I propose 40 days.' },
      { agent: 'ada', text: 'I stand by 73 %.' },
    ],
    SOURCES,
  );
  expect(said.map(({ agent, finding }) => `${agent} ${finding}`)).toEqual([
    'ada unsupported',
    'ben repeated',
    'ben proposed',
    'ada unsupported',
  ]);
});

test('text as long as it may be is checked', () => {
  for (const part of ['1,', '1 ', '9.', 'a.b:', 'line 1 ', 'one ', 'three hundred and ', '12 of ', '«12%» ', '/x']) {
    expect(checkCitations([{ agent: 'ada', text: part.repeat(16_000 / part.length) }], SOURCES).length).toBeLessThan(
      402,
    );
  }
});

test.each([
  ['between 80-97 % of users', ['80', '97 %']],
  ['a trend of -37 %', ['37 %']],
  ['_97.4 %_ of users', ['97.4 %']],
  ['so\n## 412 failures\n# 87 of 120 runs', ['412', '87', '120']],
])('is a claim all the same: %s', (text, figures) => {
  expect(findings(text)).toEqual(figures.map((one) => `${one}: unsupported`));
});

test('a figure behind more than are looked up does not pass in silence', () => {
  const [last, ...others] = checkCitations(
    [{ agent: 'ada', text: `${'1200 EUR, '.repeat(150)}77 rows, 78 rows` }],
    SOURCES,
  ).filter(({ finding }) => finding === 'unsupported');
  expect(others).toEqual([]);
  expect(last).toMatchObject({ figure: '77', sentence: expect.stringContaining('1 more') });
});
