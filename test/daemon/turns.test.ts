import fs from 'node:fs';
import { expect, onTestFinished, test, vi } from 'vitest';
import { meetVault } from '../../src/daemon/adoption.ts';
import type { Workspace } from '../../src/daemon/context.ts';
import { pruneState } from '../../src/daemon/housekeeping.ts';
import { prepare } from '../../src/daemon/lease.ts';
import { followEnded, mayBeBehind } from '../../src/daemon/managed-notes.ts';
import { recordProblems } from '../../src/daemon/problems.ts';
import { Schedules } from '../../src/daemon/schedule.ts';
import { learningOutcomes } from '../../src/steward/outcomes.ts';
import { RecordStore } from '../../src/vault/index.ts';
import { Turns } from '../../src/vault/time.ts';
import { makeVault } from '../bench/vault.ts';
import { matter } from '../support/notes.ts';
import { Running } from '../support/running.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench } from '../support/workspace.ts';

const UNROUTED = '---\ntype: signal\neffect: none\nstatus: unrouted\norigin_at: 2026-11-01T10:00:00Z\n---\n';

/** What goes over a vault at a start, once an hour or for a status, and pauses on the way. */
const WORKS: Readonly<Record<string, (space: Workspace) => Generator<void, unknown>>> = {
  'the first meeting with a vault': meetVault,
  'the provisioning of schedules': (space) => schedulesOf(space).provisionAll(),
  'the event notes that may be behind': mayBeBehind,
  'the event notes whose time is over': (space) => followEnded(space, 0),
  'what outcomes teach': (space) => learningOutcomes(space, 0),
  'what is wrong with records': recordProblems,
  'the pruning of what is remembered': pruneState,
};

test.each(Object.entries(WORKS))(
  'LAW: between two pauses, %s reads as little in a large vault as in a small one',
  async (_, work) => {
    const [small, large] = [await mostReadAtOnce(5, work), await mostReadAtOnce(20, work)];
    expect(large).toBeLessThanOrEqual(small);
  },
);

/** Returns the most packed records that some work reads between two pauses, in a vault of so many matters. */
async function mostReadAtOnce(matters: number, work: (space: Workspace) => Generator<void, unknown>): Promise<number> {
  const vault = new TempVault();
  fs.rmSync(vault.root, { recursive: true });
  makeVault(vault.root, { matters, tasks: matters * 20, signals: matters * 10, events: matters * 10, others: 0 });
  for (let nth = 0; nth < matters * 10; nth += 1) vault.write(`signal/unrouted-${nth}.md`, UNROUTED);
  prepare(vault.places);
  const { ports } = await Bench.reading(vault);
  const read = vi.spyOn(RecordStore.prototype, 'unpack');
  onTestFinished(() => read.mockRestore());
  let most = 0;
  for (const steps = work(ports); ; ) {
    read.mockClear();
    const { done } = steps.next();
    most = Math.max(most, read.mock.calls.length);
    if (done === true) return most;
  }
}

test('LAW: after a tick of all, others have their turn before each schedule that is set anew', async () => {
  const notes = Array.from({ length: 30 }, (_, nth) => [`matter/m${nth}.md`, matter()]);
  const daemon = await Running.start(new TempVault(Object.fromEntries(notes)));
  let [most, since] = [0, 0];
  const { follow } = Schedules.prototype;
  vi.spyOn(Schedules.prototype, 'follow').mockImplementation(function (this: Schedules, one) {
    since += 1;
    most = Math.max(most, since);
    follow.call(this, one);
  });
  const turn = globalThis.setImmediate;
  vi.spyOn(globalThis, 'setImmediate').mockImplementation(
    Object.assign((work: () => void) => {
      since = 0;
      return turn(work);
    }, turn),
  );
  vi.spyOn(Turns.prototype, 'isLate', 'get').mockReturnValue(true);
  onTestFinished(() => void vi.restoreAllMocks());
  await daemon.ask({ op: 'tick', matters: [], force: false, mode: null });
  expect(most).toBe(1);
});

function schedulesOf({ vault, context }: Workspace): Schedules {
  return new Schedules({
    catalogue: vault.catalogue,
    state: context.state,
    now: context.now,
    defaultSchedule: context.settings.default_schedule,
    listener: { due: () => {}, provisioned: () => {}, removed: () => {} },
  });
}
