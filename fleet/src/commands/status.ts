import type { Keepers } from '../engine/keepers.ts';
import { isOverdue } from '../host/reconciler.ts';
import type { Registry } from '../host/registry.ts';
import { Standings } from '../host/standings.ts';
import { tenantBudget } from '../several/shared-budget.ts';
import { type CommandContext, EXIT, type ExitCode, type Printer, type SharedBudget, stateFolder } from '../steward.ts';
import { type Asked, forEach, withFleet } from './context.ts';

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
  /** Whether its visit is over a minute late. */
  readonly is_overdue: boolean;
}

/** A host that has vaults and doesn't ask for work. */
interface UnservedHost {
  readonly host: string;
  readonly vaults: readonly string[];
}

interface FleetStatus {
  readonly host: string;
  /** Whether a `steward-fleet host` asks for its work. */
  readonly is_served: boolean;
  readonly vaults: readonly VaultStatus[];
  /** Vaults that the engine has on this host's queue, and that are not known to lie here. */
  readonly unknown: readonly string[];
  /** With `--all`: the hosts of the fleet that don't ask for work, with their vaults; else null. */
  readonly unserved: readonly UnservedHost[] | null;
  /** What the models of all vaults of this host took in 24 hours; null if the environment sets no limit. */
  readonly budget: ReturnType<SharedBudget['spent']> | null;
}

/** `steward-fleet status`: the vaults of this host, and how their last visits left them. `--all`: vaults of hosts that don't run, too. */
export async function status(asked: Asked, context: CommandContext): Promise<ExitCode> {
  const state = stateFolder(context.env);
  const standings = new Standings(state);
  const budget = tenantBudget(context.env, state, (trouble) => context.err.trouble(trouble));
  const found = await withFleet(asked, context, async ({ registry, keepers }): Promise<FleetStatus> => {
    const kept = await keepers.keptOn(registry.host);
    const ids = registry.ids();
    return {
      host: registry.host,
      is_served: await keepers.isServed(registry.host),
      vaults: ids.map((id) => vaultStatus(id, registry, standings, kept)),
      unknown: [...kept].filter((id) => !ids.includes(id)).sort(),
      unserved: asked.all ? await unservedHosts(keepers) : null,
      budget: budget?.spent(Date.now()) ?? null,
    };
  });
  if (asked.json) context.out.json(found);
  else printStatus(context.out, found);
  return EXIT.done;
}

async function unservedHosts(keepers: Keepers): Promise<UnservedHost[]> {
  const hosts = [...(await keepers.keptByHosts())];
  const served = await forEach(hosts, ([host]) => keepers.isServed(host));
  return hosts.filter((_, nth) => served[nth] !== true).map(([host, vaults]) => ({ host, vaults: vaults.sort() }));
}

function vaultStatus(id: string, registry: Registry, standings: Standings, kept: ReadonlySet<string>): VaultStatus {
  const left = standings.get(id);
  return {
    id,
    path: registry.readablePathOf(id),
    is_kept: kept.has(id),
    visited_at: left === null ? null : new Date(left.at).toISOString(),
    until: left?.until == null ? null : new Date(left.until).toISOString(),
    code: left?.code ?? null,
    is_overdue: isOverdue(id, { registry, standings, now: Date.now }),
  };
}

function printStatus(out: Printer, { host, is_served, vaults, unknown, unserved, budget }: FleetStatus): void {
  out.plain(`${host}  ${is_served ? 'served' : 'not served: start `steward-fleet host`'}`);
  if (budget !== null) out.plain(`  models, last 24 h: ${spentWords(budget)}`);
  out.rows(vaults.map((vault) => [vault.id, sleepOf(vault), vault.path ?? '']));
  for (const id of unknown) out.plain(`  ${id}  kept on this host, which doesn’t know its folder: add it, or drain it`);
  for (const { host: other, vaults: ids } of unserved ?? [])
    out.plain(`${other}  not served: start \`steward-fleet host\` there, or take its vaults: ${ids.join(' ')}`);
}

function spentWords({ usd, tokens, caps }: NonNullable<FleetStatus['budget']>): string {
  const words = [
    ...(caps.usd === null ? [] : [`${usd.toFixed(2)} of ${caps.usd} USD`]),
    ...(caps.tokens === null ? [] : [`${tokens} of ${caps.tokens} tokens`]),
  ];
  return words.join(', ');
}

function sleepOf({ is_kept, visited_at, until, code, is_overdue }: VaultStatus): string {
  if (!is_kept) return 'not kept';
  if (is_overdue) return `overdue since ${until ?? 'it was added'}${code === null ? '' : `: ${code}`}`;
  if (visited_at === null) return 'not visited yet';
  const sleeps = until === null ? 'sleeps until something changes' : `sleeps until ${until}`;
  return code === null ? sleeps : `${code}: tried again at ${until}`;
}
