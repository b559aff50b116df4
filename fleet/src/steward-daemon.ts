/*
 * What the fleet uses of the steward's daemon, its log and its clock. It is most of the program: commands that don't open a
 * vault import `steward.ts` alone.
 */

export type { LogEntry, LogOptions } from '../../src/cli/daemon-log.ts';
export { DaemonLog, makeLogEntry, troubleFields, troubleText } from '../../src/cli/daemon-log.ts';
export { count, local, type Printer } from '../../src/cli/terminal.ts';
export { adoptVault, hasOtherMarks } from '../../src/daemon/adoption.ts';
export { compose, type Parts } from '../../src/daemon/compose.ts';
export { Daemon, type VisitResult, visit } from '../../src/daemon/daemon.ts';
export { type DaemonEvent, keptBy, readEnvironment, vaultSeal } from '../../src/daemon/environment.ts';
export { endWithin, type Fault, faultEvent, LastResort, unexpectedFault } from '../../src/daemon/faults.ts';
export { FileLeaseProvider, type LeaseProvider } from '../../src/daemon/lease.ts';
export { releaseMemoryWhenIdle } from '../../src/daemon/memory.ts';
export { oneShot } from '../../src/daemon/one-shot.ts';
export { aborted, notifier, programUpdate, stopSignal, withoutProgram } from '../../src/daemon/process.ts';
export { WorkQueue } from '../../src/daemon/queue.ts';
export type { RuntimePaths } from '../../src/daemon/runtime-paths.ts';
export { type Moment, momentNow, type SharedIntervals } from '../../src/daemon/timers.ts';
export { Heap } from '../../src/steward/heap.ts';
export { LOCK_LOST } from '../../src/vault/errors.ts';
export type { Lease } from '../../src/vault/lock.ts';
export { SLICE_MS } from '../../src/vault/time.ts';
