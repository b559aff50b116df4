import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { DAY, HOUR } from '../support/clock.ts';
import { instinct, matter, PAID_MAIL, settings, signal, task, weak } from '../support/notes.ts';
import type { Files } from '../support/temp-vault.ts';
import { LIVE } from '../support/workspace.ts';
import { earlyDeeds, passed, Resident, Visited } from './kept-by-visits.ts';

vi.setConfig({ testTimeout: 600_000 });

const DAYS = 9;
const SCHEDULES = [null, 'every 6h', 'every 3d', '30 7 * * *', '0 9 * * 1'];

/** What somebody does in the vault, and when, in hours after its start. */
interface Deed {
  readonly at: number;
  readonly nth: number;
  readonly does: 'weak' | 'strong' | 'edit' | 'mail' | 'tick';
}

interface Story {
  /** Null: the default, from which a quiet matter backs off. */
  readonly schedules: readonly (string | null)[];
  /** In days after the start; null: none. */
  readonly dues: readonly (number | null)[];
  readonly deeds: readonly Deed[];
  /** Hours after the start at which somebody comes by although nothing is to be done. */
  readonly comesBy: readonly number[];
  readonly quiet: boolean;
}

const story: fc.Arbitrary<Story> = fc.record({
  schedules: fc.array(fc.constantFrom(...SCHEDULES), { minLength: 1, maxLength: 2 }),
  dues: fc.array(fc.option(fc.integer({ min: -2, max: DAYS })), { minLength: 3, maxLength: 3 }),
  deeds: fc.array(
    fc.record({
      at: fc.integer({ min: 1, max: 48 }),
      nth: fc.nat(2),
      does: fc.constantFrom('weak', 'strong', 'edit', 'mail', 'tick'),
    }),
    { minLength: 1, maxLength: 4 },
  ),
  comesBy: fc.array(fc.integer({ min: 1, max: DAYS * 24 }), { maxLength: 4 }),
  quiet: fc.boolean(),
});

function filesOf({ schedules, dues, quiet }: Story, start: number): Files {
  const day = (days: number) => new Date(start + days * DAY).toISOString().slice(0, 10);
  const matters = schedules.map((schedule, nth) => [
    `matter/m${nth}.md`,
    matter({ ...(schedule === null ? {} : { steward_schedule: schedule }), due: day(DAYS - nth) }),
  ]);
  const tasks = dues.map((due, nth) => [
    `task/t${nth}.md`,
    task({ parent_matter: `[[m${nth % schedules.length}]]`, ...(due === null ? {} : { due: day(due) }) }),
  ]);
  const hours = quiet ? { quiet_hours: '22:00-06:00' } : {};
  return {
    'steward.md': settings({ settle_seconds: 0, evaluator: 'rules', keep_event_days: 30, ...hours }),
    'instinct/mail.md': instinct('mail', { observations: 9 }),
    ...Object.fromEntries([...matters, ...tasks]),
  };
}

function act({ vault }: Resident | Visited, { nth, does }: Deed, which: number): void {
  const [file, quote] = [`task/t${nth}.md`, `t${nth} is done, says ${which}`];
  const fields = { target_path: file, raw_quote: quote };
  if (does === 'weak') vault.write(`signal/s${which}.md`, weak(fields));
  else if (does === 'strong') vault.write(`signal/s${which}.md`, signal(fields));
  else if (does === 'mail')
    vault.write(
      `stream/mail-${which}.eml`,
      PAID_MAIL.replace('Message-ID: <', `$&${which}`).replaceAll('[[pay]]', `[[t${nth}]]`),
    );
  else if (does === 'edit') vault.write(file, `${vault.read(file)}A line by hand, ${which}.\n`);
  else
    for (const event of vault.paths('event'))
      vault.write(event, vault.read(event).replace('confirm: false', 'confirm: true'));
}

/** Tells a story to the end; `between`: is told of each moment at which something is to be done. */
async function told(one: Resident | Visited, { deeds }: Story, start: number, between?: (at: number) => Promise<void>) {
  for (const [which, deed] of deeds.toSorted((a, b) => a.at - b.at).entries()) {
    await passed(one, start + deed.at * HOUR, between);
    act(one, deed, which);
    await one.look();
  }
  await passed(one, start + DAYS * DAY, between);
  await one.look();
}

test('whoever looks when it is said that there is something to do, does all that a resident daemon does; which does nothing before', async () => {
  await fc.assert(
    fc.asyncProperty(story, async (one) => {
      const start = Math.ceil(Date.now() / DAY + 1) * DAY + 12 * HOUR;
      const early: string[] = [];
      await using resident = await new Resident(filesOf(one, start), start, LIVE).start();
      await told(resident, one, start, async (at) => void early.push(...(await earlyDeeds(resident, at))));
      expect(early).toEqual([]);
      const visited = new Visited(filesOf(one, start), start, LIVE);
      await visited.look();
      const comesBy = one.comesBy.map((hour) => start + hour * HOUR);
      await told(visited, one, start, async (at) => {
        for (const moment of comesBy.filter((other) => other > visited.time && other < at).sort()) {
          visited.moveTo(moment);
          await visited.look();
        }
      });
      expect(visited.notes).toEqual(resident.notes);
      expect(visited.effects).toEqual(resident.effects);
    }),
    // An example takes half a minute: to look for a smaller one would take all day.
    { numRuns: Number(process.env.VISIT_RUNS ?? 1), endOnFailure: true },
  );
});
