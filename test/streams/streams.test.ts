import { expect, test } from 'vitest';
import { Timers } from '../../src/daemon/timers.ts';
import { DEFAULT_SETTINGS } from '../../src/steward/settings.ts';
import { STREAMS } from '../../src/streams/state.ts';
import { Streams } from '../../src/streams/streams.ts';
import { Clock } from '../support/clock.ts';
import { HOUSE, PAID_MAIL } from '../support/notes.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench } from '../support/workspace.ts';

const PAID = 'stream/paid.eml';

async function streamsOf() {
  const clock = new Clock();
  const bench = await Bench.open(new TempVault({ ...HOUSE, [PAID]: PAID_MAIL }), { clock });
  const read: string[] = [];
  const streams = new Streams(bench.ports, new Timers(clock.now), () => read.push('read'));
  return { bench, streams, read };
}

test('a vault without streams loads nothing that reads them, and is drained at once', async () => {
  const { bench, streams } = await streamsOf();
  streams.check();
  streams.settingsChanged(DEFAULT_SETTINGS);
  await streams.idle();
  expect(bench.ports.ingest.targets).toBeNull();
  await streams.close();
});

test('what is added while the reading is loaded is read, once each, and waited for', async () => {
  const { bench, streams, read } = await streamsOf();
  streams.add(PAID);
  streams.add(PAID);
  const asked = streams.read(PAID);
  await streams.idle();
  expect(await asked).toMatchObject({ kind: 'read', file: PAID });
  expect(bench.ports.context.state.get(STREAMS)[PAID]).toMatchObject({ signals: 1 });
  expect(read.length).toBeGreaterThan(0);
  expect(bench.ports.ingest.targets).not.toBeNull();
  await streams.close();
});

test('the loading gives others their turn', async () => {
  const { streams } = await streamsOf();
  let turns = 0;
  let isCounting = true;
  const count = () => {
    turns += 1;
    if (isCounting) setImmediate(count);
  };
  setImmediate(count);
  streams.add(PAID);
  await streams.idle();
  isCounting = false;
  expect(turns).toBeGreaterThanOrEqual(5);
  await streams.close();
});

test('a stop while it is loaded ends it, and the file stays unread', async () => {
  const { bench, streams } = await streamsOf();
  streams.add(PAID);
  await streams.close();
  expect(bench.ports.context.state.get(STREAMS)[PAID]).toBeUndefined();
});
