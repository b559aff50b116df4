import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { type Running, Sandbox } from '../../stories/support.ts';
import { signal } from '../../support/notes.ts';

const TASK = 'task/renew-passport.md';
const LIVE = { STEWARD_LIVE_MODE: 'live' };

/** The example vault, whose settings believe hand-dropped signals of mail. */
function trusting(): Sandbox {
  const sandbox = new Sandbox('example');
  const settings = sandbox.read('steward.md').replace('trusted_mail_servers:', 'trusted_signal_sources: [mail]\n$&');
  sandbox.write('steward.md', settings);
  return sandbox;
}

interface Told {
  readonly daemon: { readonly state: string };
  readonly trouble: readonly { readonly code: string; readonly message: string }[];
}

async function status(sandbox: Sandbox): Promise<Told> {
  return JSON.parse((await sandbox.steward(['status', '--vault', 'vault', '--json'])).stdout);
}

/** Returns what `status` says of lines that could not be written, or ''. */
async function lost(sandbox: Sandbox): Promise<string> {
  return (await status(sandbox)).trouble.find(({ code }) => code === 'output-lost')?.message ?? '';
}

async function running(sandbox: Sandbox): Promise<void> {
  await expect.poll(async () => (await status(sandbox)).daemon.state).toBe('running');
}

/** Checks that the daemon acts on a signal that comes now, and tells how it is. */
async function goesOn(sandbox: Sandbox): Promise<void> {
  expect(sandbox.read(TASK)).toContain('state: open');
  sandbox.write('signal/passport.md', signal({ target_path: TASK, headline: 'Passport renewed' }));
  await expect.poll(() => sandbox.read(TASK)).toContain('state: done');
  expect(await status(sandbox)).toMatchObject({ daemon: { state: 'running' } });
}

async function endsInOrder(sandbox: Sandbox, daemon: Running): Promise<void> {
  daemon.kill('SIGTERM');
  expect(await daemon.ended).toMatchObject({ exit: 0, stderr: '' });
  expect(fs.existsSync(path.join(sandbox.vault, '.steward', 'lock'))).toBe(false);
}

/** A pipe with a name, whose reading end the test holds: it can be closed, and opened again. */
class Pipe {
  readonly #path: string;
  #end: number;

  constructor(sandbox: Sandbox, name: string) {
    this.#path = path.join(sandbox.folder, name);
    expect(spawnSync('mkfifo', [this.#path]).status).toBe(0);
    this.#end = this.#open();
  }

  close(): void {
    fs.closeSync(this.#end);
  }

  reopen(): void {
    this.#end = this.#open();
  }

  /** Returns what lies in the pipe now. */
  read(): string {
    const bytes = Buffer.alloc(65_536);
    try {
      return bytes.toString('utf8', 0, fs.readSync(this.#end, bytes));
    } catch {
      return ''; // nothing just now
    }
  }

  #open(): number {
    return fs.openSync(this.#path, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
  }
}

test('the reader of stdout goes away: the daemon goes on, and tells the next reader how much it has missed', async () => {
  await using sandbox = trusting();
  const pipe = new Pipe(sandbox, 'out');
  const daemon = sandbox.start('steward run --vault vault > out', LIVE);
  await expect.poll(() => pipe.read()).toContain('started on');
  pipe.close();
  await goesOn(sandbox);
  expect(await lost(sandbox)).toMatch(/^\d+ lines? .* its reader has closed it \(EPIPE\)\.$/);
  pipe.reopen();
  let read = '';
  await expect
    .poll(() => {
      read += pipe.read();
      return read;
    })
    .toMatch(/unsaid: \d+ lines? could not be written since .*: its reader has closed it \(EPIPE\)\n/);
  expect(await lost(sandbox)).toBe('');
  await endsInOrder(sandbox, daemon);
  pipe.close();
});

test('the disk of stdout is full: the daemon goes on and says so in status', async () => {
  await using sandbox = trusting();
  const daemon = sandbox.start('steward run --vault vault > /dev/full', LIVE);
  await running(sandbox);
  await goesOn(sandbox);
  expect(await lost(sandbox)).toMatch(/^\d+ lines .* its disk is full \(ENOSPC\)\.$/);
  await endsInOrder(sandbox, daemon);
});

test('the reader of stderr goes away: the daemon goes on', async () => {
  await using sandbox = trusting();
  const pipe = new Pipe(sandbox, 'err');
  const daemon = sandbox.start('steward run --vault vault 2> err', LIVE);
  await daemon.line((line) => line.includes('started on'), 'started on');
  pipe.close();
  await goesOn(sandbox);
  await endsInOrder(sandbox, daemon);
});

test('nobody reads stderr when a start fails: the exit code still says that it failed', async () => {
  await using sandbox = trusting();
  await sandbox.sh('{ steward run --vault nowhere; echo $? > code; } 2>&1 | true');
  expect(fs.readFileSync(path.join(sandbox.folder, 'code'), 'utf8')).toMatch(/^75$/m);
});

test('the disk is full for the output of a command: it ends with 1, and says why', async () => {
  await using sandbox = trusting();
  const { exit, stderr } = await sandbox.sh('steward status --vault vault > /dev/full');
  expect(exit).toBe(1);
  expect(stderr).toMatch(/^The output cannot be written: its disk is full .*\(output-failed\)\n {2}\S/);
  expect(stderr.split('\n')).toHaveLength(3);
});

test('nobody reads the pipe of stdout: thousands of lines hold nothing up, and neither does the end', async () => {
  await using sandbox = trusting();
  const pipe = new Pipe(sandbox, 'out');
  const daemon = sandbox.start('steward run --vault vault > out', LIVE);
  await running(sandbox);
  const aside = path.join(sandbox.folder, 'aside');
  fs.mkdirSync(aside);
  // Each is one line of trouble, long by its name.
  for (let nth = 0; nth < 11_000; nth += 1)
    fs.writeFileSync(path.join(aside, `${nth}${'-long'.repeat(46)}.md`), '---\nstate: [\n---\n');
  fs.renameSync(aside, path.join(sandbox.vault, 'task', 'many'));
  await expect.poll(() => lost(sandbox), { interval: 1_000 }).toMatch(/^\d+ lines .* its reader is too slow\.$/);
  await goesOn(sandbox);
  await endsInOrder(sandbox, daemon);
  pipe.close();
});

test('several vaults: one sentence says what keeps them now', async () => {
  await using sandbox = new Sandbox('example');
  for (const words of ['--vaults .', '--vault vault --vault vault']) {
    const { exit, stderr } = await sandbox.steward(['run', ...words.split(' ')]);
    expect({ exit, stderr }).toMatchObject({ exit: 2, stderr: expect.stringContaining('`steward-fleet run`') });
  }
});
