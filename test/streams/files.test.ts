import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { STREAM_KINDS } from '../../src/streams/kinds.ts';
import { FileRefusal } from '../../src/streams/stream.ts';
import { eventsIn, type ReadItem, readAll } from './read-all.ts';
import { kindOf } from './read-chats.ts';

/*
 * Each folder has files of one kind, and beside each of them what is read in it: `german.sta` and `german.sta.yaml`. What is
 * empty, false or null isn't written. To add a case, add a file and run `vitest run test/streams/files.test.ts -u`.
 */
const FOLDERS = [
  ...['bank-csv', 'calendar', 'camt', 'clipping', 'matrix', 'mbox', 'mt940', 'ofx'],
  ...['signal-chat', 'subtitles', 'telegram', 'transcript', 'vexa', 'whatsapp'],
];

describe.each(FOLDERS)('%s', (folder) => {
  const all = fs.readdirSync(path.join(import.meta.dirname, folder));
  const files = all.filter((name) => !name.endsWith('.yaml'));

  test.each(files)('%s', async (name) => {
    const place = path.join(import.meta.dirname, folder, name);
    await expect(await readingOf(name, fs.readFileSync(place))).toMatchFileSnapshot(`${place}.yaml`);
  });
});

test.each<[name: string, taken: readonly string[], left: string]>([
  ['mt940', ['a.sta', 'b.MT940', 'c.940', 'd.swi', 'e.txt'], 'f.csv'],
  ['camt', ['march.xml', 'a/b.CAMT', 'march.c53'], 'march.csv'],
  ['ofx', ['march.ofx', 'a/MARCH.QFX'], 'march.csv'],
  ['bank-csv', ['stream/a.csv'], 'stream/a.txt'],
])('%s takes files by their names', (name, taken, left) => {
  const kind = STREAM_KINDS.find((one) => one.name === name);
  expect([...taken, left].filter((file) => kind?.takes(file))).toEqual(taken);
});

const YAML = { lineWidth: 0, aliasDuplicateObjects: false };

/** Returns what is read in a file, by which kind, as YAML. */
async function readingOf(name: string, bytes: Uint8Array): Promise<string> {
  const file = `stream/${name}`;
  const kind = kindOf(file, bytes);
  if (kind === null) return 'kind: null\n';
  const context = { file, sourceType: kind.sourceType };
  try {
    const items = await readAll(kind, bytes, context);
    const half = Math.floor(items.length / 2);
    // A file is read on from any item, with the same events; of some kinds the place is then told in another way.
    const on = items.length === 0 ? [] : await readAll(kind, bytes, { ...context, from: items[half]?.at ?? 0 });
    expect(on.map(({ content }) => content)).toEqual(items.slice(half).map(({ content }) => content));
    for (const event of eventsIn(items)) expect(event).toMatchObject({ path: file, sourceType: kind.sourceType });
    return stringify({ kind: kind.name, source: kind.sourceType, items: items.map(itemOf) }, YAML);
  } catch (error) {
    if (!(error instanceof FileRefusal)) throw error;
    return stringify({ kind: kind.name, refused: error.message, hint: error.hint }, YAML);
  }
}

function itemOf({ place, content }: ReadItem): object {
  if (content.what !== 'event') return { place, [content.what]: content.reason };
  const { subject, text, path: _path, sourceType: _source, authentication, ...event } = content.event;
  const sent = authentication.result === 'none' ? {} : { authentication };
  return withoutEmpty({ place, ...content.identity, subject, text, ...event, ...sent });
}

function withoutEmpty(value: object): object {
  const fields = Object.entries(value).map(([name, of]) => [name, isObject(of) ? withoutEmpty(of) : of]);
  return Object.fromEntries(fields.filter(([, of]) => of !== null && of !== '' && of !== false && of?.length !== 0));
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
