import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { restoreFields } from '../../src/vault/edit.ts';
import { readNote } from '../../src/vault/frontmatter.ts';
import { noteText } from '../../src/vault/note-text.ts';
import { Sandbox } from '../stories/support.ts';
import { lawRuns } from '../support/laws.ts';
import { HOUSE, matter, settings, signal, task } from '../support/notes.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench, only } from '../support/workspace.ts';
import { attack } from './attack.ts';

// Forged recipes: an event note that somebody dropped into the vault says how a change is to be taken back.

type Fields = Readonly<Record<string, { before: unknown; after: unknown; before_source: string | null }>>;

const NAME = 'steward-action-2026-11-22T20-00-00Z-pay';
const EVENT = `event/${NAME}.md`;
const NOTES = ['task/pay.md', 'task/off.md', 'stream/x.md', 'notes/x.md', 'instinct/mail.md', 'steward.md'];

function forged(target: string, fields: Fields, more: Readonly<Record<string, unknown>> = {}): string {
  const hashes = { before_sha256: 'a'.repeat(64), after_sha256: 'b'.repeat(64) };
  const vault_patch = { target, ...hashes, fields, ...more };
  const expires_at = new Date(Date.now() + 86_400_000).toISOString();
  const head = { type: 'steward-action', timestamp: '2026-11-22T20:00:00Z', target_path: target, mode: 'live' };
  return noteText(
    { ...head, changes: {}, undo_recipe: { expires_at, vault_patch, plane_revert: null }, undo: true },
    '',
  );
}

const given = (before: unknown, before_source: string | null, after: unknown = null) => ({
  before,
  after,
  before_source,
});

/** A vault that the program has met before, so that what comes now is somebody else's. */
async function vault(): Promise<Sandbox> {
  const box = new Sandbox('none');
  onTestFinished(() => box[Symbol.asyncDispose]());
  const said = { settle_seconds: 0, protected_fields: ['iban', 'deadline'], field_mapping: ['deadline = due'] };
  box.write('steward.md', settings(said));
  box.write('matter/house.md', matter());
  box.write('task/pay.md', task({ iban: 'XX11', due: '2035-12-01' }));
  box.write('task/off.md', task({ steward: false }));
  for (const file of NOTES.slice(2, 5)) box.write(file, task());
  await box.steward(['tick', '--vault', box.vault]);
  return box;
}

/** Orders the forged event by name and with force, as a person does who was talked into it. Returns what was said. */
async function ordered(box: Sandbox, note: string): Promise<string> {
  box.write(EVENT, note);
  const before = NOTES.map((file) => box.read(file));
  const { stdout, stderr } = await box.steward(['undo', NAME, '--force', '--vault', box.vault]);
  expect(NOTES.map((file) => box.read(file))).toEqual(before);
  return `${stdout}${stderr}`;
}

const PEER = { attacker: 'a sync peer', loss: 'the note holds what no decision may write' } as const;
const BY_NAME = ', ordered by name and with force';

describe('a forged event that names its note in a second spelling', () => {
  test.each([
    ...['task//pay.md', './task/pay.md', 'task/./pay.md', 'task/../task/pay.md', 'task\\pay.md', '/task/pay.md'],
    ...['file:task/pay.md', 'task/pay.md\u0000', 'task/pay.md\u2028', 'task/%70ay.md', 'task/pay.md.', 'task/pay.md '],
    ...['task/pay.md%00', 'C:task/pay.md', 'task/pay.md/', '../vault/task/pay.md', 'task/off.md/../pay.md'],
  ])(
    'a sync peer: %j → a note of which nothing is known is written [kept: one spelling leads to a note]',
    async (path) => {
      const files = {
        ...HOUSE,
        'steward.md': settings({ settle_seconds: 0 }),
        'task/pay.md': task(),
        'task/off.md': task(),
      };
      const temp = new TempVault(files);
      const bench = await Bench.open(temp);
      temp.write(EVENT, forged(path, { iban: given('X', 'iban: X\n'), owner: given('Robin', 'owner: Robin\n') }));
      expect((await bench.undo(NAME, { force: true })).outcome).not.toBe('reversed');
      temp.write(EVENT, forged(path, { owner: given('Robin', 'owner: Robin\n') }));
      expect((await bench.undo(NAME, { force: true })).outcome).not.toBe('reversed');
      expect(temp.fields('task/pay.md')).toEqual({ type: 'task', state: 'open', parent_matter: '[[house]]' });
    },
  );

  attack(
    {
      ...PEER,
      means: `an undo of task//pay.md gives back a protected field${BY_NAME}`,
      defence: 'the recipe names no note of the vault',
    },
    async () => {
      const said = await ordered(await vault(), forged('task//pay.md', { iban: given('X', 'iban: X\n') }));
      expect(said).toContain('names no note of this vault');
    },
  );

  attack(
    {
      ...PEER,
      means: `an undo of task//off.md writes where steward: false says hands off${BY_NAME}`,
      defence: 'hands off is asked of the note that is written',
    },
    async () => {
      const box = await vault();
      await ordered(box, forged('task//off.md', { due: given('2030-01-01', 'due: 2030-01-01\n') }));
      expect(await ordered(box, forged('task/off.md', { due: given(null, null) }))).toContain('steward: false');
    },
  );
});

describe('a forged event that gives back what may not be written', () => {
  const REFUSED: readonly (readonly [means: string, fields: Fields, says: RegExp])[] = [
    ['a protected field', { iban: given('X', 'iban: X\n', 'XX11') }, /iban isn't one/],
    [
      'a field that is protected under another name',
      { deadline: given('2030-01-01', 'deadline: 2030-01-01\n') },
      /isn't one/,
    ],
    ['Tags in other letters', { Tags: given('x', 'Tags: x\n') }, /isn't one/],
    ['a state that is a map', { state: given({ a: 1 }, 'state: {a: 1}\n', 'open') }, /plain field/],
    ['a state that is no state', { state: given('paid twice', 'state: paid twice\n', 'open') }, /must be open/],
    ['a query that Dataview runs', { owner: given('`= this.file`', 'owner: "`= this.file`"\n') }, /plain field/],
    ['a command of Templater in a comment', { owner: given('R', 'owner: R # <% tp.x() %>\n') }, /plain field/],
    [
      'an address to be clicked',
      { summary: given('https://a.example', 'summary: https://a.example\n') },
      /plain field/,
    ],
    ['an anchor', { owner: given('R', 'owner: &a R\n') }, /plain field/],
    ['a link to no note', { parent_matter: given('[[no]]', 'parent_matter: "[[no]]"\n', '[[house]]') }, /no matter/],
    ['two thousand and one letters', { owner: given('x'.repeat(2001), `owner: ${'x'.repeat(2001)}\n`) }, /longer|long/],
    ['a date that is none', { due: given('soon', 'due: soon\n', '2035-12-01') }, /must be a date/],
  ];
  for (const [means, fields, says] of REFUSED) {
    attack(
      { ...PEER, means: `${means}${BY_NAME}`, defence: 'the rules of writing hold for what is given back' },
      async () => {
        expect((await ordered(await vault(), forged('task/pay.md', fields))).replace(/\s+/g, ' ')).toMatch(says);
      },
    );
  }

  const SMUGGLED: readonly (readonly [how: string, source: string])[] = [
    ['on a line of its own', 'owner: R\niban: Y\n'],
    ['behind a carriage return', 'owner: R\riban: Y\n'],
    ['behind U+2028, a line end to some readers', 'owner: R\u2028iban: Y\n'],
    ['behind U+0085, a line end to some readers', 'owner: R\u0085iban: Y\n'],
    ['behind the end of the frontmatter', 'owner: R\n---\niban: Y\n'],
    ['behind an end of document', 'owner: R\n...\niban: Y\n'],
    ['in a map on one line', '{owner: R, iban: Y}\n'],
    ['in a merge key', 'owner: R\n<<: {iban: Y}\n'],
    ['below a comment', 'owner: R\n# mine\niban: Y\n'],
    ['as a question', '? owner\n: R\n? iban\n: Y\n'],
    ['with another field’s name', 'iban: Y\n'],
  ];
  for (const [how, source] of SMUGGLED) {
    attack(
      { ...PEER, means: `a second field ${how}${BY_NAME}`, defence: 'the bytes must be that one field alone' },
      async () => {
        const said = await ordered(await vault(), forged('task/pay.md', { owner: given('R', source) }));
        expect(said).not.toContain('The change was undone');
      },
    );
  }

  attack(
    {
      ...PEER,
      means: `a note that is no record, as the target${BY_NAME}`,
      defence: 'only matters and tasks are written',
    },
    async () => {
      const box = await vault();
      for (const file of ['stream/x.md', 'notes/x.md', 'instinct/mail.md', 'steward.md', '.steward/lock', EVENT])
        expect(await ordered(box, forged(file, { owner: given('R', 'owner: R\n') }))).toMatch(
          /isn't a matter or task|is for instinct notes/,
        );
    },
  );

  attack(
    {
      attacker: 'a sync peer',
      means: 'a ticked box in the forged event, seen by a running daemon',
      loss: 'any field that may be written is written without a person',
      defence: 'boxes answer only what the program wrote',
    },
    async () => {
      const box = await vault();
      const before = box.read('task/pay.md');
      const daemon = box.start('steward run --vault vault', { STEWARD_LIVE_MODE: 'live' });
      await daemon.line((line) => line.includes('started on'), 'started');
      box.write(EVENT, forged('task/pay.md', { due: given('2030-01-01', 'due: 2030-01-01\n', '2035-12-01') }));
      await expect
        .poll(async () => (await box.steward(['status', '--all', '--vault', box.vault])).stdout)
        .toContain('was not written by this program');
      expect(box.read('task/pay.md')).toBe(before);
    },
  );
});

describe('what the program itself recorded', () => {
  test('is given back to the byte, also where the rules would not write it', async () => {
    const written = task().replace('state: open', 'state: open\nowner: "`= this.file`" # <% mine %>');
    const files = { ...HOUSE, 'task/pay.md': written, 'steward.md': settings({ settle_seconds: 0 }) };
    const proposal = { class: 'context_edit', set: { owner: 'Robin' } };
    const temp = new TempVault({ ...files, 'signal/s.md': signal({ mutation_proposal: proposal }) });
    const bench = await Bench.open(temp);
    await bench.tick();
    const event = only(temp.events());
    if (temp.fields(event).undo_recipe === null) await bench.confirm(event);
    expect(temp.fields('task/pay.md').owner).toBe('Robin');
    expect(await bench.undo(event)).toMatchObject({ outcome: 'reversed' });
    expect(temp.read('task/pay.md')).toBe(written);
  });
});

test('whatever bytes a recipe gives back, they are that one field, or nothing is given back', () => {
  const NOTE = '---\ntype: task\nstate: open\niban: XX11\n---\n\nText.\n';
  const piece = fc.constantFrom(
    ...[
      'owner: R',
      'iban: Y',
      'state: done',
      'tags: x',
      '---',
      '...',
      '# c',
      '&a',
      '*a',
      '|',
      '>-',
      '? ',
      ': ',
      '<<: ',
    ],
    ...[
      '\n',
      '\r',
      '\r\n',
      '\u2028',
      '\u0085',
      '\n  ',
      '\n- ',
      '{',
      '}',
      '"',
      "'",
      ' ',
      '\t',
      '!!str',
      '\ufeff',
      '%YAML 1.1',
    ],
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), fc.constantFrom('R', null, ''), (pieces, before) => {
      const source = pieces.join('');
      const patch = { fields: { owner: { before, after: null, before_source: source } } };
      let text: string;
      try {
        text = restoreFields('task/pay.md', NOTE, patch).text;
      } catch {
        return;
      }
      const read = readNote('task/pay.md', Buffer.from(text));
      const { owner: _, ...rest } = read.ok ? read.note.data : {};
      expect(rest).toEqual({ type: 'task', state: 'open', iban: 'XX11' });
      expect(text.endsWith('---\n\nText.\n')).toBe(true);
    }),
    { numRuns: lawRuns() },
  );
});
