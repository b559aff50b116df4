import { expect, test } from 'vitest';
import { checkClaims } from '../../src/roundtable/citations.ts';
import { LIMIT_MS, leastLongestBlock } from '../support/own-time.ts';
import { TempVault } from '../support/temp-vault.ts';

const NEVER = new AbortController().signal;
const SOURCES = [{ file: 'roundtable/tiles/briefing.md', text: 'The offer is 1,200 EUR.' }];

/** What a long roundtable says: 300 kB of figures, places and names. */
function long() {
  const vault = new TempVault({ 'lib/gate.ts': `export function gate() {}\n${'const a = 1;\n'.repeat(2_000)}` });
  const text = 'It is 1,200 EUR, as `gate` in lib/gate.ts says (lib/gate.ts:4), and 73 % of 12 rows.\n'.repeat(180);
  return {
    messages: Array.from({ length: 20 }, (_, nth) => ({ agent: `agent-${nth % 6}`, text })),
    sources: SOURCES,
    files: [{ path: 'lib/gate.ts', root: vault.root }],
  };
}

test('a very long roundtable is checked beside the event loop', async () => {
  const job = long();
  let found: Awaited<ReturnType<typeof checkClaims>> | undefined;
  const block = await leastLongestBlock(3, async () => async () => {
    found = await checkClaims(job, NEVER);
  });
  expect(found?.unchecked).toBeNull();
  expect(found?.checked.some(({ figure, finding }) => figure === '73 %' && finding === 'unsupported')).toBe(true);
  expect(found?.checked.some(({ about, finding }) => about === 'place' && finding === 'borne-out')).toBe(true);
  expect(block).toBeLessThan(LIMIT_MS);
});

test('a check that takes too long is no check, and says so', async () => {
  expect(await checkClaims(long(), NEVER, 0.2)).toEqual({
    checked: [],
    unchecked: 'not checked: looking up what was said took longer than 0.2 s',
  });
});

test('whoever holds the roundtable may stop it', async () => {
  const reason = new Error('the roundtable ends');
  const stop = new AbortController();
  const checked = checkClaims(long(), stop.signal);
  stop.abort(reason);
  await expect(checked).rejects.toBe(reason);
});

test('a short one is checked alike in the program and beside it', async () => {
  const vault = new TempVault({ 'lib/gate.ts': 'export function gate() {}\n' });
  const messages = [
    { agent: 'ada', text: 'The `gate` in lib/gate.ts costs 1,200 EUR; `door()` in lib/gate.ts 77 EUR.' },
  ];
  const files = [{ path: 'lib/gate.ts', root: vault.root }];
  const padded = [...SOURCES, { file: null, text: ' '.repeat(20_000) }];
  const [here, beside] = [
    await checkClaims({ messages, sources: SOURCES, files }, NEVER),
    await checkClaims({ messages, sources: padded, files }, NEVER),
  ];
  expect(here).toEqual(beside);
  expect(here.checked.map(({ figure, finding }) => `${figure} ${finding}`)).toEqual([
    '`gate` in lib/gate.ts borne-out',
    '1,200 EUR borne-out',
    '`door()` in lib/gate.ts unsupported',
    '77 EUR unsupported',
  ]);
});
