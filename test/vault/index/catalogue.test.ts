import { describe, expect, test } from 'vitest';
import { Catalogue } from '../../../src/vault/index/catalogue.ts';
import { DEFAULT_MAPPING, readRecord, type VaultRecord } from '../../../src/vault/index/record.ts';
import { Layout } from '../../../src/vault/layout.ts';
import { noteText } from '../../../src/vault/note-text.ts';
import { matter, signal, task } from '../../support/notes.ts';

const STAT = { mtimeMs: 1, ctimeMs: 1, size: 1, ino: 1 };

function entry(file: string, text: string): VaultRecord {
  return readRecord(new Layout(), DEFAULT_MAPPING, file, STAT, Buffer.from(text));
}

function catalogue(files: Record<string, string>): Catalogue {
  const made = new Catalogue();
  for (const [file, text] of Object.entries(files)) made.put(entry(file, text));
  return made;
}

describe('a link resolves as Obsidian resolves it', () => {
  const known = catalogue({
    'matter/house.md': matter({ aliases: ['The Old Mill', 'OM'] }),
    'matter/2026/Cafe\u0301.md': matter(),
    'task/house.md': task(),
    'task/pay.md': task(),
    'matter/deep/down/trip.md': matter(),
    'matter/trip.md': matter(),
  });

  test.each([
    ['by name', 'pay', 'task/pay.md'],
    ['in other letters', '[[PAY]]', 'task/pay.md'],
    ['in another normal form', 'CAF\u00c9', 'matter/2026/Cafe\u0301.md'],
    ['by path', 'matter/house', 'matter/house.md'],
    ['by path with .md', 'task/house.md', 'task/house.md'],
    ['by the end of a path', 'down/trip', 'matter/deep/down/trip.md'],
    ['by alias', '[[the old mill]]', 'matter/house.md'],
    ['of several, the shorter path', 'trip', 'matter/trip.md'],
  ])('%s', (_, link, path) => {
    expect(known.resolve(link)?.path).toBe(path);
  });

  test('of several, the kind that is asked for', () => {
    expect(known.resolve('house', ['task'])?.path).toBe('task/house.md');
    expect(known.resolve('house', ['matter'])?.path).toBe('matter/house.md');
  });

  test('a name wins over an alias', () => {
    const both = catalogue({ 'matter/a.md': matter({ aliases: ['b'] }), 'matter/long/path/b.md': matter() });
    expect(both.resolve('b')?.path).toBe('matter/long/path/b.md');
  });

  test.each(['nowhere', '', '[[]]', 'ay', 'x/pay', '../task/pay'])('%j leads nowhere', (link) => {
    expect(known.resolve(link)).toBeNull();
  });
});

describe('one change at a time', () => {
  const tasksOf = (known: Catalogue, path: string) => {
    const found = known.get(path);
    return found?.kind === 'matter'
      ? known
          .tasksOf(found)
          .map(({ name }) => name)
          .sort()
      : null;
  };

  test('a matter that appears has the tasks that name it already', () => {
    const known = catalogue({ 'task/a.md': task(), 'task/b.md': task({ parent_matter: 'matter/house.md' }) });
    known.put(entry('matter/house.md', matter()));
    expect(tasksOf(known, 'matter/house.md')).toEqual(['a', 'b']);
  });

  test('a task that moves to another matter leaves the first', () => {
    const known = catalogue({ 'matter/house.md': matter(), 'matter/boat.md': matter(), 'task/a.md': task() });
    known.put(entry('task/a.md', task({ parent_matter: '[[boat]]' })));
    expect([tasksOf(known, 'matter/house.md'), tasksOf(known, 'matter/boat.md')]).toEqual([[], ['a']]);
  });

  test('a matter renamed: its tasks follow once their link does', () => {
    const known = catalogue({ 'matter/house.md': matter(), 'task/a.md': task() });
    known.remove('matter/house.md');
    known.put(entry('matter/mill.md', matter({ aliases: ['house'] })));
    expect(tasksOf(known, 'matter/mill.md')).toEqual(['a']);
  });

  test('a signal that is removed is no longer for its task', () => {
    const known = catalogue({
      'task/pay.md': task(),
      'signal/a.md': signal(),
      'signal/b.md': signal({ target_path: '[[pay]]' }),
    });
    const target = known.get('task/pay.md');
    if (target?.kind !== 'task') throw new Error('no task');
    expect(known.signalsFor(target)).toHaveLength(2);
    known.remove('signal/a.md');
    expect(known.signalsFor(target).map(({ name }) => name)).toEqual(['b']);
  });

  test('target_kind decides between a matter and a task of one name', () => {
    const known = catalogue({
      'task/house.md': task(),
      'matter/house.md': matter(),
      'signal/a.md': signal({ target_path: 'house', target_kind: 'matter' }),
      'signal/b.md': signal({ target_path: 'house', target_kind: 'task' }),
    });
    const paths = known.signals().map((one) => known.targetOf(one)?.path);
    expect(paths).toEqual(['matter/house.md', 'task/house.md']);
  });

  test('notes that are no records exist for links, and are no records', () => {
    const known = catalogue({ 'matter/house.md': matter() });
    known.addNote('people/Robin Sample.md');
    expect(known.exists('[[robin sample]]')).toBe(true);
    expect(known.exists('[[people/Robin Sample]]')).toBe(true);
    expect(known.resolve('[[robin sample]]')).toBeNull();
    known.dropNote('people/Robin Sample.md');
    expect(known.exists('[[robin sample]]')).toBe(false);
  });

  test('what was written of a note before it moved is told of it, until another note takes the path', () => {
    const known = catalogue({
      'task/2026/pay.md': task(),
      'event/e1.md': noteText({ type: 'steward-action', timestamp: '2026-11-21', target_path: 'task/pay.md' }, ''),
    });
    known.moves.remember('task/pay.md', 'task/2026/pay.md');
    const told = (path: string) => known.eventsAbout(path).map(({ name }) => name);
    expect(told('task/2026/pay.md')).toEqual(['e1']);
    known.put(entry('task/pay.md', task()));
    expect([told('task/2026/pay.md'), told('task/pay.md')]).toEqual([[], ['e1']]);
  });

  test('two matters with one slug know each other, in any letters', () => {
    const known = catalogue({ 'matter/house.md': matter(), 'matter/2026/HOUSE.md': matter(), 'task/house.md': task() });
    expect(known.matters().map((one) => known.namesakes(one).map(({ path }) => path))).toEqual([
      ['matter/2026/HOUSE.md'],
      ['matter/house.md'],
    ]);
  });
});

describe('what may wait for a person', () => {
  const event = (fields: Record<string, unknown>) =>
    noteText({ type: 'steward-action', timestamp: '2026-11-21T20:19:54Z', ...fields }, 'An event.');
  const known = catalogue({
    'event/steward-action-a.md': event({ waiting: true }),
    'event/steward-action-b.md': event({ pending_confirmation: true }),
    'event/steward-action-c.md': event({ waiting: false, pending_confirmation: false }),
    'event/steward-action-reversed-d.md': noteText({ type: 'steward-action-reversed', outcome: 'conflict' }, ''),
    'event/steward-action-reversed-e.md': noteText({ type: 'steward-action-reversed', outcome: 'reversed' }, ''),
    'signal/f.md': signal({ target_ambiguous: true }),
    'signal/g.md': signal({ target_ambiguous: true, status: 'applied' }),
    'signal/h.md': signal(),
  });
  const paths = (kind: 'event' | 'reversal' | 'signal') => known.waiting(kind).map(({ path }) => path);

  test('is found by what its note says, in notes of earlier versions too', () => {
    expect(paths('event')).toEqual(['event/steward-action-a.md', 'event/steward-action-b.md']);
    expect(paths('reversal')).toEqual(['event/steward-action-reversed-d.md']);
    expect(paths('signal')).toEqual(['signal/f.md']);
  });

  test('is found no more once its note says otherwise', () => {
    known.put(entry('event/steward-action-a.md', event({ waiting: false })));
    known.remove('event/steward-action-b.md');
    expect(paths('event')).toEqual([]);
  });
});
