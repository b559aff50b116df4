import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sha256 } from '../../../src/vault/hash.ts';
import { HeldUp, inOrder } from '../../../src/vault/transaction/held-up.ts';
import type { Intent } from '../../../src/vault/transaction/intent.ts';
import { textStep } from '../../../src/vault/transaction/steps.ts';

const NOTE = 'instinct/mail.md';

/** Intents that each edit what the one before leaves, all decided in the same millisecond. */
function chain(count: number): Intent[] {
  return Array.from({ length: count }, (_, nth) => ({
    schemaVersion: 2,
    id: `action-${(nth * 7) % count}-${nth}`,
    at: '2026-11-22T09:00:00.000Z',
    decided: true,
    steps: [
      { do: 'create', path: `event/action-${(nth * 7) % count}-${nth}.md`, text: `event ${nth}` },
      textStep(NOTE, `text ${nth}`, `text ${nth + 1}`),
    ],
  }));
}

test('LAW: whatever order they are found in, one that edits what another leaves comes after it', () => {
  fc.assert(
    fc.property(fc.shuffledSubarray(chain(9), { minLength: 9 }), (shuffled) => {
      expect(inOrder(shuffled).map(({ steps }) => steps[1]?.text)).toEqual(chain(9).map(({ steps }) => steps[1]?.text));
    }),
  );
});

test('a note that waits is known as it will be, from what it holds now and from nothing else', () => {
  const heldUp = new HeldUp();
  for (const intent of chain(3)) heldUp.keep(intent, intent.steps.slice(1));
  expect(heldUp.pending(NOTE, sha256('text 0'))?.text).toBe('text 3');
  expect(heldUp.pending(NOTE, sha256('text 1'))?.text).toBe('text 3');
  expect(heldUp.pending(NOTE, sha256('typed by hand'))).toBeNull();
  expect(heldUp.pending('instinct/bank.md', sha256('text 0'))).toBeNull();
});

test('it holds back what is left, and all that it touches while its event note is missing', () => {
  const heldUp = new HeldUp();
  const [first, second] = chain(2);
  if (first === undefined || second === undefined) throw new Error('unreachable');
  heldUp.keep(first, first.steps.slice(1));
  expect([...heldUp.notes()]).toEqual([NOTE]);
  heldUp.keep(second, second.steps);
  expect([...heldUp.notes()].sort()).toEqual(['event/action-1-1.md', NOTE].sort());
  heldUp.forget(first.id);
  heldUp.forget(second.id);
  expect(heldUp.notes().size).toBe(0);
});
