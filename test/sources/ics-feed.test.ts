import zlib from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { feedAddress, icsSource } from '../../src/sources/ics-feed.ts';
import { type IcsSettings, type Session, type SourceProblem, sourceSettings } from '../../src/sources/source.ts';
import { calendar, entry, NOW, readIn } from './entries.ts';
import { MemoryInlet } from './memory-inlet.ts';
import { WebFake } from './web-fake.ts';

let web: WebFake;
let inlet: MemoryInlet;
let now = NOW;
let feed = '';
const open: Session[] = [];
/** Far behind everything else, so that a feed shows what lies before it. */
const LAST = entry('last', { DTSTART: '20351201T090000Z' });

beforeEach(async () => {
  now = NOW;
  web = await WebFake.start();
  web.answer = () => ({ headers: { 'content-type': 'text/calendar' }, body: feed });
  inlet = new MemoryInlet(() => now);
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((session) => session.close()));
  await web.stop();
});

async function session(fields: Record<string, unknown> = {}, secret: string | null = null): Promise<Session> {
  const connector = icsSource({
    settings: settingsOf({ url: `${web.url}/feed.ics`, ...fields }),
    credential: secret === null ? null : { reveal: async () => secret },
  });
  const opened = await connector.open(inlet, AbortSignal.timeout(60_000));
  open.push(opened);
  return opened;
}

function settingsOf(fields: Record<string, unknown>): IcsSettings {
  const settings = sourceSettings.parse({ kind: 'ics', ...fields });
  if (settings.kind !== 'ics') throw new Error('no feed');
  return settings;
}

async function visit(fields?: Record<string, unknown>, secret?: string | null): Promise<readonly SourceProblem[]> {
  return (await session(fields, secret)).poll();
}

describe('a calendar that lies at an address', () => {
  test('is brought as one file, and not again while nothing changes', async () => {
    feed = calendar(entry('roof'), entry('boiler'), entry('old', { DTSTART: '20300101T090000Z' }), LAST);
    await visit();
    await visit();
    expect(inlet.arrivals).toHaveLength(1);
    expect(await readIn(inlet.texts())).toEqual([
      'boiler confirmed 2035-03-10T09:00 Roof survey',
      'last confirmed 2035-12-01T09:00 Roof survey',
      'roof confirmed 2035-03-10T09:00 Roof survey',
    ]);
  });

  test('is asked for only where it has changed', async () => {
    feed = calendar(entry('roof'), LAST);
    const tag = { etag: '"one"', 'last-modified': 'Fri, 02 Mar 2035 08:00:00 GMT' };
    web.answer = ({ headers }) =>
      headers['if-none-match'] === '"one"' ? { status: 304 } : { headers: tag, body: feed };
    const opened = await session();
    await opened.poll();
    await opened.poll();
    expect(web.asked[1]?.headers).toMatchObject({
      'if-none-match': '"one"',
      'if-modified-since': 'Fri, 02 Mar 2035 08:00:00 GMT',
    });
    expect(inlet.arrivals).toHaveLength(1);
  });

  test('makes no new file because its server stamps it anew', async () => {
    const stamped = (stamp: string) =>
      calendar(entry('roof', { DTSTAMP: stamp, 'LAST-MODIFIED': stamp }), LAST).replace('//Example', `//${stamp}`);
    feed = stamped('20350301T000000Z');
    await visit();
    feed = stamped('20350302T000000Z');
    await visit();
    expect(inlet.arrivals).toHaveLength(1);
  });

  test('gives only what is new and what has changed, with the zones that it needs', async () => {
    const zone = (name: string) =>
      `BEGIN:VTIMEZONE\r\nTZID:${name}\r\nBEGIN:STANDARD\r\nDTSTART:19700101T000000\r\nTZOFFSETFROM:+0300\r\nTZOFFSETTO:+0300\r\nEND:STANDARD\r\nEND:VTIMEZONE`;
    const local = entry('local', { DTSTART: '', 'DTSTART;TZID=Here': '20350310T120000' });
    feed = calendar(zone('Here'), zone('There'), entry('roof'), LAST);
    await visit();
    feed = calendar(zone('Here'), zone('There'), entry('roof'), local, LAST);
    await visit();
    const [, second = ''] = inlet.texts();
    expect(second).toContain('TZID:Here');
    expect(second).not.toContain('There');
    expect(second).not.toContain('roof');
    expect(await readIn([second])).toEqual(['local confirmed 2035-03-10T09:00 Roof survey']);
    feed = calendar(zone('Here'), zone('There'), entry('roof'), LAST);
    await visit();
    expect(await readIn(inlet.texts())).toContain('local cancelled 2035-03-10T09:00 Roof survey');
  });

  test('says that an entry was cancelled which vanished from the midst, and that it is there again', async () => {
    feed = calendar(entry('roof', { SEQUENCE: '3', ORGANIZER: 'mailto:ben@roofers.example' }), LAST);
    await visit();
    feed = calendar(LAST);
    await visit();
    await visit();
    expect(inlet.texts()[1]).toMatch(/METHOD:CANCEL[\s\S]*SEQUENCE:4[\s\S]*STATUS:CANCELLED/);
    expect(inlet.texts()[1]).toContain('ben@roofers.example');
    expect(inlet.arrivals).toHaveLength(2);
    expect(await readIn(inlet.texts())).toContain('roof cancelled 2035-03-10T09:00 Roof survey');
    feed = calendar(entry('roof', { SEQUENCE: '3' }), LAST);
    await visit();
    expect(await readIn(inlet.texts())).toContain('roof confirmed 2035-03-10T09:00 Roof survey');
  });

  test('says nothing of what leaves at an edge of what it shows', async () => {
    const days = (...all: string[]) => calendar(...all.map((day) => entry(day, { DTSTART: `${day}T090000Z` })));
    feed = days('20350302', '20350305', '20350401');
    await visit();
    // The next two only: what comes in between pushes the last one out.
    feed = days('20350305', '20350306');
    await visit();
    feed = days();
    await visit();
    expect(inlet.texts().join()).not.toContain('CANCEL');
  });

  test('is waited for a day where most of it is gone at once', async () => {
    const all = Array.from({ length: 40 }, (_, nth) => entry(`e${nth}`));
    feed = calendar(...all, LAST);
    await visit();
    feed = calendar(LAST);
    expect(await visit()).toMatchObject([{ message: expect.stringContaining('disappeared at once') }]);
    expect(inlet.arrivals).toHaveLength(1);
    feed = calendar(...all, LAST);
    expect(await visit()).toEqual([]);
    feed = calendar(LAST);
    await visit();
    now += 25 * 3_600_000;
    await visit();
    expect(
      inlet
        .texts()
        .join()
        .match(/METHOD:CANCEL/g),
    ).toHaveLength(40);
  });

  test('keeps a series together with what stands for single ones of it', async () => {
    const series = entry('weekly', { DTSTART: '20350105T090000Z', RRULE: 'FREQ=WEEKLY' });
    const moved = entry('weekly', { 'RECURRENCE-ID': '20350309T090000Z', DTSTART: '20350310T110000Z' });
    feed = calendar(series, moved, LAST);
    await visit();
    expect(await readIn(inlet.texts())).toEqual([
      'last confirmed 2035-12-01T09:00 Roof survey',
      'weekly confirmed 2035-03-02T09:00 Roof survey',
      'weekly confirmed 2035-03-10T11:00 from 2035-03-09T09:00 Roof survey',
    ]);
    feed = calendar(
      entry('weekly', { DTSTART: '20350105T090000Z', RRULE: 'FREQ=WEEKLY', EXDATE: '20350309T090000Z' }),
      LAST,
    );
    await visit();
    expect(await readIn(inlet.texts())).toContain(
      'weekly cancelled 2035-03-10T11:00 from 2035-03-09T09:00 Roof survey',
    );
  });

  test('comes packed, and in its own charset', async () => {
    const packed = calendar(entry('roof', { SUMMARY: 'Dach prüfen' }), LAST);
    web.answer = () => ({ headers: { 'content-encoding': 'gzip' }, body: zlib.gzipSync(packed) });
    await visit();
    expect(await readIn(inlet.texts())).toContain('roof confirmed 2035-03-10T09:00 Dach prüfen');
    expect(web.asked[0]?.headers['accept-encoding']).toContain('gzip');
  });

  test('is told to a person', async () => {
    feed = calendar(entry('roof'), entry('old', { DTSTART: '20300101T090000Z' }));
    expect(await (await session()).describe()).toEqual(['1 calendar: 2 entries, 1 of them not long past']);
  });

  test('is brought again where nothing was put in, and once', async () => {
    feed = calendar(entry('roof'), LAST);
    inlet.before = () => {
      throw new Error('the disk is full');
    };
    await expect(visit()).rejects.toThrow('the disk is full');
    inlet.before = () => {};
    await visit();
    expect(inlet.arrivals).toHaveLength(1);
  });
});

describe('what is secret', () => {
  test('stands in the address where the note leaves a place for it, and in no header', async () => {
    feed = calendar(entry('roof'));
    await visit({ url: `${web.url}/private-{secret}/basic.ics?x={secret}` }, 's3cret\n');
    expect(web.asked[0]?.path).toBe('/private-s3cret/basic.ics?x=s3cret');
    expect(web.asked[0]?.headers.authorization).toBeUndefined();
    expect(JSON.stringify(inlet.at)).not.toContain('s3cret');
  });

  test('stands in a header where the note names a user', async () => {
    feed = calendar(entry('roof'));
    await visit({ user: 'anna' }, 'right');
    expect(web.asked[0]?.headers.authorization).toBe(`Basic ${Buffer.from('anna:right').toString('base64')}`);
  });

  test.each([
    ['https://{secret}.example/a.ics', 'evil'],
    ['https://calendar.example{secret}/a.ics', '.evil.example'],
    ['https://calendar.example:{secret}/a.ics', '8443'],
    ['https://calendar.example/{secret}.ics', 'two words'],
  ])('cannot say to whom it is sent: %s', (written, secret) => {
    expect(() => feedAddress(written, secret)).toThrow(/can't be built/);
  });

  test('is asked for where the address needs it', () => {
    expect(() => feedAddress('https://calendar.example/{secret}', null)).toThrow(/is missing/);
  });

  test('webcal is https', () => {
    expect(settingsOf({ url: 'webcal://calendar.example/a.ics' }).url).toBe('https://calendar.example/a.ics');
    expect(() => settingsOf({ url: 'webcal://anna:pw@calendar.example/a.ics' })).toThrow();
  });
});
