import { describe, expect, test } from 'vitest';
import { type PresentNote, pastOfNote, valueAt, wasThere } from '../../../src/features/past-vault.ts';

const at = (text: string) => new Date(text).getTime();
const NOW: PresentNote = {
  state: 'done',
  due: null,
  completedDate: null,
  created: null,
  mtimeMs: at('2026-06-01T10:00:00'),
  bornMs: null,
};

describe('when a task was open', () => {
  test('until the end of the day that completedDate names', () => {
    const past = pastOfNote({ ...NOW, completedDate: '2026-03-12' }, [], null);
    expect(valueAt(past, 'state', at('2026-03-12T18:00:00'), 'done')).toBe('open');
    expect(valueAt(past, 'state', at('2026-03-13T00:00:00'), 'done')).toBe('done');
    expect(past.moves).toMatchObject([{ by: 'completedDate' }]);
  });

  test('until the hour of its file, if that was last written on this day', () => {
    const past = pastOfNote({ ...NOW, completedDate: '2026-06-01' }, [], null);
    expect(past.moves).toMatchObject([{ at: NOW.mtimeMs, by: 'completedDate' }]);
  });

  test('until its file was last written, if nothing else is known', () => {
    expect(pastOfNote(NOW, [], null).moves).toMatchObject([{ at: NOW.mtimeMs, by: 'file' }]);
    expect(pastOfNote({ ...NOW, completedDate: 'soon' }, [], null).moves).toMatchObject([{ by: 'file' }]);
  });

  test('until Steward recorded it, to the second, although the note names the day', () => {
    const move = {
      at: at('2026-03-12T09:05:00'),
      field: 'state',
      before: 'open',
      after: 'done',
      by: 'steward',
    } as const;
    expect(pastOfNote({ ...NOW, completedDate: '2026-03-12' }, [move], null).moves).toEqual([move]);
  });

  test('until the commit that completed it; the day in the note counts if it is earlier', () => {
    const version = (day: string, state: string, completedDate: string | null = null) => {
      return { at: at(day), state, due: null, completedDate };
    };
    const firstCommit = at('2026-01-01');
    const committed = { firstCommit, versions: [version('2026-01-01', 'open'), version('2026-04-05', 'done')] };
    expect(pastOfNote(NOW, [], committed).moves).toMatchObject([{ at: at('2026-04-05'), by: 'git' }]);
    const dated = {
      firstCommit,
      versions: [version('2026-01-01', 'open'), version('2026-04-05', 'done', '2026-04-01')],
    };
    const [move] = pastOfNote({ ...NOW, completedDate: '2026-04-01' }, [], dated).moves;
    expect(move).toMatchObject({ by: 'completedDate', at: at('2026-04-02T00:00:00') - 1 });
  });

  test('a commit that follows what Steward recorded is no second change', () => {
    const move = {
      at: at('2026-03-12T09:05:00'),
      field: 'state',
      before: 'open',
      after: 'done',
      by: 'steward',
    } as const;
    const versions = ['open', 'done'].map((state, nth) => {
      return { at: at(`2026-03-1${nth + 2}T00:00:00`), state, due: null, completedDate: null };
    });
    expect(pastOfNote(NOW, [move], { firstCommit: 0, versions }).moves).toEqual([move]);
  });
});

test('what the user completed after an undo is a change, also if one commit has all of it', () => {
  const move = { at: at('2026-03-12T09:05:00'), field: 'state', before: 'open', after: 'done', by: 'steward' } as const;
  const undo = { ...move, at: at('2026-03-12T10:00:00'), before: 'done', after: 'open', fate: 'undo' } as const;
  const versions = ['open', 'done', 'open'].map((state, nth) => {
    return { at: at(`2026-03-1${nth + 2}T00:00:00`), state, due: null, completedDate: null };
  });
  const open = { ...NOW, state: 'open' };
  expect(
    pastOfNote(open, [{ ...move, fate: 'undone' }, undo], { firstCommit: 0, versions }).moves.map(({ by }) => by),
  ).toEqual(['steward', 'steward', 'git', 'git']);
});

describe('when a note was made', () => {
  test('as it says itself, else by the commit that added it, unless that is the first of all', () => {
    expect(pastOfNote({ ...NOW, created: '2026-02-01', state: 'open' }, [], null).created).toMatchObject({
      by: 'created',
    });
    const versions = [{ at: at('2026-02-01'), state: 'open', due: null, completedDate: null }];
    const open = { ...NOW, state: 'open' };
    expect(pastOfNote(open, [], { firstCommit: 0, versions }).created).toEqual({ at: at('2026-02-01'), by: 'git' });
    expect(pastOfNote(open, [], { firstCommit: at('2026-02-01'), versions }).created).toBeNull();
  });

  test('by its file only if that was not replaced by its last edit', () => {
    const born = (bornMs: number) => pastOfNote({ ...NOW, state: 'open', bornMs }, [], null);
    expect(born(NOW.mtimeMs - 1000).created).toBeNull();
    const past = born(at('2026-05-01'));
    expect(past.created?.by).toBe('file');
    expect([wasThere(past, at('2026-04-01')), wasThere(past, at('2026-05-02'))]).toEqual([false, true]);
  });

  test('not after it was completed: it was only entered later', () => {
    expect(pastOfNote({ ...NOW, created: '2026-05-01', completedDate: '2026-03-12' }, [], null).created).toBeNull();
  });
});

test('a moved day is known from git', () => {
  const version = (day: string, due: string) => ({ at: at(day), state: 'open', due, completedDate: null });
  const versions = [version('2026-01-01', '2026-05-01'), version('2026-04-01', '2026-06-01')];
  const past = pastOfNote({ ...NOW, state: 'open', due: '2026-06-01' }, [], {
    firstCommit: at('2026-01-01'),
    versions,
  });
  expect(valueAt(past, 'due', at('2026-03-01'), '2026-06-01')).toBe('2026-05-01');
  expect(valueAt(past, 'due', at('2026-04-02'), '2026-06-01')).toBe('2026-06-01');
  expect(past.datesSince).toBe(at('2026-01-01'));
});
