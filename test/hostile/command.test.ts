import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, vi } from 'vitest';
import { sourceSettings } from '../../src/sources/source.ts';
import { opened, printing, processesWith, program, programFolder } from '../sources/programs.ts';
import { attack } from './attack.ts';

const PROGRAM = { attacker: 'another program' } as const;
const SHORT = { limits: { limitMs: 500, graceMs: 300 } };
const EVENT = { id: '1', title: 'An event' };

attack(
  {
    ...PROGRAM,
    means: 'a command that never ends, hears no SIGTERM, forks, and has children that leave its group and its terminal',
    loss: 'processes that go on for ever, more with each run',
    defence: 'its group is killed, and whoever still has its folder in the environment',
  },
  async () => {
    const mark = `vs-mark-${process.pid}`;
    const text = `trap '' TERM
setsid sh -c 'trap "" TERM HUP; sleep 611; : ${mark}' &
( ( setsid nohup sleep 612 >/dev/null 2>&1 & ) & )
sh -c 'sleep 613; : ${mark}' &
sleep 614`;
    const file = program(text);
    // Other programs of this machine are not its own.
    vi.stubEnv('TMPDIR', path.dirname(file));
    onTestFinished(() => void vi.unstubAllEnvs());
    const { session } = await opened([file, mark], SHORT);
    await expect(session.poll()).rejects.toThrow('it ran for longer than 0.5 s');
    expect(processesWith(`TMPDIR=${path.dirname(file)}/steward-command-`)).toEqual([]);
    expect([mark, 'sleep\u0000612'].flatMap(processesWith)).toEqual([]);
  },
);

attack(
  {
    ...PROGRAM,
    means: 'a command that ends at once, and leaves a child that holds its output open and prints on',
    loss: 'a visit that never ends, or events after the end',
    defence: 'with its first process all of it is ended',
  },
  async () => {
    const file = program(`(while :; do echo '{"id":"late","title":"x"}'; sleep 0.2; done) &\n${printing(EVENT)}`);
    const { session } = await opened([file]);
    expect(await session.poll()).toEqual([]);
    expect(processesWith(file)).toEqual([]);
  },
);

attack(
  {
    ...PROGRAM,
    means: 'a command that prints binary rubbish, one line without end, or control characters in its words',
    loss: 'memory, or a terminal or note that shows what it wants',
    defence: 'a line of 300 KiB, 10 MiB a run, a hundred bad lines; of a bad line only its number is told',
  },
  async () => {
    const endless = await opened([program("tr '\\0' x < /dev/zero")]);
    const before = process.memoryUsage().rss;
    await expect(endless.session.poll()).rejects.toThrow('it printed more than 10240 KiB');
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024);
    const rubbish = await opened([program(`printf '\\033]0;owned\\007{"id":"x"}\\n'; ${printing(EVENT)}`)]);
    const [problem] = await rubbish.session.poll();
    expect(problem?.message).toBe(
      'Of what the program printed, one line is no event (line 1: it is not JSON in UTF-8).',
    );
    const titled = await opened([program(`printf '{"id":"2","title":"a\\\\u001b]0;owned\\\\u0007b"}\\n'`)]);
    expect((await titled.session.describe()).join('')).toBe('It ran, and gave one event:  a]0;ownedb');
  },
);

attack(
  {
    ...PROGRAM,
    means: 'a command that writes a file without end, dumps its memory, or computes for ever',
    loss: 'the disk, what was in its memory, the processor',
    defence: 'limits of its own: 256 MiB a file, no core file, a minute; its folder is removed',
  },
  async () => {
    const out = programFolder();
    const file = program(`pwd > ${out}/pwd; dd if=/dev/zero of=big bs=1 count=1 seek=300000000 2>/dev/null || exit 7`);
    const { session } = await opened([file]);
    await expect(session.poll()).rejects.toThrow('The program ended with exit code 7.');
    expect(fs.existsSync(fs.readFileSync(path.join(out, 'pwd'), 'utf8').trim())).toBe(false);
    const busy = await opened([program('while :; do :; done')], SHORT);
    await expect(busy.session.poll()).rejects.toThrow('it ran for longer than 0.5 s');
  },
);

attack(
  {
    attacker: 'a sync peer',
    means: 'a source note that names a program, its arguments, an environment or a folder',
    loss: 'a program of theirs runs on this machine',
    defence: 'a note says when, never what: the program is what a person allowed on this machine',
  },
  () => {
    const note = { kind: 'command', every: '1h', command: '/bin/sh -c evil', argv: ['/bin/sh'], env: { PATH: '.' } };
    expect(sourceSettings.parse(note)).toEqual({ kind: 'command', every: 3_600_000, paused: false });
  },
);

attack(
  {
    ...PROGRAM,
    means: 'a program of the same name in a folder of the PATH',
    loss: 'it runs in place of the one that was allowed',
    defence: 'a program is named by its whole path, or not run',
  },
  async () => {
    const file = program(printing(EVENT));
    const environment = { PATH: path.dirname(file) };
    await expect(opened([path.basename(file)], { environment })).rejects.toMatchObject({ kind: 'setup' });
  },
);

attack(
  {
    attacker: 'the surroundings',
    means: 'the daemon is killed while a command runs',
    loss: 'the command runs on, and beside it the one of the next start',
    defence: 'where the system has setpriv, it ends with its parent',
  },
  async () => {
    const out = programFolder();
    const file = program(`echo > ${out}/ready\nexec sleep 615`);
    const parent = visiting(file);
    await expect.poll(() => fs.existsSync(`${out}/ready`)).toBe(true);
    parent.kill('SIGKILL');
    await expect.poll(() => processesWith('sleep\u0000615')).toEqual([]);
  },
);

/** Another process that visits a command, as the daemon does. */
function visiting(file: string): ChildProcess {
  const module = path.resolve(import.meta.dirname, '../../src/sources/command.ts');
  const script = `
    const { commandSource } = await import(${JSON.stringify(module)});
    const inlet = { now: Date.now, knows: () => false, cursor: () => null, put: async () => {}, checkRelevance: async () => 'pass' };
    const parts = { argv: [${JSON.stringify(file)}], credential: null, environment: { PATH: process.env.PATH } };
    await (await commandSource(parts).open(inlet, new AbortController().signal)).poll();`;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'ignore' });
  onTestFinished(() => void parent.kill('SIGKILL'));
  return parent;
}
