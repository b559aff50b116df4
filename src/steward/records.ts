import { byPath, type Catalogue } from '../vault/index.ts';
import { nameKey } from '../vault/links.ts';
import type { EventRecord, ReversalRecord, SignalRecord, TargetRecord } from '../vault/record.ts';
import { isAnswerable, isOwn, isOwnSignal } from '../vault/seal.ts';
import type { Vault } from '../vault/vault.ts';
import type { Answerable, Records, Seals } from './types.ts';

type Space = Records & Seals;
type Note = SignalRecord | EventRecord | ReversalRecord;

/** Whether the program itself wrote a signal, an event or a reversal, as its note is now. A second copy is not its own. */
export function isOwnNote(space: Space, record: Note): boolean {
  const { seal } = space.context;
  const isSealed = (one: Note) => (one.kind === 'signal' ? isOwnSignal(seal, one) : isOwn(seal, one));
  return isSealed(record) && !isCopy(space, record, isSealed);
}

/**
 * Whether an event or a reversal counts: the program wrote it or carried it out, or found it when it first met the
 * vault. Notes of other authors only claim to decide, answer or take back.
 */
export function isKnownNote(space: Space, record: EventRecord | ReversalRecord): boolean {
  const isMarked = (one: Note) => one.kind !== 'signal' && isAnswerable(space.context.seal, one);
  return isMarked(record) && !isCopy(space, record, isMarked);
}

// A copy in another folder is no second note: of one name, only the first of its kind counts. A note without the mark
// takes no other note's place.
function isCopy({ vault }: Records, record: Note, isMarked: (other: Note) => boolean): boolean {
  return vault.catalogue.named(record.name).some((other) => {
    if (other.kind !== record.kind || other.path === record.path) return false;
    return byPath(other, record) < 0 && isMarked(other);
  });
}

/**
 * Returns the event notes of another machine about a signal that an event is based on: before a sync has brought the one
 * to the other, two machines may do or ask the same. Anybody who shares the vault can write such a note.
 */
export function eventsElsewhere(space: Space, event: EventRecord): EventRecord[] {
  const { vault } = space;
  const target = targetPath(vault, event);
  return event.fields.signals
    .flatMap((link) => vault.catalogue.eventsOfSignal(nameKey(link)))
    .filter((other) => other.path !== event.path && targetPath(vault, other) === target)
    .filter((other) => other.fields.dismisses === null && !isOwnNote(space, other));
}

/**
 * Returns the field by which tables put an event under its matter. It links to the matter of the note at `path`, or to
 * the note itself if it is a matter. Empty without a matter.
 */
export function matterField(
  { catalogue }: { readonly catalogue: Catalogue },
  path: string | null,
): { readonly matter?: string } {
  const note = path === null ? undefined : catalogue.get(catalogue.currentPath(path));
  const matter = note?.kind === 'task' ? catalogue.matterOf(note) : note;
  return matter?.kind === 'matter' ? { matter: catalogue.linkTo(matter.path) } : {};
}

/** Returns the path of the note that an event changed or would change, or null if the event doesn't name any. */
export function answeredTarget(event: Answerable): string | null {
  if (event.kind === 'event') return event.fields.target_path;
  return event.fields.undo_recipe?.vault_patch.target || null;
}

/** Returns the current vault-relative path of the note that an event is about; null if the event doesn't name any. */
export function targetPath({ catalogue }: Pick<Vault, 'catalogue'>, event: Answerable): string | null {
  const path = event.kind === 'event' ? event.fields.target_path : event.fields.undo_recipe?.vault_patch.target || null;
  return path === null ? null : catalogue.currentPath(path);
}

/** Returns the matter or task that an event is about; null if there isn't one, or it no longer exists. */
export function eventTarget(vault: Vault, event: EventRecord): TargetRecord | null {
  const path = targetPath(vault, event);
  const record = path === null ? undefined : vault.catalogue.get(path);
  return record?.kind === 'task' || record?.kind === 'matter' ? record : null;
}
