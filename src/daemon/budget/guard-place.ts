import { type Gate, rateGate } from '../../steward/gates/gate.ts';
import { type GuardTarget, release, reserve } from '../../steward/gates/rate-guard.ts';
import type { TargetRecord } from '../../vault/index/record.ts';
import type { Vault } from '../../vault/watch/vault.ts';
import type { Context, IndexAccess, ModelAccess } from '../context/ports.ts';
import { whyNoQuestion } from './question-door.ts';
import { type Refusal, refusalBy } from './refusal.ts';

/** A place with the rate guard under `id`, or why there is none. */
export type GuardPlace =
  | { readonly ok: true; readonly id: number; readonly gate: Gate }
  | { readonly ok: false; readonly refusal: Refusal };

/**
 * Takes one place with the rate guard for a look at a note; it is on disk before anything is asked or done. `asks`:
 * whether the evaluator is asked; then there is none where that is a model which may not be asked now.
 */
export function reserveLook(space: ModelAccess, target: TargetRecord, asks: boolean): GuardPlace {
  const refusal = asks && space.models.evaluator.asksModel ? whyNoQuestion(space.context) : null;
  if (refusal !== null) return { ok: false, refusal };
  const asked = reserve(space.context.state.get('rate-guard'), guardTarget(space, target), space.context.now());
  space.context.state.set('rate-guard', asked.state);
  // A crash must not free the place. A refusal takes none, and in a burst most looks are refused.
  if (asked.ok) space.context.state.save('rate-guard');
  const gate = rateGate(asked);
  return asked.ok ? { ok: true, id: asked.id, gate } : { ok: false, refusal: refusalBy(asked, gate) };
}

/** Frees the place of a look for which no evaluation was asked. */
export function releaseLook(context: Context, id: number): void {
  context.state.set('rate-guard', release(context.state.get('rate-guard'), id));
}

/** Why the rate guard would refuse a look at a note now, or null where there is room. Takes no place. */
export function lookRefusal(space: IndexAccess, target: TargetRecord): Refusal | null {
  const look = reserve(space.context.state.get('rate-guard'), guardTarget(space, target), space.context.now());
  return look.ok ? null : refusalBy(look, rateGate(look));
}

/** The path of the matter a note belongs to, which a matter is itself; null for a task without one. */
export function matterPathOf(vault: Vault, target: TargetRecord): string | null {
  return (target.kind === 'matter' ? target : vault.catalogue.matterOf(target))?.path ?? null;
}

function guardTarget({ vault }: IndexAccess, target: TargetRecord): GuardTarget {
  return { kind: target.kind, path: target.path, matter: matterPathOf(vault, target) };
}
