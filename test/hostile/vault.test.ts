import fs from 'node:fs';
import { describe, expect, test } from 'vitest';
import { emptyGuard } from '../../src/steward/rate-guard.ts';
import { Layout } from '../../src/vault/layout.ts';
import { DEFAULT_MAPPING } from '../../src/vault/record.ts';
import { Vault } from '../../src/vault/vault.ts';
import { HOUSE, instinct, settings, signal, task } from '../support/notes.ts';
import { testSeal } from '../support/own-signal.ts';
import { LIMIT_MS, leastLongestBlock } from '../support/own-time.ts';
import { Running } from '../support/running.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench, LIVE } from '../support/workspace.ts';
import {
  addHostileNames,
  addHostileNotes,
  addOddFiles,
  addProtoNames,
  addSuite,
  beside,
  PROTO_NAMES,
  plainVault,
  stateOf,
} from './zoo.ts';

/*
 * A vault with everything in it that can trip up a program, through the first reading, a sweep and a daemon that acts:
 * the program goes on, blocks nothing, writes nothing outside, and changes no byte of what it only reads.
 */

const TRIES = 3;
const READ_ONLY = ['.steward'];

async function opened(vault: TempVault): Promise<Vault> {
  const found = new Vault(vault.root, new Layout(), DEFAULT_MAPPING);
  await found.open(vault.at('.steward/cache/none.json'), testSeal());
  return found;
}

/** Returns the longest block of each step: the first reading, a sweep, and a daemon from start to stop. */
async function blocked(vault: TempVault): Promise<Readonly<Record<string, number>>> {
  fs.mkdirSync(vault.places.own, { recursive: true });
  await import('../../src/vault/watcher.ts'); // loaded first, as in a running daemon
  const open = await leastLongestBlock(TRIES, async () => async () => void (await opened(vault)));
  const sweep = await leastLongestBlock(TRIES, async () => {
    const found = await opened(vault);
    const all = [...found.catalogue.paths()];
    for (const file of all) found.catalogue.remove(file);
    return () => found.sweep();
  });
  const daemon = await leastLongestBlock(TRIES, async () => async () => {
    const running = await Running.start(vault);
    await running.sync();
    running.daemon.status();
    await running.stop();
  });
  return { open, sweep, daemon };
}

function demandUnblocked(figures: Readonly<Record<string, number>>, what: string): void {
  if (process.env.HOSTILE_SHOW) console.log(what, figures);
  for (const [step, ms] of Object.entries(figures)) expect(ms, `${what}: ${step}`).toBeLessThan(LIMIT_MS);
}

/** Checks that a daemon on the vault acts on a good signal, and that everything else stays as it is. */
async function goesOn(vault: TempVault, changes: readonly string[] = []): Promise<Running> {
  const before = stateOf(vault.root, READ_ONLY);
  const outside = stateOf(beside(vault));
  const running = await Running.start(vault, { env: LIVE });
  await running.sync();
  vault.write('signal/good.md', signal());
  await running.heard('acted', ({ target }) => target === 'task/pay.md');
  await running.sync();
  expect(vault.read('task/pay.md')).toContain("state:   'done'   # not yet");
  const after = stateOf(vault.root, READ_ONLY);
  const touched = [...before].filter(([file, state]) => after.get(file) !== state).map(([file]) => file.slice(1));
  expect(touched.sort()).toEqual(['task/pay.md', ...changes].sort());
  expect(stateOf(beside(vault))).toEqual(outside);
  return running;
}

function listed(running: Running): string[] {
  return running.daemon.status().trouble.map(({ file }) => file ?? '');
}

describe('hostile notes', () => {
  test('are each listed, hold nothing up and change nothing', async () => {
    const vault = plainVault();
    const bad = addHostileNotes(vault);
    demandUnblocked(await blocked(vault), 'hostile notes');
    const running = await goesOn(vault);
    const troubles = running.daemon.status().trouble;
    for (const file of bad) {
      const one = troubles.find((trouble) => trouble.file === file);
      expect(one, file).toMatchObject({ code: expect.any(String), message: expect.stringMatching(/\.$/) });
    }
    expect(troubles.map(({ file }) => file).filter((file) => !bad.includes(file ?? ''))).toEqual([]);
  });

  test('by the hundred hold nothing up either', async () => {
    const vault = plainVault();
    const text = `---\n${Array.from({ length: 9_000 }, (_, n) => `k${n}: &a${n} x`).join('\n')}\n---\n`;
    for (let nth = 0; nth < 60; nth += 1) vault.write(`task/many-${nth}.md`, text);
    demandUnblocked(await blocked(vault), 'sixty long notes');
  });

  test('the YAML test suite as matters, tasks, signals, events and instincts', async () => {
    const vault = plainVault();
    addSuite(vault);
    demandUnblocked(await blocked(vault), 'YAML test suite');
    await goesOn(vault);
  });
});

describe('hostile files', () => {
  test('pipes, sockets, devices, circles and links that lead out are each listed and left alone', async () => {
    const vault = plainVault();
    const odd = await addOddFiles(vault);
    demandUnblocked(await blocked(vault), 'odd files');
    const running = await goesOn(vault);
    const troubles = running.daemon.status().trouble.filter(({ code }) => code === 'not-readable');
    expect(troubles.map(({ file }) => file).sort()).toEqual([...odd].sort());
  });

  test('names with every byte a name can have', async () => {
    const vault = plainVault();
    const { readable, unreadable } = addHostileNames(vault);
    demandUnblocked(await blocked(vault), 'names');
    const running = await goesOn(vault);
    expect(listed(running).filter((file) => file.includes('\uFFFD'))).toHaveLength(unreadable + 1);
    const { catalogue } = await Bench.reading(vault);
    expect(catalogue.tasks()).toHaveLength(readable + 1);
    expect(running.daemon.status().vault.notes).toBe(catalogue.size);
  });

  test('each readable name can be acted upon, and undone to the byte', async () => {
    const vault = plainVault();
    vault.write('steward.md', settings({ settle_seconds: 0 }));
    vault.write('instinct/mail.md', instinct('mail', { pinned: true })); // or it would be silent after five undos
    addHostileNames(vault);
    const bench = await Bench.open(vault);
    const paths = bench.catalogue.tasks().map(({ path }) => path);
    const failed: string[] = [];
    for (const [nth, path] of paths.entries()) {
      if (/[#|^]/.test(path) || (nth % 9 !== 0 && !/[^a-z0-9/.-]/i.test(path))) continue; // no link can name # or |
      const before = fs.readFileSync(vault.at(path));
      vault.write(`signal/s${nth}.md`, signal({ target_path: path, raw_quote: `${nth}` }));
      const settled = await bench.route(`signal/s${nth}.md`);
      if (settled?.kind !== 'acted') {
        failed.push(`${JSON.stringify(path)}: ${JSON.stringify(settled)}`);
      } else {
        await bench.undo(settled.event);
        if (!fs.readFileSync(vault.at(path)).equals(before)) failed.push(`${JSON.stringify(path)}: not undone`);
      }
      bench.remember('rate-guard', emptyGuard());
    }
    expect(failed).toEqual([]);
    bench.close();
  });
});

describe('names that every object answers to', () => {
  test('are names like others: of matters, tasks, signals and sources', async () => {
    const vault = plainVault();
    addProtoNames(vault);
    vault.write('steward.md', settings({ trusted_signal_sources: PROTO_NAMES }));
    const running = await Running.start(vault);
    await running.sync();
    expect(running.schedules().sort()).toEqual(['house', ...PROTO_NAMES].map((name) => `steward-${name}`).sort());
    for (const name of PROTO_NAMES) {
      await running.heard('acted', ({ target }) => target === `task/${name}-task.md`);
      expect(vault.fields(`task/${name}-task.md`)).toMatchObject({ state: 'done' });
    }
    expect(listed(running)).toEqual([]);
    const { sources } = running.daemon.status();
    for (const source of sources) expect(source.confidence).toBeGreaterThan(0);
  });

  test('a signal so named is acted upon once, also after a restart', async () => {
    const vault = plainVault();
    vault.write('signal/constructor.md', signal());
    const first = await Running.start(vault);
    await first.heard('acted');
    await first.stop();
    const second = await Running.start(vault);
    await second.sync();
    expect(second.count('acted')).toBe(0);
    expect(vault.events('signal-action-')).toHaveLength(1);
  });
});

describe('a field as long as a book', () => {
  const proposal = { class: 'context_edit', set: { summary: 'Short.' } };

  test('of 100 kB is changed and undone to the byte, though the event note holds it twice', async () => {
    const long = task({ summary: 'a very long line, '.repeat(5_600) });
    const vault = new TempVault({
      ...HOUSE,
      'task/pay.md': long,
      'signal/one.md': signal({ mutation_proposal: proposal }),
    });
    const bench = await Bench.open(vault);
    const settled = await bench.route('signal/one.md');
    if (settled?.kind !== 'acted') throw new Error(JSON.stringify(settled));
    expect(vault.fields('task/pay.md').summary).toBe('Short.');
    expect(await bench.undo(settled.event)).toMatchObject({ outcome: 'reversed' });
    expect(vault.read('task/pay.md')).toBe(long);
    bench.close();
  });

  test('that no event note has room for is left alone, and the event says why', async () => {
    const long = task({ summary: 'a very long line, '.repeat(12_000) });
    const vault = new TempVault({
      ...HOUSE,
      'task/pay.md': long,
      'signal/one.md': signal({ mutation_proposal: proposal }),
    });
    const bench = await Bench.open(vault);
    const settled = await bench.route('signal/one.md');
    if (settled?.kind !== 'recorded') throw new Error(JSON.stringify(settled));
    expect(vault.read('task/pay.md')).toBe(long);
    expect(vault.fields(settled.event)).toMatchObject({ undo_recipe: null, decision: 'context_edit' });
    expect(vault.read(settled.event)).toContain('is too long to be changed exactly');
    bench.close();
  });

  test('with more blanks than a frontmatter may hold is undone to the byte', async () => {
    const wide = `---\ntype: task\nstate: open\nparent_matter: "[[house]]"\nsummary: "a${' '.repeat(1200)}b"\n---\n`;
    const vault = new TempVault({
      ...HOUSE,
      'task/pay.md': wide,
      'signal/one.md': signal({ mutation_proposal: proposal }),
    });
    const bench = await Bench.open(vault);
    const settled = await bench.route('signal/one.md');
    if (settled?.kind !== 'acted') throw new Error(JSON.stringify(settled));
    expect(await bench.undo(settled.event)).toMatchObject({ outcome: 'reversed' });
    expect(vault.read('task/pay.md')).toBe(wide);
    bench.close();
  });
});
