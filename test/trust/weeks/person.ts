import path from 'node:path';
import type { WaitingEntry } from '../../../src/steward/inbox.ts';
import { Random } from '../../endurance/random.ts';
import { DAY } from '../../support/clock.ts';
import { dateOn, type Fact } from './affair.ts';
import { isRecord, type Simulation, taskPath } from './simulation.ts';

const WAYS = ['box', 'file', 'command'] as const;
type Way = (typeof WAYS)[number];
type Gesture = 'confirm' | 'dismiss' | 'later' | 'choose';

/** An answer of the person, and how many gestures it took until it had its effect. */
export interface GivenAnswer {
  readonly entry: WaitingEntry;
  readonly gesture: Gesture;
  readonly way: Way;
  readonly gestures: number;
}

/** What has no event note to be answered in. */
const WITHOUT_NOTE: readonly WaitingEntry['kind'][] = ['licence', 'suspect', 'stopped'];
/** How often the person answers an entry on the evening on which it is seen. */
const ANSWERED_AT_ONCE = 0.7;
const NOT_NOW = 0.07;
/** How long the person waits for Steward before making a change by hand. */
const BY_HAND_AFTER_MS = 2 * DAY;
const BY_HAND_SHARE = 0.5;

/** The user, who knows what is true and answers accordingly. */
export class Person {
  readonly answers: GivenAnswer[] = [];
  readonly #simulation: Simulation;
  readonly #seed: number;

  constructor(simulation: Simulation, seed: number) {
    this.#simulation = simulation;
    this.#seed = seed;
  }

  /** Goes through what waits, answers some of it, and does by hand what Steward hasn't understood. */
  async spendEvening(): Promise<void> {
    const { warnings, waiting } = this.#simulation.status;
    for (const entry of [...warnings, ...waiting]) {
      if (entry.event === null || !this.#chance(ANSWERED_AT_ONCE, `answer ${this.#simulation.day} ${keyOf(entry)}`))
        continue;
      if (!this.#stillWaits(entry)) continue;
      await this.#answer(entry);
    }
    for (const fact of this.#missed())
      if (this.#chance(BY_HAND_SHARE, `hand ${fact.task}`)) this.#simulation.byHand(fact);
    await this.#simulation.pass(60_000);
  }

  async #answer(entry: WaitingEntry): Promise<void> {
    const gesture = this.#gestureFor(entry);
    const way = WITHOUT_NOTE.includes(entry.kind) ? 'command' : (WAYS[this.answers.length % WAYS.length] ?? 'box');
    let gestures = 1;
    await this.#give(entry, gesture, way);
    while (!this.#isSettled(entry, gesture) && gestures < 3) {
      gestures += 1;
      await this.#give(entry, gesture, 'command').catch(() => {});
    }
    this.answers.push({ entry, gesture, way, gestures: this.#isSettled(entry, gesture) ? gestures : 9 });
  }

  #gestureFor(entry: WaitingEntry): Gesture {
    const { kind, answers, warning } = entry;
    if (warning !== null) return 'dismiss';
    if (answers.includes('later') && this.#chance(NOT_NOW, `later ${keyOf(entry)}`)) return 'later';
    if (kind === 'licence') return 'confirm';
    if (kind === 'choice') return isAmong(entry, factBehind(this.#simulation, entry)) ? 'choose' : 'dismiss';
    return answers.includes('confirm') && isTrueOf(this.#simulation, entry) ? 'confirm' : 'dismiss';
  }

  async #give(entry: WaitingEntry, gesture: Gesture, way: Way): Promise<void> {
    const { event } = entry;
    if (event === null) throw new Error(`nothing to answer: ${JSON.stringify(entry)}`);
    const chosen = gesture === 'choose' ? chosenIn(entry, factBehind(this.#simulation, entry)) : null;
    if (way === 'command') await this.#command(event, gesture, chosen);
    else if (way === 'box') this.#tick(event, gesture, chosen);
    else this.#drop(event, gesture, chosen);
    await this.#simulation.minutesUntil(() => this.#isSettled(entry, gesture));
  }

  async #command(event: string, gesture: Gesture, choose: string | null): Promise<void> {
    const kind = gesture === 'confirm' || gesture === 'choose' ? 'confirm' : 'dismiss';
    const later = gesture === 'later';
    await this.#simulation.world.ask({ op: 'answer', kind, events: [event], choose, later, dryRun: false });
  }

  #tick(event: string, gesture: Gesture, chosen: string | null): void {
    const file = path.relative(this.#simulation.world.root, this.#simulation.world.at(`event/${event}.md`));
    const text = this.#simulation.world.read(file);
    const ticked =
      chosen === null
        ? text.replace(new RegExp(`^${gesture}: false$`, 'm'), `${gesture}: true`)
        : text.replace(/^choose:.*$/m, `choose: "${chosen}"`);
    if (ticked === text) throw new Error(`${file} has no box ${gesture}:\n${text}`);
    this.#simulation.write(file, ticked);
  }

  #drop(event: string, gesture: Gesture, chosen: string | null): void {
    const said = gesture === 'confirm' || gesture === 'choose' ? 'confirm' : 'dismiss';
    const [head = ''] = /^(?:steward|signal)-action/.exec(event) ?? [];
    const lines = [
      ...(said === 'confirm' ? [`confirms: "[[${event}]]"`] : [`dismisses: "[[${event}]]"`]),
      ...(gesture === 'later' ? ['later: true'] : []),
      ...(chosen === null ? [] : [`choose: "${chosen}"`]),
    ];
    const file = `event/${head}-${said}ed-by-file-${this.answers.length}.md`;
    this.#simulation.write(file, `---\n${lines.join('\n')}\n---\n`);
  }

  // The same at every run, however many things were decided before.
  #chance(share: number, about: string): boolean {
    const hash = [...about].reduce((sum, letter) => (Math.imul(sum, 31) + letter.charCodeAt(0)) | 0, this.#seed);
    return new Random(hash).chance(share);
  }

  #stillWaits({ event }: WaitingEntry): boolean {
    const { warnings, waiting } = this.#simulation.status;
    return [...warnings, ...waiting].some((one) => one.event === event);
  }

  // Answered means gone from the list, and made if it was a change.
  #isSettled(entry: WaitingEntry, gesture: Gesture): boolean {
    if (this.#stillWaits(entry)) return false;
    const fact = factBehind(this.#simulation, entry);
    return gesture !== 'confirm' || entry.kind === 'licence' || fact === null || this.#simulation.isSo(fact);
  }

  /** What was written to the user some days ago, is true, and isn't in the vault. */
  #missed(): readonly Fact[] {
    const { delivered, now } = this.#simulation;
    const old = delivered.filter(({ at }) => now - at > BY_HAND_AFTER_MS);
    return old
      .flatMap(({ fact }) => fact ?? [])
      .filter((fact) => fact.isFalse !== true && !this.#simulation.isSo(fact))
      .filter(({ task }) => this.#simulation.taskNow(task).isOpen);
  }
}

function keyOf({ kind, mail, target, change }: WaitingEntry): string {
  return `${kind} ${mail} ${target} ${change?.slice(0, 20)}`;
}

/** Returns what the mail behind an entry says; null if it says nothing about a task. */
export function factBehind(simulation: Simulation, { mail, target }: WaitingEntry): Fact | null {
  if (mail === null) return null;
  const [file = ''] = mail.split('#');
  const facts = [
    ...simulation.delivered.flatMap((one) => (one.path === file ? (one.fact ?? []) : [])),
    ...simulation.story.files.flatMap((one) => (one.file === file ? one.facts : [])),
  ];
  return facts.find(({ task }) => taskPath(task) === target) ?? facts[0] ?? null;
}

/**
 * Whether an entry is a real question: the mail behind it is about that task. What somebody asks for may be asked about the
 * matter. Of a late task it is asked whether a mail of somebody whom its matter names settles it: that mail has to be there.
 */
export function isReal(simulation: Simulation, entry: WaitingEntry): boolean {
  const fact = factBehind(simulation, entry);
  if (entry.kind === 'found')
    return simulation.delivered.some(({ path, server }) => path === entry.mail && server === 'confirms');
  if (fact === null) return false;
  if (entry.kind === 'choice') return isAmong(entry, fact);
  const places = [taskPath(fact.task), ...(entry.kind === 'question' ? [simulation.matterPath(fact.task)] : [])];
  return places.some((place) => place === entry.target);
}

/** Whether the mail behind an entry says just what is asked: the task, and the change. */
export function isMeant(simulation: Simulation, entry: WaitingEntry): boolean {
  const fact = factBehind(simulation, entry);
  if (fact === null || !isReal(simulation, entry)) return false;
  if (entry.kind === 'choice') return isAskedAs(entry, fact);
  if (entry.kind === 'question') return fact.is === 'asked';
  if (entry.target !== taskPath(fact.task)) return false;
  return entry.kind === 'found' || agrees(simulation, entry, fact);
}

/** What a task may be after it was cancelled. */
const CANCELLED: readonly string[] = ['archived', 'cancelled', 'done'];
/** Why these aren't simply done is in the question itself. */
const SELF_EXPLAINING: readonly WaitingEntry['kind'][] = ['choice', 'found'];

/** Whether an entry is a question as the contract wants it: who said what where, why it isn't simply done, and its answers. */
export function isComplete({ from, quote, mail, why, answers, kind, told }: WaitingEntry): boolean {
  if (kind === 'licence') return told !== null && answers.length > 0;
  return (
    from !== null &&
    quote !== null &&
    mail !== null &&
    answers.length > 0 &&
    (why.length > 0 || SELF_EXPLAINING.includes(kind))
  );
}

function isTrueOf(simulation: Simulation, entry: WaitingEntry): boolean {
  const fact = factBehind(simulation, entry);
  if (fact === null || fact.isFalse === true || !isMeant(simulation, entry)) return false;
  return entry.kind !== 'found' || fact.is === 'done';
}

function agrees(simulation: Simulation, { event }: WaitingEntry, fact: Fact): boolean {
  const changes = event === null ? {} : simulation.fields(eventPath(simulation, event)).changes;
  const after = (field: string) => {
    const change = isRecord(changes) ? changes[field] : undefined;
    return isRecord(change) ? String(change.after) : null;
  };
  const state = after('state') ?? after('status') ?? '';
  if (fact.is === 'moved') return after('due')?.startsWith(dateOn(fact.day)) === true;
  if (fact.is === 'done') return state === 'done';
  return fact.is === 'cancelled' && CANCELLED.includes(state);
}

// Which note a choice is about is asked; what would be changed there is in its words.
function isAskedAs({ change }: WaitingEntry, fact: Fact): boolean {
  const [, field, after = ''] = /^(state|due) → (\S+)/.exec(change ?? '') ?? [];
  if (fact.is === 'moved') return field === 'due' && after === dateOn(fact.day);
  return (
    field === 'state' && (fact.is === 'done' ? after === 'done' : fact.is === 'cancelled' && CANCELLED.includes(after))
  );
}

function eventPath({ world }: Simulation, event: string): string {
  return path.relative(world.root, world.at(`event/${event}.md`));
}

function isAmong({ candidates }: WaitingEntry, fact: Fact | null): boolean {
  return fact !== null && candidates.some((one) => one.includes(fact.task));
}

function chosenIn({ candidates }: WaitingEntry, fact: Fact | null): string {
  const chosen = candidates.find((one) => fact !== null && one.includes(fact.task));
  if (chosen === undefined) throw new Error('no candidate is meant');
  return chosen;
}
