import zlib from 'node:zlib';
import { afterEach, beforeEach, describe, expect } from 'vitest';
import { isLocal } from '../../src/daemon/network.ts';
import { caldavSource } from '../../src/sources/caldav.ts';
import { mayLeadTo } from '../../src/sources/http.ts';
import { icsSource } from '../../src/sources/ics-feed.ts';
import { SourceError, sourceSettings } from '../../src/sources/source.ts';
import { Issuer } from '../servers/certificates.ts';
import { DavFake } from '../sources/dav-fake.ts';
import { calendar, entry, NOW, readIn } from '../sources/entries.ts';
import { MemoryInlet } from '../sources/memory-inlet.ts';
import { WebFake } from '../sources/web-fake.ts';
import { ownTime } from '../support/own-time.ts';
import { attack } from './attack.ts';

// Calendar servers and feeds that are broken into, or were never honest.

const PASSWORD = 'right';
const LIMITS = { wholeMs: 3000, bytes: 8 * 1024 * 1024 };
/** What reading megabytes of nonsense may take of a thread, in ms. */
const SOON = 15_000;

let dav: DavFake;
let web: WebFake;
let other: WebFake;
let inlet: MemoryInlet;

beforeEach(async () => {
  [dav, web, other] = await Promise.all([DavFake.start(), WebFake.start(), WebFake.start()]);
  dav.put(dav.calendar('Home'), 'roof.ics', calendar(entry('roof')));
  inlet = new MemoryInlet(() => NOW);
});
afterEach(() => Promise.all([dav.stop(), web.stop(), other.stop()]));

/** What comes of a visit: what is wrong with parts of it, or the error; and what of this thread's time it took. */
async function visited(
  fields: Record<string, unknown>,
  secret = PASSWORD,
): Promise<{ said: string; kind: string; ms: number }> {
  const settings = sourceSettings.parse(fields);
  const credential = { reveal: async () => secret };
  const connector =
    settings.kind === 'caldav'
      ? caldavSource({ settings, credential, limits: LIMITS })
      : settings.kind === 'ics'
        ? icsSource({ settings, credential, limits: LIMITS })
        : null;
  const started = ownTime();
  try {
    const session = await connector?.open(inlet, AbortSignal.timeout(60_000));
    try {
      const said = (await session?.poll())?.map(({ message, hint }) => `${message} ${hint}`).join('\n') ?? '';
      return { said, kind: 'fine', ms: ownTime() - started };
    } finally {
      await session?.close();
    }
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    return { said: `${error.message} ${error.hint} ${error.stack}`, kind: error.kind, ms: ownTime() - started };
  }
}

const onDav = () => visited({ kind: 'caldav', url: dav.url, user: 'anna' });
const onFeed = (fields = {}, secret?: string) =>
  visited({ kind: 'ics', url: `${web.url}/feed.ics`, ...fields }, secret);

function one(href: string, props: string): string {
  return `<d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><d:response><d:href>${href}</d:href><d:propstat><d:prop>${props}</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response></d:multistatus>`;
}

describe('a server that leads elsewhere', () => {
  const gains = {
    attacker: 'another program',
    loss: 'the password of the calendars',
    defence:
      'it goes to the host of the note, and to others of the same organisation over TLS; nobody else is asked at all',
  } as const;
  for (const [means, wrong] of [
    ['sends every request on to another port', (to: string) => ({ status: 307, headers: { location: `${to}/dav/` } })],
    [
      'sends every request on to another name',
      (to: string) => ({ status: 302, headers: { location: to.replace('127.0.0.1', 'localhost') } }),
    ],
    [
      'names a principal at another server',
      (to: string) => ({
        body: one('/dav/', `<d:current-user-principal><d:href>${to}/me/</d:href></d:current-user-principal>`),
      }),
    ],
    [
      'names a home of calendars at another server',
      (to: string) => ({
        body: one('/dav/', `<c:calendar-home-set><d:href>//${new URL(to).host}/home/</d:href></c:calendar-home-set>`),
      }),
    ],
  ] as const) {
    attack({ ...gains, means: `a calendar server that ${means}` }, async () => {
      dav.instead = () => wrong(other.url);
      expect(await onDav()).toMatchObject({ kind: 'strange' });
      expect(other.asked).toEqual([]);
    });
  }

  attack({ ...gains, means: 'a calendar server that names a calendar, or an entry, at another server' }, async () => {
    const kinds = '<d:resourcetype><c:calendar/></d:resourcetype><d:sync-token>x</d:sync-token>';
    dav.instead = ({ path: at }) => (at === '/dav/home/' ? { body: one(`${other.url}/home/`, kinds) } : null);
    expect(await onDav()).toMatchObject({ kind: 'strange' });
    dav.instead = ({ body }) => (body.includes('calendar-query') ? { body: one(`${other.url}/a.ics`, '') } : null);
    expect(await onDav()).toMatchObject({ kind: 'strange' });
    expect(other.asked).toEqual([]);
  });

  attack({ ...gains, means: 'names that look like those of the same organisation' }, () => {
    const home = new URL('https://dav.calendar.example.com/');
    const leads = (to: string) => mayLeadTo(home, new URL(to));
    expect(['https://p34.example.com/', 'https://dav.calendar.example.com:8443/'].map(leads)).toEqual([true, true]);
    const wrong = [
      ...['http://dav.calendar.example.com/', 'https://example.com.evil.test/', 'https://dav.calendar.example.org/'],
      ...[
        'https://127.0.0.1/',
        'https://evilexample.com/',
        'https://anna:x@dav.calendar.example.com/',
        'file:///etc/passwd',
      ],
    ];
    expect(wrong.filter(leads)).toEqual([]);
    expect(mayLeadTo(new URL('https://one.github.io/'), new URL('https://two.github.io/'))).toBe(false);
    expect(mayLeadTo(new URL('https://10.0.0.1/'), new URL('https://10.0.0.2/'))).toBe(false);
    expect(mayLeadTo(new URL('http://127.0.0.1:80/'), new URL('https://127.0.0.1/'))).toBe(false);
  });

  attack({ ...gains, means: 'a feed that sends us on to another origin over TLS' }, async () => {
    const issuer = new Issuer();
    const pair = issuer.certificate();
    const [first, second] = await Promise.all([WebFake.start(pair), WebFake.start(pair)]);
    let distrust = () => {};
    try {
      first.answer = () => ({ status: 302, headers: { location: `${second.url}/there.ics` } });
      second.answer = () => ({ body: calendar(entry('roof')) });
      const url = `${first.url}/feed.ics`;
      expect(await onFeed({ url, user: 'anna' })).toMatchObject({ kind: 'certificate' });
      distrust = issuer.trust();
      expect(await onFeed({ url, user: 'anna' })).toMatchObject({ kind: 'fine' });
      expect(first.asked[0]?.headers.authorization).toMatch(/^Basic /);
      expect(second.asked).toHaveLength(1);
      expect(second.asked[0]?.headers.authorization).toBeUndefined();
    } finally {
      distrust();
      issuer.remove();
      await Promise.all([first.stop(), second.stop()]);
    }
  });
});

describe('a feed as a door into the local network', () => {
  const gains = {
    attacker: 'another program',
    loss: 'what only machines of the local network may ask',
    defence: 'one redirect is followed, and only to the same origin or, over TLS, to the same organisation',
  } as const;
  for (const target of [
    ...[
      'http://10.0.0.1/',
      'http://169.254.169.254/latest/meta-data/',
      'http://localhost:1/',
      'http://[::1]:1/',
      'file:///etc/passwd',
    ],
    ...['ftp://calendar.example/', 'http://calendar.example/'],
  ]) {
    attack({ ...gains, means: `a feed that sends us on to ${target}` }, async () => {
      web.answer = () => ({ status: 301, headers: { location: target } });
      expect(await onFeed()).toMatchObject({ kind: 'strange' });
      expect(inlet.arrivals).toEqual([]);
    });
  }

  attack({ ...gains, means: 'addresses of the local network in other clothes' }, () => {
    const here = [
      '127.0.0.1',
      '127.9.9.9',
      '::1',
      '::',
      '0.0.0.0',
      '::ffff:127.0.0.1',
      '::ffff:7f00:1',
      '64:ff9b::127.0.0.1',
      '::127.0.0.1',
    ];
    const near = [
      '10.1.2.3',
      '172.16.0.1',
      '192.168.1.1',
      '169.254.169.254',
      '100.64.0.1',
      'fd00::1',
      'fe80::1',
      '::ffff:10.0.0.1',
    ];
    expect([...here, ...near].filter((one) => !isLocal(one))).toEqual([]);
    expect(['93.184.215.14', '2606:2800:21f:cb07::1', 'not an address'].filter(isLocal)).toEqual([]);
    const home = new URL('https://calendar.example/');
    const written = [...here, ...near].map(
      (one) => new URL(one.includes(':') ? `https://[${one}]/` : `https://${one}/`),
    );
    expect(written.filter((target) => mayLeadTo(home, target))).toEqual([]);
  });

  attack({ ...gains, means: 'a feed that redirects too often' }, async () => {
    web.answer = () => ({ status: 302, headers: { location: '/again' } });
    expect(await onFeed()).toMatchObject({ kind: 'strange' });
    expect(web.asked).toHaveLength(2);
  });
});

describe('a bomb', () => {
  const gains = {
    attacker: 'another program',
    loss: 'the memory and the time of the machine',
    defence: 'answers are counted while they are unpacked and before they become a tree; what is too much is refused',
  } as const;
  const LAUGHS = `<?xml version="1.0"?><!DOCTYPE d [<!ENTITY a "ha"><!ENTITY b "${'&a;'.repeat(100)}">]>`;
  const wide = Array.from({ length: 300_000 }, (_, nth) => `<a${nth}>x</a${nth}>`).join('');
  for (const [what, body] of [
    ['entities in entities', () => LAUGHS + one('/dav/', '&b;')],
    ['elements in elements', () => `<d:multistatus xmlns:d="DAV:">${'<a>'.repeat(1_000_000)}`],
    ['a great many elements side by side', () => one('/dav/', wide)],
    ['a great many answers', () => `<d:multistatus xmlns:d="DAV:">${'<d:response/>'.repeat(610_000)}</d:multistatus>`],
    [
      'a great many attributes',
      () => one('/dav/', `<a ${Array.from({ length: 200_000 }, (_, nth) => `b${nth}="c"`).join(' ')}/>`),
    ],
    ['a tag without an end', () => `<d:multistatus ${'x'.repeat(7_000_000)}`],
    ['a hundred megabytes of nothing', () => Buffer.alloc(100 * 1024 * 1024, 32)],
  ] as const) {
    attack({ ...gains, means: `a calendar server that answers with ${what}` }, async () => {
      dav.instead = () => ({ body: body() });
      const { kind, ms } = await onDav();
      expect(kind).toBe('strange');
      expect(ms).toBeLessThan(SOON);
    });
  }

  attack(
    { ...gains, means: 'a calendar server that sends the entry that was asked for thousands of times' },
    async () => {
      dav.instead = ({ body }) => {
        const [, href] = /<d:href>([^<]+)<\/d:href>/.exec(body.includes('calendar-multiget') ? body : '') ?? [];
        if (href === undefined) return null;
        const again = Array.from({ length: 5000 }, (_, nth) =>
          one(
            href,
            `<d:getetag>"${nth}"</d:getetag><c:calendar-data>${calendar(entry(`roof-${nth}`))}</c:calendar-data>`,
          ),
        );
        const [open = ''] = /^<d:multistatus[^>]*>/.exec(again[0] ?? '') ?? [];
        const inside = again.map((text) => text.slice(open.length, -'</d:multistatus>'.length));
        return { body: `${open}${inside.join('')}</d:multistatus>` };
      };
      expect(await onDav()).toMatchObject({ kind: 'fine', said: '' });
      expect(inlet.arrivals).toHaveLength(1);
    },
  );

  attack({ ...gains, means: 'a calendar server that lists thousands of calendars' }, async () => {
    const kinds = '<d:resourcetype><d:collection/><c:calendar/></d:resourcetype>';
    const all = Array.from({ length: 3000 }, (_, nth) => one(`/dav/home/${nth}/`, kinds));
    const [open = ''] = /^<d:multistatus[^>]*>/.exec(all[0] ?? '') ?? [];
    const inside = all.map((text) => text.slice(open.length, -'</d:multistatus>'.length));
    dav.instead = ({ path: at }) =>
      at === '/dav/home/' ? { body: `${open}${inside.join('')}</d:multistatus>` } : null;
    expect(await onDav()).toMatchObject({ kind: 'strange' });
    expect(dav.asked.length).toBeLessThan(20);
  });

  for (const [packing, packed] of [
    ['gzip', () => zlib.gzipSync(Buffer.alloc(200 * 1024 * 1024))],
    [
      'br',
      () =>
        zlib.brotliCompressSync(Buffer.alloc(200 * 1024 * 1024), {
          params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 },
        }),
    ],
    ['gzip, gzip', () => zlib.gzipSync('x')],
    ['deflate', () => Buffer.from('not packed at all')],
  ] as const) {
    attack({ ...gains, means: `a feed that is packed as ${packing}` }, async () => {
      const body = packed();
      web.answer = () => ({ headers: { 'content-encoding': packing }, body });
      const before = process.memoryUsage().rss;
      expect(await onFeed()).toMatchObject({ kind: 'strange' });
      expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024);
    });
  }

  const begin = 'BEGIN:VCALENDAR\r\n';
  for (const [what, body] of [
    ['a million entries that never end', () => begin + 'BEGIN:VEVENT\r\n'.repeat(500_000)],
    ['a line of megabytes', () => `${begin}BEGIN:VEVENT\r\nUID:${'x'.repeat(7_000_000)}\r\nEND:VEVENT`],
    [
      'a line that is folded a million times',
      () => `${begin}BEGIN:VEVENT\r\nUID:a${'\r\n x'.repeat(1_500_000)}\r\nEND:VEVENT`,
    ],
    [
      'rules that nobody can follow',
      () =>
        calendar(
          ...Array.from({ length: 20_000 }, (_, nth) =>
            entry(`e${nth}`, { RRULE: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30;BYSECOND=0,1,2,3' }),
          ),
        ),
    ],
    [
      'a hundred thousand days that are left out',
      () => calendar(entry('e', { RRULE: 'FREQ=DAILY', EXDATE: '20350310T090000Z,'.repeat(400_000) })),
    ],
    [
      'zones that nobody needs',
      () =>
        calendar(
          ...Array.from({ length: 50_000 }, (_, nth) => `BEGIN:VTIMEZONE\r\nTZID:Z${nth}\r\nEND:VTIMEZONE`),
          entry('e'),
        ),
    ],
    [
      'each entry in a zone of its own',
      () =>
        calendar(
          ...Array.from({ length: 20_000 }, (_, nth) =>
            entry(`e${nth}`, { DTSTART: '', [`DTSTART;TZID=Z${nth}`]: '20350310T090000' }),
          ),
        ),
    ],
    [
      'links and numbers in a description without an end',
      () => calendar(entry('e', { DESCRIPTION: '[[a]] 4711-22 /a/b/c.md '.repeat(300_000) })),
    ],
  ] as const) {
    attack({ ...gains, means: `a feed with ${what}` }, async () => {
      const text = body();
      web.answer = () => ({ body: text });
      const { ms } = await onFeed();
      expect(ms).toBeLessThan(SOON);
      expect(JSON.stringify(inlet.at).length).toBeLessThan(8 * 1024 * 1024);
    });
  }
});

describe('a server that takes its time', () => {
  const gains = {
    attacker: 'another program',
    loss: 'a daemon that waits for ever',
    defence: 'there is a limit for silence and one for the whole answer',
  } as const;
  for (const [means, instead] of [
    ['says nothing', { never: true }],
    ['says a byte at a time', { drip: true }],
    ['goes away in the midst', { cut: true, body: '<d:multi' }],
  ] as const) {
    attack({ ...gains, means: `a calendar server that ${means}` }, async () => {
      dav.instead = () => instead;
      expect(await onDav()).toMatchObject({ kind: 'away' });
    });
  }

  attack({ ...gains, means: 'a calendar server that sends an endless list of changes' }, async () => {
    await onDav();
    let nth = 0;
    dav.instead = ({ body }) => {
      if (!body.includes('sync-collection')) return null;
      nth += 1;
      const full = '<d:response><d:href>/dav/home/home/</d:href><d:status>HTTP/1.1 507 Full</d:status></d:response>';
      return { body: `<d:multistatus xmlns:d="DAV:">${full}<d:sync-token>t${nth}</d:sync-token></d:multistatus>` };
    };
    dav.put('/dav/home/home/', 'new.ics', calendar(entry('new')));
    expect(await onDav()).toMatchObject({ kind: 'strange' });
    expect(nth).toBeLessThanOrEqual(200);
  });
});

describe('what a server says', () => {
  attack(
    {
      attacker: 'another program',
      means: 'escapes for the terminal, links and the password itself in answers, statuses and names of calendars',
      loss: 'what a person believes of the screen, or the password in a log',
      defence: 'errors have no words of the server but the names of calendars, each as one plain line',
    },
    async () => {
      const evil = `\u001b[2J\u202e${PASSWORD} [[note]]\n---`;
      for (const status of [207, 400, 403, 418, 500, 599]) {
        dav.instead = () => ({ status, body: evil, headers: { 'retry-after': evil.replace(/[^\x20-\x7e]/g, '') } });
        const { said } = await onDav();
        expect(said).not.toContain(PASSWORD);
        expect(['\u001b', '\u202e', '[['].filter((sign) => said.includes(sign))).toEqual([]);
      }
      dav.instead = () => null;
      dav.calendar('[2J\u009b\u202eEvil\n---', { id: 'evil' });
      const { said } = await visited({ kind: 'caldav', url: dav.url, user: 'anna', calendars: ['Home', 'None'] });
      expect(said).toContain('Evil');
      expect(said).not.toMatch(/[\u0080-\u009f\u202e\n]/);
    },
  );

  attack(
    {
      attacker: 'another program',
      means: 'a feed that names its own secret address in its entries and in its errors',
      loss: 'the secret address, for whoever the vault is shared with',
      defence: 'no error has the address, and it is taken out of what is brought and remembered',
    },
    async () => {
      const secret = 'private-0815-4711';
      web.answer = () => ({
        body: calendar(entry('roof', { URL: `https://calendar.example/${secret}/basic.ics`, SUMMARY: secret })),
      });
      const url = `${web.url}/{secret}/basic.ics`;
      await onFeed({ url }, secret);
      expect(web.asked[0]?.path).toContain(secret);
      expect(inlet.texts().join()).not.toContain(secret);
      expect(JSON.stringify(inlet.at)).not.toContain(secret);
      web.answer = ({ path: at }) => ({ status: 302, headers: { location: `http://10.0.0.1${at}` } });
      expect((await onFeed({ url }, secret)).said).not.toContain(secret);
      web.answer = () => ({ status: 500, body: secret });
      expect((await onFeed({ url }, secret)).said).not.toContain(secret);
    },
  );

  attack(
    {
      attacker: 'another program',
      means: 'entries whose names and addresses mean something to the program (__proto__, constructor)',
      loss: 'what the program knows of other entries',
      defence: 'they are names like any other',
    },
    async () => {
      const home = '/dav/home/home/';
      for (const name of ['__proto__', 'constructor', 'toString']) dav.put(home, name, calendar(entry(name)));
      for (let nth = 0; nth < 3; nth += 1) await onDav();
      expect(inlet.arrivals).toHaveLength(4);
      dav.remove(home, '__proto__');
      await onDav();
      expect(await readIn(inlet.texts())).toContain('__proto__ cancelled 2035-03-10T09:00 Roof survey');
    },
  );

  attack(
    {
      attacker: 'another program',
      means: 'all entries gone at once',
      loss: 'a person who is told forty times that something is cancelled',
      defence: 'where most of a calendar is gone, it is waited for a day, and said',
    },
    async () => {
      const home = '/dav/home/home/';
      for (let nth = 0; nth < 40; nth += 1) dav.put(home, `${nth}.ics`, calendar(entry(`e${nth}`)));
      await onDav();
      dav.syncs = false;
      dav.instead = ({ body }) =>
        body.includes('calendar-query') ? { body: '<d:multistatus xmlns:d="DAV:"/>' } : null;
      dav.put(home, 'roof.ics', calendar(entry('roof', { SUMMARY: 'Other' })));
      expect((await onDav()).said).toContain('disappeared at once');
      expect(inlet.texts().join()).not.toContain('CANCEL');
      dav.instead = () => null;
      await onDav();
      expect(inlet.texts().join()).not.toContain('CANCEL');
    },
  );
});
