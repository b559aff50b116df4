import { type Diagnostic, diagnostic } from '../../vault/errors.ts';
import { localTime } from '../../vault/time.ts';
import type { FaultEntry } from '../context/remembered/fault-entry.ts';
import type { Context } from '../context.ts';
import type { DaemonEvent } from '../environment.ts';
import { componentWords } from '../runtime/component.ts';
import type { Fault } from '../runtime/last-resort.ts';
import { describeError } from './describe-error.ts';

/** How long after the last time an unexpected error is a problem. */
const SHOWN_MS = 24 * 60 * 60 * 1000;

/** Returns the problems of the unexpected errors of the last day. */
export function faultProblems({ state, now }: Pick<Context, 'state' | 'now'>): readonly Diagnostic[] {
  return Object.values(state.get('faults'))
    .filter(({ last }) => now() - last < SHOWN_MS)
    .map(faultProblem);
}

/** Returns the problem of an unexpected error. */
export function faultProblem({ component, name, message, stack, last, count, continued }: FaultEntry): Diagnostic {
  const when = localTime(last).replace('T', ' ').slice(0, 16);
  const often = count === 1 ? when : `${count} times, last ${when}`;
  const what = message === '' ? name : `${name}: ${message}`;
  const then = continued ? 'Steward continued.' : 'Steward stopped, so that it starts again in a sound state.';
  return {
    ...diagnostic({
      code: 'unexpected-fault',
      message: `Steward met an unexpected error in ${componentWords(component)} (${often}): ${what.replace(/\.?$/, '.')}`,
      hint: `${then} This is a fault of the program; please report it with the stack from .steward/state/faults.json. The entry disappears a day after the last time.`,
    }),
    component,
    stack,
  };
}

/** Returns what is told of an error that nobody remembers, as the daemon does not run. */
export function faultEvent({ component, error }: Fault, now: number): DaemonEvent {
  const entry = { component, ...describeError(error, true), first: now, last: now, count: 1, continued: false };
  return { what: 'fault', component, stack: entry.stack, continued: false, trouble: faultProblem(entry) };
}
