import { readInside } from '../../vault/disk/read-inside.ts';
import { MAX_NOTE_BYTES, readNote } from '../../vault/frontmatter/parse.ts';
import type { TargetRecord } from '../../vault/index/record.ts';
import { matterFields } from '../../vault/records/matter.ts';
import { nearest } from '../../vault/records/near-name.ts';
import { taskFields } from '../../vault/records/task.ts';
import type { IndexAccess } from '../context/ports.ts';

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
