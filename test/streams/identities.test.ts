import fs from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { KnownEvents } from '../../src/streams/state.ts';
import type { Identity } from '../../src/streams/stream.ts';
import { lawRuns } from '../support/laws.ts';
import { TempVault } from '../support/temp-vault.ts';

const DAY = 24 * 60 * 60 * 1000;
const identity = (key: string): Identity => ({ key, version: 'v', otherwise: 'other' });
const known = (version: string) => ({ version, path: 'stream/x.mbox#0123456789ab', gave: false });

function memory(now: () => number = Date.now) {
  const folder = new TempVault().at('known');
  const open = () => new KnownEvents({ folder, demand: () => {}, now });
  return { folder, open };
}

test('what was added is known at once, and after a restart once it was flushed', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.string(), fc.string({ maxLength: 40 })), { maxLength: 30 }), (pairs) => {
      const { open } = memory();
      const first = open();
      for (const [nth, [key, version]] of pairs.entries()) {
        first.add(identity(key), known(version));
        if (nth % 3 === 0) first.flush();
      }
      const expected = (key: string) => pairs.filter(([one]) => one === key).map(([, version]) => version);
      for (const [key] of pairs) expect(first.of(identity(key)).map(({ version }) => version)).toEqual(expected(key));
      first.flush();
      for (const [key] of pairs)
        expect(
          open()
            .of(identity(key))
            .map(({ version }) => version),
        ).toEqual(expected(key));
    }),
    { numRuns: lawRuns(50) },
  );
});

test('a line that a power cut left half written costs nothing but itself', () => {
  const { folder, open } = memory();
  const first = open();
  first.add(identity('a'), known('1'));
  first.flush();
  const [part = ''] = fs.readdirSync(folder);
  fs.truncateSync(`${folder}/${part}`, fs.statSync(`${folder}/${part}`).size - 9);
  const again = open();
  expect(again.of(identity('a'))).toEqual([]);
  again.add(identity('a'), known('2'));
  again.flush();
  expect(open().of(identity('a'))).toEqual([known('2')]);
});

test('what was read more than 400 days ago is forgotten', () => {
  let now = Date.parse('2034-01-01');
  const { open } = memory(() => now);
  const first = open();
  first.add(identity('a'), known('1'));
  first.flush();
  now += 399 * DAY;
  first.add(identity('a'), known('2'));
  first.flush();
  first.prune();
  expect(open().of(identity('a'))).toEqual([known('1'), known('2')]);
  now += 2 * DAY;
  first.prune();
  expect(open().of(identity('a'))).toEqual([known('2')]);
});
