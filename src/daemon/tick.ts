import { nextCheck } from '../steward/cadence.ts';
import type { Mode } from '../steward/gate.ts';
import type { MatterRecord, TargetRecord } from '../vault/record.ts';
import { clearFlag } from './closing.ts';
import type { Settled } from './judgement.ts';
import { freshSignals, isHandsOff, weighTogether } from './perceive.ts';
import type { Cursor } from './state.ts';
import type { Workspace } from './workspace.ts';

/** How a tick is to be made: what is not due too, how far the caller lowers the mode, and when it is cut off. */
export interface TickOrder {
  readonly force: boolean;
  readonly mode: Mode | null;
  readonly abort: AbortSignal;
}

export interface TickResult {
  readonly matter: string;
  /** Notes looked at. */
  readonly targets: number;
  /** Event notes written. */
  readonly events: readonly string[];
  /** Whether any note had fresh signals. */
  readonly heard: boolean;
  /** The earliest moment (epoch ms) at which a note that is being edited just now can be judged, or null. */
  readonly retryAt: number | null;
  /** Why notes were passed over: path and reason. */
  readonly skipped: readonly { readonly path: string; readonly reason: string }[];
}

/**
 * One round of a matter's steward (contract, section 5), top to bottom: its tasks and itself, what is due, the signals
 * for it, the no-signal gate, the judgement, the cursor. Work is proportional to the matter, never to the vault.
 */
export async function tick(space: Workspace, matter: MatterRecord, order: TickOrder): Promise<TickResult> {
  const events: string[] = [];
  const skipped: { path: string; reason: string }[] = [];
  const targets = [...space.vault.catalogue.tasksOf(matter), matter];
  let looked = 0;
  let heard = false;
  let retryAt: number | null = null;
  for (const target of targets) {
    if (order.abort.aborted) break;
    clearFlag(space, target);
    const signals = isHandsOff(space, target) ? [] : freshSignals(space, target).signals;
    const reason = skipReason(space, target, signals.length > 0, order.force);
    if (reason !== null) {
      skipped.push({ path: target.path, reason });
      continue;
    }
    looked += 1;
    heard ||= signals.length > 0;
    const settled = signals.length === 0 ? null : await weighTogether(space, target, order.mode, order.abort);
    if (settled !== null && 'event' in settled) events.push(settled.event);
    if (settled?.kind === 'settling') retryAt = Math.min(retryAt ?? settled.until, settled.until);
    stamp(space, target, settled);
  }
  return { matter: matter.path, targets: looked, events, heard, retryAt, skipped };
}

/** Why a note is not looked at now, or null where it is. A fresh signal makes a note due, unless it was put off. */
export function skipReason(space: Workspace, target: TargetRecord, hasSignals: boolean, force: boolean): string | null {
  const { fields } = target;
  if (isHandsOff(space, target)) return 'steward: false';
  if (fields.state === 'done' || fields.state === 'archived') return `it is ${fields.state}`;
  if (force) return null;
  const check = checkOf(space, target, hasSignals);
  if (check.at === null) return check.reason;
  return check.at <= space.now() ? null : `not due: ${check.reason}`;
}

/** When a note is next looked at, and why, from its cursor. */
export function checkOf(
  space: Workspace,
  target: TargetRecord,
  hasSignals: boolean,
): { at: number | null; reason: string } {
  const cursor = hasSignals ? null : cursorOf(space, target);
  const times = target.kind === 'task' ? target.fields : { ...target.fields, due: null, snoozed_until: null };
  if (cursor === null) {
    // Never looked at, or a signal is waiting: due at once, but for what the note itself puts off.
    const now = space.now();
    const held = nextCheck(times, 0, now);
    const putOff = held.at === null || /^(not before|snoozed until)/.test(held.reason);
    return putOff ? held : { at: now, reason: hasSignals ? 'a signal waits' : 'not looked at yet' };
  }
  return nextCheck(times, cursor.streak, cursor.at);
}

function cursorOf(space: Workspace, target: TargetRecord): Cursor | null {
  return space.state.get('cursors')[target.path] ?? null;
}

// A rate-guarded look leaves the streak alone; a note that was being edited was not looked at at all.
function stamp(space: Workspace, target: TargetRecord, settled: Settled | null): void {
  if (settled !== null && (settled.kind === 'settling' || settled.kind === 'gone')) return;
  const cursors = space.state.get('cursors');
  const streak = cursors[target.path]?.streak ?? 0;
  const next = settled === null ? streak + 1 : settled.kind === 'guarded' ? streak : 0;
  cursors[target.path] = { at: space.now(), streak: next };
  space.state.touch('cursors');
}
