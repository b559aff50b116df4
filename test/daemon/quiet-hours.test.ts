import { expect, test } from 'vitest';
import { Clock, HOUR, MINUTE, quietHoursAround } from '../support/clock.ts';
import { HOUSE, instinct, ODD_TASK, SELDOM, settings, signal, weak } from '../support/notes.ts';
import { Running } from '../support/running.ts';
import { TempVault } from '../support/temp-vault.ts';

/** A vault in the middle of its quiet hours, with this signal in it, whose matter ticks once a year. */
function asleep(note: string): { vault: TempVault; clock: Clock } {
  const clock = Clock.atNoon();
  const hours = { default_schedule: SELDOM, quiet_hours: quietHoursAround(clock.now()) };
  const files = { ...HOUSE, 'steward.md': settings(hours), 'instinct/mail.md': instinct('mail', { observations: 9 }) };
  return { vault: new TempVault({ ...files, 'signal/s1.md': note }), clock };
}

async function looked(running: Running): Promise<void> {
  await running.daemon.wake();
  await running.daemon.idle();
}

test('a strong signal that comes in the quiet hours is acted upon when they end, and not before', async () => {
  const { vault, clock } = asleep(signal());
  const running = await Running.start(vault, { clock });
  await looked(running);
  clock.move(5 * HOUR);
  await looked(running);
  expect(vault.read('task/pay.md')).toBe(ODD_TASK);
  const end = running.daemon.next() ?? 0;
  expect(new Date(end).getHours()).toBe(18);
  clock.move(end - clock.now() + MINUTE);
  await looked(running);
  expect(vault.events()).toHaveLength(1);
  expect(vault.events()[0]).toMatch(/signal-action/);
  expect(running.count('ticked')).toBe(0);
});

test('one that is not strong enough alone waits for the end of the quiet hours', async () => {
  const { vault, clock } = asleep(weak());
  const running = await Running.start(vault, { clock });
  await looked(running);
  clock.move(MINUTE);
  await looked(running);
  expect(vault.events()).toEqual([]);
  clock.move(10 * HOUR);
  await looked(running);
  clock.move(MINUTE);
  await looked(running);
  await running.heard('proposed');
});
