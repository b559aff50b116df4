import fs from 'node:fs';
import path from 'node:path';
import yaml from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { TargetCandidate } from '../../src/reading/targets.ts';
import type { Appointment, StreamEvent } from '../../src/steward/types.ts';
import { readAppointment } from '../../src/streams/appointments.ts';
import { admitted } from '../../src/streams/extract.ts';
import { candidate, eventWith, HOUSE, sampleIndex } from '../support/events.ts';

// It is Friday, 20 November 2026, nine o'clock.
const NOW = '2026-11-20T09:00';
const NOTARY = 'task/Notary appointment.md';

function appointment(parts: Partial<Appointment> = {}): Appointment {
  return {
    uid: 'one@sample.example',
    recurrence: null,
    status: 'confirmed',
    start: '2026-12-09T14:00',
    end: '2026-12-09T15:00',
    movedFrom: null,
    location: null,
    ...parts,
  };
}

function entry(parts: Partial<StreamEvent> & { readonly at?: Partial<Appointment> }): StreamEvent {
  const { at, ...event } = parts;
  const usual = { sourceType: 'calendar', from: null, fromName: null, subject: 'Notary appointment' };
  return eventWith({ ...usual, ...event, appointment: appointment(at) });
}

/** The notary's task, with these dates. */
function notary(parts: Partial<TargetCandidate> = {}): TargetCandidate {
  return candidate({ path: NOTARY, matterPath: HOUSE, due: null, scheduled: null, ...parts });
}

function read(parts: Parameters<typeof entry>[0], ...more: readonly TargetCandidate[]) {
  return readAppointment(entry(parts), sampleIndex(...more), NOW);
}

function due(day: string) {
  return { class: 'context_edit', set: { due: day }, add: {}, remove: {} };
}

describe('a task without a date', () => {
  test('gets that of the appointment which its name stands in', () => {
    expect(read({}, notary())).toEqual({
      meanings: [
        {
          target: NOTARY,
          candidates: [NOTARY],
          ambiguous: false,
          targetConfidence: 0.88,
          targetEvidence: ['name'],
          targetNear: true,
          endsMatter: false,
          quote: 'Notary appointment',
          proposal: due('2026-12-09'),
          time: '14:00',
          effectConfidence: 0.85,
          reasoning: 'The calendar has its date: 2026-12-09 14:00. The name points to “Notary appointment”.',
        },
      ],
      skipped: null,
      rejected: [],
      unusable: null,
      extractor: 'calendar (embedded)',
      usage: null,
    });
  });

  test.each<[string, Partial<StreamEvent>, Partial<TargetCandidate>, object]>([
    [
      'a link in its description',
      { subject: 'Signing', text: 'see [[Notary appointment]]' },
      {},
      { targetConfidence: 0.99, targetEvidence: ['link', 'name'] },
    ],
    ['an alias', { subject: 'The big day at last' }, { aliases: ['big day'] }, { targetEvidence: ['name'] }],
    [
      'a keyword',
      { subject: 'Deed 5822: signing' },
      { keywords: ['deed 5822'] },
      { targetEvidence: ['reference', 'keyword'] },
    ],
    [
      'a number in its description',
      { subject: 'Signing', text: 'Our ref. UR-2041/26' },
      { keywords: ['UR-2041/26'] },
      { targetConfidence: 0.9, targetEvidence: ['reference', 'keyword'] },
    ],
    ['its words in another order', { subject: 'Appointment at the notary' }, {}, { targetEvidence: ['words'] }],
    [
      'its organiser, and its name',
      { from: 'anna@notary.example' },
      {},
      { targetConfidence: 0.97, targetEvidence: ['sender', 'name'] },
    ],
  ])('is found by %s', (_, event, task, found) => {
    const { meanings } = read(event, notary(task));
    expect(meanings).toMatchObject([{ target: NOTARY, proposal: due('2026-12-09'), ...found }]);
  });

  test('is found by a path in its description', () => {
    const task = candidate({ path: 'task/deed.md', due: null });
    const { meanings } = read({ subject: 'Signing', text: 'See task/deed.md for more.' }, task);
    expect(meanings).toMatchObject([{ target: 'task/deed.md', targetConfidence: 0.99 }]);
  });

  test.each<[string, Partial<StreamEvent>, string]>([
    [
      'a name in the description alone',
      { subject: 'Lunch', text: 'We talk about the notary appointment, too.' },
      'no note fits',
    ],
    ['one word of a name', { subject: 'Notary' }, 'no note fits'],
    ['a matter', { subject: 'Viewing: house purchase' }, 'no task fits best'],
    ['its organiser alone', { subject: 'Lunch', from: 'anna@notary.example' }, 'no task fits best'],
  ])('gets none by %s', (_, event, skipped) => {
    expect(read(event, notary())).toMatchObject({ meanings: [], skipped });
  });

  test('gets none by an organiser whom the task itself names, and nothing else', () => {
    const task = notary({ senders: ['ben@notary.example'] });
    const none = { meanings: [], skipped: 'only its organiser points to a task' };
    expect(read({ subject: 'Lunch', from: 'ben@notary.example' }, task)).toMatchObject(none);
  });

  test('waits for a person where two fit', () => {
    const twin = candidate({ path: 'task/b/Notary appointment.md', due: null });
    const [meaning] = read({}, notary(), twin).meanings;
    expect(meaning).toMatchObject({ ambiguous: true, candidates: expect.arrayContaining([NOTARY, twin.path]) });
    expect(meaning?.reasoning).toContain('and nearly as well to “Notary appointment”');
  });

  test('gets it with less confidence while it is not firm', () => {
    const [meaning] = read({ at: { status: 'tentative' } }, notary()).meanings;
    expect(meaning).toMatchObject({ effectConfidence: 0.595, proposal: due('2026-12-09') });
    expect(meaning?.reasoning).toContain('not firm');
  });

  test('has another date of its own, or is done: nothing', () => {
    expect(read({}, notary({ due: '2026-12-09' })).skipped).toBe('the task has this date already');
    expect(read({}, notary({ due: '2026-12-01' })).skipped).toBe('the task has another date: 2026-12-01');
    expect(read({}, notary({ scheduled: '2026-12-01' })).skipped).toBe('the task has another date: 2026-12-01');
    const done = read({ text: '[[Notary appointment]]', subject: 'Signing' }, notary({ state: 'done' }));
    expect(done).toMatchObject({ meanings: [], skipped: 'the task is done' });
  });
});

describe('a task with the date where the appointment stood', () => {
  const FORMER = '0000000001 2026-11-01T10:00:00Z 1 2026-12-02T14:00';
  const LATER = '0000000002 2026-11-02T10:00:00Z 1 2026-12-04T14:00';

  test.each<[string, string, Parameters<typeof entry>[0], string | null]>([
    ['as it was read before', '2026-12-02', { replaces: [FORMER] }, '2026-12-09'],
    ['as the calendar itself says', '2026-12-02', { at: { movedFrom: '2026-12-02T10:00' } }, '2026-12-09'],
    ['with its time', '2026-12-02T14:00:00', { replaces: [FORMER] }, '2026-12-09T14:00:00'],
    ['with another time', '2026-12-02T08:00:00', { replaces: [FORMER] }, null],
    ['twice, and nobody confirmed the first', '2026-12-02', { replaces: [FORMER, LATER] }, '2026-12-09'],
    ['on another day', '2026-12-03', { replaces: [FORMER] }, null],
    ['where only the hour has moved', '2026-12-09', { replaces: [FORMER.replace('12-02T14', '12-09T11')] }, null],
    ['by a version that is none', '2026-12-02', { replaces: ['x'] }, null],
  ])('%s: %s', (_, was, event, expected) => {
    const { meanings } = read(event, notary({ due: was }));
    expect(meanings.map(({ proposal }) => proposal)).toEqual(expected === null ? [] : [due(expected)]);
    if (expected !== null) expect(meanings[0]).toMatchObject({ effectConfidence: 0.95, ambiguous: false });
  });

  test('moves though its own words do not stand out, where its matter is named', () => {
    const event = { subject: 'Signing: house purchase', replaces: [FORMER] };
    expect(read(event, notary({ due: '2026-12-02' })).meanings).toMatchObject([
      { target: NOTARY, proposal: due('2026-12-09'), targetEvidence: ['name'] },
    ]);
  });

  test('waits for a person where two tasks of the matter have it', () => {
    const other = candidate({ path: 'task/Sign deed of sale.md', matterPath: HOUSE, due: '2026-12-02' });
    const event = { subject: 'Signing: house purchase', replaces: [FORMER] };
    expect(read(event, notary({ due: '2026-12-02' }), other).meanings).toMatchObject([{ ambiguous: true }]);
  });

  test('is told of where the appointment went away and came back', () => {
    const came = FORMER.replace('12-02T14', '12-09T14');
    const { meanings } = read({ replaces: [came, LATER] }, notary({ due: '2026-12-09' }));
    expect(meanings).toMatchObject([{ target: NOTARY, proposal: null }]);
    expect(meanings[0]?.reasoning).toContain(
      'is back on 2026-12-09 14:00, where the task is, and no longer on 2026-12-04',
    );
    expect(read({ replaces: [came] }, notary({ due: '2026-12-09' })).meanings).toEqual([]);
  });

  test('is shown where it is cancelled after a move that nobody confirmed', () => {
    const event = { at: { status: 'cancelled' as const }, replaces: [FORMER, LATER] };
    const { meanings } = read(event, notary({ due: '2026-12-02' }));
    expect(meanings).toMatchObject([{ target: NOTARY, proposal: null }]);
    expect(meanings[0]?.headline).toContain('is cancelled');
  });

  test('is shown to a person where it is cancelled, and not changed', () => {
    for (const was of ['2026-12-09', '2026-12-02']) {
      const event = { at: { status: 'cancelled' as const }, replaces: [FORMER] };
      expect(read(event, notary({ due: was })).meanings).toMatchObject([{ target: NOTARY, proposal: null }]);
    }
    const none = read({ at: { status: 'cancelled' } }, notary());
    expect(none).toMatchObject({ meanings: [], skipped: 'it is cancelled, and no task that fits has its date' });
  });
});

describe('a series', () => {
  const series = { series: true as const };

  test('gives a task that its title names alone its next date, and moves none', () => {
    expect(read({ at: series }, notary()).meanings).toMatchObject([{ proposal: due('2026-12-09') }]);
    const words = read({ at: series, subject: 'Appointment at the notary' }, notary());
    expect(words).toMatchObject({ meanings: [], skipped: "a series, and its title doesn't name a single task" });
    const replaces = ['0000000001 2026-11-01T10:00:00Z 1 2026-12-02T14:00'];
    expect(read({ at: series, replaces }, notary({ due: '2026-12-02' })).meanings).toEqual([]);
    const twin = candidate({ path: 'task/b/Notary appointment.md', due: null });
    expect(read({ at: series }, notary(), twin).meanings).toEqual([]);
  });
});

describe('the time', () => {
  test.each<[string, Partial<Appointment>, string | null]>([
    ['over since yesterday', { start: '2026-11-19T08:00', end: '2026-11-19T09:00' }, 'it has passed'],
    ['begun, without an end', { start: '2026-11-20T08:00', end: null }, 'it has passed'],
    ['under way', { start: '2026-11-20T08:00', end: '2026-11-20T10:00' }, null],
    ['yesterday, the whole day', { start: '2026-11-19', end: '2026-11-19' }, 'it has passed'],
    ['today, the whole day', { start: '2026-11-20', end: '2026-11-20' }, null],
  ])('%s: never is anything done', (_, at, skipped) => {
    expect(read({ at }, notary()).skipped).toBe(skipped);
  });

  test.each<[string, Partial<Appointment>, string | null]>([
    ['2026-12-09T14:00', {}, null],
    ['2026-11-10', { start: '2026-11-10', end: null }, null],
    ['2026-11-01', { start: '2026-11-01', end: null }, 'over since more than 14 days'],
    ['2029-01-01', { start: '2029-01-01', end: null }, 'more than 2 years ahead'],
    ['that lasts until now', { start: '2026-01-01', end: '2026-12-31' }, null],
  ])('%s is looked into, however long ago it was written down', (_, at, reason) => {
    const admission = admitted(entry({ at, originAt: '2019-01-01T00:00:00Z' }), new Date('2026-11-20T09:00:00Z'));
    expect(admission.ok ? null : admission.reason).toBe(reason);
  });
});

test('the quote is what the entry says, at most fifty characters of it', () => {
  const subject = `Notary appointment ${'with many people '.repeat(9)}`.trim();
  const [meaning] = read({ subject }, notary()).meanings;
  expect(meaning?.quote.length).toBeLessThanOrEqual(50);
  expect(subject).toContain(meaning?.quote);
  const [untitled] = read({ subject: '', text: 'Bring the deed.\n[[Notary appointment]]' }, notary()).meanings;
  expect(untitled?.quote).toBe('Bring the deed.');
});

/** Each file is the title of an appointment, the tasks of a vault, and the task that gets the date of it, or null. */
const CASES = path.join(import.meta.dirname, 'appointment-cases');
const appointmentCase = z
  .object({
    about: z.string(),
    title: z.string(),
    tasks: z.array(z.string()),
    keywords: z.array(z.string()).default([]),
    date_of: z.string().nullable(),
  })
  .strict();

describe('an appointment with a verb of its own', () => {
  test.each(fs.readdirSync(CASES))('%s', (file) => {
    const { about, title, tasks, keywords, date_of } = appointmentCase.parse(
      yaml.load(fs.readFileSync(path.join(CASES, file), 'utf8')),
    );
    const candidates = tasks.map((name) =>
      candidate({ path: `task/${name}.md`, keywords, due: null, scheduled: null }),
    );
    const { meanings } = read({ subject: title }, ...candidates);
    const dated = meanings.filter(({ proposal }) => proposal !== null).map(({ target }) => target);
    expect(dated, about).toEqual(date_of === null ? [] : [date_of]);
  });

  test('doesn’t take a task along when it moves', () => {
    const task = candidate({ path: 'task/Sign the deed.md', keywords: ['deed'], due: '2026-12-02', scheduled: null });
    const subject = 'Call with the notary about the deed';
    expect(read({ subject, at: { movedFrom: '2026-12-02T10:00' } }, task).meanings).toEqual([]);
    const own = read({ subject: 'Sign the deed', at: { movedFrom: '2026-12-02T10:00' } }, task);
    expect(own.meanings.map(({ proposal }) => proposal)).toEqual([due('2026-12-09')]);
  });
});
