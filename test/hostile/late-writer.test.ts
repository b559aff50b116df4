import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, vi } from 'vitest';
import { loadSystemCalls, type SystemCalls } from '../../src/vault/files.ts';
import { sha256 } from '../../src/vault/note-text.ts';
import { DisplacedFiles, type KeptBytes } from '../../src/vault/publish.ts';
import { signal, smallVault } from '../bad-input/support.ts';
import type { Sandbox } from '../stories/support.ts';
import { TempVault } from '../support/temp-vault.ts';
import { attack } from './attack.ts';

const NOTE = 'task/pay-roofer.md';
const LIVE = { STEWARD_LIVE_MODE: 'live' };
const DAY = 24 * 60 * 60 * 1000;
const FORMER = 'what the note was\n';
const KEPT = '.steward/history/event-1.1.md';

const WRITER = `const fs = require('node:fs');
const file = fs.openSync(process.argv[1], 'a');
process.stdout.write('opened');
process.stdin.on('data', (text) => { fs.writeSync(file, text); process.stdout.write('written'); });`;

/** A process of its own that keeps a file open and appends what it is given, as `tee -a` and loggers do. */
async function writer(file: string): Promise<(text: string) => Promise<void>> {
  const child = spawn(process.execPath, ['-e', WRITER, file], { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return async (text) => {
    child.stdin.write(text);
    await once(child.stdout, 'data');
  };
}

/** A file that was displaced into the history a moment ago, and the watch over it; time goes on as the test says. */
function displaced(system: () => SystemCalls | null) {
  const vault = new TempVault({ [KEPT]: FORMER });
  fs.mkdirSync(vault.places.state, { recursive: true });
  let kept: KeptBytes[] = [];
  let later = 0;
  const list = {
    get: () => kept,
    set: (now: KeptBytes[]) => {
      kept = now;
    },
    save: () => {},
  };
  const watch = () => {
    const { root, places } = vault;
    const files = new DisplacedFiles({
      root,
      history: places.history,
      kept: list,
      demand: () => {},
      now: () => Date.now() + later,
      system,
    });
    onTestFinished(() => files.close());
    return files;
  };
  const sleepFor = (ms: number) => {
    later += ms;
  };
  return { vault, watch, kept: () => kept.map(({ file }) => file), sleepFor };
}

const WAYS: readonly (readonly [string, () => SystemCalls | null])[] = [
  ['where the kernel is asked', loadSystemCalls],
  ['where only /proc tells', () => null],
];

describe.skipIf(process.platform !== 'linux').each(WAYS)('who writes late, %s (Linux)', (_, system) => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  attack(
    {
      attacker: 'another program',
      means: 'keeps a note open over an edit, and appends to it ten minutes later',
      loss: 'its lines, in a file of the history that nobody names, and after a week nowhere',
      defence: 'a displaced file is looked at for as long as somebody has it open to write',
    },
    async () => {
      const { vault, watch, kept } = displaced(system);
      const say = await writer(vault.at(KEPT));
      watch().keepWatch(NOTE, vault.at(KEPT), sha256(FORMER));
      await vi.advanceTimersByTimeAsync(10 * 60_000);
      expect(kept()).toEqual([]);
      await say('a late line\n');
      await vi.advanceTimersByTimeAsync(30_000);
      expect(kept()).toEqual([KEPT]);
      expect(vi.getTimerCount()).toBe(0); // it is named, so nothing is left to look for
    },
  );

  attack(
    {
      attacker: 'another program',
      means: 'does not write for eight days, while the note it has open waits in the history',
      loss: 'whatever it writes from then on, into a file without a name',
      defence: 'a file that somebody may still write into is not deleted',
    },
    async () => {
      const { vault, watch, kept, sleepFor } = displaced(system);
      const say = await writer(vault.at(KEPT));
      const files = watch();
      files.keepWatch(NOTE, vault.at(KEPT), sha256(FORMER));
      await vi.advanceTimersByTimeAsync(60_000);
      sleepFor(8 * DAY);
      files.prune();
      await say('a late line\n');
      await vi.advanceTimersByTimeAsync(30_000);
      expect(kept()).toEqual([KEPT]);
      sleepFor(100 * DAY);
      files.prune();
      expect(vault.read(KEPT)).toContain('a late line');
    },
  );
});

describe('a disk that does not tell for a minute', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  attack(
    {
      attacker: 'the surroundings',
      means: 'the disk refuses to look at a displaced file, in the half minute in which it is watched',
      loss: 'the daemon, and what was written into the file meanwhile',
      defence: 'a look that fails ends nothing: the file is looked at again',
    },
    async () => {
      const { vault, watch, kept } = displaced(() => null);
      const files = watch();
      files.keepWatch(NOTE, vault.at(KEPT), sha256(FORMER));
      const back = refusing(vault);
      await vi.advanceTimersByTimeAsync(60_000);
      back();
      fs.appendFileSync(vault.at(KEPT), 'a late line\n');
      files.prune();
      expect(kept()).toEqual([KEPT]);
    },
  );

  attack(
    {
      attacker: 'another program',
      means: 'writes into a file that could not be moved away from its note, while the history takes no copy',
      loss: 'its lines, with the only file that holds them',
      defence: 'the file goes only once it was read as it was, or copied',
    },
    async () => {
      const { vault, watch, kept } = displaced(() => null);
      const apart = 'task/.pay-roofer.md.apart';
      vault.write(apart, FORMER);
      const files = watch();
      files.keepWatch(NOTE, vault.at(KEPT), sha256(FORMER), vault.at(apart));
      fs.appendFileSync(vault.at(apart), 'a late line\n');
      const back = refusing(vault);
      await vi.advanceTimersByTimeAsync(60_000);
      expect(vault.read(apart)).toContain('a late line');
      back();
      files.prune();
      expect(kept()).toEqual([KEPT]);
      expect(vault.read(KEPT)).toContain('a late line');
      expect(vault.has(apart)).toBe(false);
    },
  );
});

/** Makes every look into the history fail (ELOOP, also for root), until the returned function is called. */
function refusing(vault: TempVault): () => void {
  const history = vault.at('.steward/history');
  fs.renameSync(history, `${history}.aside`);
  fs.symlinkSync('history', history);
  return () => {
    fs.unlinkSync(history);
    fs.renameSync(`${history}.aside`, history);
  };
}

describe('what the history holds before it is deleted', () => {
  attack(
    {
      attacker: 'another program',
      means: 'writes into a displaced file while no daemon runs, and sets its times back',
      loss: 'its bytes, a week after the edit',
      defence: 'before a file is deleted its bytes are compared with those it had, whatever its times say',
    },
    () => {
      const { vault, watch, kept, sleepFor } = displaced(() => null);
      const before = fs.statSync(vault.at(KEPT));
      const first = watch();
      first.keepWatch(NOTE, vault.at(KEPT), sha256(FORMER));
      first.close();
      fs.appendFileSync(vault.at(KEPT), 'a late line\n');
      fs.utimesSync(vault.at(KEPT), before.atime, before.mtime);
      sleepFor(8 * DAY);
      watch().prune();
      expect(kept()).toEqual([KEPT]);
      expect(vault.read(KEPT)).toContain('a late line');
    },
  );

  attack(
    {
      attacker: 'the surroundings',
      means: 'the list of displaced files is lost, and one of them was written into',
      loss: 'bytes that nobody can compare with what they were',
      defence: 'a file whose last change was a write is kept and named; one that was only moved goes',
    },
    () => {
      const { vault, watch, kept, sleepFor } = displaced(() => null);
      vault.write('.steward/history/event-1.2.md', FORMER);
      fs.appendFileSync(vault.at(KEPT), 'a late line\n');
      sleepFor(8 * DAY);
      watch().prune();
      expect(kept()).toEqual([KEPT]);
      expect(vault.names('.steward/history')).toEqual(['event-1.1.md']);
    },
  );

  attack(
    {
      attacker: 'another program',
      means: 'swaps the history for a link to old documents at the instant of the housekeeping',
      loss: 'all documents older than a week',
      defence: 'the folder is looked at once more before anything in it is deleted',
    },
    () => {
      const { vault, watch, sleepFor } = displaced(() => null);
      vault.write('documents/letter.md', 'dear Ann');
      const files = watch();
      vault.remove('.steward/history');
      fs.symlinkSync('../documents', vault.at('.steward/history'));
      sleepFor(100 * DAY);
      expect(() => files.prune()).toThrow(/is a link/);
      expect(vault.names('documents')).toEqual(['letter.md']);
    },
  );

  attack(
    {
      attacker: 'the surroundings',
      means: 'a week of edits that nobody wrote into',
      loss: 'a history that only grows',
      defence: 'what is as it was goes when its week is over, and its line with it',
    },
    () => {
      const { vault, watch, kept, sleepFor } = displaced(loadSystemCalls);
      const files = watch();
      files.keepWatch(NOTE, vault.at(KEPT), sha256(FORMER));
      files.prune();
      expect(vault.has(KEPT)).toBe(true);
      sleepFor(8 * DAY);
      files.prune();
      expect(kept()).toEqual([]);
      expect(vault.names('.steward/history')).toEqual([]);
      expect(vault.has('.steward/state/displaced.jsonl')).toBe(false);
    },
  );

  attack(
    {
      attacker: 'another program',
      means: 'keeps a note open over an edit, a stop of the daemon and an hour, and then writes',
      loss: 'its lines: the next daemon knows nothing of them',
      defence: 'the list of displaced files outlives the daemon, and a start looks at all of them',
    },
    async () => {
      await using sandbox = await smallVault();
      const say = await writer(path.join(sandbox.vault, NOTE));
      const first = await running(sandbox);
      sandbox.write('signal/good.md', signal(NOTE));
      await first.line((line) => line.includes(`applied ${path.basename(NOTE, '.md')}`), 'applied');
      first.kill('SIGKILL');
      await first.ended;
      // An hour passes: the list says when each file was displaced.
      const list = path.join(sandbox.vault, '.steward/state/displaced.jsonl');
      const lines = fs.readFileSync(list, 'utf8').replace(/"at":(\d+)/g, (_, at) => `"at":${Number(at) - 3_600_000}`);
      fs.writeFileSync(list, lines);
      await say('a late line\n');
      await running(sandbox);
      const status = await sandbox.steward(['status', '--vault', 'vault', '--json']);
      const { kept }: { kept: KeptBytes[] } = JSON.parse(status.stdout);
      expect(kept).toMatchObject([{ note: NOTE }]);
      expect(sandbox.read(kept[0]?.file ?? '')).toContain('a late line');
      expect(sandbox.read(NOTE)).toContain('state: done');
    },
  );
});

async function running(sandbox: Sandbox) {
  const daemon = sandbox.start('steward run --vault vault', LIVE);
  await daemon.line((line) => line.includes('started on'), 'started on');
  return daemon;
}
