import type { SignalDraft } from '../../../stream/draft.ts';
import { dateInWords } from '../../../vault/notes/day-words.ts';
import { escapeMarkdown } from '../../../vault/notes/escape.ts';
import { fieldLine, shown } from '../../../vault/notes/note-text.ts';
import { localTime } from '../../../vault/time.ts';

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
export function signalText(draft: SignalDraft, around: SignalSurroundings): string {
  const { warnings = [], doubts = [] } = draft;
  return [
    sentenceOf(draft, around),
    speakerLine(draft),
    `> ${escapeMarkdown(draft.raw_quote)}`,
    around.where,
    `Why: ${escapeMarkdown(draft.reasoning)}`,
    ...warnings.map((one) => `Beware: ${escapeMarkdown(one)}`),
    ...doubts.map((one) => `Proposed at most: ${escapeMarkdown(one)}`),
  ].join('\n\n');
}

function sentenceOf(draft: SignalDraft, around: SignalSurroundings): string {
  const { effect, target_ambiguous: isOpen, target_candidates: candidates } = draft;
  const said = saidOf(draft);
  if (isOpen && candidates.length > 1) {
    const notes = candidates.map(around.note).join(', ');
    const what = said === null ? 'It concerns one of these' : `It says that one of these ${said}`;
    return `${what}: ${notes}. You are asked which of them is meant.`;
  }
  const target = targetOf(draft, around);
  if (said !== null) return `It says that ${target} ${said}.`;
  if (effect === 'none') return `It tells something about ${target}, and asks nothing of you.`;
  return `It concerns ${target}, and is for you to look at: no change is proposed.`;
}

function targetOf(
  { target_kind: kind, target_path: path, target_matter_path: matter }: SignalDraft,
  around: SignalSurroundings,
) {
  const of = kind === 'task' && matter !== null ? ` (${around.note(matter)})` : '';
  return `${around.note(path)}${of}`;
}

/** Returns what is said of the note, as the rest of a sentence; null where nothing is to change. */
function saidOf({ mutation_proposal: proposal, time }: SignalDraft): string | null {
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

function speakerLine({ from, source_type: channel, origin_at: at, headline }: SignalDraft): string {
  const who = escapeMarkdown((from === null ? null : fieldLine(from)) ?? channel);
  const ms = Date.parse(at ?? '');
  const when = Number.isNaN(ms) ? '' : `, ${dateInWords(localTime(ms))}`;
  return `From ${who}${when}: ${escapeMarkdown(headline)}`;
}
