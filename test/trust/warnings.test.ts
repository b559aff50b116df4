import { expect, test } from 'vitest';
import { HOUSE, PAID_MAIL, task } from '../support/notes.ts';
import { Running } from '../support/running.ts';
import { TempVault } from '../support/temp-vault.ts';
import { only } from '../support/workspace.ts';

/** The mail of the roofers, from an address of somebody else's that looks like theirs, and that its own server vouches for. */
const LOOK_ALIKE = PAID_MAIL.replaceAll('roof.example', 'r00f.example');
const CARRIED = PAID_MAIL.replace('From: Roof & Sons <', 'From: "billing@roof.example" <eve@evil.example').replace(
  /<eve@evil\.example[^>]*>/,
  '<eve@evil.example>',
);

test.each([
  ['a look-alike address', LOOK_ALIKE, /looks like billing@roof\.example, which this vault names, and is not it/],
  ['a display name that carries another address', CARRIED, /billing@roof\.example/],
])('%s is named in the signal and in the event note, and only proposes', async (_, mail, odd) => {
  const vault = new TempVault({ ...HOUSE, 'task/pay.md': task() });
  const running = await Running.start(vault);
  vault.write('stream/mail/odd.eml', mail);
  await running.heard('signal-written');
  await running.sync();
  await running.ask({ op: 'tick', matters: ['house'], force: true, mode: null });
  const signal = `signal/${only(vault.names('signal'))}`;
  expect(vault.fields(signal).warnings).toEqual([expect.stringMatching(odd)]);
  const event = only(vault.events());
  expect(vault.fields(event).warning).toMatch(/^⚠ /);
  expect(vault.read(event)).toMatch(/^> \[!warning\] ⚠ /m);
  expect(vault.read(event).replaceAll('\\', '')).toMatch(odd);
  expect(vault.fields('task/pay.md').state).toBe('open');
});
