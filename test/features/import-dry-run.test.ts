import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { dryRun, importFiles } from '../../src/features/import.ts';
import { readStream } from '../../src/streams/read-stream.ts';
import { mailbox, mailText, paidMail } from '../streams/mailboxes.ts';
import { HOUSE, PAID_MAIL } from '../support/notes.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench } from '../support/workspace.ts';

const NEVER = new AbortController().signal;
const OLD = new Date(Date.now() - 30 * 86_400_000);
const BOX = mailbox(
  paidMail('one'),
  paidMail('one'),
  mailText({ id: 'two' }),
  mailText({ id: 'three', date: OLD }),
  mailText({ id: 'four', date: OLD }),
);

async function world(outside: Readonly<Record<string, string>>) {
  const vault = new TempVault(HOUSE);
  const at = (name: string) => path.join(vault.home, 'outside', name);
  for (const [name, text] of Object.entries(outside)) {
    fs.mkdirSync(path.dirname(at(name)), { recursive: true });
    fs.writeFileSync(at(name), text);
  }
  const dry = async (names: readonly string[], most = 100) => {
    const { ports } = await Bench.reading(vault);
    return dryRun(ports, names.map(at), { most, tell: () => {} });
  };
  return { vault, at, dry };
}

function listing(folder: string): string[] {
  const all = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return all.sort().map((name) => `${name} ${fs.statSync(path.join(folder, name)).mtimeMs}`);
}

test('nothing is copied or written, and each event that gives no signal is counted by its reason', async () => {
  const { vault, dry } = await world({ 'a.eml': PAID_MAIL, 'box.mbox': BOX, 'b.pages': 'x' });
  const before = listing(vault.root);
  const { files, signals, model } = await dry(['a.eml', 'box.mbox', 'b.pages']);
  expect(listing(vault.root)).toEqual(before);
  expect(files).toMatchObject([
    { file: 'stream/a.eml', events: 1, signals: 1, understood: true },
    { file: 'stream/box.mbox', events: 5, signals: 1, known: 1, refused: 0 },
    { file: null, understood: false, reason: '.pages files are not read' },
  ]);
  expect(files[1]?.silent).toEqual([
    { reason: 'older than 14 days', count: 2 },
    { reason: 'a note fits but is not changed', count: 1 },
  ]);
  expect(signals).toMatchObject([
    { event: 'stream/a.eml', place: null, target: 'task/pay.md', change: { set: { state: 'done' } } },
    { event: expect.stringContaining('stream/box.mbox#'), place: expect.stringContaining('message 1') },
  ]);
  expect(model).toBeNull();
});

test('what it says is what the import does', async () => {
  const { vault, at, dry } = await world({ 'a.eml': PAID_MAIL, 'box.mbox': BOX });
  const names = ['a.eml', 'box.mbox'];
  const said = await dry(names);
  const { ports } = await Bench.open(vault);
  const done = await importFiles(ports, names.map(at), {
    read: (file, onProgress) => readStream(ports, file, NEVER, onProgress),
    tell: () => {},
    abort: NEVER,
  });
  expect(done.map(({ signals }) => signals.length)).toEqual(said.files.map(({ signals }) => signals));
  const written = ports.vault.catalogue.signals().map(({ fields }) => [fields.source_event_path, fields.raw_quote]);
  expect(written.sort()).toEqual(said.signals.map(({ event, quote }) => [event, quote]).sort());
  ports.context.state.flush();
  ports.ingest.known.flush();
  expect((await dry(names)).files).toMatchObject([
    { events: 1, known: 1, signals: 0 },
    { events: 5, known: 3, signals: 0 },
  ]);
});

test('of events that are too old for an import, it shows what they would have led to at their time', async () => {
  const old = paidMail('old').replace(/^Date: .*$/m, `Date: ${OLD.toUTCString()}`);
  const { dry } = await world({ 'box.mbox': mailbox(paidMail('new'), old) });
  const { files, signals } = await dry(['box.mbox']);
  expect(files).toMatchObject([{ events: 2, signals: 1, old: 1 }]);
  expect(files[0]?.silent).toEqual([{ reason: 'older than 14 days', count: 1 }]);
  expect(signals.map(({ isOld, target }) => [isOld, target])).toEqual([
    [false, 'task/pay.md'],
    [true, 'task/pay.md'],
  ]);
});

test('only so many signals are kept as are shown, and all are counted', async () => {
  const { dry } = await world({ 'box.mbox': mailbox(...['a', 'b', 'c'].map((id) => paidMail(id))) });
  const { files, signals } = await dry(['box.mbox'], 2);
  expect(signals).toHaveLength(2);
  expect(files).toMatchObject([{ signals: 3 }]);
});

test('a model is not asked; how often it would be, and what that may take, is said', async () => {
  const { vault, at } = await world({ 'box.mbox': mailbox(paidMail('a'), paidMail('b'), mailText({ id: 'c' })) });
  const { ports } = await Bench.reading(vault);
  ports.models.extractor = {
    ...{ name: 'model-x', asksModel: true },
    extract: () => Promise.reject(new Error('asked')),
    estimate: () => ({ model: 'model-x', tokens_in: 100, tokens_out: 10, usd: 0.5 }),
  };
  const { signals, model } = await dryRun(ports, [at('box.mbox')], { most: 100, tell: () => {} });
  expect(signals).toHaveLength(2);
  expect(model).toEqual({
    ...{ name: 'model-x', questions: 3 },
    most: { model: 'model-x', tokens_in: 300, tokens_out: 30, usd: 1.5 },
  });
});
