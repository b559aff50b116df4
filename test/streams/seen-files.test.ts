import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readStream } from '../../src/streams/read-stream.ts';
import { unreadStreams } from '../../src/streams/streams.ts';
import { HOUSE, instinct, matter, ODD_TASK, PAID_MAIL, signal } from '../support/notes.ts';
import { ROOF_LICENCE } from '../support/own-signal.ts';
import { Running } from '../support/running.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench } from '../support/workspace.ts';

const KNOWN = {
  ...HOUSE,
  'instinct/mail.md': instinct('mail', { confidence: 1, observations: 60 }),
  'task/pay.md': ODD_TASK.replace('due: 2035-12-01', 'due: 2035-12-01\r\nsenders: [billing@roof.example]'),
};
const never = new AbortController().signal;

test('a mail that is filed away does not do again what a person took back, also over a restart', async () => {
  const vault = new TempVault({ ...KNOWN, ...ROOF_LICENCE });
  const running = await Running.start(vault);
  vault.write('stream/paid.eml', PAID_MAIL);
  const { event } = await running.heard('acted');
  await running.ask({ op: 'undo', events: [event], last: null, reason: null, force: false, dryRun: false });
  expect(vault.fields('task/pay.md').state).toBe('open');
  fs.mkdirSync(vault.at('stream/2026'));
  vault.rename('stream/paid.eml', 'stream/2026/paid.eml');
  await running.sync();
  await running.heard('stream-read', ({ file }) => file === 'stream/2026/paid.eml');
  await running.stop();
  vault.rename('stream/2026/paid.eml', 'stream/2026/paid in november.eml');
  const again = await Running.start(vault);
  await again.heard('stream-read', ({ reason }) => reason === 'it was read as stream/paid.eml');
  await again.sync();
  expect(running.count('signal-written') + again.count('signal-written')).toBe(1);
  expect(vault.fields('task/pay.md').state).toBe('open');
});

test('a mail that gave nothing is read again under another name: the vault may know more by then', async () => {
  const unknown = { 'matter/house.md': matter(), 'stream/one.eml': PAID_MAIL.replaceAll('[[pay]]', 'The walrus') };
  const vault = new TempVault({ ...HOUSE, ...unknown });
  const bench = await Bench.open(vault);
  expect(await readStream(bench.ports, 'stream/one.eml', never)).toMatchObject({ signals: [] });
  vault.rename('stream/one.eml', 'stream/two.eml');
  await bench.sweep();
  const again = await readStream(bench.ports, 'stream/two.eml', never);
  expect(again).toMatchObject({ signals: [], reason: expect.not.stringContaining('one.eml') });
});

test('a mail that comes while the signal folder is away is read when that is back', async () => {
  const quiet = signal({ effect: 'none' });
  const vault = new TempVault({ ...KNOWN, 'signal/a.md': quiet, 'signal/b.md': quiet, 'stream/x.eml': PAID_MAIL });
  const bench = await Bench.open(vault);
  const aside = path.join(vault.home, 'aside');
  fs.renameSync(vault.at('signal'), aside);
  await expect(readStream(bench.ports, 'stream/x.eml', never)).rejects.toThrow(/away/);
  fs.rmSync(vault.at('signal'), { recursive: true, force: true });
  fs.renameSync(aside, vault.at('signal'));
  await bench.sweep();
  expect(unreadStreams(bench.ports)).toEqual(['stream/x.eml']);
  expect(await readStream(bench.ports, 'stream/x.eml', never)).toMatchObject({ signals: [expect.any(String)] });
});

test('a mail that is deleted while it waits its turn leaves no trouble', async () => {
  const vault = new TempVault({ ...KNOWN, 'stream/x.eml': PAID_MAIL });
  const bench = await Bench.open(vault);
  vault.remove('stream/x.eml');
  expect(await readStream(bench.ports, 'stream/x.eml', never)).toBeNull();
});
