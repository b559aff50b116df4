import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { EntryLog } from '../../src/vault/entry-log.ts';
import { lawRuns } from '../support/laws.ts';

const numRuns = lawRuns();
const NAME = 'things';
/** Small, so that a line or a few of them fill a part. */
const SIZES = [30, 200] as const;
const [SMALL] = SIZES;

const key = fc.constantFrom('a', 'b', 'c', 'd', '__proto__', 'constructor', '', 'stream/ü "x".eml', 'toString', '\n');
const value = fc.oneof(fc.nat(), fc.string({ maxLength: 40 }), fc.constant(null), fc.record({ at: fc.nat() }));

/** The nth call of a kind is refused; a write in the midst of its bytes. */
interface Mishap {
  readonly call: 'writeFileSync' | 'fsyncSync' | 'rmSync';
  readonly nth: number;
  readonly share: number;
}
const mishap: fc.Arbitrary<Mishap> = fc.record({
  call: fc.constantFrom('writeFileSync', 'writeFileSync', 'fsyncSync', 'rmSync'),
  nth: fc.nat(2),
  share: fc.double({ min: 0, max: 1, noNaN: true }),
});

const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('set' as const), key, value }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('delete' as const), key }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('save' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('refused' as const), mishap }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('killed' as const), mishap }) },
);

/** What is in memory, what has changed there, and what may lie on disk under each key. */
class Model {
  readonly folder: string;
  readonly partChars: number;
  memory: Record<string, unknown> = Object.create(null);
  readonly touched = new Set<string>();
  saved = new Map<string, unknown>();
  /** Values that a save tried to write, and which it may have written. */
  readonly tried = new Map<string, unknown[]>();
  log: EntryLog;

  constructor(folder: string, partChars: number) {
    this.folder = folder;
    this.partChars = partChars;
    this.log = new EntryLog(folder, NAME, partChars);
  }

  change(of: string, to: unknown): void {
    if (to === undefined) delete this.memory[of];
    else this.memory[of] = to;
    this.touched.add(of);
  }

  save(): void {
    for (const of of this.touched) this.tried.set(of, [...(this.tried.get(of) ?? []), this.memory[of]]);
    this.log.save(this.touched, this.memory);
    this.saved = new Map(Object.entries(this.memory));
    this.touched.clear();
    this.tried.clear();
  }

  /** A process that begins finds what was saved, or what was tried since. */
  restart(): void {
    this.log = new EntryLog(this.folder, NAME, this.partChars);
    const found = this.log.load();
    for (const of of new Set([...this.saved.keys(), ...this.tried.keys(), ...found.keys()]))
      expect([this.saved.get(of), ...(this.tried.get(of) ?? [])]).toContainEqual(found.get(of));
    expect(this.log.damage).toEqual([]);
    this.memory = Object.create(null);
    for (const [of, is] of found) this.memory[of] = is;
    this.saved = found;
    this.touched.clear();
    this.tried.clear();
  }
}

afterEach(() => {
  vi.restoreAllMocks();
});

function failing<Result>({ call, nth, share }: Mishap, work: () => Result): Result | 'refused' {
  let left = nth;
  const real = fs[call];
  vi.spyOn(fs, call).mockImplementation((...given: unknown[]) => {
    left -= 1;
    if (left !== -1) return Reflect.apply(real, fs, given);
    const [handle, text] = given;
    if (typeof handle === 'number' && typeof text === 'string')
      fs.writeSync(handle, Buffer.from(text).subarray(0, Math.floor(share * Buffer.byteLength(text))));
    throw Object.assign(new Error('no room'), { code: 'ENOSPC' });
  });
  try {
    return work();
  } catch {
    return 'refused';
  } finally {
    vi.restoreAllMocks();
  }
}

function inFolder(work: (folder: string) => void): void {
  const folder = fs.mkdtempSync(path.join(fs.existsSync('/dev/shm') ? '/dev/shm' : os.tmpdir(), 'vs-log-'));
  try {
    work(folder);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

test('whatever is set, deleted, saved, refused or killed: what is read is what was saved, or a save was about to', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...SIZES),
      fc.array(step, { minLength: 30, maxLength: 200, size: 'max' }),
      (size, steps) =>
        inFolder((folder) => {
          const model = new Model(folder, size);
          for (const one of steps) {
            if (one.do === 'set') model.change(one.key, one.value);
            if (one.do === 'delete') model.change(one.key, undefined);
            if (one.do === 'save') model.save();
            if (one.do === 'restart') model.restart();
            if (one.do === 'refused') failing(one.mishap, () => model.save());
            if (one.do === 'killed') {
              failing(one.mishap, () => model.save());
              model.restart();
            }
          }
          model.save();
          model.restart();
          expect(model.saved).toEqual(new Map(Object.entries(model.memory)));
        }),
    ),
    { numRuns },
  );
});

test('a last line that was cut off at any byte is passed over, and what comes after it is not lost', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(key, value), { minLength: 1, maxLength: 6 }), fc.nat(), (pairs, at) =>
      inFolder((folder) => {
        const model = new Model(folder, SMALL);
        for (const [of, is] of pairs) model.change(of, is);
        model.save();
        const last = path.join(folder, fs.readdirSync(folder).sort().at(-1) ?? '');
        const bytes = fs.readFileSync(last);
        fs.writeFileSync(last, bytes.subarray(0, at % (bytes.length + 1)));
        const next = new EntryLog(folder, NAME, SMALL);
        const found = next.load();
        expect(next.damage).toEqual([]);
        for (const [of, is] of found) expect(pairs).toContainEqual([of, is]);
        next.save(['late'], { ...Object.fromEntries(found), late: 1 });
        expect(new EntryLog(folder, NAME, SMALL).load()).toEqual(new Map([...found, ['late', 1]]));
      }),
    ),
    { numRuns },
  );
});

test('what lies there stays within what counts, a quarter of it, and a few parts', () => {
  inFolder((folder) => {
    const model = new Model(folder, SMALL);
    for (let nth = 0; nth < 3000; nth += 1) {
      model.change(`key-${(nth * nth) % 97}`, nth);
      if (nth % 3 === 0) model.change(`key-${nth % 89}`, undefined);
      model.save();
    }
    const counted = Object.entries(model.memory).reduce((sum, entry) => sum + JSON.stringify(entry).length + 1, 0);
    const there = fs.readdirSync(folder).reduce((sum, name) => sum + fs.statSync(path.join(folder, name)).size, 0);
    expect(there).toBeLessThan(1.25 * counted + 4 * SMALL);
    model.restart();
  });
});
