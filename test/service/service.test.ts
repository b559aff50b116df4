import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { build } from '../stories/support.ts';
import { HOUSE, signal } from '../support/notes.ts';
import { Booted } from './booted.ts';

const VAULT = '/srv/vault';
const UNIT = 'steward@srv-vault.service';
const DROP_IN = `/etc/systemd/system/${UNIT}.d/mine.conf`;
const LINK = '/etc/systemd/system/multi-user.target.wants/steward@srv-vault.service';
/** As short as this test is patient; the unit itself allows a minute. */
const SETTINGS = '[Service]\nEnvironment=STEWARD_LIVE_MODE=live\nWatchdogSec=3\nRestartSec=1\n';

let machine: Booted | null = null;
const booted = (): Booted => {
  if (machine === null) throw new Error('no machine was booted');
  return machine;
};
const system = (...words: string[]) => booted().steward('run', '--vault', VAULT, 'service', ...words, '--system');
const mine = (...words: string[]) => booted().steward('guest', '--vault', '/home/guest/Vault', 'service', ...words);
const property = (name: string) => booted().property(UNIT, name);
const journal = (...words: string[]) =>
  booted().run('journalctl', '-u', UNIT, '--no-pager', '-o', 'cat', ...words).stdout;
/** Waits for what systemd says of the unit. */
const becomes = (name: string, value: string | RegExp) => expect.poll(() => property(name)).toMatch(value);

beforeAll(async () => {
  build();
  machine = await Booted.boot();
  for (const folder of [VAULT, '/home/guest/Vault']) {
    for (const [file, text] of Object.entries(HOUSE)) machine?.write(`${folder}/${file}`, text);
    machine?.run('sh', '-c', `chown -R 4711:4711 ${folder} && find ${folder} -exec touch -d 2020-01-01 {} +`);
  }
  if (machine === null)
    console.warn('No systemd can be booted here: no service is installed for real; these tests are left out.');
});
afterAll(() => machine?.[Symbol.asyncDispose]());

describe("the system's service, under a systemd that was booted", () => {
  test('an install ends once the steward works, in the name of whom the vault belongs to', ({ skip }) => {
    if (machine === null) return skip();
    expect(system('status')).toMatchObject({ exit: 1, stdout: expect.stringContaining('No service is installed.') });
    const installed = system('install');
    expect(installed).toMatchObject({ exit: 0, stderr: '' });
    expect(installed.stdout).toContain(`${UNIT} is running: 1 matter, mode shadow.`);
    expect(property('User')).toBe('4711');
    expect(property('ActiveState')).toBe('active');
    expect(system('status')).toMatchObject({ exit: 0, stdout: expect.stringContaining('starts by itself') });
  });

  test('what a person sets stays, and is named; what a person changed in the unit is kept beside it', ({ skip }) => {
    if (machine === null) return skip();
    const unit = '/etc/systemd/system/steward@.service';
    machine.write(DROP_IN, SETTINGS, 'root:root');
    machine.write(unit, machine.read(unit).replace('RestartSec=15', 'RestartSec=7'), 'root:root');
    const again = system('install').stdout;
    expect(again).toContain(`kept ${DROP_IN}`);
    expect(again).toContain(`your version is in ${unit}.before`);
    expect(again).toContain('mode live');
    expect(machine.read(`${unit}.before`)).toContain('RestartSec=7');
    expect(machine.read(unit)).toContain('RestartSec=15');
    expect(system('install').stdout).toContain(`${unit} is up to date`);
  });

  test('it works shut in: it acts, and has a mailbox read by a process with limits', async ({ skip }) => {
    if (machine === null) return skip();
    machine.write(`${VAULT}/stream/box.mbox`, MAILBOX);
    machine.write(`${VAULT}/signal/s1.md`, signal());
    await expect.poll(() => machine?.read(`${VAULT}/task/pay.md`)).toMatch(/state: +'done'/);
    await expect.poll(() => journal()).toContain('read stream/box.mbox');
    expect(journal()).toMatch(/^applied pay: state \(0\.\d+\) signal-action-/m);
    expect(journal()).not.toContain('problem');
  });

  test('journald has the priorities, and one name for all lines', ({ skip }) => {
    if (machine === null) return skip();
    const lines = machine.run('journalctl', '-t', 'steward', '-o', 'json', '--no-pager').stdout.trim().split('\n');
    const entries = lines.map((line): { PRIORITY: string; MESSAGE: string } => JSON.parse(line));
    expect(entries.find(({ MESSAGE }) => MESSAGE.startsWith('started on'))?.PRIORITY).toBe('6');
    expect(entries.find(({ MESSAGE }) => MESSAGE.startsWith('applied'))?.PRIORITY).toBe('5');
    expect(entries.filter(({ MESSAGE }) => /^<\d>/.test(MESSAGE))).toEqual([]);
  });

  test('it pings: longer than the watchdog waits, it is not restarted; stopped from without, it is', async ({
    skip,
  }) => {
    if (machine === null) return skip();
    const first = Number(property('WatchdogTimestampMonotonic'));
    await expect.poll(() => Number(property('WatchdogTimestampMonotonic')) - first).toBeGreaterThan(4_000_000);
    expect(property('NRestarts')).toBe('0');
    const pid = property('MainPID');
    machine.run('systemctl', 'kill', '--kill-whom=main', '--signal=SIGSTOP', UNIT);
    await becomes('NRestarts', /^1$/);
    await becomes('ActiveState', /^active$/);
    expect(property('MainPID')).not.toBe(pid);
    expect(journal()).toContain('Watchdog timeout');
  });

  test('killed, it is started again and works on', async ({ skip }) => {
    if (machine === null) return skip();
    machine.run('systemctl', 'kill', '--kill-whom=main', '--signal=SIGKILL', UNIT);
    await becomes('NRestarts', /^2$/);
    await becomes('ActiveState', /^active$/);
    expect(system('status').stdout).toContain('started again 2 times');
  });

  test('stopped, it ends in order', ({ skip }) => {
    if (machine === null) return skip();
    expect(machine.run('systemctl', 'stop', UNIT).exit).toBe(0);
    expect(property('Result')).toBe('success');
    expect(journal('-n', '8')).toMatch(/^stopped$/m);
    expect(machine.run('test', '-e', `${VAULT}/.steward/lock`).exit).toBe(1);
    expect(system('status')).toMatchObject({ exit: 1, stdout: expect.stringContaining('does not run') });
  });

  test('a wrong setting ends it for good, and the journal says which', async ({ skip }) => {
    if (machine === null) return skip();
    machine.write(DROP_IN, `${SETTINGS}Environment=STEWARD_CONFIDENCE_THRESHOLD=seven\n`, 'root:root');
    expect(system('install')).toMatchObject({ exit: 1, stderr: expect.stringContaining('service-refused') });
    await becomes('ActiveState', /^failed$/);
    expect(property('ExecMainStatus')).toBe('78');
    expect(system('status').stdout).toContain('a setting is wrong (78); correct it');
    const [last] = machine.run('journalctl', '-t', 'steward', '-o', 'json', '-n', '1').stdout.split('\n');
    expect(JSON.parse(last ?? '')).toMatchObject({
      PRIORITY: '3',
      MESSAGE: expect.stringContaining('STEWARD_CONFIDENCE'),
    });
  });

  test('a Node that is gone is named', ({ skip }) => {
    if (machine === null) return skip();
    const unit = '/etc/systemd/system/steward@.service';
    const text = machine.read(unit);
    machine.write(unit, text.replace(/^ExecStart=:"[^"]*"/m, 'ExecStart=:"/opt/node 21/bin/node"'), 'root:root');
    expect(system('status').stdout).toContain('/opt/node 21/bin/node is gone: run `steward service install` again');
    machine.write(unit, text, 'root:root');
  });

  test('an uninstall leaves what a person wrote, and nothing else', ({ skip }) => {
    if (machine === null) return skip();
    const removed = system('uninstall');
    expect(removed).toMatchObject({ exit: 0, stderr: '' });
    expect(removed.stdout).toContain(`Yours, and kept: ${DROP_IN}`);
    const left = machine
      .run('find', '/etc/systemd', '/run/systemd/system', '-name', '*steward@*')
      .stdout.trim()
      .split('\n');
    expect(left.sort()).toEqual(
      [`/etc/systemd/system/${UNIT}.d`, '/etc/systemd/system/steward@.service.before'].sort(),
    );
    expect(machine.run('test', '-L', LINK).exit).toBe(1);
    expect(machine.run('systemctl', 'list-units', '--all', '--no-legend', 'steward@*').stdout).toBe('');
    expect(system('uninstall').exit).toBe(1);
  });
});

describe('`leave`', () => {
  test("stops and removes the system's service: no unit, no timer and no file of Steward stays", async ({ skip }) => {
    if (machine === null) return skip();
    machine.run('rm', '-r', `/etc/systemd/system/${UNIT}.d`, '/etc/systemd/system/steward@.service.before');
    expect(system('install')).toMatchObject({ exit: 0, stderr: '' });
    await becomes('ActiveState', /^active$/);
    const left = machine.steward('run', '--vault', VAULT, 'leave', '--yes');
    expect(left).toMatchObject({ exit: 0, stderr: '' });
    expect(left.stdout).toContain(`Stops: the service ${UNIT}`);
    expect(units(machine, 'run')).toBe('');
    expect(machine.run('find', '/etc/systemd', '/run/systemd/system', '-name', '*steward@*').stdout).toBe('');
    expect(madeIn(machine, VAULT)).toEqual([]);
  });
});

/** What `leave` keeps of a vault in which Steward worked: its `steward.md` has text of its own. */
const KEPT = ['event', 'matter', 'signal', 'steward.md', 'stream', 'task'];

/** What is in a vault apart from that. */
function madeIn(of: Booted, vault: string): string[] {
  const names = of.run('ls', '-A', vault).stdout.trim().split('\n');
  expect(names).toContain('task');
  return names.filter((name) => !KEPT.includes(name));
}

/** The units and timers of Steward that systemd has loaded or enabled. */
function units(of: Booted, who: 'run' | 'guest'): string {
  const manager = who === 'guest' ? ['--user'] : [];
  return ['list-units', 'list-timers', 'list-unit-files']
    .map((list) => of[who]('systemctl', ...manager, list, '--all', '--no-legend', 'steward.*', 'steward@*').stdout)
    .join('');
}

describe("a person's own service", () => {
  test('is installed, works, is stopped and leaves nothing', async ({ skip }) => {
    if (machine === null) return skip();
    if (machine.run('systemctl', 'start', 'user@4711.service').exit !== 0) {
      console.warn(
        'Nobody can log in to the booted systemd (no pam_systemd): no service of a person is installed for real.',
      );
      return skip();
    }
    const installed = mine('install');
    expect(installed).toMatchObject({ exit: 0, stderr: '' });
    expect(installed.stdout).toContain('steward.service is running: 1 matter, mode shadow.');
    expect(installed.stdout).toContain('loginctl enable-linger');
    machine.write('/home/guest/Vault/signal/s1.md', signal());
    const status = mine('status', '--json');
    expect(JSON.parse(status.stdout)).toMatchObject({ schemaVersion: 1, state: 'active', starts: true, restarts: 0 });
    await expect.poll(() => machine?.run('sh', '-c', 'ls -R /home/guest/Vault/event').stdout).toContain('.md');
    expect(mine('uninstall')).toMatchObject({ exit: 0, stderr: '' });
    expect(machine.run('find', '/home/guest/.config', '-name', '*steward*').stdout).toBe('');
  });

  test('is stopped and removed by `leave`, with all that Steward made in the vault', async ({ skip }) => {
    if (machine === null || machine.run('systemctl', 'start', 'user@4711.service').exit !== 0) return skip();
    expect(mine('install')).toMatchObject({ exit: 0, stderr: '' });
    expect(units(machine, 'guest')).toContain('steward.service');
    const left = machine.steward('guest', '--vault', '/home/guest/Vault', 'leave', '--yes');
    expect(left).toMatchObject({ exit: 0, stderr: '' });
    expect(left.stdout).toContain('Stops: the service steward.service');
    expect(units(machine, 'guest')).toBe('');
    expect(machine.run('find', '/home/guest/.config', '-name', '*steward*').stdout).toBe('');
    expect(madeIn(machine, '/home/guest/Vault')).toEqual([]);
  });

  test('without a systemd of one’s own, it says so', ({ skip }) => {
    if (machine === null) return skip();
    machine.run('systemctl', 'stop', 'user@4711.service');
    expect(mine('install')).toMatchObject({ exit: 1, stderr: expect.stringContaining('Log in as yourself') });
  });
});

const MAILBOX = `From - Mon Nov 23 10:00:00 2026
From: Alma <alma@roof.example>
To: guest@home.example
Subject: The roof
Date: Mon, 23 Nov 2026 10:00:00 +0000
Message-ID: <one@roof.example>

The roof is done.
`;
