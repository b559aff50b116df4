import { describe, expect, it } from 'vitest';
import { readFindings } from '../../src/reading/read-event.ts';
import { chooseTarget, type TargetIndex } from '../../src/reading/targets.ts';
import type { StreamEvent } from '../../src/steward/types.ts';
import { candidate, eventWith, HOUSE, sampleIndex } from '../support/events.ts';
import { ownTime } from '../support/own-time.ts';

const STRANGER = 'someone@elsewhere.example';

function choose(index: TargetIndex, parts: Partial<StreamEvent>) {
  const event = eventWith(parts);
  return chooseTarget(index, event, readFindings(event).findings[0] ?? null);
}

describe('a link', () => {
  it.each([
    'Done: [[Pay deposit invoice]].',
    'Done: [[task/pay DEPOSIT invoice|the deposit]].',
    'Done: [[task/Pay deposit invoice.md#Notes]].',
    'Done: obsidian://open?vault=home&file=task%2FPay%20deposit%20invoice now.',
  ])('names the note: %s', (text) => {
    expect(choose(sampleIndex(), { from: STRANGER, text })).toMatchObject({
      path: 'task/Pay deposit invoice.md',
      matterPath: HOUSE,
      confidence: 0.99,
      ambiguous: false,
    });
  });

  it('may be a path', () => {
    const index = sampleIndex(candidate({ path: 'task/foo.md' }));
    expect(choose(index, { from: STRANGER, text: 'see task/foo.md, which was completed.' })).toMatchObject({
      path: 'task/foo.md',
    });
  });

  it('compares in NFC, and finds finished notes too', () => {
    const index = sampleIndex(candidate({ path: 'task/Büro.md', state: 'done' }));
    expect(choose(index, { text: `[[${'Büro'.normalize('NFD')}]]` })).toMatchObject({ path: 'task/Büro.md' });
  });

  it('in the finding’s own sentence wins over others', () => {
    const text = 'See [[Notary appointment]].\n\n[[Pay deposit invoice]] has been paid.';
    expect(choose(sampleIndex(), { text })).toMatchObject({ path: 'task/Pay deposit invoice.md', ambiguous: false });
  });

  it('to two notes at once is ambiguous', () => {
    const text = '[[Pay deposit invoice]] and [[Notary appointment]] have been completed.';
    expect(choose(sampleIndex(), { text })).toMatchObject({ ambiguous: true });
  });

  it('with a name that two notes have is ambiguous', () => {
    const index = sampleIndex(candidate({ path: 'task/a/Call.md' }), candidate({ path: 'task/b/Call.md' }));
    expect(choose(index, { from: STRANGER, text: '[[Call]] was completed.' })).toMatchObject({ ambiguous: true });
    expect(choose(index, { from: STRANGER, text: '[[b/Call]] was completed.' })).toMatchObject({
      path: 'task/b/Call.md',
      ambiguous: false,
    });
  });

  it('in the quoted history counts less', () => {
    const choice = choose(sampleIndex(), { from: STRANGER, text: 'Completed.', quoted: '> [[Pay deposit invoice]]' });
    expect(choice).toMatchObject({ path: 'task/Pay deposit invoice.md' });
    expect(choice?.confidence).toBeLessThan(0.9);
  });
});

describe('a sender', () => {
  it('and the words of a task find the task', () => {
    const choice = choose(sampleIndex(), { text: 'The deposit invoice has been paid.' });
    expect(choice).toMatchObject({
      kind: 'task',
      path: 'task/Pay deposit invoice.md',
      matterPath: HOUSE,
      ambiguous: false,
    });
    expect(choice?.confidence).toBeGreaterThanOrEqual(0.9);
  });

  it('and the whole name of a task are as sure as can be without a link', () => {
    const choice = choose(sampleIndex(), { text: 'Notary appointment: it has been completed.' });
    expect(choice).toMatchObject({ path: 'task/Notary appointment.md', ambiguous: false });
    expect(choice?.confidence).toBeGreaterThanOrEqual(0.95);
  });

  it('alone finds the matter, which one mail does not close', () => {
    const choice = choose(sampleIndex(), { text: 'Everything has been completed.' });
    expect(choice).toMatchObject({ kind: 'matter', path: HOUSE });
    expect(choice?.confidence).toBeLessThanOrEqual(0.6);
  });

  it('alone is enough for what closes nothing', () => {
    expect(choose(sampleIndex(), { text: 'Please send the papers.' })).toMatchObject({ path: HOUSE, confidence: 0.9 });
  });

  it('is taken from the address, never from the display name', () => {
    const choice = choose(sampleIndex(), {
      from: 'mallory@evil.example',
      fromName: 'anna@notary.example',
      text: 'Please send the papers.',
    });
    expect(choice).toBeNull();
  });

  it.each(['anna@notary.example.evil.example', 'xanna@notary.example', 'anna@evil-notary.example'])(
    '%s is nobody',
    (from) => {
      expect(choose(sampleIndex(), { from, text: 'Please send the papers.' })).toBeNull();
    },
  );

  it('may be named by domain', () => {
    const choice = choose(sampleIndex(), { from: 'bot@insurer.example', text: 'Your car insurance has been renewed.' });
    expect(choice).toMatchObject({ path: 'task/Renew car insurance.md' });
    expect(choose(sampleIndex(), { from: 'bot@sub.insurer.example', text: 'Please send the papers.' })).toBeNull();
  });

  it('of two matters is ambiguous where nothing else tells them apart', () => {
    const index = sampleIndex(candidate({ path: 'matter/Office lease.md', senders: ['anna@notary.example'] }));
    expect(choose(index, { text: 'Please send the papers.' })).toMatchObject({ ambiguous: true });
    expect(choose(index, { text: 'Please send the papers for the office lease.' })).toMatchObject({
      path: 'matter/Office lease.md',
      ambiguous: false,
    });
  });
});

describe('names', () => {
  it('that are alike are told apart by what is said', () => {
    const index = sampleIndex(
      candidate({ path: 'task/Pay invoice March.md', matterPath: HOUSE }),
      candidate({ path: 'task/Pay invoice April.md', matterPath: HOUSE }),
    );
    const march = choose(index, { text: 'The invoice for March has been paid.' });
    expect(march).toMatchObject({ path: 'task/Pay invoice March.md', ambiguous: false });
    const either = choose(index, { text: 'The invoice has been paid.' });
    expect(either).toMatchObject({ ambiguous: true });
    expect(either?.candidates.length).toBeGreaterThanOrEqual(2);
  });

  it('within a longer name do not count', () => {
    const index = sampleIndex(candidate({ path: 'matter/House.md' }), candidate({ path: 'matter/House insurance.md' }));
    const choice = choose(index, { from: STRANGER, text: 'Please send the house insurance papers.' });
    expect(choice).toMatchObject({ path: 'matter/House insurance.md', ambiguous: false });
  });

  it('follow the sentence of the finding, not the mail’s other sentences', () => {
    const text = 'The deed of sale will be signed next week. The deposit has been paid.';
    expect(choose(sampleIndex(), { text })).toMatchObject({ path: 'task/Pay deposit invoice.md', ambiguous: false });
  });

  it('of tasks that ask for something else are not taken', () => {
    expect(choose(sampleIndex(), { text: 'The invoice for the deed of sale has been paid.' })?.path).not.toBe(
      'task/Sign deed of sale.md',
    );
  });

  it('of finished notes are not looked for', () => {
    const index = sampleIndex(candidate({ path: 'task/Order boiler.md', state: 'done' }));
    expect(choose(index, { from: STRANGER, text: 'The boiler has been ordered and delivered.' })).toBeNull();
  });

  it('are read from file names with dashes', () => {
    const index = sampleIndex(candidate({ path: 'task/order-new-boiler.md' }));
    expect(
      choose(index, { from: STRANGER, subject: 'Order new boiler', text: 'It has been delivered.' }),
    ).toMatchObject({
      path: 'task/order-new-boiler.md',
    });
  });
});

describe('a number', () => {
  const tasks = ['114', '141'].map((number) =>
    candidate({ path: `task/Pay invoice 2026-${number}.md`, matterPath: HOUSE }),
  );

  it('tells one invoice from another', () => {
    const choice = choose(sampleIndex(...tasks), { text: 'Invoice 2026-141 was paid.' });
    expect(choice).toMatchObject({ path: 'task/Pay invoice 2026-141.md', ambiguous: false });
  });

  it('of an invoice that is no task is not taken for one of a task', () => {
    const index = sampleIndex(...tasks.slice(0, 1));
    const [own, other] = ['114', '099'].map((number) => choose(index, { text: `Invoice 2026-${number} was paid.` }));
    expect(own?.confidence).toBeGreaterThanOrEqual(0.85);
    expect(other?.confidence ?? 0).toBeLessThan(0.6);
  });
});

describe('search', () => {
  it('finds by words in common, never too sure', () => {
    const index = sampleIndex(candidate({ path: 'task/Replace kitchen boiler thermostat.md' }));
    const choice = choose(index, {
      from: STRANGER,
      text: 'The thermostat of the boiler in your kitchen has been delivered.',
    });
    expect(choice).toMatchObject({ path: 'task/Replace kitchen boiler thermostat.md' });
    expect(choice?.confidence).toBeLessThanOrEqual(0.85);
    expect(choice?.confidence).toBeGreaterThanOrEqual(0.5);
  });

  it('meets words whose endings can be cut more than once', () => {
    const index = sampleIndex(candidate({ path: 'task/Get boathouse permit.md' }));
    const choice = choose(index, { from: STRANGER, text: 'The permit for the boathouse has been granted.' });
    expect(choice).toMatchObject({ path: 'task/Get boathouse permit.md' });
  });

  it('gives nothing below the floor', () => {
    expect(choose(sampleIndex(), { from: STRANGER, text: 'The pizza has been delivered.' })).toBeNull();
  });
});

describe('the index', () => {
  it('follows each change of a note', () => {
    const index = sampleIndex();
    const text = 'The boiler service has been booked.';
    expect(choose(index, { from: STRANGER, text })).toBeNull();
    index.add(candidate({ path: 'task/Boiler service.md' }));
    expect(choose(index, { from: STRANGER, text })).toMatchObject({ path: 'task/Boiler service.md' });
    index.add(candidate({ path: 'task/Boiler service.md', state: 'archived' }));
    expect(choose(index, { from: STRANGER, text })).toBeNull();
    index.add(candidate({ path: 'task/Boiler service.md' }));
    index.remove('task/Boiler service.md');
    index.remove('task/Boiler service.md');
    expect(choose(index, { from: STRANGER, text })).toBeNull();
    expect(index.size).toBe(6);
  });

  it('knows whose address it has been told', () => {
    const index = sampleIndex();
    expect(index.knowsSender('Anna@Notary.example')).toBe(true);
    expect(index.knowsSender('bot@insurer.example')).toBe(false);
    index.remove(HOUSE);
    expect(index.knowsSender('anna@notary.example')).toBe(false);
  });

  it('answers for one mail among many thousand notes', () => {
    const index = sampleIndex();
    for (let i = 0; i < 5000; i += 1) index.add(candidate({ path: `task/Pay bill ${i} of supplier ${i % 70}.md` }));
    const begin = ownTime();
    for (let i = 0; i < 20; i += 1) choose(index, { text: 'The deposit invoice has been paid. '.repeat(20) });
    expect((ownTime() - begin) / 20).toBeLessThan(100);
  });
});
