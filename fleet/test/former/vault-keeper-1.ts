// The workflow of version 1, as it was: its worker and one of today serve the same vaults during an upgrade.
import {
  condition,
  continueAsNew,
  defineSignal,
  makeContinueAsNewFunc,
  proxyActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import { MOVE, NUDGE, type Visits } from '../../src/workflow/signals.ts';

/** A run is ended after so many events, and goes on as a new one: a worker that has forgotten it reads them all again. */
const MOST_EVENTS = 250;

// Without a limit of its own: a visit waits for a host that is down. It is lost when its host no longer says that it goes on.
const { visit } = proxyActivities<Visits>({
  startToCloseTimeout: '1 day',
  heartbeatTimeout: '15 s',
  retry: { initialInterval: '1 s', backoffCoefficient: 2, maximumInterval: '5 min' },
});

/** Keeps one vault: visits it, sleeps until its host said or a nudge, and so on. Nothing of the vault is in it. */
export async function vaultKeeper(): Promise<void> {
  let isNudged = false;
  let queue = workflowInfo().taskQueue;
  setHandler(defineSignal(NUDGE), () => {
    isNudged = true;
  });
  setHandler(defineSignal<[string]>(MOVE), (to) => {
    queue = to;
  });
  const isMoved = () => queue !== workflowInfo().taskQueue;
  while (!isMoved() && workflowInfo().historyLength < MOST_EVENTS) {
    isNudged = false;
    const until = await visit();
    const isToGo = () => isNudged || isMoved();
    if (until === null) await condition(isToGo);
    else await condition(isToGo, Math.max(1, until - Date.now()));
  }
  if (isMoved()) await makeContinueAsNewFunc<typeof vaultKeeper>({ taskQueue: queue })();
  await continueAsNew<typeof vaultKeeper>();
}
