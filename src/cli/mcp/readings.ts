import { explain } from '../../daemon/explain/explain.ts';
import { waitingText } from '../../steward/attention/kinds.ts';
import { iso } from '../../vault/time.ts';
import { actingEnvironment, readVault } from '../base/read-vault.ts';
import { newestEvents } from '../commands/log.ts';
import { statusNow } from '../commands/status.ts';
import { printWaiting } from '../print/attention/print-waiting.ts';
import { printPersonAlone } from '../print/errors/unexpected.ts';
import { local } from '../print/plain-text.ts';
import { printExplanation } from '../print/print-explanation.ts';
import { printLog } from '../print/print-log.ts';
import { printStatus } from '../print/print-status.ts';
import { withShortLists } from './lists.ts';
import { printed } from './printed.ts';
import type { Told } from './results.ts';
import { demandPresent, type Served } from './served.ts';

/** How many entries of each list a client is given. */
const MOST_ENTRIES = 100;

/** Returns how things stand; where the vault is away, how they last stood. */
export async function statusTold({ root, context }: Served): Promise<Told> {
  const status = await statusNow(root, context);
  return { text: printed((out) => printStatus(out, status)), json: withShortLists(status, MOST_ENTRIES) };
}

/** Returns what waits for the person. Throws `vault-away`. */
export async function inboxTold(served: Served): Promise<Told> {
  demandPresent(served);
  const { waiting } = await statusNow(served.root, served.context);
  const text = printed((out) => {
    out.line(waitingText(waiting));
    printWaiting(out, waiting.slice(0, MOST_ENTRIES));
    if (waiting.length > 0) printPersonAlone(out);
  });
  return { text, json: withShortLists({ schemaVersion: 1, waiting }, MOST_ENTRIES) };
}

/** Returns why the program did what it did about a note. Throws `note-unknown` and `vault-away`. */
export async function explanationTold(served: Served, note: string): Promise<Told> {
  demandPresent(served);
  const { root, context } = served;
  const space = await readVault(context, root, await actingEnvironment(context, root));
  const forPeople = await explain(space, note, (ms) => local(iso(ms)));
  const text = printed((out) => printExplanation(out, forPeople));
  return { text, json: withShortLists(await explain(space, note), MOST_ENTRIES) };
}

/** Returns the newest entries of the audit trail. Throws `matter-unknown` and `vault-away`. */
export async function logTold(served: Served, count: number, matter: string | null): Promise<Told> {
  demandPresent(served);
  const events = await newestEvents(served.context, served.root, count, matter);
  return { text: printed((out) => printLog(out, events)), json: { schemaVersion: 1, events } };
}
