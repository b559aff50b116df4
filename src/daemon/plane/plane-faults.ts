import type { PlaneFailure } from '../../plane/failure.ts';
import { diagnostic } from '../../vault/errors.ts';
import type { Context, Problems } from '../context/ports.ts';

/** What a person has to mend; everything else passes by itself. */
const TO_MEND: readonly PlaneFailure['kind'][] = ['key', 'forbidden', 'strange'];
const FAULT = 'plane';

interface FaultSpace {
  readonly context: Context;
  readonly problems: Problems;
}

/** Lists a failure in `status` where a person has to mend something, and says it once. */
export function reportFailure({ context, problems }: FaultSpace, { kind, message, hint }: PlaneFailure): void {
  if (!TO_MEND.includes(kind)) return;
  const trouble = diagnostic({ code: `plane-${kind}`, message, hint });
  const before = problems.faults.get(FAULT);
  problems.faults.set(FAULT, trouble);
  if (before?.message !== message) context.emit({ what: 'trouble', trouble });
}

/** Takes it off the list: Plane has answered. */
export function forgetFailure({ problems }: FaultSpace): void {
  problems.faults.delete(FAULT);
}
