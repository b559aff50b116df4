import type { Answerable } from '../../undo/order.ts';
import { StewardError } from '../../vault/errors.ts';
import type { Catalogue } from '../../vault/index/catalogue.ts';
import type { MatterRecord, VaultRecord } from '../../vault/index/record.ts';
import { linkTarget } from '../../vault/links.ts';
import { fold, stem } from '../../vault/note-names.ts';
import type { Vault } from '../../vault/watch/vault.ts';
import { targetPath } from '../context/event-target.ts';

/**
 * Returns the event that a person means: a name, path or link, or any unambiguous part of a name. Where several end as it is
 * written, as with the name of the note that they are about, the only one to which what is asked for can be done (`fits`).
 * Throws `event-unknown` and `event-ambiguous`.
 */
export function findEvent(vault: Vault, written: string, fits: (event: Answerable) => boolean): Answerable {
  const { catalogue } = vault;
  const exact = catalogue.resolve(written, ['event', 'reversal']);
  if (exact?.kind === 'event' || exact?.kind === 'reversal') return exact;
  const part = fold(linkTarget(written));
  const found = [...catalogue.pathsOf('event'), ...catalogue.pathsOf('reversal')]
    .filter((path) => fold(stem(path)).includes(part))
    .flatMap((path) => catalogue.get(path) ?? [])
    .filter((record) => record.kind === 'event' || record.kind === 'reversal');
  const fitting = part === '' ? [] : found.filter(({ path }) => fold(stem(path)).endsWith(`-${part}`)).filter(fits);
  const [only] = found.length === 1 && part !== '' ? found : fitting;
  if (only !== undefined && (found.length === 1 || fitting.length === 1)) return only;
  throw notOne(written, found, fitting);
}

function notOne(written: string, found: readonly Answerable[], fitting: readonly Answerable[]): StewardError {
  const meant = fitting.length > 0 ? fitting : found;
  return new StewardError({
    code: found.length === 0 ? 'event-unknown' : 'event-ambiguous',
    message:
      found.length === 0
        ? `No event note is named like "${written}".`
        : `"${written}" may mean ${meant.length} event notes.`,
    hint:
      found.length === 0
        ? 'See `steward log` for the names.'
        : `Say more of the name: ${meant
            .slice(0, 3)
            .map((event) => event.name)
            .join(', ')}${meant.length > 3 ? ', …' : ''}.`,
  });
}

/** Returns the matter that a person means, by slug, path, link or alias. Throws `matter-unknown`. */
export function findMatter(vault: Vault, written: string): MatterRecord {
  const found = vault.catalogue.resolve(written, ['matter']);
  if (found?.kind === 'matter') return found;
  throw new StewardError({
    code: 'matter-unknown',
    message: `There is no matter "${written}".`,
    hint: 'See `steward status` for the matters there are.',
  });
}

/**
 * Returns a test for whether an event is about a matter or one of its tasks. Every event passes where `written` is
 * null. Throws `matter-unknown`.
 */
export function aboutMatter(vault: Vault, written: string | null): (event: Answerable) => boolean {
  if (written === null) return () => true;
  const matter = findMatter(vault, written);
  const paths = new Set([matter.path, ...vault.catalogue.tasksOf(matter).map((task) => task.path)]);
  return (event) => paths.has(targetPath(vault, event) ?? '');
}

/**
 * Returns the record that a dropped file is about: the one its link names, or else the one that the tail of its own
 * name names, after one of the `verbs`. Null where there is no such record.
 */
export function recordMeant(
  catalogue: Catalogue,
  link: string | null,
  name: string,
  verbs: readonly string[],
): VaultRecord | null {
  const written = link ?? nameTail(name, verbs);
  return written === null ? null : catalogue.resolve(written, ['event', 'reversal']);
}

function nameTail(name: string, verbs: readonly string[]): string | null {
  const tail = new RegExp(`^(steward-action|signal-action)-(?:${verbs.join('|')})-(.+)$`, 'i').exec(name);
  return tail === null ? null : `${tail[1]}-${tail[2]}`;
}
