import type { PlaneFailure } from '../../plane/failure.ts';
import { diagnostic } from '../../vault/errors.ts';
import type { Context, Problems } from '../context/ports.ts';

/** What a person has to mend; everything else passes by itself, or is said of the order that it ends. */
const TO_MEND: readonly PlaneFailure['kind'][] = ['key', 'forbidden', 'strange'];

interface FaultSpace {
  readonly context: Context;
  readonly problems: Problems;
}

/** Lists a failure in `status` under a key where a person has to mend something, and says it once. */
export function reportFailure(space: FaultSpace, key: string, { kind, message, hint }: PlaneFailure): void {
  if (!TO_MEND.includes(kind)) return;
  const { faults } = space.problems;
  const trouble = diagnostic({ code: `plane-${kind}`, message, hint });
  const isKnown = [...faults.values()].some((one) => one.code === trouble.code && one.message === message);
  faults.set(key, trouble);
  if (!isKnown) space.context.emit({ what: 'trouble', trouble });
}
