import fs from 'node:fs';
import path from 'node:path';
import { type Retirement, retirementOf } from '../model/provider-error.ts';
import { planeId } from '../plane/access.ts';
import type { Waiting } from '../steward/attention-waiting.ts';
import { questionUsage, spenders, spent } from '../steward/gate-limits.ts';
import { backoffUntil, type RateGuardState, usage } from '../steward/gates.ts';
import { discretionThreshold } from '../steward/gates-gate.ts';
import { knownInstincts } from '../steward/learning/sources.ts';
import { PRIORS } from '../steward/learning.ts';
import { parseLocalTime } from '../steward/local-time.ts';
import { policyOf, type Want } from '../steward/notify/policy.ts';
import type { ChannelName } from '../steward/notify.ts';
import { openProposals } from '../steward/proposals.ts';
import { cadenceWords, parseSchedule, SET_BACK_LIMIT } from '../steward/schedule.ts';
import { unknownChannels } from '../steward/trust.ts';
import { kindOf } from '../stream/endings.ts';
import { ownPlacesRefusal } from '../vault/disk/own-places.ts';
import { type Diagnostic, diagnostic, reasonOf, StewardError, systemCode } from '../vault/errors.ts';
import { fileError, staysInside } from '../vault/files.ts';
import type { Position } from '../vault/frontmatter/position.ts';
import { MAX_NOTE_BYTES, readNote } from '../vault/frontmatter-parse.ts';
import type { MatterRecord, ReversalRecord, SignalRecord, TargetRecord, TaskRecord } from '../vault/index/record.ts';
import { sourceOf } from '../vault/index-keys.ts';
import { SETTINGS_FILE } from '../vault/layout.ts';
import { linkTarget } from '../vault/links.ts';
import { fieldPosition } from '../vault/parsed-note.ts';
import { STATES } from '../vault/records/values.ts';
import { matterFields, nearest, taskFields } from '../vault/records-task.ts';
import { atOnce, inSlices, readInside } from '../vault/slices.ts';
import { channelOf, patternOf, sourceName } from '../vault/source-names.ts';
import { wordKey } from '../vault/status-words.ts';
import { iso, localDate } from '../vault/time.ts';
import type { KeptBytes } from '../vault/transaction/displaced-files.ts';
import type { Vault } from '../vault/watch.ts';
import { namedEvent } from './answers/orders.ts';
import { type Costs, capsOf, costsOf, type HoldingWindow, heldWords, isHoldingWindow } from './budget.ts';
import type { StreamRead } from './context/remembered/stream-read.ts';
import type { Context, DatedDiagnostic, IndexAccess, ModelAccess, ReadAccess, Settings, Workspace } from './context.ts';
import { evaluatorProblems } from './decide/evaluator-choice.ts';
import { modeOf, targetPath, thresholdsOf } from './effective-mode.ts';
import { faultProblems } from './faults/fault-problems.ts';
import { openOrders } from './plane.ts';
import { type RetentionStatus, retentionStatus } from './retention.ts';
import type { Schedule } from './schedule.ts';
import { type SourceStanding, sourceStandings } from './sources.ts';
import { waitingNow } from './status/waiting-now.ts';

/**
 * Returns where a field stands in a note, under its own or a mapped name; null where it is not found. Only notes with a
 * problem are read for a status.
 */
function fieldLocation(space: IndexAccess, file: string, field: string): Position | null {
  const mapped = Object.entries(space.context.settings.field_mapping).filter(([, ours]) => ours === field);
  const names = [field, ...mapped.map(([theirs]) => theirs)];
  try {
    const read = readNote(file, readInside(space.vault.root, file, MAX_NOTE_BYTES).bytes);
    if (!read.ok) return null;
    return names.map((name) => fieldPosition(read.note, name)).find((position) => position !== null) ?? null;
  } catch {
    return null; // the note is gone by now; the next status shows that
  }
}

const YEAR = 366 * 24 * 60 * 60 * 1000;
const FAR = 10 * YEAR;
/** How far the clocks of two machines may differ before either counts as wrong. */
const CLOCK_SLACK = 2 * 60 * 1000;
const DATES = ['due', 'scheduled', 'snoozed_until', 'next_check_after'] as const;
type DateField = (typeof DATES)[number];

const WITHOUT: Readonly<Record<DateField, string>> = {
  due: 'until then the task is looked after as if it had none',
  scheduled: 'until then it is read as words',
  snoozed_until: 'until then the task is looked at every 4 hours',
  next_check_after: 'until then nothing is held back',
};

/** Returns a diagnostic that holds at any time. */
function atAnyTime(one: Diagnostic): DatedDiagnostic {
  return { trouble: one, from: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY };
}

/** Returns a problem where the clock was set back: a schedule last fired at a moment that is still in the future. */
function clockProblems(context: Context): Diagnostic[] {
  const now = context.now();
  const last = Object.values(context.state.get('schedules')).reduce((most, one) => Math.max(most, one.last ?? 0), 0);
  if (last <= now + CLOCK_SLACK) return [];
  const [was, is] = [last, now].map((at) => new Date(at).toISOString().slice(0, 16));
  const effect =
    last > now + SET_BACK_LIMIT ? ' by more than a week; schedules start anew' : '; schedules wait until then';
  return [
    diagnostic({
      code: 'clock-set-back',
      message: `The clock says ${is}Z, but a schedule has fired at ${was}Z: it was set back${effect}.`,
      hint: 'Mend the clock if it is wrong now. Signals still count meanwhile; `steward tick --force` looks at once.',
    }),
  ];
}

/** Returns a problem where a signal is dated in the future. It is used all the same, as one of this moment. */
export function futureSignal(space: IndexAccess, signal: SignalRecord): DatedDiagnostic[] {
  if (signal.fields.status === 'applied') return [];
  const future = (['origin_at', 'created'] as const).flatMap((field) => {
    const at = parseLocalTime(signal.fields[field] ?? '');
    return at === null || at <= space.context.now() + CLOCK_SLACK ? [] : [{ field, at }];
  });
  const [first] = future.toSorted((one, other) => other.at - one.at);
  if (first === undefined) return [];
  const text = {
    code: 'signal-from-future',
    message: `The signal says ${first.field}: ${signal.fields[first.field]}, which lies in the future; it counts from now.`,
    hint: 'Check the clock of the machine that wrote it; the signal is weighed all the same.',
  };
  return [dated(space, signal.path, first.field, text, Number.NEGATIVE_INFINITY, first.at)];
}

/** Returns the dates of a note that are probably wrong: no date, one more than ten years away, a snooze that is over. */
function targetDates(space: IndexAccess, target: TargetRecord): DatedDiagnostic[] {
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

function dateProblem(space: IndexAccess, file: string, field: DateField, written: string | null): DatedDiagnostic[] {
  if (written === null) return [];
  const at = parseLocalTime(written);
  if (at !== null) return farProblem(space, file, field, written, at);
  const text = {
    code: 'date-invalid',
    message: `${field} is ${JSON.stringify(written.slice(0, 60))}, which is no date.`,
    hint: `Write it as 2026-12-01 or 2026-12-01T09:30; ${WITHOUT[field]}.`,
  };
  return [dated(space, file, field, text)];
}

function farProblem(
  space: IndexAccess,
  file: string,
  field: DateField,
  written: string,
  at: number,
): DatedDiagnostic[] {
  if (at - FAR <= space.context.now()) return [];
  const text = {
    code: 'date-far',
    message: `${field} is ${written}, more than ten years from now.`,
    hint: 'Mend it if it is a slip; until then it holds.',
  };
  return [dated(space, file, field, text, Number.NEGATIVE_INFINITY, at - FAR)];
}

function snoozeProblem(space: IndexAccess, target: TaskRecord, until: string | null): DatedDiagnostic[] {
  const file = target.path;
  const hint =
    'Give snoozed_until a date to come, or set the state to open; meanwhile it is looked at like an open task.';
  if (until === null) {
    const text = { code: 'snooze-without-date', message: 'The task is snoozed without a date.', hint };
    return [dated(space, file, 'state', text)];
  }
  const at = parseLocalTime(until);
  // Where the task is looked at by itself, that it is over is put to the person as such.
  const isSeen = target.fields.surface_class !== 'none' && space.vault.catalogue.matterOf(target) !== null;
  if (at === null || isSeen) return [];
  return [
    dated(space, file, 'snoozed_until', { code: 'snooze-over', message: `The snooze ended ${until}.`, hint }, at),
  ];
}

function dated(
  space: IndexAccess,
  file: string,
  field: string,
  text: { readonly code: string; readonly message: string; readonly hint: string },
  from = Number.NEGATIVE_INFINITY,
  until = Number.POSITIVE_INFINITY,
): DatedDiagnostic {
  let known: Diagnostic | null = null;
  return {
    // The location is looked up only when the problem is shown, because most snoozes are never asked about.
    get trouble() {
      known ??= diagnostic({ ...text, file, ...fieldLocation(space, file, field) });
      return known;
    },
    from,
    until,
  };
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
    message: 'The vault lies on a read-only disk, so it stays as it is.',
    hint: 'Mount it writable; work goes on by itself.',
  });
}

function notWritable(folder: string, fault: unknown): Diagnostic {
  return diagnostic({
    code: 'not-writable',
    file: folder === '' ? '.' : folder,
    message: `The folder cannot be written to (${reasonOf(fault).split(',')[0]}).`,
    hint: 'Give the user who runs the daemon write permission; until then it stays as it is.',
  });
}

/** Returns the instinct notes that are not read because another note names the same source. */
function instinctProblems({ catalogue }: Vault): Diagnostic[] {
  return catalogue.instincts().flatMap((record) => {
    const source = sourceOf(record);
    const used = catalogue.instinctOf(source);
    if (used === null || used.path === record.path) return [];
    return [
      diagnostic({
        code: 'source-twice',
        file: record.path,
        message: `${record.path} and ${used.path} are both about ${source}; the steward uses ${used.path}.`,
        hint: 'Keep what is right in one of the two notes, and delete the other.',
      }),
    ];
  });
}

/** What is still to be told to Plane. */
interface PlaneStatus {
  readonly waiting: number;
  /** Since when the oldest waits. */
  readonly since: string;
  readonly reason: string;
}

/** Returns what waits for Plane; null where nothing does. */
function planeStatus(context: Context): PlaneStatus | null {
  const open = openOrders({ context });
  const [oldest] = open;
  if (oldest === undefined) return null;
  return { waiting: open.length, since: iso(oldest[1].at), reason: reasonFor(context, oldest[1].remark) };
}

function reasonFor(context: Context, remark: string | null): string {
  if (context.env.plane == null) return 'PLANE_API_KEY, PLANE_BASE_URL and PLANE_WORKSPACE are not all set here.';
  if (remark !== null) return remark;
  return modeOf(context, null) === 'shadow' ? 'In shadow nothing is said in Plane.' : 'It is sent by the daemon.';
}

/** How long `status` tells of what could not be said in Plane, in ms. */
const TELL_MS = 24 * 60 * 60 * 1000;

/** Returns what of the last day could not be said in Plane, or not taken back there. */
function planeProblems({ context }: Pick<IndexAccess, 'context'>): Diagnostic[] {
  return Object.values(context.state.get('plane'))
    .filter(({ done, remark, at }) => done && remark !== null && context.now() - at < TELL_MS)
    .map(({ path, remark }) =>
      diagnostic({
        code: 'plane-left',
        file: path,
        message: remark ?? '',
        hint: 'Look at the work item in Plane; check plane_issue_id of the task and plane_project_id of its matter.',
      }),
    );
}

/** Returns what is wrong with the ids by which a note names its place in Plane. */
function planeIdProblems(space: IndexAccess, { kind, path, fields }: TargetRecord): Diagnostic[] {
  const [field, written] =
    kind === 'task' ? ['plane_issue_id', fields.plane_issue_id] : ['plane_project_id', fields.plane_project_id];
  if (space.context.env.plane == null || written === null || planeId.safeParse(written).success) return [];
  return [
    diagnostic({
      code: 'plane-id',
      file: path,
      ...fieldLocation(space, path, field),
      message: `${field} is no id of Plane.`,
      hint: 'Copy the id (a UUID, as in 0f3c…-…) from the address in Plane; until then the steward is silent there.',
    }),
  ];
}

/** A note that is full of invented words is told in a few lines. */
const MOST_WORDS = 20;

/** Returns a problem for each status that nothing explains, with how many notes say it: these notes are left alone. */
function statusWordProblems({ vault: { catalogue } }: IndexAccess): Diagnostic[] {
  return [...wordProblems('task', catalogue.agenda.doubtful()), ...wordProblems('matter', catalogue.matters())];
}

function wordProblems(kind: TargetRecord['kind'], notes: readonly TargetRecord[]): Diagnostic[] {
  const silent = notes.filter(({ fields }) => fields.unexplained !== null);
  const groups = [...Map.groupBy(silent, ({ fields }) => wordKey(fields.unexplained ?? '')).values()];
  return groups
    .toSorted((one, other) => other.length - one.length)
    .slice(0, MOST_WORDS)
    .flatMap((group) => wordProblem(kind, group));
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
      message: `${who} \`status: ${word}\`, which ${isList ? 'is more than one value' : 'the settings do not explain'}.`,
      hint: isList
        ? `Leave one value in each; until then ${left} left alone. The first is ${first.path}.`
        : `Add a line to status_values in ${SETTINGS_FILE}, such as "${word} = open" (${STATES.join(', ')}); until then ${left} left alone.`,
    }),
  ];
}

/** Returns the sources in the `signal_sources` of matters that can let nobody speak, since no channel has their name. */
function unheardSources(space: IndexAccess): Diagnostic[] {
  const matters = space.vault.catalogue.matters().filter(({ fields }) => fields.signal_sources.length > 0);
  if (matters.length === 0) return [];
  const channels = channelsOf(space);
  return matters.flatMap(({ path, fields }) =>
    unknownChannels(fields.signal_sources, channels).map((source) => unheard(space, path, source, channels)),
  );
}

function channelsOf(space: IndexAccess): readonly string[] {
  const learnt = knownInstincts(space).map(({ source }) => channelOf(source));
  return [...PRIORS.keys(), ...learnt, ...space.context.settings.trusted_signal_sources];
}

function unheard(space: IndexAccess, file: string, source: string, channels: readonly string[]): Diagnostic {
  return diagnostic({
    code: 'signal-source-unknown',
    file,
    ...fieldLocation(space, file, 'signal_sources'),
    message: `signal_sources names ${source}, but there is no channel ${channelOf(source)}.`,
    hint: hintFor(source, channels),
  });
}

// Whoever writes a bare address means the mails from it.
function hintFor(source: string, channels: readonly string[]): string {
  if (source.includes('@') && patternOf(source) === null) return `Write the channel before it: mail:${source}.`;
  const near = nearest(channelOf(source), channels);
  return near === null
    ? 'Write a channel such as mail or bank, or a channel and who speaks in it, such as mail:anna@notary.example.'
    : `Did you mean ${sourceName(near, patternOf(source))}?`;
}

/** Returns what is wrong with the records of the vault. */
function recordProblems(space: ModelAccess): readonly DatedDiagnostic[] {
  return space.problems.records.at(space.vault.catalogue.revision, () => atOnce(problemsFound(space)));
}

/** Does the same, and lets others have their turn meanwhile. What changes in that time is found the next time. */
export async function recordProblemsInTurns(space: ModelAccess): Promise<readonly DatedDiagnostic[]> {
  const { records } = space.problems;
  const { revision } = space.vault.catalogue;
  return records.known(revision) ?? records.keep(revision, await inSlices(problemsFound(space)));
}

/** Returns the same anew. Pauses after each record. */
export function* problemsFound(space: IndexAccess): Generator<void, DatedDiagnostic[]> {
  const { catalogue } = space.vault;
  const lasting: Diagnostic[] = catalogue.bad().map((record) => record.trouble);
  const dated: DatedDiagnostic[] = [];
  for (const matter of catalogue.each('matter')) {
    yield;
    lasting.push(...matterProblems(space, matter));
    dated.push(...targetDates(space, matter));
  }
  for (const task of catalogue.agenda.doubtful()) {
    yield;
    lasting.push(...planeIdProblems(space, task));
    dated.push(...targetDates(space, task));
  }
  const strays = yield* catalogue.agenda.strays();
  lasting.push(...statusWordProblems(space), ...gathered(strays.flatMap((task) => taskProblem(space, task))));
  for (const signal of catalogue.unrouted()) {
    yield;
    lasting.push(...signalProblem(space, signal));
    dated.push(...futureSignal(space, signal));
  }
  for (const reversal of catalogue.each('reversal')) {
    yield;
    lasting.push(...openReversal(space.vault, reversal));
  }
  lasting.push(...instinctProblems(space.vault), ...unheardSources(space), ...refusedOrders(space.vault));
  return [...lasting.map(atAnyTime), ...dated];
}

function matterProblems(space: IndexAccess, matter: MatterRecord): Diagnostic[] {
  const [other] = space.vault.catalogue.namesakes(matter);
  const schedule = matter.fields.steward_schedule;
  const parsed = schedule === null ? null : parseSchedule(schedule);
  return [
    ...(other === undefined
      ? []
      : [
          diagnostic({
            code: 'slug-twice',
            file: matter.path,
            message: `${matter.path} and ${other.path} have the same slug, so neither is scheduled.`,
            hint: 'Rename one of the two notes.',
          }),
        ]),
    ...(parsed === null || parsed.ok
      ? []
      : [
          diagnostic({
            code: 'schedule-invalid',
            file: matter.path,
            ...fieldLocation(space, matter.path, 'steward_schedule'),
            message: parsed.reason,
            hint: 'Write "every 30m" or a cron expression; until then the default schedule holds.',
          }),
        ]),
    ...parentCircle(space, matter.path),
    ...planeIdProblems(space, matter),
  ];
}

// A task's parent must be a matter. Where it is another note, the chain of parents is searched for a circle.
function taskProblem(space: IndexAccess, task: TaskRecord): Diagnostic[] {
  const parent = task.fields.parent_matter;
  if (parent === null || space.vault.catalogue.matterOf(task) !== null) return [];
  const circle = parentCircle(space, task.path);
  if (circle.length > 0) return circle;
  const found = space.vault.catalogue.resolve(parent);
  if (found?.kind === 'bad') return []; // reported once, at that note
  const known = found === null ? 'there is no such matter' : `${found.path} is no matter`;
  return [
    diagnostic({
      code: 'parent-missing',
      file: task.path,
      ...fieldLocation(space, task.path, 'parent_matter'),
      message: `The task belongs to "${linkTarget(parent)}", but ${known}.`,
      hint: 'Mend parent_matter or make the matter; until then the steward leaves the task alone.',
    }),
  ];
}

/** From this many tasks on, what they lack alike is told once. */
const MANY = 4;

// A vault that was taken over may have a hundred tasks of projects that are no matters.
function gathered(problems: readonly Diagnostic[]): Diagnostic[] {
  return [...Map.groupBy(problems, ({ code, message }) => `${code} ${message}`).values()].flatMap((group) => {
    const [first] = group;
    if (first?.code !== 'parent-missing' || group.length < MANY) return group;
    const message = first.message.replace('The task belongs', `${group.length} tasks belong`);
    const hint = `Mend parent_matter or make the matter; until then the steward leaves them alone. The first is ${first.file}.`;
    return [diagnostic({ code: first.code, message, hint })];
  });
}

function parentCircle(space: IndexAccess, start: string): Diagnostic[] {
  const seen = [start];
  for (let path = parentPath(space.vault, start); path !== null; path = parentPath(space.vault, path)) {
    if (path === start) return [circleProblem(space, start, [...seen, start])];
    if (seen.includes(path)) return [];
    seen.push(path);
  }
  return [];
}

function circleProblem(space: IndexAccess, file: string, chain: readonly string[]): Diagnostic {
  return diagnostic({
    code: 'parent-circle',
    file,
    ...fieldLocation(space, file, 'parent_matter'),
    message: `parent_matter leads round in a circle: ${chain.join(' → ')}.`,
    hint: 'Let one of them belong to a matter, or to nothing.',
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

function signalProblem(space: IndexAccess, signal: SignalRecord): Diagnostic[] {
  const path = signal.fields.target_path;
  if (path === null || signal.fields.status === 'applied') return [];
  if (!staysInside(linkTarget(path)) || path.startsWith('/')) {
    return [
      diagnostic({
        code: 'path-outside-vault',
        file: signal.path,
        ...fieldLocation(space, signal.path, 'target_path'),
        message: `The signal's target ${JSON.stringify(path)} leads out of the vault, so the signal is left alone.`,
        hint: 'Give target_path as a path inside the vault, or delete the signal.',
      }),
    ];
  }
  const { catalogue } = space.vault;
  if (catalogue.targetOf(signal) !== null || catalogue.resolve(path)?.kind === 'bad') return [];
  return [
    diagnostic({
      code: 'target-missing',
      file: signal.path,
      ...fieldLocation(space, signal.path, 'target_path'),
      message: `The signal's target ${JSON.stringify(path)} is no matter and no task of this vault.`,
      hint: 'Mend target_path; until then the signal waits.',
    }),
  ];
}

// A dropped reversal that names no event is completed as refused, and stays listed until it is repaired or deleted.
function openReversal({ catalogue }: Vault, reversal: ReversalRecord): Diagnostic[] {
  if (reversal.fields.outcome !== 'refused' || namedEvent(catalogue, reversal) !== null) return [];
  return [
    diagnostic({
      code: 'reverses-nothing',
      file: reversal.path,
      message: 'The reversal names no event of this vault, so it takes nothing back.',
      hint: 'Name the event note in `reverses`, in a new reversal note, or delete this one.',
    }),
  ];
}

// The same for a file that was to confirm or dismiss a proposal.
function refusedOrders(vault: Vault): Diagnostic[] {
  const refused = vault.catalogue.orders().filter(({ fields }) => fields.outcome === 'refused');
  return refused.map(({ path }) =>
    diagnostic({
      code: 'answers-nothing',
      file: path,
      message: 'The file is to confirm or dismiss a proposal, but names none.',
      hint: 'Name the proposal in `confirms` or `dismisses`, in a new file, or delete this one.',
    }),
  );
}

/** The settings that name a model: for signals and streams, which the rules can handle too, and for errands. */
const INCOMING = ['model_evaluation', 'model_extraction'] as const satisfies readonly (keyof Settings)[];
const ERRANDS = ['haiku_model', 'sonnet_model'] as const satisfies readonly (keyof Settings)[];

/**
 * Returns a problem for each model in the settings that its provider has retired or is about to retire. No model is
 * replaced automatically, because another one judges and costs differently. Another server may still offer them.
 */
function retiredModelProblems({ context: { settings, now }, models: { provider } }: ModelAccess): Diagnostic[] {
  if (provider === null || provider.server !== null) return [];
  const naming = settings.evaluator === 'rules' ? ERRANDS : [...INCOMING, ...ERRANDS];
  return naming.flatMap((setting) => {
    const model = settings[setting];
    const known = retirementOf(model);
    return known === null ? [] : [retiredProblem(setting, model, known, now())];
  });
}

function retiredProblem(setting: string, model: string, { since, successor }: Retirement, now: number): Diagnostic {
  const over = since <= new Date(now).toISOString();
  return diagnostic({
    code: 'model-retired',
    file: SETTINGS_FILE,
    message: `${model}, which ${setting} names, ${over ? 'was' : 'will be'} retired by its provider on ${since}.`,
    hint: `Set ${setting} to ${successor}, which the provider recommends, or to another model: you alone choose it.`,
  });
}

/** How the sources stand, and what keeps that from being told. */
interface KnownStandings {
  readonly standings: readonly SourceStanding[];
  readonly trouble: readonly Diagnostic[];
}

/** Returns how each source stands. What the disk refuses is trouble, and never ends a status. */
function knownStandings(space: IndexAccess): KnownStandings {
  // An absent vault says nothing of its sources; that it is away is said already.
  if (space.vault.away !== null) return { standings: [], trouble: [] };
  try {
    return { standings: sourceStandings(space), trouble: [] };
  } catch (error) {
    if (error instanceof StewardError) return { standings: [], trouble: [error.trouble] };
    if (systemCode(error) === null) throw error;
    return { standings: [], trouble: [fileError(error, space.vault.layout.folders.source).trouble] };
  }
}

/** Returns what is wrong with sources. */
function sourceProblems(space: IndexAccess): readonly Diagnostic[] {
  const { standings, trouble } = knownStandings(space);
  return [...trouble, ...standings.flatMap((one) => one.trouble)];
}

/**
 * Returns everything in the vault that a person should mend or know of, sorted by file and code; `records`: what is wrong
 * with its records, where that was worked out before.
 */
export function problemsOf(space: ModelAccess, records = recordProblems(space)): Diagnostic[] {
  const now = space.context.now();
  const found = [
    ...records.filter(({ from, until }) => from <= now && now < until).map((one) => one.trouble),
    ...space.problems.settings,
    ...space.problems.recovery,
    ...space.context.state.troubles,
    ...space.problems.faults.values(),
    ...space.problems.outside(),
    ...faultProblems(space.context),
    ...evaluatorProblems(space),
    ...retiredModelProblems(space),
    ...clockProblems(space.context),
    ...planeProblems(space),
    ...sourceProblems(space),
    ...vaultProblems(space),
  ];
  return distinct(found).sort((a, b) => (a.file ?? '').localeCompare(b.file ?? '') || a.code.localeCompare(b.code));
}

// What holds up many is one line: a folder that cannot be written, for one.
function distinct(found: readonly Diagnostic[]): Diagnostic[] {
  return [...new Map(found.map((one) => [`${one.code} ${one.file} ${one.line} ${one.message}`, one])).values()];
}

function vaultProblems(space: IndexAccess): Diagnostic[] {
  const { vault } = space;
  const away = vault.away === null ? diskProblems(space.vault) : [awayProblem(vault.away)];
  const folders = [...vault.unreadable].map(([folder, reason]) =>
    diagnostic({
      code: 'folder-unreadable',
      file: folder,
      message: `The folder cannot be listed (${reason}).`,
      hint: 'Mend its permissions; the steward keeps what it knows of it.',
    }),
  );
  const passedOver = [...vault.passedOver].map(([file, reason]) => passedOverProblem(vault, file, reason));
  const own = ownPlacesRefusal(vault.root);
  const watcher = vault.watcherTrouble === null ? [] : [watcherProblem(vault.watcherTrouble)];
  const copies = [...vault.conflictCopies].map((file) =>
    diagnostic({
      code: 'conflict-copy',
      file,
      message: 'A sync tool left this copy beside a note; the steward reads only the note.',
      hint: 'Compare the two, keep what is right, and delete the copy.',
    }),
  );
  const ours = own === null || vault.away !== null ? [] : [own.trouble];
  return [...away, ...ours, ...folders, ...passedOver, ...watcher, ...copies];
}

function passedOverProblem({ layout }: Vault, file: string, reason: string): Diagnostic {
  const isFolder = Object.values(layout.folders).includes(file);
  const where = { file, message: `The steward cannot read this: ${reason}.` };
  if (isFolder)
    return diagnostic({
      code: 'folder-link',
      ...where,
      hint: 'Put the folder itself there, or a link to one inside the vault; until then the steward leaves it alone.',
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
    message: `The vault is away: ${reason}. Nothing is written until it is back.`,
    hint: 'Mount or restore it; work goes on by itself.',
  });
}

/** Returns what is said of a watcher that works no more, by its last complaint. */
export function watcherProblem(reason: string): Diagnostic {
  const isOpen = /^E[MN]FILE/.test(reason);
  return diagnostic({
    code: 'watcher',
    message: `The file watcher is in trouble (${reason}); a sweep finds changes every minute.`,
    hint: isOpen
      ? 'Raise fs.inotify.max_user_instances, or the limit of open files (`ulimit -n`, LimitNOFILE= of a service).'
      : 'If the limit of inotify watches is used up, raise fs.inotify.max_user_watches.',
  });
}

/** What has no room just now: how many, for which window of the rate guard or the budget, and until when. */
export interface HeldBack {
  /** Files that wait to be read, or notes that wait to be judged. */
  readonly what: 'files' | 'notes';
  readonly count: number;
  readonly window: string;
  readonly until: string;
  /** `60 questions a minute are reached, goes on at 09:14`. */
  readonly reason: string;
}

interface Held {
  readonly window: HoldingWindow;
  /** Epoch milliseconds. */
  readonly freeAt: number;
}

/** Returns what waits for room, each kind and window once, with the moment at which the first of it goes on. */
function heldBack(space: Workspace): HeldBack[] {
  const now = space.context.now();
  return [...grouped('files', heldFiles(space, now), now), ...grouped('notes', heldNotes(space, now), now)];
}

// One whose time has come and that still waits has its turn as soon as those before it have had theirs.
function heldFiles({ ingest }: Workspace, now: number): Held[] {
  return [...ingest.waiting.values()].flatMap(({ window, at }) =>
    window !== null && isHoldingWindow(window) ? [{ window, freeAt: Math.max(at, now) }] : [],
  );
}

/** The notes about which it was said that there is no room, as long as that holds. */
function heldNotes({ context: { state } }: Workspace, now: number): Held[] {
  return Object.entries(state.get('guarded')).flatMap(([key, freeAt]) => {
    const window = key.slice(key.lastIndexOf(' ') + 1);
    return freeAt > now && isHoldingWindow(window) ? [{ window, freeAt }] : [];
  });
}

function grouped(what: HeldBack['what'], held: readonly Held[], now: number): HeldBack[] {
  return [...Map.groupBy(held, ({ window }) => window)].map(([window, those]) => {
    const freeAt = those.reduce((soonest, one) => Math.min(soonest, one.freeAt), Number.POSITIVE_INFINITY);
    return { what, count: those.length, window, until: iso(freeAt), reason: heldWords({ window, freeAt }, now) };
  });
}

/** A key of a matter or task that means nothing to the program, and is spelt almost like one that does. */
export interface NearKey {
  readonly file: string;
  readonly key: string;
  readonly meant: string;
}

/** Keys of ours that nobody writes by hand. */
const OURS_ALONE = ['state_field', 'unexplained'];
/** Words of other programs that only look like one of ours. */
const OTHERS = [
  'state',
  'status',
  'scheduled',
  'schedule',
  'date',
  'name',
  'title',
  'done',
  'stated',
  'dues',
  'tags',
  'account',
  'invoices',
  'references',
];
/** A name of a few letters is near to too many words. */
const LEAST_LETTERS = 5;

/**
 * Returns the keys of matters and tasks that are mistyped, as it seems. People may have any keys of their own, so nothing
 * is wrong with them: who asks is told. Reads every matter and task.
 */
export function nearKeys(space: IndexAccess): NearKey[] {
  const { catalogue } = space.vault;
  return [...catalogue.matters(), ...catalogue.tasks()].flatMap((note) => {
    const known = keysOf(space, note);
    return keysIn(space, note).flatMap((key) => {
      const meant = meantBy(key, known);
      return meant === null ? [] : [{ file: note.path, key, meant }];
    });
  });
}

function keysOf({ context }: IndexAccess, { kind }: TargetRecord): string[] {
  const ours = kind === 'matter' ? matterFields.shape : taskFields.shape;
  const theirs = kind === 'task' ? Object.keys(context.settings.field_mapping) : [];
  return [
    ...Object.keys(ours).filter((key) => !OURS_ALONE.includes(key)),
    ...theirs,
    ...context.settings.editable_fields,
  ];
}

function keysIn(space: IndexAccess, { path }: TargetRecord): string[] {
  try {
    const read = readNote(path, readInside(space.vault.root, path, MAX_NOTE_BYTES).bytes);
    return read.ok ? Object.keys(read.note.data) : [];
  } catch {
    return []; // gone by now, or refused by the disk: `problemsOf` tells of that
  }
}

function meantBy(key: string, known: readonly string[]): string | null {
  if (key.length < LEAST_LETTERS || known.includes(key) || OTHERS.includes(key.toLowerCase())) return null;
  return nearest(
    key,
    known.filter(({ length }) => length >= LEAST_LETTERS),
  );
}

/** How messages to the person stand. */
export interface NotifyStatus {
  readonly wants: Want;
  /** Messages sent today, and how many there may be. */
  readonly today: number;
  readonly atMost: number;
  /** Minutes since midnight; null for no digest. */
  readonly digestAt: number | null;
  /** Where their buttons are answered; null where they have none. */
  readonly actions: string | null;
  readonly channels: readonly ChannelStatus[];
}

interface ChannelStatus {
  readonly channel: ChannelName;
  /** How many things it has still to tell. */
  readonly waiting: number;
  /** ISO, UTC; null where it has taken no message yet. */
  readonly last: string | null;
  /** What went wrong last; null where it went well. */
  readonly trouble: string | null;
}

/** Returns how messages stand; null where no channel is named and none are asked for. */
export function notifyStatus({ env, settings, state, now }: Context): NotifyStatus | null {
  const access = env.notify ?? null;
  const { want, atMost, digestAt } = policyOf(settings, access !== null);
  if (access === null && want === 'off') return null;
  const memory = state.get('notify');
  const named: readonly ChannelName[] = [
    ...(access?.ntfy ? (['ntfy'] as const) : []),
    ...(access?.desktop ? (['desktop'] as const) : []),
    ...(access?.command ? (['command'] as const) : []),
  ];
  const channels = named.map((channel): ChannelStatus => {
    const tray = memory.trays[channel];
    const last = tray?.delivered ?? null;
    const waiting = (tray?.news.length ?? 0) + (tray?.digest == null ? 0 : 1);
    return { channel, waiting, last: last === null ? null : iso(last), trouble: tray?.trouble?.message ?? null };
  });
  const today = memory.day === localDate(now()) ? memory.sent : 0;
  const links = access?.links ?? null;
  const actions = links === null ? null : `${links.host}:${links.port}`;
  return { wants: want, today, atMost, digestAt, actions, channels };
}

/** What has become of the files of the stream so far. */
interface StreamCounts {
  readonly seen: number;
  readonly read: number;
  readonly signals: number;
  readonly skipped: number;
  /** The events that were looked at in files that hold many. */
  readonly events: number;
  readonly refused: readonly { readonly file: string; readonly reason: string }[];
  /** Files of kinds that are not read, the most frequent kind first: neither read nor skipped. */
  readonly unreadKinds: readonly UnreadKind[];
  /** When the newest file that was read came (ISO, UTC); null where none was. */
  readonly newest: string | null;
  /** Files that are unread because no model can be asked about them at the moment. */
  readonly waiting: readonly { readonly file: string; readonly reason: string }[];
}

interface UnreadKind {
  /** `.pages` */
  readonly kind: string;
  readonly files: number;
}

/** Returns what has become of the files of the stream so far. */
export function streamsOf(space: Pick<Workspace, 'context' | 'vault' | 'ingest'>): StreamCounts {
  const remembered = space.context.state.get('streams');
  const counts = { read: 0, signals: 0, skipped: 0, events: 0 };
  const refused: StreamCounts['refused'][number][] = [];
  const unread: string[] = [];
  let newest = 0;
  // One way through all of them, and no lists of all of them: there may be a hundred thousand.
  for (const file of space.vault.streams.keys()) {
    const one = remembered[file];
    if (one === undefined) continue;
    counts.signals += one.signals;
    counts.events += one.items?.read ?? 0;
    refused.push(...refusalOf(file, one));
    if (one.tried !== null && one.refused === null) unread.push(file);
    else {
      counts.read += 1;
      newest = Math.max(newest, one.mtimeMs);
      if (one.skipped !== null) counts.skipped += 1;
    }
  }
  const waiting = [...space.ingest.waiting].map(([file, { reason }]) => ({ file, reason }));
  return {
    seen: space.vault.streams.size,
    ...counts,
    refused,
    unreadKinds: kindsOf(unread),
    waiting,
    newest: momentOr(newest),
  };
}

// A file may claim to be of any year.
function momentOr(ms: number): string | null {
  return ms > 0 && ms < 8.64e15 ? iso(ms) : null;
}

/** Why a file is not read, or some of the events in it. */
function refusalOf(file: string, { refused, items }: StreamRead): StreamCounts['refused'] {
  if (refused !== null) return [{ file, reason: refused }];
  const [first] = items?.troubles ?? [];
  if (items == null || first === undefined) return [];
  const count = items.refused === 1 ? 'one of its events' : `${items.refused} of its events`;
  return [{ file, reason: `${count} cannot be read; ${first.place}: ${first.reason}` }];
}

function kindsOf(files: readonly string[]): UnreadKind[] {
  return [...Map.groupBy(files, kindOf)]
    .map(([kind, all]) => ({ kind, files: all.length }))
    .sort((one, other) => other.files - one.files || (one.kind < other.kind ? -1 : 1));
}

/** `status --json` (contract, section 16). Fields may be added, never renamed. Times are ISO, UTC. */
export interface Status {
  readonly schemaVersion: 1;
  readonly at: string;
  readonly vault: {
    readonly path: string;
    readonly state: 'present' | 'away';
    readonly reason: string | null;
    readonly notes: number;
  };
  readonly daemon: DaemonStatus;
  readonly mode: { readonly ceiling: string; readonly vault: string | null; readonly effective: string };
  readonly evaluator: string;
  readonly extractor: string;
  readonly schedules: readonly ScheduleStatus[];
  /** Everything that waits for a person (contract, section 17). */
  readonly waiting: readonly Waiting[];
  readonly proposals: readonly ListedProposal[];
  readonly gates: {
    /**
     * `minute`, `hour` and `day`: the questions that were put to a provider, by whomever. `task` and `matter`: the looks at
     * the one that took most. `looks_minute`, `looks_hour` and `looks_day`: those at all notes.
     */
    readonly rateGuard: Readonly<Record<string, { readonly used: number; readonly cap: number }>>;
    readonly backoffUntil: string | null;
    /** What has no room in a window of the rate guard or in the budget. */
    readonly held: readonly HeldBack[];
    /** For the last 24 hours; a cap is null where there is none. */
    readonly budget: { readonly vault: BudgetStatus; readonly matters: readonly MatterBudget[] };
    readonly thresholds: { readonly confidence: number; readonly highConfidence: number };
  };
  /** What models used, by model and for the matters that used most. */
  readonly costs: Costs;
  readonly sources: readonly SourceStatus[];
  readonly streams: StreamCounts;
  /** How many edits by hand were heard today, and how many were too many at once. */
  readonly edits: { readonly heard: number; readonly passed: number };
  /** What leaves the vault in time; null where everything is kept. */
  readonly retention: RetentionStatus | null;
  /** The sources that are asked: one for each source note. */
  readonly sourceNotes: readonly SourceStanding[];
  /** What is still to be told to Plane; null where nothing is. */
  readonly plane: PlaneStatus | null;
  /** Messages to the person; null where no channel is named and none are asked for. */
  readonly notify: NotifyStatus | null;
  readonly kept: readonly KeptBytes[];
  readonly conflictCopies: number;
  readonly trouble: readonly Diagnostic[];
}

/** Whether a daemon runs, and since when. `stalled`: it runs, but does not answer. */
export interface DaemonStatus {
  readonly state: 'running' | 'stalled' | 'stopped';
  readonly pid: number | null;
  readonly since: string | null;
}

/** The schedule of one matter, with its last and next tick. */
export interface ScheduleStatus {
  readonly name: string;
  readonly matter: string;
  readonly state: 'waiting' | 'running';
  readonly cadence: string;
  readonly reason: string;
  readonly last: string | null;
  readonly next: string | null;
  readonly skipped: string | null;
}

/** What models used in the last 24 hours, and the caps. */
export interface BudgetStatus {
  readonly tokens: number;
  /** US dollars. */
  readonly usd: number;
  readonly caps: { readonly tokens: number | null; readonly usd: number | null };
}

interface MatterBudget extends BudgetStatus {
  readonly matter: string;
}

interface ListedProposal {
  readonly event: string;
  readonly target: string | null;
  readonly decision: string;
  readonly confidence: number;
  /** Seconds since it was made. */
  readonly age: number;
  /** `stale`: the note has changed since, and the signals are weighed again at the next tick. */
  readonly standing: 'waiting' | 'stale';
  /** Why it is stale, or null. */
  readonly reason: string | null;
}

interface SourceStatus {
  readonly source: string;
  readonly confidence: number;
  readonly observations: number;
  readonly threshold: number;
  readonly status: string;
  readonly wrong: number;
  readonly pinned: boolean;
}

/**
 * Returns everything that `status` shows, from memory. Reads only notes that have a problem; `records`: what is wrong with
 * them, where that was worked out before.
 */
export function statusOf(
  space: Workspace,
  schedules: readonly ScheduleStatus[],
  daemon: DaemonStatus,
  records?: readonly DatedDiagnostic[],
): Status {
  const now = space.context.now();
  const guard = space.context.state.get('rate-guard');
  const until = backoffUntil(guard, now);
  const kept = space.context.state.get('kept');
  const streams = streamsOf(space);
  // After what is remembered has been read: some of it may be damaged.
  const trouble = problemsOf(space, records);
  return {
    schemaVersion: 1,
    at: iso(now),
    vault: {
      path: space.vault.root,
      state: space.vault.away === null ? 'present' : 'away',
      reason: space.vault.away,
      notes: space.vault.catalogue.size,
    },
    daemon,
    mode: {
      ceiling: space.context.env.ceiling,
      vault: space.context.settings.mode,
      effective: modeOf(space.context, null),
    },
    evaluator: space.models.evaluator.name,
    extractor: space.models.extractor.name,
    schedules,
    waiting: waitingNow(space, trouble),
    proposals: proposalsOf(space, now),
    gates: {
      rateGuard: guardUsage(guard, now),
      backoffUntil: until === null ? null : iso(until),
      held: heldBack(space),
      budget: budgetOf(space.context, now),
      thresholds: thresholdsOf(space.context),
    },
    costs: costsOf(space.context),
    sources: sourcesOf(space),
    streams,
    edits: editsOf(space.context),
    retention: retentionStatus(space.context),
    sourceNotes: knownStandings(space).standings,
    plane: planeStatus(space.context),
    notify: notifyStatus(space.context),
    kept,
    conflictCopies: space.vault.conflictCopies.size,
    trouble,
  };
}

function guardUsage(guard: RateGuardState, now: number): Status['gates']['rateGuard'] {
  const { minute, hour, day, task, matter } = usage(guard, now);
  return { ...questionUsage(guard, now), task, matter, looks_minute: minute, looks_hour: hour, looks_day: day };
}

/** Returns what models used in the last 24 hours, and what they may. */
export function budgetOf(context: Context, now: number): Status['gates']['budget'] {
  const budget = context.state.get('budget');
  const caps = capsOf(context);
  const matterCaps = { tokens: caps.matterTokens, usd: caps.matterUsd };
  return {
    vault: { ...spent(budget, now), caps: { tokens: caps.vaultTokens, usd: caps.vaultUsd } },
    matters: spenders(budget, now).map((matter) => ({ matter, ...spent(budget, now, matter), caps: matterCaps })),
  };
}

/** Returns schedules as `status` shows them. Pauses after each. */
export function* scheduleStatuses(
  context: Context,
  schedules: readonly Schedule[],
): Generator<void, readonly ScheduleStatus[]> {
  const statuses: ScheduleStatus[] = [];
  for (const schedule of schedules) {
    statuses.push(scheduleStatus(context, schedule));
    yield;
  }
  return statuses;
}

function scheduleStatus(context: Context, schedule: Schedule): ScheduleStatus {
  const known = context.state.get('schedules')[schedule.name];
  return {
    name: schedule.name,
    matter: schedule.matter,
    state: schedule.running ? 'running' : 'waiting',
    cadence: cadenceWords(schedule.cadence),
    reason: schedule.reason,
    last: known?.last ? iso(known.last) : null,
    next: schedule.next === null ? null : iso(schedule.next),
    skipped: known?.skipped ?? null,
  };
}

function proposalsOf(space: ReadAccess, now: number): ListedProposal[] {
  return openProposals(space).map(({ event, standing: status }) => ({
    event: event.name,
    target: targetPath(space.vault, event),
    decision: event.fields.decision,
    confidence: event.fields.confidence,
    age: Math.max(0, Math.round((now - Date.parse(event.fields.timestamp)) / 1000)) || 0,
    standing: status.kind,
    reason: status.kind === 'stale' ? status.reason : null,
  }));
}

// Channels first, then who spoke in them.
function sourcesOf(space: IndexAccess): SourceStatus[] {
  return knownInstincts(space)
    .map(({ source, confidence, observations, wrong, status, pinned }) => {
      const threshold = discretionThreshold(observations, null);
      return { source, confidence, observations, threshold, status, wrong, pinned };
    })
    .sort((one, other) => rank(one) - rank(other) || (one.source < other.source ? -1 : 1));
}

function rank({ source }: SourceStatus): number {
  return patternOf(source) === null ? 0 : 1;
}

function editsOf({ state, now }: Context): Status['edits'] {
  const { date, heard, passed } = state.get('edits');
  return date === localDate(now()) ? { heard, passed } : { heard: 0, passed: 0 };
}
