import { expect, test } from 'vitest';
import { Clock, DAY } from '../../support/clock.ts';
import { HOUSE, task, weak } from '../../support/notes.ts';
import { TempVault } from '../../support/temp-vault.ts';
import { Bench, only } from '../../support/workspace.ts';

test('after a clock that ran ahead a proposal waits for the person', async () => {
  const vault = new TempVault({ ...HOUSE, 'task/pay.md': task(), 'signal/a.md': weak() });
  const clock = new Clock();
  const bench = await Bench.open(vault, { clock });
  clock.move(30 * DAY);
  await bench.tick();
  await bench.dismiss(only(vault.events()));
  clock.move(-30 * DAY);
  vault.write('signal/b.md', weak({ raw_quote: 'b' }));
  await bench.tick();
  expect(bench.openProposals()).toHaveLength(1);
  await bench.dismiss(only(bench.openProposals()).event.path);
  expect(vault.read('task/pay.md')).toBe(task());
});

test('a refusal is noted again after a clock that ran ahead is set back', async () => {
  const vault = new TempVault({ ...HOUSE, 'task/pay.md': task() });
  const clock = new Clock();
  const bench = await Bench.open(vault, { clock });
  const burst = async (name: string) => {
    for (let nth = 0; nth < 7; nth += 1) {
      vault.write(`signal/${name}${nth}.md`, weak({ raw_quote: `${name}${nth}` }));
      await bench.tick();
    }
  };
  clock.move(365 * DAY);
  await burst('a');
  clock.move(-364 * DAY);
  await burst('b');
  const refusals = vault.events().filter((event) => vault.fields(event).decision === 'rate_guarded');
  expect(refusals).toHaveLength(2);
});
