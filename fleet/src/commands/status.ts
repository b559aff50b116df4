import type { Registry } from '../host/registry.ts';
import { Standings } from '../host/standings.ts';
import { type CommandContext, EXIT, type ExitCode, type Printer, stateFolder } from '../steward.ts';
import { type Asked, withFleet } from './context.ts';

interface VaultStatus {
  readonly id: string;
  /** Null where the registry names none that can be read. */
  readonly path: string | null;
  /** Whether the engine has it kept on this host. */
  readonly is_kept: boolean;
  readonly visited_at: string | null;
  /** Until when it sleeps; null: until something changes, or it was never visited. */
  readonly until: string | null;
  /** Why its last visit came to nothing; null where it did not. */
  readonly code: string | null;
}

interface FleetStatus {
  readonly host: string;
  /** Whether a `steward-fleet host` asks for its work. */
  readonly is_served: boolean;
  readonly vaults: readonly VaultStatus[];
  /** Vaults that the engine has on this host's queue, and that are not known to lie here. */
  readonly unknown: readonly string[];
}

/** `steward-fleet status`: the vaults of this host, and how their last visits left them. */
export async function status(asked: Asked, context: CommandContext): Promise<ExitCode> {
  const standings = new Standings(stateFolder(context.env));
  const found = await withFleet(asked, context, async ({ registry, keepers }): Promise<FleetStatus> => {
    const kept = await keepers.keptOn(registry.host);
    const ids = registry.ids();
    return {
      host: registry.host,
      is_served: await keepers.isServed(registry.host),
      vaults: ids.map((id) => vaultStatus(id, registry, standings, kept)),
      unknown: [...kept].filter((id) => !ids.includes(id)).sort(),
    };
  });
  if (asked.json) context.out.json(found);
  else printStatus(context.out, found);
  return EXIT.done;
}

function vaultStatus(id: string, registry: Registry, standings: Standings, kept: ReadonlySet<string>): VaultStatus {
  const left = standings.get(id);
  return {
    id,
    path: registry.pathOf(id),
    is_kept: kept.has(id),
    visited_at: left === null ? null : new Date(left.at).toISOString(),
    until: left?.until == null ? null : new Date(left.until).toISOString(),
    code: left?.code ?? null,
  };
}

function printStatus(out: Printer, { host, is_served, vaults, unknown }: FleetStatus): void {
  out.plain(`${host}  ${is_served ? 'served' : 'not served: start `steward-fleet host`'}`);
  out.rows(vaults.map((vault) => [vault.id, sleepOf(vault), vault.path ?? '']));
  for (const id of unknown) out.plain(`  ${id}  kept on this host, and not known to lie here: add it, or drain it`);
}

function sleepOf({ is_kept, visited_at, until, code }: VaultStatus): string {
  if (!is_kept) return 'not kept';
  if (visited_at === null) return 'not visited yet';
  const sleeps = until === null ? 'sleeps until something changes' : `sleeps until ${until}`;
  return code === null ? sleeps : `${code}: tried again at ${until}`;
}
