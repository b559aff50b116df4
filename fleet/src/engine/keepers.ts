import { setTimeout as pause } from 'node:timers/promises';
import {
  type Client,
  isGrpcServiceError,
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client';
import { newId } from '../ids.ts';
import { KEEPER, MOVE, NUDGE, VISIT_NOW, type VisitAnswer } from '../workflow/signals.ts';

/** What came of a visit that was asked for. */
type VisitResult = { readonly code: string | null } | 'not-kept' | 'no-visit';

/** What the engine knows of one vault: on whose queue it is, or null where nobody keeps it. */
type KeptBy = string | null;

interface Start {
  /** Whether it is taken from another host, which is lost. */
  readonly isTaken?: boolean;
  /** How long (ms) its first visit is put off; a nudge does not wait for that. */
  readonly delayMs?: number;
}

/** The workflows of the fleet, one for each vault, as commands and hosts speak to them. */
export class Keepers {
  readonly #client: Client;
  /** By how much (ms) the engine's clock is ahead of this machine's; null until it is needed. */
  #aheadMs: number | null = null;

  constructor(client: Client) {
    this.#client = client;
  }

  /**
   * Has a vault kept by a host. Returns who keeps it then: that host, or another that keeps it already, which goes on
   * unless `isTaken`; and whether it was not kept so before, and is visited in `delayMs`.
   */
  async start(
    id: string,
    host: string,
    { isTaken = false, delayMs = 0 }: Start = {},
  ): Promise<{ readonly by: string; readonly isNew: boolean }> {
    try {
      await this.#client.workflow.start(KEEPER, {
        workflowId: id,
        taskQueue: host,
        workflowIdConflictPolicy: isTaken ? 'TERMINATE_EXISTING' : 'FAIL',
        ...(delayMs > 0 ? { startDelay: delayMs } : {}),
      });
      return { by: host, isNew: true };
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
      const by = await this.keptBy(id);
      return by === null ? await this.start(id, host, { isTaken, delayMs }) : { by, isNew: false };
    }
  }

  /**
   * Has a vault of a host visited now, also where its workflow has come to an end. Returns false where another host keeps
   * it, whose it is to look.
   */
  async nudge(id: string, host: string): Promise<boolean> {
    if (((await this.keptBy(id)) ?? host) !== host) return false;
    await this.#client.workflow.signalWithStart(KEEPER, { workflowId: id, taskQueue: host, signal: NUDGE });
    return true;
  }

  /** Has a vault visited soon. Returns false where nobody keeps it. */
  nudgeKept(id: string): Promise<boolean> {
    return isFound(() => this.#client.workflow.getHandle(id).signal(NUDGE));
  }

  /**
   * Has a vault visited now, and waits for the end of that visit. Returns its code (null: done), or why there was none:
   * `not-kept`, or `no-visit` within `ms`. The visit is still made then, as soon as a host asks for it.
   */
  async visitNow(id: string, ms: number): Promise<VisitResult> {
    const deadline = Date.now() + ms;
    while (Date.now() < deadline) {
      try {
        const answer = await this.#client.withDeadline(deadline, () =>
          this.#client.workflow.getHandle(id).executeUpdate<VisitAnswer, []>(VISIT_NOW),
        );
        if (answer !== 'moved') return answer;
      } catch (error) {
        if (error instanceof WorkflowNotFoundError || (isGrpcServiceError(error) && error.code === 5))
          return 'not-kept';
        const isOver = Date.now() >= deadline || error instanceof WorkflowUpdateRPCTimeoutOrCancelledError;
        if (!isOver && !(error instanceof WorkflowUpdateFailedError)) throw error;
        if (isOver) break;
        // The run ended before it answered, or a process of a former version has it, which knows signals alone.
        await this.nudgeKept(id);
        await pause(BETWEEN_MS);
      }
    }
    return 'no-visit';
  }

  /** Asks that another host keeps a vault from its next visit on, which is at once. Returns false where nobody keeps it. */
  move(id: string, host: string): Promise<boolean> {
    return isFound(() => this.#client.workflow.getHandle(id).signal(MOVE, host));
  }

  /** Ends the keeping of a vault; a visit that goes on is stopped. Returns false where nobody kept it. */
  end(id: string): Promise<boolean> {
    return isFound(() => this.#client.workflow.getHandle(id).terminate(REMOVED));
  }

  /** Whether the keeping of a vault was ended by `end`, and not by a person in the engine or by a failure. */
  async wasEnded(id: string): Promise<boolean> {
    try {
      const { history } = await this.#client.workflowService.getWorkflowExecutionHistoryReverse({
        namespace: this.#client.options.namespace,
        execution: { workflowId: id },
        maximumPageSize: 1,
      });
      return history?.events?.[0]?.workflowExecutionTerminatedEventAttributes?.reason === REMOVED;
    } catch (error) {
      if (isGrpcServiceError(error) && error.code === 5) return false;
      throw error;
    }
  }

  /** Returns the host on whose queue a vault is. */
  async keptBy(id: string): Promise<KeptBy> {
    try {
      const { status, taskQueue } = await this.#client.workflow.getHandle(id).describe();
      return status.name === 'RUNNING' ? taskQueue : null;
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return null;
      throw error;
    }
  }

  /** Returns the vaults that are on a host's queue, as the engine lists them: up to some seconds late. */
  async keptOn(host: string): Promise<Set<string>> {
    return new Set((await this.keptByHosts(` AND TaskQueue = '${host}'`)).get(host));
  }

  /** Returns the vaults that the whole fleet keeps, by host, as the engine lists them. `where`: narrows the list. */
  async keptByHosts(where = ''): Promise<Map<string, string[]>> {
    const query = `WorkflowType = '${KEEPER}' AND ExecutionStatus = 'Running'${where}`;
    const kept = new Map<string, string[]>();
    for await (const { workflowId, taskQueue } of this.#client.workflow.list({ query, pageSize: 1_000 })) {
      const ids = kept.get(taskQueue) ?? [];
      ids.push(workflowId);
      kept.set(taskQueue, ids);
    }
    return kept;
  }

  /** Whether a host asks for work: it did within the last minute, by the engine's own clock. */
  async isServed(host: string): Promise<boolean> {
    this.#aheadMs ??= await this.#engineAhead();
    const engineNow = Date.now() + this.#aheadMs;
    return (await this.#polledAt(host)).some((at) => engineNow - at < POLLED_MS);
  }

  // The engine doesn't tell its time, but stamps each request for work: this is one for a queue without work.
  async #engineAhead(): Promise<number> {
    const identity = newId('h');
    const { namespace } = this.#client.options;
    const enough = new AbortController();
    const taskQueue = { name: CLOCK_QUEUE };
    const request = { namespace, identity, taskQueue };
    // The engine refuses a request for work that has no deadline.
    const poll = this.#client
      .withDeadline(Date.now() + CLOCK_DEADLINE_MS, () =>
        this.#client.withAbortSignal(enough.signal, () => this.#client.workflowService.pollActivityTaskQueue(request)),
      )
      .catch(() => {}); // it is broken off
    try {
      for (let asks = 0; asks < MOST_CLOCK_ASKS; asks += 1) {
        const before = Date.now();
        const [at] = await this.#polledAt(CLOCK_QUEUE, identity);
        if (at !== undefined) return at - before;
        await pause(CLOCK_PAUSE_MS);
      }
      return 0;
    } finally {
      enough.abort();
      await poll;
    }
  }

  // When somebody, or one of this name, last asked for work of a queue (epoch ms by the engine's clock).
  async #polledAt(queue: string, identity?: string): Promise<number[]> {
    const { pollers } = await this.#client.workflowService.describeTaskQueue({
      namespace: this.#client.options.namespace,
      taskQueue: { name: queue },
      taskQueueType: 2, // activities: the visits
    });
    return (pollers ?? [])
      .filter((poller) => identity === undefined || poller.identity === identity)
      .map(({ lastAccessTime: time }) => Number(time?.seconds ?? 0) * 1_000);
  }
}

/** A queue without work, from which the engine's clock is read. */
const CLOCK_QUEUE = 'steward-clock';
const CLOCK_PAUSE_MS = 50;
const CLOCK_DEADLINE_MS = 10_000;
const MOST_CLOCK_ASKS = 40;
/** How long (ms) after an update that a run refused. */
const BETWEEN_MS = 1_000;
/** Why `end` terminates a workflow. */
const REMOVED = 'removed';
/** A poll of the engine takes up to a minute where there is no work. */
const POLLED_MS = 70_000;

async function isFound(ask: () => Promise<unknown>): Promise<boolean> {
  try {
    await ask();
    return true;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError || (isGrpcServiceError(error) && error.code === 5)) return false;
    throw error;
  }
}
