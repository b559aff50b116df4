import { describe, expect, it } from 'vitest';
import { readFindings } from '../../src/reading/read-event.ts';
import type { StreamEvent } from '../../src/steward/types.ts';
import { candidate, eventWith, extractSignals, HOUSE, sampleIndex } from '../support/events.ts';

const index = sampleIndex(candidate({ path: 'task/Send papers to Anna.md', matterPath: HOUSE }));
const context = {
  now: new Date('2026-11-20T20:00:00Z'),
  standingOf: () => 'unknown' as const,
  confidenceOf: () => 0.7,
};

/** Something that Anna says in a room. */
function said(text: string, room: string | null = 'House purchase'): StreamEvent {
  const subject = `${room ?? 'Anna'}: ${text}`.slice(0, 80);
  return eventWith({ sourceType: 'other', from: 'anna weber', subject, text, spoken: { room, isPersonal: false } });
}

const signalsOf = (text: string, room?: string | null) => extractSignals(said(text, room), index, context).signals;

describe('what somebody says in a chat', () => {
  it.each([
    ['could you send the papers until Friday?', null, HOUSE],
    ['can you pick up the keys?', null, HOUSE],
    ['Kannst du die Unterlagen schicken?', null, HOUSE],
    ["don't forget to sign the deed of sale", null, 'task/Sign deed of sale.md'],
    ['done, sent the papers', { state: 'done' }, 'task/Send papers to Anna.md'],
    ['sent the papers to Anna', { state: 'done' }, 'task/Send papers to Anna.md'],
    ['paid the deposit invoice', { state: 'done' }, 'task/Pay deposit invoice.md'],
    ['Ok, I already paid the deposit invoice', { state: 'done' }, 'task/Pay deposit invoice.md'],
    ['Hab die deposit invoice gestern bezahlt', { state: 'done' }, 'task/Pay deposit invoice.md'],
    ['notary appointment moved to 12 December 2026', { due: '2026-12-12' }, 'task/Notary appointment.md'],
  ])('%j asks for or tells of something', (text, set, target) => {
    const signals = signalsOf(text);
    expect(signals).toHaveLength(1);
    expect(signals[0]).toMatchObject({ target_path: target, pattern: 'anna weber' });
    expect(signals[0]?.effect).toBe(set === null ? 'action' : 'mutation');
    expect(signals[0]?.mutation_proposal?.set ?? null).toEqual(set);
    expect(text).toContain(signals[0]?.raw_quote);
  });

  it.each([
    'did you pay the deposit invoice?',
    'have you sent the papers to Anna?',
    'I have not paid the deposit invoice yet',
    'once I have paid the deposit invoice we can go',
    'will send the papers tomorrow',
    'if you sent the papers, tell me',
    'done',
    'ok done 👍',
    'who paid the deposit invoice?',
    'hast du die deposit invoice bezahlt?',
    'hab die deposit invoice noch nicht bezahlt',
  ])('%j tells of nothing done', (text) => {
    expect(signalsOf(text).filter(({ effect }) => effect === 'mutation')).toEqual([]);
  });

  it('is quoted from its words, never from its room', () => {
    const [signal] = signalsOf('The deed is signed', 'The deposit invoice has been paid');
    expect(signal?.raw_quote).toBe('The deed is signed');
    expect(readFindings(said('hello there', 'The deposit invoice has been paid')).findings).toEqual([]);
  });

  it('rests on its words more than on what its room is called', () => {
    const [signal] = signalsOf('Please sign the papers', 'Car insurance');
    expect(signal?.target_path).toBe('matter/Car insurance.md');
    expect(signal?.target_confidence).toBeLessThan(0.85);
  });

  it('of a mail is not read like that', () => {
    const mail = eventWith({ text: 'Paid the people of the deposit invoice. Sent the papers to Anna yesterday.' });
    expect(readFindings(mail).findings).toEqual([]);
  });
});
