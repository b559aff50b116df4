import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  booked,
  classifyEdit,
  EDITS,
  isReopened,
  MOST_AT_ONCE,
  mayBeEdit,
  quoteEdit,
  roomFor,
} from '../../../src/features/hand-edits.ts';
import { readNote } from '../../../src/vault/frontmatter.ts';
import { DEFAULT_FOLDERS, Layout } from '../../../src/vault/layout.ts';
import { DEFAULT_MAPPING, readRecord, type TargetRecord } from '../../../src/vault/record.ts';

const NOW = Date.parse('2026-11-23T12:00:00Z');
const LAYOUT = new Layout(DEFAULT_FOLDERS);

function record(file: string, text: string, mtimeMs: number): TargetRecord {
  const stat = { mtimeMs, ctimeMs: mtimeMs, size: text.length, ino: 1 };
  const read = readRecord(LAYOUT, DEFAULT_MAPPING, file, stat, Buffer.from(text));
  if (read.kind !== 'task' && read.kind !== 'matter') throw new Error(JSON.stringify(read));
  return read;
}

const task = (fields: string, mtimeMs: number) => record('task/pay.md', `---\n${fields}\n---\n`, mtimeMs);
const house = (body: string, mtimeMs: number, state = 'open') =>
  record('matter/house.md', `---\nstate: ${state}\n---\n${body}\n`, mtimeMs);

describe('what a hand has done', () => {
  test.each([
    ['state: open', 'state: done', 'done'],
    ['state: snoozed', 'state: resolved', 'done'],
    ['status: waiting', 'status: completed', 'done'],
    ['title: no state at all', 'state: done', 'done'],
    ['state: open', 'state: done\ncompletedDate: 2026-11-23', 'done'],
    ['state: open', 'state: open\ncompletedDate: 2026-11-23', 'completed'],
    ['status: open', 'status: in-progress\ncompletedDate: 2026-11-22T10:00', 'completed'],
    ['state: open', 'state: open\ncompletedDate: 2026-12-24', null],
    ['state: open', 'state: open\ncompletedDate: soon', null],
    ['state: done\ncompletedDate: 2026-11-20', 'state: open\ncompletedDate: 2026-11-20', null],
    ['state: open\ncompletedDate: 2026-11-20', 'state: open\ncompletedDate: 2026-11-21', null],
    ['state: open', 'state: archived', null],
    ['state: archived', 'state: done', null],
    ['state: open', 'state: snoozed', null],
    ['state: done', 'state: done\nnote: more', null],
  ])('%j → %j: %s', (before, after, kind) => {
    expect(classifyEdit(task(before, 1), task(after, 2), NOW)).toBe(kind);
  });

  test.each([
    ['- [ ] a', '- [x] a', 'boxes'],
    ['- [ ] a\n- [ ] b', '- [x] a\n- [ ] b', null],
    ['- [x] a\n- [ ] b', '- [x] a', null],
    ['- [x] a\n- [ ] b', '- [x] a\n- [-] b', 'boxes'],
    ['', '- [x] a', null],
    ['- [x] a', '- [x] a\n- [x] b', null],
  ])('of a matter: %j → %j: %s', (before, after, kind) => {
    expect(classifyEdit(house(before, 1), house(after, 2), NOW)).toBe(kind);
    expect(classifyEdit(house(before, 1, 'done'), house(after, 2, 'done'), NOW)).toBe(null);
  });

  const some = fc.record({
    state: fc.constantFrom('open', 'snoozed', 'done', 'archived', 'resolved'),
    completed: fc.constantFrom('', '\ncompletedDate: 2026-11-01', '\ncompletedDate: 2027-01-01'),
    mtimeMs: fc.integer({ min: 1, max: 9 }),
  });
  const noteOf = ({ state, completed, mtimeMs }: { state: string; completed: string; mtimeMs: number }) =>
    task(`state: ${state}${completed}`, mtimeMs);

  test('LAW: an older file, and what was over before, say nothing; what says something is always remembered', () => {
    fc.assert(
      fc.property(some, some, (one, other) => {
        const [before, after] = [noteOf(one), noteOf(other)];
        const kind = classifyEdit(before, after, NOW);
        if (after.stat.mtimeMs <= before.stat.mtimeMs) expect(kind).toBe(null);
        if (['done', 'archived'].includes(before.fields.state)) expect(kind).toBe(null);
        if (kind !== null) expect(isReopened(before, after)).toBe(false);
        if (kind !== null || isReopened(before, after)) expect(mayBeEdit(before, after)).toBe(true);
      }),
    );
  });
});

describe('the line that was changed', () => {
  const quote = (kind: Parameters<typeof quoteEdit>[0], text: string) => {
    const read = readNote('task/pay.md', Buffer.from(text));
    if (!read.ok) throw new Error(read.trouble.message);
    return quoteEdit(kind, read.note, DEFAULT_MAPPING);
  };

  test.each([
    ['done', "---\ntags: [a]\r\nstate:   'done'   # at last\r\n---\r\nstate: open", "state:   'done'   # at last"],
    ['done', '---\nstatus: done\n---\n', 'status: done'],
    ['done', '---\nstatus: open\nstate: done\n---\n', 'state: done'],
    ['done', '---\nstate:\n  - done\n---\n', 'state:'],
    ['completed', '---\ncompletedDate: 2026-11-20\n---\n', 'completedDate: 2026-11-20'],
    ['boxes', '---\nstate: open\n---\n- [x] one\n- [x] two\n', '- [x] two'],
    ['done', '---\ntitle: none\n---\n', null],
  ] as const)('%s in %j', (kind, text, line) => {
    expect(quote(kind, text)).toBe(line);
  });

  test('is cut at fifty characters, and has nothing that nobody sees', () => {
    expect(quote('boxes', `- [x] ${'🙂'.repeat(60)}`)).toBe(`- [x] ${'🙂'.repeat(22)}`);
    expect(quote('boxes', '- [x] pay\u202E\u200B Anna')).toBe('- [x] pay Anna');
  });
});

describe('how many are heard', () => {
  test('LAW: never more than there is room for at once, and there is room again after a minute', () => {
    const steps = fc.array(fc.record({ wait: fc.nat(120_000), wanted: fc.nat(50) }), { maxLength: 40 });
    fc.assert(
      fc.property(steps, (all) => {
        let state = EDITS.empty();
        let now = NOW;
        for (const { wait, wanted } of all) {
          now += wait;
          const room = roomFor(state, now, '2026-11-23');
          expect(room).toBeLessThanOrEqual(MOST_AT_ONCE);
          if (wait > 60_000 && state.heard < 280) expect(room).toBeGreaterThanOrEqual(MOST_AT_ONCE - 1);
          const heard = Math.min(room, wanted);
          state = booked(state, now, '2026-11-23', { heard, passed: wanted - heard });
          expect(state.heard).toBeLessThanOrEqual(300);
        }
        expect(roomFor(state, now, '2026-11-24')).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  test('a clock that was set back takes nothing for ever', () => {
    const state = booked(EDITS.empty(), NOW, 'a', { heard: 20, passed: 0 });
    expect(roomFor(state, NOW, 'a')).toBe(0);
    expect(roomFor(state, NOW - 3_600_000, 'a')).toBe(20);
  });
});
