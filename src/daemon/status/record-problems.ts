import { parseSchedule } from '../../steward/schedule/cadence.ts';
import { atOnce, inSlices } from '../../vault/disk/slices.ts';
import { type Diagnostic, diagnostic } from '../../vault/errors.ts';
import { staysInside } from '../../vault/files.ts';
import type { MatterRecord, ReversalRecord, SignalRecord, TaskRecord } from '../../vault/index/record.ts';
import { linkTarget } from '../../vault/links.ts';
import type { Vault } from '../../vault/watch/vault.ts';
import { namedEvent } from '../answers/find-note.ts';
import type { DatedDiagnostic, IndexAccess, ModelAccess } from '../context/ports.ts';
import { atAnyTime, futureSignal, targetDates } from './date-problems.ts';
import { fieldLocation } from './field-location.ts';
import { instinctProblems } from './instinct-problems.ts';
import { planeIdProblems } from './outward/plane-status.ts';
import { statusWordProblems } from './status-words.ts';
import { unheardSources } from './unheard-sources.ts';

/** Returns what is wrong with the records of the vault. */
export function recordProblems(space: ModelAccess): readonly DatedDiagnostic[] {
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
