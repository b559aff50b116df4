import { isHandsOff } from '../../steward/changes/opt-out.ts';
import { teachOutcome } from '../../steward/learning/outcomes.ts';
import { BY_HAND, type HandOutcome, outcomesByHand } from '../../steward/trust/by-hand.ts';
import type { TargetRecord } from '../../vault/index/record.ts';
import { linkTo } from '../../vault/notes/escape.ts';
import type { WriteAccess } from '../context/ports.ts';
import { eachAlone } from '../runtime/each-alone.ts';
import { hasTaught, markTaught } from './teaching.ts';

/**
 * Learns from what a person has done to a note by hand: made a proposed change, or decided otherwise (contract, section
 * 7), in every mode. Returns when to look again (epoch ms) where somebody is editing the note, else null.
 */
export function learnByHand(space: WriteAccess, target: TargetRecord): number | null {
  if (isHandsOff(space, target)) return null;
  space.transactions.finishHeldUp([target.path]);
  const note = space.notes.fresh(target.path);
  const found = note === null ? [] : outcomesByHand(space, target, note);
  if (note === null || found.length === 0) return null;
  if (note.settledAt > space.context.now()) return note.settledAt;
  const waits: number[] = [];
  eachAlone(found, (one) => waits.push(...[learn(space, one) ?? []].flat()));
  return waits.length === 0 ? null : Math.min(...waits);
}

function learn(space: WriteAccess, { event, outcome }: HandOutcome): number | null {
  const { source_contributions: contributions } = event.fields;
  const by = outcome === 'right' ? BY_HAND : 'set otherwise by hand';
  const occasion = { outcome, at: space.context.now(), what: `${by}: ${linkTo(event.name)}` };
  const lesson = hasTaught(space, event) ? undefined : teachOutcome(space, contributions, occasion);
  return markTaught(space, event, { taught: outcome === 'right' ? 'right' : 'wrong', by }, lesson);
}
