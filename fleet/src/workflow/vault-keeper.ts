import {
  allHandlersFinished,
  condition,
  continueAsNew,
  defineSignal,
  defineUpdate,
  makeContinueAsNewFunc,
  patched,
  proxyActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import { MOVE, NUDGE, VISIT_NOW, type VisitAnswer, type Visited, type Visits } from './signals.ts';

/** A run is ended after so many events, and goes on as a new one: a worker that has forgotten it reads them all again. */
const MOST_EVENTS = 250;

// Without a limit of its own: a visit waits for a host that is down. It is lost when its host no longer says that it goes on.
const { visit, visitVault } = proxyActivities<Visits>({
  startToCloseTimeout: '1 day',
  heartbeatTimeout: '15 s',
  retry: { initialInterval: '1 s', backoffCoefficient: 2, maximumInterval: '5 min' },
});

/** Keeps one vault: visits it, rests for as long as its host said or until a nudge, and so on. Nothing of the vault is in it. */
export async function vaultKeeper(): Promise<void> {
  const visitOnce = patched('rest-in-ms') ? visitVault : visitByClock;
  let isNudged = false;
  let begun = 0;
  let last: { readonly nth: number; readonly code: string | null } = { nth: 0, code: null };
  let queue = workflowInfo().taskQueue;
  const isMoved = () => queue !== workflowInfo().taskQueue;
  setHandler(defineSignal(NUDGE), () => {
    isNudged = true;
  });
  setHandler(defineSignal<[string]>(MOVE), (to) => {
    queue = to;
  });
  setHandler(defineUpdate<VisitAnswer>(VISIT_NOW), async () => {
    isNudged = true;
    const nth = begun + 1;
    await condition(() => last.nth >= nth || isMoved());
    return last.nth >= nth ? { code: last.code } : 'moved';
  });
  // Who waits for a visit gets an answer from this run.
  const isToEnd = () => isMoved() || (workflowInfo().historyLength >= MOST_EVENTS && allHandlersFinished());
  while (!isToEnd()) {
    isNudged = false;
    begun += 1;
    const { restMs, code } = await visitOnce();
    last = { nth: begun, code };
    const isToGo = () => isNudged || isMoved();
    if (restMs === null) await condition(isToGo);
    else await condition(isToGo, Math.max(1, restMs));
  }
  await condition(allHandlersFinished);
  if (isMoved()) await makeContinueAsNewFunc<typeof vaultKeeper>({ taskQueue: queue })();
  await continueAsNew<typeof vaultKeeper>();
}

// Runs that began before durations were used.
async function visitByClock(): Promise<Visited> {
  const until = await visit();
  return { restMs: until === null ? null : until - Date.now(), code: null };
}
