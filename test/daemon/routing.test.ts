import { expect, test } from 'vitest';
import { Clock } from '../support/clock.ts';
import { HOUSE, SELDOM, settings, signal, task } from '../support/notes.ts';
import { Running } from '../support/running.ts';
import { TempVault } from '../support/temp-vault.ts';

/** So many questions to models the rate guard allows a minute. */
const A_MINUTE = 60;
const MORE = 3;

/** More strong signals than there is room for in a minute, each for a task of its own that belongs to no matter. */
function crowd(): TempVault {
  const many = Array.from({ length: A_MINUTE + MORE }, (_, nth) => nth);
  const tasks = many.map((nth) => [`task/one-${nth}.md`, task({ parent_matter: null })]);
  const signals = many.map((nth) => [`signal/s${nth}.md`, signal({ target_path: `task/one-${nth}.md` })]);
  const calm = settings({ settle_seconds: 0, default_schedule: SELDOM });
  return new TempVault({ ...HOUSE, 'steward.md': calm, ...Object.fromEntries([...tasks, ...signals]) });
}

test('routes more strong signals in a minute than the rate guard has slots, because no model is asked', async () => {
  const vault = crowd();
  const running = await Running.start(vault, { clock: new Clock() });
  await running.daemon.wake();
  await running.daemon.idle();
  expect(running.count('acted')).toBe(A_MINUTE + MORE);
  expect(vault.events()).toHaveLength(A_MINUTE + MORE);
  expect(running.daemon.status().gates.rateGuard.minute?.used).toBe(0);
  expect(running.daemon.status().schedules.every(({ last }) => last === null)).toBe(true);
});
