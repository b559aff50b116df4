import { expect } from 'vitest';
import { stem } from '../../src/vault/layout.ts';
import { Clock, SECOND } from '../support/clock.ts';
import { HOUSE, instinct, ODD_TASK, signal } from '../support/notes.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench, only } from '../support/workspace.ts';

export const SIGNAL = 'signal/s1.md';
export const MAIL = 'instinct/mail.md';

/** A vault with a signal that sets its task to done. */
export function vaultWithAction(more = {}): TempVault {
  return new TempVault({ ...HOUSE, [SIGNAL]: signal(), [MAIL]: instinct('mail', { confidence: 0.83 }), ...more });
}

/** A vault in which the task was just set to done, and the name of the event note. */
export async function acted(vault: TempVault, setting = {}): Promise<{ bench: Bench; event: string; name: string }> {
  const bench = await Bench.open(vault, setting);
  await bench.tick();
  const event = only(vault.events());
  expect(vault.read('task/pay.md')).not.toBe(ODD_TASK);
  return { bench, event, name: stem(event) };
}

/** A minute from now: what the former process wrote has been quiet. */
export function later(): Clock {
  const clock = new Clock();
  clock.move(60 * SECOND);
  return clock;
}
