import type { Answerable } from '../../undo/order.ts';
import { StewardError } from '../../vault/errors.ts';
import type { MatterRecord } from '../../vault/index/record.ts';
import { linkTarget } from '../../vault/links.ts';
import { fold } from '../../vault/note-names.ts';
import type { Vault } from '../../vault/watch/vault.ts';

/** The event that a person means: a name, path or link, or any unambiguous part of a name. */
export function findEvent(vault: Vault, written: string): Answerable {
  const { catalogue } = vault;
  const exact = catalogue.resolve(written, ['event', 'reversal']);
  if (exact?.kind === 'event' || exact?.kind === 'reversal') return exact;
  const part = fold(linkTarget(written));
  const found = [...catalogue.events(), ...catalogue.reversals()].filter((event) => fold(event.name).includes(part));
  const [only] = found;
  if (only !== undefined && found.length === 1 && part !== '') return only;
  throw new StewardError({
    code: found.length === 0 ? 'event-unknown' : 'event-ambiguous',
    message:
      found.length === 0
        ? `No event note is named like "${written}".`
        : `"${written}" may mean ${found.length} event notes.`,
    hint:
      found.length === 0
        ? 'See `steward log` for the names.'
        : `Say more of the name: ${found
            .slice(0, 3)
            .map((event) => event.name)
            .join(', ')}${found.length > 3 ? ', …' : ''}.`,
  });
}

/** The matter that a person means, by slug, path, link or alias. */
export function findMatter(vault: Vault, written: string): MatterRecord {
  const found = vault.catalogue.resolve(written, ['matter']);
  if (found?.kind === 'matter') return found;
  throw new StewardError({
    code: 'matter-unknown',
    message: `There is no matter "${written}".`,
    hint: 'See `steward status` for the matters there are.',
  });
}
