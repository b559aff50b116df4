import fs from 'node:fs';
import path from 'node:path';
import { namedEvent } from '../steward/find-event.ts';
import { type Attention, collectAttention } from '../steward/inbox.ts';
import { knownInstincts, PRIORS } from '../steward/instinct.ts';
import { parseSchedule, SET_BACK_LIMIT } from '../steward/schedule.ts';
import { unknownChannels } from '../steward/sender.ts';
import { pendingSignals, waitingStopped } from '../steward/signals.ts';
import { waitingSuspects } from '../steward/suspects.ts';
import type { DatedDiagnostic, DecisionIndexAccess, DecisionWriteAccess, NoteProblems } from '../steward/workspace.ts';
import { type Diagnostic, diagnostic, errorReason, systemCode } from '../vault/errors.ts';
import { ownPlacesRefusal, readInside } from '../vault/files.ts';
import { fieldPosition, type Position, readNote } from '../vault/frontmatter.ts';
import { instinctSource } from '../vault/index.ts';
import { isUnknownEntry } from '../vault/journal.ts';
import { MAX_NOTE_BYTES, SETTINGS_FILE, staysInside } from '../vault/layout.ts';
import { linkTarget } from '../vault/links.ts';
import type { ProblemCode } from '../vault/problem-codes.ts';
import {
  checkbox,
  type InstinctRecord,
  type MatterRecord,
  nearest,
  type OrderRecord,
  type ReversalRecord,
  type SignalRecord,
  STATES,
  type State,
  type TargetRecord,
  type TaskRecord,
  type VaultRecord,
  wordKey,
} from '../vault/record.ts';
import { nameSkeleton, parseChannel, parsePattern, sourceName } from '../vault/source-names.ts';
import { atOnce, inSlices, parseLocalTime } from '../vault/time.ts';
import type { Vault } from '../vault/vault.ts';
import { arrivalProblems, isArrival, waitingArrival } from './adoption.ts';
import type { Context, Workspace } from './context.ts';
import { faultProblems } from './faults.ts';
import { listProblems, type ProblemList } from './problem-list.ts';
import { waitingUnfinished } from './unfinished.ts';

type ProblemAccess = DecisionIndexAccess & Pick<Workspace, 'problems'> & { readonly context: Context };

/** Returns everything that a person should correct or know of: what to show, and what the user has hidden. */
export function collectProblems(space: ProblemAccess): ProblemList {
  const now = space.context.now();
  const inRecords = atOnce(recordProblems(space)).filter(({ from, until }) => from <= now && now < until);
  const found = [
    ...inRecords.map(({ trouble }) => trouble),
    ...space.problems.settings,
    ...space.problems.recovery,
    ...space.context.state.troubles,
    ...space.problems.faults.values(),
    ...space.problems.outside(),
    ...faultProblems(space.context),
    ...clockProblems(space.context),
    ...arrivalProblems(space),
    ...vaultProblems(space.vault),
  ];
  return listProblems(space.context, found);
}

/** Returns what Steward brings to the user. An unfinished action is a decision, and not a problem as well. */
export function attentionNow(
  space: ProblemAccess & DecisionWriteAccess,
  problems: readonly Diagnostic[] = collectProblems(space).shown,
): Attention {
  return collectAttention(space, {
    kept: space.context.state.get('kept'),
    trouble: problems.filter((one) => !isUnknownEntry(one) && !isArrival(one)),
    arrived: waitingArrival(space),
    unfinished: waitingUnfinished(space),
    stopped: waitingStopped(space),
    suspects: waitingSuspects(space),
    pending: pendingSignals(space).length,
  });
}

/**
 * Brings the problems of the records up to date, and lets other work run in the meantime. `collectProblems` is quick after
 * that.
 */
export async function refreshProblems(space: ProblemAccess): Promise<void> {
  await inSlices(recordProblems(space));
}

/**
 * Returns the problems of the records. Computes only those of the notes that changed since the last time, and of those
 * that had a problem, unless notes came or went or the settings changed. Pauses after each record.
 */
export function* recordProblems(space: ProblemAccess): Generator<void, DatedDiagnostic[]> {
  const { catalogue } = space.vault;
  const { records } = space.problems;
  const { settings } = space.context;
  const { revision } = catalogue;
  if (records.revision !== revision || records.settings !== settings) {
    const edited = records.settings === settings ? catalogue.editedSince(records.revision) : null;
    if (edited === null) records.byNote = yield* problemsByNote(space);
    else for (const file of toBeChecked(space, edited)) check(space, records.byNote, catalogue.get(file), file);
    records.revision = revision;
    records.settings = settings;
  }
  return listed(space, records.byNote);
}

function toBeChecked({ vault: { catalogue }, problems }: ProblemAccess, edited: readonly string[]): Set<string> {
  const { byNote } = problems.records;
  const troubled = [...byNote].flatMap(([file, { lasting }]) => (lasting.length > 0 ? [file] : []));
  // Which of two notes about the same source counts depends on both.
  const instincts = edited.some((file) => catalogue.get(file)?.kind === 'instinct') ? catalogue.instincts() : [];
  return new Set([...edited, ...troubled, ...instincts.map((one) => one.path)]);
}

function* problemsByNote(space: DecisionIndexAccess): Generator<void, Map<string, NoteProblems>> {
  const { catalogue } = space.vault;
  const byNote = new Map<string, NoteProblems>();
  for (const record of [...catalogue.bad(), ...catalogue.instincts(), ...catalogue.orders()]) {
    check(space, byNote, record, record.path);
  }
  for (const kind of ['matter', 'reversal'] as const) {
    for (const record of catalogue.each(kind)) {
      yield;
      check(space, byNote, record, record.path);
    }
  }
  const strays = yield* catalogue.agenda.strays();
  for (const record of [...catalogue.agenda.doubtful(), ...strays]) {
    yield;
    check(space, byNote, record, record.path);
  }
  for (const record of catalogue.unrouted()) {
    yield;
    check(space, byNote, record, record.path);
  }
  return byNote;
}

function check(
  space: DecisionIndexAccess,
  byNote: Map<string, NoteProblems>,
  record: VaultRecord | undefined,
  file: string,
): void {
  const lasting = record === undefined ? [] : lastingProblems(space, record);
  const dated = record === undefined ? [] : datedProblems(space, record);
  const isUnexplained = (record?.kind === 'task' || record?.kind === 'matter') && record.fields.unexplained !== null;
  if (lasting.length + dated.length > 0 || isUnexplained) byNote.set(file, { lasting, dated, isUnexplained });
  else byNote.delete(file);
}

function lastingProblems(space: DecisionIndexAccess, record: VaultRecord): Diagnostic[] {
  switch (record.kind) {
    case 'matter':
      return matterProblems(space, record);
    case 'task':
      return [...externalProblem(space, record), ...parentProblem(space, record)];
    case 'signal':
      return record.fields.status === 'unrouted' ? signalProblem(space, record) : [];
    case 'reversal':
      return openReversal(space.vault, record);
    case 'order':
      return refusedOrder(record);
    case 'instinct':
      return instinctProblem(space.vault, record);
    case 'bad':
      return record.copyOf === undefined ? [record.trouble] : []; // listed with the other copies
    default:
      return [];
  }
}

function datedProblems(space: DecisionIndexAccess, record: VaultRecord): DatedDiagnostic[] {
  if (record.kind === 'matter' || record.kind === 'task') return targetDates(space, record);
  return record.kind === 'signal' && record.fields.status === 'unrouted' ? futureSignal(space, record) : [];
}

function listed(
  { vault: { catalogue } }: DecisionIndexAccess,
  byNote: ReadonlyMap<string, NoteProblems>,
): DatedDiagnostic[] {
  const all = [...byNote.values()];
  const unexplained = [...byNote].flatMap(([file, { isUnexplained }]) => {
    const note = isUnexplained ? catalogue.get(file) : undefined;
    return note?.kind === 'task' || note?.kind === 'matter' ? [note] : [];
  });
  const lasting = [...gathered(all.flatMap((one) => one.lasting)), ...wordProblems(unexplained)];
  return [
    ...lasting.map((trouble) => ({ trouble, from: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY })),
    ...all.flatMap(({ dated }) => dated),
  ];
}

function fieldProblem(
  space: DecisionIndexAccess,
  file: string,
  field: string,
  text: { readonly code: ProblemCode; readonly message: string; readonly hint: string },
): Diagnostic {
  const found = findField(space, file, field);
  return diagnostic({ ...inOwnWords(text, field, found?.name ?? field), file, ...found?.position });
}

/** A text about a field of ours, with the name that the user has for it. */
function inOwnWords<Text extends { readonly message: string; readonly hint: string }>(
  text: Text,
  field: string,
  name: string,
): Text {
  if (name === field) return text;
  const named = (sentence: string) => sentence.replace(new RegExp(`\\b${field}\\b`, 'g'), () => name);
  return { ...text, message: named(text.message), hint: named(text.hint) };
}

/** A field as a note has it: its name there, and its place. */
interface FoundField {
  readonly name: string;
  readonly position: Position | null;
}

// Under its own or a mapped name. Only notes with a problem are read for that.
function findField(space: DecisionIndexAccess, file: string, field: string): FoundField | null {
  const mapped = Object.entries(space.context.settings.field_mapping).filter(([, ours]) => ours === field);
  const names = [field, ...mapped.map(([theirs]) => theirs)];
  try {
    const read = readNote(file, readInside(space.vault.root, file, MAX_NOTE_BYTES).bytes);
    const name = read.ok ? names.find((one) => Object.hasOwn(read.note.data, one)) : undefined;
    return read.ok && name !== undefined ? { name, position: fieldPosition(read.note, name) } : null;
  } catch {
    return null; // the note is gone by now; the next status shows that
  }
}

function matterProblems(space: DecisionIndexAccess, matter: MatterRecord): Diagnostic[] {
  const { path: file, fields } = matter;
  const [other] = space.vault.catalogue.namesakes(matter);
  const schedule = fields.steward_schedule === null ? null : parseSchedule(fields.steward_schedule);
  const found = [...parentCircle(space, file), ...externalProblem(space, matter), ...unheardSources(space, matter)];
  if (other !== undefined) {
    found.push(
      diagnostic({
        code: 'slug-twice',
        file,
        message: `${file} and ${other.path} have the same slug, so neither is scheduled.${isSameInNfc(file, other.path) ? ' The names look the same: one has its accents as separate characters (NFD), as macOS writes them.' : ''}`,
        hint: 'Rename one of the two notes.',
      }),
    );
  }
  if (schedule?.ok === false) {
    const hint = 'Write "every 30m" or a cron expression; until then the default schedule applies.';
    found.push(
      fieldProblem(space, file, 'steward_schedule', { code: 'schedule-invalid', message: schedule.reason, hint }),
    );
  }
  return found;
}

function isSameInNfc(one: string, other: string): boolean {
  return one !== other && one.normalize('NFC') === other.normalize('NFC');
}

// A task's parent must be a matter. If it is another note, the chain of parents is searched for a circle.
function parentProblem(space: DecisionIndexAccess, task: TaskRecord): Diagnostic[] {
  const parent = task.fields.parent_matter;
  if (parent === null || space.vault.catalogue.matterOf(task) !== null) return [];
  const circle = parentCircle(space, task.path);
  if (circle.length > 0) return circle;
  const found = space.vault.catalogue.resolve(parent);
  if (found?.kind === 'bad') return []; // reported once, at that note
  const known = found === null ? 'there is no such matter' : `${found.path} isn't a matter`;
  const alike = found === null ? lookAlike(space, parent) : null;
  return [
    fieldProblem(space, task.path, 'parent_matter', {
      code: 'parent-missing',
      message: `The task belongs to "${linkTarget(parent)}", but ${known}.${alike === null ? '' : ` ${alike.words}`}`,
      hint: `${alike === null ? 'Correct parent_matter or create the matter' : `Write "${alike.link}"`}; until then Steward ignores the task.`,
    }),
  ];
}

/** Returns the matter whose name looks like a link, and in words how the two differ; null without such a matter. */
function lookAlike(
  { vault }: DecisionIndexAccess,
  link: string,
): { readonly link: string; readonly words: string } | null {
  const written = linkTarget(link).split('/').at(-1) ?? '';
  const look = nameSkeleton(written);
  // Most names differ in length: only the others are compared letter by letter.
  const isNear = ({ name }: MatterRecord) =>
    Math.abs(name.normalize('NFC').length - written.normalize('NFC').length) < 4;
  const matter = vault.catalogue.matters().find((one) => isNear(one) && nameSkeleton(one.name) === look);
  if (matter === undefined) return null;
  const meant = vault.catalogue.linkTo(matter.path);
  const [theirs, ours] = [[...written.normalize('NFC')], [...matter.name.normalize('NFC')]];
  const at = theirs.findIndex((letter, nth) => letter !== ours[nth]);
  const differ = `has ${charWords(ours[at])} where the link has ${charWords(theirs[at])}`;
  return { link: meant, words: `${meant} looks the same, but ${differ}.` };
}

/** `“–” (U+2013)`: most such characters can't be distinguished by eye. */
function charWords(char: string | undefined): string {
  if (char === undefined) return 'its end';
  const code = `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(char) ? `“${char}” (${code})` : code;
}

/** From this many tasks on, a fault that they share is reported once. */
const MANY = 4;

// A vault that was taken over may have a hundred tasks of projects that are no matters.
function gathered(problems: readonly Diagnostic[]): Diagnostic[] {
  return [...Map.groupBy(problems, ({ code, message }) => `${code} ${message}`).values()].flatMap((group) => {
    const [first] = group;
    if (first?.code !== 'parent-missing' || group.length < MANY) return group;
    const message = first.message.replace('The task belongs', `${group.length} tasks belong`);
    const hint = `${first.hint.replace('leaves the task alone', 'leaves them alone')} The first is ${first.file}.`;
    return [diagnostic({ code: 'parent-missing', message, hint })];
  });
}

function parentCircle(space: DecisionIndexAccess, start: string): Diagnostic[] {
  const seen = [start];
  for (let path = parentPath(space.vault, start); path !== null; path = parentPath(space.vault, path)) {
    if (path === start) return [circleProblem(space, start, [...seen, start])];
    if (seen.includes(path)) return [];
    seen.push(path);
  }
  return [];
}

function circleProblem(space: DecisionIndexAccess, file: string, chain: readonly string[]): Diagnostic {
  return fieldProblem(space, file, 'parent_matter', {
    code: 'parent-circle',
    message: `parent_matter forms a circle: ${chain.join(' → ')}.`,
    hint: 'Give one of them another matter, or no matter.',
  });
}

function parentPath(vault: Vault, path: string): string | null {
  const record = vault.catalogue.get(path);
  const parent =
    record?.kind === 'task'
      ? record.fields.parent_matter
      : record?.kind === 'matter'
        ? (record.fields.parent_matter[0] ?? null)
        : null;
  return parent === null ? null : (vault.catalogue.resolve(parent, ['matter'])?.path ?? null);
}

function signalProblem(space: DecisionIndexAccess, signal: SignalRecord): Diagnostic[] {
  const path = signal.fields.target_path;
  if (path === null || signal.fields.status === 'applied') return [];
  if (!staysInside(linkTarget(path)) || path.startsWith('/')) {
    return [
      fieldProblem(space, signal.path, 'target_path', {
        code: 'path-outside-vault',
        message: `The signal's target ${JSON.stringify(path)} leads out of the vault, so the signal is left alone.`,
        hint: 'Give target_path as a path inside the vault, or delete the signal.',
      }),
    ];
  }
  const { catalogue } = space.vault;
  if (catalogue.targetOf(signal) !== null || catalogue.resolve(path)?.kind === 'bad') return [];
  return [
    fieldProblem(space, signal.path, 'target_path', {
      code: 'target-missing',
      message: `The signal's target ${JSON.stringify(path)} isn't a matter or task of this vault.`,
      hint: 'Correct target_path; until then the signal waits.',
    }),
  ];
}

function externalProblem(space: DecisionIndexAccess, record: TargetRecord): Diagnostic[] {
  const found = space.context.external?.problem(record) ?? null;
  if (found === null) return [];
  const { field, ...text } = found;
  return [fieldProblem(space, record.path, field, text)];
}

// A source in `signal_sources` admits nobody if no channel has its name.
function unheardSources(space: DecisionIndexAccess, { path: file, fields }: MatterRecord): Diagnostic[] {
  if (fields.signal_sources.length === 0) return [];
  const learnt = knownInstincts(space).map(({ source }) => parseChannel(source));
  const channels = [...PRIORS.keys(), ...learnt, ...space.context.settings.trusted_signal_sources];
  return unknownChannels(fields.signal_sources, channels).map((source) =>
    fieldProblem(space, file, 'signal_sources', {
      code: 'signal-source-unknown',
      message: `signal_sources names ${source}, but there is no channel ${parseChannel(source)}.`,
      hint: hintFor(source, channels),
    }),
  );
}

// A bare address means the mails from it.
function hintFor(source: string, channels: readonly string[]): string {
  if (source.includes('@') && parsePattern(source) === null) return `Write the channel before it: mail:${source}.`;
  const near = nearest(parseChannel(source), channels);
  return near === null
    ? 'Write a channel such as mail or bank, or a channel and a sender, such as mail:anna@notary.example.'
    : `Did you mean ${sourceName(near, parsePattern(source))}?`;
}

// A dropped reversal that names no event is completed as refused, and stays listed until it is repaired or deleted.
function openReversal({ catalogue }: Vault, reversal: ReversalRecord): Diagnostic[] {
  if (reversal.fields.outcome !== 'refused' || namedEvent(catalogue, reversal) !== null) return [];
  return [
    diagnostic({
      code: 'reverses-nothing',
      file: reversal.path,
      message: 'The reversal names no event of this vault, so it has no effect.',
      hint: 'Name the event note in `reverses`, in a new reversal note, or delete this one.',
    }),
  ];
}

// The same for a file that was to confirm or dismiss a proposal.
function refusedOrder({ path: file, fields }: OrderRecord): Diagnostic[] {
  if (fields.outcome !== 'refused') return [];
  return [
    diagnostic({
      code: 'answers-nothing',
      file,
      message: "The file should confirm or dismiss a proposal, but doesn't name one.",
      hint: 'Name the proposal in `confirms` or `dismisses`, in a new file, or delete this one.',
    }),
  ];
}

// An instinct note isn't read if another one names the same source.
function instinctProblem({ catalogue }: Vault, record: InstinctRecord): Diagnostic[] {
  const source = instinctSource(record);
  const used = catalogue.instinctOf(source);
  if (used === null || used.path === record.path) return [];
  return [
    diagnostic({
      code: 'source-twice',
      file: record.path,
      message: `${record.path} and ${used.path} are both about ${source}; Steward uses ${used.path}.`,
      hint: 'Keep what is right in one of the two notes, and delete the other.',
    }),
  ];
}

/** A note that is full of invented words is told in a few lines. */
const MOST_WORDS = 20;

// One problem for each status that nothing explains, with how many notes say it: these notes are left alone.
function wordProblems(unexplained: readonly TargetRecord[]): Diagnostic[] {
  return (['task', 'matter'] as const).flatMap((kind) => {
    const notes = unexplained.filter((note) => note.kind === kind);
    const groups = [...Map.groupBy(notes, ({ fields }) => wordKey(fields.unexplained ?? '')).values()];
    return groups
      .toSorted((one, other) => other.length - one.length)
      .slice(0, MOST_WORDS)
      .flatMap((group) => wordProblem(kind, group));
  });
}

function wordProblem(kind: TargetRecord['kind'], group: readonly TargetRecord[]): Diagnostic[] {
  const [first] = group;
  const word = first?.fields.unexplained ?? null;
  if (first === undefined || word === null) return [];
  const [who, left] = group.length === 1 ? [`The ${kind} says`, 'it is'] : [`${group.length} ${kind}s say`, 'they are'];
  // A link begins with two brackets, a list with one.
  const isList = /^\[(?!\[)/.test(word);
  return [
    diagnostic({
      code: 'status-unexplained',
      file: group.length === 1 ? first.path : null,
      message: `${who} \`${first.fields.state_field}: ${word}\`, which ${isList ? 'is more than one value' : 'the settings do not explain'}.`,
      hint: isList
        ? `Leave one value in each; until then ${left} left alone. The first is ${first.path}.`
        : `Add a line to status_values in ${SETTINGS_FILE}, such as "${word} = ${likelyState(group)}" (${STATES.join(', ')}); until then ${left} left alone.`,
    }),
  ];
}

// A task with a day of completion is done: to call it open would reopen it.
function likelyState(group: readonly TargetRecord[]): State {
  return group.some((note) => note.kind === 'task' && note.fields.completedDate !== null) ? 'done' : 'open';
}

const YEAR = 366 * 24 * 60 * 60 * 1000;
const FAR = 10 * YEAR;
/** How far the clocks of two machines may differ before either counts as wrong. */
const CLOCK_SLACK = 2 * 60 * 1000;
const DATES = ['due', 'scheduled', 'snoozed_until', 'next_check_after'] as const;
type DateField = (typeof DATES)[number];

const WITHOUT: Readonly<Record<DateField, string>> = {
  due: 'until then Steward treats the task as if it had no snooze date',
  scheduled: 'until then it is read as words',
  snoozed_until: 'until then the task is checked every 4 hours',
  next_check_after: 'until then no check is postponed',
};

/** Returns a problem where a signal is dated in the future. It is used anyway, as one of this moment. */
export function futureSignal(space: DecisionIndexAccess, signal: SignalRecord): DatedDiagnostic[] {
  if (signal.fields.status === 'applied') return [];
  const future = (['origin_at', 'created'] as const).flatMap((field) => {
    const at = parseLocalTime(signal.fields[field] ?? '');
    return at === null || at <= space.context.now() + CLOCK_SLACK ? [] : [{ field, at }];
  });
  const [first] = future.toSorted((one, other) => other.at - one.at);
  if (first === undefined) return [];
  const text = {
    code: 'signal-from-future' as const,
    message: `The signal says ${first.field}: ${signal.fields[first.field]}, which is in the future; it counts from now.`,
    hint: 'Check the clock of the machine that wrote it; the signal is still evaluated.',
  };
  return [dated(space, signal.path, first.field, text, Number.NEGATIVE_INFINITY, first.at)];
}

/** Returns the dates of a note that are probably wrong: no date, one more than ten years away, a snooze that is over. */
function targetDates(space: DecisionIndexAccess, target: TargetRecord): DatedDiagnostic[] {
  if (target.fields.state === 'done' || target.fields.state === 'archived' || !target.fields.steward) return [];
  const written = (field: DateField) =>
    field === 'next_check_after'
      ? target.fields.next_check_after
      : target.kind === 'task'
        ? target.fields[field]
        : null;
  return [
    ...DATES.flatMap((field) => dateProblem(space, target.path, field, written(field))),
    ...(target.kind === 'task' && target.fields.state === 'snoozed'
      ? snoozeProblem(space, target, target.fields.snoozed_until)
      : []),
  ];
}

function dateProblem(
  space: DecisionIndexAccess,
  file: string,
  field: DateField,
  written: string | null,
): DatedDiagnostic[] {
  if (written === null) return [];
  const at = parseLocalTime(written);
  if (at !== null) return farProblem(space, file, field, written, at);
  const text = {
    code: 'date-invalid' as const,
    message: `${field} is ${JSON.stringify(written.slice(0, 60))}, which isn't a date.`,
    hint: `Write it as 2026-12-01 or 2026-12-01T09:30; ${WITHOUT[field]}.`,
  };
  return [dated(space, file, field, text)];
}

function farProblem(
  space: DecisionIndexAccess,
  file: string,
  field: DateField,
  written: string,
  at: number,
): DatedDiagnostic[] {
  if (at - FAR <= space.context.now()) return [];
  const text = {
    code: 'date-far' as const,
    message: `${field} is ${written}, more than ten years from now.`,
    hint: 'Correct it if it is a mistake; until then it applies.',
  };
  return [dated(space, file, field, text, Number.NEGATIVE_INFINITY, at - FAR)];
}

function snoozeProblem(space: DecisionIndexAccess, target: TaskRecord, until: string | null): DatedDiagnostic[] {
  const file = target.path;
  const hint =
    'Give snoozed_until a future date, or set the state to open. Until then it is checked like an open task.';
  if (until === null) {
    const text = { code: 'snooze-without-date' as const, message: 'The task is snoozed without a date.', hint };
    return [dated(space, file, 'state', text)];
  }
  const at = parseLocalTime(until);
  // If the task has findings of its own, the end of its snooze is one of them.
  const isSeen = target.fields.surface_class !== 'none' && space.vault.catalogue.matterOf(target) !== null;
  if (at === null || isSeen) return [];
  return [
    dated(space, file, 'snoozed_until', { code: 'snooze-over', message: `The snooze ended ${until}.`, hint }, at),
  ];
}

function dated(
  space: DecisionIndexAccess,
  file: string,
  field: string,
  text: { readonly code: ProblemCode; readonly message: string; readonly hint: string },
  from = Number.NEGATIVE_INFINITY,
  until = Number.POSITIVE_INFINITY,
): DatedDiagnostic {
  let known: Diagnostic | null = null;
  return {
    // The location is looked up only when the problem is shown, because most snoozes are never asked about.
    get trouble() {
      known ??= fieldProblem(space, file, field, text);
      return known;
    },
    from,
    until,
  };
}

/** Returns a problem where the clock was set back: a schedule last fired at a moment that is still in the future. */
function clockProblems(context: Context): Diagnostic[] {
  const now = context.now();
  const last = Object.values(context.state.get('schedules')).reduce((most, one) => Math.max(most, one.last ?? 0), 0);
  if (last <= now + CLOCK_SLACK) return [];
  const [was, is] = [last, now].map((at) => new Date(at).toISOString().slice(0, 16));
  const effect =
    last > now + SET_BACK_LIMIT ? ' by more than a week; schedules start again' : '; schedules wait until then';
  return [
    diagnostic({
      code: 'clock-set-back',
      message: `The clock says ${is}Z, but a schedule has fired at ${was}Z: it was set back${effect}.`,
      hint: 'Correct the clock if it is wrong now. Signals still count; `steward tick --force` checks at once.',
    }),
  ];
}

/** Returns a problem for each folder of the vault that this user cannot write to. */
function diskProblems(vault: Vault): Diagnostic[] {
  const root = faultOf(vault.root);
  if (systemCode(root) === 'EROFS') return [readOnly()];
  const folders = ['', ...Object.values(vault.layout.folders)];
  return folders.flatMap((folder) => {
    const fault = faultOf(path.join(vault.root, folder));
    return fault === null || systemCode(fault) === 'ENOENT' ? [] : [notWritable(folder, fault)];
  });
}

/** Whether this user may make and remove files in a folder. */
export function isWritable(folder: string): boolean {
  return faultOf(folder) === null;
}

function faultOf(folder: string): unknown {
  try {
    fs.accessSync(folder, fs.constants.W_OK | fs.constants.X_OK);
    return null;
  } catch (error) {
    return error;
  }
}

function readOnly(): Diagnostic {
  return diagnostic({
    code: 'read-only',
    file: '.',
    message: "The vault is on a read-only disk, so Steward can't change it.",
    hint: 'Mount it writable; Steward then continues.',
  });
}

function notWritable(folder: string, fault: unknown): Diagnostic {
  return diagnostic({
    code: 'not-writable',
    file: folder === '' ? '.' : folder,
    message: `The folder cannot be written to (${errorReason(fault).split(',')[0]}).`,
    hint: 'Give the user who runs the daemon write permission; until then it stays as it is.',
  });
}

function vaultProblems(vault: Vault): Diagnostic[] {
  const away = vault.away === null ? diskProblems(vault) : [awayProblem(vault.away)];
  const folders = [...vault.unreadable].map(([folder, reason]) =>
    diagnostic({
      code: 'folder-unreadable',
      file: folder,
      message: `The folder cannot be listed (${reason}).`,
      hint: 'Correct its permissions; Steward keeps what it has stored about it.',
    }),
  );
  const passedOver = [...vault.passedOver].map(([file, reason]) => passedOverProblem(vault, file, reason));
  const own = ownPlacesRefusal(vault.root);
  const watcher = vault.watcherTrouble === null ? [] : [watcherProblem(vault.watcherTrouble)];
  const copies = [...vault.conflictCopies].map((file) => copyProblem(vault, file));
  const ours = own === null || vault.away !== null ? [] : [own.trouble];
  return [...away, ...ours, ...folders, ...passedOver, ...watcher, ...copies, ...elsewhere(vault)];
}

function copyProblem(vault: Vault, file: string): Diagnostic {
  const record = vault.catalogue.get(file);
  const ticked = vault.layout.folderKindOf(file) === 'event' ? tickedIn(vault.root, file) : [];
  const original = record?.kind === 'bad' ? (record.copyOf ?? 'the note next to it') : 'the note next to it';
  if (ticked.length > 0)
    return diagnostic({
      code: 'conflict-copy',
      file,
      message: `You ticked ${ticked.join(' and ')} in a copy that a sync tool made, so the tick has no effect.`,
      hint: `Did you mean it? Tick the box in ${original}, and delete the copy.`,
    });
  if (record?.kind === 'bad') return record.trouble;
  return diagnostic({
    code: 'conflict-copy',
    file,
    message: 'A sync tool left this copy next to a note; Steward reads only the note.',
    hint: 'Compare the two, keep what is right, and delete the copy.',
  });
}

// A sync tool may keep thousands of files elsewhere.
function elsewhere({ placeholders }: Vault): Diagnostic[] {
  const [first] = placeholders;
  if (first === undefined) return [];
  const isOne = placeholders.size === 1;
  return [
    diagnostic({
      code: 'note-away',
      file: isOne ? first : null,
      message: isOne
        ? 'This file is not on this device. Steward keeps what it knows of it.'
        : `${placeholders.size} files are not on this device. Steward keeps what it knows of them. The first is ${first}.`,
      hint: 'Download them in your sync tool, and have it keep this folder on this device.',
    }),
  ];
}

const BOXES = ['confirm', 'dismiss', 'later', 'always', 'undo', 'deliberate'] as const;

function tickedIn(root: string, file: string): string[] {
  try {
    const read = readNote(file, readInside(root, file, MAX_NOTE_BYTES).bytes);
    return read.ok ? BOXES.filter((box) => checkbox.parse(read.note.data[box])) : [];
  } catch {
    return []; // gone by now, or refused by the disk
  }
}

function passedOverProblem({ layout }: Vault, file: string, reason: string): Diagnostic {
  const isFolder = Object.values(layout.folders).includes(file);
  const where = { file, message: `Steward can't read this: ${reason}.` };
  if (isFolder)
    return diagnostic({
      code: 'folder-link',
      ...where,
      hint: 'Put the folder itself there, or a link to one inside the vault; until then Steward ignores it.',
    });
  return diagnostic({
    code: 'not-readable',
    ...where,
    hint: 'Put a plain file inside the vault in its place, or move it out of this folder.',
  });
}

function awayProblem(reason: string): Diagnostic {
  return diagnostic({
    code: 'vault-away',
    message: `The vault is away: ${reason}. Steward writes again when it is back.`,
    hint: 'Mount or restore it; Steward then continues.',
  });
}

/**
 * Reports once, in the log as well as in `status`, that the file watcher failed: a limit of the system concerns whoever
 * runs it. Returns whether it has failed.
 */
export function reportWatcher({ context, vault }: ProblemAccess, wasReported: boolean): boolean {
  const reason = vault.watcherTrouble;
  if (reason !== null && !wasReported) context.emit({ what: 'trouble', trouble: watcherProblem(reason) });
  return reason !== null;
}

function watcherProblem(reason: string): Diagnostic {
  const isOpen = /^E[MN]FILE/.test(reason);
  return diagnostic({
    code: 'watcher',
    message: `The file watcher has a problem (${reason}); Steward searches for changes every minute.`,
    hint: isOpen
      ? 'Raise fs.inotify.max_user_instances, or the limit of open files (`ulimit -n`, LimitNOFILE= of a service).'
      : 'If the limit of inotify watches is used up, raise fs.inotify.max_user_watches.',
  });
}
