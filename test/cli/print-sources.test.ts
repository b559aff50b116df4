import { expect, test } from 'vitest';
import { printSourceNotes } from '../../src/cli/commands/status-sections.ts';
import { Printer } from '../../src/cli/terminal.ts';
import type { SourceReport } from '../../src/sources/source-note.ts';

const INBOX: SourceReport = {
  name: 'inbox',
  kind: 'imap',
  state: 'working',
  contact: '2026-11-23T08:00:00.000Z',
  event: '2026-11-23T07:00:00.000Z',
  lag: 400,
  seen: 12,
  taken: 3,
  trouble: [],
};

function shown(sources: readonly SourceReport[]): string {
  const said: string[] = [];
  printSourceNotes(new Printer({ write: (text) => void said.push(text) }, {}), sources);
  return said.join('');
}

test('without sources, status says nothing of them', () => {
  expect(shown([])).toBe('');
});

test('each source is a line: what was last known, and never that it is connected now', () => {
  const lines = shown([INBOX, { ...INBOX, name: 'new', state: 'new', contact: null, event: null }])
    .trim()
    .split('\n');
  expect(lines).toHaveLength(3);
  expect(lines[1]).toMatch(/inbox +imap +works +last contact \d.*, 7 min after it happened \(3 of 12 taken\)/);
  expect(lines[2]).toMatch(/new +imap +not asked yet +no contact yet +nothing came yet/);
});

test.each([
  [40, '40 s'],
  [7200, '2 h'],
  [3 * 86_400, '3 days'],
])('a lag of %d seconds reads as %s', (lag, words) => {
  expect(shown([{ ...INBOX, lag }])).toContain(`, ${words} after it happened`);
});
