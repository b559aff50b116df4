import { z } from 'zod';
import { backoffUntil } from '../steward/rate-guard.ts';
import { scheduleName } from '../steward/schedule.ts';
import { findMatter } from '../steward/sender.ts';
import { isListenedTo, wasWeighed } from '../steward/signals.ts';
import { type Diagnostic, diagnostic } from '../vault/errors.ts';
import { isWeighable, type TargetRecord } from '../vault/record.ts';
import { iso, localTime, parseLocalTime } from '../vault/time.ts';
import type { Context, ReadAccess, Workspace } from './context.ts';
import type { DaemonEvent } from './environment.ts';
import { slice } from './state.ts';

const moment = z.number().nullable();

/** When the parts of the program last did their work, and what has waited for them since (epoch ms; null: never, or nothing). */
const signs = z.object({
  /** A file was last read, and the first since then that a source brought. */
  read: moment,
  fed: moment,
  /** Signals were last decided upon. `waiting`: the first signals written since, by path. */
  decided: moment,
  waiting: z.array(z.object({ signal: z.string(), at: z.number() })),
  /** A sender was last right or wrong. `answers`: those given since. */
  learned: moment,
  answers: z.object({ count: z.number().int(), since: moment, last: moment }),
});
export type Signs = z.infer<typeof signs>;

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
const NO_ANSWERS: Signs['answers'] = { count: 0, since: null, last: null };

/** Returns the signs of a vault in which nothing has happened yet. */
export function noSigns(): Signs {
  return { read: null, fed: null, decided: null, waiting: [], learned: null, answers: NO_ANSWERS };
}

export const SIGNS = slice('signs', signs, noSigns);

/** So many waiting signals are remembered: they only prove that some wait. */
const MAX_WAITING = 100;

/** Returns the signs of life after an event; the same object if the event is none. `now`: epoch ms. */
export function afterEvent(before: Signs, event: DaemonEvent, now: number): Signs {
  switch (event.what) {
    case 'fetched':
      // Its files may have been read before the source says that it brought them.
      return event.taken === 0 || before.fed !== null || isRecent(before.read, now) ? before : { ...before, fed: now };
    case 'stream-read':
    case 'items-read':
      return { ...before, read: now, fed: null };
    case 'signal-written': {
      if (event.candidates.length > 0 || before.waiting.length >= MAX_WAITING) return before;
      return { ...before, waiting: [...before.waiting, { signal: event.signal, at: now }] };
    }
    case 'acted':
    case 'proposed':
    case 'recorded':
    case 'asked':
      return { ...before, decided: now, waiting: [] };
    case 'confirmed':
      return Object.keys(event.changes).length === 0 ? before : { ...before, answers: oneMore(before.answers, now) };
    case 'reversed':
      return event.outcome === 'reversed' ? { ...before, answers: oneMore(before.answers, now) } : before;
    case 'learned':
      return { ...before, learned: now, answers: NO_ANSWERS };
    default:
      return before;
  }
}

function isRecent(at: number | null, now: number): boolean {
  return at !== null && now - at < HOUR_MS;
}

function oneMore({ count, since }: Signs['answers'], now: number): Signs['answers'] {
  return { count: count + 1, since: since ?? now, last: now };
}

/** Remembers what an event says about the part that it came from. */
export function noteSign({ state, now }: Pick<Context, 'state' | 'now'>, event: DaemonEvent): void {
  const before = state.get(SIGNS);
  const after = afterEvent(before, event, now());
  if (after !== before) state.set(SIGNS, after);
}

/** Of this many answers over `ANSWER_DAYS_MS`, one must have taught something: a sender is right once a day at most. */
const MANY_ANSWERS = 10;
const ANSWER_DAYS_MS = 2 * DAY_MS;

/** Returns a problem for each part that did no work for a day while some was waiting. `now`: epoch ms. */
export function silentParts(
  { fed, waiting, answers }: Pick<Signs, 'fed' | 'waiting' | 'answers'>,
  now: number,
): Diagnostic[] {
  const [first] = waiting;
  const [since, last] = [answers.since ?? now, answers.last ?? now];
  return [
    ...(fed !== null && now - fed >= DAY_MS ? [readerProblem(fed)] : []),
    ...(first !== undefined && now - first.at >= DAY_MS ? [evaluatorProblem(waiting.length, first.at)] : []),
    ...(answers.count >= MANY_ANSWERS && last - since >= ANSWER_DAYS_MS ? [learningProblem(answers.count, since)] : []),
  ];
}

function readerProblem(since: number): Diagnostic {
  return diagnostic({
    code: 'reader-idle',
    message: `A source has brought files since ${day(since)}, but Steward hasn't read one.`,
    hint: 'Start the daemon with `steward run`, or restart it.',
  });
}

function evaluatorProblem(count: number, since: number): Diagnostic {
  const many = count >= MAX_WAITING ? `${MAX_WAITING} signals or more` : count === 1 ? 'A signal' : `${count} signals`;
  const verb = count === 1 ? 'has' : 'have';
  return diagnostic({
    code: 'evaluator-idle',
    message: `${many} ${verb} waited since ${day(since)}, and no decision was made.`,
    hint: 'Start the daemon with `steward run`; `steward tick` decides now, and says what it skips and why.',
  });
}

function learningProblem(count: number, since: number): Diagnostic {
  return diagnostic({
    code: 'learning-idle',
    message: `${count} answers since ${day(since)} taught no lesson about any sender.`,
    hint: '`steward log` lists your answers. In the note of each answer, `lesson` says why it taught no lesson.',
  });
}

function day(at: number): string {
  return localTime(at).replace('T', ' ').slice(0, 16);
}

/** Returns the problems of parts that give no sign of life. Costs what has waited for a day, and nothing if nothing has. */
export function signProblems(space: Workspace): Diagnostic[] {
  const { state, now } = space.context;
  const known = state.get(SIGNS);
  const isOld = ({ at }: { readonly at: number }) => now() - at >= DAY_MS;
  // Signals with a reason to wait are counted and explained elsewhere.
  const isPaused = backoffUntil(state.get('rate-guard'), now()) !== null;
  const waiting = known.waiting.some(isOld) && !isPaused ? known.waiting.filter((one) => isWaiting(space, one)) : [];
  return silentParts({ ...known, fed: null, waiting }, now());
}

/** Returns the problem of a reader that gives no sign of life. `isBusy`: files wait for a model, which is reported elsewhere. */
export function readerProblems({ state, now }: Pick<Context, 'state' | 'now'>, isBusy: boolean): Diagnostic[] {
  return isBusy ? [] : silentParts({ fed: state.get(SIGNS).fed, waiting: [], answers: NO_ANSWERS }, now());
}

/** Whether a signal could have been decided upon by now: its note is open, and its matter's schedule should have fired. */
function isWaiting(space: ReadAccess, { signal, at }: Signs['waiting'][number]): boolean {
  const { context, vault } = space;
  const now = context.now();
  const record = vault.catalogue.get(signal);
  if (record?.kind !== 'signal' || record.fields.status !== 'unrouted' || !isWeighable(record.fields)) return false;
  const target = vault.catalogue.targetOf(record);
  const matter = target === null ? null : findMatter(vault.catalogue, target);
  if (target === null || matter === null || !isListenedTo(space, record, target)) return false;
  if (![target, matter].every((note) => isChecked(note, now))) return false;
  const due = context.state.get('schedules')[scheduleName(matter)]?.due ?? null;
  const isHeld = Object.entries(context.state.get('guarded')).some(
    ([key, until]) => key.startsWith(`${target.path} `) && until > now,
  );
  return Math.max(at, due ?? at) < now - HOUR_MS && !isHeld && !wasWeighed(space, record);
}

// A note with a schedule: its matter, too, is open and not left alone.
function isChecked({ fields: { steward, state, next_check_after } }: TargetRecord, now: number): boolean {
  const after = parseLocalTime(next_check_after ?? '');
  return steward && state === 'open' && (after === null || after <= now);
}

/** When each part last did its work, as `status` shows it: ISO, UTC; null for never. */
export interface SignsOfLife {
  readonly reading: string | null;
  readonly deciding: string | null;
  readonly learning: string | null;
}

/** Returns when each part last did its work. Sources and channels of messages have their own lists. */
export function signsOfLife({ state }: Pick<Context, 'state'>): SignsOfLife {
  const { read, decided, learned } = state.get(SIGNS);
  const told = (at: number | null) => (at === null ? null : iso(at));
  return { reading: told(read), deciding: told(decided), learning: told(learned) };
}

interface Inputs {
  readonly matters: number;
  readonly tasks: number;
  readonly signals: number;
  /** The connected sources, by kind, and the files that were ever put into the stream folder, if only one. */
  readonly sources: readonly (string | null)[];
  readonly hasFiles: boolean;
  readonly hasMail: boolean;
  /** Whether a matter or task names a sender. */
  readonly namesSender: boolean;
}

/** Returns in a sentence what Steward still needs to work, with what to do; null if all is there. */
export function missingWords({
  matters,
  tasks,
  signals,
  sources,
  hasFiles,
  hasMail,
  namesSender,
}: Inputs): string | null {
  if (matters + tasks === 0) return 'There is no matter or task yet: `steward demo` shows what they look like.';
  if (sources.length === 0 && signals === 0 && !hasFiles) {
    return 'No events can arrive yet: `steward source add` connects a mailbox, `steward import FILE` reads files.';
  }
  if ((sources.includes('imap') || hasMail) && !namesSender) {
    return 'No note names a sender: add `senders: [anna@notary.example]` to a task, then run `steward tick`.';
  }
  return null;
}

/** Returns what is missing in a vault with these sources. Looks for the first named sender, and no further. */
export function findMissing(space: Workspace, sources: readonly { readonly kind: string | null }[]): string | null {
  const { context, vault } = space;
  const { catalogue } = vault;
  if (vault.away !== null) return null;
  const files = vault.streams.keys();
  const wasRead = context.state.get(SIGNS).read !== null || context.state.keysOf('retired').next().done !== true;
  return missingWords({
    matters: catalogue.count('matter'),
    tasks: catalogue.count('task'),
    signals: catalogue.count('signal'),
    sources: sources.map(({ kind }) => kind),
    hasFiles: vault.streams.size > 0 || wasRead,
    hasMail: files.some((file) => /\.(?:eml|mbox)$/i.test(file)),
    namesSender: [catalogue.each('matter'), catalogue.each('task')].some((notes) =>
      notes.some(({ fields }) => fields.senders.length > 0),
    ),
  });
}
