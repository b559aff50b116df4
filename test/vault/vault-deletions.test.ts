import { describe, expect, test } from 'vitest';
import { Deletions } from '../../src/vault/vault.ts';
import { SECOND } from '../support/clock.ts';

/** Judges these tasks, missing since 0 of a folder of nine, at a moment in ms. */
function judged(missing: readonly string[]) {
  const deletions = new Deletions();
  const at = (now: number) => {
    const judging = deletions.judge(
      missing,
      () => 'task',
      () => 9,
      now,
    );
    for (let step = judging.next(); ; step = judging.next()) if (step.done === true) return step.value;
  };
  at(0);
  return at;
}

describe('notes that are missing, with a clock of its own', () => {
  const MOST = ['task/a.md', 'task/b.md', 'task/c.md', 'task/d.md', 'task/e.md'];

  test('a few are believed to be deleted after 0.4 s', () => {
    const at = judged(['task/a.md', 'task/b.md']);
    expect(at(399)).toEqual({ believed: [], waitMs: 1, mass: null });
    expect(at(400)).toEqual({ believed: ['task/a.md', 'task/b.md'], waitMs: null, mass: null });
  });

  test('most of a folder are believed to be deleted after ten seconds, and are the vault being away until then', () => {
    const at = judged(MOST);
    const mass = 'the folder task has just lost 5 of its 9 notes';
    expect(at(10 * SECOND - 1)).toEqual({ believed: [], waitMs: null, mass });
    expect(at(10 * SECOND)).toEqual({ believed: MOST, waitMs: null, mass: null });
  });
});
