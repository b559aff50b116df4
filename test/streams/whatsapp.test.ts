import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lawRuns } from '../support/laws.ts';
import { eventsIn, keysIn } from './read-all.ts';
import { kindOf, outline, readFixture, readNamed } from './read-chats.ts';
import { zipOf } from './zip.ts';

const ANDROID = 'whatsapp/WhatsApp Chat mit Hauskauf.txt';

/** When messages with these stamps were sent, as they are read; null where a line is no message. */
async function times(...stamps: string[]): Promise<(string | null)[]> {
  const items = await readNamed('stream/_chat.txt', stamps.map((stamp) => `${stamp}Anna: hello there`).join('\n'), {
    now: Date.parse('2035-12-31T00:00:00Z'),
  });
  return eventsIn(items).map(({ originAt }) => originAt);
}

describe('an export of WhatsApp', () => {
  it('is read as an iPhone writes it, in a zip as well', async () => {
    const expected = [
      'line 1: nothing, no words',
      'line 2: anna weber 2035-01-02T20:14:05Z "The order is placed: two trees"',
      'line 3: nothing, no words',
      'line 4: robin 2035-01-12T23:03:00Z "@Anna paid the deposit"',
      'line 5: kim 2035-01-13T11:04:00Z "thanks"',
    ];
    const plain = await readFixture('whatsapp/_chat.txt');
    expect(outline(plain)).toEqual(expected);
    const { readFileSync } = await import('node:fs');
    const text = readFileSync(new URL('whatsapp/_chat.txt', import.meta.url));
    const zip = zipOf([
      { name: '00000012-PHOTO-2035-01-02.jpg', text: 'no picture' },
      { name: '_chat.txt', text },
    ]);
    const packed = await readNamed('stream/WhatsApp Chat - Garden club.zip', zip);
    expect(outline(packed)).toEqual(expected);
    expect(eventsIn(packed)[0]?.spoken).toEqual({ room: 'Garden club', isPersonal: false });
    // The same message by two doors is one.
    expect(keysIn(packed)).toEqual(keysIn(plain));
  });

  it.each([
    ['20/01/2035, 20:49 - ', '2035-01-20T19:49:00Z'],
    ['[20.01.35, 20:49:13] ', '2035-01-20T19:49:13Z'],
    ['1/20/35, 8:49 PM - ', '2035-01-20T19:49:00Z'],
    ['[1/20/35, 8:49:13\u202fPM] ', '2035-01-20T19:49:13Z'],
    ['20/1/35 8:49 p. m. - ', '2035-01-20T19:49:00Z'],
    ['20/01/2035 à 20:49 - ', '2035-01-20T19:49:00Z'],
    ['2035-01-20, 20:49 - ', '2035-01-20T19:49:00Z'],
    ['2035/1/20 下午8:49 - ', '2035-01-20T19:49:00Z'],
    ['2035. 1. 20. 오후 8:49, ', '2035-01-20T19:49:00Z'],
    ['٢٠/١/٢٠٣٥، ٨:٤٩ م - ', '2035-01-20T19:49:00Z'],
    ['20-01-35 20.49 - ', '2035-01-20T19:49:00Z'],
    ['1/20/35, 12:05 AM - ', '2035-01-19T23:05:00Z'],
  ])('reads the stamp %j', async (stamp, time) => {
    expect(await times(stamp)).toEqual([time]);
  });

  it('tells the day from the month by the whole file', async () => {
    expect(await times('03/04/35, 10:00 - ', '13/04/35, 10:00 - ')).toEqual([
      '2035-04-03T08:00:00Z',
      '2035-04-13T08:00:00Z',
    ]);
    expect(await times('03/04/35, 10:00 - ', '03/14/35, 10:00 - ')).toEqual([
      '2035-03-04T09:00:00Z',
      '2035-03-14T09:00:00Z',
    ]);
    // Messages stand in the order of time.
    expect(await times('05/01/35, 10:00 - ', '06/01/35, 10:00 - ', '01/02/35, 10:00 - ')).toEqual([
      '2035-01-05T09:00:00Z',
      '2035-01-06T09:00:00Z',
      '2035-02-01T09:00:00Z',
    ]);
  });

  it('refuses a message with a date that does not exist, and no other', async () => {
    const text =
      '31/01/2035, 09:00 - Anna: one thing\n31/02/2035, 09:00 - Anna: another\n01/03/2035, 09:00 - Anna: the last';
    const items = await readNamed('stream/_chat.txt', text);
    expect(items.map(({ content }) => content.what)).toEqual(['event', 'refused', 'event']);
    expect(items[1]).toMatchObject({ place: 'line 2', content: { reason: 'Its date does not exist.' } });
  });

  it('is found again at the place of any of its messages', async () => {
    const all = await readFixture(ANDROID);
    const { readFileSync } = await import('node:fs');
    const bytes = new Uint8Array(readFileSync(new URL('whatsapp/WhatsApp Chat mit Hauskauf.txt', import.meta.url)));
    const { readAll } = await import('./read-all.ts');
    const kind = kindOf('stream/a.txt', bytes);
    for (const item of all) {
      const rest =
        kind === null
          ? []
          : await readAll(kind, bytes, { from: item.at, file: 'stream/WhatsApp Chat mit Hauskauf.txt' });
      expect(rest.map(({ place }) => place)).toEqual(all.slice(all.indexOf(item)).map(({ place }) => place));
      expect(keysIn(rest)).toEqual(keysIn(all.slice(all.indexOf(item))));
    }
  });
});

describe('law', () => {
  const line = fc.record({
    minutes: fc.integer({ min: 0, max: 2 }),
    author: fc.constantFrom('Anna', 'Robin', '+49 170 1234567'),
    text: fc.constantFrom('ok', 'paid it', 'two\nlines', 'see you'),
  });
  it('a longer export of the same chat, and one that overlaps it, name the same messages', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 2, maxLength: 30 }), fc.nat(), async (lines, cut) => {
        let minute = 0;
        const stamped = lines.map((one) => {
          minute += one.minutes;
          const time = `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
          return { minute, text: `20/01/2035, ${time} - ${one.author}: ${one.text}` };
        });
        const at = stamped[cut % stamped.length]?.minute ?? 0;
        const keys = async (part: typeof stamped) =>
          keysIn(await readNamed('stream/_chat.txt', part.map(({ text }) => text).join('\n')));
        const whole = await keys(stamped);
        expect(new Set(whole).size).toBe(stamped.length);
        const [before, after] = [
          stamped.filter(({ minute: own }) => own <= at),
          stamped.filter(({ minute: own }) => own >= at),
        ];
        const both = new Set([...(await keys(before)), ...(await keys(after))]);
        expect([...both].sort()).toEqual([...whole].sort());
      }),
      { numRuns: lawRuns() },
    );
  });
});
