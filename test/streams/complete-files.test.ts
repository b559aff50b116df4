import fs from 'node:fs';
import { expect, test, vi } from 'vitest';
import { Timers } from '../../src/daemon/timers.ts';
import { Streams } from '../../src/streams/streams.ts';
import { HOUSE, PAID_MAIL } from '../support/notes.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench } from '../support/workspace.ts';

const FILE = 'stream/paid.eml';

/** `told`: the watcher knows that it was moved. */
type How = 'in place' | 'in place, told' | 'empty, told';

/** What becomes of a file that was last written this long ago (ms): read now, or looked at again so many ms later. */
async function taken(ageMs: number, isClosed: () => boolean, how?: How): Promise<string> {
  const vault = new TempVault({ ...HOUSE, [FILE]: PAID_MAIL });
  if (how !== undefined) fs.writeFileSync(vault.at(FILE), how === 'empty, told' ? '' : PAID_MAIL);
  const { ports } = await Bench.open(vault);
  if (how?.endsWith('told') === true) vi.spyOn(ports.vault, 'hasArrived').mockReturnValue(true);
  const { ctimeMs: changedAt } = fs.statSync(vault.at(FILE));
  const context = { ...ports.context, now: () => Math.floor(changedAt) + ageMs };
  const space = { ...ports, context, ingest: { ...ports.ingest, isClosed } };
  const timers = new Timers(context.now);
  const later = vi.spyOn(timers, 'at').mockImplementation(() => {});
  const streams = new Streams(space, timers);
  const read = vi.spyOn(streams, 'add').mockImplementation(() => {});
  streams.streamed([FILE]);
  if (read.mock.calls.length > 0) return 'read now';
  const [[moment = 0] = []] = later.mock.calls;
  return `in ${Math.round((moment - context.now()) / 5) * 5}`;
}

const throwing = (): boolean => {
  throw new Error('gone');
};

type Case = readonly [name: string, ageMs: number, isClosed: () => boolean, result: string, how?: How];

const CASES: readonly Case[] = [
  ['just moved', 5, () => true, 'in 5'],
  ['closed by its writer', 40, () => true, 'read now'],
  ['written in place, and closed', 40, () => true, 'in 210', 'in place'],
  ['moved as soon as it was written', 40, () => true, 'read now', 'in place, told'],
  ['just made, and still empty', 40, () => true, 'in 210', 'empty, told'],
  ['told to be moved, and open', 40, () => false, 'in 210', 'in place, told'],
  ['still open for writing', 40, () => false, 'in 210'],
  ['written by who knows whom', 40, throwing, 'in 210'],
  ['quiet for long, though still open', 300, () => false, 'read now'],
  ['written by a clock that is ahead', -10_000, () => true, 'read now'],
];

for (const [name, ageMs, isClosed, result, how] of CASES)
  test(`a stream file that is ${name}`, async () => {
    expect(await taken(ageMs, isClosed, how)).toBe(result);
  });
