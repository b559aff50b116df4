import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { parseMail, textMail } from '../../src/streams/mail.ts';

/*
 * Mails in odd charsets, with header words that were cut, and with words that can't be read; beside each of them what is read in
 * it. To add a case, add a mail and run `vitest run test/streams/mail-cases.test.ts -u`.
 */
const FOLDER = path.join(import.meta.dirname, 'mail-cases');
const MAILS = fs.readdirSync(FOLDER).filter((name) => name.endsWith('.eml'));
const DOOR = { sourceType: 'mail', trustedServers: [] };

describe('a mail', () => {
  test.each(MAILS)('is read as far as it can be: %s', async (name) => {
    const place = path.join(FOLDER, name);
    await expect(await readingOf(fs.readFileSync(place))).toMatchFileSnapshot(`${place}.yaml`);
  });

  test.each(MAILS)('that is kept without its files is read alike: %s', async (name) => {
    const bytes = fs.readFileSync(path.join(FOLDER, name));
    const small = await textMail(bytes);
    if (small !== null) expect(await readingOf(small.bytes)).toBe(await readingOf(bytes));
  });
});

test('a picture is left out of a mail that is kept without its files, and is still the reason why it is not read', async () => {
  const photo = fs.readFileSync(path.join(FOLDER, 'only-a-picture-attached.eml'));
  const large = Buffer.from(
    photo.toString('latin1').replace('base64\n\n', `base64\n\n${'QUJD\n'.repeat(1000)}`),
    'latin1',
  );
  const small = await textMail(large);
  expect(small?.bytes.length).toBeLessThan(1000);
  expect(await readingOf(small?.bytes ?? large)).toContain('only a picture');
});

async function readingOf(bytes: Uint8Array): Promise<string> {
  const read = await parseMail('stream/x.eml', bytes, DOOR);
  if (!read.ok) return stringify({ refused: read.trouble.message });
  const { from, fromName, subject, text, quoted, doubts, unread } = read.event;
  return stringify({
    ...{ from, fromName, subject, text },
    ...(quoted === '' ? {} : { quoted }),
    ...(doubts.length === 0 ? {} : { doubts }),
    ...(unread === undefined ? {} : { unread }),
  });
}
