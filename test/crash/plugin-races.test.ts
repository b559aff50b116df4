import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import readline from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import type { Request } from '../../src/daemon/compose.ts';
import { Publisher } from '../../src/vault/publish.ts';
import { instinct, matter, settings, signal, task } from '../support/notes.ts';
import { Running } from '../support/running.ts';
import { TempVault } from '../support/temp-vault.ts';
import { keptLines } from './invariant.ts';

// Plugins that rewrite notes while the daemon works: 12 races of each here, 500 in `npm run test:night` (RACES).
const RACES = Number(process.env.RACES ?? 12);
const PER_VAULT = 3;
/** Of the steward, in one race: two changes of the task, their records, the answers in them, and the undo. */
const MAX_WRITES = 16;
const MAX_LOOKS = 40;

const PUBLISH = Publisher.prototype.publish;

/** The plugin, and a person who types. */
class Plugin {
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;

  private constructor(child: ChildProcess, lines: AsyncIterator<string>) {
    this.#child = child;
    this.#lines = lines;
  }

  static async start(name: string, root: string): Promise<Plugin> {
    const script = path.join(import.meta.dirname, 'plugin-writer.ts');
    const child = spawn(process.execPath, [script, name, root], { stdio: ['pipe', 'pipe', 'inherit'] });
    const plugin = new Plugin(child, readline.createInterface({ input: child.stdout })[Symbol.asyncIterator]());
    await plugin.#lines.next();
    return plugin;
  }

  /** Appends a line to a note after a pause (µs). */
  type(note: string, token: string, wait: number): Promise<number> {
    return this.#ask(['type', note, token, Math.floor(wait)].join('\t'));
  }

  /** Lets it finish, and returns how often it has written. */
  look(): Promise<number> {
    return this.#ask('look');
  }

  async #ask(line: string): Promise<number> {
    this.#child.stdin?.write(`${line}\n`);
    return Number((await this.#lines.next()).value);
  }

  stop(): void {
    this.#child.kill('SIGKILL');
  }
}

/** Waits until neither writes any more. Throws if they go on answering each other. */
async function quiet(running: Running, plugin: Plugin, published: () => number): Promise<void> {
  let before = '';
  for (let looks = 0; looks < MAX_LOOKS; looks += 1) {
    await running.sync();
    const now = `${await plugin.look()} ${published()}`;
    if (now === before) return;
    before = now;
  }
  throw new Error('The daemon and the plugin answer each other without an end.');
}

async function raceInOneVault(name: string, races: number): Promise<void> {
  const notes = Array.from({ length: races }, (_, nth) => `task/pay${nth}.md`);
  const vault = new TempVault({
    'steward.md': settings({ settle_seconds: 0 }),
    'matter/house.md': matter(),
    'instinct/mail.md': instinct('mail', { confidence: 1, observations: 60 }),
    ...Object.fromEntries(notes.map((note, nth) => [note, task({ amount: nth, due: '2035-01-01' }, 'A task.\n')])),
  });
  let publishes = 0;
  Publisher.prototype.publish = function (edition) {
    publishes += 1;
    return PUBLISH.call(this, edition);
  };
  const plugin = await Plugin.start(name, vault.root);
  try {
    const running = await Running.start(vault);
    for (const [nth, note] of notes.entries())
      await raceOnce({ vault, running, plugin, note, nth, published: () => publishes });
    await running.stop();
  } finally {
    plugin.stop();
    Publisher.prototype.publish = PUBLISH;
  }
}

interface Race {
  readonly vault: TempVault;
  readonly running: Running;
  readonly plugin: Plugin;
  readonly note: string;
  readonly nth: number;
  readonly published: () => number;
}

/** A signal changes the task, and the change is undone, while the plugin rewrites what was written and a person types. */
async function raceOnce({ vault, running, plugin, note, nth, published }: Race): Promise<void> {
  const before = published();
  vault.write(`signal/s${nth}.md`, signal({ raw_quote: `paid ${nth}`, target_path: note }), 0);
  await Promise.all([running.sync(), plugin.type(note, `first-${nth}`, Math.random() * 20_000)]);
  // A note that is being written is tried again a little later.
  const { event } = await running.heard('acted', ({ target }) => target === note);
  await quiet(running, plugin, published);
  const undo: Request = { op: 'undo', events: [event], last: null, reason: null, force: true, dryRun: false };
  const [undone] = await Promise.all([running.ask(undo), plugin.type(note, `second-${nth}`, Math.random() * 5000)]);
  expect(undone).toMatchObject([{ outcome: 'reversed' }]);
  await quiet(running, plugin, published);
  expect(published() - before).toBeLessThanOrEqual(MAX_WRITES);
  const kept = keptLines(vault.root).map(({ file }) => vault.read(file));
  for (const token of [`first-${nth}`, `second-${nth}`])
    expect([vault.read(note), ...kept].some((text) => text.includes(`${token}\n`))).toBe(true);
  expect(vault.fields(note)).toMatchObject({ amount: nth, due: expect.anything() });
  expect(running.daemon.status().trouble.filter(({ severity }) => severity !== 'note')).toEqual([]);
}

test.each(['linter', 'updated', 'templater'])(
  '%s rewrites notes at the same time: no text is lost, and neither answers the other without an end',
  async (name) => {
    onTestFinished(() => {
      Publisher.prototype.publish = PUBLISH;
    });
    for (let done = 0; done < RACES; done += PER_VAULT) await raceInOneVault(name, Math.min(PER_VAULT, RACES - done));
  },
  3_600_000,
);
