import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { namedZone } from '../../src/streams/ics.ts';
import { formatVersion, parseVersionStart } from '../../src/streams/stream.ts';
import { calendar, readCalendar } from '../streams/calendars.ts';
import { lawRuns } from '../support/laws.ts';

const RUNS = lawRuns();

const words = fc.string({
  unit: fc.constantFrom('a', 'é', '𝒳', ' ', ',', ';', ':', '"', '\\n', '\\\\'),
  maxLength: 90,
});
const LINES = [
  'DTSTART;TZID=Europe/Berlin:20350402T090000',
  'DTEND;TZID=Europe/Berlin:20350402T100000',
  'DTSTAMP:20350301T080000Z',
  'SEQUENCE:3',
  'ORGANIZER;CN="Meyer, Anna":mailto:anna@notary.example',
  'X-ODD;A=b:c',
];

/** An appointment with words of its own, in some order of its lines, with a UID or without. */
const entries = fc
  .record({ summary: words, description: words, hasUid: fc.boolean() })
  .chain(({ summary, description, hasUid }) => {
    const lines = [
      ...LINES,
      `SUMMARY:${summary}`,
      `DESCRIPTION:${description}`,
      ...(hasUid ? ['UID:a@b.example'] : []),
    ];
    return fc.tuple(fc.constant(lines), fc.shuffledSubarray(lines, { minLength: lines.length }));
  });

function folded(line: string, length: number, blank: string): string {
  const signs = [...line];
  const parts = Array.from({ length: Math.ceil(signs.length / length) }, (_, nth) =>
    signs.slice(nth * length, (nth + 1) * length).join(''),
  );
  return parts.join(`\r\n${blank}`);
}

async function contentOf(lines: readonly string[]) {
  const [only] = await readCalendar(calendar('BEGIN:VEVENT', ...lines, 'END:VEVENT'));
  return only?.content;
}

describe('an appointment', () => {
  test('LAW: is the same in whatever order its lines stand, and however they are folded', async () => {
    await fc.assert(
      fc.asyncProperty(
        entries,
        fc.integer({ min: 1, max: 80 }),
        fc.constantFrom(' ', '\t'),
        async ([lines, other], length, blank) => {
          const content = await contentOf(lines);
          expect(content).toMatchObject({ what: 'event' });
          expect(await contentOf(other.map((line) => folded(line, length, blank)))).toEqual(content);
        },
      ),
      { numRuns: RUNS },
    );
  });

  test('LAW: whatever bytes a file has, it is read to its end, and each item is an event, nothing or refused', async () => {
    const line = fc.oneof(
      fc.constantFrom(
        'BEGIN:VEVENT',
        'END:VEVENT',
        'BEGIN:VTIMEZONE',
        'END:VTIMEZONE',
        'BEGIN:VALARM',
        'END:VCALENDAR',
      ),
      fc.constantFrom(
        'BEGIN:VCALENDAR',
        'DTSTART:20350402T090000',
        'RRULE:FREQ=DAILY',
        'RDATE:',
        'METHOD:CANCEL',
        'UID:a',
      ),
      fc.constantFrom(
        'DTSTART;TZID="',
        'DTSTART;;=:',
        ' 20350402',
        'EXDATE:20350402,,',
        'TZOFFSETTO:+9999',
        'END:VEVENT:',
      ),
      fc.string({ unit: 'binary', maxLength: 30 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 40 }), async (lines) => {
        const items = await readCalendar(Buffer.from(lines.join('\n')));
        expect(items.map(({ at }) => at)).toEqual(items.map((_, nth) => nth));
        for (const { content } of items) {
          const reason = content.what === 'event' ? '' : content.reason;
          // What is thrown is no Unreadable: a mistake of the reader.
          expect(reason).not.toMatch(/^\w*Error/);
        }
      }),
      { numRuns: RUNS },
    );
  });
});

describe('versions', () => {
  const revisions = fc.record({
    sequence: fc.integer({ min: 0, max: 2_000_000_000 }),
    changed: fc.option(fc.integer({ min: 0, max: 4_000_000_000 }).map((seconds) => seconds * 1000)),
    status: fc.constantFrom('confirmed' as const, 'tentative' as const, 'cancelled' as const),
    start: fc.constantFrom('2035-04-02', '2035-04-02T09:00', '2035-12-24T23:59'),
  });

  test('LAW: the newest wins, in whatever order they come: by SEQUENCE, then by the last change', () => {
    fc.assert(
      fc.property(fc.array(revisions, { minLength: 1, maxLength: 6 }), fc.integer(), (all, seed) => {
        const newest = all.toSorted(
          (one, other) => other.sequence - one.sequence || (other.changed ?? -1) - (one.changed ?? -1),
        )[0];
        const versions = all.map(formatVersion);
        const turned = [...versions.slice(seed % versions.length), ...versions.slice(0, seed % versions.length)];
        const last = turned.reduce((one, other) => (other > one ? other : one));
        expect(last).toBe(versions.toSorted().at(-1));
        const [sequence, changed] = last.split(' ');
        expect(Number(sequence)).toBe(newest?.sequence);
        expect(changed === '-' ? null : Date.parse(changed ?? '')).toBe(newest?.changed ?? null);
      }),
      { numRuns: RUNS },
    );
  });

  test('LAW: a version tells where its appointment stood', () => {
    fc.assert(
      fc.property(revisions, (revision) => {
        expect(parseVersionStart(formatVersion(revision))).toBe(revision.start);
      }),
      { numRuns: RUNS },
    );
  });
});

test('LAW: the clocks of a zone and the moment tell each other, but for an hour that clocks skip or show twice', () => {
  const zones = fc.constantFrom('Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'UTC');
  const moments = fc.integer({ min: Date.UTC(1980, 0), max: Date.UTC(2090, 0) });
  fc.assert(
    fc.property(zones, moments, (name, moment) => {
      const zone = namedZone(name);
      const back = zone?.momentOf(zone.wallOf(moment)) ?? Number.NaN;
      expect(Math.abs(back - moment)).toBeLessThanOrEqual(3_600_000);
      expect(zone?.wallOf(back)).toBe(zone?.wallOf(moment));
    }),
    { numRuns: RUNS },
  );
});
