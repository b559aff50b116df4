import { expect, test } from 'vitest';
import { HOUSE, settings, signal } from '../../support/notes.ts';
import { Running } from '../../support/running.ts';
import { TempVault } from '../../support/temp-vault.ts';

const FLOW = '---\n{type: task, state: open, parent_matter: "[[house]]"}\n---\nA task.\n';

test('a change that cannot be written into a note to the byte is put to a person', async () => {
  const vault = new TempVault({ ...HOUSE, 'steward.md': settings({ settle_seconds: 0 }), 'task/pay.md': FLOW });
  const running = await Running.start(vault);
  vault.write('signal/s1.md', signal());
  await running.heard('recorded');
  await running.sync();
  expect(vault.read('task/pay.md')).toBe(FLOW);
  expect(running.daemon.status().waiting).toMatchObject([
    { kind: 'question', target: 'task/pay.md', change: 'Invoice paid', answers: ['dismiss'] },
  ]);
  const [event = ''] = vault.events();
  expect(vault.read(event)).toContain('not written as one field a line');
});
