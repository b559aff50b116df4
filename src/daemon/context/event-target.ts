import type { Answerable } from '../../undo/order.ts';
import type { EventRecord, TargetRecord } from '../../vault/index/record.ts';
import type { Vault } from '../../vault/watch/vault.ts';

/** Returns the current vault-relative path of the note that an event is about; null where the event names none. */
export function targetPath({ catalogue }: Vault, event: Answerable): string | null {
  const path =
    event.kind === 'event' ? event.fields.target_path : (event.fields.undo_recipe?.vault_patch.target ?? null);
  return path === null ? null : catalogue.currentPath(path);
}

/** Returns the matter or task that an event is about; null where there is none, or none any more. */
export function eventTarget(vault: Vault, event: EventRecord): TargetRecord | null {
  const path = targetPath(vault, event);
  const record = path === null ? undefined : vault.catalogue.get(path);
  return record?.kind === 'task' || record?.kind === 'matter' ? record : null;
}
