import { setTimeout as wait } from 'node:timers/promises';
import { type Proposed, propose } from '../../daemon/agents/propose.ts';
import type { AgentProposal } from '../../stream/agents/proposal.ts';
import { StewardError } from '../../vault/errors.ts';
import { iso } from '../../vault/time.ts';
import { handOver } from '../base/hand-over.ts';
import type { Printer } from '../print/printer.ts';
import { printed } from './printed.ts';
import type { Told } from './results.ts';
import { demandPresent, type Served } from './served.ts';

/** How long a client waits for a note that is being edited, or for a vault that another command has. */
const PATIENCE_MS = 15_000;
const AGAIN_MS = 200;
const MAY_PASS = ['vault-locked', 'daemon-stalled'];

/**
 * Hands in what an agent proposes, to the running daemon or under the lock, and waits a little until it is looked at. The same
 * order again is one, so it may be handed in until it is. Throws what `propose` throws.
 */
export async function handedIn(served: Served, order: AgentProposal, abort: AbortSignal): Promise<Told> {
  demandPresent(served);
  const until = Date.now() + PATIENCE_MS;
  let known: boolean | null = null;
  for (;;) {
    const found = await once(served, order);
    known ??= found?.known ?? null; // what it is by the second try says nothing of before this call
    const next = found === null ? Date.now() + AGAIN_MS : found.again;
    const isOver = next === null || next > until || abort.aborted;
    if (found !== null && isOver) return toldOf({ ...found, known: known ?? found.known });
    if (found === null && isOver) throw busy();
    await wait(Math.max(AGAIN_MS, (next ?? 0) - Date.now()), undefined, { signal: abort }).catch(() => {});
  }
}

// Null: somebody else has the vault for a moment.
async function once({ context, root }: Served, order: AgentProposal): Promise<Proposed | null> {
  try {
    return await handOver(context, root, { op: 'propose', ...order }, (space) => propose(space, order));
  } catch (error) {
    if (error instanceof StewardError && MAY_PASS.includes(error.trouble.code)) return null;
    throw error;
  }
}

function toldOf(proposed: Proposed): Told {
  const { again, ...rest } = proposed;
  const json = { schemaVersion: 1, ...rest, again: again === null ? null : iso(again) };
  return { json, text: printed((out) => print(out, proposed)) };
}

function print(out: Printer, { target, change, event, heldBy, reason }: Proposed): void {
  out.plain(`${target}  ${change ?? ''}`);
  out.plain(reason);
  for (const { gate, reason: why } of heldBy) out.plain(`  ${gate}: ${why}`);
  if (event !== null) out.plain(`  ${event}`);
}

function busy(): StewardError {
  const message = 'Another program has the vault just now.';
  return new StewardError({ code: 'vault-busy', message, hint: 'Propose the same again in a moment: it counts once.' });
}
