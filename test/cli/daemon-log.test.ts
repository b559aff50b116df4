import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { eventText, journalPriority, type LogRecord, logRecord } from '../../src/cli/daemon-log.ts';
import { Printer } from '../../src/cli/terminal.ts';
import type { DaemonEvent } from '../../src/daemon/environment.ts';

const PAGE = fs.readFileSync(path.resolve(import.meta.dirname, '../../docs/dev/log.md'), 'utf8');
const NOW = Date.parse('2026-11-23T10:00:00Z');
/** What a note, a mail, a server or a model says. */
const SECRET = 'Marzipan';
const items = { read: 2, none: 1, past: 0, unread: {}, known: 0, refused: 0, waiting: 0 };
const judged = {
  event: 'event/e.md',
  target: 'task/t.md',
  decision: SECRET,
  confidence: 0.9,
  changes: { state: { before: SECRET, after: [SECRET] } },
  reason: SECRET,
};

/** One of each kind, with a secret wherever it may hold what is not the program's own. */
const EVENTS: { readonly [What in DaemonEvent['what']]: DaemonEvent & { readonly what: What } } = {
  started: { what: 'started', vault: '/vault', mode: 'live', matters: 1 },
  stopped: { what: 'stopped' },
  fault: {
    ...{ what: 'fault', component: 'sources', stack: 'at look (file:///steward.js:1:2)', continued: true },
    trouble: { code: 'unexpected-fault', file: null, line: null, column: null, message: SECRET, hint: SECRET },
  },
  recovered: { what: 'recovered', finished: 1, withdrawn: 2 },
  'schedule-provisioned': { what: 'schedule-provisioned', name: 'steward-house', cadence: 'every 5 min', next: NOW },
  'schedule-removed': { what: 'schedule-removed', name: 'steward-house', reason: SECRET },
  ticked: { what: 'ticked', name: 'steward-house', targets: 1, events: 0, skipped: SECRET },
  skipped: { what: 'skipped', name: 'steward-house', reason: 'quiet hours' },
  'items-read': { what: 'items-read', file: 'stream/x.mbox', signals: 1, items, reason: SECRET },
  'stream-read': { what: 'stream-read', file: 'stream/x.eml', about: SECRET, signals: 0, reason: SECRET },
  'kind-unread': { what: 'kind-unread', file: 'stream/x.pdf', kind: 'pdf' },
  'signal-written': {
    ...{ what: 'signal-written', signal: 'signal/s.md', target: 'task/t.md' },
    ...{ headline: SECRET, candidates: ['task/t.md'] },
  },
  'edits-passed': { what: 'edits-passed', edits: 9, reason: 'too many came at once' },
  asked: { what: 'asked', event: 'event/e.md', signal: 'signal/s.md', candidates: ['a', 'b'] },
  acted: { what: 'acted', ...judged },
  proposed: { what: 'proposed', ...judged },
  recorded: { what: 'recorded', ...judged },
  confirmed: { what: 'confirmed', ...judged },
  licence: {
    ...{
      what: 'licence',
      licence: 'licence/anna.md',
      sender: SECRET,
      matter: SECRET,
      change: 'signed',
      reason: SECRET,
    },
  },
  perceived: { what: 'perceived', event: 'event/e.md', target: 'task/t.md', sentence: SECRET },
  dismissed: { what: 'dismissed', event: 'event/e.md', target: 'task/t.md' },
  closed: { what: 'closed', event: 'event/e.md', target: 'task/t.md', reason: SECRET },
  refused: { what: 'refused', file: 'event/f.md', outcome: 'conflict', reason: SECRET },
  reversed: {
    ...{ what: 'reversed', event: 'e', outcome: 'reversed', target: 'task/t.md' },
    calibration: { [SECRET]: SECRET },
  },
  learned: {
    ...{ what: 'learned', source: SECRET, outcome: 'right', before: 0.9, after: 0.91 },
    ...{ observations: 1, note: 'event/e.md' },
  },
  'roundtable-round': { what: 'roundtable-round', id: 'house', round: 1, converged: false },
  deliberated: { what: 'deliberated', event: 'event/e.md', folder: 'roundtable/house', converged: true },
  fetched: { what: 'fetched', source: 'inbox', seen: 3, taken: 1 },
  plane: { what: 'plane', event: 'event/e.md', wants: 'said', remark: SECRET },
  notified: { what: 'notified', channel: 'ntfy', things: 2 },
  settings: { what: 'settings', troubles: 0 },
  retention: { what: 'retention', streamDays: 30, eventDays: null, from: NOW },
  retired: { what: 'retired', streams: 1, events: 2, signals: 3 },
  away: { what: 'away', reason: 'its disk is gone' },
  back: { what: 'back', reason: '' },
  unsaid: { what: 'unsaid', lines: 3, since: NOW, reason: 'its disk is full' },
  trouble: {
    what: 'trouble',
    trouble: {
      code: 'bad-note',
      file: 'task/t.md',
      line: 3,
      column: 1,
      message: SECRET,
      hint: SECRET,
      excerpt: SECRET,
    },
  },
};
const EACH = Object.values(EVENTS).map((event) => [event.what, event] as const);

const line = z.looseObject({
  time: z.iso.datetime(),
  level: z.enum(['error', 'warning', 'notice', 'info']),
  code: z.string().regex(/^[a-z-]+$/),
});

describe.each(EACH)('%s', (what, event) => {
  test('is one JSON object with its time, its level and its code, and comes back as it was', () => {
    for (const detail of ['figures', 'whole'] as const) {
      const record = logRecord(event, detail, NOW);
      const parsed = line.parse(JSON.parse(JSON.stringify(record)));
      expect(parsed).toMatchObject({ time: '2026-11-23T10:00:00.000Z', code: what });
      expect(journalPriority(record.level)).toBeGreaterThanOrEqual(3);
      expect(journalPriority(record.level)).toBeLessThanOrEqual(6);
    }
  });

  test('tells nothing of what notes say, neither in JSON nor in words, unless it is asked to', () => {
    const out = new Printer({ write: () => {} }, {});
    expect(JSON.stringify(logRecord(event, 'figures', NOW))).not.toContain(SECRET);
    expect(eventText(out, event, 'figures')).not.toContain(SECRET);
    expect(eventText(out, event, 'figures')).not.toMatch(/undefined|\[object|: *$|\(\)/);
    expect(eventText(out, event, 'figures')).not.toMatch(/ (?:[,;:]|\.(?:\s|$))| {2}\S/);
    if (!JSON.stringify(event).includes(SECRET)) return;
    expect(JSON.stringify(logRecord(event, 'whole', NOW))).toContain(SECRET);
    expect(eventText(out, event, 'whole')).toContain(SECRET);
  });

  test('stands on the page with the fields that are told of it, and with its level', () => {
    const line = PAGE.split('\n').find((text) => text.startsWith(`- \`${what}\` `));
    const { time: _time, level, code: _code, ...fields }: LogRecord = logRecord(event, 'figures', NOW);
    const names = Object.keys(fields).join(', ');
    expect(line).toBe(`- \`${what}\` (${level})${names === '' ? '' : `: ${names}`}`);
  });
});

test('in words, a note is named by its title, a mail by its sender and subject, and outcomes as screens name them', () => {
  const out = new Printer({ write: () => {} }, {});
  const {
    trouble: _,
    'items-read': _items,
    'kind-unread': _kind,
    fetched: _fetched,
    deliberated: _file,
    ...others
  } = EVENTS;
  for (const event of Object.values(others)) {
    expect(eventText(out, event, 'whole')).not.toMatch(
      /\b(?:task|matter|signal|event|licence|stream)\/|\.md\b|\.eml\b|reversed|acted|steward-house/,
    );
  }
  const read = {
    ...EVENTS['stream-read'],
    about: 'mail from anna@notary.example, “Deposit”',
    reason: null,
    signals: 2,
  };
  expect(eventText(out, read, 'whole')).toBe('read mail from anna@notary.example, “Deposit”: 2 signals');
  expect(eventText(out, read, 'figures')).toBe('read stream/x.eml: 2 signals'); // a log that others keep
  expect(eventText(out, EVENTS.reversed, 'figures')).toBe('undone t e');
});

test('the page lists nothing else', () => {
  const codes = [...PAGE.matchAll(/^- `([a-z-]+)` \((?:error|warning|notice|info)\)/gm)].map(([, what]) => what);
  expect(codes.sort()).toEqual([...Object.keys(EVENTS), 'ended'].sort());
});
