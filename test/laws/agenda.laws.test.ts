import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Catalogue } from '../../src/vault/index.ts';
import { Layout } from '../../src/vault/layout.ts';
import { noteText } from '../../src/vault/note-text.ts';
import { DEFAULT_MAPPING, readRecord, type TaskRecord, uuid } from '../../src/vault/record.ts';
import { atOnce, localDate, parseLocalTime } from '../../src/vault/time.ts';
import { lawRuns } from '../support/laws.ts';

const RUNS = lawRuns();
const STAT = { mtimeMs: 1, ctimeMs: 1, size: 1, ino: 1 };
/** Ten years from then on lies what `status` calls far away. No clock is set to an earlier day than the program's first. */
const FAR = Date.UTC(2030, 1, 1);

const digits = fc.constantFrom(
  '01',
  '02',
  '09',
  '10',
  '12',
  '13',
  '00',
  '28',
  '29',
  '30',
  '31',
  '32',
  '24',
  '59',
  '60',
);
const year = fc.constantFrom('2026', '2024', '2029', '2030', '2036', '1999', '9999', '26');
const day = fc.tuple(year, digits, digits).map((parts) => parts.join('-'));
const clock = fc.tuple(digits, digits).map((parts) => `T${parts.join(':')}`);
const date = fc.oneof(
  day,
  fc.tuple(day, clock, fc.constantFrom('', ':00', ':61', 'Z', '+02:00')).map((parts) => parts.join('')),
  fc.constantFrom('soon', ' 2026-12-01', '2026-12-01 ', '', null, 20261201),
);
const id = fc.oneof(fc.uuid(), fc.constantFrom('X', '0f3c', null, `${'0'.repeat(8)}-0000-0000-0000-${'0'.repeat(12)}`));
const task = fc.record(
  {
    state: fc.constantFrom('open', 'snoozed', 'done', 'archived'),
    status: fc.constantFrom('someday', 'in-progress', 'done'),
    due: date,
    scheduled: date,
    snoozed_until: date,
    next_check_after: date,
    plane_issue_id: id,
    surface_class: fc.constantFrom('high', 'none'),
    parent_matter: fc.constantFrom(
      '[[house]]',
      'house',
      '[[House|x]]',
      'matter/house.md',
      '[[boat]]',
      '[[t0]]',
      '[[hse]]',
      '',
    ),
  },
  { requiredKeys: [] },
);

test('LAW: whoever asks the agenda finds each task that going over all of them would find', () => {
  fc.assert(
    fc.property(fc.array(task, { maxLength: 12 }), day, (tasks, last) => {
      const known = new Catalogue();
      const notes = Object.fromEntries(tasks.map((fields, nth) => [`task/t${nth}.md`, noteText(fields, '')]));
      const all = {
        'matter/house.md': noteText({ aliases: ['hse'] }, ''),
        'matter/done/boat.md': '---\na: [\n---\n',
        ...notes,
      };
      for (const [file, text] of Object.entries(all)) {
        known.put(readRecord(new Layout(), DEFAULT_MAPPING, file, STAT, Buffer.from(text)));
      }
      const found = (some: readonly TaskRecord[]) => some.map(({ path }) => path).sort();
      const doubtful = found(known.agenda.doubtful());
      for (const one of known.tasks()) if (isWrong(one)) expect(doubtful).toContain(one.path);
      const isStray = (one: TaskRecord) => one.fields.parent_matter !== null && known.matterOf(one) === null;
      expect(found(atOnce(known.agenda.strays()))).toEqual(found(known.tasks().filter(isStray)));
      const due = found(known.agenda.dueBy(last));
      for (const one of known.tasks()) if (isDueBy(one, last)) expect(due).toContain(one.path);
    }),
    { numRuns: RUNS },
  );
});

function isWrong({ fields }: TaskRecord): boolean {
  const { unexplained, plane_issue_id: plane, state, due, scheduled, snoozed_until, next_check_after } = fields;
  if (unexplained !== null || (plane !== null && !uuid.safeParse(plane).success)) return true;
  if (state === 'done' || state === 'archived') return false;
  const dates = [due, scheduled, snoozed_until, next_check_after].filter((one) => one !== null);
  return state === 'snoozed' || dates.some((one) => (parseLocalTime(one) ?? FAR) >= FAR);
}

function isDueBy({ fields }: TaskRecord, last: string): boolean {
  const at = fields.due === null ? null : parseLocalTime(fields.due);
  return at !== null && fields.state === 'open' && fields.surface_class !== 'none' && localDate(at) <= last;
}

test('most tasks give nobody anything to look at', () => {
  const known = new Catalogue();
  const text = '---\nstate: open\nparent_matter: "[[house]]"\ndue: 2026-12-01\nscheduled: 2026-11-30T09:30\n---\n';
  known.put(readRecord(new Layout(), DEFAULT_MAPPING, 'matter/house.md', STAT, Buffer.from('---\nstate: open\n---\n')));
  known.put(readRecord(new Layout(), DEFAULT_MAPPING, 'task/a.md', STAT, Buffer.from(text)));
  expect([known.agenda.doubtful(), atOnce(known.agenda.strays()), known.agenda.dueBy('2026-11-30')]).toEqual([
    [],
    [],
    [],
  ]);
});
