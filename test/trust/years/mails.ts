import { Random } from '../../endurance/random.ts';
import {
  ANEW_DAYS,
  BEFOREHAND,
  CHATTER,
  DAYS,
  DOUBT,
  FORGERY_DENIED,
  READINGS,
  STATEMENTS,
  SURENESS,
  TASKS_PER_MATTER,
  VOUCHED,
} from './assumed.ts';
import { type Sender, wrongShare } from './cast.ts';
import type { Truth } from './truth.ts';

/** No mail has so high a number: a misread value is nobody's. */
const MISREAD = 10_000;

export type Field = 'due' | 'current_state' | 'state';

/** What the reader makes of a mail. The rules of `src` decide what becomes of it. */
export interface Reading {
  /** Whether the sender said what is so; where that was misread, the reader alone is to blame. */
  readonly sincere: boolean;
  readonly task: number;
  readonly field: Field;
  readonly value: string;
  readonly raw: number;
  readonly targetConfidence: number;
  readonly evidence: readonly ('reference' | 'sender' | 'name' | 'words')[];
  readonly near: boolean;
  readonly ambiguous: boolean;
}

/** A mail on its way. */
export interface Mail {
  readonly nth: number;
  /** Days since the beginning. */
  readonly day: number;
  readonly sender: Sender;
  readonly vouched: 'pass' | 'fail' | 'none';
  /** What was read in it; null where it changes nothing. */
  readonly reading: Reading | null;
}

/** What the person does to a task by hand, whatever the mails say. */
export interface Deed {
  readonly day: number;
  readonly task: number;
  readonly field: Field;
  readonly value: string;
}

export interface Plan {
  readonly mails: readonly Mail[];
  readonly deeds: readonly Deed[];
}

/**
 * Returns the mails of three years with what was read in them, and what the person does by hand beside them. What is so
 * is written into `truth` as it comes about.
 */
export function planOf(random: Random, cast: readonly Sender[], truth: Truth, count: number): Plan {
  const days = Array.from({ length: count }, () => random.figure() * DAYS).toSorted((one, other) => one - other);
  const deeds: Deed[] = [];
  const weights = cast.map((sender) => [sender.weight, sender] as const);
  const mails = days.map((day, nth): Mail => {
    const sender = random.weighted(weights) ?? cast[0];
    if (sender === undefined) throw new Error('nobody writes');
    const own = new Random(random.whole(1, 2 ** 31));
    return {
      nth,
      day,
      sender,
      vouched: vouchedFor(own, sender),
      reading: readingOf(own, { nth, day, sender }, truth, deeds),
    };
  });
  return { mails, deeds };
}

function vouchedFor(random: Random, { kind, channel }: Sender): Mail['vouched'] {
  if (kind === 'forger') return random.chance(FORGERY_DENIED) ? 'fail' : 'none';
  return channel !== 'mail' || random.chance(VOUCHED) ? 'pass' : 'none';
}

type Written = Pick<Mail, 'nth' | 'day' | 'sender'>;

function readingOf(random: Random, mail: Written, truth: Truth, deeds: Deed[]): Reading | null {
  if (random.chance(CHATTER)) return null;
  const { nth, day, sender } = mail;
  const matter = random.pick(sender.matters) ?? 0;
  const task = matter * TASKS_PER_MATTER + random.whole(0, TASKS_PER_MATTER - 1);
  if (truth.now(task, 'state', day) === 'done') return null; // nothing happens there until it begins anew
  const field = random.weighted(STATEMENTS) ?? 'due';
  const isSo = !random.chance(wrongShare(sender, day));
  const said = { task, field, value: saidOf(field, nth), sincere: isSo };
  if (!isSo) return { ...said, ...clear(random) };
  const reading = random.weighted(READINGS) ?? 'clear';
  comeAbout(random, said, day, truth, deeds);
  if (reading === 'clear') return { ...said, ...clear(random) };
  if (reading === 'doubted') return { ...said, ...doubted(random) };
  const misread = { ...said, task: otherTask(random, task), value: saidOf(field, nth + MISREAD) };
  return { ...misread, ...(reading === 'misread' ? clear(random) : doubted(random)) };
}

/** What a true mail tells of has happened; now and then the person knew it first. */
function comeAbout(
  random: Random,
  { task, field, value }: Omit<Deed, 'day'>,
  day: number,
  truth: Truth,
  deeds: Deed[],
): void {
  const said = { task, field, value };
  truth.happens(day, said);
  if (random.chance(BEFOREHAND)) deeds.push({ ...said, day: day - 0.01 });
  if (said.field !== 'state') return;
  const [least, most] = ANEW_DAYS;
  const anew = { ...said, value: 'open', day: day + least + random.figure() * (most - least) };
  truth.happens(anew.day, anew);
  deeds.push(anew);
}

/** Returns a value that nobody else names, by a number: what a note holds then tells where it came from. */
export function saidOf(field: Field, nth: number): string {
  if (field === 'state') return 'done';
  if (field === 'current_state') return `news ${nth}`;
  return new Date(Date.UTC(2040, 0, 1 + nth)).toISOString().slice(0, 10);
}

type Clearness = Omit<Reading, 'sincere' | 'task' | 'field' | 'value'>;

function clear(random: Random): Clearness {
  const evidence = random.weighted<Reading['evidence']>([
    [0.65, ['sender', 'name']],
    [0.25, ['reference']],
    [0.1, ['sender']],
  ]) ?? ['sender'];
  return {
    raw: random.weighted(SURENESS) ?? 0.9,
    targetConfidence: random.whole(86, 98) / 100,
    ...{ evidence, near: true, ambiguous: false },
  };
}

function doubted(random: Random): Clearness {
  const one = clear(random);
  const doubt = random.pick(['phrase', 'target', 'far', 'several'] as const);
  if (doubt === 'phrase') return { ...one, raw: Math.round(one.raw * DOUBT * 100) / 100 };
  if (doubt === 'target') return { ...one, targetConfidence: 0.7, evidence: ['words'] };
  return doubt === 'far' ? { ...one, near: false } : { ...one, ambiguous: true };
}

function otherTask(random: Random, task: number): number {
  const matter = Math.floor(task / TASKS_PER_MATTER);
  const step = random.whole(1, TASKS_PER_MATTER - 1);
  return matter * TASKS_PER_MATTER + ((task + step) % TASKS_PER_MATTER);
}
