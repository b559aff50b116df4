import { stem } from './note-names.ts';
import { clipped, fieldLine, shown } from './note-text.ts';
import { choiceList, dateInWords, escapeMarkdown, linkTo } from './notes.ts';
import { quoted } from './reading-words.ts';
import type { Yaml } from './records/values.ts';
import { localTime } from './time.ts';
import { nowPart, paragraphs, toldBy } from './words.ts';

/** What the body of a note tells that asks which of several notes is meant. `signal` is a name without folder and `.md`. */
interface ChoiceTelling {
  readonly signal: string;
  /** The notes that could be meant, as links. */
  readonly candidates: readonly string[];
  readonly from: string | null;
  readonly quote: string | null;
  readonly headline: string | null;
  readonly reasoning: string | null;
  /** What would be changed in the right note, one line each. */
  readonly changes: readonly string[];
}

const MAX_TEXT = 4000;

/** Returns the body of an event note that asks which of several notes a signal is about. */
export function choiceBody(telling: ChoiceTelling): string {
  const { signal, candidates, from, quote, headline, reasoning, changes } = telling;
  return paragraphs([
    `What ${linkTo(signal)} says may be about any of these notes. Tick the right one:`,
    // Apart from the program's own part, which is left alone once anybody has changed it.
    choiceList(candidates),
    ...toldBy({ from, quote, summary: headline ?? '' }),
    reasoning === null ? null : escapeMarkdown(clipped(reasoning, MAX_TEXT)),
    changes.length === 0
      ? 'No change proposed.'
      : `This would change in the right one:\n\n${changes.map((change) => `- ${escapeMarkdown(change)}`).join('\n')}`,
    nowPart({ kind: 'open', asks: 'choice' }),
  ]);
}

/** What the body of a signal note tells, under the names of its fields. */
interface SignalTelling {
  readonly origin_at: string | null;
  readonly source_type: string;
  readonly from: string | null;
  readonly raw_quote: string;
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

/** What the text of a signal note must know of the vault. */
export interface SignalSurroundings {
  /** Returns the link to a note at a path. */
  readonly note: (path: string) => string;
  /** Where that lies which the signal was read from, in one sentence of Markdown. */
  readonly where: string;
}

const STATES: Readonly<Record<string, string>> = {
  done: 'is done',
  archived: 'is called off',
  open: 'is open again',
  snoozed: 'is put off',
};

/**
 * Returns the body of a signal note, for a person: in one sentence what it means for which note, then who said it, when and
 * in which words, where that stands, and why it was read so.
 */
export function signalBody(draft: SignalTelling, around: SignalSurroundings): string {
  const { warnings = [], doubts = [] } = draft;
  return [
    sentenceOf(draft, around),
    speakerLine(draft),
    `> ${escapeMarkdown(draft.raw_quote)}`,
    around.where,
    whyLine(draft, around),
    ...warnings.map((one) => `Beware: ${escapeMarkdown(one)}`),
    ...doubts.map((one) => `Only proposed: ${escapeMarkdown(one)}`),
  ].join('\n\n');
}

/** Returns where the mail lies that the vault does not keep. */
export function liesIn(account: string): string {
  return `The vault does not keep this mail: it lies in the account ${escapeMarkdown(account)}.`;
}

/** Returns where it was read. `file`: in Markdown. */
export function readIn(file: string): string {
  return `Read in ${file}.`;
}

// Where the reasoning names a note that could be meant, it links to it.
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
  if (effect === 'none') return `It is about ${target}, and leaves you nothing to do.`;
  return `It concerns ${target}. Have a look: no change is proposed.`;
}

function targetOf(
  { target_kind: kind, target_path: path, target_matter_path: matter }: SignalTelling,
  around: SignalSurroundings,
) {
  const of = kind === 'task' && matter !== null ? ` (${around.note(matter)})` : '';
  return `${around.note(path)}${of}`;
}

/** Returns what is said of the note, as the rest of a sentence; null where nothing is to change. */
function saidOf({ mutation_proposal: proposal, time }: SignalTelling): string | null {
  if (proposal === null) return null;
  const { set = {}, add = {}, remove = {} } = proposal;
  const parts = [
    ...Object.entries(set).map(([field, value]) => setWords(field, shown(value), time)),
    ...Object.entries(add).map(([field, members]) => `has ${listed(members)} in ${escapeMarkdown(field)}`),
    ...Object.entries(remove).map(([field, members]) => `no longer has ${listed(members)} in ${escapeMarkdown(field)}`),
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

function listed(members: readonly string[]): string {
  return members.map((one) => escapeMarkdown(one)).join(', ');
}

function speakerLine({ from, source_type: channel, origin_at: at, headline }: SignalTelling): string {
  const who = escapeMarkdown((from === null ? null : fieldLine(from)) ?? channel);
  const ms = Date.parse(at ?? '');
  const when = Number.isNaN(ms) ? '' : `, ${dateInWords(localTime(ms))}`;
  return `From ${who}${when}: ${escapeMarkdown(headline)}`;
}
