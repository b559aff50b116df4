import { escapeMarkdown, linkTo } from '../notes/escape.ts';
import { keptPart } from '../notes/kept-part.ts';
import { briefly, changeTable, clipped, oneLine } from '../notes/note-text.ts';
import type { RecordedGate } from '../records/gate.ts';
import type { Changes } from '../records/mutation.ts';
import { type Becoming, becomingWords, NOW_PART } from './becoming.ts';
import { changePhrase } from './change-words.ts';
import { gateLine, whyActed, whyProposed } from './gate-words.ts';

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
