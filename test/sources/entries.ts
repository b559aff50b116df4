import { CALENDAR } from '../../src/streams/kinds.ts';
import { compareWithRead, type KnownVersion } from '../../src/streams/state.ts';
import { readAll } from '../streams/read-all.ts';

/** One entry as a person's calendar has it; a line that is given as empty is left out. */
export function entry(uid: string, lines: Readonly<Record<string, string>> = {}): string {
  const all = { UID: uid, DTSTAMP: '20350201T120000Z', DTSTART: '20350310T090000Z', SUMMARY: 'Roof survey', ...lines };
  const own = Object.entries(all).flatMap(([name, value]) => (value === '' ? [] : `${name}:${value}`));
  return ['BEGIN:VEVENT', ...own, 'END:VEVENT'].join('\r\n');
}

/** A calendar of some entries. */
export function calendar(...parts: readonly string[]): string {
  return `${['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Example//EN', ...parts, 'END:VCALENDAR'].join('\r\n')}\r\n`;
}

/** Now, for all these tests. */
export const NOW = Date.parse('2035-03-02T09:00:00Z');

/** What the program would read of some files one after the other: of each entry the version that counts, as one line. */
export async function readIn(texts: readonly string[], now = NOW): Promise<string[]> {
  const known = new Map<string, KnownVersion[]>();
  const last = new Map<string, string>();
  for (const text of texts) {
    for (const { content } of await readAll(CALENDAR, Buffer.from(text), { zone: 'UTC', now })) {
      if (content.what !== 'event') throw new Error(content.reason);
      const { identity, event } = content;
      const before = known.get(identity.key) ?? [];
      const standing = compareWithRead(identity, before);
      if (standing.kind === 'known') continue;
      known.set(identity.key, [...before, { version: identity.version, path: '', gave: false }]);
      const { uid, status, start, movedFrom } = event.appointment ?? {};
      const moved = movedFrom === null ? '' : ` from ${movedFrom}`;
      last.set(identity.key, `${uid} ${status} ${start}${moved} ${event.subject}`);
    }
  }
  return [...last.values()].toSorted();
}
