import { type Disposition, type Gate, judge, type Mode } from '../gates/gate.ts';
import type { Permission } from './permission.ts';

/**
 * Returns what becomes of a decision by its gates and by the rules of writing. A change that may not be made, or that
 * would change nothing, is only recorded; one that needs a person is at most proposed (contract, section 16).
 */
export function dispositionOf(mode: Mode, gates: readonly Gate[], permission: Permission): Disposition {
  if (!permission.ok || permission.edits.length === 0) return 'record';
  const disposition = judge(mode, gates);
  return disposition === 'act' && permission.needsPerson ? 'propose' : disposition;
}
