import { afterEach, expect, test } from 'vitest';
import { listEntries } from '../../src/roundtable/log.ts';
import { Actors, answering, behave, briefingText, Hall, write } from './support.ts';

const NODE = process.execPath;

afterEach(() => {
  process.execPath = NODE;
});

test('a check that dies is said to the judge and in the rebuttal, in the log and on the scoreboard, and establishes nothing', async () => {
  const hall = new Hall(briefingText());
  const agent = new Actors({
    'Round 1, speaking, ada.': () => `It costs 4711 EUR. ${'I say so, and again. '.repeat(500)}`,
    'Round 1, verdict, judge.': async (errand) => {
      await write(errand, 'roundtable/tiles/round-1.summary.md', '# Round 1\n\n## Established\n- It costs 4711 EUR.\n');
      return 'Convergence: yes';
    },
    'Round 1': behave,
  });
  process.execPath = '/nowhere/node';
  const log = await hall.hold({ agent, evidence: answering({}) });
  expect(agent.asked('Round 1, review, judge')).toContain(
    '"not_checked":"not checked: looking up what was said failed"',
  );
  expect(agent.asked('Round 1, rebuttal, ada')).toContain(
    '"not_checked":"not checked: looking up what was said failed"',
  );
  expect(listEntries(log, 'note').map(({ text }) => text)).toContain(
    'All that was said is not checked: looking up what was said failed.',
  );
  expect(hall.vault.read('roundtable/tiles/scoreboard.md')).toContain('They were not checked');
  const closed = listEntries(log, 'closed')[0];
  expect(closed?.debate).toMatchObject({ established: [], open: ['Not checked: It costs 4711 EUR.'] });
});
