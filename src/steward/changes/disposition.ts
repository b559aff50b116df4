import { type Disposition, type Gate, judge, type Mode } from '../gates/gate.ts';
import type { Permission } from './permission.ts';

/**
 * What becomes of a decision once the rules of writing have had their say too: a change that may not be made, or that
 * would change nothing, is only recorded, and one that takes a person is at most proposed (contract, section 16).
 */
export function dispositionOf(mode: Mode, gates: readonly Gate[], permission: Permission): Disposition {
  if (!permission.ok || permission.edits.length === 0) return 'record';
  const judged = judge(mode, gates);
  return judged === 'act' && permission.needsPerson ? 'propose' : judged;
}
