import type { Diagnostic } from '../vault/errors.ts';
import { DIGEST, failedGates, gateWarning, isForged, markedQuote } from '../vault/event-text.ts';
import { stem } from '../vault/layout.ts';
import { kindsWords } from '../vault/licence-text.ts';
import { changeLine, clipped, escapeMarkdown, fieldLine, linkTo, noteMoment, shellWord } from '../vault/note-text.ts';
import type { EventRecord, ReversalRecord, SignalRecord, TargetRecord } from '../vault/record.ts';
import { isOfNobody, isOwnHand, VAULT_EDIT } from '../vault/source-names.ts';
import { iso, localDate } from '../vault/time.ts';
import {
  countFindings,
  findingsLine,
  type MatterFindings,
  NOUNS,
  SHOWN_AS,
  senderWords,
  several,
  unmarkedQuote,
  type WaitingKind,
  waitingText,
} from './inbox-words.ts';
import { findInstinct } from './instinct.ts';
import { licenceTerms, waitingLicences } from './licence.ts';
import { byPressure, type SeenNote } from './perceive.ts';
import {
  findSignal,
  isChoice,
  isQuestion,
  isWaiting,
  mayMeanAnother,
  openProposals,
  type Proposals,
  putOffReason,
  restsOn,
} from './proposals.ts';
import { isKnownNote } from './records.ts';
import { settingName } from './settings.ts';
import type { Records } from './types.ts';
import type { DecisionIndexAccess, DecisionReadAccess } from './workspace.ts';

/** How an entry can be answered. `always`: confirmed, and a licence signed for its sender; `later`: not now; `force`: taken back in spite of the conflict. */
export type WaitingAnswer = 'confirm' | 'always' | 'dismiss' | 'later' | 'choose' | 'force';

/** One entry of the list of what waits for a person (contract, section 17). */
export interface WaitingEntry {
  readonly kind: WaitingKind;
  /** The name of the event note that is answered; null if there isn't one. */
  readonly event: string | null;
  /** The path of the note it is about. */
  readonly target: string | null;
  /** The proposed change, or the question, in one line. */
  readonly change: string | null;
  readonly from: string | null;
  readonly quote: string | null;
  /** The stream file, or the event in it, that was read; null if there isn't one. The vault may not keep it. */
  readonly mail: string | null;
  /** The origin of the quote with its day: the booking with its sum, the mail's subject; null if it is not known. */
  readonly told: string | null;
  /** ISO, UTC; null if it is not known. */
  readonly since: string | null;
  /** The answers that mean something here; empty for an entry that is only shown. */
  readonly answers: readonly WaitingAnswer[];
  /** The notes that could be meant, as links. */
  readonly candidates: readonly string[];
  /** How likely the likeliest of them is meant, 0–1; null if there is no choice. */
  readonly likelihood: number | null;
  /** The path of the matter that it belongs to; null if there isn't one. */
  readonly matter: string | null;
  /** How well its sender is known; null if it has no sender. */
  readonly trust: SenderTrust | null;
  /** Why it wasn't simply done: each gate that failed, most serious first, as a sentence. */
  readonly why: readonly string[];
  /** The problem with its sender or its words, with a warning sign: then it is a warning. Null for anything else. */
  readonly warning: string | null;
  /** Whether its note has changed since, so that it is judged again before it can be confirmed. */
  readonly isStale: boolean;
}

interface OtherWaiting {
  readonly kept: readonly { readonly note: string; readonly file: string; readonly at: string }[];
  readonly trouble: readonly Diagnostic[];
  readonly arrived: readonly ArrivedWaiting[];
  readonly unfinished: readonly UnfinishedWaiting[];
  readonly stopped: readonly StoppedWaiting[];
  readonly suspects: readonly SuspectWaiting[];
  readonly pending: number;
}

/** The waiting mails of a sender that was stopped; `event`: the sender's name. */
export type StoppedWaiting = Pick<WaitingEntry, 'event' | 'target' | 'change' | 'from' | 'quote' | 'since' | 'answers'>;

/** A warning of mails that led to no question; `event`: the name by which it is dismissed. */
export type SuspectWaiting = Pick<
  WaitingEntry,
  'event' | 'warning' | 'change' | 'from' | 'quote' | 'mail' | 'since' | 'answers'
>;

/** The question whether a vault that bears another key's marks is the user's. */
export type ArrivedWaiting = Pick<WaitingEntry, 'event' | 'change' | 'answers'>;

/** An action that was left unfinished, and what each answer to it would do. */
export type UnfinishedWaiting = Pick<WaitingEntry, 'event' | 'target' | 'change' | 'since' | 'answers'>;

/**
 * The entries that Steward brings to the user, in lists of their own (contract, section 17). Mere observations are in
 * `findings`.
 */
export interface Attention {
  /** Questions that wait for an answer. */
  readonly decisions: readonly WaitingEntry[];
  /** Warnings: a false sender, orders to Steward, a licence or setting from outside. They can't be confirmed. */
  readonly warnings: readonly WaitingEntry[];
  /** Problems with notes, settings, sources or Steward, and files that were put aside. */
  readonly problems: readonly WaitingEntry[];
  /** How many signals were read and are still to be evaluated: something may wait soon. */
  readonly pending: number;
}

/**
 * Returns what Steward brings to the user, each list in the order in which it is shown: the oldest first, and what is only
 * likely last. An event is listed if its note says that it waits and if that is true: the first keeps the work proportional
 * to what waits, the second corrects notes that a crash left behind.
 */
export function collectAttention(
  space: DecisionReadAccess,
  { kept, trouble, arrived, unfinished, stopped, suspects, pending }: OtherWaiting,
): Attention {
  const entryFor = (kind: 'unfinished' | 'stopped') => (one: UnfinishedWaiting | StoppedWaiting) => {
    return { kind, ...NOTHING, ...one, matter: matterAt(space, one.target) };
  };
  const all: WaitingEntry[] = [
    ...arrived.map((one) => ({ kind: 'arrival' as const, ...NOTHING, ...one })),
    ...unfinished.map(entryFor('unfinished')),
    ...stopped.map(entryFor('stopped')),
    ...suspects.map((one) => ({ kind: 'suspect' as const, ...NOTHING, ...one })),
    ...proposals(space),
    ...licences(space),
    ...unagreed(space),
    ...asked(space),
    ...conflicts(space),
  ];
  const ordered = all.toSorted(byLikelihoodAndAge);
  return {
    pending,
    decisions: ordered.filter(({ warning }) => warning === null),
    warnings: ordered.filter(({ warning }) => warning !== null),
    problems: [
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
    ],
  };
}

// Likely entries come behind certain ones, the likeliest first.
function byLikelihoodAndAge(one: WaitingEntry, other: WaitingEntry): number {
  const [likely, less] = [one.likelihood ?? 1, other.likelihood ?? 1];
  return less - likely || ((one.since ?? '') < (other.since ?? '') ? -1 : 1);
}

interface SenderTrust {
  readonly source: string;
  /** The source as a person reads it. */
  readonly sender: string;
  /** How often a person showed it to be right, and wrong. */
  readonly right: number;
  readonly wrong: number;
  /** The first figure that was too low, and what it should have been; null if no figure was too low. */
  readonly reached: number | null;
  readonly needed: number | null;
}

/** The gates that ask how sure a decision is, 0–1. */
const SURE = ['discretion', 'mode'];

/** Returns what is known of the source that weighed most in an event; null if it has no source with a record. */
function senderTrust(space: Records, { fields }: EventRecord): SenderTrust | null {
  const [main] = Object.entries(fields.source_contributions).toSorted(([, one], [, other]) => other - one);
  if (main === undefined) return null;
  const [source] = main;
  // A person isn't asked to trust themselves, and news without a sender has no record.
  if (isOwnHand(source) || isOfNobody(source)) return null;
  const { observations: right, wrong } = findInstinct(space, source);
  const lacking = fields.gates.find(({ gate, held, figure }) => !held && figure !== null && SURE.includes(gate));
  const sender = senderWords(source);
  return { source, sender, right, wrong, reached: lacking?.figure ?? null, needed: lacking?.threshold ?? null };
}

/** How long an undo that failed waits for a person (ms): as long as an undo is possible at all. */
const CONFLICT_MS = 7 * 24 * 60 * 60 * 1000;

/** An entry without an answer. */
const NOTHING = {
  event: null,
  target: null,
  change: null,
  from: null,
  quote: null,
  mail: null,
  told: null,
  since: null,
  answers: [],
  candidates: [],
  likelihood: null,
  matter: null,
  trust: null,
  why: [],
  warning: null,
  isStale: false,
};

function matterAt({ vault: { catalogue } }: Pick<Proposals, 'vault'>, path: string | null): string | null {
  const note = path === null ? undefined : catalogue.get(path);
  if (note?.kind === 'matter') return note.path;
  return note?.kind === 'task' ? (catalogue.matterOf(note)?.path ?? null) : null;
}

function proposals(space: DecisionReadAccess): WaitingEntry[] {
  return openProposals(space).map(({ event, state }) => ({
    ...entryOf(space, event, kindOf(event)),
    isStale: state.kind === 'stale',
    answers: answersTo(space, event, state.kind === 'stale'),
  }));
}

// One whose note has changed is judged again by itself, and one whose sender was rejected is confirmed by name alone.
function answersTo(space: DecisionReadAccess, event: EventRecord, isStale: boolean): WaitingAnswer[] {
  if (isStale || isForged(event.fields.gates)) return ['dismiss', 'later'];
  return [
    'confirm',
    ...(licenceTerms(space, event) === null ? [] : ['always' as const]),
    'dismiss',
    'later',
    ...(mayMeanAnother(space, event) ? ['choose' as const] : []),
  ];
}

function unagreed({ context }: DecisionIndexAccess): WaitingEntry[] {
  return (context.unagreed?.() ?? []).map((one) => ({
    kind: 'setting' as const,
    ...NOTHING,
    event: settingName(one),
    warning: `⚠ ${fieldLine(`The settings changed from outside: ${one.field}: ${one.value}.`)}`,
    change: `It has no effect yet. If it is yours: steward confirm ${shellWord(settingName(one))}`,
  }));
}

function licences(space: DecisionIndexAccess): WaitingEntry[] {
  return waitingLicences(space).map(({ record: { name, fields }, isForeign, isUncertain }) => {
    const matter =
      fields.matter === null ? null : (space.vault.catalogue.resolve(fields.matter, ['matter'])?.path ?? null);
    const may = `may ${kindsWords(fields.kinds)} ${matter === null ? 'wherever a note names it' : `in ${stem(matter)}`}`;
    return {
      kind: 'licence' as const,
      ...NOTHING,
      event: name,
      target: matter,
      matter,
      ...(isForeign
        ? foreignLicence(name, `${fields.sender} ${may}`, isUncertain)
        : offeredLicence(`${fields.sender} ${may}`)),
      told: isForeign ? null : fields.evidence,
      since: fields.offered_at ?? fields.signed_at,
    };
  });
}

function offeredLicence(what: string): Pick<WaitingEntry, 'change' | 'warning' | 'answers'> {
  return { change: `${what}, without asking?`, warning: null, answers: ['confirm', 'dismiss'] };
}

// Only who knows of it says yes, by its name.
function foreignLicence(
  name: string,
  what: string,
  isUncertain: boolean,
): Pick<WaitingEntry, 'change' | 'warning' | 'answers'> {
  const why = isUncertain ? 'A licence may have ended, but the record of it is lost' : 'A licence came from outside';
  return {
    change: `It has no effect yet. If it is yours: steward confirm ${shellWord(name)}`,
    warning: `⚠ ${fieldLine(`${why}: ${what}, without asking.`)}`,
    answers: ['dismiss'],
  };
}

function asked(space: Proposals): WaitingEntry[] {
  return space.vault.catalogue
    .waiting('event')
    .filter((event) => isChoice(event) || isQuestion(event))
    .filter((event) => isWaiting(space, event))
    .map((event) => ({
      ...entryOf(space, event, kindOf(event)),
      answers: answersToQuestion(event),
      candidates: event.fields.candidates,
      likelihood: isChoice(event) ? event.fields.confidence : null,
    }));
}

function answersToQuestion(event: EventRecord): WaitingAnswer[] {
  if (isForged(event.fields.gates)) return ['dismiss', 'later'];
  return isChoice(event) ? ['choose', 'dismiss'] : ['dismiss'];
}

function kindOf(event: EventRecord): WaitingKind {
  if (event.fields.perceived !== null) return 'found';
  if (isChoice(event)) return 'choice';
  return isQuestion(event) ? 'question' : 'proposal';
}

function entryOf(space: Proposals, event: EventRecord, kind: WaitingKind): WaitingEntry {
  const { catalogue } = space.vault;
  const { name, fields } = event;
  const signals = fields.signals.flatMap((link) => catalogue.resolve(link, ['signal']) ?? []);
  const said = signals.flatMap((signal) => (signal.kind === 'signal' ? [signal.fields] : []));
  const at = noteMoment(name, fields.timestamp);
  // A choice without a change has the words of the mail there.
  const isBare = isChoice(event) && findSignal(space, event)?.fields.mutation_proposal === null;
  const change = isBare ? null : (fields.change ?? changeLine(fields.changes));
  const quote = fields.quote ?? said.map(markedQuote).find((own) => own !== null) ?? null;
  const target = fields.target_path === null ? null : catalogue.currentPath(fields.target_path);
  return {
    kind,
    ...NOTHING,
    event: name,
    target,
    matter: matterAt(space, target),
    trust: senderTrust(space, event),
    why: failedGates(event.fields.gates),
    warning: gateWarning(event.fields.gates),
    change,
    from: fields.from,
    quote,
    mail: mailOf(said, event),
    told: quotedFrom(said, quote, change),
    since: Number.isNaN(at) ? null : iso(at),
  };
}

function mailOf(said: readonly SignalRecord['fields'][], { fields }: EventRecord): string | null {
  const file = fields.mail === null ? null : fields.mail.replace(/^\[\[|\]\]$/g, '');
  const read = said.filter(({ source_type: channel }) => channel !== VAULT_EDIT);
  return file ?? read.map(({ source_event_path: path }) => path).find((path) => path !== null) ?? null;
}

// A person must know which booking or mail it is: a quote alone has neither its day nor its sum.
function quotedFrom(
  said: readonly SignalRecord['fields'][],
  quote: string | null,
  change: string | null,
): string | null {
  const isQuoted = (own: string | null) => own !== null && fieldLine(own) === quote;
  const quoted = said.find((one) => isQuoted(one.raw_quote) || isQuoted(markedQuote(one))) ?? said[0];
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

function conflicts(space: Proposals): WaitingEntry[] {
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
        change: fieldLine(`could not be undone, the note has changed since: ${change ?? subject.name}`),
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

// Whole seconds: the order of two processes within one second is unknown.
function settledAt({ fields }: ReversalRecord): number {
  return Date.parse(fields.settled_at ?? '');
}

/** A part of a note that the program keeps: between two marks, each alone on its line and there once. */
interface MarkedPart {
  readonly begin: string;
  readonly end: string;
  /** Whether a line between the marks is one that the program wrote. A person's addition makes the line theirs. */
  readonly isOwn: (line: string) => boolean;
}

/**
 * Returns a note's text with these lines between the marks, and every other byte as it was; null unless each mark is
 * there once, on a line of its own. A person's lines between them move below them.
 */
function withLines(text: string, { begin, end, isOwn }: MarkedPart, lines: readonly string[]): string | null {
  const [first, last] = [lineOf(text, begin), lineOf(text, end)];
  if (first === null || last === null || last < first) return null;
  const from = first + begin.length;
  const eol = text.startsWith('\r\n', from) ? '\r\n' : '\n';
  const strangers = text
    .slice(from, last)
    .split(/\r?\n/)
    // A line that the list has now is the program's. Kept as a person's, it would be added again each time.
    .filter((line) => line.trim() !== '' && !isOwn(line) && !lines.includes(line));
  const below = strangers.length === 0 ? '' : `${eol}${eol}${strangers.join(eol)}`;
  return `${text.slice(0, from)}${eol}${lines.join(eol)}${eol}${end}${below}${text.slice(last + end.length)}`;
}

// Returns the offset of a mark alone on its line; null if there isn't one, or more than one: then it isn't known which
// is meant.
function lineOf(text: string, mark: string): number | null {
  const [only, ...more] = [...text.matchAll(new RegExp(`^${mark}(?=[ \\t]*\\r?$)`, 'gm'))];
  return only === undefined || more.length > 0 ? null : only.index;
}

/** A note that shows something by itself, as it was last seen. */
interface DigestEntry {
  readonly path: string;
  readonly seen: SeenNote;
  readonly found: NonNullable<SeenNote['found']>;
}

const MOST_NAMED = 10;

const DIGEST_PART = {
  begin: '<!-- steward:seen -->',
  end: '<!-- /steward:seen -->',
  isOwn: (line: string) => DIGEST_LINE.test(line),
};
const KINDS = Object.values(SHOWN_AS).join('|');
const DIGEST_LINE = new RegExp(
  `^(?:${[DIGEST.nothing, DIGEST.notYet].join('|').replaceAll('.', '\\.')}|(?:${KINDS}): \\d+(?: · (?:${KINDS}): \\d+)*|- .*(?:${KINDS})(?: since \\d{4}-\\d\\d-\\d\\d)?(?:, and \\d+ more)?|- and \\d+ more(?: .*)?)$`,
);

/**
 * Returns the findings without a signal by the last looks, as far as they are still true, one entry for each matter;
 * null before the first look. Pauses after each note that was looked at.
 */
export function* findingsByMatter(space: DecisionIndexAccess): Generator<void, MatterFindings[] | null> {
  const { state } = space.context;
  if (state.get('perception').since === null) return null;
  const perceived = state.get('perceived');
  const shown = new Map<string, DigestEntry>();
  for (const path of state.keysOf('perceived')) {
    const seen = perceived[path];
    const one = seen === undefined ? null : shownBy(space, path, seen);
    if (one !== null) shown.set(path, one);
    yield;
  }
  return byMatter(space, [...shown.values()]);
}

function shownBy(space: DecisionIndexAccess, path: string, seen: SeenNote): DigestEntry | null {
  const { found } = seen;
  const note = found === null ? undefined : space.vault.catalogue.get(path);
  if (found === null || (note?.kind !== 'task' && note?.kind !== 'matter')) return null;
  const isOff = isShownElsewhere(note) || putOffReason(space, note) !== null;
  return !isOff && isStill(note, found) ? { path, seen, found } : null;
}

/**
 * Whether another program shows this task and its dates already (contract, section 17): it is an issue in Plane, or it has
 * its state in `status`, as TaskNotes and other task managers write it.
 */
function isShownElsewhere(note: TargetRecord): boolean {
  return note.kind === 'task' && (note.fields.plane_issue_id !== null || note.fields.state_field !== 'state');
}

// The others rest on more than the note: they show at the next look.
function isStill(note: TargetRecord, { kind, of }: DigestEntry['found']): boolean {
  return kind === 'silent' || kind === 'tasks_done' || restsOn(note, kind) === of;
}

/** Returns what was noticed, one entry for each matter, the most pressing first. */
function byMatter(space: DecisionIndexAccess, shown: readonly DigestEntry[]): MatterFindings[] {
  const groups = [...Map.groupBy(shown, ({ path }) => matterAt(space, path))];
  return groups
    .map(([matter, entries]) => ({ matter, entries: entries.toSorted(inOrder) }))
    .toSorted(({ entries: [one] }, { entries: [other] }) => (one && other ? inOrder(one, other) : 0))
    .map(({ matter, entries }) => ({
      matter,
      notes: entries.map(({ path, found }) => ({ note: path, kind: found.kind, since: localDate(found.since) })),
    }));
}

/**
 * Returns a note's text with what was noticed between its two marks: how many of each kind, and one line for each of the most
 * pressing matters. It names days, not spans: so it changes only when something has. `findings` is null before the first
 * look. Null if the marks are not there as they should be.
 */
export function withDigest(text: string, findings: readonly MatterFindings[] | null): string | null {
  return withLines(text, DIGEST_PART, digestOf(findings));
}

function digestOf(findings: readonly MatterFindings[] | null): string[] {
  if (findings === null) return [DIGEST.notYet];
  if (findings.length === 0) return [DIGEST.nothing];
  const lines = findings.slice(0, MOST_NAMED).map((one) => `- ${findingsLine(one, (path) => linkTo(stem(path)))}`);
  const more = findings.length - MOST_NAMED;
  return [
    countFindings(findings),
    '',
    ...lines,
    ...(more > 0 ? [`- and ${more} more ${more === 1 ? 'matter' : 'matters'}`] : []),
  ];
}

function inOrder(one: DigestEntry, other: DigestEntry): number {
  return byPressure(one.seen, other.seen) || (one.path < other.path ? -1 : 1);
}

/** How many entries of each list the front page shows. */
const MOST_LISTED = 20;
const MAX_TEXT = 300;
const MAX_SAID = 120;

/**
 * A line that the program wrote: a count, an entry, or the last one. A person's addition to an entry makes it theirs.
 */
const LIST_LINE = new RegExp(
  [
    'Nothing waits for you(?:\\.| yet: .*)',
    '\\d+ things? waits? for you: .*',
    '⚠ \\d+ warnings?:',
    '\\d+ problems?:',
    // An entry that leads to a note ends with its link: text after it is the person's.
    '- ⚠ .*\\]\\]',
    // One without a note ends with its command.
    '- ⚠ .* · `[^`]*`',
    '- ⚠ .* If it is yours: .*',
    `- (?:${[...new Set([NOUNS.proposal, NOUNS.licence, NOUNS.question, NOUNS.choice, NOUNS.found, NOUNS.conflict]), 'finding'].join('|')}): .*\\]\\]`,
    `- (?:${NOUNS.arrival}|${NOUNS.stopped}|${NOUNS.unfinished}|${NOUNS.kept}|${NOUNS.trouble}): .*`,
    '- and \\d+ more: `[^`]*`',
  ]
    .map((line) => `^${line}$`)
    .join('|'),
);

const LIST_PART = {
  begin: '<!-- steward:waiting -->',
  end: '<!-- /steward:waiting -->',
  isOwn: (line: string) => LIST_LINE.test(line),
};

/** An empty inbox. */
export const NO_ATTENTION: Attention = { decisions: [], warnings: [], problems: [], pending: 0 };

/** Returns a note's text with the lists between its two marks; null if the marks are not there as they should be. */
export function withSection(text: string, attention: Attention): string | null {
  return withLines(text, LIST_PART, sectionOf(attention));
}

function sectionOf({ decisions, warnings, problems, pending }: Attention): string[] {
  const warned =
    warnings.length === 0
      ? []
      : [`⚠ ${several(warnings.length, 'warning')}:`, '', ...listed(warnings, 'steward inbox'), ''];
  const wrong =
    problems.length === 0
      ? []
      : ['', `${several(problems.length, 'problem')}:`, '', ...listed(problems, 'steward status')];
  return [...warned, waitingText(decisions, pending), '', ...listed(decisions, 'steward inbox'), ...wrong];
}

function listed(entries: readonly WaitingEntry[], command: 'steward inbox' | 'steward status'): string[] {
  const more = entries.length - MOST_LISTED;
  return [
    ...entries.slice(0, MOST_LISTED).map((one) => `- ${entryLine(one)}`),
    ...(more > 0 ? [`- and ${more} more: \`${command}\``] : []),
  ];
}

/** Returns one entry in a line of Markdown: a warning before all else, what it is about, who said it in which words, and the note to answer. */
export function entryLine({ kind, event, target, change, candidates, warning, from, quote }: WaitingEntry): string {
  const about = target === null ? candidates.map(linkedChoice) : [linkTo(stem(target))];
  const what = change === null ? [] : [escapeMarkdown(clipped(change, MAX_TEXT))];
  const words = [from, quote === null || change?.includes(unmarkedQuote(quote)) === true ? null : `“${quote}”`].filter(
    (one) => one !== null,
  );
  const said = words.length === 0 ? [] : [escapeMarkdown(clipped(words.join(' '), MAX_SAID))];
  const note = event === null || WITHOUT_NOTE.includes(kind) ? [] : [linkTo(event)];
  const hide = kind === 'suspect' && event !== null ? [hidingCommand(event.replaceAll('`', ''))] : [];
  const head = warning === null ? `${NOUNS[kind]}: ` : `${escapeMarkdown(clipped(warning, MAX_TEXT))} `;
  return `${head}${[about.join(' or '), ...what, ...said, ...note, ...hide].filter((part) => part !== '').join(' · ')}`;
}

function hidingCommand(name: string): string {
  return `\`steward dismiss ${shellWord(name)}\``;
}

/** Entries whose name is no note's. */
const WITHOUT_NOTE: readonly WaitingKind[] = ['arrival', 'setting', 'stopped', 'suspect'];

// The link has folders if another note has the same name.
function linkedChoice(link: string): string {
  return linkTo(link.replace(/^\[\[|\]\]$/g, '').replace(/\.md$/i, ''));
}
