import { connectClient, engineAccess } from '../engine/engine.ts';
import { Keepers } from '../engine/keepers.ts';
import { Registry } from '../host/registry.ts';
import { type CommandContext, stateFolder } from '../steward.ts';

/** The words of a command line behind the name of the command. */
export interface Asked {
  readonly words: readonly string[];
  readonly address?: string | undefined;
  readonly json: boolean;
  readonly take: boolean;
  readonly adopt: boolean;
  readonly all: boolean;
  readonly to?: string | undefined;
  readonly vaults: readonly string[];
  readonly visits?: string | undefined;
  readonly lease?: string | undefined;
  readonly slack?: string | undefined;
  readonly metrics?: string | undefined;
  readonly log?: string | undefined;
  readonly logLevel?: string | undefined;
}

/** What a command speaks to. */
export interface Fleet {
  readonly registry: Registry;
  readonly keepers: Keepers;
}

/** Runs `work` with the registry of this host and a connection to the engine, which it closes. Throws `engine-away` (75). */
export async function withFleet<Result>(
  asked: Asked,
  { env }: CommandContext,
  work: (fleet: Fleet) => Promise<Result>,
): Promise<Result> {
  const registry = new Registry(stateFolder(env));
  const client = await connectClient(engineAccess(env, asked.address), registry.host);
  try {
    return await work({ registry, keepers: new Keepers(client) });
  } finally {
    await client.connection.close();
  }
}

/** Does the work for each item, eight at once, and returns what comes of each, in their order. */
export async function forEach<Item, Result>(
  items: readonly Item[],
  work: (item: Item, nth: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const left = items.entries();
  const lane = async () => {
    for (const [nth, item] of left) results[nth] = await work(item, nth);
  };
  await Promise.all(Array.from({ length: 8 }, lane));
  return results;
}
