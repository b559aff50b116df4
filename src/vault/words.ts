import { briefly, changeTable, clipped, oneLine, shown } from './note-text.ts';
import { keptPart, type PartMarks } from './notes/kept-part.ts';
import { escapeMarkdown, linkTo } from './notes.ts';
import type { Yaml } from './records/values.ts';
import type { Changes, RecordedGate, UndoRecipe } from './records.ts';
import { utc } from './time.ts';
import { gateLine, whyActed, whyProposed } from './words/gate-words.ts';

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;
const MONTHS = [
  ...(['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August'] as const),
  ...(['September', 'October', 'November', 'December'] as const),
];

/** Returns a moment (epoch ms) that lies ahead, in the zone of the reader: `Monday 30 November, 14:05`. */
export function untilWords(ms: number): string {
  const date = new Date(ms);
  return `${WEEKDAYS[date.getDay()]} ${date.getDate()} ${MONTHS[date.getMonth()]}, ${clock(date)}`;
}

/** Returns a moment (epoch ms) that is past, in the zone of the reader: `23 November 2026 at 14:05`. */
export function momentWords(ms: number): string {
  const date = new Date(ms);
  return `${date.getDate()} ${MONTHS[date.getMonth()]} ${date.getFullYear()} at ${clock(date)}`;
}

function clock(date: Date): string {
  return `${String(date.getHours()).padStart(2, '0')}:${String(date.getMinutes()).padStart(2, '0')}`;
}

/** The marks of the part of an event note that says what can be done now, or what has become of it. */
export const NOW_PART: PartMarks = { begin: '%% steward %%', end: '%% /steward %%' };

/** What an event note asks of a person. */
type Asking = 'proposal' | 'question' | 'choice';
/** What it is that can be taken back. */
type Made = 'change' | 'reversal';

/** What has become of what an event note tells: what can be done now, or what was done. Moments in epoch ms. */
export type Becoming =
  | { readonly kind: 'open'; readonly asks: Asking }
  | { readonly kind: 'undoable'; readonly made: Made; readonly until: number }
  /** The days in which it could be taken back are over. */
  | { readonly kind: 'over'; readonly until: number }
  /** A reversal that found the field changed, and can still be forced. */
  | { readonly kind: 'forcible'; readonly until: number }
  | { readonly kind: 'reversed'; readonly by: string; readonly at: number }
  /** `until`: how long the change can be taken back there; null where there is none, or no longer. */
  | { readonly kind: 'confirmed'; readonly by: string; readonly at: number; readonly until: number | null }
  | { readonly kind: 'dismissed'; readonly by: string; readonly at: number }
  | { readonly kind: 'superseded'; readonly by: string }
  | { readonly kind: 'settled'; readonly by: string | null; readonly reason: string; readonly isMade: boolean }
  | { readonly kind: 'nothing' };

/** The classes of an event note in Obsidian: the style sheet that `init` offers hides the machine's part of such notes. */
export const EVENT_CLASSES: readonly string[] = ['steward-event'];

/** Returns that a change, or a reversal, can be taken back as long as its recipe says; 'nothing' without a recipe. */
export function undoable(made: Made, recipe: UndoRecipe | null): Becoming {
  if (recipe === null) return { kind: 'nothing' };
  const until = Date.parse(recipe.expires_at);
  return Number.isNaN(until) ? { kind: 'over', until } : { kind: 'undoable', made, until };
}

/** The checkboxes and `choose`, in the order in which they stand in a note. */
export const BOXES = ['choose', 'confirm', 'dismiss', 'undo', 'force', 'deliberate'] as const;
type Box = (typeof BOXES)[number];

const ASKED: Readonly<Record<Asking, readonly Box[]>> = {
  proposal: ['confirm', 'dismiss', 'deliberate'],
  question: ['dismiss'],
  choice: ['choose', 'dismiss'],
};

/** Returns the boxes that can mean something now. */
export function boxesFor(becoming: Becoming): readonly Box[] {
  if (becoming.kind === 'open') return ASKED[becoming.asks];
  if (becoming.kind === 'undoable') return ['undo'];
  return becoming.kind === 'forcible' ? ['force'] : [];
}

/** Returns the field that says what the program's part of a new note says; none where it has no such part. */
export function saysField(becoming: Becoming): { readonly says?: string } {
  return becoming.kind === 'nothing' ? {} : { says: becomingKey(becoming) };
}

/** Returns the boxes that can mean something now as fields of a new note, none of them ticked. */
export function boxFields(becoming: Becoming): Readonly<Record<string, false | ''>> {
  return Object.fromEntries(boxesFor(becoming).map((box) => [box, box === 'choose' ? '' : false]));
}

/** Returns what has become of an event as one short text that can be compared: the note says so in `says`. */
export function becomingKey(becoming: Becoming): string {
  switch (becoming.kind) {
    case 'open':
      return `open ${becoming.asks}`;
    case 'undoable':
    case 'forcible':
      return `${becoming.kind} until ${utc(becoming.until)}`;
    case 'confirmed':
      return `confirmed ${becoming.by}${becoming.until === null ? '' : ` until ${utc(becoming.until)}`}`;
    case 'reversed':
    case 'dismissed':
    case 'superseded':
      return `${becoming.kind} ${becoming.by}`;
    default:
      return becoming.kind;
  }
}

/** Whether a note says of its event, in `says`, that it can still be forced. */
export function saysForcible(says: string): boolean {
  return says.startsWith('forcible ');
}

const INVITED: Readonly<Record<Asking, string>> = {
  proposal:
    'Tick `confirm` above to make the change, `dismiss` to let it go, or `deliberate` to have it argued first. It waits until you answer.',
  question: 'Tick `dismiss` above once you have seen to it.',
  choice:
    'Tick the right note in the list to make the change there, or tick `dismiss` above to let it go. Its link in `choose` means the same.',
};

/** Returns what can be done now, or what has become of it, in a sentence or two. */
export function becomingWords(becoming: Becoming): string {
  switch (becoming.kind) {
    case 'open':
      return INVITED[becoming.asks];
    case 'undoable':
      return `Tick \`undo\` above to ${becoming.made === 'change' ? 'take it back' : 'make the change again'}, until ${untilWords(becoming.until)}.`;
    case 'over':
      return `It stands.${Number.isNaN(becoming.until) ? '' : ` It could be taken back until ${momentWords(becoming.until)}.`}`;
    case 'forcible':
      return `Tick \`force\` above to take it back all the same, until ${untilWords(becoming.until)}.`;
    case 'reversed':
      return `You took this back${on(becoming)}: ${linkTo(becoming.by)}.`;
    case 'confirmed':
      return `You confirmed this${on(becoming)}: ${linkTo(becoming.by)}.${undoThere(becoming.until)}`;
    case 'dismissed':
      return `You dismissed this${on(becoming)}: ${linkTo(becoming.by)}.`;
    case 'superseded':
      return `A newer note has taken its place: ${linkTo(becoming.by)}.`;
    case 'settled':
      return settledWords(becoming);
    case 'nothing':
      return 'Nothing is asked of you.';
  }
}

function on({ at }: { readonly at: number }): string {
  return Number.isNaN(at) ? '' : ` on ${momentWords(at)}`;
}

function undoThere(until: number | null): string {
  return until === null ? '' : ` Tick \`undo\` there to take it back, until ${untilWords(until)}.`;
}

function settledWords({ by, reason, isMade }: Extract<Becoming, { kind: 'settled' }>): string {
  if (by !== null) return `It waits no more: ${linkTo(by)} says why.`;
  return isMade
    ? 'You made this change by hand, so nothing is left to answer.'
    : `It waits no more: ${escapeMarkdown(reason)}.`;
}

/** The longest value that a sentence holds. The table has the whole. */
const MAX_VALUE = 60;

/** Verbs for what the steward did (`past`) and for what it proposes (`plain`). */
const VERBS = {
  past: { done: 'marked', archived: 'archived', open: 'reopened', set: 'set', change: 'changed', remove: 'removed' },
  plain: { done: 'mark', archived: 'archive', open: 'reopen', set: 'set', change: 'change', remove: 'remove' },
} as const;
type Tense = keyof typeof VERBS;

/** Returns what is changed in a note as a phrase: `mark [[pay]] as done`, `changed due of [[pay]] from A to B`. */
function changePhrase(tense: Tense, name: string, changes: Changes): string {
  const verbs = VERBS[tense];
  const note = linkTo(name);
  const telling = tellingOf(changes);
  const [only, ...more] = telling;
  if (only === undefined || more.length > 0) return `${verbs.change} ${telling.length} fields of ${note}`;
  const [field, { before, after }] = only;
  if (isState(field)) {
    if (after === 'done') return `${verbs.done} ${note} as done`;
    if (after === 'archived') return `${verbs.archived} ${note}`;
    if (after === 'open') return `${verbs.open} ${note}`;
  }
  const what = `\`${field.replace(/[^\w .-]/g, '')}\``;
  if (after === null) return `${verbs.remove} ${what} from ${note}`;
  if (before === null) return `${verbs.set} ${what} of ${note} to ${value(after)}`;
  return `${verbs.change} ${what} of ${note} from ${value(before)} to ${value(after)}`;
}

// The day of completion goes with the state, and is in the table.
function tellingOf(changes: Changes): [string, Changes[string]][] {
  const entries = Object.entries(changes);
  const others = entries.filter(([field]) => field !== 'completedDate');
  return others.length === 0 ? entries : others;
}

function isState(field: string): boolean {
  return field === 'state' || field === 'status';
}

function value(held: Yaml): string {
  return escapeMarkdown(clipped(shown(held), MAX_VALUE));
}

/** What an event note is to a person: a change that was made or is proposed, a question, or only a record. */
export type Standing = 'acted' | 'proposal' | 'question' | 'record';

/** What the body of an event note tells. Names of notes are without folder and `.md`. */
export interface EventTelling {
  readonly standing: Standing;
  readonly target: string;
  readonly decision: string;
  readonly confidence: number;
  readonly mode: 'shadow' | 'live';
  readonly changes: Changes;
  /** Whether the steward saw it by itself, without a signal. */
  readonly isPerceived: boolean;
  /** Who spoke, and the quote, as the fields of the note have them. */
  readonly from: string | null;
  readonly quote: string | null;
  /** What the signals say, in a few words; '' where nothing. */
  readonly summary: string;
  readonly reasoning: string;
  /** What is odd about the sender or the text: sentences. */
  readonly warnings: readonly string[];
  /** The accounts in which mails lie that the vault does not keep. */
  readonly accounts: readonly string[];
  readonly gates: readonly RecordedGate[];
  /** Why the change that was meant may not be made at all, or null. */
  readonly refusal: string | null;
  readonly evaluator: string;
  readonly signals: readonly string[];
}

/** Texts of signals and evaluators are cut, so that the note stays readable: it holds the undo recipe. */
const MAX_TEXT = 4000;
const MAX_REASONING = 20_000;
const MAX_WARNING = 300;
const MAX_WHY = 600;

/**
 * Returns the body of an event note: what happened, from whom, the quote, why, the change, what can be done now, and
 * folded behind it how it was decided.
 */
export function eventBody(telling: EventTelling, now: Becoming): string {
  return paragraphs([
    headline(telling),
    ...toldBy(telling),
    ...whyLines(telling),
    ...telling.warnings.map((one) => `Beware: ${escapeMarkdown(clipped(oneLine(one), MAX_WARNING))}`),
    ...telling.accounts.map(notKept),
    tableOf(telling),
    nowPart(now),
    decidedLines(telling),
  ]);
}

/** Returns the part of a body that says what can be done now, or what has become of it; null where there is nothing to say. */
export function nowPart(now: Becoming): string | null {
  return now.kind === 'nothing' ? null : keptPart(NOW_PART, becomingWords(now));
}

/** Returns paragraphs as a body; those that are empty are left out. */
export function paragraphs(parts: readonly (string | null)[]): string {
  return parts.filter((part) => part !== null && part !== '').join('\n\n');
}

/** Returns who spoke and what they said, as paragraphs of a body; empty where nobody spoke. */
export function toldBy({ from, quote, summary }: Pick<EventTelling, 'from' | 'quote' | 'summary'>): string[] {
  const said = summary === '' ? '' : `: ${escapeMarkdown(clipped(oneLine(summary), MAX_TEXT))}`;
  const who = from === null ? [] : [`From ${escapeMarkdown(from)}${said}`];
  return [...who, ...(quote === null ? [] : [`> ${escapeMarkdown(clipped(quote, MAX_TEXT))}`])];
}

function headline(telling: EventTelling): string {
  const { standing, target, changes, isPerceived, decision } = telling;
  const note = linkTo(target);
  if (standing === 'acted') return `The steward ${changePhrase('past', target, changes)}.`;
  if (standing === 'proposal') return `The steward proposes to ${changePhrase('plain', target, changes)}.`;
  if (isPerceived) return `The steward noticed something about ${note}.`;
  if (standing === 'question') return `Something about ${note} needs your answer.`;
  return decision === 'rate_guarded'
    ? `The steward has not judged ${note} yet.`
    : `The steward looked at ${note} and changed nothing.`;
}

// Where one signal was strong enough alone, it is the gates that say why, and the words of the evaluator come last.
function whyLines({ standing, gates, mode, refusal, ...telling }: EventTelling): (string | null)[] {
  const judged = isRouted(telling) ? null : reasonOf(telling, MAX_WHY);
  const refused = refusal === null ? null : `This change is not allowed: ${escapeMarkdown(refusal)}`;
  if (standing === 'acted') return [judged, whyActed(gates)];
  if (standing === 'proposal') return [judged, refused, whyProposed(gates, mode)];
  return [judged, refused];
}

function isRouted({ evaluator, isPerceived }: Pick<EventTelling, 'evaluator' | 'isPerceived'>): boolean {
  return evaluator.startsWith('none:') && !isPerceived;
}

function reasonOf(
  { reasoning, target, signals }: Pick<EventTelling, 'reasoning' | 'target' | 'signals'>,
  max: number,
): string {
  const plain = reasoning.replace(/^Rules: /, '').replace(/^[a-z]/, (first) => first.toUpperCase());
  return escapeMarkdown(clipped(plain, max), [target, ...signals]);
}

function tableOf({ changes, standing, isPerceived }: EventTelling): string | null {
  const isBare = Object.keys(changes).length === 0;
  return isBare && (standing === 'record' || isPerceived) ? null : changeTable(briefly(changes));
}

function notKept(account: string): string {
  return `The vault does not keep a mail behind this: it lies in the account ${escapeMarkdown(account)}.`;
}

// Where nobody judged, the evaluator says why.
function judgeOf(evaluator: string): string {
  if (evaluator === 'none') return '';
  const [, why] = /^none: (.*)$/s.exec(evaluator) ?? [];
  return why === undefined ? `, by ${escapeMarkdown(evaluator)}` : `: ${escapeMarkdown(why)}`;
}

// Folded, so that whoever opens the note sees the rest first.
function decidedLines(telling: EventTelling): string {
  const { decision, confidence, mode, evaluator, gates, signals, reasoning } = telling;
  const isShort = reasoning.length <= MAX_WHY && !isRouted(telling);
  const lines = [
    `${escapeMarkdown(decision)}, ${confidence} sure, in mode ${mode}${judgeOf(evaluator)}`,
    ...(isShort ? [] : ['', reasonOf(telling, MAX_REASONING)]),
    ...(gates.length === 0 ? [] : ['', ...gates.map((gate) => `- ${escapeMarkdown(gateLine(gate))}`)]),
    ...(signals.length === 0 ? [] : ['', `Signals: ${signals.map(linkTo).join(', ')}`]),
  ];
  return ['> [!info]- How it was decided', ...lines.map((line) => `> ${line}`.trimEnd())].join('\n');
}

/** What the body of an answer tells. Names are without folder and `.md`. */
interface AnswerTelling {
  readonly what: 'confirmed' | 'dismissed';
  /** The event note that was answered. */
  readonly event: string;
  /** The note that it is about; null where none was meant yet. */
  readonly target: string | null;
  readonly changes: Changes;
  readonly from: string | null;
  readonly quote: string | null;
}

/** Returns the body of the note that records a person's answer. */
export function answerBody(telling: AnswerTelling, now: Becoming): string {
  const isChanged = telling.what === 'confirmed' && Object.keys(telling.changes).length > 0;
  return paragraphs([
    headlineAnswerWords(telling),
    ...toldBy({ ...telling, summary: '' }),
    isChanged ? changeTable(briefly(telling.changes)) : null,
    nowPart(now),
  ]);
}

function headlineAnswerWords({ what, event, target, changes }: AnswerTelling): string {
  const about = target === null ? '' : ` about ${linkTo(target)}`;
  if (what === 'dismissed') return `You dismissed ${linkTo(event)}${about}. Your notes stay as they are.`;
  if (target === null || Object.keys(changes).length === 0)
    return `You confirmed ${linkTo(event)}${about}. It proposed no change.`;
  return `You confirmed ${linkTo(event)}, and the steward ${changePhrase('past', target, changes)}.`;
}

/** Returns the body of the note that says why a note waits no more. `names`: the event notes that may be linked. */
export function closedBody(reason: string, names: readonly string[], target: string): string {
  return paragraphs([
    escapeMarkdown(reason, names),
    `${linkTo(target)} no longer says that something waits. All else in it stays.`,
  ]);
}

/** Returns why the proposals about a note wait no more. */
export function closedWords(closed: readonly { readonly name: string; readonly reason: string }[]): string {
  if (closed.length === 0) return 'No proposal about it waits any more.';
  return closed.map(({ name, reason }) => `[[${name}]] closed itself: ${reason}.`).join(' ');
}

/** What stands for the evaluator where a person decides. */
export const JUDGED_BY = {
  settled: 'none: a person settled it',
  chooses: 'none: a person says which note is meant',
} as const;

/** What a note says above the part that the steward keeps up to date. */
export const KEPT_OPENING = 'What you write above or below the part that the steward keeps up to date stays as it is.';

/** Why such a note was left as it is. */
export const WHY_LEFT = {
  unreadable: 'It cannot be read as a note, so it was left as it is.',
  marks: 'Its marks have changed, so it was left as it is.',
  typed:
    'Somebody has written between its marks, so it was left as it is: move those words above or below the marks, and delete what is between them.',
  busy: 'Somebody is editing it just now; it is written the next time.',
} as const;

/** What an event note says where an answer in it can mean nothing. */
export const REMARKS = {
  isMade: 'This change is already made: tick undo to take it back.',
  nothingProposed: 'No answer needed: nothing is proposed here.',
  changedNothing: 'This changed no note, so there is nothing to take back.',
  changedNothingYet: 'This changed no note, so there is nothing to take back. Tick dismiss to let it go.',
  both: 'Both confirm and dismiss are ticked: untick one of them.',
  onlySeen: 'No change is proposed: tick dismiss once you have seen to it.',
  which: 'Several notes could be meant: tick the right one below, or write its link into choose.',
  chosenAndDismissed: 'You chose a note and ticked dismiss: take one of the two back.',
  several: 'Several notes are chosen: keep the tick at the right one only, and leave choose empty.',
  noSuchNote: 'The link in choose leads to no task and no matter of this vault.',
  confirmed: (by: string) => `Already confirmed in [[${by}]]: tick undo there to take it back.`,
  dismissed: (by: string) => `Already dismissed in [[${by}]].`,
  settled: (reason: string) => `It no longer waits: ${reason}.`,
  superseded: (by: string) => `A newer note has taken its place: [[${by}]].`,
} as const;
