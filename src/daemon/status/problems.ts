import { ownPlacesRefusal } from '../../vault/disk/own-places.ts';
import { type Diagnostic, diagnostic } from '../../vault/errors.ts';
import type { Vault } from '../../vault/watch/vault.ts';
import type { IndexAccess, ModelAccess } from '../context/ports.ts';
import { evaluatorProblems } from '../decide/evaluator-choice.ts';
import { faultProblems } from '../faults/fault-problems.ts';
import { clockProblems } from './date-problems.ts';
import { diskProblems } from './disk.ts';
import { planeProblems } from './outward/plane-status.ts';
import { recordProblems } from './record-problems.ts';
import { retiredModelProblems } from './retired-models.ts';
import { sourceProblems } from './source-problems.ts';

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
