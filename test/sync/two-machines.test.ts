import { describe, expect, test } from 'vitest';
import { type Running, Sandbox } from '../stories/support.ts';
import { matter, PAID_MAIL, SELDOM, settings, signal, task } from '../support/notes.ts';
import { namesIn } from '../support/placed.ts';
import { Peers, seeded } from './peers.ts';

const LIVE = { STEWARD_LIVE_MODE: 'live' };
const OPEN = { poll: { interval: 50 } } as const;
const NAMES = ['t0', 't1', 't2', 't3', 't4', 't5'];
const ALL = [...NAMES, 'both'];
/** What the mail is about, whatever has become of the other tasks when it is read. */
const OF_MAIL = 'pay';

/** Two machines with a daemon each, and their folders, which begin with the same notes. */
class Machines implements AsyncDisposable {
  readonly boxes: readonly [Sandbox, Sandbox] = [new Sandbox('none'), new Sandbox('none')];
  readonly peers: Peers;
  #daemons: Running[] = [];

  constructor(seed: number, ignores: (file: string) => boolean) {
    const [a, b] = this.boxes;
    for (const box of this.boxes) {
      box.write('steward.md', settings({ default_schedule: SELDOM }));
      box.write('matter/house.md', matter({ summary: 'Buying the house', senders: ['billing@roof.example'] }));
      for (const name of [...ALL, OF_MAIL]) box.write(`task/${name}.md`, openTask(name));
    }
    this.peers = new Peers([a.vault, b.vault], { random: seeded(seed), longest: 20, ignores });
  }

  async start(): Promise<void> {
    for (const box of this.boxes) this.#daemons.push(box.start('steward run --vault vault', LIVE));
    for (const one of this.#daemons) await one.line((line) => line.includes('started on'), 'started on');
  }

  /** Drops signals on either machine while the sync goes on, one on both before it begins, and a mail on the first. */
  async dropAll(): Promise<void> {
    for (const [nth, box] of this.boxes.entries()) {
      drop(box, 'both');
      await this.#daemons[nth]?.line((line) => line.includes('acted task/both.md'), 'acted');
    }
    for (const [nth, name] of NAMES.entries()) {
      drop(nth % 2 === 0 ? this.boxes[0] : this.boxes[1], name);
      this.peers.turn();
    }
    this.boxes[0].write('stream/paid.eml', PAID_MAIL);
    const isRead = () => this.boxes.every(({ vault }) => namesIn(vault, 'signal').some(isOfMail));
    await this.until(() => isRead() && ALL.every((name) => this.states(name).join() === 'done,done'));
  }

  /** Syncs until something holds, and nothing is under way. */
  async until(holds: () => boolean): Promise<void> {
    const look = () => {
      this.peers.turn();
      return this.peers.isQuiet && holds();
    };
    await expect.poll(look, OPEN.poll).toBe(true);
  }

  /** The states of a task on both machines. */
  states(name: string): string[] {
    return this.boxes.map((box) => /^state: (\w+)/m.exec(box.read(`task/${name}.md`))?.[1] ?? '');
  }

  /** The event notes of acts on a task, as they lie on one machine. */
  acts(name: string): string[] {
    return namesIn(this.boxes[0].vault, 'event').filter(
      (file) => file.endsWith(`-${name}.md`) && file.startsWith('signal-action-2'),
    );
  }

  async stop(): Promise<{ exit: number | string; acted: string[]; stderr: string }[]> {
    for (const one of this.#daemons) one.kill('SIGTERM');
    const ended = await Promise.all(this.#daemons.splice(0).map((one) => one.ended));
    return ended.map(({ exit, stdout, stderr }) => ({
      exit,
      stderr,
      acted: [...stdout.matchAll(/acted task\/(\w+)\.md/g)].map(([, name]) => name ?? ''),
    }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const box of this.boxes) await box[Symbol.asyncDispose]();
  }
}

function openTask(name: string): string {
  return task({}, `Task ${name}`);
}

function doneTask(name: string): string {
  return openTask(name).replace('state: open', 'state: done');
}

function drop(box: Sandbox, name: string): void {
  box.write(`signal/s-${name}.md`, signal({ target_path: `task/${name}.md`, raw_quote: `${name} is paid` }));
}

function isOfMail(signal: string): boolean {
  return /^\d/.test(signal) && !signal.includes('sync-conflict');
}

const OWN_STEWARD = (file: string) => file.startsWith('.steward');
const TEMPORARY = (file: string) => /\.part$|^\.steward\/(tmp|journal)|\.\d+$/.test(file);

describe.each([1, 2, 3])('two daemons, and a sync that is late, early and out of order (%d)', (seed) => {
  test('each with a .steward of its own: each signal changes its note once, and is taken back once', async () => {
    await using machines = new Machines(seed, OWN_STEWARD);
    await machines.start();
    await machines.dropAll();
    // Nothing of it is done again, whatever is asked, and whatever a person has done since.
    for (const box of machines.boxes) box.write('task/t0.md', openTask('t0'));
    await machines.until(() => machines.states('t0').join() === 'open,open');
    const before = ALL.map((name) => machines.acts(name).length);
    for (const box of machines.boxes) {
      expect(await box.steward(['tick', '--force', '--vault', 'vault'], LIVE)).toMatchObject({ exit: 0, stderr: '' });
    }
    await machines.until(() => true);
    expect(machines.states('t0')).toEqual(['open', 'open']);
    expect(ALL.map((name) => machines.acts(name).length)).toEqual(before);
    for (const { exit, acted } of await machines.stop()) {
      expect(exit).toBe(0);
      expect(acted).toEqual([...new Set(acted)]);
    }
    // The notes themselves have met without a conflict.
    expect(machines.peers.conflicts.filter((file) => /^(task|matter)\//.test(file))).toEqual([]);
    for (const box of machines.boxes) {
      for (const name of ALL.slice(1)) expect(box.read(`task/${name}.md`)).toBe(doneTask(name));
    }
    // Both have read the mail, and given its signal one name.
    expect(namesIn(machines.boxes[0].vault, 'signal').filter(isOfMail)).toHaveLength(1);
    // Two records of one act, or one where both were of the same second: taken back once.
    const [box] = machines.boxes;
    const records = machines.acts('both').map((file) => file.replace(/\.md$/, ''));
    const undone = await box.steward(['undo', ...records, '--json', '--vault', 'vault']);
    const outcomes = [...undone.stdout.matchAll(/"outcome":\s*"([\w-]+)"/g)].map(([, outcome]) => outcome);
    expect(outcomes.toSorted()).toEqual([...records.slice(1).map(() => 'already-reversed'), 'reversed']);
    expect(box.read('task/both.md')).toBe(openTask('both'));
  });

  test('with a .steward that is synced too: when the locks have met, one daemon is left, and the other has said so', async () => {
    await using machines = new Machines(seed, TEMPORARY);
    await machines.start();
    await machines.dropAll();
    const ended = await machines.stop();
    expect(ended.map(({ exit }) => exit).toSorted()).toEqual([0, 75]);
    expect(ended.find(({ exit }) => exit === 75)?.stderr).toMatch(
      /The vault’s lock (now belongs to daemon|no longer belongs to this process)/,
    );
    for (const box of machines.boxes) {
      for (const name of ALL) expect(box.read(`task/${name}.md`)).toBe(doneTask(name));
    }
    expect(machines.peers.conflicts.filter((file) => /^(task|matter)\//.test(file))).toEqual([]);
  });
});
