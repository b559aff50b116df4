import { expect, test } from 'vitest';
import { replyText } from '../../../src/daemon/server.ts';

const text = (result: unknown) => [...replyText({ ok: true, result })];

test.each<[string, unknown]>([
  ['nothing', undefined],
  ['null', null],
  ['a text with a line break', 'one\ntwo "three" \u2028'],
  ['a short list', [1, undefined, () => 1, null]],
  ['a long list', Array.from({ length: 100 }, (_, nth) => (nth % 3 === 0 ? undefined : { nth, none: undefined }))],
  ['a box without members', {}],
  ['a box whose members all say nothing', { a: undefined, b: () => 1, c: Symbol('c') }],
  ['a moment', { at: new Date(0), deep: [new Date(1)] }],
  ['an object without a prototype', Object.assign(Object.create(null), { a: 1, '2': 3 })],
  ['what writes itself', { toJSON: () => 'itself' }],
  ['a map, which is no plain box', { map: new Map([[1, 2]]) }],
  ['lists in lists', [[[[[[[1, [2]]]]]]]]],
])('%s is written as JSON.stringify writes it, and ends the line', (_, result) => {
  expect(
    text(result)
      .filter((piece) => piece !== null)
      .join(''),
  ).toBe(`${JSON.stringify({ ok: true, result })}\n`);
});

test('a long reply comes in pieces, with pauses between them', () => {
  const skipped = Array.from({ length: 200 }, (_, nth) => ({
    path: `task/${nth}.md`,
    reason: 'not due until tomorrow',
  }));
  const pieces = text(Array.from({ length: 300 }, (_, nth) => ({ matter: `matter/${nth}.md`, skipped })));
  const written = pieces.filter((piece) => piece !== null);
  expect(written.length).toBeGreaterThan(40);
  for (const piece of written) expect(piece.length).toBeLessThan(100_000);
  expect(pieces.length - written.length).toBeGreaterThan(60_000);
});
