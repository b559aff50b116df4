import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { WaitingEntry } from '../../src/steward/inbox.ts';
import { Base } from '../support/bases/base-file.ts';
import { filesOf, isNested, propertyTypes } from '../support/bases/obsidian-vault.ts';
import { propertyOf, showView } from '../support/bases/shown-view.ts';
import { Moment, type VaultFile } from '../support/bases/values.ts';
import { Clock, DAY, MINUTE } from '../support/clock.ts';
import { HOUSE, matter, settings, signal, task, weak } from '../support/notes.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench, only } from '../support/workspace.ts';

// `Steward.base` is read by Obsidian alone. Here it is read with an evaluator of the published syntax, on a vault as the
// program makes it, so that a table that would be empty or broken there fails here.

const EXAMPLE = path.resolve(import.meta.dirname, '../../vault-example');
const SHIPPED = fs.readFileSync(path.join(EXAMPLE, 'Steward.base'), 'utf8');
const BASE = new Base(SHIPPED);

/** The task at which each signal aims, how sure it is, and what else it says. */
const SIGNALS = [
  ['acted', signal, { effect_confidence: 1 }],
  ['taken-back', signal, { effect_confidence: 1 }],
  ['changed-since', signal, { effect_confidence: 1 }],
  ['dismissed', weak, {}],
  ['confirmed', weak, {}],
  ['waiting', weak, {}],
  ['ticked-twice', weak, {}],
  ['question', weak, { effect: 'action', mutation_proposal: null, headline: 'Please call back' }],
] as const;

/** What the tables are shown on: the files as they were read, the moment, and what waited for a person just then. */
interface Scene {
  readonly files: readonly VaultFile[];
  readonly now: Moment;
  readonly waiting: readonly WaitingEntry[];
  /** The text of each note, by its path. */
  readonly texts: Readonly<Record<string, string>>;
}
let scene: Scene | null = null;
let files: readonly VaultFile[];
let now: Moment;

/** A vault in which everything that a table shows has happened, each a minute after the other. */
async function lived(): Promise<Scene> {
  const clock = new Clock();
  const tasks = [...SIGNALS.map(([name]) => name), 'either', 'or'];
  const at = new TempVault({
    ...HOUSE,
    'steward.md': settings({ settle_seconds: 0 }),
    'matter/car.md': matter({ summary: 'The car' }),
    'task/pay.md': task({ status: ['Done'], state: undefined }),
    ...Object.fromEntries(tasks.map((name) => [`task/${name}.md`, task()])),
    'task/acted.md': task({ parent_matter: '[[car]]', due: '2035-01-02' }),
    'task/or.md': task({ parent_matter: undefined, projects: ['[[matter/house|The house]]'] }),
    '.obsidian/types.json': fs.readFileSync(path.join(EXAMPLE, '.obsidian/types.json'), 'utf8'),
  });
  const bench = await Bench.open(at, { clock });
  for (const [name, text, more] of SIGNALS) {
    clock.move(MINUTE);
    at.write(
      `signal/${name}.md`,
      text({ target_path: `task/${name}.md`, from: 'Roof & Sons <b@roof.example>', ...more }),
    );
    await bench.tick();
  }
  clock.move(MINUTE);
  const two = { target_ambiguous: true, target_candidates: ['task/either.md', 'task/or.md'] };
  at.write('signal/choice.md', signal({ ...two, target_path: null }));
  await bench.tick();
  clock.move(MINUTE);
  await bench.undo(eventOf(at, 'taken-back'), { reason: 'It was another bill' });
  await bench.dismiss(eventOf(at, 'dismissed'));
  await bench.confirm(eventOf(at, 'confirmed'));
  at.edit('task/changed-since.md', 'state: done', 'state: archived');
  await bench.undo(eventOf(at, 'changed-since'));
  const both = eventOf(at, 'ticked-twice');
  at.write(both, at.read(both).replace('confirm: false', 'confirm: true').replace('dismiss: false', 'dismiss: true'));
  await bench.follow();
  bench.close();
  // As a month folder keeps it, and as a sync leaves a copy of it.
  const waits = eventOf(at, 'waiting');
  at.write('event/2026-11/steward-action-sync.sync-conflict-20261123-120000-ABCDEFG.md', at.read(waits));
  at.write(waits.replace('event/', 'event/2026-11/'), at.read(waits));
  at.remove(waits);
  const { files: read, texts } = { files: filesOf(at.root), texts: at.snapshot() };
  return { files: read, texts, now: new Moment(clock.now()), waiting: (await Bench.reading(at, { clock })).waiting() };
}

/** The first event note about a task. */
function eventOf(at: TempVault, name: string): string {
  const found = at
    .events()
    .filter((event) => /\/(?:steward|signal)-action-\d/.test(event) && event.endsWith(`-${name}.md`));
  return only(found);
}

// Made by the first test, and only looked at by all.
beforeEach(async () => {
  scene ??= await lived();
  ({ files, now } = scene);
});

const shown = (name: string) => showView(BASE, name, files, now);
const column = (name: string, title: string) => shown(name).rows.map(({ cells }) => cells[title]);

describe('the tables on a vault as the program makes it', () => {
  test('Inbox: what waits and nothing else, the oldest first, with all that one needs to decide and answer', () => {
    const { columns, rows } = shown('Inbox');
    expect(columns.slice(0, 10)).toEqual(
      ['What', 'About', 'Confirm', 'Always', 'Dismiss', 'Later', 'From', 'Quote', 'When (UTC)', 'It may be'], //
    );
    expect(rows.map(({ cells }) => cells)).toMatchObject([
      {
        ...{ What: 'state open → done', About: 'waiting', Confirm: 'false', Dismiss: 'false' },
        ...{ From: 'b@roof.example (Roof & Sons)', Quote: 'your invoice is paid', 'It may be': '', 'Which one': '' },
        'When (UTC)': expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d$/),
      },
      { About: 'ticked-twice', Confirm: 'true', Dismiss: 'true', Remark: expect.stringContaining('Both confirm') },
      { What: 'Please call back', About: 'question', Confirm: '', Dismiss: 'false' },
      { About: '', Confirm: '', 'It may be': 'either, or', 'Which one': '' },
    ]);
  });

  test('Inbox: what stands there is what status and inbox show, in the same order', () => {
    const waiting = scene?.waiting.filter(({ kind }) => kind !== 'conflict').map(({ event }) => event);
    expect(shown('Inbox').rows.map(({ path: file }) => path.posix.basename(file, '.md'))).toEqual(waiting);
  });

  test('Inbox on a phone: the same as cards, each beginning with what would be changed', () => {
    const { type, columns, rows } = shown('Inbox on a phone');
    expect([type, columns[0]]).toEqual(['cards', 'What']);
    expect(rows.map((row) => row.path)).toEqual(shown('Inbox').rows.map((row) => row.path));
  });

  test('Recent: what was changed, the newest first, with the box that takes it back and until when', () => {
    const rows = shown('Recent').rows.map(({ cells }) => cells);
    expect(rows.map((cells) => [cells.About, cells['What became of it']])).toEqual([
      ['confirmed', 'changed, as you said'],
      ['changed-since', 'changed'],
      ['taken-back', 'taken back'],
      ['acted', 'changed'],
    ]);
    for (const cells of rows) {
      // What was taken back has no box any more.
      const box = cells['What became of it'] === 'taken back' ? '' : 'false';
      expect(cells).toMatchObject({ What: 'state open → done', Undo: box });
      if (box === '') continue;
      const [since, until] = [cells['When (UTC)'], cells['Until (UTC)']].map((time) => Date.parse(`${time}Z`));
      expect(Number(until) - Number(since)).toBe(7 * DAY);
    }
  });

  test('Recent: the time until which is that of the recipe', () => {
    const [row] = shown('Recent').rows.filter(({ cells }) => cells.About === 'acted');
    const until = row?.cells['Until (UTC)']?.replace(' ', 'T');
    expect(scene?.texts[row?.path ?? '']).toContain(`expires_at: ${until}:`);
  });

  test('By matter: each event once, under its matter, the newest first', () => {
    const groups = shown('By matter').groups.map(({ name, rows }) => [name, rows.map(({ cells }) => cells.About)]);
    expect(groups).toEqual([
      ['car', ['acted']],
      ['house', ['question', 'ticked-twice', 'waiting', 'confirmed', 'dismissed', 'changed-since', 'taken-back']],
    ]);
    expect(column('By matter', 'Outcome')).toEqual(
      ['acted', 'recorded', 'proposed', 'proposed', 'confirmed', 'dismissed', 'acted', 'reversed'], //
    );
  });

  test('Reversed: what was taken back, or could not be, with the reason', () => {
    expect(shown('Reversed').rows.map(({ cells }) => cells)).toMatchObject([
      { About: expect.any(String), Outcome: expect.any(String) },
      { About: expect.any(String), Outcome: expect.any(String) },
    ]);
    expect(Object.fromEntries(shown('Reversed').rows.map(({ cells }) => [cells.About, cells]))).toMatchObject({
      'taken-back': {
        Outcome: 'reversed',
        Why: 'It was another bill',
        What: 'state done → open',
        Undo: 'false',
      },
      'changed-since': { Outcome: 'conflict', Why: '', Undo: '' },
    });
  });

  test('Trouble: what could not be done, what an answer lacks, and copies that a sync made', () => {
    const rows = shown('Trouble').rows.map(({ cells }) => cells);
    expect(rows.map(({ Trouble: trouble }) => trouble).sort()).toEqual([
      'A sync made this copy: keep what is yours in one of the two, and delete the other',
      'Both confirm and dismiss are ticked: untick one of them.',
      'The note has changed since: tick Undo anyway, or leave it',
    ]);
    expect(rows.find(({ About }) => About === 'changed-since')).toMatchObject({ 'Undo anyway': 'false' });
  });

  test('Trouble: an undo that failed leaves it after a week, as it leaves the inbox', () => {
    const later = showView(BASE, 'Trouble', files, new Moment(now.wall + 9 * DAY));
    expect(later.rows.map(({ cells }) => cells.About)).not.toContain('changed-since');
  });

  test('Sources: each channel with those who speak in it, and how sure they must be', () => {
    const { groups, rows } = shown('Sources');
    expect(groups.map(({ name }) => name)).toEqual(['mail']);
    expect(rows[0]?.cells).toMatchObject({ 'Must be this sure': '0.95', Pinned: 'false', 'Times taken back': '1' });
    expect(column('Sources', 'Who')).toContain('everybody else');
  });

  test('Matters, and the open tasks under them: state and status, one value or a list, in any spelling', () => {
    expect(column('Matters', 'Note')).toEqual(['car.md', 'house.md']);
    const { groups } = shown('Open tasks');
    expect(groups.map(({ name }) => name)).toEqual(['house']); // however its tasks link it
    expect(groups.flatMap(({ rows }) => rows.map(({ cells }) => cells.Note)).sort()).toEqual(
      ['dismissed.md', 'either.md', 'or.md', 'question.md', 'taken-back.md', 'ticked-twice.md', 'waiting.md'], //
    );
  });

  test('no cell holds anything nested', () => {
    const nested = BASE.views.flatMap(({ name, order }) =>
      shown(name).rows.flatMap((row) => {
        const file = files.find(({ path: one }) => one === row.path);
        if (file === undefined) throw new Error(row.path);
        return order.filter((property) =>
          isNested(propertyOf(property, { file, files, formulas: BASE.formulas, now })),
        );
      }),
    );
    expect(nested).toEqual([]);
  });
});

describe('the tables on the example vault', () => {
  const example = filesOf(EXAMPLE);
  const rowsOf = (name: string) => showView(BASE, name, example, Moment.of('2026-11-06 09:00:00')).rows;

  test.each(BASE.views.map(({ name }) => [name]))('%s can be shown', (name) => {
    expect(rowsOf(name)).toBeInstanceOf(Array);
  });

  test('its sources, matters, licences and open tasks are there', () => {
    expect(rowsOf('Sources').length).toBe(8);
    expect(rowsOf('Matters').length).toBe(9);
    expect(rowsOf('Licences').map(({ cells }) => [cells.Sender, cells.Active])).toEqual([
      ['mail:anna@northgate-notary.example', 'true'],
    ]);
    expect(rowsOf('Open tasks').map(({ path: file }) => file)).toContain('task/build-compost-bin.md');
    expect(rowsOf('Open tasks').map(({ path: file }) => file)).not.toContain('task/pay-survey-fee.md');
  });
});

describe('the file itself', () => {
  const types = propertyTypes(EXAMPLE);

  test('every column has a name for people', () => {
    const columns = new Set(BASE.views.flatMap(({ order }) => order));
    expect([...columns].filter((property) => BASE.titleOf(property) === property)).toEqual([]);
    const bare = [...columns].filter((property) => /[_.]|^[a-z]/.test(BASE.titleOf(property)));
    expect(bare).toEqual([]);
  });

  test('no two columns of a view have one name', () => {
    for (const { name, order } of BASE.views) {
      const titles = order.map((property) => BASE.titleOf(property));
      expect([name, new Set(titles).size]).toEqual([name, titles.length]);
    }
  });

  test('Obsidian is told the type of every property that a view shows', () => {
    const properties = BASE.shown.filter((property) => property.startsWith('note.')).map((name) => name.slice(5));
    expect(properties.filter((property) => types[property] === undefined)).toEqual([]);
  });

  test('what is ticked is a box, in tables and in properties', () => {
    const boxes = 'confirm always dismiss later undo deliberate force waiting pinned paused active'.split(' ');
    expect(boxes.filter((box) => types[box] !== 'checkbox')).toEqual([]);
  });

  test.each([
    ['an unknown function', '!formula.copy', '!formula.copy.isSoon()', /no function isSoon/],
    ['an unknown function that stands alone', 'today()', 'tomorrow()', /no function tomorrow/],
    ['a function of another type', 'file.name.lower()', 'file.size.lower()', /a number has no function lower/],
    ['a property that files have not', 'file.ext ==', 'file.extension ==', /no file\.extension/],
    ['a formula that is not there', 'formula.lately', 'formula.soon', /no formula\.soon/],
    ['a column that is no formula', '- formula.who', '- formula.whose', /no formula\.whose/],
    ['a formula that leads back to itself', 'file.name.contains(".sync', 'formula.copy.contains(".sync', /leads back/],
    ['a view of an unknown type', 'type: cards', 'type: kanbans', /Invalid option/],
    ['a key that views have not', 'limit: 50', 'maximum: 50', /Unrecognized key/],
    ['a filter of an unknown kind', '        - not:', '        - none:', /Invalid input/],
    ['an operator that is none', 'waiting == true', 'waiting === true', /no operator ===/],
    ['an expression that ends too early', 'file.ext == "md"', 'file.ext == ', /Expected expression/],
    ['a direction that is none', 'direction: DESC', 'direction: DOWN', /Invalid option/],
    ['bad YAML', 'views:\n', 'views:\n  - [\n', /Flow sequence|Unexpected|must/],
  ])('the evaluator refuses %s', (_, from, to, message) => {
    expect(SHIPPED).toContain(from);
    const broken = () => {
      const base = new Base(SHIPPED.replaceAll(from, to));
      for (const { name } of base.views) showView(base, name, files, now);
    };
    expect(broken).toThrow(message);
  });

  test('the evaluator shows what a wrong filter would hide', () => {
    const base = new Base(SHIPPED.replaceAll('file.inFolder("event")', 'file.folder == "event"'));
    expect(shown('Inbox').rows.length).toBeGreaterThan(0);
    expect(showView(base, 'Inbox', files, now).rows).toEqual([]); // each lies in the folder of its month
  });
});
