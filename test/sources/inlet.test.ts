import { expect, test } from 'vitest';
import { joinCalendars } from '../../src/sources/inlet.ts';
import type { Arrival } from '../../src/sources/source.ts';
import { readCalendar } from '../../src/streams/ics.ts';

const DOOR = { file: 'a.ics', sourceType: 'calendar', trustedServers: [], zone: 'UTC', now: 0, bankFormats: [] };

test('many entries of a calendar become one file, in which each is read as it is alone', async () => {
  const alone = [calendar('one', 'REQUEST'), calendar('two', 'CANCEL'), calendar('three', 'PUBLISH')];
  const [made, another] = joinCalendars(alone.map((text, nth) => arrivalOf(text, nth)));
  expect(another).toBeUndefined();
  const read = await Promise.all(alone.map(eventsOf));
  expect(await eventsOf(textIn(made))).toEqual(read.flat());
});

test('none of them takes the beginning of the next, however it is written', async () => {
  const odd = [`\uFEFF  ${calendar('one', 'REQUEST')} `, ` \t${calendar('two', 'CANCEL').replaceAll('\r\n', '\r')}`];
  const cut = calendar('three', 'REQUEST').replace(/END:VEVENT[\s\S]*$/, 'DESCRIPTION:cut');
  const [made] = joinCalendars([...odd, cut, calendar('four', 'REQUEST')].map(arrivalOf));
  const names = (await eventsOf(textIn(made))).map((event) => JSON.stringify(event));
  expect(names.map((text) => /Meeting (\w+)/.exec(text)?.[1] ?? 'refused')).toEqual(['one', 'two', 'refused', 'four']);
});

test('the same ones make the same file, one by itself stays as it is, and mails stay apart', () => {
  const entries = [calendar('one', 'REQUEST'), calendar('two', 'REQUEST')].map(arrivalOf);
  expect(joinCalendars(entries)).toEqual(joinCalendars(entries));
  expect(joinCalendars(entries.slice(0, 1))).toEqual(entries.slice(0, 1));
  const mail: Arrival = { key: 'm', at: 1, content: { kind: 'mail', bytes: Buffer.from('Subject: Hi\n\n') } };
  const passed: Arrival = { key: 'p', at: 1, content: null };
  expect(joinCalendars([mail, passed])).toEqual([mail, passed]);
  expect(
    joinCalendars(Array.from({ length: 450 }, (_, nth) => arrivalOf(calendar(`n${nth}`, 'REQUEST'), nth))),
  ).toHaveLength(3);
});

function arrivalOf(text: string, nth: number): Arrival {
  return { key: `${nth}`, at: null, content: { kind: 'calendar', bytes: Buffer.from(text) } };
}

function textIn(arrival: Arrival | undefined): string {
  return arrival?.content?.kind === 'calendar' ? Buffer.from(arrival.content.bytes).toString('utf8') : '';
}

function calendar(uid: string, method: string): string {
  const entry = [`UID:${uid}`, 'DTSTAMP:20261101T080000Z', 'DTSTART:20261201T080000Z', `SUMMARY:Meeting ${uid}`];
  return [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `METHOD:${method}`,
    'BEGIN:VEVENT',
    ...entry,
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n');
}

async function eventsOf(text: string): Promise<unknown[]> {
  const bytes = Buffer.from(text);
  const source = { size: bytes.length, read: (at: number, length: number) => bytes.subarray(at, at + length) };
  const read: unknown[] = [];
  for await (const item of readCalendar(source, 0, DOOR)) read.push(await item.read());
  return read;
}
