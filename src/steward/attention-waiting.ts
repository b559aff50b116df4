import type { Diagnostic } from '../vault/errors.ts';
import type { EventRecord, ReversalRecord, SignalRecord } from '../vault/index/record.ts';
import { changeLine, fieldLine, momentOf } from '../vault/note-text.ts';
import { isOwnHand } from '../vault/source-names.ts';
import { iso } from '../vault/time.ts';
import type { WaitingKind } from './attention/kinds.ts';
import { isChoice, isQuestion, isWaiting } from './attention.ts';
import { instinctOf } from './learning/sources.ts';
import { isKnownNote } from './ports/own-notes.ts';
import type { Records } from './ports.ts';
import { openProposals, type Proposals } from './proposals.ts';

/** How well the sender behind an entry is known, and how sure the steward was. */
interface SenderTrust {
  readonly source: string;
  /** How often a person showed it to be right, and wrong. */
  readonly right: number;
  readonly wrong: number;
  /** The first figure that was too low, and what it should have been; null where no figure stood in the way. */
  readonly reached: number | null;
  readonly needed: number | null;
}

/** The gates that ask how sure a decision is, 0–1. */
const SURE = ['discretion', 'mode'];

/** Returns what is known of the source that weighed most in an event; null where nobody spoke. */
function senderTrust(space: Records, { fields }: EventRecord): SenderTrust | null {
  const [main] = Object.entries(fields.source_contributions).toSorted(([, one], [, other]) => other - one);
  if (main === undefined) return null;
  const [source] = main;
  if (isOwnHand(source)) return null; // nobody is asked to trust themselves
  const { observations: right, wrong } = instinctOf(space, source);
  const lacking = fields.gates.find(({ gate, held, figure }) => !held && figure !== null && SURE.includes(gate));
  return { source, right, wrong, reached: lacking?.figure ?? null, needed: lacking?.threshold ?? null };
}

/** How an entry can be answered. `force`: taken back in spite of the conflict. */
export type WaitingAnswer = 'confirm' | 'dismiss' | 'choose' | 'force';

/** One entry of the list of what waits for a person (contract, section 17). */
export interface Waiting {
  readonly kind: WaitingKind;
  /** The name of the event note that is answered; null for what has none. */
  readonly event: string | null;
  /** The path of the note it is about. */
  readonly target: string | null;
  /** What would be changed, or what is asked, in one line. */
  readonly change: string | null;
  readonly from: string | null;
  readonly quote: string | null;
  /** What the quote is of, and of which day: the booking with its sum, the mail's subject; null where it is not known. */
  readonly told: string | null;
  /** ISO, UTC; null where it is not known. */
  readonly since: string | null;
  /** The answers that mean something here; empty where there is something to look at and nothing to answer. */
  readonly answers: readonly WaitingAnswer[];
  /** The notes that could be meant, as links. */
  readonly candidates: readonly string[];
  /** The path of the matter that it belongs to; null where there is none. */
  readonly matter: string | null;
  /** How well its sender is known; null where nobody spoke. */
  readonly trust: SenderTrust | null;
}

/** What waits besides the notes: files that were put aside, and what is wrong. */
interface OtherWaiting {
  readonly kept: readonly { readonly note: string; readonly file: string; readonly at: string }[];
  readonly trouble: readonly Diagnostic[];
  readonly unfinished: readonly UnfinishedWaiting[];
}

/** An action that was left unfinished, and what each answer to it would do. */
export type UnfinishedWaiting = Pick<Waiting, 'event' | 'target' | 'change' | 'since' | 'answers'>;

/** How long an undo that failed waits for a person (ms): as long as an undo is possible at all. */
const CONFLICT_MS = 7 * 24 * 60 * 60 * 1000;

/**
 * Returns everything that waits for a person: first what can be answered, oldest first, then what is only to be looked
 * at. An event is listed if its note says that it waits and if that is true: the first keeps the work proportional to what
 * waits, the second corrects notes that a crash or an earlier version left behind.
 */
export function waitingIn(space: Proposals, { kept, trouble, unfinished }: OtherWaiting): Waiting[] {
  const left = unfinished.map((one) => ({
    kind: 'unfinished' as const,
    ...NOTHING,
    ...one,
    matter: matterAt(space, one.target),
  }));
  const answerable = [...left, ...proposals(space), ...asked(space), ...conflicts(space)];
  return [
    ...answerable.toSorted((one, other) => ((one.since ?? '') < (other.since ?? '') ? -1 : 1)),
    ...kept.map(({ note, file, at }) => ({
      kind: 'kept' as const,
      ...NOTHING,
      target: note,
      matter: matterAt(space, note),
      change: `what you wrote into ${note} is kept in ${file}`,
      since: at,
    })),
    ...trouble.map(({ file, message, hint }) => ({
      kind: 'trouble' as const,
      ...NOTHING,
      target: file,
      matter: matterAt(space, file),
      change: `${message} ${hint}`,
    })),
  ];
}

/** An entry that has nothing to be answered. */
const NOTHING = {
  ...{ event: null, target: null, change: null, from: null, quote: null, told: null, since: null },
  ...{ answers: [], candidates: [], matter: null, trust: null },
};

function matterAt({ vault: { catalogue } }: Proposals, path: string | null): string | null {
  const note = path === null ? undefined : catalogue.get(path);
  if (note?.kind === 'matter') return note.path;
  return note?.kind === 'task' ? (catalogue.matterOf(note)?.path ?? null) : null;
}

function proposals(space: Proposals): Waiting[] {
  return openProposals(space).map(({ event, standing }) => ({
    ...entryOf(space, event, kindOf(event)),
    // One whose note has changed is judged again by itself; it could not be confirmed as it stands.
    answers: standing.kind === 'stale' ? ['dismiss'] : ['confirm', 'dismiss'],
  }));
}

function asked(space: Proposals): Waiting[] {
  return space.vault.catalogue
    .waiting('event')
    .filter((event) => isChoice(event) || isQuestion(event))
    .filter((event) => isWaiting(space, event))
    .map((event) => ({
      ...entryOf(space, event, kindOf(event)),
      answers: isChoice(event) ? ['choose', 'dismiss'] : ['dismiss'],
      candidates: event.fields.candidates,
    }));
}

function kindOf(event: EventRecord): WaitingKind {
  if (event.fields.perceived !== null) return 'found';
  if (isChoice(event)) return 'choice';
  return isQuestion(event) ? 'question' : 'proposal';
}

function entryOf(space: Proposals, event: EventRecord, kind: WaitingKind): Waiting {
  const { catalogue } = space.vault;
  const { name, fields } = event;
  const signals = fields.signals.flatMap((link) => catalogue.resolve(link, ['signal']) ?? []);
  const said = signals.flatMap((signal) => (signal.kind === 'signal' ? [signal.fields] : []));
  const at = momentOf(name, fields.timestamp);
  const change = fields.change ?? changeLine(fields.changes);
  const quote = fields.quote ?? said.map(({ raw_quote: own }) => own).find((own) => own !== null) ?? null;
  const target = fields.target_path === null ? null : catalogue.currentPath(fields.target_path);
  return {
    kind,
    ...NOTHING,
    event: name,
    target,
    matter: matterAt(space, target),
    trust: senderTrust(space, event),
    change,
    // Notes of earlier versions leave it to their signals to say who spoke.
    from: fields.from ?? said.map(({ from }) => from).find((from) => from !== null) ?? null,
    quote,
    told: toldIn(said, quote, change),
    since: Number.isNaN(at) ? null : iso(at),
  };
}

// Whoever answers must know which booking or mail it is: a quote alone has neither its day nor its sum.
function toldIn(said: readonly SignalRecord['fields'][], quote: string | null, change: string | null): string | null {
  const quoted = said.find(({ raw_quote: own }) => own !== null && fieldLine(own) === quote) ?? said[0];
  if (quoted === undefined) return null;
  const { headline, origin_at: at, source_type: channel } = quoted;
  const words = headline === null ? null : fieldLine(headline);
  // A question is its own headline.
  if (words === null || change?.includes(words) === true) return null;
  // The day on which an appointment was written down would be read as its own.
  const [day] = channel === 'calendar' ? [] : (at?.match(DAY) ?? []);
  return day === undefined ? words : `${day} ${words}`;
}

const DAY = /^\d{4}-\d\d-\d\d/;

function conflicts(space: Proposals): Waiting[] {
  const { catalogue } = space.vault;
  const met = catalogue.waiting('reversal').filter((reversal) => isKnownNote(space, reversal));
  const bySubject = Map.groupBy(met, ({ fields }) => fields.reverses ?? '');
  return [...bySubject].flatMap(([link, group]) => {
    const subject = link === '' ? null : catalogue.resolve(link, ['event', 'reversal']);
    const last = group.toSorted((one, other) => settledAt(other) - settledAt(one))[0];
    if (subject?.kind !== 'event' || last === undefined || !isUnsettled(space, subject, last)) return [];
    const change = changeLine(subject.fields.changes);
    return [
      {
        ...entryOf(space, subject, 'conflict'),
        change: fieldLine(`could not be taken back, the note has changed since: ${change ?? subject.name}`),
        since: iso(settledAt(last)),
        answers: ['force'] as const,
      },
    ];
  });
}

// An undo that succeeded later, forced or not, ends the conflict; and after a week nothing can be taken back.
function isUnsettled(space: Proposals, subject: EventRecord, conflict: ReversalRecord): boolean {
  const at = settledAt(conflict);
  if (!(space.context.now() - at < CONFLICT_MS)) return false;
  return !space.vault.catalogue
    .answersTo(subject.name)
    .filter((other) => other.kind === 'reversal')
    .some((other) => endsConflict(other) && settledAt(other) >= at && isKnownNote(space, other));
}

function endsConflict({ fields }: ReversalRecord): boolean {
  return fields.outcome === 'reversed' || fields.outcome === 'already-reversed';
}

// Whole seconds: what two processes wrote within one second is not put in order.
function settledAt({ fields }: ReversalRecord): number {
  return Date.parse(fields.settled_at ?? '');
}
