import { expect, test } from 'vitest';
import { followFlagsAround } from '../../src/daemon/managed-notes.ts';
import { readStream } from '../../src/streams/read-stream.ts';
import { HOUR } from '../support/clock.ts';
import { matter, settings, task } from '../support/notes.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench, SHADOW } from '../support/workspace.ts';

const MAIL = 'stream/mail/letter.eml';
const SAID = 'The gutters have been cleaned.';
const LATER = 'That was a mistake of ours, nobody came.';
const DATE = new Date().toUTCString();
const never = new AbortController().signal;

function mail(text: string, headers: Readonly<Record<string, string>> = {}): string {
  const all = { From: 'Bill <billing@roof.example>', Subject: 'News', Date: DATE, ...headers };
  return [...Object.entries(all).map(([name, value]) => `${name}: ${value}`), '', text, ''].join('\r\n');
}

/** A vault in which half of a mail was read, and made a proposal, or a question if two notes fit it. */
async function halfRead(...titles: readonly string[]) {
  const tasks = titles.map((title) => [`task/${title}.md`, task({ parent_matter: '[[roof]]' })]);
  const vault = new TempVault({
    'steward.md': settings({ settle_seconds: 0 }),
    'matter/roof.md': matter({ senders: ['billing@roof.example'] }),
    ...Object.fromEntries(tasks),
    [MAIL]: mail(SAID),
  });
  const bench = await Bench.open(vault, { env: SHADOW });
  const read = async (text: string) => {
    vault.write(MAIL, text);
    await bench.sweep();
    await readStream(bench.ports, MAIL, never);
    await bench.sweep();
    for (const signal of bench.catalogue.signals()) followFlagsAround(bench.ports, signal);
    await bench.sweep();
  };
  await read(mail(SAID));
  await bench.tick();
  await bench.sweep();
  return { vault, bench, read };
}

test('what half of a mail said is withdrawn if the whole mail does not say it', async () => {
  const { vault, bench, read } = await halfRead('Clean the gutters');
  const [proposed] = bench.waiting();
  expect(proposed).toMatchObject({ kind: 'proposal', target: 'task/Clean the gutters.md' });
  await read(mail(LATER));
  expect(bench.waiting()).toEqual([]);
  const [event = ''] = vault.events();
  expect(vault.fields(event)).toMatchObject({ waiting: false, outcome: 'superseded' });
  expect(vault.read(event)).toContain('the file that it is based on has changed, and no longer says so');
  const [signal = ''] = vault.paths('signal');
  expect(vault.fields(signal)).toMatchObject({ status: 'skipped', withdrawn: true });
  expect((await bench.explain(signal)).sentence).toBe('It was withdrawn: its file has changed, and no longer says so.');
  expect((await bench.explain(MAIL)).sentence).toMatch(/^It gave no signal: /);
  await bench.tick();
  expect(bench.waiting()).toEqual([]);
});

test('it counts again if the mail says it again', async () => {
  const { vault, bench, read } = await halfRead('Clean the gutters');
  await read(mail(LATER));
  await read(mail(`${SAID} All of them.`));
  const [signal = ''] = vault.paths('signal');
  expect(vault.fields(signal)).toMatchObject({ status: 'unrouted' });
  expect(vault.fields(signal).withdrawn).toBeUndefined();
  expect(bench.waiting()).toHaveLength(1);
});

test('another mail under the same name withdraws nothing', async () => {
  const { bench, read } = await halfRead('Clean the gutters');
  await read(mail(LATER, { Date: new Date(Date.now() - HOUR).toUTCString() }));
  expect(bench.waiting()).toHaveLength(1);
  await read(mail(LATER, { From: 'Eve <eve@elsewhere.example>' }));
  expect(bench.waiting()).toHaveLength(1);
});

test('nobody else can withdraw a signal', async () => {
  const { vault, bench } = await halfRead('Clean the gutters');
  const [signal = ''] = vault.paths('signal');
  vault.edit(signal, 'status: unrouted', 'status: skipped\nwithdrawn: true');
  await bench.sweep();
  await bench.follow();
  expect(bench.waiting()).toHaveLength(1);
});
