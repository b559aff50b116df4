import { NOUNS, type WaitingKind } from '../steward/attention/kinds.ts';
import type { Waiting, WaitingAnswer } from '../steward/attention-waiting.ts';
import { stem } from '../vault/note-names.ts';
import { clean, count, figure, local } from './print/plain-text.ts';
import type { Printer } from './print/printer.ts';

/** One thing that a person can say, and the key for it. */
export interface Way {
  readonly key: string;
  readonly words: string;
}

/**
 * Returns what can be said, in one line: `confirm (c), dismiss (d), skip (s), quit (q)?` `byName`: how a note that may be
 * chosen is named, where one may.
 */
export function waysText(ways: readonly Way[], byName: string | null): string {
  const shown = ways.map(({ key, words }) => {
    const keys = byName !== null && words === CHOOSE ? `${key}, ${byName}` : key;
    return `${clean(words)} (${keys})`;
  });
  return `${shown.join(', ')}?`;
}

/** The way that says which of several notes is meant. */
export const CHOOSE = 'choose';

/** Prints the entries that are answered together, each on a line. */
export function printTogether(out: Printer, entries: readonly Waiting[]): void {
  out.line();
  out.styled('bold', `${count(entries.length, 'entry').replace(/ys$/, 'ies')} together`);
  for (const { kind, target, change } of entries) {
    const what = [target === null ? '' : stem(target), change ?? ''].filter((part) => part !== '');
    out.line(out.fitted(`  ${out.paint('yellow', NOUNS[kind].padEnd(9))} ${clean(what.join('  '))}`));
  }
}

/** Words of a round through the list. */
export const ROUND = {
  held: (many: number) => `  Your next key dismisses ${many === 1 ? 'it' : `these ${many}`}; u takes that back.`,
  released: '  Still waiting.',
  nothingToUndo: '  Nothing to take back.',
  leftOut: (many: number) =>
    `  ${count(many, 'other')} ${many === 1 ? 'needs' : 'need'} another answer, and ${many === 1 ? 'waits' : 'wait'} on.`,
  over: 'That was all.',
  whichNote: '  which note? ',
  byWord: 'or the name of a note',
  byKey: 'or n for another by its name',
} as const;

/** Prints each entry: what kind it is, its note and what is asked, then who said it, and the event to answer. */
export function printWaiting(out: Printer, waiting: readonly Waiting[]): void {
  for (const entry of waiting) printEntry(out, entry);
}

/** Prints one entry of the list. */
export function printEntry(out: Printer, entry: Waiting): void {
  const { kind, target, change, event, candidates } = entry;
  const what = [target, change].flatMap((part) => (part === null ? [] : [clean(part)]));
  out.line(`  ${out.paint('yellow', NOUNS[kind])}  ${what.join('  ')}`);
  const said = saidText(entry);
  if (entry.told !== null) out.plain(`    ${entry.told}`);
  if (said !== '') out.plain(`    ${said}`);
  const known = trustText(entry);
  if (known !== '') out.styled('dim', `    ${known}`);
  candidates.forEach((link, at) => {
    out.plain(`    ${at + 1}  ${link}`);
  });
  if (isStale(entry)) out.plain('    its note has changed since: the next tick judges it again');
  if (event !== null) out.styled('dim', `    ${event}`);
}

/** Prints how the entries are answered, as far as any of them can be. */
export function printHowToAnswer(out: Printer, waiting: readonly Waiting[]): void {
  const possible = new Set(waiting.flatMap(({ answers }) => answers));
  const ways = WAYS.filter(([answer]) => possible.has(answer)).map(([, command]) => command);
  if (ways.length > 0) out.styled('dim', `  ${ways.join(', ')}, or answer in the note`);
}

/** How pressing each kind is: lower comes first. */
const PRESSING: Readonly<Record<WaitingKind, number>> = {
  ...{ trouble: 0, unfinished: 1, kept: 1, conflict: 1, proposal: 2, question: 2, choice: 2, found: 3 },
};

/** Returns the most pressing and newest entries in at most so many lines, two for each, and how many more there are. */
export function screenEntries(out: Printer, waiting: readonly Waiting[], lines: number): string[] {
  const sorted = waiting.toSorted(
    (one, other) => PRESSING[one.kind] - PRESSING[other.kind] || ((one.since ?? '') > (other.since ?? '') ? -1 : 1),
  );
  const all = sorted.map((entry) => screenEntry(out, entry));
  const isRoomForAll = all.flat().length + 1 <= lines;
  const shown = isRoomForAll ? all : all.slice(0, Math.floor((lines - 1) / 2));
  const more = all.length - shown.length;
  const answerable = waiting.some(({ answers }) => answers.length > 0);
  const last = more > 0 ? `  … and ${more} more: steward inbox` : answerable ? '  steward inbox answers them' : null;
  return [...shown.flat(), ...(last === null ? [] : [out.paint('dim', last)])];
}

function screenEntry(out: Printer, entry: Waiting): string[] {
  const { kind, target, change, candidates } = entry;
  const about = target === null ? candidates.map(linked).join(' or ') : stem(target);
  const what = [about, change ?? ''].filter((part) => part !== '').map(clean);
  const said = clean(saidText(entry, entry.told));
  const first = `  ${out.paint('yellow', NOUNS[kind].padEnd(9))} ${what.join('  ')}`;
  return said === '' ? [first] : [first, out.paint('dim', `            ${said}`)];
}

function linked(link: string): string {
  return stem(link.replace(/^\[\[|\]\]$/g, ''));
}

/** Whether a proposal cannot be confirmed as it stands, since its note is another now. */
function isStale({ kind, answers }: Waiting): boolean {
  return kind === 'proposal' && !answers.includes('confirm');
}

const WAYS: readonly (readonly [WaitingAnswer, string])[] = [
  ['confirm', 'steward confirm EVENT'],
  ['dismiss', 'steward dismiss EVENT'],
  ['choose', 'steward confirm EVENT --choose NOTE'],
  ['force', 'steward undo EVENT --force'],
];

/** `instead`: what is said where there is no quote, or where `told` holds it, as of a booking or an appointment. */
function saidText(
  { from, quote, told, since }: Pick<Waiting, 'from' | 'quote' | 'told' | 'since'>,
  instead: string | null = null,
): string {
  const words = quote === null || told?.includes(quote) === true ? instead : `“${quote}”`;
  return [
    ...(from === null ? [] : [`from ${from}`]),
    ...(words === null ? [] : [words]),
    ...(since === null ? [] : [`since ${local(since)}`]),
  ].join('  ');
}

/** Returns how well the sender is known: `mail:anna@notary.example was right 4 of 5 times; 0.90 needed, 0.84 reached`. */
function trustText({ trust = null }: Partial<Pick<Waiting, 'trust'>>): string {
  if (trust === null) return ''; // a daemon of an earlier version does not say it either
  const { source, right, wrong, reached, needed } = trust;
  const times = right + wrong === 0 ? 'is new here' : `was right ${right} of ${right + wrong} times`;
  const lacks = reached === null || needed === null ? '' : `; ${figure(needed)} needed, ${figure(reached)} reached`;
  return `${source} ${times}${lacks}`;
}
