import { describe, expect, test } from 'vitest';
import { radicaleHere } from '../../servers/radicale.ts';
import { MemoryInlet } from '../memory-inlet.ts';
import { appointment, brought, calendarOf, entry, openedCalendars, radicale, visitedCalendars } from './calendars.ts';
import { failure, numbers, wire } from './mailbox.ts';

const MANY = 1000;

describe.skipIf(!radicaleHere())('calendars of a Radicale', () => {
  test('entries are brought once, anew where they changed, and as cancelled where they are gone', async () => {
    const server = await radicale();
    await server.calendar('home', 'Home');
    for (const uid of ['one', 'two', 'three']) await server.put('home', uid, appointment(uid, 5));
    const inlet = new MemoryInlet();
    const session = await openedCalendars(server, inlet);
    expect(await session.poll()).toEqual([]);
    expect(brought(inlet).sort()).toEqual(['one', 'three', 'two']);
    expect(await session.poll()).toEqual([]);
    expect(brought(inlet)).toHaveLength(3);

    await server.put('home', 'two', appointment('two', 7, 'SEQUENCE:1'));
    expect(await session.poll()).toEqual([]);
    expect(brought(inlet).slice(3)).toEqual(['two']);

    await server.remove('home', 'three');
    await server.put('home', 'four', appointment('four', 9));
    await session.close();
    expect(await visitedCalendars(server, inlet)).toEqual([]);
    expect(brought(inlet).slice(4).sort()).toEqual(['four', '×three']);
    expect(await visitedCalendars(server, inlet)).toEqual([]);
    expect(brought(inlet)).toHaveLength(6);
  });

  test('an entry that is moved to another calendar is not cancelled', async () => {
    const server = await radicale();
    await server.calendar('home', 'Home');
    await server.calendar('work', 'Work');
    await server.put('home', 'one', appointment('one', 5));
    const inlet = new MemoryInlet();
    await visitedCalendars(server, inlet);
    await server.move('home', 'work', 'one');
    await visitedCalendars(server, inlet);
    expect(brought(inlet)).not.toContain('×one');
  });

  test('a server that has forgotten what it told us: nothing is brought twice, and nothing is missed', async () => {
    const server = await radicale();
    await server.calendar('home', 'Home');
    server.lay('home', appointments(20));
    const inlet = new MemoryInlet();
    await visitedCalendars(server, inlet);
    expect(brought(inlet)).toHaveLength(20);
    server.forget();
    await server.put('home', 'late', appointment('late', 6));
    await server.remove('home', 'e7');
    expect(await visitedCalendars(server, inlet)).toEqual([]);
    expect(brought(inlet).slice(20).sort()).toEqual(['late', '×e7']);
  });

  test('only calendars that are named are read, and one that is not there is said', async () => {
    const server = await radicale();
    await server.calendar('home', 'Home');
    await server.calendar('work', 'Work');
    await server.put('home', 'one', appointment('one', 5));
    await server.put('work', 'two', appointment('two', 5));
    const inlet = new MemoryInlet();
    const said = await visitedCalendars(server, inlet, { calendars: ['Work', 'Gone'] });
    expect(said).toEqual([expect.stringContaining('Gone')]);
    expect(brought(inlet)).toEqual(['two']);
  });

  test('a series and its exceptions come through as they are', async () => {
    const server = await radicale();
    await server.calendar('home', 'Home');
    const series = calendarOf(entry('s', 5, 'RRULE:FREQ=WEEKLY;COUNT=10', 'EXDATE:20350101T090000Z'));
    await server.put('home', 's', series);
    const inlet = new MemoryInlet();
    await visitedCalendars(server, inlet);
    expect(inlet.texts()).toHaveLength(1);
    expect(inlet.texts()[0]).toContain('RRULE:FREQ=WEEKLY;COUNT=10');
    expect(inlet.texts()[0]).toContain('EXDATE:20350101T090000Z');
  });

  test('killed in the midst and started again: every entry is there once', async () => {
    const server = await radicale();
    await server.calendar('home', 'Home');
    server.lay('home', appointments(150));
    const inlet = new MemoryInlet();
    let puts = 0;
    inlet.before = async () => {
      puts += 1;
      if (puts === 1) await server.kill();
    };
    expect(await failure(visitedCalendars(server, inlet))).toBe('away');
    await server.again();
    expect(await visitedCalendars(server, inlet)).toEqual([]);
    expect(brought(inlet)).toHaveLength(150);
    expect(new Set(brought(inlet)).size).toBe(150);
  });

  test('cut at any place: every entry is there once', async () => {
    const server = await radicale();
    await server.calendar('home', 'Home');
    server.lay('home', appointments(120));
    const relay = await wire(server.port);
    const url = `http://127.0.0.1:${relay.port}/`;
    const inlet = new MemoryInlet();
    const kinds = new Set<string>();
    // Small steps: where exactly a visit can no longer go on depends on the length of a few headers.
    for (let at = 10, before = -1; relay.cuts > before; at = Math.ceil(at * 1.2)) {
      before = relay.cuts;
      relay.cutAfter(at);
      // What is looked up on the way may fail once, and the visit goes on.
      kinds.add(await failure(visitedCalendars(server, inlet, { url })));
    }
    expect([...kinds].sort()).toEqual(['away', 'none']);
    expect(relay.cuts).toBeGreaterThan(20);
    expect(brought(inlet)).toHaveLength(120);
    expect(new Set(brought(inlet)).size).toBe(120);
  });

  test('a wrong password is tried exactly once, and nothing that is asked writes', async () => {
    const server = await radicale();
    await server.calendar('home', 'Home');
    await server.put('home', 'one', appointment('one', 5));
    const relay = await wire(server.port);
    const url = `http://127.0.0.1:${relay.port}/`;
    const wrong = visitedCalendars(server, new MemoryInlet(), { url, secret: 'not-the-password' });
    expect(await failure(wrong)).toBe('refused');
    expect(server.log().match(/failed login attempt/gi)).toHaveLength(1);
    relay.reset();
    await visitedCalendars(server, new MemoryInlet(), { url });
    const methods = [...relay.said().matchAll(/(?:^|>)([A-Z]+) \S+ HTTP\/1\.1\r$/gm)].map(([, method]) => method);
    expect(
      [...new Set(methods)].filter((one) => !['PROPFIND', 'REPORT', 'OPTIONS', 'GET'].includes(one ?? '')),
    ).toEqual([]);
    expect(methods.length).toBeGreaterThan(1);
  });

  test(`${MANY} entries: a quiet visit and one new entry cost little`, async () => {
    const server = await radicale();
    await server.calendar('home', 'Home');
    server.lay('home', appointments(MANY));
    const relay = await wire(server.port);
    const url = `http://127.0.0.1:${relay.port}/`;
    const inlet = new MemoryInlet();
    const begun = performance.now();
    await visitedCalendars(server, inlet, { url });
    const ms = performance.now() - begun;
    expect(brought(inlet)).toHaveLength(MANY);
    console.log(
      `first visit: ${MANY} entries, ${Math.round(ms)} ms, ${relay.down} bytes, cursor ${saved(inlet)} bytes`,
    );
    relay.reset();
    await visitedCalendars(server, inlet, { url });
    expect(relay.down).toBeLessThan(20_000);
    await server.put('home', 'late', appointment('late', 6));
    relay.reset();
    await visitedCalendars(server, inlet, { url });
    expect(brought(inlet).slice(MANY)).toEqual(['late']);
    expect(relay.down).toBeLessThan(20_000);
  });
});

/** Entries by their names, spread over a year. */
function appointments(count: number): Record<string, string> {
  return Object.fromEntries(numbers(count).map((nth) => [`e${nth}`, appointment(`e${nth}`, 5 + (nth % 300))]));
}

function saved(inlet: MemoryInlet): number {
  return JSON.stringify(inlet.at).length;
}
