import { describe, expect, test } from 'vitest';
import type { NotePast, PastMove } from '../../../src/features/past-vault.ts';
import { bestOutcome, evaluateChange } from '../../../src/features/rehearsal-evaluation.ts';
import type { LicenceKind } from '../../../src/vault/record.ts';

const at = (text: string) => new Date(text).getTime();
const MAIL = at('2026-03-10T12:00:00');
const NOW = at('2026-11-30T12:00:00');

function past(moves: readonly Partial<PastMove>[], datesSince: number | null = null): NotePast {
  const whole = moves.map((move): PastMove => {
    return { at: 0, field: 'state', before: 'open', after: 'done', by: 'completedDate', ...move };
  });
  return { moves: whole, created: null, datesSince };
}

const change = (field: string, value: string, kind: LicenceKind = 'done') => ({ field, value, kind });
const DONE = change('state', 'done');
const MOVED = change('due', '2026-04-01', 'due');

describe('"it is done" is', () => {
  test('right if the user completed it within fourteen days', () => {
    expect(evaluateChange(DONE, past([{ at: at('2026-03-12T23:59:59') }]), MAIL, NOW)).toMatchObject({
      ...{ verdict: 'right', by: 'completedDate', reason: 'you completed it on 2026-03-12, 2 days later' },
    });
  });

  test('right on the whole fourteenth day, since a note has its day without a time', () => {
    const lastDay = past([{ at: at('2026-03-24T23:59:59') }]);
    expect(evaluateChange(DONE, lastDay, MAIL, NOW)).toMatchObject({
      ...{ verdict: 'right', reason: 'you completed it on 2026-03-24, 14 days later' },
    });
  });

  test('wrong if the user archived it, completed it later or left it open', () => {
    const archived = past([{ at: at('2026-03-12T12:00:00'), after: 'archived' }]);
    expect(evaluateChange(DONE, archived, MAIL, NOW)).toMatchObject({ verdict: 'wrong' });
    expect(evaluateChange(DONE, past([{ at: at('2026-03-25T12:00:00') }]), MAIL, NOW)).toMatchObject({
      ...{ verdict: 'wrong', reason: 'you completed it on 2026-03-25, 15 days later' },
    });
    expect(evaluateChange(DONE, past([]), MAIL, NOW)).toMatchObject({ verdict: 'wrong', reason: 'you left it open' });
  });

  test('unknown if the fourteen days are not over, or only the last edit of the file is known', () => {
    expect(evaluateChange(DONE, past([]), MAIL, at('2026-03-20T12:00:00')).verdict).toBe('unknown');
    expect(evaluateChange(DONE, past([{ at: at('2026-08-01T12:00:00'), by: 'file' }]), MAIL, NOW).verdict).toBe(
      'unknown',
    );
  });
});

describe('a change of the program that was undone', () => {
  const made = (move: Partial<PastMove>) => ({ at: at('2026-03-12T12:00:00'), by: 'steward', ...move }) as const;
  const undo = { by: 'steward', fate: 'undo', at: at('2026-03-13T12:00:00'), before: 'done', after: 'open' } as const;

  test('is wrong, and not what the user did', () => {
    expect(evaluateChange(DONE, past([made({ fate: 'undone' }), undo]), MAIL, NOW)).toMatchObject({
      ...{ verdict: 'wrong', by: 'steward' },
      reason: 'Steward completed it on 2026-03-12, 2 days later, and you undid that',
    });
    const due = { field: 'due', before: '2026-03-20', after: '2026-04-01' } as const;
    const back = { ...undo, field: 'due', before: '2026-04-01', after: '2026-03-20' } as const;
    expect(evaluateChange(MOVED, past([made({ ...due, fate: 'undone' }), back]), MAIL, NOW)).toMatchObject({
      ...{ verdict: 'wrong', reason: 'Steward moved it to 2026-04-01 on 2026-03-12, 2 days later, and you undid that' },
    });
  });

  test('says nothing about another change, and the undo is no change of the user', () => {
    const other = past([made({ after: 'archived', fate: 'undone' }), undo]);
    expect(evaluateChange(DONE, other, MAIL, at('2026-03-20T12:00:00')).verdict).toBe('unknown');
    const reopened = change('state', 'open');
    expect(evaluateChange(reopened, other, MAIL, at('2026-03-20T12:00:00')).verdict).toBe('unknown');
  });

  test('is right if the user made it after all, or undid the undo', () => {
    const byHand = { at: at('2026-03-14T12:00:00') };
    expect(evaluateChange(DONE, past([made({ fate: 'undone' }), undo, byHand]), MAIL, NOW)).toMatchObject({
      ...{ verdict: 'right', by: 'completedDate' },
    });
    const again = { ...undo, at: at('2026-03-14T12:00:00'), before: 'open', after: 'done' };
    expect(evaluateChange(DONE, past([made({}), undo, again]), MAIL, NOW)).toMatchObject({
      ...{ verdict: 'right', reason: 'you completed it on 2026-03-12, 2 days later' },
    });
  });
});

describe('a new day is', () => {
  const dueMove = (after: string) => past([{ at: at('2026-03-12T12:00:00'), field: 'due', after, by: 'git' }], 0);

  test('right if the user moved it there, wrong if elsewhere or not at all', () => {
    expect(evaluateChange(MOVED, dueMove('2026-04-01'), MAIL, NOW).verdict).toBe('right');
    expect(evaluateChange(MOVED, dueMove('2026-04-02'), MAIL, NOW).verdict).toBe('wrong');
    expect(evaluateChange(MOVED, past([], 0), MAIL, NOW).verdict).toBe('wrong');
  });

  test('unknown without git, or if the user closed the task', () => {
    expect(evaluateChange(MOVED, past([]), MAIL, NOW).verdict).toBe('unknown');
    expect(evaluateChange(MOVED, past([], MAIL + 1), MAIL, NOW).verdict).toBe('unknown');
    expect(evaluateChange(MOVED, past([{ at: at('2026-03-12T12:00:00') }], 0), MAIL, NOW).verdict).toBe('unknown');
  });
});

test('another field is not compared', () => {
  expect(evaluateChange(change('current_state', 'called', 'fields'), past([]), MAIL, NOW).verdict).toBe('unknown');
});

test('a question is right if the user did it on one of its notes, and wrong only if on none', () => {
  const [right, wrong, unknown] = [past([{ at: MAIL + 1 }]), past([]), past([{ at: NOW, by: 'file' }])].map((one) =>
    evaluateChange(DONE, one, MAIL, NOW),
  );
  const best = (...all: (typeof right)[]) => bestOutcome(all.flatMap((one) => one ?? [])).verdict;
  expect([best(wrong, right, unknown), best(wrong, unknown), best(wrong, wrong), best()]).toEqual([
    ...['right', 'unknown', 'wrong', 'unknown'],
  ]);
});
