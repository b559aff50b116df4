import { parseSchedule } from '../../steward/schedule/cadence.ts';
import { ownPlacesRefusal } from '../../vault/disk/own-places.ts';
import { type Diagnostic, diagnostic } from '../../vault/errors.ts';
import { staysInside } from '../../vault/files.ts';
import type { SignalRecord, TaskRecord } from '../../vault/index/record.ts';
import { linkTarget } from '../../vault/links.ts';
import type { Vault } from '../../vault/watch/vault.ts';
import { namedEvent } from '../answers/find-note.ts';
import type { DatedDiagnostic, IndexAccess, ModelAccess } from '../context/ports.ts';
import { evaluatorProblems } from '../decide/evaluator-choice.ts';
import { atAnyTime, clockProblems, dateProblems } from './date-problems.ts';
import { diskProblems } from './disk.ts';
import { fieldLocation } from './field-location.ts';
import { instinctProblems } from './instinct-problems.ts';
import { planeIdProblems, planeProblems } from './outward/plane-status.ts';
import { retiredModelProblems } from './retired-models.ts';
import { sourceProblems } from './source-problems.ts';
import { statusWordProblems } from './status-words.ts';
import { unheardSources } from './unheard-sources.ts';

/** Returns everything in the vault that a person should mend or know of, sorted by file and code. */
export function problemsOf(space: ModelAccess): Diagnostic[] {
  const { catalogue } = space.vault;
  const now = space.context.now();
  const found = [
    ...space.problems.records
      .at(catalogue.revision, () => recordProblems(space))
      .filter(({ from, until }) => from <= now && now < until)
      .map((one) => one.trouble),
    ...space.problems.settings,
    ...space.problems.recovery,
    ...space.context.state.troubles,
    ...space.problems.faults.values(),
    ...space.problems.outside(),
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

function recordProblems(space: IndexAccess): DatedDiagnostic[] {
  const { catalogue } = space.vault;
  const lasting = [
    ...catalogue.bad().map((record) => record.trouble),
    ...matterProblems(space),
    ...statusWordProblems(space),
    ...[...catalogue.matters(), ...catalogue.agenda.doubtful()].flatMap((note) => planeIdProblems(space, note)),
    ...gathered(catalogue.agenda.strays().flatMap((task) => taskProblem(space, task))),
    ...catalogue.unrouted().flatMap((signal) => signalProblem(space, signal)),
    ...openReversals(space.vault),
    ...instinctProblems(space.vault),
    ...unheardSources(space),
    ...refusedOrders(space.vault),
  ];
  return [...lasting.map(atAnyTime), ...dateProblems(space)];
}

function matterProblems(space: IndexAccess): Diagnostic[] {
  return space.vault.catalogue.matters().flatMap((matter) => {
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
    ];
  });
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
function openReversals(vault: Vault): Diagnostic[] {
  return vault.catalogue
    .reversals()
    .filter((reversal) => reversal.fields.outcome === 'refused' && namedEvent(vault.catalogue, reversal) === null)
    .map((reversal) =>
      diagnostic({
        code: 'reverses-nothing',
        file: reversal.path,
        message: 'The reversal names no event of this vault, so it takes nothing back.',
        hint: 'Name the event note in `reverses`, in a new reversal note, or delete this one.',
      }),
    );
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

function watcherProblem(reason: string): Diagnostic {
  return diagnostic({
    code: 'watcher',
    message: `The file watcher is in trouble (${reason}); a sweep finds changes every minute.`,
    hint: 'If the limit of inotify watches is used up, raise fs.inotify.max_user_watches.',
  });
}
