import { test } from 'vitest';

/** Those whom `SECURITY.md` names. The last two mean no harm, but do what an attacker would. */
type Attacker =
  | 'a sync peer'
  | 'a sender'
  | 'a model'
  | 'another local user'
  | 'another container'
  | 'another program'
  | 'the surroundings';

interface Attack {
  readonly attacker: Attacker;
  /** What is tried. */
  readonly means: string;
  /** What would be lost if it got through. */
  readonly loss: string;
  /** Why it does not. */
  readonly defence: string;
}

/**
 * A test that tries an attack from outside the process, or at the door nearest to it. Its name reads as one line of the
 * list that `SECURITY.md` points at: attacker, means, loss, defence.
 */
export function attack({ attacker, means, loss, defence }: Attack, attempt: () => void | Promise<void>): void {
  test(`${attacker}: ${means} → ${loss} [kept: ${defence}]`, attempt);
}
