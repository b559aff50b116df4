import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Sandbox } from '../stories/support.ts';
import { attack } from './attack.ts';
import { holderIn, LIVE, started, trusting } from './container.ts';

const IS_ROOT = process.getuid?.() === 0;
/** A user who owns nothing here. */
const SOMEBODY = 65_534;
const FORGED = { ok: true, result: { daemon: { state: 'forged' } } };

/** An environment without XDG_RUNTIME_DIR, in which the folder for temporary files is that of everybody. */
function withoutRuntimeDir(sandbox: Sandbox): { env: NodeJS.ProcessEnv; made: string } {
  const tmp = path.join(sandbox.folder, 'tmp');
  fs.mkdirSync(tmp);
  fs.chmodSync(tmp, 0o1777);
  return {
    env: { XDG_RUNTIME_DIR: undefined, TMPDIR: tmp },
    made: path.join(tmp, `vault-steward-${process.getuid?.()}`),
  };
}

/** A server that answers for a daemon. */
async function forger(socket: string): Promise<{ asked: () => number; close: () => void }> {
  let asked = 0;
  const server = net.createServer((connection) => {
    asked += 1;
    connection.on('error', () => {});
    connection.end(`${JSON.stringify(FORGED)}\n`);
  });
  server.listen(socket);
  await once(server, 'listening');
  return { asked: () => asked, close: () => server.close() };
}

/** The socket a daemon of the sandbox's vault would have below a runtime folder. */
async function socketBelow(sandbox: Sandbox, runtime: string): Promise<string> {
  const daemon = await started(sandbox);
  const name = path.basename(holderIn(sandbox).socket);
  daemon.kill('SIGTERM');
  await daemon.ended;
  return path.join(runtime, 'vault-steward', name);
}

async function refusesAll(sandbox: Sandbox, env: NodeJS.ProcessEnv): Promise<void> {
  for (const command of ['run', 'status', 'tick']) {
    const { exit, stdout, stderr } = await sandbox.steward([command, '--vault', 'vault'], env);
    expect({ command, exit, stderr }).toEqual({ command, exit: 75, stderr: expect.stringContaining('socket-place') });
    expect(stdout).not.toContain('forged');
  }
}

describe('who answers for the daemon', () => {
  describe.skipIf(!IS_ROOT)('when another user made its folder first (needs root, to be that user)', () => {
    attack(
      {
        attacker: 'another local user',
        means: 'makes /tmp/vault-steward-<uid> first, and listens there, where XDG_RUNTIME_DIR is not set',
        loss: 'commands would hand their orders to the attacker and believe the answers',
        defence: 'owner and mode of the folder are looked at by daemon and commands, and it is refused (75)',
      },
      async () => {
        await using sandbox = trusting();
        const { env, made } = withoutRuntimeDir(sandbox);
        const socket = await socketBelow(sandbox, made);
        fs.mkdirSync(path.dirname(socket), { recursive: true });
        const theirs = await forger(socket);
        for (const file of [made, path.dirname(socket), socket]) fs.chownSync(file, SOMEBODY, SOMEBODY);
        await refusesAll(sandbox, env);
        theirs.close();
        expect(theirs.asked()).toBe(0);
      },
    );

    attack(
      {
        attacker: 'another local user',
        means: 'makes only the outer folder, so that the inner one is ours and can be moved away later',
        loss: 'the attacker could put a folder of their own in its place at any time',
        defence: 'the folder around it must be ours or root’s, and closed or sticky',
      },
      async () => {
        await using sandbox = trusting();
        const { env, made } = withoutRuntimeDir(sandbox);
        const socket = await socketBelow(sandbox, made);
        fs.mkdirSync(path.dirname(socket), { recursive: true, mode: 0o700 });
        fs.chownSync(made, SOMEBODY, SOMEBODY);
        await refusesAll(sandbox, env);
      },
    );

    attack(
      {
        attacker: 'another local user',
        means: 'a socket of theirs stands in our folder, from a time when it was open',
        loss: 'they would answer for the daemon',
        defence: 'a command looks at who owns the socket, too',
      },
      async () => {
        await using sandbox = trusting();
        const socket = await socketBelow(sandbox, path.join(sandbox.folder, '.run'));
        const theirs = await forger(socket);
        fs.chownSync(socket, SOMEBODY, SOMEBODY);
        const { exit, stderr } = await sandbox.steward(['status', '--vault', 'vault']);
        expect({ exit, stderr }).toEqual({ exit: 75, stderr: expect.stringContaining(`uid ${SOMEBODY}`) });
        theirs.close();
        expect(theirs.asked()).toBe(0);
      },
    );
  });

  attack(
    {
      attacker: 'another local user',
      means: 'the socket’s folder is open to everybody',
      loss: 'anybody could put a socket there',
      defence: 'it is refused, and the hint says how to close it',
    },
    async () => {
      await using sandbox = trusting();
      const folder = path.join(sandbox.folder, '.run', 'vault-steward');
      fs.mkdirSync(folder);
      fs.chmodSync(folder, 0o777);
      await refusesAll(sandbox, {});
      expect((await sandbox.steward(['run', '--vault', 'vault'])).stderr).toContain(`chmod 700 ${folder}`);
      fs.chmodSync(folder, 0o700);
      await started(sandbox);
      expect(await sandbox.steward(['status', '--vault', 'vault'])).toMatchObject({ exit: 0 });
    },
  );

  attack(
    {
      attacker: 'another local user',
      means: 'a link in the place of the socket’s folder',
      loss: 'the daemon would listen, and be looked for, where the link leads',
      defence: 'a link is refused',
    },
    async () => {
      await using sandbox = trusting();
      fs.mkdirSync(path.join(sandbox.folder, 'theirs'), { mode: 0o700 });
      fs.symlinkSync(path.join(sandbox.folder, 'theirs'), path.join(sandbox.folder, '.run', 'vault-steward'));
      await refusesAll(sandbox, {});
      expect(fs.readdirSync(path.join(sandbox.folder, 'theirs'))).toEqual([]);
    },
  );
});

/** Clients of a daemon, each with what became of it. */
async function clients(socket: string, count: number): Promise<net.Socket[]> {
  const all = Array.from({ length: count }, () => net.connect(socket).on('error', () => {}));
  await Promise.all(all.map((one) => new Promise((resolve) => one.on('connect', resolve).on('close', resolve))));
  return all;
}

async function allClosed(connections: readonly net.Socket[]): Promise<void> {
  await expect.poll(() => connections.filter((one) => !one.closed).length).toBe(0);
}

// A busy machine may let the daemon seem stalled for a moment.
async function answers(sandbox: Sandbox): Promise<void> {
  const state = async () => {
    const { exit, stdout } = await sandbox.steward(['status', '--vault', 'vault', '--json']);
    expect(exit).toBe(0);
    return JSON.parse(stdout).daemon.state;
  };
  await expect.poll(state).toBe('running');
}

describe('clients that mean no good', () => {
  attack(
    {
      attacker: 'another program',
      means: 'a thousand clients that connect and say nothing',
      loss: 'no command would be answered',
      defence: 'the longest silent one gives way to the next; a command is never that one',
    },
    async () => {
      await using sandbox = trusting();
      await started(sandbox);
      const idle = await clients(holderIn(sandbox).socket, 1000);
      await answers(sandbox);
      await allClosed(idle);
      await answers(sandbox);
    },
  );

  attack(
    {
      attacker: 'another program',
      means: 'a client that sends a letter now and then, and never ends its line',
      loss: 'it would be kept for ever, with all that it sent',
      defence: 'the whole line has to be there within five seconds, however lively its sender is',
    },
    async () => {
      await using sandbox = trusting();
      await started(sandbox);
      const [slow] = await clients(holderIn(sandbox).socket, 1);
      const dripping = setInterval(() => slow?.write(' '), 100);
      if (slow !== undefined) await allClosed([slow]);
      clearInterval(dripping);
      await answers(sandbox);
    },
  );

  attack(
    {
      attacker: 'another program',
      means: 'clients that send lines without an end, megabytes each',
      loss: 'the daemon’s memory',
      defence: 'a line has at most a million letters; who sends more is cut off',
    },
    async () => {
      await using sandbox = trusting();
      await started(sandbox);
      const loud = await clients(holderIn(sandbox).socket, 20);
      for (const one of loud) one.write('x'.repeat(2_000_000));
      await allClosed(loud);
      await answers(sandbox);
    },
  );

  attack(
    {
      attacker: 'another program',
      means: 'clients that ask and never take the answer, or go away while it is made',
      loss: 'answers would pile up, or an error would end the daemon',
      defence: 'who does not take the answer within five seconds is cut off; who is gone is forgotten',
    },
    async () => {
      await using sandbox = trusting();
      await started(sandbox);
      const asking = await clients(holderIn(sandbox).socket, 200);
      for (const [nth, one] of asking.entries()) {
        one.pause();
        one.write('{"op":"status"}\n', () => {
          if (nth % 2 === 0) one.destroy();
        });
      }
      await answers(sandbox);
      for (const one of asking) one.destroy();
      await answers(sandbox);
    },
  );

  attack(
    {
      attacker: 'another program',
      means: 'lines that are no request: no JSON, other shapes, a key named __proto__, deep nesting',
      loss: 'the daemon would end, or do what nobody asked for',
      defence: 'each is refused by the schema, and the next client is answered',
    },
    async () => {
      await using sandbox = trusting();
      await started(sandbox);
      const lines = ['', 'null', '[]', '{"op":"undo"}', '{"op":"__proto__"}', `${'['.repeat(100_000)}`, '{"op":1e999}'];
      for (const line of lines) {
        const [one] = await clients(holderIn(sandbox).socket, 1);
        let told = '';
        one?.setEncoding('utf8').on('data', (text: string) => {
          told += text;
        });
        one?.write(`${line}\n`);
        if (one !== undefined) await allClosed([one]);
        expect(JSON.parse(told)).toMatchObject({ ok: false, trouble: { code: 'request-failed' } });
      }
      await answers(sandbox);
    },
  );
});

describe('the socket’s name', () => {
  test('what a killed daemon left is replaced', async () => {
    await using sandbox = trusting();
    const daemon = await started(sandbox);
    const { socket } = holderIn(sandbox);
    daemon.kill('SIGKILL');
    await daemon.ended;
    expect(fs.existsSync(socket)).toBe(true);
    await started(sandbox);
    await answers(sandbox);
    expect(fs.readdirSync(path.dirname(socket))).toEqual([path.basename(socket)]);
  });

  attack(
    {
      attacker: 'the surroundings',
      means: 'a daemon that lost its vault ends, while the next one listens under the same name',
      loss: 'it would take the next one’s socket away as it closes its own',
      defence: 'each listens under a name of its own and takes away only the very file it put there',
    },
    async () => {
      await using sandbox = trusting();
      const first = await started(sandbox);
      first.kill('SIGSTOP');
      fs.rmSync(path.join(sandbox.vault, '.steward', 'lock'));
      await started(sandbox);
      first.kill('SIGCONT');
      expect(await first.ended).toMatchObject({ exit: 75 });
      await answers(sandbox);
    },
  );

  attack(
    {
      attacker: 'the surroundings',
      means: 'a runtime folder with so long a path that no socket can be named in it',
      loss: 'the daemon would listen under a name cut short, or end with a code nobody understands',
      defence: 'it is refused with a sentence that says which variable to set',
    },
    async () => {
      await using sandbox = trusting();
      const env = { XDG_RUNTIME_DIR: path.join(sandbox.folder, 'long'.repeat(30)) };
      const { exit, stderr } = await sandbox.steward(['run', '--vault', 'vault'], env);
      expect({ exit, stderr }).toEqual({ exit: 75, stderr: expect.stringMatching(/too long.*\n.*XDG_RUNTIME_DIR/) });
      expect(await sandbox.steward(['tick', '--vault', 'vault'], { ...LIVE, ...env })).toMatchObject({ exit: 0 });
    },
  );
});
