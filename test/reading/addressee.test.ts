import fs from 'node:fs';
import { load } from 'js-yaml';
import { describe, expect, it, test } from 'vitest';
import { z } from 'zod';
import { type OwnNames, otherAddressee } from '../../src/reading/addressee.ts';
import { readByRules } from '../../src/reading/read-event.ts';
import { TargetIndex } from '../../src/reading/targets.ts';
import type { StreamEvent } from '../../src/steward/types.ts';
import { parseMail } from '../../src/streams/mail.ts';
import { makeDrafts } from '../../src/streams/signal.ts';
import { candidate, eventWith } from '../support/events.ts';
import { LEARNT } from '../support/learnt.ts';

const greetings = z.array(z.string());
const CASES = z
  .array(z.strictObject({ lang: z.string(), task: z.string(), says: z.string(), acts: greetings, stays: greetings }))
  .parse(load(fs.readFileSync(new URL('cases/addressee.yaml', import.meta.url), 'utf8')));
const ANNA = 'anna@harrow-conveyancing.example';
const ROBIN: OwnNames = { names: ['Robin Placeholder'], addresses: [] };
const UNKNOWN: OwnNames = { names: [], addresses: [] };

/** Whether a mail of a licensed sender may act on the task. */
function actsOn(task: string, text: string): boolean {
  const index = new TargetIndex();
  const house = candidate({ path: 'matter/House.md', senders: [ANNA] });
  for (const one of [house, candidate({ path: `task/${task}.md`, matterPath: house.path })]) index.add(one);
  const event = eventWith({ from: ANNA, subject: 'News', text: `${text}\n\nAnna` });
  const read = readByRules(event, { index, learnt: LEARNT });
  const context = { now: new Date(), own: ROBIN, standingOf: () => 'licensed' as const, confidenceOf: () => 1 };
  const drafts = makeDrafts(event, read, index, context);
  expect(drafts.map(({ effect }) => effect)).toEqual(['mutation']);
  return drafts.every(({ doubts }) => doubts === undefined);
}

describe.each(CASES)('in $lang', ({ task, says, acts, stays }) => {
  it.each(acts)('a mail that greets the user acts: %s', (greeting) => {
    expect(actsOn(task, `${greeting}\n\n${says}`)).toBe(true);
  });

  it.each(stays)('a mail that greets somebody else is only proposed: %s', (greeting) => {
    expect(actsOn(task, `${greeting}\n\n${says}`)).toBe(false);
  });
});

describe('without names in the settings', () => {
  const greeted = (greeting: string, to: Partial<StreamEvent>, own: OwnNames = UNKNOWN) =>
    otherAddressee(eventWith({ text: `${greeting}\n\nThe deposit has been paid.`, ...to }), own);

  test('the address that the mail was sent to gives the name', () => {
    for (const to of ['robin@sample.example', 'robin.placeholder@sample.example', 'rplaceholder7@sample.example'])
      expect(greeted('Dear Ms Placeholder,', { to: [to], toNames: { [to]: 'Robin Placeholder' } })).toBeNull();
    expect(greeted('Dear Ms Placeholder,', { to: ['robin.placeholder@sample.example'] })).toBeNull();
    expect(greeted('Dear Robin,', { to: ['robin+home@sample.example'] })).toBeNull();
    expect(greeted('Dear Robin,', { to: ['info@sample.example'] })).toBe('Dear Robin');
    expect(greeted('Dear Mr Miller,', { to: ['robin@sample.example'] })).toBe('Dear Mr Miller');
    expect(greeted('Dear Robin,', { to: [] })).toBe('Dear Robin');
  });

  test('of several recipients only an address of the user does', () => {
    const to = ['miller@elsewhere.example', 'robin@sample.example'];
    expect(greeted('Dear Mr Miller,', { to })).toBe('Dear Mr Miller');
    expect(greeted('Dear Robin,', { to })).toBe('Dear Robin');
    const own = { names: [], addresses: ['robin@sample.example'] };
    expect(greeted('Dear Mr Miller,', { to }, own)).toBe('Dear Mr Miller');
    expect(greeted('Dear Robin,', { to }, own)).toBeNull();
    expect(greeted('Dear Mr Miller,', { to: ['miller@elsewhere.example'] }, own)).toBe('Dear Mr Miller');
  });

  test('a mail keeps the display names of its recipients', async () => {
    const lines = [
      'From: a@b.example',
      'To: Robin Placeholder <RP@Sample.example>, x@y.example',
      'Subject: x',
      '',
      'x',
    ];
    const read = await parseMail('stream/a.eml', Buffer.from(lines.join('\r\n')), {
      sourceType: 'mail',
      trustedServers: [],
    });
    expect(read).toMatchObject({ event: { toNames: { 'rp@sample.example': 'Robin Placeholder' } } });
  });
});

test.each([
  'Hello, the deposit is paid.',
  'Hi the deposit for Larkspur Lane is paid.',
  'The deposit is paid. Dear Mr Miller will be glad.',
])('greets nobody by name: %s', (text) => {
  expect(otherAddressee(eventWith({ text }), ROBIN)).toBeNull();
});

test('a sent mail and a chat greet whom they like', () => {
  const text = 'Dear Mr Miller,\n\nThe deposit has been paid.';
  expect(otherAddressee(eventWith({ text, sourceType: 'sent' }), ROBIN)).toBeNull();
  expect(otherAddressee(eventWith({ text, spoken: { room: null, isPersonal: true } }), ROBIN)).toBeNull();
});
