import { isHandsOff } from '../../steward/changes/opt-out.ts';
import type { Mode } from '../../steward/gates/gate.ts';
import { mostTelling, NO_SIGNALS, notLookedAt, SETTLING, type Skip, skipOf } from '../../steward/schedule/skip.ts';
import type { MatterRecord, TargetRecord } from '../../vault/index/record.ts';
import { clearFlag } from '../answers/close-flag.ts';
import { refusalFor } from '../budget/reservation.ts';
import type { Context, IndexAccess, ModelAccess, Workspace } from '../context/ports.ts';
import { isQuiet } from '../context/settings.ts';
import type { Decided } from '../decide/decision.ts';
import { freshSignals } from '../decide/fresh-signals.ts';
import { weighTogether } from '../decide/weigh.ts';
import { checkOf } from './due.ts';

/** How a tick is to be made: what is not due too, how far the caller lowers the mode, and when it is cut off. */
export interface TickOrder {
  readonly force: boolean;
  readonly mode: Mode | null;
  readonly abort: AbortSignal;
  /** The moment it is made for (epoch ms): it may have waited its turn, and notes are next checked from here. */
  readonly at: number;
}

/** A note that was passed over, and why. */
interface Skipped extends Skip {
  readonly path: string;
}

export interface TickResult {
  readonly matter: string;
  /** Notes looked at. */
  readonly targets: number;
  /** Event notes written. */
  readonly events: readonly string[];
  /** Whether any note had fresh signals. */
  readonly heard: boolean;
  /** Whether the rate guard or a budget held a note back: the quiet is then neither longer nor over. */
  readonly guarded: boolean;
  /** The earliest moment (epoch ms) at which a note that is being edited just now can be judged, or null. */
  readonly retryAt: number | null;
  /** The notes that were not judged: path and reason. */
  readonly skipped: readonly Skipped[];
}

/**
 * One round of a matter's steward (contract, section 5), top to bottom: its tasks and itself, what is due, the signals
 * for it, the no-signal gate, the judgement, the cursor. Work is proportional to the matter, never to the vault.
 */
export async function tick(space: Workspace, matter: MatterRecord, order: TickOrder): Promise<TickResult> {
  const events: string[] = [];
  const skipped: Skipped[] = [];
  const paths = [...space.vault.catalogue.tasksOf(matter), matter].map(({ path }) => path);
  let looked = 0;
  let heard = false;
  let retryAt: number | null = null;
  for (const path of paths) {
    if (order.abort.aborted) break;
    // As it is now: while the notes before it were judged, a person may have written here.
    const target = space.vault.catalogue.get(path);
    if (target?.kind !== 'task' && target?.kind !== 'matter') continue;
    if (order.mode !== 'shadow') clearFlag(space, target);
    const signals = isHandsOff(space, target) ? [] : freshSignals(space, target).signals;
    const passed = notLookedAt(lookAt(space, target, signals.length > 0, order.force));
    if (passed !== null) {
      skipped.push({ path: target.path, ...passed });
      continue;
    }
    looked += 1;
    heard ||= signals.length > 0;
    const settled = signals.length === 0 ? null : await weighTogether(space, target, order.mode, order.abort);
    if (settled !== null && 'event' in settled) events.push(settled.event);
    if (settled?.kind === 'settling') retryAt = Math.min(retryAt ?? settled.until, settled.until);
    const unjudged = unjudgedFor(settled);
    if (unjudged !== null) skipped.push({ path: target.path, ...unjudged });
    stamp(space.context, target, settled, order.at);
  }
  const guarded = skipped.some(({ code }) => code === 'rate-guarded' || code === 'budget');
  return { matter: matter.path, targets: looked, events, heard, guarded, retryAt, skipped };
}

/** In a word why a whole tick judged nothing, or null where it judged something. */
export function quietReason({ events, skipped }: Pick<TickResult, 'events' | 'skipped'>): string | null {
  if (events.length > 0) return null;
  const telling = mostTelling(skipped);
  return telling === null || telling.code !== 'not-due' ? (telling?.reason ?? null) : 'nothing is due';
}

/** Why a note would not be judged if its steward ticked now, or null where it would; changes nothing. */
export function skipNow(space: ModelAccess, target: TargetRecord): Skip | null {
  const signals = isHandsOff(space, target) ? 0 : freshSignals(space, target).signals.length;
  return skipOf({
    ...lookAt(space, target, signals > 0, false),
    quietHours: isQuiet(space.context.settings, space.context.now()),
    signals,
    settledAt: space.notes.fresh(target.path)?.settledAt ?? 0,
    refusal: refusalFor(space, target),
  });
}

function lookAt(space: IndexAccess, target: TargetRecord, hasSignals: boolean, force: boolean) {
  return {
    away: space.vault.away,
    handsOff: isHandsOff(space, target),
    state: target.fields.state,
    force,
    quietHours: false, // they hold back the whole tick, before any note is looked at
    check: checkOf(space.context, target, hasSignals),
    now: space.context.now(),
  };
}

function unjudgedFor(settled: Decided | null): Skip | null {
  if (settled === null) return NO_SIGNALS;
  if (settled.kind === 'settling') return SETTLING;
  if (settled.kind === 'unasked') return { code: 'unasked', reason: `not judged: ${settled.reason}` };
  if (settled.kind !== 'guarded') return null;
  const { code, reason } = settled.refusal;
  return { code, reason };
}

// A rate-guarded look leaves the streak alone; a note that was being edited, or that no model could be asked about, was
// not looked at at all.
function stamp(context: Context, target: TargetRecord, settled: Decided | null, at: number): void {
  if (settled !== null && ['settling', 'gone', 'unasked'].includes(settled.kind)) return;
  const cursors = context.state.get('cursors');
  const streak = cursors[target.path]?.streak ?? 0;
  const next = settled === null ? streak + 1 : settled.kind === 'guarded' ? streak : 0;
  cursors[target.path] = { at, streak: next };
  context.state.touch('cursors');
}
