import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { importSent } from '../../src/features/import.ts';
import { fieldTrouble, sourceName } from '../../src/sources/source.ts';
import { readStream } from '../../src/streams/read-stream.ts';
import { HOUSE, matter, settings, task } from '../support/notes.ts';
import { ownLicence } from '../support/own-signal.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench } from '../support/workspace.ts';

const ME = 'robin@sample.example';
const never = new AbortController().signal;

function mail(text: string, from = ME, nth = 1): string {
  return [
    `From: Robin <${from}>`,
    'To: Joanna <joanna@northgate.example>',
    'Subject: Fee',
    `Date: ${new Date().toUTCString()}`,
    `Message-ID: <${nth}@sample.example>`,
    '',
    text,
    '',
  ].join('\r\n');
}

/** A vault with the task `Pay the notary fee`, and a folder outside it with these files. */
async function house(files: Readonly<Record<string, string>>, more = {}) {
  const vault = new TempVault({
    ...HOUSE,
    'matter/house.md': matter({ senders: ['joanna@northgate.example'] }),
    'task/Pay the notary fee.md': task(),
    'task/Sign the deed.md': task(),
    'steward.md': settings({ settle_seconds: 0 }),
    ...more,
  }).identify();
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(vault.home, name)), { recursive: true });
    fs.writeFileSync(path.join(vault.home, name), text);
  }
  const bench = await Bench.open(vault);
  await bench.sweep();
  const bring = (...names: string[]) =>
    importSent(
      bench.ports,
      names.map((name) => path.join(vault.home, name)),
      'Robin <Robin@sample.example>',
      { read: (file) => readStream(bench.ports, file, never), tell: () => {}, abort: never },
    );
  const signals = () => vault.names('signal').map((name) => vault.fields(`signal/${name}`));
  return { vault, bench, bring, signals };
}

test('a mail that the user says is theirs is their own word, and acts under its licence', async () => {
  const licence = ownLicence('licence/sent.md', { sender: `sent:${ME}` });
  const { vault, bench, bring, signals } = await house(
    { 'out/1.eml': mail('Hello Joanna,\r\n\r\nThe notary fee has been paid.') },
    { 'licence/sent.md': licence },
  );
  expect(await bring('out/1.eml')).toMatchObject([
    {
      file: expect.stringMatching(/^stream\/imported\/[0-9a-f]{12}\.eml$/),
      signals: [expect.any(String)],
      reason: null,
    },
  ]);
  expect(signals()).toMatchObject([{ source_type: 'sent', pattern: ME, authenticated_by: 'your imported file' }]);
  await bench.tick();
  expect(vault.fields('task/Pay the notary fee.md').state).toBe('done');
});

test('of a Maildir, only what is theirs and concerns an open note comes into the vault', async () => {
  const { vault, bring, signals } = await house({
    'Sent/cur/1:2,S': mail('I have paid the notary fee today.', ME, 1),
    'Sent/cur/2:2,S': mail('The deed is signed.', 'joanna@northgate.example', 2),
    'Sent/cur/3:2,S': mail('Happy birthday!', ME, 3),
    'Sent/new/4': `Delivered-To: ${ME}\r\n${mail('The deed is signed.', ME, 4)}`,
    'Sent/tmp/5': mail('The deed is signed.', ME, 5),
  });
  const [came] = await bring('Sent');
  expect(came).toMatchObject({ complete: true, items: { read: 4, signals: 1, none: 3 } });
  expect(signals()).toHaveLength(1);
  expect(vault.names('stream/imported')).toHaveLength(1);
  expect(await bring('Sent')).toMatchObject([{ items: { read: 4 } }]);
  expect(signals()).toHaveLength(1);
});

test('a mailbox in one file is refused, with the reason', async () => {
  const { vault, bring } = await house({
    'sent.mbox': `From - Thu Mar 01 08:00:00 2035\n${mail('The deed is signed.')}`,
  });
  expect(await bring('sent.mbox')).toMatchObject([
    { file: null, understood: false, reason: expect.stringContaining('only single mails') },
  ]);
  expect(vault.has('stream/sent.mbox')).toBe(false);
});

test('no source has the name that stands for such files', () => {
  expect(sourceName.safeParse('imported').success).toBe(false);
  expect(fieldTrouble({ kind: 'imap', host: 'imap.example', user: ME })).toBeNull();
});
