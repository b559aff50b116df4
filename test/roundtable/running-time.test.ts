import { describe, expect, test } from 'vitest';
import { listEntries } from '../../src/roundtable/log.ts';
import { secondsCovered } from '../../src/roundtable/session.ts';
import { Actors, briefingText, Hall } from './support.ts';

const at = (second: number) => new Date(Date.UTC(2026, 10, 23, 12, 0, second)).toISOString();

describe('how long a phase took', () => {
  test('is the time on the clock: what ran at once counts once, and a pause not at all', () => {
    expect(secondsCovered([])).toBe(0);
    expect(
      secondsCovered([
        { at: at(10), seconds: 10 },
        { at: at(8), seconds: 8 },
        { at: at(12), seconds: 4 },
        { at: at(50), seconds: 5 },
      ]),
    ).toBe(17);
  });

  test('counts what was said before it was cut off, and all who spoke', async () => {
    const hall = new Hall(briefingText());
    const whole = await hall.hold({ agent: new Actors() });
    const entries = whole.entries
      .slice(0, 1)
      .map((one) => (one.what === 'said' ? { ...one, at: at(30), seconds: 30 } : one));
    hall.folder.save({ ...whole, ended: null, ended_at: null, entries });
    const log = await hall.hold({ agent: new Actors() });
    const [opening] = listEntries(log, 'ran');
    expect(opening).toMatchObject({ phase: 'opening', agents: 2 });
    expect(opening?.wall_seconds).toBeGreaterThanOrEqual(30);
    expect(opening?.agents_seconds).toBeGreaterThanOrEqual(30);
    expect(hall.vault.read('roundtable/tiles/round-1.summary.md')).toMatch(
      /\| opening \| 2 \| 3\d\.\d s \| 3\d\.\d s \|/,
    );
  });

  test('is said of every part of the round, the verdict too', async () => {
    const hall = new Hall(briefingText());
    const log = await hall.hold({ agent: new Actors() });
    expect(listEntries(log, 'ran').map(({ phase }) => phase)).toEqual([
      'opening',
      'speaking',
      'review',
      'rebuttal',
      'verdict',
    ]);
    expect(hall.vault.read('roundtable/tiles/round-1.summary.md')).toMatch(
      /\| verdict \| 1 \| .*\n\| together \| 2 \| /,
    );
  });
});

test('the file protocol stands first in what an agent is told', async () => {
  const agent = new Actors();
  await new Hall(briefingText()).hold({ agent });
  const { errand } = agent.heard.find(({ to }) => to === 'Round 1, opening, ada.') ?? {};
  expect(errand?.system[0]).toMatch(/^# Your file: mandatory\n/);
});
