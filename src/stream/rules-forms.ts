import type { HiddenThing, StreamEvent } from '../steward/ports.ts';
import { hiddenWords, lineWords } from '../vault/reading-words.ts';
import { shownSentence, wordPattern } from './cues.ts';
import { type DateOrigin, readDate } from './dates.ts';
import {
  blockText,
  folded,
  isFiller,
  LABELS,
  type LabelKind,
  type LabelledLine,
  labelledLines,
  type Standing,
  standingOf,
  type TableRow,
  tableRows,
  wordsIn,
} from './forms-labels.ts';
import type { TopicName } from './languages/language-table.ts';
import { saysToo, wordsOf } from './mail/word.ts';
import { viewOf } from './mail-own-words.ts';
import { codesIn } from './money.ts';
import { type Claim, type Finding, findingOf, stateClaim, TOPICS, topicOf } from './rules.ts';

/** What only a form says is put to a person, and never done alone. */
const MOST_OF_A_FORM = 0.84;

/** Where in an event's text a form stands, and what of it leads to a note. */
interface Place {
  /** The subject or the body. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** The words around it, by which the note is looked for. */
  readonly around: string;
  /** The numbers and codes of what it is about, as they are written. */
  readonly references: readonly string[];
  readonly isSubject: boolean;
}

/** Returns the claim that something was done or called off, by a form; null where the phrase table has no such topic. */
export function topicClaim(name: TopicName, form: string): Claim | null {
  const topic = TOPICS.find((one) => one.name === name);
  return topic === undefined ? null : stateClaim(topic, `form: ${name}: ${form}`);
}

/** Returns the claim that something is due on a day, by a form. */
function dayClaim(day: string, form: string): Claim {
  const set = { due: day };
  return { effect: 'mutation', class: 'context_edit', set, phraseId: `form: date: ${form}`, verbs: [], otherVerbs: [] };
}

/** Returns the finding for what a form says at a place. */
export function formFinding(claim: Claim, confidence: number, place: Place, reason: string): Finding {
  const { text, start, end, around, isSubject } = place;
  const view = viewOf(text.slice(start, end));
  const phrase = { sentence: view, start: 0, end: view.length, bare: false, negative: false, ofFuture: false };
  const finding = findingOf(claim, Math.min(MOST_OF_A_FORM, confidence), phrase, {
    ...{ text, view, isSubject },
    sentence: { start, end },
  });
  const references = [...codesIn(place.references.join('\n'))];
  return { ...finding, sentence: shownSentence(viewOf(around)), reason, references };
}

/** Returns the finding as one that is not meant, and why. */
function denied(finding: Finding, why: string): Finding {
  return { ...finding, rawConfidence: 0, defeatedBy: why };
}

const LEAD =
  /^(?:(?:on|the|by|from|until|am|den|dem|bis|zum|ab|le|au|du|jusqu'au|el|al|del|hasta|il|dal|entro|op|vanaf|tot) )+/iu;
const ARROW = / ?(?:→|➔|➜|⇒|->|=>|»|>) ?/u;
/** So many places of a text are tried. */
const MOST_TRIES = 12;

/** Returns the day that a value begins with; null where there is none, or it can be read in two ways. */
function dayAt(value: string, origin: DateOrigin): string | null {
  const plain = value.replace(/\s/g, ' ').trim();
  return readDate(plain.replace(LEAD, ''), origin)?.day ?? null;
}

/** Returns both days of a value with an arrow from one to the other; null of any other. */
function daysOfMove(value: string, origin: DateOrigin): readonly [string, string] | null {
  const [before = '', after = '', more] = value.split(ARROW);
  const [from, to] = [dayAt(before, origin), dayAt(after, origin)];
  return more !== undefined || from === null || to === null ? null : [from, to];
}

/** Returns the one day that stands anywhere in a text; null where there is none, or several. */
function onlyDayIn(text: string, origin: DateOrigin): string | null {
  const starts = [...text.matchAll(/(?<![\p{L}\p{N}./-])[\p{L}\p{N}]/gu)]
    .slice(0, MOST_TRIES)
    .map(({ index }) => index);
  const days = new Set<string>();
  let behind = 0;
  for (const at of starts) {
    const found = at < behind ? null : readDate(text.slice(at), origin);
    if (found === null) continue;
    days.add(found.day);
    behind = at + found.length;
  }
  const [only, another] = days;
  return another === undefined ? (only ?? null) : null;
}

/** A hidden thing with where the text names it, and by what. */
interface NamedThing {
  readonly by: 'reference' | 'name' | 'party';
  readonly words: string;
  readonly place: Place;
}

interface Line {
  readonly text: string;
  readonly start: number;
  readonly isSubject: boolean;
}

const MOST_LINES = 400;
const MOST_SHOWN_LINES = 4;
const MOST_LINE = 300;

/** Returns where the subject or the text of a mail names a hidden thing, by the surest sign of it; null where neither does. */
function placeInText(thing: HiddenThing, event: StreamEvent): NamedThing | null {
  const lines = linesOf(event);
  const references = thing.references.filter((one) => lines.some(({ text }) => hasCode(text, one)));
  const signs = [
    ...references.map((words) => ({ by: 'reference' as const, words })),
    ...thing.names.map((words) => ({ by: 'name' as const, words })),
    ...thing.parties.map((words) => ({ by: 'party' as const, words })),
  ];
  const names = (line: Line, { by, words }: (typeof signs)[number]) =>
    by === 'reference' ? hasCode(line.text, words) : hasWords(line.text, words);
  for (const sign of signs) {
    const line = lines.findLast((one) => names(one, sign));
    if (line === undefined) continue;
    const others = lines.filter(
      (one) => one !== line && signs.some((other) => other.by !== 'party' && names(one, other)),
    );
    const around = [line, ...others.slice(0, MOST_SHOWN_LINES)].map(({ text }) => text.trim()).join(' ');
    return { ...sign, place: placeOf(line, event, around, references) };
  }
  return null;
}

function placeOf(line: Line, event: StreamEvent, around: string, references: readonly string[]): Place {
  const { start, isSubject } = line;
  const text = isSubject ? event.subject : event.text;
  return { text, start, end: start + line.text.length, around, references, isSubject };
}

function linesOf({ subject, text }: StreamEvent): readonly Line[] {
  const lines: Line[] = subject.trim() === '' ? [] : [{ text: subject, start: 0, isSubject: true }];
  let start = 0;
  for (const line of text.split('\n').slice(0, MOST_LINES)) {
    if (line.trim() !== '') lines.push({ text: line.slice(0, MOST_LINE), start, isSubject: false });
    start += line.length + 1;
  }
  return lines;
}

/** Whether a line has a number or code as one that stands by itself, however its groups are kept apart. */
function hasCode(line: string, reference: string): boolean {
  const wanted = groupsOf(reference);
  return wanted.length > 0 && isWithin(groupsOf(line), wanted);
}

function groupsOf(text: string): readonly string[] {
  return text.toUpperCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

function hasWords(line: string, name: string): boolean {
  const wanted = wordsOf(name);
  return wanted.length > 0 && isWithin(wordsOf(line), wanted);
}

function isWithin(all: readonly string[], wanted: readonly string[]): boolean {
  return all.some((_, at) => wanted.every((word, nth) => all[at + nth] === word));
}

type State = { readonly topic: TopicName; readonly isDone: boolean };

/** What the words of schema.org say was done, and what they deny. */
const STATES: Readonly<Record<string, State>> = {
  ...{ OrderDelivered: done('delivery'), OrderInTransit: not('delivery'), OrderProcessing: not('delivery') },
  ...{ OrderPickupAvailable: not('delivery'), OrderPaymentDue: not('payment'), OrderProblem: not('delivery') },
  ...{ OrderCancelled: done('cancellation') },
  ...{ PaymentComplete: done('payment'), PaymentDue: not('payment'), PaymentPastDue: not('payment') },
  ...{ PaymentDeclined: not('payment'), PaymentAutomaticallyApplied: not('payment') },
  ...{ ReservationConfirmed: done('booking'), Confirmed: done('booking'), ReservationPending: not('booking') },
  ...{ ReservationHold: not('booking'), ReservationCancelled: done('cancellation'), Cancelled: done('cancellation') },
  ...{ EventCancelled: done('cancellation') },
  ...{ Delivered: done('delivery'), InTransit: not('delivery'), OutForDelivery: not('delivery') },
};
const RESERVED_ONLY = new Set(['Confirmed', 'Cancelled']);
const CONFIDENCE: Readonly<Record<NamedThing['by'], number>> = { reference: 0.84, name: 0.8, party: 0.65 };
const CONFIRM_CONFIDENCE = 0.6;
const NOT_DONE = anyOf('notDone');
const NOT_CANCELLED = anyOf('notCancelled');

/**
 * Returns what the hidden things of a mail say, as far as its text names the same thing by its number, its name, or whose it
 * is, and says nothing against it. Each quotes the text, and is only ever proposed.
 */
function hiddenFindings(event: StreamEvent): readonly Finding[] {
  const things = event.forms?.things ?? [];
  if (things.length === 0) return [];
  const visible = viewOf(`${event.subject}\n${event.shown ?? event.text}`);
  return things.flatMap((thing) => findingsOf(thing, event, visible));
}

function findingsOf(thing: HiddenThing, event: StreamEvent, visible: string): readonly Finding[] {
  const named = placeInText(thing, event);
  if (named === null || !isShown(named.place, event)) return [];
  if (thing.kind === 'confirmation') return asked(thing, named);
  return [...statesOf(thing, named, visible), ...dayOf(thing, named, event, visible)];
}

/** Where the text stands in the plain part alone, nobody who reads the HTML has seen it. */
function isShown({ text, start, end }: Place, { shown, subject }: StreamEvent): boolean {
  const line = text.slice(start, end);
  return shown === null || saysToo(shown, line) || saysToo(subject, line);
}

function statesOf(thing: HiddenThing, named: NamedThing, visible: string): readonly Finding[] {
  return thing.statuses.flatMap((status) => {
    const state = Object.hasOwn(STATES, status) ? STATES[status] : undefined;
    if (state === undefined || (RESERVED_ONLY.has(status) && thing.kind !== 'reservation')) return [];
    const claim = topicClaim(state.topic, `${thing.kind} ${status}`);
    if (claim === null) return [];
    const finding = formFinding(claim, CONFIDENCE[named.by], named.place, reasonFor(thing, status, named));
    if (!state.isDone) return [denied(finding, `still open ("${status}")`)];
    const against = (state.topic === 'cancellation' ? NOT_CANCELLED : NOT_DONE).exec(visible)?.[0];
    return against === undefined ? [finding] : [denied(finding, `negated by the text ("${against}")`)];
  });
}

function dayOf(thing: HiddenThing, named: NamedThing, { originAt }: StreamEvent, visible: string): readonly Finding[] {
  const { kind, statuses, day, dayBefore } = thing;
  const isMoved = kind === 'event' && statuses.includes('EventRescheduled') && day !== dayBefore;
  const isToPay =
    (kind === 'invoice' || kind === 'order') && statuses.some((one) => /^(?:Order)?PaymentDue$/.test(one));
  if (day === null || !(isMoved || isToPay) || NOT_CANCELLED.test(visible)) return [];
  const finding = formFinding(
    dayClaim(day, `${kind} ${isMoved ? 'rescheduled' : 'due'}`),
    CONFIDENCE[named.by],
    named.place,
    reasonFor(thing, day, named),
  );
  const isPast = originAt !== null && day < originAt.slice(0, 10);
  return [isPast ? denied(finding, 'the day lies before the mail') : finding];
}

function asked({ names }: HiddenThing, named: NamedThing): readonly Finding[] {
  const claim = {
    effect: 'action',
    class: null,
    set: {},
    phraseId: 'form: request: confirm',
    verbs: [],
    otherVerbs: [],
  } as const;
  return [formFinding(claim, CONFIRM_CONFIDENCE, named.place, `the mail has a button "${names[0] ?? ''}"`)];
}

function reasonFor({ kind }: HiddenThing, says: string, { by, words }: NamedThing): string {
  return hiddenWords(kind, says, by, words);
}

function anyOf(list: 'notDone' | 'notCancelled'): RegExp {
  const words = Object.values(LABELS).flatMap((one) => wordsIn(one[list]));
  const plain = [...new Set(words.map(viewOf))].map((word) => word.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'));
  return wordPattern(plain.join('|').replaceAll('\\-', '-'));
}

function done(topic: TopicName): State {
  return { topic, isDone: true };
}

function not(topic: TopicName): State {
  return { topic, isDone: false };
}

const MOST_WORDS = 5;
const MOST_BEHIND = 60;
/** What makes a status mean less than it says. */
const LESS =
  /(?<!\p{L})(?:not|nicht|pas|no|non|niet|part\p{L}*|teil\p{L}*|deels|parc\p{L}*|parz\p{L}*|except|außer|sauf|salvo|tranne|behalve|if|wenn|si|se|als|until|bis|after|once|refund\p{L}*|erstatt\p{L}*|rembours\p{L}*|reembols\p{L}*|rimbors\p{L}*|terugbet\p{L}*)(?!\p{L})/iu;

/**
 * Returns how something stands by the value of a status line: `Delivered`, `Paid on 3 December`. Null where the value says
 * anything else besides, or `isBare` and there is more than that word.
 */
function statusIn(value: string, isBare: boolean): Standing | null {
  if (/[?？]/u.test(value)) return null;
  const words = value.match(/\S+/g) ?? [];
  for (let length = Math.min(MOST_WORDS, words.length); length > 0; length -= 1) {
    const standing = standingOf(words.slice(0, length).join(' '));
    if (standing === null) continue;
    const rest = words.slice(length).join(' ');
    return mayFollow(rest, words[length - 1] ?? '', isBare) ? standing : null;
  }
  return null;
}

/** Whether what stands behind the word leaves it as it is: nothing, a day, what is bracketed. */
function mayFollow(rest: string, last: string, isBare: boolean): boolean {
  if (!/[\p{L}\p{N}]/u.test(rest)) return true;
  if (isBare || rest.length > MOST_BEHIND || LESS.test(rest)) return false;
  const first = rest.split(' ', 1)[0] ?? '';
  return /[,;.)]$/u.test(last) || /^(?:[([–—\-|·,;]|\d)/u.test(first) || isFiller(first);
}

/** A sum as the value of a line: its digits, with its currency before or behind. */
const SUM =
  /^(?:[A-Z]{3}|[€£$¥])? ?(-?\d{1,3}(?:[., '’\u00A0\u202F]?\d{3})*(?:[.,]\d{2})?|-?\d{1,9}(?:[.,]\d{2})?) ?(?:[A-Z]{3}|[€£$¥]|euros?|Euro)?[.,]?$/u;

/** Returns whether a line of what is left to pay says that nothing is; null where its value is no sum. */
function isNothingLeft(value: string): boolean | null {
  const digits = SUM.exec(value.trim())?.[1];
  return digits === undefined ? null : !/[1-9]/.test(digits);
}

/** The labelled lines of an event. */
interface Labels {
  readonly event: StreamEvent;
  readonly origin: DateOrigin;
  readonly lines: readonly LabelledLine[];
}

type StatusKind = Extract<LabelKind, `status${string}`>;

const CONFIDENCE_LABEL_FINDINGS = {
  moved: 0.84,
  next: 0.8,
  when: 0.7,
  due: 0.8,
  status: 0.84,
  anyStatus: 0.8,
  nothingLeft: 0.8,
} as const;
const TOPIC_OF: Readonly<Record<Exclude<Standing, 'pending'>, TopicName>> = {
  ...{ paid: 'payment', delivered: 'delivery', booked: 'booking', cancelled: 'cancellation' },
  ...{ signed: 'signature', approved: 'approval', completed: 'completion' },
};
/** What each kind of status line can say. */
const SAID_BY: Readonly<Record<StatusKind, readonly Standing[]>> = {
  status: ['paid', 'delivered', 'cancelled', 'signed', 'approved', 'completed', 'pending'],
  statusOfPayment: ['paid', 'cancelled', 'completed', 'pending'],
  statusOfDelivery: ['delivered', 'cancelled', 'completed', 'pending'],
  statusOfBooking: ['booked', 'cancelled', 'completed', 'pending'],
};
/** What each kind denies where it says that something is still open. */
const DENIED_BY: Readonly<Record<StatusKind, readonly TopicName[]>> = {
  status: ['payment', 'delivery', 'booking', 'completion', 'signature', 'approval'],
  statusOfPayment: ['payment'],
  statusOfDelivery: ['delivery'],
  statusOfBooking: ['booking'],
};
const STATUS_KINDS: readonly StatusKind[] = ['statusOfPayment', 'statusOfDelivery', 'statusOfBooking', 'status'];

/** Returns what the labelled lines of an event's text say was done, called off, moved, or is due. */
export function labelFindings(event: StreamEvent, origin: DateOrigin): readonly Finding[] {
  const labels = { event, origin, lines: labelledLines(event.text) };
  return [...movesIn(labels), ...duesIn(labels), ...labels.lines.flatMap((line) => statusOf(line, labels))];
}

function movesIn(labels: Labels): readonly Finding[] {
  const { lines, origin } = labels;
  const next = datedBy(lines, 'next', origin);
  const hasFormer = datedBy(lines, 'former', origin).length > 0;
  const whens = datedBy(lines, 'when', origin);
  if (next.length > 0) return next.map((one) => dateFinding(one, labels, hasFormer ? 'moved' : 'next'));
  if (hasFormer) return whens.map((one) => dateFinding(one, labels, 'moved'));
  const arrows = lines
    .filter(({ kinds }) => kinds.includes('when'))
    .flatMap((line) => {
      const move = daysOfMove(line.value, origin);
      return move === null || move[0] === move[1] ? [] : [dateFinding({ line, day: move[1] }, labels, 'moved')];
    });
  if (arrows.length > 0) return arrows;
  return whens.filter(({ line }) => isOfAppointment(line, lines)).map((one) => dateFinding(one, labels, 'when'));
}

function duesIn(labels: Labels): readonly Finding[] {
  return datedBy(labels.lines, 'due', labels.origin).map((one) => dateFinding(one, labels, 'due'));
}

/** A line with the day that it names. */
interface DatedLine {
  readonly line: LabelledLine;
  readonly day: string;
}

function datedBy(lines: readonly LabelledLine[], kind: LabelKind, origin: DateOrigin): readonly DatedLine[] {
  return lines
    .filter(({ kinds }) => kinds.includes(kind))
    .flatMap((line) => {
      const day = dayAt(line.value, origin);
      return day === null ? [] : [{ line, day }];
    });
}

/** "Date:" may be the day of anything, unless a line beside it says where, or what. */
function isOfAppointment({ block }: LabelledLine, lines: readonly LabelledLine[]): boolean {
  return lines.some((line) => line.block === block && line.kinds.includes('about') && !line.isBare);
}

function dateFinding({ line, day }: DatedLine, labels: Labels, how: 'moved' | 'next' | 'when' | 'due'): Finding {
  const { originAt } = labels.event;
  const finding = formFinding(
    dayClaim(day, how === 'moved' ? 'next' : how),
    CONFIDENCE_LABEL_FINDINGS[how],
    placeOfLabelFindings(line, labels),
    reasonForLabelFindings(line),
  );
  const isPast = originAt !== null && day < originAt.slice(0, 10);
  return isPast ? denied(finding, 'the day lies before the mail') : finding;
}

function statusOf(line: LabelledLine, labels: Labels): readonly Finding[] {
  const left = line.kinds.includes('open') ? isNothingLeft(line.value) : null;
  if (left !== null)
    return left
      ? said(line, labels, 'payment', CONFIDENCE_LABEL_FINDINGS.nothingLeft)
      : deniedBy(line, labels, ['payment']);
  const kind = STATUS_KINDS.find((one) => line.kinds.includes(one));
  if (kind === undefined) return [];
  const standing = statusIn(line.value, line.isBare);
  if (standing === null || !SAID_BY[kind].includes(standing)) return [];
  if (standing === 'pending') return deniedBy(line, labels, DENIED_BY[kind]);
  const isPayment = kind === 'statusOfPayment' && standing === 'completed';
  const confidence = kind === 'status' ? CONFIDENCE_LABEL_FINDINGS.anyStatus : CONFIDENCE_LABEL_FINDINGS.status;
  return said(line, labels, isPayment ? 'payment' : TOPIC_OF[standing], confidence);
}

function said(line: LabelledLine, labels: Labels, topic: TopicName, confidence: number): readonly Finding[] {
  const claim = topicClaim(topic, folded(line.label));
  return claim === null
    ? []
    : [formFinding(claim, confidence, placeOfLabelFindings(line, labels), reasonForLabelFindings(line))];
}

function deniedBy(line: LabelledLine, labels: Labels, topics: readonly TopicName[]): readonly Finding[] {
  return topics.flatMap((topic) =>
    said(line, labels, topic, 0).map((one) => denied(one, `still open ("${folded(line.value)}")`)),
  );
}

function placeOfLabelFindings(line: LabelledLine, { event: { text }, lines }: Labels): Place {
  const { start, end, block } = line;
  const beside = lines.filter(({ kinds }) => kinds.includes('reference'));
  const own = beside.filter((one) => one.block === block);
  const references = (own.length > 0 ? own : beside).map(({ value }) => value);
  const around = `${text.slice(start, end)} ${blockText(text, block)}`;
  return { text, start, end, around, references, isSubject: false };
}

function reasonForLabelFindings({ label }: LabelledLine): string {
  return lineWords(folded(label));
}

const CONFIDENCE_STRUCK_FINDINGS = 0.8;

/** Returns the days that a mail gives in place of crossed-out ones: on the same line, or on the next. */
function struckFindings(event: StreamEvent, origin: DateOrigin): readonly Finding[] {
  return (event.forms?.struck ?? []).flatMap((struck) => moved(struck, event, origin));
}

function moved(struck: string, { text, originAt }: StreamEvent, origin: DateOrigin): readonly Finding[] {
  const before = dayAt(struck, origin);
  const at = before === null ? -1 : text.indexOf(struck);
  if (at === -1 || text.includes(struck, at + 1)) return [];
  const line = { start: text.lastIndexOf('\n', at) + 1, end: endOfLine(text, at) };
  const next = { start: Math.min(text.length, line.end + 1), end: endOfLine(text, line.end + 1) };
  for (const [where, words] of [
    [line, `${text.slice(line.start, at)} ${text.slice(at + struck.length, line.end)}`],
    [next, text.slice(next.start, next.end)],
  ] as const) {
    const day = onlyDayIn(words.replace(/\s+/g, ' ').trim(), origin);
    if (day === null || day === before) continue;
    const around = `${text.slice(Math.max(0, line.start - 150), line.start)} ${text.slice(line.start, where.end)}`;
    const place = { text, ...where, around, references: [], isSubject: false };
    const finding = formFinding(
      dayClaim(day, 'crossed out'),
      CONFIDENCE_STRUCK_FINDINGS,
      place,
      'a day is crossed out, and this one stands beside it',
    );
    return [
      originAt !== null && day < originAt.slice(0, 10) ? denied(finding, 'the day lies before the mail') : finding,
    ];
  }
  return [];
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}

const CONFIDENCE_TABLE_FINDINGS = 0.75;

/** Returns until when the rows of tables with a column for it are to be paid. */
function tableFindings(event: StreamEvent, origin: DateOrigin): readonly Finding[] {
  const { text, originAt } = event;
  return tableRows(text).flatMap((row) => {
    const day = row.kinds.includes('due') ? onlyDayIn(row.text, origin) : null;
    if (day === null) return [];
    const finding = formFinding(
      dayClaim(day, 'due'),
      CONFIDENCE_TABLE_FINDINGS,
      placeOfTableFindings(row, text),
      'a table in the text says when it is due',
    );
    return [
      originAt !== null && day < originAt.slice(0, 10) ? denied(finding, 'the day lies before the mail') : finding,
    ];
  });
}

function placeOfTableFindings({ text: row, start, kinds }: TableRow, text: string): Place {
  const references = kinds.includes('reference') ? [row] : [];
  return { text, start, end: start + row.length, around: row, references, isSubject: false };
}

/**
 * Returns what the forms of a mail say: the labelled lines of its text, crossed-out days, and what it tells programs where its
 * text names the same.
 */
export function formsOf(event: StreamEvent, origin: DateOrigin): readonly Finding[] {
  return [
    ...labelFindings(event, origin),
    ...tableFindings(event, origin),
    ...struckFindings(event, origin),
    ...hiddenFindings(event),
  ];
}

/**
 * Returns the findings of sentences and of forms. Where both say the same, the number that the form names holds for both. A
 * day to pay by means nothing beside "paid", nor a time beside "cancelled", however their line is read.
 */
export function withForms(read: readonly Finding[], forms: readonly Finding[]): readonly Finding[] {
  const said = [...read, ...forms].filter(({ defeatedBy }) => defeatedBy === null);
  const isPaid = said.some((one) => topicOf(one) === 'payment');
  const isOff = said.some(({ set }) => set.state === 'archived');
  const [idle, kept] = parted(forms, ({ phraseId }) => (isPaid && isToPay(phraseId)) || (isOff && isWhen(phraseId)));
  const sentences = read.filter((finding) => !idle.some((form) => isSameLine(form, finding)));
  return [...withReferences(sentences, kept), ...kept];
}

function parted<T>(all: readonly T[], isFirst: (one: T) => boolean): readonly [readonly T[], readonly T[]] {
  return [all.filter(isFirst), all.filter((one) => !isFirst(one))];
}

function withReferences(read: readonly Finding[], forms: readonly Finding[]): readonly Finding[] {
  const named = forms.filter(({ references, defeatedBy }) => (references ?? []).length > 0 && defeatedBy === null);
  return read.map((finding) => {
    const references = named.find((form) => isSame(form, finding))?.references;
    return references === undefined ? finding : { ...finding, references };
  });
}

/** "Due date: 3 December" is a line with a label, and reads as a sentence too. */
function isSameLine(form: Finding, { set: { due }, quote }: Finding): boolean {
  return due !== undefined && form.set.due === due && (form.quote.includes(quote) || quote.includes(form.quote));
}

function isSame(one: Finding, other: Finding): boolean {
  const [first, second] = [one, other].map(({ effect, set }) => JSON.stringify([effect, set]));
  return first === second && topicOf(one) === topicOf(other);
}

function isToPay(phraseId: string): boolean {
  return /^form: date: (?:due|invoice due|order due)$/.test(phraseId);
}

function isWhen(phraseId: string): boolean {
  return phraseId === 'form: date: when';
}

/** Marks that shops and offices put on what they send to one person as well as on what they send to all. */
const MAYBE_TO_ONE = /^(?:List-Unsubscribe|List-Id|Precedence: bulk|Auto-Submitted: auto-(?:generated|notified))/;
/** What newsletters tell of as well. */
const OF_ALL = new Set(['event', 'confirmation']);

/** Whether a mail that a machine sent may be to one person after all, by its headers alone. An automatic reply is not. */
export function mayBeNotification({ bulkReason }: Pick<StreamEvent, 'bulkReason'>): boolean {
  return MAYBE_TO_ONE.test(bulkReason ?? '');
}

/** Whether a mail that a machine sent is about something of the reader's own: it has a number or a state of an order, say. */
export function isNotification(event: StreamEvent): boolean {
  if (!mayBeNotification(event)) return false;
  const told = event.forms?.things ?? [];
  return told.some(({ kind }) => !OF_ALL.has(kind)) || labelledLines(event.text).some(isOfOne);
}

function isOfOne({ kinds, value, isBare }: LabelledLine): boolean {
  if (kinds.includes('reference')) return codesIn(value).size > 0;
  if (kinds.includes('open')) return !isBare && isNothingLeft(value) !== null;
  return kinds.some((kind) => kind.startsWith('status')) && statusIn(value, isBare) !== null;
}
