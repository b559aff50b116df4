import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { StewardError } from '../../src/vault/errors.ts';
import { type Exchange, systemExchange } from '../../src/vault/files.ts';
import { FOLDER_KINDS } from '../../src/vault/layout.ts';
import { HOUSE, settings, signal, task, weak } from '../support/notes.ts';
import { leaveRoom, MAY_MOUNT, smallDisk } from '../support/small-disk.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench, only } from '../support/workspace.ts';
import { attack } from './attack.ts';

const TASK = 'task/pay.md';
const SIGNAL = 'signal/s1.md';
const SETTINGS = settings({ trusted_signal_sources: ['mail'], settle_seconds: 0 });

/** Replaces a folder, and returns how to put it back. */
type Spoil = (vault: TempVault, place: string) => () => void;

function aside(place: string): () => void {
  fs.renameSync(place, `${place}-aside`);
  return () => {
    fs.rmSync(place, { recursive: true, force: true });
    fs.renameSync(`${place}-aside`, place);
  };
}

function unmounted(place: string): () => void {
  return () => void spawnSync('umount', ['-l', place]);
}

const STATES: readonly (readonly [string, Spoil])[] = [
  [
    'a link out of the vault',
    (vault, place) => {
      fs.cpSync(place, path.join(vault.home, 'documents'), { recursive: true });
      const back = aside(place);
      fs.symlinkSync(path.join(vault.home, 'documents'), place);
      return back;
    },
  ],
  [
    'a link that leads nowhere',
    (_, place) => {
      const back = aside(place);
      fs.symlinkSync('nowhere', place);
      return back;
    },
  ],
  [
    'a file',
    (_, place) => {
      const back = aside(place);
      fs.writeFileSync(place, 'a letter');
      return back;
    },
  ],
  [
    'missing',
    (_, place) => {
      fs.renameSync(place, `${place}-aside`);
      return () => {
        fs.cpSync(`${place}-aside`, place, { recursive: true });
        fs.rmSync(`${place}-aside`, { recursive: true });
      };
    },
  ],
];
const MOUNTED: readonly (readonly [string, Spoil])[] = [
  [
    'a read-only disk',
    (_, place) => {
      smallDisk(place);
      expect(spawnSync('mount', ['-o', 'remount,ro', place]).status).toBe(0);
      return unmounted(place);
    },
  ],
  [
    'a full disk',
    (_, place) => {
      smallDisk(place);
      leaveRoom(path.join(place, 'filler.bin'), 0);
      return unmounted(place);
    },
  ],
];

/** What lies in a folder, with the texts of its files. */
function contents(folder: string): readonly (readonly [string, string])[] {
  if (!fs.existsSync(folder)) return [];
  const names = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  const files = names.filter((name) => fs.statSync(path.join(folder, name)).isFile());
  return files.map((name) => [name, fs.readFileSync(path.join(folder, name), 'utf8')]);
}

/** How often the task was changed and how often that is recorded, wherever the folders are just now. */
function account(vault: TempVault): { readonly edits: number; readonly records: number } {
  const own = (name: string) => {
    const places = [path.join(vault.root, name), path.join(vault.root, `${name}-aside`)];
    return places.filter((place) => fs.lstatSync(place, { throwIfNoEntry: false })?.isDirectory()).flatMap(contents);
  };
  const isRecord = (text: string) => /^outcome: (?:acted|confirmed)$/m.test(text) && /^undo: /m.test(text);
  const pay = own('task').filter(([name, text]) => name === 'pay.md' && /state: ['"]?done/.test(text));
  return { edits: pay.length, records: own('event').filter(([, text]) => isRecord(text)).length };
}

async function orRefused(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof StewardError)) throw error;
  }
}

async function vaultWith(text: string): Promise<TempVault> {
  const vault = new TempVault({ ...HOUSE, [TASK]: task(), 'steward.md': SETTINGS, [SIGNAL]: text });
  for (const name of FOLDER_KINDS) fs.mkdirSync(path.join(vault.root, name), { recursive: true });
  return vault;
}

const ALL = [...STATES, ...(MAY_MOUNT ? MOUNTED : [])].flatMap(([what, spoil]) =>
  FOLDER_KINDS.map((name) => ({ name, what, spoil })),
);

describe.each(ALL)('$name/ is $what', ({ name, spoil }) => {
  test('an action is made and recorded, or neither; and it is when the folder is back', async () => {
    const vault = await vaultWith(signal());
    const back = spoil(vault, path.join(vault.root, name));
    const before = contents(path.join(vault.home, 'documents'));
    await orRefused(async () => (await Bench.open(vault)).tick());
    const { edits, records } = account(vault);
    expect(edits).toBe(records);
    expect(contents(path.join(vault.home, 'documents'))).toEqual(before);
    back();
    await (await Bench.open(vault)).tick();
    expect(account(vault)).toEqual({ edits: 1, records: 1 });
  });

  test('a confirm is carried out and recorded, or neither; and it is when the folder is back', async () => {
    const vault = await vaultWith(weak());
    await (await Bench.open(vault)).tick();
    const proposal = only(vault.events());
    const back = spoil(vault, path.join(vault.root, name));
    const before = contents(path.join(vault.home, 'documents'));
    const confirm = async () => (await Bench.open(vault)).confirm(proposal);
    await orRefused(confirm);
    const { edits, records } = account(vault);
    expect(edits).toBe(records);
    expect(contents(path.join(vault.home, 'documents'))).toEqual(before);
    back();
    await orRefused(confirm);
    expect(account(vault)).toEqual({ edits: 1, records: 1 });
  });
});

const MOMENTS = [
  ['just before the task is changed', true],
  ['just after the task was changed', false],
] as const;
// Disks that fail midway are in `disks.test.ts`.
const MIDWAY = MOMENTS.flatMap(([when, isBefore]) =>
  STATES.flatMap(([what, spoil]) => FOLDER_KINDS.map((name) => ({ name, what, spoil, when, isBefore }))),
);

for (const { name, what, spoil, when, isBefore } of MIDWAY) {
  attack(
    {
      attacker: 'another program',
      means: `makes ${name}/ ${what} ${when}`,
      loss: 'a change that no event note records, and that nothing can undo',
      defence: 'the action waits in the journal, is said in status, and is recorded when the folder is back',
    },
    async () => {
      const vault = await vaultWith(signal());
      const outside = path.join(vault.home, 'documents');
      const real = systemExchange();
      const back: (() => void)[] = [];
      let linked: readonly (readonly [string, string])[] = [];
      const spoilNow = () => {
        back.push(spoil(vault, path.join(vault.root, name)));
        linked = contents(outside);
      };
      const exchange: Exchange = (one, other) => {
        const isDue = other.endsWith('pay.md') && back.length === 0;
        if (isDue && isBefore) spoilNow();
        real?.(one, other);
        if (isDue && !isBefore) spoilNow();
      };
      const bench = await Bench.open(vault, { exchange });
      await orRefused(() => bench.tick());
      expect(back).toHaveLength(1);
      expect(contents(outside)).toEqual(linked);
      const left = account(vault);
      if (left.records < left.edits) expect(vault.names('.steward/journal')).toHaveLength(1);
      only(back)();
      const again = await Bench.open(vault);
      if (account(vault).edits === 0) await again.tick();
      expect(account(vault)).toEqual({ edits: 1, records: 1 });
      expect(vault.names('.steward/journal')).toEqual([]);
    },
  );
}
