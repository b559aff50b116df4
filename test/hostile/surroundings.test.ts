import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished } from 'vitest';
import { HOUSE, settings, signal, task } from '../support/notes.ts';
import { attack } from './attack.ts';
import { Attacked } from './support.ts';

const LIVE = { STEWARD_LIVE_MODE: 'live' };
const TASKS = Object.fromEntries(['one', 'two'].map((name) => [`task/${name}.md`, task()]));
const FILES = { ...HOUSE, ...TASKS, 'steward.md': settings({ settle_seconds: 0, default_schedule: '0 0 29 2 *' }) };
const TERMINAL = path.join(import.meta.dirname, 'held-terminal.py');
const STEWARD = path.resolve(import.meta.dirname, '../../bin/steward.js');

function arrives(vault: Attacked, name: string): void {
  vault.sandbox.write(`signal/${name}.md`, signal({ target_path: `task/${name}.md`, raw_quote: `${name} is paid` }));
}

async function isDone(vault: Attacked, name: string): Promise<void> {
  arrives(vault, name);
  await expect.poll(() => vault.read(`task/${name}.md`)).toContain('state: done');
}

/** Starts the daemon on a terminal that is held. Each file that a sender drops makes it say another line. */
function onHeldTerminal(vault: Attacked): { readonly terminal: ChildProcess; readonly said: () => string } {
  const { folder, env } = vault.sandbox;
  const terminal = spawn('python3', [TERMINAL, process.execPath, STEWARD, 'run', '--vault', 'vault'], {
    cwd: folder,
    env: { ...env, ...LIVE, STEWARD_VAULT: vault.sandbox.vault },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let said = '';
  terminal.stdout?.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  onTestFinished(() => void terminal.kill('SIGKILL'));
  return { terminal, said: () => said };
}

describe('the daemon outlives its surroundings', () => {
  attack(
    {
      attacker: 'the surroundings',
      means: 'its terminal is held by Ctrl-S while hundreds of files make it speak',
      loss: 'it stands still in the middle of a line until somebody presses Ctrl-Q',
      defence: 'no write to a terminal blocks: what is not taken waits, and is said when it is let go',
    },
    async () => {
      const vault = new Attacked(FILES);
      for (let nth = 0; nth < 400; nth += 1) vault.sandbox.write(`stream/${nth}.bin`, `nothing to be read in ${nth}`);
      const { terminal, said } = onHeldTerminal(vault);
      await isDone(vault, 'one');
      expect((await vault.status()).daemon).toMatchObject({ state: 'running' });
      await isDone(vault, 'two');
      expect(said()).toBe('');
      terminal.stdin?.write('go on\n');
      await expect.poll(said).toContain('applied two');
      expect(said()).toContain('started on');
      process.kill((await vault.pid()) ?? 0, 'SIGTERM');
      expect((await once(terminal, 'close'))[0]).toBe(0);
    },
  );

  attack(
    {
      attacker: 'the surroundings',
      means: 'its terminal is closed (SIGHUP)',
      loss: 'it ends in the middle of its work, with its lock and its socket left behind',
      defence: 'it ends in order, as for SIGTERM',
    },
    async () => {
      const vault = new Attacked(FILES);
      await vault.start();
      vault.daemon.kill('SIGHUP');
      expect(await vault.daemon.ended).toMatchObject({ exit: 0, stdout: expect.stringContaining('stopped') });
      expect(vault.names('.steward')).not.toContain('lock');
    },
  );

  attack(
    {
      attacker: 'the surroundings',
      means: 'the folder that it is started in is deleted, before the start and after it',
      loss: 'it ends with a stack instead of a sentence',
      defence: 'it stands in no folder of anybody',
    },
    async () => {
      const vault = new Attacked(FILES);
      fs.mkdirSync(path.join(vault.sandbox.folder, 'gone'));
      await vault.start(`cd gone && rmdir ../gone && exec steward run --vault '${vault.sandbox.vault}'`);
      await isDone(vault, 'one');
      vault.daemon.kill('SIGTERM');
      expect(await vault.daemon.ended).toMatchObject({ exit: 0 });
    },
  );

  attack(
    {
      attacker: 'the surroundings',
      means: 'no HOME, a TMPDIR that is not there, a locale and a time zone that no system knows',
      loss: 'it does not start, or writes where nobody looks',
      defence: 'none of them is needed for its work',
    },
    async () => {
      const vault = new Attacked(FILES);
      const odd = 'env -u HOME TMPDIR=/not/there LC_ALL=xx_YY.bogus LANG=tr_TR.UTF-8 TZ=Nowhere/Land';
      await vault.start(`${odd} steward run --vault vault`);
      await isDone(vault, 'one');
      vault.daemon.kill('SIGTERM');
      expect(await vault.daemon.ended).toMatchObject({ exit: 0 });
    },
  );

  attack(
    {
      attacker: 'the surroundings',
      means: 'all three of its streams are closed, and it may open 40 files',
      loss: 'its files take the numbers of its streams, and a line of the log lands in a note',
      defence: 'it works on, and its notes hold nothing but what is decided',
    },
    async () => {
      const vault = new Attacked(FILES);
      vault.sandbox.start('ulimit -n 40; exec steward run --vault vault <&- >&- 2>&-', LIVE);
      await isDone(vault, 'one');
      await isDone(vault, 'two');
      for (const folder of ['task', 'matter', 'event', 'signal']) {
        for (const name of vault.names(folder))
          expect(vault.read(`${folder}/${name}`)).not.toMatch(/applied |started on/);
      }
    },
  );
});
