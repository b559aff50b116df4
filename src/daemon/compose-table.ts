import { type Publishing, replaceBy, type TableGround, type TablePlace } from '../roundtable/place.ts';
import { UNKNOWN_SETTINGS } from '../steward/settings.ts';
import { StewardError } from '../vault/errors.ts';
import { Journal } from '../vault/journal.ts';
import { Layout, ownPlaces } from '../vault/layout.ts';
import { DisplacedFiles, type KeptBytes, Publisher } from '../vault/publish.ts';
import { HeldUp, OwnWrites, Recovery, Transactions } from '../vault/transaction.ts';
import { exchangeFor, systemOnce } from './compose.ts';
import { type Environment, keepIdentity, vaultSeal } from './environment.ts';
import { prepare, realRoot } from './lease.ts';
import { withLockedState } from './locked-state.ts';
import { readSettings } from './settings.ts';

interface TableParts {
  readonly root: string;
  readonly env: Environment;
  readonly now: () => number;
  readonly budget: TableGround['budget'];
}

/**
 * Returns the ground of a roundtable if no daemon runs: the vault is not read and its lock stays free. So a daemon or
 * another command may have it in the meantime. Throws `vault-away`, and what the disk refuses of the settings (75).
 */
export function composeTable({ root: given, env, now, budget }: TableParts): TableGround {
  const root = realRoot(given);
  prepare(ownPlaces(root));
  const { settings, unread } = readSettings(root, UNKNOWN_SETTINGS);
  if (unread !== null) throw unread;
  const { seal, id } = vaultSeal(env, ownPlaces(root).state, true);
  keepIdentity(ownPlaces(root).state, id);
  const layout = new Layout(settings.folders, settings.matter_notes);
  const publishing = (place: TablePlace) => publishingAt({ root, env, now, layout, seal }, place);
  return { root, home: layout.folders.roundtable, env, settings, seal, now, budget, publishing };
}

interface PublishingParts extends Pick<TableGround, 'root' | 'env' | 'now' | 'seal'> {
  readonly layout: Layout;
}

/**
 * Publishes by the same transactions as notes are, journalled in the place of the table: what a kill left there is put
 * in order first. A displaced file that somebody typed into is listed in the vault's state as soon as that is free. If
 * a daemon has the state, it finds the file by the list of those that were displaced.
 */
function publishingAt({ root, env, now, layout, seal }: PublishingParts, place: TablePlace): Publishing {
  const { places } = place;
  const kept: KeptBytes[] = [];
  const list = {
    get: () => kept,
    set: (lines: KeptBytes[]) => void kept.splice(0, kept.length, ...lines),
    save: () => {},
  };
  const system = systemOnce();
  const demand = () => place.demand();
  const displaced = new DisplacedFiles({ root, history: places.history, kept: list, demand, now, system });
  let exchange: { readonly found: ReturnType<typeof exchangeFor> } | null = null;
  const journal = new Journal(places.journal, seal, demand);
  const transactions = new Transactions({
    vault: { root, layout, tmp: places.tmp, count: () => 0, named: () => [], look: () => {}, sweep: () => {} },
    journal,
    publisher: new Publisher({
      root,
      tmp: places.tmp,
      history: places.history,
      withdrawn: (note, file, sha) => displaced.keepWatch(note, file, sha),
      get exchange() {
        exchange ??= { found: exchangeFor(places.tmp) };
        return exchange.found;
      },
    }),
    displaced,
    own: new OwnWrites(),
    demand,
    heldUp: new HeldUp(),
    listener: () => {},
    system,
    now,
  });
  const recovery = new Recovery({ transactions, journal, displaced, places, now });
  if (recovery.isPending) recovery.run();
  return {
    replace: replaceBy(transactions, now),
    demand,
    async close() {
      displaced.close();
      if (kept.length > 0) await listKept({ root, env, memories: env.lockMemories, now }, kept);
    },
  };
}

// A daemon that has the vault now looks at all displaced files itself, and lists these.
async function listKept(vault: Parameters<typeof withLockedState>[0], kept: readonly KeptBytes[]): Promise<void> {
  try {
    await withLockedState(vault, ({ state }) => {
      const listed = state.get('kept');
      const more = kept.filter(({ file }) => listed.every((one) => one.file !== file));
      state.set('kept', [...listed, ...more]);
      state.save('kept');
    });
  } catch (error) {
    if (!(error instanceof StewardError)) throw error;
  }
}
