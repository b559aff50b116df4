import type { Mode } from '../../steward/gates-rounding.ts';
import { isHandsOff, offWords } from '../../steward/proposal-fit.ts';
import { mostTelling, noSignals, notLookedAt, SETTLING, type Skip, skipOf } from '../../steward/schedule-cadence.ts';
import type { MatterRecord, TargetRecord } from '../../vault/index/record.ts';
import { clearFlag } from '../answers/answer.ts';
import { refusalFor } from '../budget.ts';
import { type Context, type IndexAccess, isQuiet, type ModelAccess, type Workspace } from '../context.ts';
import { type Decided, weighTogether } from '../decide.ts';
import { freshSignals } from '../decide-fresh-signals.ts';
import { look, Touches } from '../perception.ts';
import { checkOf } from './due.ts';

/**
 * How a tick is made. `force`: also judge what is not due; `mode`: the highest mode that the caller allows, or null.
 */
export interface TickOrder {
  readonly force: boolean;
  readonly mode: Mode | null;
  readonly abort: AbortSignal;
  /** The moment it was due (epoch ms). It may have waited its turn since; the next checks are counted from here. */
  readonly at: number;
}

/** A note that was not judged, and why. */
interface Skipped extends Skip {
  readonly path: string;
}

/** What one tick of a matter came to. */
export interface TickResult {
  readonly matter: string;
  /** How many notes were looked at. */
  readonly targets: number;
  /** The event notes that were written, by path. */
  readonly events: readonly string[];
  /** Whether any note had fresh signals. */
  readonly heard: boolean;
  /** Whether the rate guard or a budget held a note back: then the streak of quiet ticks stays as it is. */
  readonly guarded: boolean;
  /** The earliest moment (epoch ms) at which a note that is being edited now, or has no room, can be judged; or null. */
  readonly retryAt: number | null;
  readonly skipped: readonly Skipped[];
}

/** What is heard on a note that is none of the steward's. */
const NOTHING = { signals: [], silenced: 0 } as const;

/**
 * Ticks one matter (contract, section 5): for each of its tasks and for itself, checks whether it is due, gathers its
 * signals, judges it and moves its cursor. The work is proportional to the matter, never to the vault.
 */
export async function tick(space: Workspace, matter: MatterRecord, order: TickOrder): Promise<TickResult> {
  const events: string[] = [];
  const skipped: Skipped[] = [];
  const paths = [...space.vault.catalogue.tasksOf(matter), matter].map(({ path }) => path);
  let looked = 0;
  let heard = false;
  let retryAt: number | null = null;
  const touches = new Touches(space);
  for (const path of paths) {
    if (order.abort.aborted) break;
    // Looked up again, because a person may have changed it while the notes before it were judged.
    const target = space.vault.catalogue.get(path);
    if (target?.kind !== 'task' && target?.kind !== 'matter') continue;
    if (order.mode !== 'shadow') clearFlag(space, target);
    const handsOff = isHandsOff(space, target);
    const { signals, silenced } = handsOff ? NOTHING : freshSignals(space, target);
    const passed = notLookedAt(lookAt(space, target, { handsOff, hasSignals: signals.length > 0, force: order.force }));
    if (passed !== null) {
      skipped.push({ path: target.path, ...passed });
      continue;
    }
    looked += 1;
    heard ||= signals.length > 0;
    if (signals.length === 0) look(space, target, touches);
    const decided = signals.length === 0 ? null : await weighTogether(space, target, order.mode, order.abort);
    if (decided !== null && 'event' in decided) events.push(decided.event);
    const again = againAt(decided);
    if (again !== null) retryAt = Math.min(retryAt ?? again, again);
    const unjudged = unjudgedFor(decided, silenced);
    if (unjudged !== null) skipped.push({ path: target.path, ...unjudged });
    stamp(space.context, target, decided, order.at);
  }
  const guarded = skipped.some(({ code }) => code === 'rate-guarded' || code === 'budget');
  return { matter: matter.path, targets: looked, events, heard, guarded, retryAt, skipped };
}

/** Returns why a whole tick judged nothing, in a few words; null where it judged something. */
export function quietReason({ events, skipped }: Pick<TickResult, 'events' | 'skipped'>): string | null {
  if (events.length > 0) return null;
  const telling = mostTelling(skipped);
  return telling === null || telling.code !== 'not-due' ? (telling?.reason ?? null) : 'nothing is due';
}

/** Returns why a note would not be judged if its steward ticked now, or null where it would be. Changes nothing. */
export function skipNow(space: ModelAccess, target: TargetRecord): Skip | null {
  const handsOff = isHandsOff(space, target);
  const { signals, silenced } = handsOff ? NOTHING : freshSignals(space, target);
  return skipOf({
    ...lookAt(space, target, { handsOff, hasSignals: signals.length > 0, force: false }),
    quietHours: isQuiet(space.context.settings, space.context.now()),
    signals: signals.length,
    silenced,
    settledAt: space.notes.fresh(target.path)?.settledAt ?? 0,
    refusal: refusalFor(space, target),
  });
}

interface Found {
  readonly handsOff: boolean;
  readonly hasSignals: boolean;
  readonly force: boolean;
}

function lookAt(space: IndexAccess, target: TargetRecord, { handsOff, hasSignals, force }: Found) {
  return {
    away: space.vault.away,
    handsOff,
    offWords: offWords(target),
    state: target.fields.state,
    force,
    quietHours: false, // they skip the whole tick, before any note is looked at
    check: checkOf(space.context, target, hasSignals),
    now: space.context.now(),
  };
}

// Places leave a window one by one: those that wait for them are not looked at more than once a second.
function againAt(decided: Decided | null): number | null {
  if (decided?.kind === 'settling') return decided.until;
  return decided?.kind === 'guarded' ? Math.ceil(decided.refusal.freeAt / 1000) * 1000 : null;
}

function unjudgedFor(decided: Decided | null, silenced: number): Skip | null {
  if (decided === null) return noSignals(silenced);
  if (decided.kind === 'settling') return SETTLING;
  if (decided.kind === 'unasked') return { code: 'unasked', reason: `not judged: ${decided.reason}` };
  if (decided.kind !== 'guarded') return null;
  const { code, reason } = decided.refusal;
  return { code, reason };
}

// A rate-guarded look leaves the streak as it is. A note that was being edited, or that no model could be asked about,
// does not count as looked at.
function stamp(context: Context, target: TargetRecord, decided: Decided | null, at: number): void {
  if (decided !== null && ['settling', 'gone', 'unasked'].includes(decided.kind)) return;
  const cursors = context.state.get('cursors');
  const streak = cursors[target.path]?.streak ?? 0;
  const next = decided === null ? streak + 1 : decided.kind === 'guarded' ? streak : 0;
  cursors[target.path] = { at, streak: next };
  if (decided === null) context.state.touchLater('cursors', target.path);
  else context.state.touch('cursors', target.path);
}
