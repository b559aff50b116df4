import type { Status } from '../daemon/compose.ts';
import type { Problem } from '../daemon/problem-list.ts';
import type { HeldBack } from '../daemon/status.ts';
import type { RetentionStatus } from '../features/retention.ts';
import type { SourceReport } from '../sources/source-note.ts';
import type { Sum } from '../steward/budget.ts';
import type { WaitingEntry } from '../steward/inbox.ts';
import { unreadWords as eventsNotRead, isDone, NOUNS, unmarkedQuote, waitingText } from '../steward/inbox-words.ts';
import type { Costs, CostWindow, ModelCost } from '../steward/spending.ts';
import type { AnswerRecord } from '../steward/types.ts';
import type { Diagnostic } from '../vault/errors.ts';
import type { Changes, Yaml } from '../vault/frontmatter.ts';
import { stem } from '../vault/layout.ts';
import type { Severity } from '../vault/problem-codes.ts';
import { clean, count, formatDate, formatMoment, formatShift, type Printer, rounded, type Style } from './terminal.ts';

const MAX_VALUE = 60;

/** Returns one clean line for each changed field: `state open → done`. */
export function changeLines(changes: Changes): string[] {
  return Object.entries(changes).map(
    ([field, { before, after }]) => `${clean(field)} ${valueText(before)} → ${valueText(after)}`,
  );
}

function valueText(value: Yaml): string {
  if (value === null) return '(none)';
  const listed = Array.isArray(value) ? value.join(', ') : value;
  const text = clean(typeof listed === 'string' ? listed : JSON.stringify(listed));
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE - 1)}…` : text;
}

/** Returns how a calibration moved, from `0.96 → 0.964` as a note has it. Other text is returned as it is. */
export function calibrationWords(moved: string): string {
  const [, before, after] = /^([\d.]+) → ([\d.]+)$/.exec(moved) ?? [];
  return before === undefined || after === undefined ? moved : formatShift(Number(before), Number(after));
}

function outcomeWord(outcome: string): string {
  return outcome === 'reversed' ? 'undone' : outcome;
}

const MADE = ['applied', 'confirmed', 'reversed'];
const LEFT = ['proposed', 'asked', 'recorded', 'settling', 'dismissed'];

/** Returns the colour of an outcome: green where the note was changed, yellow where it was left alone, else red. */
export function outcomeStyle(outcome: string): Style {
  if (MADE.includes(outcome)) return 'green';
  return LEFT.includes(outcome) ? 'yellow' : 'red';
}

/** Prints each answer: its outcome and event, its message, its changes, what was learned, and the note it wrote. */
export function printAnswers(out: Printer, answers: readonly AnswerRecord[], dryRun: boolean): void {
  for (const answer of answers) {
    const { event, outcome, message, target, changes, calibration, note, untaught } = answer;
    const words = dryRun && isDone(answer) ? `would be ${outcomeWord(outcome)}` : outcomeWord(outcome);
    out.line(`${out.paint(outcomeStyle(outcome), words)}  ${clean(event)}`);
    out.plain(`  ${message}`);
    for (const change of changeLines(changes)) out.plain(`  ${stem(target ?? '')}  ${change}`);
    for (const [source, moved] of Object.entries(calibration))
      out.plain(`  learned: ${source} ${calibrationWords(moved)}`);
    if (untaught !== undefined && untaught !== null) out.plain(`  nothing learned: ${untaught}`);
    if (note !== null) out.styled('dim', `  ${stem(note)}`);
  }
}

/** Prints the troubles under a heading with their number; no output for an empty list. */
export function printTroubles(
  out: Printer,
  troubles: readonly (Diagnostic & { readonly severity?: Severity })[],
): void {
  if (troubles.length === 0) return;
  out.heading(troubleHeading(troubles));
  for (const trouble of troubles) out.trouble(trouble);
}

/** Returns the heading of a list of troubles: `Problems (3, 1 stops something)`. */
export function troubleHeading(troubles: readonly { readonly severity?: Severity }[]): string {
  const stops = troubles.filter(({ severity }) => severity === 'stops').length;
  const many = stops === troubles.length ? (stops === 1 ? '' : 'all ') : `${stops} `;
  const words = stops === 0 ? '' : `, ${many}${stops === 1 ? 'stops' : 'stop'} something`;
  return `Problems (${troubles.length}${words})`;
}

/** Returns how many problems are hidden, and how to show them, as a line; empty if no problem is hidden. */
export function hiddenLine(hidden: readonly Problem[]): string[] {
  if (hidden.length === 0) return [];
  const words = hidden.length === 1 ? 'known problem is' : 'known problems are';
  return [`${hidden.length} ${words} hidden: steward status --all`];
}

/** Prints each entry: what kind it is, its note and what is asked, then who said it, and the event to answer. */
export function printWaiting(out: Printer, waiting: readonly WaitingEntry[]): void {
  for (const entry of waiting) printEntry(out, entry);
}

/** Prints the warnings under their number; no output for an empty list. */
export function printWarnings(out: Printer, warnings: readonly WaitingEntry[]): void {
  if (warnings.length === 0) return;
  out.line(`⚠ ${count(warnings.length, 'warning')}:`);
  printWaiting(out, warnings);
}

/** Returns how many warnings there are, and what waits, in one line. */
export function attentionText(all: readonly WaitingEntry[]): string {
  const decisions = all.filter(({ warning }) => warning == null);
  const warnings = all.length - decisions.length;
  return [...(warnings === 0 ? [] : [`⚠ ${count(warnings, 'warning')}`]), waitingText(decisions, 0)].join('. ');
}

function printEntry(out: Printer, entry: WaitingEntry): void {
  const { kind, target, change, event, candidates, warning = null } = entry;
  const what = [target, change].flatMap((part) => (part === null ? [] : [clean(part)]));
  if (warning !== null) for (const line of out.folded(`  ${clean(warning)}`)) out.line(out.paint('red', line));
  out.line(`  ${out.paint('yellow', NOUNS[kind])}  ${what.join('  ')}`);
  const said = saidText(entry);
  for (const line of originLines(entry, said)) out.plain(`    ${line}`);
  const known = trustText(entry);
  if (known !== '') out.styled('dim', `    ${known}`);
  candidates.forEach((link, at) => {
    out.plain(`    ${at + 1}  ${link}`);
  });
  if ((entry.why ?? []).length > 0 && entry.kind !== 'question')
    out.plain(`    only proposed: ${entry.why.map(asClause).join('; ')}`);
  if (entry.isStale === true) out.plain('    its note has changed since: the next check evaluates it again');
  if (event !== null) out.styled('dim', `    ${event}`);
}

/** Returns a sentence as a part of another one. A name that it begins with keeps its capital. */
export function asClause(sentence: string): string {
  return sentence.replace(/\.$/, '').replace(/^(?:It|The|This|You) /, (first) => first.toLowerCase());
}

/** Returns which mail or booking an entry is about, and who said what, in lines. `said`: from `saidText`. */
export function originLines({ told, mail = null }: WaitingEntry, said: string): string[] {
  const named = told === null ? null : toldText(told);
  // Only its file can say which one it is.
  const file = told === null && mail !== null ? `read in ${stem(mail)}` : null;
  return [named, said === '' ? null : said, file].flatMap((line) => line ?? []);
}

/** Returns the origin of a quote with its day as people write it: `3 Nov: Your deposit`. */
function toldText(told: string): string {
  return told.replace(/^(\d{4}-\d\d-\d\d) /, (_, day: string) => `${formatDate(day)}: `);
}

/** `instead`: the text if there is no quote, or if `told` contains it, as for a booking or an appointment. */
export function saidText(
  { from, quote, told, since, warning, trust }: WaitingEntry,
  instead: string | null = null,
): string {
  const other = instead === null ? null : toldText(instead);
  const words = quote === null || told?.includes(unmarkedQuote(quote)) === true ? other : `“${quote}”`;
  return [
    // Of a warning, the sender is in doubt. A daemon of an earlier version doesn't say.
    ...(from === null ? [] : [`${warning == null ? originWord(trust) : 'sender as shown:'} ${from}`]),
    ...(words === null ? [] : [words]),
    ...(since === null ? [] : [`since ${formatMoment(since)}`]),
  ].join('  ');
}

// Money may have gone to the other party of a booking.
function originWord(trust: WaitingEntry['trust']): string {
  return trust != null && OF_BANK.test(trust.source) ? 'booking with' : 'from';
}

/** As `isBankChannel`, said again here: that file takes longer to load than the daemon to answer. */
const OF_BANK = /^(?:bank|sure)(?::|$)/i;

/** Returns how well the sender is known: `mail:anna@notary.example was right 4 of 5 times; 0.90 needed, 0.84 reached`. */
export function trustText({ trust }: Pick<WaitingEntry, 'trust'>): string {
  if (trust === null) return '';
  const { source, sender, right, wrong } = trust;
  if (source === 'other') return 'another program wrote this signal, so it never acts';
  return `${sender} ${right + wrong === 0 ? 'is new here' : `was right ${right} of ${count(right + wrong, 'time')}`}`;
}

export const STATES: Readonly<Record<SourceReport['state'], string>> = {
  working: 'works',
  new: 'not asked yet',
  failing: 'fails',
  refused: 'password refused',
  paused: 'paused',
  'not-allowed': 'not allowed here',
  unreadable: 'note cannot be read',
};

/** Returns how a source stands, as a person says it. */
export function stateWords(state: SourceReport['state']): string {
  return STATES[state];
}

/** Returns what leaves the vault in time, in words. */
export function keptText({ streamDays, eventDays }: Pick<RetentionStatus, 'streamDays' | 'eventDays'>): string {
  const parts = [
    ...(streamDays === null ? [] : [`read stream files leave the vault after ${count(streamDays, 'day')}`]),
    ...(eventDays === null ? [] : [`records without a change leave it after ${count(eventDays, 'day')}`]),
  ];
  return parts.join(', ');
}

/** How many of the files that wait for a model are named. */
export const NAMED = 10;

/** Returns how many files no reader takes: `12 files of unreadable kinds (.pages 7, .msg 5)`. */
export function unreadWords(kinds: Status['streams']['unreadKinds']): string {
  const all = kinds.reduce((sum, { files }) => sum + files, 0);
  const named = kinds.slice(0, NAMED).map(({ kind, files }) => `${kind} ${files}`);
  const more = kinds.length > NAMED ? ['…'] : [];
  return `${count(all, 'file')} of unreadable kinds (${[...named, ...more].join(', ')})`;
}

export function unreadLine({ unread }: Status['streams']): string[] {
  const words = eventsNotRead(unread);
  return words === '' ? [] : [`events: ${words}`];
}

/** Returns what the models cost in lines, by model and for the most expensive matters: none after a week without any. */
export function costLines(costs: Costs): string[] {
  if (costs.week.questions === 0) return [];
  return [...windowLines('last 24 h', costs.day), ...windowLines('last 7 days', costs.week)];
}

function windowLines(name: string, window: CostWindow): string[] {
  if (window.questions === 0) return [`models, ${name}: no questions`];
  const matters = window.matters.map((one) => `${one.matter} ${money(one)}`).join(', ');
  return [
    `models, ${name}: ${sumText(window)}`,
    ...window.models.map((one) => `  ${one.model}: ${sumText(one)}${missingPrice(one)}`),
    ...(matters === '' ? [] : [`  most expensive: ${matters}`]),
  ];
}

function sumText(sum: Sum): string {
  return `${count(sum.questions, 'question')}, ${rounded(sum.tokens)} tokens, ${money(sum)}`;
}

function money({ questions, usd, unpriced }: Sum): string {
  if (unpriced === questions) return 'no price known';
  return `${rounded(usd)} USD${unpriced === 0 ? '' : ` and ${unpriced} without a price`}`;
}

function missingPrice({ unpriced, priceSettings }: ModelCost): string {
  return unpriced === 0 || priceSettings === null ? '' : `; set ${priceSettings.join(' and ')} in steward.md`;
}

/** Returns what waits for room, in lines: `12 files wait to be read: 60 questions a minute are reached, goes on at 09:14`. */
export function heldLines({ held }: Pick<Status['gates'], 'held'>): string[] {
  return held.map((one) => `${heldBackWords(one)}: ${one.reason}`);
}

export function pauseLine({ backoffUntil }: Pick<Status['gates'], 'backoffUntil'>): string[] {
  return backoffUntil === null ? [] : [`the provider asked for a pause until ${formatMoment(backoffUntil)}`];
}

function heldBackWords({ what, count: many }: HeldBack): string {
  const verb = many === 1 ? 'waits' : 'wait';
  return what === 'files'
    ? `${count(many, 'file')} ${verb} to be read`
    : `${count(many, 'note')} ${verb} to be evaluated`;
}
