import type { Changes, Yaml } from './frontmatter.ts';
import { stem } from './layout.ts';
import {
  briefly,
  changeTable,
  choiceList,
  clipped,
  dateInWords,
  escapeMarkdown,
  fieldLine,
  joinLines,
  keptPart,
  linkTo,
  MAY_EDIT,
  type PartMarks,
  shown,
  unmarked,
} from './note-text.ts';
import type { Outcome, RecordedGate, UndoRecipe } from './record.ts';
import { addressFirst, isBankChannel } from './source-names.ts';
import { localTime, utc } from './time.ts';

// The wording of the notes that the program writes: events, reversals, answers and signals.

/** Returns one gate as a line: passed or failed, its name, its figures in words. */
export function gateLine({ gate, held, reason }: RecordedGate): string {
  return `${held ? 'passed' : 'failed'}: ${gate.replaceAll('_', ' ')}: ${reason}`;
}

/** Whether these gates are about a warning: somebody pretends to be another, or gives orders to Steward. */
export function isForged(gates: readonly RecordedGate[]): boolean {
  return gateWarning(gates) !== null;
}

/** Returns the warning among these gates in plain words, with its sign; null without a warning. */
export function gateWarning(gates: readonly RecordedGate[]): string | null {
  const failed = gates.find(({ gate, held }) => gate === 'forged' && !held);
  return failed === undefined ? null : `⚠ ${sentenceCase(failed.reason)}`;
}

function warningPart(gates: readonly RecordedGate[]): string | null {
  const warning = gateWarning(gates);
  return warning === null ? null : `> [!warning] ${escapeMarkdown(clipped(joinLines(warning), MAX_WARNING))}`;
}

/** Returns why Steward acted alone, a sentence for a body; null if no gate names the reason. */
function whyActed(gates: readonly RecordedGate[]): string | null {
  const sender = gates.find(({ gate, held }) => (gate === 'licence' || gate === 'sender') && held);
  return sender === undefined ? null : `Applied without asking: ${escapeMarkdown(sender.reason)}`;
}

/** Returns why a change is only proposed, a sentence or a list for a body. */
function whyProposed(gates: readonly RecordedGate[]): string {
  const all = failedGates(gates).map((reason) => escapeMarkdown(reason));
  const [only, ...more] = all;
  if (only === undefined) return 'Only proposed: a gate failed.';
  return more.length === 0
    ? `Only proposed: ${only}`
    : ['Only proposed:', '', ...all.map((one) => `- ${one}`)].join('\n');
}

/**
 * Returns why a change was not simply made: each gate that failed, most serious first, as a sentence (contract, section 6).
 * Every surface shows this list.
 */
export function failedGates(gates: readonly RecordedGate[]): string[] {
  return [...new Set(gates.filter(({ held }) => !held).map(({ reason }) => reason))];
}

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;
const MONTHS = [
  ...(['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August'] as const),
  ...(['September', 'October', 'November', 'December'] as const),
];

/** Returns a moment (epoch ms) in the future, in the zone of the reader: `Monday 30 November, 14:05`. */
export function untilWords(ms: number): string {
  const date = new Date(ms);
  return `${WEEKDAYS[date.getDay()]} ${date.getDate()} ${MONTHS[date.getMonth()]}, ${clock(date)}`;
}

/** Returns a moment (epoch ms) that is past, in the zone of the reader: `23 November 2026 at 14:05`. */
export function momentWords(ms: number): string {
  const date = new Date(ms);
  return `${date.getDate()} ${MONTHS[date.getMonth()]} ${date.getFullYear()} at ${clock(date)}`;
}

function dayWords(ms: number): string {
  const date = new Date(ms);
  return `${date.getDate()} ${MONTHS[date.getMonth()]}`;
}

function clock(date: Date): string {
  return `${String(date.getHours()).padStart(2, '0')}:${String(date.getMinutes()).padStart(2, '0')}`;
}

/** The marks of the part of an event note that says what can be done now, or what has become of it. */
export const NOW_PART: PartMarks = { begin: '%% steward %%', end: '%% /steward %%' };

/**
 * The kind of answer that an event note asks for. `licensable`: a proposal whose sender may be given a licence;
 * `forged`: a note with a warning.
 */
type Asking = 'proposal' | 'licensable' | 'forged' | 'question' | 'choice';
/**
 * The kind of note that can be taken back. `answer`: an answer that changed no note; `answer_reversal`: the undo of
 * such an answer.
 */
type Undoable = 'change' | 'reversal' | 'answer' | 'answer_reversal';

const UNDO_WORDS: Readonly<Record<Undoable, string>> = {
  change: 'undo it',
  reversal: 'make the change again',
  answer: 'undo your answer',
  answer_reversal: 'let the answer count again',
};

/** The present state of an event: the possible answers, or the outcome. Moments in epoch ms. */
export type AnswerState =
  | { readonly kind: 'open'; readonly asks: Asking }
  | { readonly kind: 'undoable'; readonly made: Undoable; readonly until: number }
  /** The days in which it could be taken back are over. */
  | { readonly kind: 'over'; readonly until: number }
  /** A reversal that found the field changed, and can still be forced. */
  | { readonly kind: 'forcible'; readonly until: number }
  | { readonly kind: 'reversed'; readonly by: string; readonly at: number }
  /** `until`: how long the change can be taken back there; null if there is no change, or it is too late. */
  | { readonly kind: 'confirmed'; readonly by: string; readonly at: number; readonly until: number | null }
  /** `later`: with "not now". `until`: how long the answer can be taken back there; null if it can't, or no longer. */
  | {
      readonly kind: 'dismissed';
      readonly by: string;
      readonly at: number;
      readonly later: boolean;
      readonly until: number | null;
    }
  | { readonly kind: 'superseded'; readonly by: string }
  | { readonly kind: 'settled'; readonly by: string | null; readonly reason: string; readonly isMade: boolean }
  /** Steward left the vault, so that a box has no effect any more. `isAsked`: the note waited for an answer. */
  | { readonly kind: 'left'; readonly at: number; readonly isAsked: boolean }
  | { readonly kind: 'nothing' };

/** Returns what the undo of a note of this kind would take back, by its recipe. */
export function undoableKind(kind: 'event' | 'reversal', recipe: UndoRecipe | null): Undoable {
  if (changesNothing(recipe)) return kind === 'event' ? 'answer' : 'answer_reversal';
  return kind === 'event' ? 'change' : 'reversal';
}

/** Whether a recipe restores no field: then it is about an answer alone. */
export function changesNothing(recipe: UndoRecipe | null): boolean {
  return recipe !== null && Object.keys(recipe.vault_patch.fields).length === 0;
}

/** The classes of an event note in Obsidian: the style sheet that `init` offers hides the machine's part of such notes. */
export const EVENT_CLASSES: readonly string[] = ['steward-event'];

/** Returns that a change, or a reversal, can be taken back as long as its recipe says; 'nothing' without a recipe. */
export function undoable(made: Undoable, recipe: UndoRecipe | null): AnswerState {
  if (recipe === null) return { kind: 'nothing' };
  const until = Date.parse(recipe.expires_at);
  return Number.isNaN(until) ? { kind: 'over', until } : { kind: 'undoable', made, until };
}

/** The checkboxes and `choose`, in their order in a note. */
export const BOXES = ['choose', 'confirm', 'always', 'dismiss', 'later', 'undo', 'force', 'deliberate'] as const;
type Box = (typeof BOXES)[number];

const BOXES_WHILE_OPEN: Readonly<Record<Asking, readonly Box[]>> = {
  proposal: ['confirm', 'dismiss', 'later', 'deliberate'],
  licensable: ['confirm', 'always', 'dismiss', 'later', 'deliberate'],
  forged: ['dismiss', 'later'],
  question: ['dismiss'],
  choice: ['choose', 'dismiss'],
};

/** Returns the boxes that can mean something now. */
export function boxesFor(becoming: AnswerState): readonly Box[] {
  if (becoming.kind === 'open') return BOXES_WHILE_OPEN[becoming.asks];
  if (becoming.kind === 'undoable') return ['undo'];
  return becoming.kind === 'forcible' ? ['force'] : [];
}

/** Returns the field `says` of a new note, which describes the program's part; empty if the note has no such part. */
export function saysField(becoming: AnswerState): { readonly says?: string } {
  return becoming.kind === 'nothing' ? {} : { says: becomingKey(becoming) };
}

/** Returns the boxes that can mean something now as fields of a new note, all unticked. */
export function boxFields(becoming: AnswerState): Readonly<Record<string, false | ''>> {
  return Object.fromEntries(boxesFor(becoming).map((box) => [box, box === 'choose' ? '' : false]));
}

/** Returns what has become of an event as one short text that can be compared: the note says so in `says`. */
export function becomingKey(becoming: AnswerState): string {
  switch (becoming.kind) {
    case 'open':
      return `open ${becoming.asks}`;
    case 'undoable':
    case 'forcible':
      return `${becoming.kind} until ${utc(becoming.until)}`;
    case 'confirmed':
    case 'dismissed':
      return `${becoming.kind} ${becoming.by}${becoming.until === null ? '' : ` until ${utc(becoming.until)}`}`;
    case 'reversed':
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
    'Tick `confirm` above to make the change, `dismiss` if it is wrong, `later` for “not now”, or `deliberate` to let agents discuss it first. It waits until you answer.',
  licensable:
    'Tick `confirm` above to make the change. Tick `always` to make it and let this sender make such changes in this matter from now on. Tick `dismiss` if it is wrong, `later` for “not now”, or `deliberate` to let agents discuss it first. It waits until you answer.',
  forged:
    'Because of the warning it has no box to confirm it. Tick `dismiss` above if it is wrong, or `later` for “not now”. If you are sure who wrote it, run `steward confirm NAME --force` with the name of this note.',
  question: 'Tick `dismiss` above when you are finished with it.',
  choice:
    "Tick the right note in the list to make the change there, or tick `dismiss` above if it isn't one of them. For another note, write its link into `choose`.",
};

/** Returns what can be done now, or what has become of it, in a sentence or two. */
export function becomingWords(becoming: AnswerState): string {
  switch (becoming.kind) {
    case 'open':
      return INVITED[becoming.asks];
    case 'undoable':
      return `Tick \`undo\` above to ${UNDO_WORDS[becoming.made]}, until ${untilWords(becoming.until)}.`;
    case 'over':
      return `It stands.${Number.isNaN(becoming.until) ? '' : ` It could be undone until ${momentWords(becoming.until)}.`}`;
    case 'forcible':
      return `Tick \`force\` above to undo it anyway, until ${untilWords(becoming.until)}.`;
    case 'reversed':
      return `You undid this${on(becoming)}: ${linkTo(becoming.by)}.`;
    case 'confirmed':
      return `You confirmed this${on(becoming)}: ${linkTo(becoming.by)}.${undoThere(becoming.until)}`;
    case 'dismissed':
      return `You ${becoming.later ? 'said “not now” to' : 'dismissed'} this${on(becoming)}: ${linkTo(becoming.by)}.${undoThere(becoming.until)}`;
    case 'superseded':
      return `A newer note has replaced it: ${linkTo(becoming.by)}.`;
    case 'settled':
      return settledWords(becoming);
    case 'left':
      return becoming.isAsked
        ? `Steward left this vault on ${momentWords(becoming.at)}, before you answered.`
        : `Steward left this vault on ${momentWords(becoming.at)}, so it can’t undo this any more.`;
    case 'nothing':
      return 'No answer is needed.';
  }
}

function on({ at }: { readonly at: number }): string {
  return Number.isNaN(at) ? '' : ` on ${momentWords(at)}`;
}

function undoThere(until: number | null): string {
  return until === null ? '' : ` Tick \`undo\` there to undo it, until ${untilWords(until)}.`;
}

function settledWords({ by, reason, isMade }: Extract<AnswerState, { kind: 'settled' }>): string {
  if (by !== null) return `It no longer waits: ${linkTo(by)} says why.`;
  return isMade
    ? 'You made this change by hand, so no answer is needed.'
    : `It no longer waits: ${escapeMarkdown(reason)}.`;
}

/** The longest value in a sentence. The table has the whole. */
const MAX_VALUE = 60;

/** Verbs for what Steward did (`past`) and for what it proposes (`plain`). */
const VERBS = {
  past: { done: 'marked', archived: 'archived', open: 'reopened', set: 'set', change: 'changed', remove: 'removed' },
  plain: { done: 'mark', archived: 'archive', open: 'reopen', set: 'set', change: 'change', remove: 'remove' },
} as const;
type Tense = keyof typeof VERBS;

interface PhraseForm {
  readonly note: (name: string) => string;
  readonly field: (name: string) => string;
  readonly value: (held: Yaml) => string;
}

const MARKDOWN: PhraseForm = {
  note: linkTo,
  field: (name) => `\`${name.replace(/[^\w .-]/g, '')}\``,
  value: (held) => escapeMarkdown(clipped(shown(held), MAX_VALUE)),
};

/** For a screen. Its printer takes out control characters. */
export const PLAIN_PHRASE: PhraseForm = {
  note: (name) => name,
  field: (name) => name,
  value: (held) => clipped(shown(held), MAX_VALUE),
};

/** Returns what is changed in a note as a phrase: `mark [[pay]] as done`, `changed due of [[pay]] from A to B`. */
export function changePhrase(tense: Tense, name: string, changes: Changes, form = MARKDOWN): string {
  const verbs = VERBS[tense];
  const note = form.note(name);
  const { value } = form;
  const telling = tellingOf(changes);
  const [only, ...more] = telling;
  if (only === undefined || more.length > 0) return `${verbs.change} ${telling.length} fields of ${note}`;
  const [field, { before, after }] = only;
  if (isState(field)) {
    if (after === 'done') return `${verbs.done} ${note} as done`;
    if (after === 'archived') return `${verbs.archived} ${note}`;
    if (after === 'open') return `${verbs.open} ${note}`;
  }
  const what = form.field(field);
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

/** The kind of an event note for a person: a change that was made or is proposed, a question, or only a record. */
export type EventRole = 'acted' | 'proposal' | 'question' | 'record';

/** The contents of an event note's body. Names of notes are without folder and `.md`. */
export interface EventTelling {
  readonly standing: EventRole;
  readonly target: string;
  readonly decision: string;
  readonly confidence: number;
  readonly mode: 'shadow' | 'live';
  readonly changes: Changes;
  /** Whether Steward saw it by itself, without a signal. */
  readonly isPerceived: boolean;
  /** Who spoke, and the quote, as the fields of the note have them. */
  readonly from: string | null;
  /** Whether that is who a booking is to or from: such a line is the bank's. */
  readonly isBooking: boolean;
  readonly quote: string | null;
  /** The stream file that was read, if the vault keeps it. */
  readonly mail: string | null;
  /** The signals in a few words; '' without signals. */
  readonly summary: string;
  readonly reasoning: string;
  /** Sentences about what is odd in the sender or the text. */
  readonly warnings: readonly string[];
  /** The accounts that have the mails which the vault does not keep. */
  readonly accounts: readonly string[];
  readonly gates: readonly RecordedGate[];
  /** Why the change that was meant may not be made at all, or null. */
  readonly refusal: string | null;
  readonly evaluator: string;
  readonly signals: readonly string[];
}

/** Texts of signals and evaluators are cut, so that the note stays readable: it contains the undo recipe. */
const MAX_TEXT = 4000;
const MAX_REASONING = 20_000;
const MAX_WARNING = 300;
const MAX_WHY = 600;

/**
 * Returns the body of an event note: what happened, from whom, the quote, why, the change, what can be done now, and
 * folded behind it how it was decided.
 */
export function eventBody(telling: EventTelling, now: AnswerState): string {
  return paragraphs([
    warningPart(telling.gates),
    heading(telling.target, outcomeTitle(telling)),
    headline(telling),
    ...toldBy(telling),
    telling.mail === null ? null : formatReadPlace(linkTo(telling.mail)),
    ...whyLines(telling),
    ...telling.warnings
      .filter((one) => !isFirst(one, telling.gates))
      .map((one) => `Beware: ${escapeMarkdown(clipped(joinLines(one), MAX_WARNING))}`),
    ...telling.accounts.map(formatAccountPlace),
    tableOf(telling),
    nowPart(now),
    decidedLines(telling),
  ]);
}

// The warning at the top is not repeated below.
function isFirst(warning: string, gates: readonly RecordedGate[]): boolean {
  return gateWarning(gates)?.endsWith(warning) === true;
}

/** Returns the part of a body that says what can be done now, or what has become of it; null if neither applies. */
function nowPart(now: AnswerState): string | null {
  return now.kind === 'nothing' ? null : keptPart(NOW_PART, becomingWords(now));
}

/** Returns paragraphs as a body; those that are empty are left out. */
function paragraphs(parts: readonly (string | null)[]): string {
  return parts.filter((part) => part !== null && part !== '').join('\n\n');
}

function toldBy({
  from,
  isBooking,
  quote,
  summary,
}: Pick<EventTelling, 'from' | 'quote' | 'summary'> & { readonly isBooking?: boolean }): string[] {
  const said = summary === '' ? '' : `: ${escapeMarkdown(clipped(joinLines(summary), MAX_TEXT))}`;
  const who = from === null ? [] : [`${originWord(isBooking)} ${escapeMarkdown(from)}${said}`];
  return [...who, ...(quote === null ? [] : [`> ${escapeMarkdown(clipped(quote, MAX_TEXT))}`])];
}

// Money may have gone to the other party.
function originWord(isBooking: boolean | undefined): string {
  return isBooking === true ? 'Booking with' : 'From';
}

/** Returns the first heading of a note: the title of the note that it is about, and what happened, in a few words. */
function heading(name: string, what: string): string {
  return `# ${escapeMarkdown(`${titleInWords(name)}: ${what}`)}`;
}

/** Returns the name of a note as a person would write its title: `pay-deposit` is “Pay deposit”. Other names are titles already. */
function titleInWords(name: string): string {
  return SLUG.test(name) ? sentenceCase(name.replaceAll('-', ' ')) : name;
}

const SLUG = /^\p{Ll}[\p{Ll}\p{N}-]*$/u;

function outcomeTitle({ standing, changes, decision, isPerceived }: EventTelling): string {
  if (standing === 'acted') return changeTitle(changes);
  if (standing === 'proposal') return `${changeTitle(changes)}?`;
  if (standing === 'question') return 'needs your answer';
  if (decision === 'rate_guarded') return 'not evaluated yet';
  return isPerceived ? 'something noticed' : 'nothing changed';
}

const STATE_TITLES: Readonly<Record<string, string>> = { open: 'open again' };

/** Returns changes in a few words, for a heading: `done`, `due 16 December 2026`. */
function changeTitle(changes: Changes): string {
  const telling = tellingOf(changes);
  const [only, ...more] = telling;
  if (only === undefined || more.length > 0) return `${telling.length} changes`;
  const [field, { after }] = only;
  const value = clipped(dateInWords(shown(after)), MAX_VALUE);
  if (isState(field)) return STATE_TITLES[value] ?? value;
  const name = field.replaceAll('_', ' ');
  return after === null ? `no ${name}` : `${name} ${value}`;
}

function headline(telling: EventTelling): string {
  const { standing, target, changes, isPerceived, decision } = telling;
  const note = linkTo(target);
  if (standing === 'acted') return `Steward ${changePhrase('past', target, changes)}.`;
  if (standing === 'proposal') return `Steward proposes to ${changePhrase('plain', target, changes)}.`;
  if (isPerceived) return `Steward noticed something about ${note}.`;
  if (standing === 'question') return `Something about ${note} needs your answer.`;
  return decision === 'rate_guarded'
    ? `Steward hasn't evaluated ${note} yet.`
    : `Steward evaluated ${note} and changed no note.`;
}

// If one signal was strong enough alone, it is the gates that say why, and the words of the evaluator come last.
function whyLines({ standing, gates, refusal, ...telling }: EventTelling): (string | null)[] {
  const judged = isRouted(telling) ? null : reasonOf(telling, MAX_WHY);
  const refused = refusal === null ? null : `This change is not allowed: ${escapeMarkdown(refusal)}`;
  if (standing === 'acted') return [judged, whyActed(gates)];
  if (standing === 'proposal') return [judged, refused, whyProposed(gates)];
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

// If no evaluator was asked, the text after `none:` says why.
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
    `${escapeMarkdown(decision)}, ${confidence} confidence, in mode ${mode}${judgeOf(evaluator)}`,
    ...(isShort ? [] : ['', reasonOf(telling, MAX_REASONING)]),
    ...(gates.length === 0 ? [] : ['', ...gates.map((gate) => `- ${escapeMarkdown(gateLine(gate))}`)]),
    ...(signals.length === 0 ? [] : ['', `Signals: ${signals.map(linkTo).join(', ')}`]),
  ];
  return ['> [!info]- How it was decided', ...lines.map((line) => `> ${line}`.trimEnd())].join('\n');
}

/** The contents of an answer's body. Names are without folder and `.md`. */
interface AnswerTelling {
  readonly what: 'confirmed' | 'dismissed';
  /** Whether it was dismissed with "not now". */
  readonly later: boolean;
  readonly event: string;
  /** The note that it is about; null if the answer didn't choose one yet. */
  readonly target: string | null;
  readonly changes: Changes;
  readonly from: string | null;
  /** Whether that is who a booking is to or from. */
  readonly isBooking?: boolean;
  readonly quote: string | null;
}

/** Returns the body of the note that records a person's answer. */
export function answerBody(telling: AnswerTelling, now: AnswerState): string {
  const isChanged = telling.what === 'confirmed' && Object.keys(telling.changes).length > 0;
  return paragraphs([
    heading(telling.target ?? 'which note is meant', answerTitle(telling)),
    headlineAnswerWords(telling),
    ...toldBy({ ...telling, summary: '' }),
    isChanged ? changeTable(briefly(telling.changes)) : null,
    nowPart(now),
  ]);
}

function answerTitle({ what, later, changes }: AnswerTelling): string {
  if (later) return 'not now';
  if (what === 'dismissed' || Object.keys(changes).length === 0) return what;
  return `${changeTitle(changes)}, as you confirmed`;
}

function headlineAnswerWords({ what, later, event, target, changes }: AnswerTelling): string {
  const about = target === null ? '' : ` about ${linkTo(target)}`;
  if (later) return `You said “not now” to ${linkTo(event)}${about}. Your notes stay as they are.`;
  if (what === 'dismissed') return `You dismissed ${linkTo(event)}${about}. Your notes stay as they are.`;
  if (target === null || Object.keys(changes).length === 0)
    return `You confirmed ${linkTo(event)}${about}. It proposed no change.`;
  return `You confirmed ${linkTo(event)}, and Steward ${changePhrase('past', target, changes)}.`;
}

/** Returns the body of the note that records what the user taught about an event. `event`: its path in the vault. */
export function taughtBody(
  telling: Omit<AnswerTelling, 'what' | 'later'> & { readonly target: string },
  now: AnswerState,
): string {
  const { event, target, changes } = telling;
  return paragraphs([
    heading(target, `${changeTitle(changes)}, as you said`),
    `You said what ${escapeMarkdown(event)} means, and Steward ${changePhrase('past', target, changes)}.`,
    ...toldBy({ ...telling, summary: '' }),
    changeTable(briefly(changes)),
    nowPart(now),
  ]);
}

/** The texts in the records of what the user taught. */
export const TAUGHT = {
  evaluator: 'none: you said what it means',
  by: 'you said what it means',
  evidence: 'You said what it means.',
  reason: 'taught by command',
  done: 'The change is made, and remembered as what this mail meant.',
} as const;

interface SampleTelling {
  readonly from: string;
  readonly to: string;
  readonly of: number;
  readonly seed: number;
  /** A line for each event that was drawn, without anything in it that a program would obey. */
  readonly rows: readonly string[];
  readonly last: string;
}

/** Returns the body of the weekly sample of what was set aside. */
export function sampleBody({ from, to, of, seed, rows, last }: SampleTelling): string {
  const all = `${of} ${of === 1 ? 'event was' : 'events were'} set aside in that week.`;
  const drawn = rows.length === of ? 'Here they are.' : `These ${rows.length} were drawn at random (seed ${seed}).`;
  return paragraphs([
    `# What was set aside from ${from} to ${to}`,
    `${all} ${drawn} Tick *mattered* if Steward should have shown you the event. If no event mattered, tick the last box. Your answers teach Steward about these senders, and \`steward report\` estimates from them how much it misses.`,
    [...rows, `- [ ] I have read them; the others did not matter ${last}`].join('\n'),
    'To say what one of them meant: `steward teach FILE --task NOTE --set FIELD=VALUE`.',
  ]);
}

/** Returns the body of the note that says why a note waits no more. `names`: the event notes that may be linked. */
export function closedBody(reason: string, names: readonly string[], target: string): string {
  return paragraphs([
    heading(target, 'no longer waits'),
    escapeMarkdown(reason, names),
    `${linkTo(target)} no longer says that something waits. All else in it stays.`,
  ]);
}

/** Returns why the proposals about a note wait no more. */
export function closedWords(closed: readonly { readonly name: string; readonly reason: string }[]): string {
  if (closed.length === 0) return 'No proposal about it waits any more.';
  return closed.map(({ name, reason }) => `[[${name}]] closed itself: ${reason}.`).join(' ');
}

export const JUDGED_BY = {
  settled: 'none: a person settled it',
  chooses: 'none: a person says which note is meant',
} as const;

/** The line above the part that Steward keeps up to date. */
export const KEPT_OPENING = 'Steward keeps what you write above or below its part.';

/** Why such a note was left as it is. */
export const WHY_LEFT = {
  unreadable: 'It cannot be read as a note, so it was left as it is.',
  marks: 'Its marks have changed, so it was left as it is.',
  typed:
    'Somebody has written between its marks, so it was left as it is: move those words above or below the marks, and delete what is between them.',
  busy: 'Somebody is editing it just now; it is written the next time.',
} as const;

/** Remarks in an event note for an answer that has no effect. */
export const REMARKS = {
  isMade: 'This change is already made: tick undo to undo it.',
  nothingProposed: 'No answer needed: no change is proposed here.',
  changedNothing: 'This changed no note, so no undo is needed.',
  changedNothingYet: 'This changed no note, so no undo is needed. Tick dismiss to close it.',
  both: 'Both confirm and dismiss are ticked: untick one of them.',
  oneBox: 'Several of confirm, dismiss and later are ticked: keep one of them.',
  onlySeen: 'No change is proposed: tick dismiss when you are finished with it.',
  which: 'Several notes could be meant: tick the right one below, or write its link into choose.',
  chosenAndDismissed: 'You chose a note and ticked dismiss: undo one of the two.',
  several: 'Several notes are chosen: keep the tick at the right one only, and leave choose empty.',
  onlyOne: 'This means one note only: leave choose empty.',
  noSuchNote: 'The link in choose leads to no task and no matter of this vault.',
  confirmed: (by: string) => `Already confirmed in [[${by}]]: tick undo there to undo it.`,
  dismissed: (by: string) => `Already dismissed in [[${by}]].`,
  settled: (reason: string) => `It no longer waits: ${reason}.`,
  superseded: (by: string) => `A newer note has replaced it: [[${by}]].`,
} as const;

/** The contents of a reversal's body. Names are without folder and `.md`. */
interface ReversalTelling {
  readonly outcome: Outcome;
  /** The event note that was to be taken back; null if the order names no event. */
  readonly event: string | null;
  readonly target: string | null;
  /** Details that the outcome alone does not say, as a sentence. */
  readonly why: string | null;
  readonly reason: string | null;
  readonly conflicts: readonly { readonly field: string; readonly wrote: Yaml; readonly found: Yaml }[];
  readonly changes: Changes;
  /** The new state of the answer, if an answer without a change was taken back; null for a change. */
  readonly answer: AnswerMove | null;
}

/**
 * The effect of the undo of an answer: its proposal waits again (`opened`); it doesn't, because something else has
 * closed it (`overtaken`); or the answer, which was taken back before, counts again (`closed`).
 */
export type AnswerMove = 'opened' | 'overtaken' | 'closed';

/** How such an undo has ended, as a sentence. */
export const MOVED_ANSWER: Readonly<Record<AnswerMove, string>> = {
  opened: 'The answer was undone: the proposal waits for you again.',
  overtaken: "The answer was undone. The proposal doesn't wait again, because something else has closed it since.",
  closed: 'The answer counts again: the proposal is closed.',
};

/** Returns the body of a reversal note: how the order to take an event back has ended. */
export function reversalBody(telling: ReversalTelling, now: AnswerState): string {
  const { why, reason, conflicts, changes } = telling;
  const met = conflicts.map(
    ({ field, wrote, found }) =>
      `- ${escapeMarkdown(`${field}: Steward wrote ${shown(wrote)}, the note now has ${shown(found)}`)}`,
  );
  return paragraphs([
    heading(telling.target ?? 'undo', reversalTitle(telling)),
    headlineReversalWords(telling),
    reason === null ? null : `Your reason: ${escapeMarkdown(reason)}`,
    why === null ? null : escapeMarkdown(why),
    met.join('\n'),
    Object.keys(changes).length === 0 ? null : changeTable(briefly(changes)),
    nowPart(now),
  ]);
}

const REVERSAL_TITLES: Readonly<Record<Outcome, string>> = {
  reversed: 'undone',
  conflict: 'not undone',
  expired: 'too late to undo',
  'already-reversed': 'already undone',
  'not-applied': 'nothing to undo',
  refused: 'not undone',
};

function reversalTitle({ outcome, answer }: ReversalTelling): string {
  if (outcome !== 'reversed' || answer === null) return REVERSAL_TITLES[outcome];
  return answer === 'closed' ? 'answer counts again' : 'answer taken back';
}

function headlineReversalWords({ outcome, event, target, answer }: ReversalTelling): string {
  const what = event === null ? 'it' : linkTo(event);
  if (outcome === 'reversed' && answer !== null) return `You undid ${what}. ${MOVED_ANSWER[answer]}`;
  const note = target === null ? 'the note' : linkTo(target);
  switch (outcome) {
    case 'reversed':
      return `Steward undid ${what}: in ${note}, each field is as it was before.`;
    case 'conflict':
      return `Not undone: somebody has edited ${note} since ${what}.`;
    case 'expired':
      return `Too late to undo ${what}: its seven days are over.`;
    case 'already-reversed':
      return `Already undone: ${what}.`;
    case 'not-applied':
      return `No undo needed: ${what} changed no note.`;
    case 'refused':
      return "Not undone: the event doesn't exist, or its recipe isn't allowed.";
  }
}

interface InstinctTelling {
  readonly channel: string;
  /** Who speaks in the channel; null for the whole of it. */
  readonly speaker: string | null;
  readonly right: number;
  readonly wrong: number;
  readonly reversals: number;
  readonly prior: number;
  readonly status: 'pending' | 'live' | 'pruned';
  /** From which confidence on a signal of it may act alone. */
  readonly threshold: number;
}

/** Returns the first lines of an instinct note: what it measures, what that means, and what a person may edit. */
export function instinctOpening({ right, wrong, reversals, status, ...telling }: InstinctTelling): string[] {
  const back = reversals === 0 ? '' : ` You undid it ${times(reversals)}.`;
  const few = status === 'pending' ? ' That is little so far.' : '';
  const alone =
    status === 'pruned'
      ? ' It was wrong too often, so Steward ignores it: set `pinned: true` above to read it again.'
      : ` It may act alone from ${telling.threshold} on, if every gate passes.`;
  const began = ` It began at ${telling.prior}.`;
  return [
    `${who(telling)} right ${right} of ${several(right + wrong, 'time')}.${began}${back}${few}${alone}`,
    MAY_EDIT,
  ];
}

/** Returns the prior above the history of an instinct note; null if the note has no such line. */
export function saidPrior(opening: readonly string[]): number | null {
  const [, prior] = opening.map((line) => BEGAN.exec(line)).find((found) => found !== null) ?? [];
  return prior === undefined ? null : Number(prior);
}

const BEGAN = /\. It began at (\d(?:\.\d+)?)\./;

function who({ channel, speaker }: Pick<InstinctTelling, 'channel' | 'speaker'>): string {
  const shown = escapeMarkdown(fieldLine(channel) ?? 'it');
  if (speaker === null) return `News by ${shown} was`;
  return `News from ${escapeMarkdown(joinLines(speaker).replace(/[[\]|#^%`\\<>]+/g, ' '))} by ${shown} was`;
}

function times(number: number): string {
  if (number === 1) return 'once';
  return number === 2 ? 'twice' : `${number} times`;
}

/** How one agent has cited over all rounds. */
export interface Citing {
  readonly agent: string;
  /** Figures that a source supports, and places that are there. */
  readonly supported: number;
  /** How many of these cite lines of a file. */
  readonly lines: number;
  readonly unsupported: number;
  readonly halts: number;
}

/**
 * Returns the section below the judge’s scoreboard: how each agent has cited, or why the citations weren't checked.
 * Programs read the head of its table.
 */
export function citationSection(round: number, counted: readonly Citing[] | { readonly unchecked: string }): string {
  const title = `## Citations up to round ${round}`;
  if ('unchecked' in counted) return `${title}\n\nThey were ${counted.unchecked}.`;
  return [
    title,
    '',
    'Counted by Steward. A figure or a place is confirmed if the briefing, the evidence or a registered file has it. Lines cited are those of files.',
    '',
    '| agent | confirmed | lines cited | not confirmed | halted |',
    '| --- | ---: | ---: | ---: | ---: |',
    ...counted.map((one) => `| ${one.agent} | ${one.supported} | ${one.lines} | ${one.unsupported} | ${one.halts} |`),
  ].join('\n');
}

/** How long one part of a round took, in words of the table. */
interface RunRow {
  readonly phase: string;
  readonly agents: number;
  readonly wall: string;
  readonly sum: string;
  readonly parallel: string;
}

/** Returns the section below the summary of a round: how long each part took, and who wrote the files. */
export function runSection(rows: readonly RunRow[], files: { all: number; own: number; fromReplies: number }): string {
  return [
    '## How it ran',
    '',
    '| part | agents | on the clock | one after the other | in parallel |',
    '| --- | ---: | ---: | ---: | ---: |',
    ...rows.map((one) => `| ${one.phase} | ${one.agents} | ${one.wall} s | ${one.sum} s | ${one.parallel} |`),
    '',
    `Agents wrote ${files.own} of ${files.all} ${files.all === 1 ? 'file' : 'files'} themselves. Steward wrote ${files.fromReplies} from their replies.`,
  ].join('\n');
}

/** Returns the list of tensions as the agents named them, for a judge that wrote no list. */
export function tensionSection(lines: readonly string[]): string {
  const listed = lines.length === 0 ? ['- none'] : lines.map(joinLines);
  return ['# Tensions, as the agents named them', '', ...listed].join('\n');
}

interface BriefingTelling {
  readonly target: string;
  readonly kind: 'task' | 'matter';
  readonly decision: string;
  readonly confidence: number;
  /** The body of the event note. */
  readonly told: string;
  readonly changes: Changes;
  /** The files that the agents may read. */
  readonly files: readonly string[];
}

const MAX_TOLD = 4000;
const MAX_QUESTION = 300;

/** How the agents are asked to answer. */
export const ANSWER_FORMAT = 'Short. End with what the person should do: confirm, dismiss, or wait, and for what.';

/** Returns the body of the briefing about a proposal. */
export function briefingBody({ target, kind, decision, confidence, told, changes, files }: BriefingTelling): string {
  return [
    `Steward proposes to change ${linkTo(target)} (${kind}). A person asks for arguments for it and against it. They decide; the table changes no note.`,
    '',
    `Decision: ${escapeMarkdown(decision)}, ${confidence} confidence. It is based on this, in the words of the event note:`,
    '',
    `> ${escapeMarkdown(clipped(joinLines(told), MAX_TOLD))}`,
    '',
    changeTable(changes),
    '',
    '## Steward-Registered Files',
    '',
    ...files.map((file) => `- \`${file}\``),
  ].join('\n');
}

/** Returns the question that the agents debate. */
export function briefingQuestion(changed: string, target: string): string {
  return clipped(joinLines(`Should the proposed change of ${changed} be made in ${target}?`), MAX_QUESTION);
}

/** The agents of a roundtable about a proposal. */
export const ADVISERS = [
  { name: 'advocate', role: 'argues for the change, from what the signals and the notes say' },
  { name: 'sceptic', role: 'looks for arguments against it, and for missing facts' },
  {
    name: 'keeper',
    role: 'argues for the owner of the note: what a wrong change would cost, what can wait',
  },
] as const;

/** Returns the link from an event note to what its roundtable advises. `summary`: its path. */
export function adviceLink(summary: string, isAgreed: boolean): string {
  return `[[${summary}|${isAgreed ? 'they agree' : 'they disagree'}]]`;
}

interface LeadWords {
  readonly nouns: readonly string[];
  readonly words: readonly string[];
}

/** Returns text of somebody else between quotation marks, without live markup. */
export function quoted(text: string): string {
  return `“${unmarked(text).replace(/[“”"]/g, '')}”`;
}

/** Returns what was read, without a full stop: `it says “has been paid”`. */
export function messageWords(words: string, isSubject: boolean): string {
  return `${isSubject ? 'the subject' : 'it'} says ${quoted(words)}`;
}

/** Returns the words of a form that were read: `a line says “Due date: 3 December”`. */
export function lineWords(words: string): string {
  return `a line says ${quoted(words)}`;
}

/** Returns what the hidden data of a mail say, and what in its text names the same thing. */
export function hiddenWords(kind: string, says: string, by: string, words: string): string {
  return `its hidden data say ${quoted(`${kind}: ${says}`)}, and its text has the same ${by}, ${quoted(words)}`;
}

/** Returns what was learnt to read in a sentence, and how surely. */
export function learntWords(effect: string, likely: number): string {
  return `the trained reader takes it for ${quoted(effect)} (${likely.toFixed(2)})`;
}

/** Reasons to doubt what was read. `cue`: the words that cause the doubt. */
export const DOUBTS = {
  hedged: (cue: string) => `${quoted(cue)} makes it uncertain`,
  beside: (cue: string) => `${quoted(cue)} is in the same sentence`,
  longAgo: (cue: string) => `${quoted(cue)} is long ago`,
  follows: (cue: string) => `${quoted(cue)} follows`,
  contradicted: (cue: string) => `it also says ${quoted(cue)}, which contradicts it`,
  alsoSaid: (cue: string) => `the same mail also says ${quoted(cue)}`,
  replaced: (cue: string) => `${quoted(cue)} takes its place`,
} as const;

/** Returns which note is meant, and what leads to it: `The sender and the name point to “pay”, and nearly as well to “send”.` */
export function pointsTo(leads: LeadWords, name: string, rival: string | null): string {
  const all = leadNouns(leads);
  const [first = 'something'] = all;
  const isMany = all.length > 1 || /^(?:the )?words\b/.test(first);
  const other = rival === null ? '' : `, and nearly as well to ${quoted(rival)}`;
  return `${sentenceCase(listed(all))} ${isMany ? 'point' : 'points'} to ${quoted(name)}${other}.`;
}

/** Returns what leads to a note as one phrase: `the sender and the word “invoice”`. */
export function leadPhrase(leads: LeadWords): string {
  return listed(leadNouns(leads));
}

/** Returns that one task fits best what was learnt to read. */
export function fitsBest(name: string, likely: number): string {
  return `Its words and its sender fit ${quoted(name)} (${likely.toFixed(2)}).`;
}

/** Why a mail is not understood completely enough to act on it. */
export const INCOMPLETE = {
  notOwn: 'The words it is based on are not the sender’s own.',
  farDown: 'It is said far down in the mail.',
  introduced: (words: string) =>
    `${quoted(clipped(words, 80))} introduces it, so it may be somebody else’s words or a sample.`,
  about: (word: string) =>
    `It says ${quoted(word)}, which isn't in the name, aliases, keywords or summary of this note or its matter.`,
  limited: (words: string) => `${quoted(words)} may limit it.`,
  amount: 'It names another amount than this note.',
  addressed: (words: string) =>
    `It greets ${quoted(clipped(words, 60))}, and Steward doesn't know that as your name. If it is, add it to own_names in steward.md.`,
  alone: 'The trained reader does not read it so.',
  otherDeed: 'It says that something else was done than this task asks for.',
  remembered: 'It comes first only because of your earlier answers about this sender.',
  promise: 'You promise it in your own mail, so it is only a question.',
  wish: 'You ask or suggest it in your own mail, so it is not agreed yet.',
} as const;

/** Returns that an event answers a question which it quotes. */
export function answerWords(question: string): string {
  return `it answers the question ${quoted(clipped(question, 80))}, which the mail quotes`;
}

/** Returns that an event takes back what its sender said before. `at`: when they said it, ISO; null if that isn't known. */
export function takenBackWords(quote: string, at: string | null): string {
  const day = at === null ? 'before' : `on ${dayWords(Date.parse(at))}`;
  return `It may take back ${quoted(clipped(quote, 80))}, which the same sender wrote ${day}.`;
}

/** Returns that an event is about a line of its matter's note. */
export function boxWords(line: string): string {
  return `It is about the line ${quoted(line)} in that note. Steward doesn't edit such lines: tick the box if it is done.`;
}

/** Returns the same as a headline. */
export function boxHeadline(line: string): string {
  return `${BOX_HEADLINE}${quoted(clipped(line, 90))}`;
}

const BOX_HEADLINE = 'A line of the note: ';

/** Whether a headline is that of an event about a line of a note. */
export function isBoxHeadline(headline: string): boolean {
  return headline.startsWith(BOX_HEADLINE);
}

/** Returns what the user said about earlier mails of a sender. */
export function rememberedWords(right: number, wrong: number): string {
  const times = (count: number) => (count === 1 ? 'once' : `${count} times`);
  const said = [
    ...(right === 0 ? [] : [`right about this matter ${times(right)}`]),
    ...(wrong === 0 ? [] : [`wrong about this task ${times(wrong)}`]),
  ];
  return `You found this sender ${said.join(' and ')}.`;
}

/** Returns that an event names its note itself. */
export function namedById(name: string): string {
  return `It names ${quoted(name)} by its id.`;
}

/** Returns a phrase with a capital letter at its beginning. */
export function sentenceCase(phrase: string): string {
  return `${phrase.charAt(0).toUpperCase()}${phrase.slice(1)}`;
}

function leadNouns({ nouns, words }: LeadWords): readonly string[] {
  const shared = words.map(quoted);
  if (shared.length === 0) return nouns;
  return [...nouns, `the ${shared.length === 1 ? 'word' : 'words'} ${listed(shared)}`];
}

function listed(parts: readonly string[]): string {
  const last = parts.at(-1) ?? '';
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(', ')} and ${last}`;
}

/** Findings from a note alone, as sentences. Days are as the note has them. */
export const SEEN = {
  overdue: (days: number, due: string) => `Overdue for ${several(days, 'day')} (due ${due}).`,
  snoozeOver: (until: string) => `Its snooze ended on ${until}.`,
  unblocked: (names: readonly string[]) => `Its blocker is done: ${names.map(quoted).join(', ')}.`,
  tasksDone: (count: number) => (count === 1 ? 'Its only task is done.' : `All ${count} of its tasks are done.`),
  silent: (weeks: number) => `Untouched for ${several(weeks, 'week')}.`,
  /** The same in words that stay true in a note that is read later. */
  wasDue: (due: string) => `It was due on ${due}.`,
  wasUntouched: (day: string) => `It was untouched since ${day}.`,
} as const;

/** Returns the question whether a mail settles a note. `subject`: as the mail has it, or null. */
export function settleQuestion(
  {
    from,
    day,
    subject,
    isVouched,
  }: {
    readonly from: string;
    readonly day: string;
    readonly subject: string | null;
    readonly isVouched: boolean;
  },
  facts: readonly string[],
): string {
  const about = subject === null ? '' : ` (${quoted(subject)})`;
  const wrote = isVouched ? `${from} wrote on ${day}` : `A mail that names ${from} as its sender came on ${day}`;
  return [`${wrote}${about}. Does that settle it?`, ...facts].join(' ');
}

/** The texts of the front page's digest when its list is empty. */
export const DIGEST = {
  nothing: 'No findings.',
  notYet: "Steward hasn't checked your notes yet.",
} as const;

/** Why only a person decides whether a mail settles a note. */
export const ONLY_ASKED_BY_MAIL = 'Steward found no such words in that mail, so only you decide it.';

function several(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** The contents of a note that asks which of several notes is meant. `signal` is a name without folder and `.md`. */
interface ChoiceTelling {
  readonly signal: string;
  /** The notes that could be meant, as links. */
  readonly candidates: readonly string[];
  readonly from: string | null;
  readonly isBooking: boolean;
  readonly quote: string | null;
  /** The stream file that was read, if the vault keeps it. */
  readonly mail: string | null;
  readonly headline: string | null;
  readonly reasoning: string | null;
  /** The changes that the right note would get, one line each. */
  readonly changes: readonly string[];
  readonly gates: readonly RecordedGate[];
}

const MAX_SUBJECT = 200;

/** Returns the body of an event note that asks which of several notes a signal is about. */
export function choiceBody(telling: ChoiceTelling): string {
  const { signal, candidates, from, isBooking, quote, mail, headline, reasoning, changes, gates } = telling;
  const isOne = candidates.length === 1;
  const what = headline === null ? linkTo(signal) : escapeMarkdown(quoted(clipped(joinLines(headline), MAX_SUBJECT)));
  return paragraphs([
    warningPart(gates),
    isOne ? '# Is this note meant?' : '# Which note is meant?',
    `${what} may be about ${isOne ? 'this note. Tick it if it is' : 'one of these notes. Tick the right one'}:`,
    // Apart from the program's own part, which is left alone once anybody has changed it.
    choiceList(candidates),
    ...toldBy({ from, isBooking, quote, summary: headline ?? '' }),
    mail === null ? null : formatReadPlace(linkTo(mail)),
    reasoning === null ? null : escapeMarkdown(clipped(reasoning, MAX_TEXT)),
    changes.length === 0
      ? 'No change proposed.'
      : `This would change there:\n\n${changes.map((change) => `- ${escapeMarkdown(change)}`).join('\n')}`,
    nowPart({ kind: 'open', asks: isForged(gates) ? 'forged' : 'choice' }),
  ]);
}

interface SignalTelling {
  readonly origin_at: string | null;
  readonly source_type: string;
  readonly from: string | null;
  readonly raw_quote: string;
  readonly quote_cut?: boolean;
  readonly quote_open?: boolean;
  readonly target_kind: 'task' | 'matter';
  readonly target_path: string;
  readonly target_matter_path: string | null;
  /** Paths, best first. */
  readonly target_candidates: readonly string[];
  readonly target_ambiguous: boolean;
  readonly effect: 'mutation' | 'action' | 'none';
  readonly mutation_proposal: {
    readonly set?: Readonly<Record<string, Yaml>>;
    readonly add?: Readonly<Record<string, readonly string[]>>;
    readonly remove?: Readonly<Record<string, readonly string[]>>;
  } | null;
  readonly reasoning: string;
  readonly headline: string;
  readonly warnings?: readonly string[];
  readonly doubts?: readonly string[];
  /** The time of day that goes with a new day. */
  readonly time?: string;
}

/** The facts about the vault for the text of a signal note. */
export interface SignalSurroundings {
  readonly note: (path: string) => string;
  /** The place of the signal's file, in one sentence of Markdown. */
  readonly where: string;
}

const STATES: Readonly<Record<string, string>> = {
  done: 'is done',
  archived: 'is called off',
  open: 'is open again',
  snoozed: 'is put off',
};

/** Returns a signal's quote as people read it: with an ellipsis if it begins or ends inside its sentence. */
export function markedQuote<Quote extends string | null>({
  raw_quote: quote,
  quote_cut: isCut = false,
  quote_open: isOpen = false,
}: {
  readonly raw_quote: Quote;
  readonly quote_cut?: boolean;
  readonly quote_open?: boolean;
}): Quote | string {
  return quote === null ? quote : `${isCut ? '…' : ''}${quote}${isOpen ? '…' : ''}`;
}

/**
 * Returns the body of a signal note, for a person. One sentence says what it means for which note; the sender, the
 * time, the quote, the file and the reasons follow.
 */
export function signalBody(draft: SignalTelling, around: SignalSurroundings): string {
  const { warnings = [], doubts = [] } = draft;
  return [
    sentenceOf(draft, around),
    speakerLine(draft),
    `> ${escapeMarkdown(markedQuote(draft))}`,
    around.where,
    whyLine(draft, around),
    ...warnings.map((one) => `Beware: ${escapeMarkdown(one)}`),
    ...doubts.map((one) => `Only proposed: ${escapeMarkdown(one)}`),
  ].join('\n\n');
}

/** Says which account has a mail that the vault does not keep. */
export function formatAccountPlace(account: string): string {
  return `The vault doesn't keep this mail: it is in the account ${escapeMarkdown(account)}.`;
}

/** Says which file it was read in. `file`: in Markdown. */
export function formatReadPlace(file: string): string {
  return `Read in ${file}.`;
}

// If the reasoning names a note that could be meant, it links to it.
function whyLine(
  { reasoning, target_path: target, target_candidates: candidates }: SignalTelling,
  { note }: SignalSurroundings,
): string {
  const linked = [target, ...candidates].reduce(
    (text, path) => text.replaceAll(escapeMarkdown(quoted(stem(path))), () => note(path)),
    escapeMarkdown(reasoning),
  );
  return `Why: ${linked}`;
}

function sentenceOf(draft: SignalTelling, around: SignalSurroundings): string {
  const { effect, target_ambiguous: isOpen, target_candidates: candidates } = draft;
  const said = saidOf(draft);
  if (isOpen && candidates.length > 1) {
    const notes = candidates.map(around.note).join(', ');
    const what = said === null ? 'It concerns one of these' : `It says that one of these ${said}`;
    return `${what}: ${notes}. Say which one.`;
  }
  const target = targetOf(draft, around);
  if (said !== null) return `It says that ${target} ${said}.`;
  if (effect === 'none') return `It is about ${target}, and needs no action from you.`;
  return `It concerns ${target}. Have a look: no change is proposed.`;
}

function targetOf(
  { target_kind: kind, target_path: path, target_matter_path: matter }: SignalTelling,
  around: SignalSurroundings,
) {
  const of = kind === 'task' && matter !== null ? ` (${around.note(matter)})` : '';
  return `${around.note(path)}${of}`;
}

/** Returns the signal's statement about the note, as the rest of a sentence; null if no change is proposed. */
function saidOf({ mutation_proposal: proposal, time }: SignalTelling): string | null {
  if (proposal === null) return null;
  const { set = {}, add = {}, remove = {} } = proposal;
  const parts = [
    ...Object.entries(set).map(([field, value]) => setWords(field, shown(value), time)),
    ...Object.entries(add).map(([field, members]) => `has ${listedChoiceWords(members)} in ${escapeMarkdown(field)}`),
    ...Object.entries(remove).map(
      ([field, members]) => `no longer has ${listedChoiceWords(members)} in ${escapeMarkdown(field)}`,
    ),
  ];
  return parts.length === 0 ? null : parts.join(' and ');
}

function setWords(field: string, value: string, time: string | undefined): string {
  if (field === 'state') return STATES[value] ?? `is ${escapeMarkdown(value)}`;
  if (field === 'due') return `is due on ${escapeMarkdown(dueWords(value, time))}`;
  return `has a new ${escapeMarkdown(field)}: ${escapeMarkdown(value)}`;
}

// The field has the day alone; the time of day is for whoever reads.
function dueWords(due: string, time: string | undefined): string {
  return dateInWords(due.length > 10 || time === undefined ? due : `${due}T${time}`);
}

function listedChoiceWords(members: readonly string[]): string {
  return members.map((one) => escapeMarkdown(one)).join(', ');
}

function speakerLine({ from, source_type: channel, origin_at: at, headline }: SignalTelling): string {
  const who = escapeMarkdown((from === null ? null : fieldLine(addressFirst(from))) ?? channel);
  const ms = Date.parse(at ?? '');
  const when = Number.isNaN(ms) ? '' : `, ${dateInWords(localTime(ms))}`;
  return `${originWord(isBankChannel(channel) && from !== null)} ${who}${when}: ${escapeMarkdown(headline)}`;
}
