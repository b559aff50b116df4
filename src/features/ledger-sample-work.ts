import type { ReadAccess, Workspace } from '../daemon/context.ts';
import {
  giveBackLesson,
  LESSON_WORDS,
  type LessonPlan,
  NOTHING_TAUGHT,
  reportLesson,
  teachOutcome,
} from '../steward/outcomes.ts';
import { sampleBody } from '../vault/event-text.ts';
import { statInside } from '../vault/files.ts';
import { stem } from '../vault/layout.ts';
import { monthName, noteText, oneLine, readHistory, sha256 } from '../vault/note-text.ts';
import { sourceKey } from '../vault/source-names.ts';
import { inSlices, iso, nameTimeExact } from '../vault/time.ts';
import { drawn, type LedgerItem, listReceived, remembered } from './ledger.ts';
import { lastWeek, type PastWeek, SAMPLES, type Sample, type SampleLine, settledAt } from './ledger-samples.ts';

/** The box by which a person says that they have read all lines. */
const NONE = 'none';
const BOX = /^\s*(?:[-*+]|\d+[.)])\s+\[(.)\]\s.*\^([0-9a-f]{12}|none)\s*$/u;

/** Returns which boxes of a sample's note are there, and whether each is ticked. A note may have been edited by hand. */
export function readSampleBoxes(text: string): ReadonlyMap<string, boolean> {
  const boxes = new Map<string, boolean>();
  for (const row of text.split(/\r?\n/)) {
    const [, tick, id] = BOX.exec(row) ?? [];
    if (id !== undefined) boxes.set(id, tick !== ' ' || boxes.get(id) === true);
  }
  return boxes;
}

/** Returns a sample with the answers in its note. A line that is gone keeps its last answer. */
export function withAnswers(known: Sample, text: string | null): Sample {
  if (text === null) return known;
  const boxes = readSampleBoxes(text);
  const lines = known.lines.map((one) => ({ ...one, mattered: boxes.get(one.id) ?? one.mattered }));
  const isGone = boxes.size === 0;
  const isAnswered = isGone ? known.isAnswered : boxes.get(NONE) === true || lines.some(({ mattered }) => mattered);
  return { ...known, lines, isAnswered };
}

/** What the answered samples say about the events that are set aside. */
export interface SampleMisses {
  readonly mattered: number;
  readonly drawn: number;
  /** How many were set aside in the weeks of the answered samples. */
  readonly setAside: number;
  /** The newest note that waits for answers; null if there isn't one. */
  readonly unanswered: string | null;
}

/** Returns what the answers so far say, those included that are in the notes now. */
export function readMisses({ context, notes }: ReadAccess): SampleMisses {
  const samples = Object.entries(context.state.get(SAMPLES))
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .filter(([, { isWritten, lines }]) => isWritten && lines.length > 0)
    .map(([, known]) => ({ known, text: notes.text(known.note) }))
    .map(({ known, text }) => ({ ...withAnswers(known, text), isThere: text !== null }));
  const answered = samples.filter(({ isAnswered }) => isAnswered);
  const lines = answered.flatMap((one) => one.lines);
  return {
    mattered: lines.filter(({ mattered }) => mattered).length,
    drawn: lines.length,
    setAside: answered.reduce((sum, one) => sum + one.of, 0),
    unanswered: samples.findLast(({ isAnswered, isThere }) => isThere && !isAnswered)?.note ?? null,
  };
}

/** How many events a sample holds. */
const DRAWN = 10;
/** How long a sample is remembered. */
const KEPT_WEEKS = 60;

/**
 * Writes the sample of the last week that is over, unless that was done. A crash leaves it to be written again, with the same
 * lines. Throws what the disk refuses.
 */
export async function offerSample(space: Workspace): Promise<void> {
  const { context, transactions, vault } = space;
  const { state } = context;
  const past = lastWeek(context.now());
  const known = state.get(SAMPLES)[past.week];
  if (known !== undefined && (known.isWritten || known.lines.length === 0)) return;
  const { items } = listReceived(await inSlices(remembered(space)));
  const aside = items.filter(
    ({ pile, at, count }) => pile === 'setAside' && count === 1 && at >= past.from && at < past.to,
  );
  // By what came: no sender knows all of it, and after a crash the same events are drawn.
  const came = aside.map(({ path }) => path).sort();
  const seed = Number.parseInt(sha256([past.week, ...came].join('\n')).slice(0, 8), 16);
  const chosen = drawn(aside, DRAWN, seed);
  const folder = `${vault.layout.folders.event}/${iso(past.to - 1).slice(0, 7)}`;
  const lines = chosen.map(({ path, source }) => {
    return { id: sha256(path).slice(0, 12), source, mattered: false, lesson: null };
  });
  const note = lines.length === 0 ? '' : `${folder}/ledger-${past.week}.md`;
  const sample: Sample = { note, seed, of: aside.length, lines, isWritten: false, isAnswered: false, readMs: 0 };
  keep(space, past.week, sample);
  if (note === '') return;
  transactions.create(note, sampleText(past, sample, chosen));
  const readMs = statInside(vault.root, note)?.mtimeMs ?? 0;
  keep(space, past.week, { ...sample, isWritten: true, readMs });
  const weeks = Object.keys(state.get(SAMPLES)).sort();
  for (const week of weeks.slice(0, Math.max(0, weeks.length - KEPT_WEEKS))) {
    delete state.get(SAMPLES)[week];
    state.touch(SAMPLES, week);
  }
}

// Before anything is done that depends on it.
function keep({ context: { state } }: Workspace, week: string, sample: Sample): void {
  state.get(SAMPLES)[week] = sample;
  state.touch(SAMPLES, week);
  state.save(SAMPLES);
}

/**
 * Takes up the answers in the note of a sample: a ticked box teaches, and one that is unticked again gives its lesson back.
 * Leaves a note alone that somebody is writing in.
 */
export function followSample(space: Workspace, week: string): void {
  const known = space.context.state.get(SAMPLES)[week];
  const stat = known === undefined ? null : statInside(space.vault.root, known.note);
  if (known === undefined || stat === null) return;
  const text = space.notes.text(known.note);
  if (text === null || settledAt(space, week) > space.context.now()) return;
  let sample = { ...withAnswers(known, text), readMs: stat.mtimeMs };
  for (const line of sample.lines) {
    const taught = line.mattered ? teach(space, sample, line) : giveBack(space, sample, line);
    if (taught === null) continue;
    const lesson = line.mattered ? { ...taught.moved } : null;
    // With the lesson first: a crash before it is written leaves one that its history doesn't have. The note is looked at again.
    if (line.mattered) sample = withLesson(sample, line, lesson);
    keep(space, week, { ...sample, readMs: known.readMs });
    const id = `instinct-${nameTimeExact(space.context.now())}-${line.id}`;
    if (!space.transactions.commit(id, taught.steps)) return;
    if (!line.mattered) sample = withLesson(sample, line, lesson);
    if (line.mattered) reportLesson(space, taught, 'right', sample.note);
  }
  keep(space, week, sample);
}

function withLesson(sample: Sample, { id }: SampleLine, lesson: SampleLine['lesson']): Sample {
  return { ...sample, lines: sample.lines.map((one) => (one.id === id ? { ...one, lesson } : one)) };
}

/** The lesson of a ticked line; null if it was taught already, or would have no effect. */
function teach(space: Workspace, sample: Sample, line: SampleLine): LessonPlan | null {
  const { source } = line;
  if (source === null || (line.lesson !== null && isInHistory(space, sample, line))) return null;
  const isOthers = sample.lines.some(
    (other) => other.id !== line.id && other.lesson !== null && sourceKey(other.source ?? '') === sourceKey(source),
  );
  // One note is one gesture: it teaches about each sender once.
  if (isOthers) return null;
  const what = `${LESSON_WORDS.mattered} ${linkTo(sample, line)}`;
  const occasion = { outcome: 'right' as const, at: space.context.now(), what, by: 'checkbox' as const };
  const taught = teachOutcome(space, { [source]: 1 }, { ...occasion, about: null, gesture: new Set() });
  return taught.steps.length === 0 ? null : taught;
}

function giveBack(space: Workspace, sample: Sample, line: SampleLine): LessonPlan | null {
  if (line.lesson === null) return null;
  if (!isInHistory(space, sample, line)) return NOTHING_TAUGHT;
  const what = `undone: no longer ticked in ${linkTo(sample, line)}`;
  return giveBackLesson(space, line.lesson, { at: space.context.now(), what });
}

function linkTo({ note }: Sample, { id }: SampleLine): string {
  return `[[${stem(note)}#^${id}]]`;
}

/** Whether the history of the sender has the lesson of a line, and hasn't given it back since. */
function isInHistory(space: Workspace, sample: Sample, line: SampleLine): boolean {
  const path = line.source === null ? undefined : space.vault.catalogue.instinctOf(line.source)?.path;
  const text = path === undefined ? null : space.notes.text(path);
  const rows = path === undefined || text === null ? [] : readHistory(path, text);
  const own = rows.filter(({ what }) => what.includes(linkTo(sample, line)));
  const taught = own.filter(({ what }) => what.startsWith(LESSON_WORDS.mattered)).length;
  return taught > own.length - taught;
}

/** Returns the text of a sample's note: what came from outside is in code, so that nothing in it means anything. */
function sampleText({ week, from, to }: PastWeek, known: Sample, items: readonly LedgerItem[]): string {
  const { seed, of, lines } = known;
  const frontmatter = {
    type: 'steward-ledger',
    week,
    seed,
    set_aside: of,
    drawn: lines.length,
    cssclasses: ['steward-event'],
  };
  const rows = items.map((item, nth) => `- [ ] mattered: \`${wordsOf(item)}\` ^${lines[nth]?.id ?? NONE}`);
  const body = sampleBody({ from: dayWords(from), to: dayWords(to - 1), of, seed, rows, last: `^${NONE}` });
  return noteText(frontmatter, body);
}

function dayWords(at: number): string {
  const day = new Date(at);
  return `${day.getUTCDate()} ${monthName(day.getUTCMonth())}`;
}

const MAX_PART = 70;

function wordsOf({ at, from, subject, reason, path }: LedgerItem): string {
  const said = [from, subject === null ? null : `“${inert(subject)}”`, reason, path].flatMap((part) => part ?? []);
  return [dayWords(at), ...said.map(inert)].join(' · ');
}

/** Returns text from outside that no program which works on notes takes for a link, a query, a template or a comment. */
export function inert(text: string): string {
  const plain = oneLine(text, MAX_PART * 2).replace(/\b[a-z][a-z0-9+.-]{0,30}:\/\//gi, '');
  return oneLine(plain.replace(/[`<>[\]{}|^\\$=]|%%+/g, ' '), MAX_PART);
}
