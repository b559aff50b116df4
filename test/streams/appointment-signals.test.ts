import { describe, expect, test } from 'vitest';
import { NOT_VOUCHED, type StreamEvent } from '../../src/steward/types.ts';
import { extract, questionFor } from '../../src/streams/extract.ts';
import { MessagesServer } from '../providers/messages-server.ts';
import { Clock } from '../support/clock.ts';
import { matter, settings, task } from '../support/notes.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench, LIVE } from '../support/workspace.ts';

const TASK = 'task/Notary appointment.md';

function day(clock: Clock, ahead: number): string {
  return new Date(clock.now() + ahead * 86_400_000).toISOString().slice(0, 10);
}

function entry(start: string, parts: Partial<StreamEvent> = {}): StreamEvent {
  const appointment = { uid: 'a', recurrence: null, status: 'confirmed' as const, end: null, movedFrom: null };
  return {
    ...{ path: 'stream/calendar/home.ics#3f2a9c1b04de', sourceType: 'calendar', originAt: '2020-01-01T00:00:00Z' },
    ...{ from: 'anna@notary.example', fromName: null, to: [], subject: 'Notary appointment', text: '', quoted: '' },
    ...{ bulk: false, bulkReason: null, ownNote: false, authentication: NOT_VOUCHED, warnings: [], shown: null },
    ...{ doubts: [], appointment: { ...appointment, start, location: null } },
    ...parts,
  };
}

async function open(due: string | undefined) {
  // A key is set, so a model would be asked where anything were left to be read.
  const server = await MessagesServer.start(() => ({ do: 'say', text: '{}' }));
  const clock = new Clock();
  const vault = new TempVault({
    'steward.md': settings({ settle_seconds: 0 }),
    'matter/house.md': matter({ senders: ['anna@notary.example'] }),
    [TASK]: task({ parent_matter: '[[house]]', ...(due === undefined ? {} : { due }) }),
  });
  return { bench: await Bench.open(vault, { clock, env: { ...LIVE, provider: server.access } }), clock, server };
}

describe('an entry of a calendar', () => {
  test('gives the task its date, however long ago it was written, and asks no model', async () => {
    const { bench, clock, server } = await open(undefined);
    const event = entry(day(clock, 9));
    expect(questionFor(bench.ports, event)).toBe(null);
    const read = await extract(bench.ports, event, new AbortController().signal);
    expect(read).toMatchObject({
      kind: 'understood',
      asked: false,
      drafts: [
        {
          source_type: 'calendar',
          pattern: 'unverified:anna@notary.example',
          source_event_path: 'stream/calendar/home.ics#3f2a9c1b04de',
          raw_quote: 'Notary appointment',
          target_path: TASK,
          effect: 'mutation',
          mutation_proposal: { class: 'context_edit', set: { due: day(clock, 9) } },
          extracted_by: 'calendar (embedded)',
        },
      ],
    });
    expect(server.requests).toEqual([]);
  });

  test('moves the date that the task has from it, as the note stands now', async () => {
    const { bench, clock } = await open(day(new Clock(), 9));
    const replaces = [`0000000000 - 1 ${day(clock, 9)}T14:00`];
    const read = await extract(bench.ports, entry(day(clock, 16), { replaces }), new AbortController().signal);
    expect(read).toMatchObject({ drafts: [{ mutation_proposal: { set: { due: day(clock, 16) } } }] });
  });

  test('that is long over is not looked into, and one that has passed changes nothing', async () => {
    const { bench, clock } = await open(undefined);
    const why = async (ahead: number) => {
      const read = await extract(bench.ports, entry(day(clock, ahead)), new AbortController().signal);
      return read.kind === 'understood' ? [read.silence?.kind, read.reason] : read;
    };
    expect(await why(-20)).toEqual(['not-admitted', 'over since more than 14 days']);
    expect(await why(-3)).toEqual(['nothing-said', 'it has passed']);
  });
});
