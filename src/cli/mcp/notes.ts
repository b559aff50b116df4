import type { Workspace } from '../../daemon/context/ports.ts';
import { StewardError } from '../../vault/errors.ts';
import type { VaultRecord } from '../../vault/index/record.ts';
import { readVault } from '../base/read-vault.ts';
import { printed, shortened } from './printed.ts';
import type { Told } from './results.ts';
import { demandPresent, type Served } from './served.ts';

/** How many tasks of a matter are named. */
const MOST_TASKS = 200;

/** Returns an event note as it is. Throws `note-unknown` and `vault-away`. */
export async function eventText(served: Served, name: string): Promise<string> {
  const { space, record } = await recordNamed(served, name, ['event', 'reversal']);
  const text = space.notes.text(record.path);
  if (text === null) throw unknown();
  return shortened(text);
}

/**
 * Returns the fields of a task or matter, and of a matter the names of its tasks; not the text, which is the person's own.
 * Throws `note-unknown` and `vault-away`.
 */
export async function fieldsTold(served: Served, name: string): Promise<Told> {
  const { space, record } = await recordNamed(served, name, ['task', 'matter']);
  const note = space.notes.fresh(record.path);
  if (note === null) throw unknown();
  const tasks = record.kind === 'matter' ? space.vault.catalogue.tasksOf(record) : [];
  const named = tasks
    .slice(0, MOST_TASKS)
    .map(({ name: task, fields: { state, due } }) => ({ name: task, state, due }));
  const json = { schemaVersion: 1, note: record.path, kind: record.kind, fields: note.data, tasks: named };
  const text = printed((out) => {
    out.plain(record.path);
    for (const [field, value] of Object.entries(note.data)) out.plain(`  ${field}: ${JSON.stringify(value)}`);
    if (named.length > 0) out.line('Tasks');
    out.rows(named.map(({ name: task, state, due }) => [task, state, due ?? '']));
  });
  return { text, json };
}

// What is named is looked for among the records, which are notes in their folders: no path is ever built of it.
async function recordNamed(
  served: Served,
  name: string,
  kinds: readonly VaultRecord['kind'][],
): Promise<{ space: Workspace; record: VaultRecord }> {
  demandPresent(served);
  const space = await readVault(served.context, served.root);
  const record = space.vault.catalogue.resolve(name, kinds);
  if (record === null || !kinds.includes(record.kind)) throw unknown();
  return { space, record };
}

function unknown(): StewardError {
  return new StewardError({
    code: 'note-unknown',
    message: 'There is no such note here.',
    hint: 'The tools log and status name the notes there are.',
  });
}
