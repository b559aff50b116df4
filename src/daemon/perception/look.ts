import { isUnjudged, isUntold, type Seen } from '../../steward/perception/memory.ts';
import { SILENT_MS } from '../../steward/perception/milestones.ts';
import { type Perceived, perceive } from '../../steward/perception/perceive.ts';
import { putOffReason } from '../../steward/proposals/put-off.ts';
import type { TargetRecord } from '../../vault/index/record.ts';
import { localDate } from '../../vault/time.ts';
import type { Context, IndexAccess } from '../context/ports.ts';
import { isQuiet } from '../context/settings.ts';
import { sightOf, stampOf } from './sight-of.ts';
import { Touches } from './touches.ts';

/**
 * Looks at a note for which there is no signal, and remembers what it shows. Does next to nothing where neither the note,
 * nor what lies around it, nor the day that matters has changed since the last look. Puts nothing to anybody.
 */
export function look(space: IndexAccess, target: TargetRecord, touches: Touches): void {
  const { state, settings, now } = space.context;
  if (space.vault.away !== null || isQuiet(settings, now())) return;
  const memory = state.get('perception');
  const perceived = state.get('perceived');
  const known = perceived[target.path];
  // A first look in the future was made by a wrong clock.
  if (memory.since === null || memory.since > now()) {
    memory.since = now();
    state.touch('perception');
  }
  if (known === undefined && isPlain(target, now())) return;
  if (!mayPerceive(space, target)) {
    if (known !== undefined) forget(space.context, target.path);
    return;
  }
  const stamp = stampOf(space, target);
  if (known !== undefined && known.stamp === stamp && isSoundAt(known, now())) return;
  const seen = seenNow(space, target, known, { stamp, perceived: perceivedNow(space, target, touches) });
  if (seen.found === null && !seen.isHigh && isYoung(target, now())) {
    if (known !== undefined) forget(space.context, target.path);
    return;
  }
  perceived[target.path] = seen;
  state.touchLater('perceived', target.path);
}

/** Returns what a note shows by itself now. */
export function perceivedNow(space: IndexAccess, target: TargetRecord, touches = new Touches(space)): Perceived {
  return perceive(sightOf(space, target, touches), space.context.now());
}

/** Whether a note may be looked at without a signal: it is open, nothing puts it off, and nobody said hands off. */
export function mayPerceive(space: IndexAccess, target: TargetRecord): boolean {
  return whyUnseen(space, target) === null;
}

/** Returns why a note is not looked at without a signal, in a few words; null where it is. */
export function whyUnseen(space: IndexAccess, target: TargetRecord): string | null {
  const { vault, context } = space;
  if (vault.away !== null) return 'the vault is away';
  return putOffReason(space, target) ?? (isQuiet(context.settings, context.now()) ? 'quiet hours' : null);
}

/**
 * Returns the notes of which a person, or a model, is still to hear, by path. Pauses after each note that is gone over: all
 * are at the first time, and with a model once a day.
 */
export function openNotes({
  context,
  models,
}: IndexAccess & { models: { evaluator: { asksModel: boolean } } }): Generator<void, ReadonlyMap<string, Seen>> {
  const { seen } = context.state;
  if (!models.evaluator.asksModel) return seen.ask('untold', isUntold);
  const date = localDate(context.now());
  return seen.ask(`unjudged on ${date}`, (one) => isUnjudged(one, date));
}

function forget({ state }: Context, path: string): void {
  delete state.get('perceived')[path];
  state.touchLater('perceived', path);
}

// Most tasks have nothing to show whatever lies around them: no more is asked.
function isPlain(target: TargetRecord, now: number): boolean {
  if (target.kind === 'matter' || !isYoung(target, now)) return false;
  const { state, surface_class: surface, due, blocked_on: blockers } = target.fields;
  return state === 'open' && surface !== 'high' && due === null && blockers.length === 0;
}

// What such a note shows is worked out anew in no time: there is nothing to remember.
function isYoung({ stat }: TargetRecord, now: number): boolean {
  return stat.mtimeMs > now - SILENT_MS;
}

// A look from a time that has not come yet was made by a wrong clock.
function isSoundAt({ at, next }: Seen, now: number): boolean {
  return at <= now && (next === null || now < next);
}

function seenNow(
  { context }: IndexAccess,
  target: TargetRecord,
  known: Seen | undefined,
  { stamp, perceived: { findings, stage, next } }: { stamp: string; perceived: Perceived },
): Seen {
  const [first] = findings;
  return {
    at: context.now(),
    next,
    stamp,
    stage,
    isHigh: target.fields.surface_class === 'high',
    found: first === undefined ? null : { kind: first.kind, of: first.of, step: first.step, since: first.since },
    told: known?.told ?? null,
    judged: known?.judged ?? null,
  };
}
