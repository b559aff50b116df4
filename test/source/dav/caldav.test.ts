import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Session, SourceProblem } from '../../../src/source/connector.ts';
import { caldavConnector } from '../../../src/source/dav/caldav.ts';
import { sourceSettings } from '../../../src/source/source-note.ts';
import { MemoryInlet } from '../memory-inlet.ts';
import { DavFake } from './dav-fake.ts';
import { calendar, entry, NOW, readIn } from './entries.ts';

let fake: DavFake;
let inlet: MemoryInlet;
let now = NOW;
const open: Session[] = [];

beforeEach(async () => {
  now = NOW;
  fake = await DavFake.start();
  inlet = new MemoryInlet(() => now);
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((session) => session.close()));
  await fake.stop();
});

async function session(fields: Record<string, unknown> = {}): Promise<Session> {
  const settings = sourceSettings.parse({ kind: 'caldav', url: fake.url, user: 'anna', ...fields });
  if (settings.kind !== 'caldav') throw new Error('no calendar server');
  const connector = caldavConnector({ settings, credential: { reveal: async () => 'right' } });
  const opened = await connector.open(inlet, AbortSignal.timeout(60_000));
  open.push(opened);
  return opened;
}

async function visit(fields: Record<string, unknown> = {}): Promise<readonly SourceProblem[]> {
  return (await session(fields)).visit();
}

describe('what a calendar server has', () => {
  test('is found from the address in the note by way of the principal, and brought with its own bytes', async () => {
    const home = fake.calendar('Home');
    const own = calendar(entry('roof', { DESCRIPTION: 'a < b & c' }));
    fake.put(home, 'roof.ics', own);
    expect(await visit()).toEqual([]);
    expect(inlet.texts()).toEqual([own.trim()]);
    expect(inlet.arrivals[0]?.content?.kind).toBe('calendar');
  });

  test('is found by the well-known address where the note names the host alone', async () => {
    fake.put(fake.calendar('Home'), 'roof.ics', calendar(entry('roof')));
    await visit({ url: `http://127.0.0.1:${fake.port}/` });
    expect(inlet.arrivals).toHaveLength(1);
  });

  test('is told to a person', async () => {
    const home = fake.calendar('Home');
    for (let nth = 0; nth < 3; nth += 1) fake.put(home, `${nth}.ics`, calendar(entry(`e${nth}`)));
    fake.put(fake.calendar('Work'), 'w.ics', calendar(entry('w')));
    fake.calendar('Tasks', { components: ['VTODO'] });
    expect(await (await session()).describe()).toEqual(['2 calendars: Home (3 entries), Work (1)']);
    expect(await (await session({ calendars: ['work'] })).describe()).toEqual([
      '1 calendar: Work (1 entry)',
      'Not followed: Home',
    ]);
  });

  test('is asked for once: a second visit costs one question and brings nothing', async () => {
    fake.put(fake.calendar('Home'), 'roof.ics', calendar(entry('roof')));
    const opened = await session();
    await opened.visit();
    const before = fake.asked.length;
    await opened.visit();
    expect(fake.asked.length - before).toBe(1);
    expect(inlet.arrivals).toHaveLength(1);
  });

  test('is not fetched where it has long been over', async () => {
    const home = fake.calendar('Home');
    for (let nth = 0; nth < 120; nth += 1) {
      fake.put(home, `old${nth}.ics`, calendar(entry(`old${nth}`, { DTSTART: '20300101T090000Z' })));
    }
    fake.put(home, 'roof.ics', calendar(entry('roof')));
    await visit();
    expect(inlet.arrivals).toHaveLength(1);
    expect(fake.bodies('calendar-multiget').join('')).not.toContain('old');
    expect(JSON.stringify(inlet.at)).not.toContain('old');
  });

  test('is fetched fifty at a time', async () => {
    const home = fake.calendar('Home');
    for (let nth = 0; nth < 120; nth += 1) fake.put(home, `${nth}.ics`, calendar(entry(`e${nth}`)));
    await visit();
    expect(inlet.arrivals).toHaveLength(120);
    expect(fake.bodies('calendar-multiget').map((body) => body.split('href>').length)).toEqual([101, 101, 41]);
  });

  test('is brought whole where an entry is large', async () => {
    const large = calendar(entry('roof', { DESCRIPTION: 'long '.repeat(60_000) }));
    fake.put(fake.calendar('Home'), 'roof.ics', large);
    await visit();
    expect(inlet.texts()[0]).toBe(large.trim());
  });
});

for (const [server, how] of [
  ['a server with sync-collection', {}],
  ['a server without it', { syncs: false }],
  ['a server that can leave nothing out', { syncs: false, filters: false }],
  ['a server without ETags', { syncs: false, tags: false }],
] as const) {
  describe(server, () => {
    let home = '';
    beforeEach(() => {
      Object.assign(fake, how);
      home = fake.calendar('Home');
      fake.put(home, 'roof.ics', calendar(entry('roof')));
      fake.put(home, 'other.ics', calendar(entry('other')));
      fake.put(home, 'old.ics', calendar(entry('old', { DTSTART: '20300101T090000Z' })));
    });

    test('brings what is new and what has changed, and nothing twice', async () => {
      await visit();
      await visit();
      expect(inlet.arrivals).toHaveLength(2);
      fake.put(home, 'roof.ics', calendar(entry('roof', { DTSTART: '20350311T090000Z', SEQUENCE: '1' })));
      fake.put(home, 'new.ics', calendar(entry('new')));
      await visit();
      await visit();
      expect(inlet.arrivals).toHaveLength(4);
      expect(await readIn(inlet.texts())).toEqual([
        'new confirmed 2035-03-10T09:00 Roof survey',
        'other confirmed 2035-03-10T09:00 Roof survey',
        'roof confirmed 2035-03-11T09:00 Roof survey',
      ]);
    });

    test('has what was deleted brought as cancelled, once', async () => {
      await visit();
      fake.remove(home, 'roof.ics');
      fake.remove(home, 'old.ics');
      await visit();
      await visit();
      expect(inlet.arrivals).toHaveLength(3);
      expect(await readIn(inlet.texts())).toContain('roof cancelled 2035-03-10T09:00 Roof survey');
    });

    test('has what comes back brought as it is, and later changes of it as well', async () => {
      await visit();
      fake.remove(home, 'roof.ics');
      await visit();
      fake.put(home, 'roof.ics', calendar(entry('roof')));
      await visit();
      expect(await readIn(inlet.texts())).toContain('roof confirmed 2035-03-10T09:00 Roof survey');
      fake.put(home, 'roof.ics', calendar(entry('roof', { DTSTART: '20350312T090000Z', SEQUENCE: '1' })));
      await visit();
      expect(await readIn(inlet.texts())).toContain('roof confirmed 2035-03-12T09:00 Roof survey');
      fake.remove(home, 'roof.ics');
      await visit();
      expect(await readIn(inlet.texts())).toContain('roof cancelled 2035-03-12T09:00 Roof survey');
    });

    test('is not asked for anything again where nothing was put in', async () => {
      inlet.before = () => {
        throw new Error('the disk is full');
      };
      await expect(visit()).rejects.toThrow('the disk is full');
      inlet.before = () => {};
      await visit();
      expect(inlet.arrivals).toHaveLength(2);
    });
  });
}
