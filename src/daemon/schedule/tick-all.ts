import type { Mode } from '../../steward/gates/gate.ts';
import { inSlices, Turns } from '../../vault/disk/slices.ts';
import { inPathOrder, type MatterRecord } from '../../vault/index/record.ts';
import type { Vault } from '../../vault/watch/vault.ts';
import { findMatter } from '../answers/find-note.ts';
import { askChoice } from '../attention/ask-choice.ts';
import { eventTarget } from '../context/event-target.ts';
import type { Workspace } from '../context/ports.ts';
import { routeSignal } from '../decide/weigh.ts';
import { AWAY_MS, learningOutcomes } from '../outcomes/learn-all.ts';
import { putFindings } from '../perception/put.ts';
import { type TickOrder, type TickResult, tick } from './tick.ts';

/** What `steward tick` asks for. All matters where none is named. */
export interface TickRequest {
  readonly matters: readonly string[];
  readonly force: boolean;
  readonly mode: Mode | null;
}

/**
 * Acts on strong signals, then ticks each matter (contract, section 16). Returns a result for each matter, in order.
 * Throws `matter-unknown`.
 */
export async function tickAll(space: Workspace, request: TickRequest, abort: AbortSignal): Promise<TickResult[]> {
  const matters =
    request.matters.length === 0
      ? (await inSlices(livingMatters(space.vault))).sort(inPathOrder)
      : request.matters.map((name) => findMatter(space.vault, name));
  const turns = new Turns();
  await inSlices(learningOutcomes(space, space.context.now() - AWAY_MS));
  for (const signal of space.vault.catalogue.waiting('signal')) {
    askChoice(space, signal);
    await turns.giveWay();
  }
  const routed = await routeFor(space, matters, request);
  const order: TickOrder = { force: request.force, mode: request.mode, abort, at: space.context.now() };
  const results: TickResult[] = [];
  for (const matter of matters) {
    const result = await tick(space, matter, order);
    const events = [...(routed.get(matter.path) ?? []), ...result.events];
    results.push({ ...result, events, heard: result.heard || routed.has(matter.path) });
    await turns.giveWay();
  }
  return withFound(space, results, await putFindings(space, true, abort));
}

// What is put to the person stands with the matter that it is about; of others, nothing was asked.
function withFound(space: Workspace, results: readonly TickResult[], found: readonly string[]): TickResult[] {
  const { catalogue } = space.vault;
  const matterOf = (path: string) => {
    const event = catalogue.get(path);
    const target = event?.kind === 'event' ? eventTarget(space.vault, event) : null;
    return target?.kind === 'task' ? catalogue.matterOf(target)?.path : target?.path;
  };
  return results.map((result) => ({
    ...result,
    events: [...result.events, ...found.filter((path) => matterOf(path) === result.matter)],
  }));
}

async function routeFor(
  space: Workspace,
  matters: readonly MatterRecord[],
  request: TickRequest,
): Promise<Map<string, string[]>> {
  const routed = new Map<string, string[]>();
  const turns = new Turns();
  for (const matter of matters) {
    await turns.giveWay();
    const targets = [matter, ...space.vault.catalogue.tasksOf(matter)];
    for (const signal of targets.flatMap((target) => space.vault.catalogue.signalsFor(target))) {
      const decided = await routeSignal(space, signal, request.mode);
      if (decided !== null && 'event' in decided) {
        routed.set(matter.path, [...(routed.get(matter.path) ?? []), decided.event]);
      }
    }
  }
  return routed;
}

function* livingMatters({ catalogue }: Vault): Generator<void, MatterRecord[]> {
  const living: MatterRecord[] = [];
  for (const matter of catalogue.each('matter')) {
    const { state, steward } = matter.fields;
    const isLiving = state !== 'done' && state !== 'archived' && steward;
    if (isLiving && catalogue.namesakes(matter).length === 0) living.push(matter);
    yield;
  }
  return living;
}
