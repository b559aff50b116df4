import { describe, expect, onTestFinished, test } from 'vitest';
import { NtfyServer } from '../servers/ntfy-server.ts';
import { type Running, Sandbox } from '../stories/support.ts';
import { matter, PAID_MAIL, SELDOM, settings, signal, task } from '../support/notes.ts';
import { namesIn } from '../support/placed.ts';
import { Peers, seeded } from './peers.ts';

/** How many orders of a sync are tried. */
const SEEDS = Array.from({ length: Number(process.env.SEEDS ?? 1) }, (_, nth) => nth + 1);
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
      await this.#daemons[nth]?.line((line) => line.includes('applied both'), 'acted');
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
      acted: [...stdout.matchAll(/applied (\w+):/g)].map(([, name]) => name ?? ''),
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

describe.each(SEEDS)('two daemons, and a sync that is late, early and out of order (%d)', (seed) => {
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
    // The notes themselves have met without a conflict. Of the mail's, one machine may have asked what the other did.
    const conflicts = machines.peers.conflicts.filter((file) => /^(task|matter)\//.test(file));
    expect(conflicts.filter((file) => file !== `task/${OF_MAIL}.md`)).toEqual([]);
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

const SENDER = 'billing@roof.example';
const SIDES = [0, 1] as const;
/** Each is the subject of a mail of its own. */
const PAID = ['gutter', 'chimney', 'window', 'door', 'fence'];
/** At no hour is it quiet; dropped signals of a chat act, so that each machine can be made to send a message. */
const TALKATIVE = {
  ...{ settle_seconds: 1, default_schedule: SELDOM, trusted_signal_sources: ['slack'] },
  ...{ notify_quiet_hours: 'none', notify_digest_at: 'never', notify_at_most: 20 },
};

/** Two machines, each with a key and a `.steward` of its own, on which the user lets the sender of the mails act. */
class Licensed implements AsyncDisposable {
  readonly boxes: readonly [Sandbox, Sandbox] = [new Sandbox('none'), new Sandbox('none')];
  readonly peers: Peers;
  readonly #ntfy: NtfyServer;
  readonly #daemons: [Running | null, Running | null] = [null, null];

  private constructor(ntfy: NtfyServer, seed: number) {
    this.#ntfy = ntfy;
    for (const box of this.boxes) {
      box.write('steward.md', settings(TALKATIVE));
      box.write('matter/house.md', matter({ summary: 'Buying the house', senders: [SENDER] }));
      for (const name of [...PAID, 't0', 't1']) box.write(`task/${name}.md`, openTask(name));
    }
    const [{ vault: a }, { vault: b }] = this.boxes;
    this.peers = new Peers([a, b], { random: seeded(seed), longest: 20, ignores: OWN_STEWARD });
  }

  static async open(seed: number): Promise<Licensed> {
    const ntfy = await NtfyServer.start();
    onTestFinished(() => ntfy.close());
    const machines = new Licensed(ntfy, seed);
    for (const side of SIDES) await machines.start(side);
    await machines.#allow();
    return machines;
  }

  get env(): NodeJS.ProcessEnv {
    return { ...LIVE, STEWARD_NOTIFY_NTFY: `${this.#ntfy.url}/both` };
  }

  async start(side: 0 | 1): Promise<void> {
    this.#daemons[side] = this.boxes[side].start('steward run --vault vault', this.env);
    await this.said(side, 'started on');
  }

  async stop(side: 0 | 1): Promise<void> {
    this.#daemons[side]?.kill('SIGTERM');
    expect(await this.#daemons[side]?.ended).toMatchObject({ exit: 0, stderr: '' });
    this.#daemons[side] = null;
  }

  async said(side: 0 | 1, words: string): Promise<void> {
    await this.#daemons[side]?.line((line) => line.includes(words), words);
  }

  /** A mail arrives on one machine, which acts on it. */
  async mail(side: 0 | 1, task: string): Promise<void> {
    const mail = PAID_MAIL.replaceAll('[[pay]]', `[[${task}]]`).replace('<1@', `<${task}@`);
    this.boxes[side].write(`stream/${task}.eml`, mail);
    await this.said(side, `applied ${task}`);
  }

  /** Syncs until something holds on both machines, and nothing is under way. */
  async sync(holds: () => boolean = () => true): Promise<void> {
    const look = () => {
      this.peers.turn();
      return this.peers.isQuiet && holds();
    };
    await expect.poll(look, OPEN.poll).toBe(true);
  }

  async synced(task: string): Promise<void> {
    await this.sync(() => this.states(task).join() === 'done,done' && this.acts(task).every((count) => count > 0));
  }

  /** How often messages name a task, from either machine. */
  messages(task: string): number {
    const lines = this.#ntfy.messages.flatMap(({ title = '', message = '' }) => `${title}\n${message}`.split('\n'));
    return lines.filter((line) => line.includes(`: ${task}`)).length;
  }

  /** Waits until each machine has sent everything that it has to say. Nothing is synced any more. */
  async everythingSaid(): Promise<void> {
    for (const side of SIDES) {
      const target = `task/t${side}.md`;
      this.boxes[side].write(`signal/s${side}.md`, signal({ source_type: 'slack', target_path: target }));
    }
    await expect.poll(() => SIDES.map((side) => this.messages(`t${side}`)), OPEN.poll).toEqual([1, 1]);
  }

  states(task: string): string[] {
    return this.boxes.map((box) => /^state: (\w+)/m.exec(box.read(`task/${task}.md`))?.[1] ?? '');
  }

  /** How many records of an act on a task each machine has. */
  acts(task: string): number[] {
    return this.boxes.map(({ vault }) => namesIn(vault, 'event').filter((file) => file.endsWith(`-${task}.md`)).length);
  }

  // The user signs on the first machine, and says on the second that the note is theirs.
  async #allow(): Promise<void> {
    const [a, b] = this.boxes;
    const sign = ['licence', 'sign', SENDER, '--matter', 'house', '--vault', 'vault'];
    expect(await a.steward(sign, this.env)).toMatchObject({ exit: 0 });
    await this.sync(() => namesIn(b.vault, 'licence').length === 1);
    const [note = ''] = namesIn(b.vault, 'licence');
    const agree = ['confirm', note.replace(/\.md$/, ''), '--vault', 'vault'];
    await expect.poll(async () => (await b.steward(agree, this.env)).exit, { interval: 200 }).toBe(0);
    await this.sync();
  }

  /** How the licence counts on each machine. */
  async licences(): Promise<string[]> {
    const listed = this.boxes.map((box) => box.steward(['licence', '--vault', 'vault'], this.env));
    return (await Promise.all(listed)).map(({ stdout }) => /^\w+/.exec(stdout)?.[0] ?? '');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const box of this.boxes) await box[Symbol.asyncDispose]();
  }
}

/** Each message waits a minute for the sync. */
const SLOW = { timeout: 600_000 };

test.each(SEEDS)(
  'two machines that are licensed and notify: each mail has one effect and one message (%d)',
  SLOW,
  async (seed) => {
    await using machines = await Licensed.open(seed);
    expect(await machines.licences()).toEqual(['signed', 'signed']);
    // The sync goes on meanwhile.
    await machines.mail(0, 'gutter');
    await machines.synced('gutter');
    // The copy comes after the action and its message.
    await machines.mail(0, 'chimney');
    await expect.poll(() => machines.messages('chimney'), OPEN.poll).toBe(1);
    await machines.synced('chimney');
    // Either machine is off meanwhile, and comes back after the copy.
    for (const [off, task] of [
      [1, 'window'],
      [0, 'door'],
    ] as const) {
      await machines.stop(off);
      await machines.mail(off === 0 ? 1 : 0, task);
      await machines.synced(task);
      await machines.start(off);
    }
    // Both have the mail, and act before they see each other: the same bytes. The sync is late.
    machines.peers.disconnect(20_000);
    await Promise.all(SIDES.map((side) => machines.mail(side, 'fence')));
    await machines.synced('fence');

    await machines.everythingSaid();
    for (const task of PAID) {
      const [here, there] = machines.acts(task);
      const seen = { task, states: machines.states(task), isAlike: here === there, messages: machines.messages(task) };
      expect(seen).toEqual({ task, states: ['done', 'done'], isAlike: true, messages: 1 });
    }
    expect(machines.peers.conflicts.filter((file) => !/^(signal|event)\//.test(file))).toEqual([]);

    // Whoever takes one back on the second machine ends the licence on both.
    const [, b] = machines.boxes;
    const [act = ''] = namesIn(b.vault, 'event').filter((file) => file.endsWith('-chimney.md'));
    const undo = ['undo', act.replace(/\.md$/, ''), '--vault', 'vault'];
    expect(await b.steward(undo, machines.env)).toMatchObject({ exit: 0 });
    await machines.sync(() => machines.states('chimney').join() === 'open,open');
    await expect.poll(() => machines.licences()).toEqual(['ended', 'ended']);
  },
);
