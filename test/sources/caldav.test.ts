import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { caldavSource } from '../../src/sources/caldav.ts';
import { type Session, type SourceProblem, sourceSettings } from '../../src/sources/source.ts';
import { DavFake } from './dav-fake.ts';
import { calendar, entry, NOW, readIn } from './entries.ts';
import { MemoryInlet } from './memory-inlet.ts';

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
  const connector = caldavSource({ settings, credential: { reveal: async () => 'right' } });
  const opened = await connector.open(inlet, AbortSignal.timeout(60_000));
  open.push(opened);
  return opened;
}

async function visit(fields: Record<string, unknown> = {}): Promise<readonly SourceProblem[]> {
  return (await session(fields)).poll();
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
    await opened.poll();
    const before = fake.asked.length;
    await opened.poll();
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

  test('goes on where it was broken off, wherever that was', async () => {
    const home = fake.calendar('Home');
    for (let nth = 0; nth < 240; nth += 1) fake.put(home, `${nth}.ics`, calendar(entry(`e${nth}`)));
    for (let good = 0; good < 4; good += 1) {
      let puts = 0;
      inlet.before = () => {
        if (puts === 1) throw new Error('the power fails');
        puts += 1;
      };
      await expect(visit()).rejects.toThrow('the power fails');
    }
    inlet.before = () => {};
    await visit();
    expect(inlet.arrivals).toHaveLength(240);
    const asked = fake.bodies('calendar-multiget').map((body) => body.split('</d:href>').length - 1);
    // What was put in is never fetched again; what was not, once for each time that failed.
    expect(asked.reduce((sum, one) => sum + one)).toBe(240 + 4 * 50 - 10);
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

describe('several calendars', () => {
  let [home, work] = ['', ''];
  beforeEach(() => {
    home = fake.calendar('Home');
    work = fake.calendar('Work');
    fake.put(home, 'roof.ics', calendar(entry('roof')));
    fake.put(work, 'boiler.ics', calendar(entry('boiler')));
  });

  test.each([true, false])(
    'an entry that moved from one to the other was not cancelled (to the first: %s)',
    async (toFirst) => {
      const [from, to, file] = toFirst ? [work, home, 'boiler.ics'] : [home, work, 'roof.ics'];
      await visit();
      fake.put(to, file, calendar(entry(file.replace('.ics', ''))));
      fake.remove(from, file);
      await visit();
      expect(inlet.texts().join()).not.toContain('CANCEL');
    },
  );

  test('an entry that moves while they are looked through was not cancelled', async () => {
    await visit();
    fake.put(work, 'new.ics', calendar(entry('new')));
    fake.instead = ({ path, body }) => {
      if (path !== work || !body.includes('sync-collection')) return null;
      fake.instead = () => null;
      // Home was looked through already, and nothing had happened there.
      fake.put(home, 'boiler.ics', calendar(entry('boiler')));
      fake.remove(work, 'boiler.ics');
      return null;
    };
    await visit();
    await visit();
    expect(inlet.texts().join()).not.toContain('CANCEL');
  });

  test('those that are named are followed, and one that is missing is said', async () => {
    const problems = await visit({ calendars: ['home', 'Garden'] });
    expect(problems).toEqual([
      { message: 'There is no calendar "Garden" in the account.', hint: 'Existing calendars: Home, Work.' },
    ]);
    expect(await readIn(inlet.texts())).toEqual(['roof confirmed 2035-03-10T09:00 Roof survey']);
    await expect(visit({ calendars: 'Garden' })).rejects.toMatchObject({ kind: 'missing' });
  });

  test('one that cannot be read keeps none of the others, and nothing counts as cancelled meanwhile', async () => {
    await visit();
    fake.remove(home, 'roof.ics');
    fake.put(work, 'new.ics', calendar(entry('new')));
    fake.instead = ({ path, method }) => (path === work && method === 'REPORT' ? { status: 404 } : null);
    expect(await visit()).toMatchObject([{ message: expect.stringContaining('"Work"') }]);
    expect(inlet.texts().join()).not.toContain('CANCEL');
    fake.instead = () => null;
    expect(await visit()).toEqual([]);
    expect(await readIn(inlet.texts())).toEqual([
      'boiler confirmed 2035-03-10T09:00 Roof survey',
      'new confirmed 2035-03-10T09:00 Roof survey',
      'roof cancelled 2035-03-10T09:00 Roof survey',
    ]);
  });

  test('one that goes with all that is in it cancels nothing', async () => {
    await visit();
    fake.calendars.delete(work);
    await visit();
    expect(inlet.texts().join()).not.toContain('CANCEL');
  });
});

describe('a token', () => {
  test('that the server knows no longer has all compared again, without doubles and without loss', async () => {
    const home = fake.calendar('Home');
    fake.put(home, 'roof.ics', calendar(entry('roof')));
    fake.put(home, 'gone.ics', calendar(entry('gone')));
    await visit();
    fake.remove(home, 'gone.ics');
    fake.put(home, 'new.ics', calendar(entry('new')));
    fake.oldestToken = 3;
    await visit();
    await visit();
    expect(await readIn(inlet.texts())).toEqual([
      'gone cancelled 2035-03-10T09:00 Roof survey',
      'new confirmed 2035-03-10T09:00 Roof survey',
      'roof confirmed 2035-03-10T09:00 Roof survey',
    ]);
    expect(inlet.arrivals).toHaveLength(4);
  });

  test('may lead only a part of the way', async () => {
    const home = fake.calendar('Home');
    fake.put(home, 'roof.ics', calendar(entry('roof')));
    await visit();
    fake.part = 7;
    for (let nth = 0; nth < 30; nth += 1) fake.put(home, `${nth}.ics`, calendar(entry(`e${nth}`)));
    await visit();
    expect(inlet.arrivals).toHaveLength(31);
  });
});

describe('an entry', () => {
  let home = '';
  beforeEach(() => {
    home = fake.calendar('Home');
  });

  test('of a series is read with those that have moved, were left out, or were cancelled', async () => {
    const series = entry('weekly', { DTSTART: '20350302T100000Z', RRULE: 'FREQ=WEEKLY', EXDATE: '20350302T100000Z' });
    const moved = entry('weekly', { 'RECURRENCE-ID': '20350309T100000Z', DTSTART: '20350310T110000Z' });
    const off = entry('weekly', {
      'RECURRENCE-ID': '20350316T100000Z',
      DTSTART: '20350316T100000Z',
      STATUS: 'CANCELLED',
    });
    fake.put(home, 'weekly.ics', calendar(series, moved, off));
    await visit();
    expect(await readIn(inlet.texts())).toEqual([
      'weekly cancelled 2035-03-16T10:00 Roof survey',
      'weekly confirmed 2035-03-10T11:00 Roof survey',
      'weekly confirmed 2035-03-10T11:00 from 2035-03-09T10:00 Roof survey',
    ]);
    fake.put(home, 'weekly.ics', calendar(series.replace('EXDATE:', 'EXDATE:20350309T100000Z,'), off));
    await visit();
    expect(await readIn(inlet.texts())).toContain(
      'weekly cancelled 2035-03-10T11:00 from 2035-03-09T10:00 Roof survey',
    );
    fake.remove(home, 'weekly.ics');
    await visit();
    expect(await readIn(inlet.texts())).toContain('weekly cancelled 2035-03-23T10:00 Roof survey');
  });

  test('in a zone that only its calendar knows is cancelled where it stood', async () => {
    const zone =
      'BEGIN:VTIMEZONE\r\nTZID:Here\r\nBEGIN:STANDARD\r\nDTSTART:19700101T000000\r\nTZOFFSETFROM:+0300\r\nTZOFFSETTO:+0300\r\nEND:STANDARD\r\nEND:VTIMEZONE';
    const lines = {
      DTSTART: '',
      'DTSTART;TZID=Here': '20350310T120000',
      DESCRIPTION: 'About [[Roof survey]]\\, no. RS-4711-22',
    };
    fake.put(home, 'roof.ics', calendar(zone, entry('roof', lines)));
    await visit();
    fake.remove(home, 'roof.ics');
    await visit();
    expect(await readIn(inlet.texts())).toEqual(['roof cancelled 2035-03-10T09:00 Roof survey']);
    expect(inlet.texts()[1]).toContain('[[Roof survey]]');
    expect(inlet.texts()[1]?.toLowerCase()).toContain('4711');
  });

  test('of a day is cancelled on its day', async () => {
    const lines = { DTSTART: '', 'DTSTART;VALUE=DATE': '20350310', 'DTEND;VALUE=DATE': '20350312' };
    fake.put(home, 'fair.ics', calendar(entry('fair', lines)));
    await visit();
    fake.remove(home, 'fair.ics');
    await visit();
    expect(await readIn(inlet.texts())).toEqual(['fair cancelled 2035-03-10 Roof survey']);
  });

  test('that is over is not missed', async () => {
    fake.put(home, 'roof.ics', calendar(entry('roof')));
    await visit();
    now = Date.parse('2035-03-20T00:00:00Z');
    fake.remove(home, 'roof.ics');
    await visit();
    expect(inlet.arrivals).toHaveLength(1);
  });

  test('that only had its alarm silenced is not brought again', async () => {
    fake.put(home, 'roof.ics', calendar(entry('roof')));
    await visit();
    fake.put(
      home,
      'roof.ics',
      calendar(entry('roof', { 'X-MOZ-LASTACK': '20350302T080000Z', DTSTAMP: '20350302T080000Z' })),
    );
    await visit();
    await visit();
    expect(inlet.arrivals).toHaveLength(1);
  });

  test('that the server does not give is said, and had the next time', async () => {
    fake.put(home, 'roof.ics', calendar(entry('roof')));
    fake.put(home, 'odd.ics', calendar(entry('odd')));
    fake.instead = ({ path, body }) =>
      path === home && body.includes('multiget') && body.includes('odd.ics') ? { body: '<no' } : null;
    expect(await visit()).toMatchObject([{ message: `One entry of the calendar "Home" couldn't be fetched.` }]);
    expect(inlet.arrivals).toHaveLength(1);
    fake.instead = () => null;
    expect(await visit()).toEqual([]);
    expect(inlet.arrivals).toHaveLength(2);
  });
});

describe('who is let in', () => {
  test('a wrong password is tried once', async () => {
    fake.password = 'another';
    await expect(session()).rejects.toMatchObject({ kind: 'refused' });
    expect(fake.asked).toHaveLength(1);
  });

  test('a token is sent as one, and is another the next time', async () => {
    fake.calendar('Home');
    fake.instead = ({ headers, path, method }) => {
      expect(headers.authorization).toMatch(/^Bearer token-\d$/);
      return path === '/dav/' && method === 'PROPFIND' ? { status: 429, headers: { 'retry-after': '90' } } : null;
    };
    const settings = sourceSettings.parse({ kind: 'caldav', url: fake.url, user: 'anna', auth: 'oauth2' });
    if (settings.kind !== 'caldav') throw new Error('no calendar server');
    let nth = 0;
    const reveal = async () => {
      nth += 1;
      return `token-${nth}`;
    };
    const opened = caldavSource({ settings, credential: { reveal } }).open(inlet, AbortSignal.timeout(60_000));
    await expect(opened).rejects.toMatchObject({ kind: 'busy', waitMs: 90_000 });
  });

  test('an address without calendars is said', async () => {
    fake.instead = () => ({ status: 200, headers: { 'content-type': 'text/html' }, body: '<html>hello</html>' });
    await expect(session()).rejects.toMatchObject({ kind: 'missing' });
  });
});
