import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Catalogue, Postings, RecordStore, Renames } from '../../src/vault/index.ts';
import { Layout } from '../../src/vault/layout.ts';
import { noteText } from '../../src/vault/note-text.ts';
import { DEFAULT_MAPPING, readRecord, type VaultRecord } from '../../src/vault/record.ts';
import { lawRuns } from '../support/laws.ts';
import { HOUSE, instinct, matter, reversal, signal, task } from '../support/notes.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench } from '../support/workspace.ts';

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

  test('is found by what its note says, by either field', () => {
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

test('LAW: what is posted under a key is what was added and not removed, few or many, in the order of the paths', () => {
  const act = fc.record({ add: fc.boolean(), key: fc.constantFrom('a', 'b'), nth: fc.nat({ max: 90 }) });
  const acts = fc.array(
    fc.oneof(
      act,
      act.map((one) => ({ ...one, add: true })),
    ),
    { maxLength: 400, size: 'max' },
  );
  fc.assert(
    fc.property(acts, (all) => {
      const [postings, model] = [new Postings(), new Map<string, Set<string>>()];
      for (const { add, key, nth } of all) {
        const path = `task/${nth}.md`;
        const known = model.get(key) ?? new Set();
        if (add) {
          postings.add(key, path);
          known.add(path);
        } else {
          postings.remove(key, path);
          known.delete(path);
        }
        if (known.size > 0) model.set(key, known);
        else model.delete(key);
      }
      expect([...postings.keys()].sort()).toEqual([...model.keys()].sort());
      for (const key of ['a', 'b']) expect(postings.get(key)).toEqual([...(model.get(key) ?? [])].sort());
    }),
    { numRuns: lawRuns() },
  );
});

/** One record of each kind, as the program reads them from notes that it wrote. */
async function records(): Promise<VaultRecord[]> {
  const vault = new TempVault({ ...HOUSE, 'signal/s1.md': signal(), 'instinct/mail.md': instinct('mail') });
  const bench = await Bench.open(vault);
  await bench.route('signal/s1.md');
  vault.write('event/steward-action-reversed-x.md', reversal('[[nothing]]', { undo: true }));
  vault.write('event/steward-action-confirmed-x.md', '---\ntype: steward-action-confirmed\n---\n');
  vault.write('task/bad.md', '---\nstate: [\n---\n');
  bench.close();
  const files = ['matter', 'task', 'signal', 'event', 'instinct'].flatMap((folder) =>
    vault.names(folder).map((name) => path.posix.join(folder, name)),
  );
  return files.map((file) => {
    const stat = fs.statSync(vault.at(file));
    const { mtimeMs, ctimeMs, size, ino } = stat;
    return readRecord(new Layout(), DEFAULT_MAPPING, file, { mtimeMs, ctimeMs, size, ino }, vault.bytes(file));
  });
}

test('LAW: what was put comes back the same, packed or not, however often places are given free', async () => {
  const all = await records();
  expect(new Set(all.map(({ kind }) => kind)).size).toBeGreaterThan(5);
  const act = fc.record({ put: fc.boolean(), nth: fc.nat({ max: all.length - 1 }), copy: fc.nat({ max: 3 }) });
  fc.assert(
    fc.property(fc.array(act, { maxLength: 40 }), (acts) => {
      const [store, model] = [new RecordStore(), new Map<string, VaultRecord>()];
      for (const { put, nth, copy } of acts) {
        const record = { ...(all[nth] as VaultRecord) };
        const path = `${record.path.slice(0, -3)}${copy === 0 ? '' : copy}.md`;
        const name = path.slice(path.lastIndexOf('/') + 1, -3);
        if (put) {
          store.put({ ...record, path, name });
          model.set(path, { ...record, path, name });
        } else {
          store.delete(path);
          model.delete(path);
        }
      }
      expect(store.size).toBe(model.size);
      for (const [path, record] of model) expect(store.get(path)).toEqual(record);
      expect(new Map([...store.entries()].map((record) => [record.path, record]))).toEqual(model);
      for (const [path, { stat }] of model) expect(store.statOf(path)).toEqual(stat);
    }),
    { numRuns: lawRuns(40) },
  );
});

/** A vault with one event at each of these moments, named after its place in the list. */
function eventsAt(moments: readonly string[]): Catalogue {
  const known = new Catalogue();
  moments.forEach((timestamp, nth) => {
    const text = noteText({ type: 'steward-action', timestamp, target_path: 'task/pay.md' }, '');
    known.put(readRecord(new Layout(), DEFAULT_MAPPING, `event/e${nth}.md`, STAT, Buffer.from(text)));
  });
  return known;
}

const names = (hours: Iterable<readonly { readonly name: string }[]>) =>
  [...hours].map((hour) => hour.map(({ name }) => name).sort());

const MOMENTS = [
  '2026-02-28T23:59:59Z',
  '2025-12-31T09:00:00Z',
  '2026-11-02T08:00:00Z',
  'some time ago',
  '2026-11-02T08:59:59Z',
  '2026-02-01T00:00:00Z',
  '2026-11-01T10:00:00Z',
];

test('hours come newest first through months and years, and what tells no time last', () => {
  const { chronicle } = eventsAt(MOMENTS);
  expect(names(chronicle.newestHours())).toEqual([['e2', 'e4'], ['e6'], ['e0'], ['e5'], ['e1'], ['e3']]);
});

test('or oldest first, up to a moment, without what tells no time', () => {
  const { chronicle } = eventsAt(MOMENTS);
  const before = (moment: string) => names(chronicle.oldestHours(Date.parse(moment)));
  expect(before('2026-11-02T08:30:00Z')).toEqual([['e1'], ['e5'], ['e0'], ['e6']]);
  expect(before('2026-02-01T00:30:00Z')).toEqual([['e1']]);
});

const MINUTE = 60_000;

/** A task that differs from the others by nothing but its path and its inode. */
function alike(name: string, ino: number): VaultRecord {
  const stat = { mtimeMs: 1, ctimeMs: 1, size: 1, ino };
  return readRecord(new Layout(), DEFAULT_MAPPING, `task/${name}.md`, stat, Buffer.from(task()));
}

const gone = (before: VaultRecord) => ({ before, after: null });
const created = (after: VaultRecord) => ({ before: null, after });

describe('a note that goes and one that comes', () => {
  const [one, other, third] = [alike('one', 1), alike('other', 2), alike('third', 3)];

  test('are one note where they are alike and come soon after each other, in either order', () => {
    const renames = new Renames();
    expect(renames.follow(gone(one), 0)).toBeNull();
    expect(renames.follow(created(other), MINUTE)).toEqual([one, other]);
    expect(renames.follow(created(third), 2 * MINUTE)).toBeNull();
    expect(renames.follow(gone(other), 3 * MINUTE)).toEqual([other, third]);
  });

  test('are two notes where an hour lies between them', () => {
    const renames = new Renames();
    expect(renames.follow(created(other), 0)).toBeNull();
    expect(renames.follow(gone(one), 60 * MINUTE)).toBeNull();
    expect(renames.follow(created(third), 61 * MINUTE)).toEqual([one, third]);
  });

  test('are two notes where several could be meant, unless the file is the very same', () => {
    const renames = new Renames();
    renames.follow(created(other), 0);
    renames.follow(created(third), 0);
    expect(renames.follow(gone(one), 0)).toBeNull();
    expect(renames.follow(gone(alike('fourth', 3)), 0)?.[1]).toBe(third);
  });
});
