import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { LookupFinding } from '../../src/evidence/files.ts';
import { runLookup } from '../../src/evidence/query.ts';

const phrasing = z.strictObject({
  kind: z.enum(['part', 'value', 'rows', 'lines']),
  say: z.string(),
  want: z.string(),
  aside: z.literal(true).optional(),
});

/**
 * Eighty requests as people and agents put them, written before the grammar was made for them. `want`: the lines that
 * answer it, the number of rows, or `none` where nothing may be handed out without a model. Those that are `aside` were
 * not looked at while the grammar was made.
 */
const first = listIn('phrasings.json');
/** More of them, written when the grammar stood, half of them to have it guess. */
const later = listIn('later.json');

const root = path.join(import.meta.dirname, 'phrasings/files');
const files = fs
  .readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => fs.statSync(path.join(root, file)).isFile())
  .sort()
  .map((file) => ({ path: file, root }));

describe.each([
  { which: 'sixty phrasings', list: first.filter(({ aside }) => aside === undefined) },
  { which: 'twenty kept aside', list: first.filter(({ aside }) => aside) },
  { which: 'seventy-two written later', list: later },
])('$which', ({ list }) => {
  test.each(list)('$kind: $say', ({ say, want }) => {
    expect(told(runLookup({ how: 'look', request: say, files }), want)).toBe(want);
  });
});

function listIn(file: string) {
  return z
    .array(phrasing)
    .parse(JSON.parse(fs.readFileSync(path.join(import.meta.dirname, 'phrasings', file), 'utf8')));
}

/** What a finding says, in the words of `want`. */
function told(finding: LookupFinding | null, want: string): string {
  if (finding === null || !finding.found) return 'none';
  if (want.startsWith('count ')) return `count ${/\b(\d+) (?:of \d+ )?rows?\b/.exec(finding.statements[0] ?? '')?.[1]}`;
  return [...finding.extracts, ...finding.citations]
    .map(({ path: file, first, last }) => `${file}:${first === last ? first : `${first}-${last}`}`)
    .join(' ');
}
