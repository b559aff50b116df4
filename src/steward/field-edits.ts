import type { RecordChange } from '../vault/cache.ts';
import type { FileStat } from '../vault/files.ts';
import { same, type Yaml, yamlValue } from '../vault/frontmatter.ts';
import { noteMoment, sha256 } from '../vault/note-text.ts';
import type { EventRecord, ReversalRecord, TargetRecord, VaultRecord } from '../vault/record.ts';
import { isStateField, ourName } from './change.ts';
import type { DecisionIndexAccess, DecisionReadAccess } from './workspace.ts';

/*
 * When the user last set a field of a matter or task by hand. News that is older doesn't change the field without asking
 * (contract, 6.32). It is seen from one record of a note to the next, also over the time that the program was away.
 */

/** The fields of a record whose values a person and a decision both set. */
const FOLLOWED = [
  ...['state', 'due', 'scheduled', 'snoozed_until', 'blocked_on', 'current_state', 'parent_matter'],
  ...['related_orgs', 'related_projects', 'related_to', 'summary', 'description', 'owner'],
] as const;

/** The records, and the texts of notes. */
type EditAccess = DecisionIndexAccess & Pick<DecisionReadAccess, 'notes'>;

/** A note's bytes and its event note are written within this time (ms). */
const TOGETHER_MS = 10_000;
/** Undos of undos are followed this far. */
const MOST_UNDOS = 20;

/** Remembers which fields of notes somebody has set between two of their records, unless the program wrote them. */
export function rememberFieldEdits(space: EditAccess, changes: readonly RecordChange[]): void {
  const { state, now } = space.context;
  let otherNames: OtherNames | null = null;
  for (const { before, after } of changes) {
    if (before?.kind !== after?.kind || (after?.kind !== 'task' && after?.kind !== 'matter') || before === null)
      continue;
    const changed = FOLLOWED.filter((field) => !same(valueIn(before, field), valueIn(after, field)));
    const at = Math.min(after.stat.mtimeMs, now());
    let byHand = withoutOwn(space, after, at, changed, [after.path]);
    if (byHand.length === 0) continue;
    otherNames ??= namesByFile(space);
    byHand = withoutOwn(space, after, at, byHand, otherNames(after));
    if (byHand.length === 0) continue;
    const known = state.get('edited');
    known[after.path] = { ...known[after.path], ...Object.fromEntries(byHand.map((field) => [field, at])) };
    state.touch('edited', after.path);
  }
}

// Returns those fields of a note that the program didn't write at this time, under any of these names of its file.
function withoutOwn(
  space: EditAccess,
  note: TargetRecord,
  at: number,
  fields: readonly string[],
  names: readonly string[],
): readonly string[] {
  const writes = fields.length === 0 ? [] : names.flatMap((path) => writesTo(space, path));
  if (writes.length === 0) return fields;
  const left = fields.filter(
    (field) => !writes.some((write) => write.fields.includes(field) && Math.abs(write.at - at) <= TOGETHER_MS),
  );
  if (left.length === 0) return left;
  // A clock may have been wrong: then the note's bytes show it, unless the user has set the field since.
  const sha = shaNow(space, note.path);
  const edits = space.context.state.get('edited')[note.path];
  return left.filter(
    (field) =>
      !writes.some((write) => write.fields.includes(field) && write.sha === sha && write.at > (edits?.[field] ?? 0)),
  );
}

/** Returns when the user last set a field of a note by hand (epoch ms); null if that isn't known. */
export function editedAt({ context }: DecisionIndexAccess, target: TargetRecord, field: string): number | null {
  return context.state.get('edited')[target.path]?.[commonName(context, field)] ?? null;
}

/** Whether an event changed a field, under whatever name the note has it: `state` is `status` in some. */
export function hasChanged({ context }: DecisionIndexAccess, event: EventRecord, field: string): boolean {
  const wanted = commonName(context, field);
  return Object.keys(event.fields.changes).some((name) => commonName(context, name) === wanted);
}

function commonName({ settings }: DecisionIndexAccess['context'], field: string): string {
  return isStateField(field) ? 'state' : ourName(field, settings.field_mapping);
}

function valueIn(record: VaultRecord, field: string): Yaml {
  const value = new Map(Object.entries(record.kind === 'bad' ? {} : record.fields)).get(field);
  return yamlValue.safeParse(value ?? null).data ?? null;
}

/** The fields that the program wrote into a note at some time (epoch ms), and the hash of the note after that. */
interface Write {
  readonly at: number;
  readonly sha: string;
  readonly fields: readonly string[];
}

// Each writing of the program leaves a record, which a sync brings along.
function writesTo({ vault: { catalogue }, context }: DecisionIndexAccess, path: string): Write[] {
  const records = catalogue.eventsAbout(path).flatMap((event) => [event, ...listUndos(catalogue, event)]);
  return records.flatMap((record) => {
    const patch = record.fields.undo_recipe?.vault_patch;
    if (patch === undefined) return [];
    const fields = Object.keys(patch.fields).map((field) => commonName(context, field));
    return [{ at: timeOf(record), sha: patch.after_sha256, fields }];
  });
}

// A note that can't be read now counts as set by hand: then news is proposed.
function shaNow({ notes }: EditAccess, path: string): string | null {
  try {
    const text = notes.text(path);
    return text === null ? null : sha256(text);
  } catch {
    return null;
  }
}

type OtherNames = (note: TargetRecord) => readonly string[];

/** Returns what finds the other paths of a note's file: a note may be a link to another one. */
function namesByFile({ vault: { catalogue } }: DecisionIndexAccess): OtherNames {
  const fileOf = ({ ino, size, mtimeMs, ctimeMs }: FileStat) => [ino, size, mtimeMs, ctimeMs].join(' ');
  const names = new Map<string, string[]>();
  for (const path of [...catalogue.pathsOf('task'), ...catalogue.pathsOf('matter')]) {
    const stat = catalogue.statOf(path);
    if (stat !== undefined) names.set(fileOf(stat), [...(names.get(fileOf(stat)) ?? []), path]);
  }
  return ({ path, stat }) => (names.get(fileOf(stat)) ?? []).filter((name) => name !== path);
}

/** Returns the reversals of an event or its answer, and those that took these back, and so on. */
export function listUndos(
  catalogue: DecisionIndexAccess['vault']['catalogue'],
  of: EventRecord | ReversalRecord,
  depth = 0,
): ReversalRecord[] {
  if (depth > MOST_UNDOS) return [];
  const undos = catalogue.answersTo(of.name).filter((answer) => answer.kind === 'reversal');
  return undos.flatMap((undo) => [undo, ...listUndos(catalogue, undo, depth + 1)]);
}

function timeOf(record: EventRecord | ReversalRecord): number {
  return noteMoment(record.name, record.kind === 'event' ? record.fields.timestamp : record.fields.settled_at);
}
