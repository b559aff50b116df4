import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compose } from '../../src/daemon/compose.ts';
import { collectProblems, recordProblems } from '../../src/daemon/problems.ts';
import { lawRuns } from '../support/laws.ts';
import { HOUSE, matter, settings, signal, task } from '../support/notes.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench, SHADOW } from '../support/workspace.ts';

/** Notes and what can be written into each: with and without a problem, and one that others depend on. */
const CHOICES: readonly (readonly [string, readonly (string | null)[]])[] = [
  ['task/pay.md', [task(), task({ due: 'soon' }), task({ parent_matter: '[[boat]]' }), task({ status: 'odd' }), null]],
  ['task/call.md', [task({ snoozed_until: 'x', state: 'snoozed' }), task({ parent_matter: '[[flat]]' }), null]],
  ['matter/flat.md', [matter(), matter({ aliases: ['boat'] }), matter({ steward_schedule: 'never ever' }), null]],
  ['signal/one.md', [signal(), signal({ target_path: 'task/gone.md' }), signal({ target_path: 'task/pay.md' }), null]],
];
const change = fc.constantFrom(...CHOICES.flatMap(([path, texts]) => texts.map((text) => ({ path, text }))));

test('LAW: after any edits, the problems are those of a vault that is read anew', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(change, { maxLength: 3 }), { maxLength: 5 }), async (rounds) => {
      const vault = new TempVault(HOUSE);
      const bench = await Bench.open(vault);
      for (const changes of rounds) {
        for (const { path, text } of changes) {
          if (text !== null) vault.write(path, text);
          else if (vault.has(path)) vault.remove(path);
        }
        await bench.sweep();
        expect(collectProblems(bench.ports)).toEqual(await problemsAnew(vault.root));
      }
      bench.close();
    }),
    { numRuns: lawRuns(10) },
  );
});

test('an edit of one note has no other note checked', async () => {
  const vault = new TempVault({ ...HOUSE, 'task/pay.md': task(), 'task/call.md': task({ due: 'soon' }) });
  const bench = await Bench.open(vault);
  collectProblems(bench.ports);
  vault.edit('task/pay.md', 'state: open', 'state: snoozed');
  await bench.sweep();
  const steps = recordProblems(bench.ports);
  expect(steps.next().done).toBe(true); // a check of all notes pauses after each
});

async function problemsAnew(root: string) {
  const { space } = await compose({ root, env: SHADOW, now: Date.now, emit: () => {}, readsOnly: true });
  return collectProblems(space);
}

const NAMES = ['stand = state', 'vorhaben = parent_matter', 'frist = due', 'ruht_bis = snoozed_until'];

test.each<[string, Record<string, unknown>, RegExp, RegExp]>([
  [
    'a matter that is missing',
    { vorhaben: ['[[boat]]'] },
    /belongs to "boat"/,
    /^Correct vorhaben or create the matter/,
  ],
  ['a date', { frist: 'soon' }, /^frist is "soon", which isn.t a date/, /2026-12-01/],
  ['a snooze without a date', { stand: 'snoozed' }, /snoozed without a date/, /set the stand to open/],
  ['a word for a state', { stand: 'hm' }, /`stand: hm`/, /"hm = open"/],
  ['a word for what is done', { stand: 'fertig', completedDate: '2026-11-01' }, /`stand: fertig`/, /"fertig = done"/],
  ['a link without quotes', { vorhaben: [['boat']] }, /^vorhaben has a link without quotes/, /Write "\[\[boat\]\]"/],
])('a problem has the names that the user gave the fields: %s', async (_, fields, message, hint) => {
  const own = { state: undefined, parent_matter: undefined, stand: 'open', vorhaben: ['[[house]]'] };
  const vault = new TempVault({
    'steward.md': settings({ field_mapping: NAMES }),
    'matter/house.md': matter(),
    'task/pay.md': task({ ...own, ...fields }),
  });
  const [problem] = (await Bench.reading(vault)).status().trouble;
  expect(problem?.message).toMatch(message);
  expect(problem?.hint).toMatch(hint);
});

test.each([
  ['an en dash', 'Flat – Rent', 'Flat - Rent', 'has “-” (U+002D) where the link has “–” (U+2013)'],
  ['a Cyrillic letter', 'Flat Rеnt', 'Flat Rent', 'has “e” (U+0065) where the link has “е” (U+0435)'],
  ['a Greek letter', 'Οffice', 'Office', 'has “O” (U+004F) where the link has “Ο” (U+039F)'],
  ['a curly apostrophe', 'Anna’s flat', "Anna's flat", 'where the link has “’” (U+2019)'],
  ['a no-break space', 'Flat\u00a0Rent', 'Flat Rent', 'has U+0020 where the link has U+00A0'],
  ['a soft hyphen', 'Flat\u00adrent', 'Flatrent', 'where the link has U+00AD'],
  ['a zero-width space at its end', 'Flat\u200b', 'Flat', 'has its end where the link has U+200B'],
  ['a ligature', 'O\ufb03ce', 'Office', 'where the link has “\ufb03” (U+FB03)'],
  ['full-width letters', 'Ｆlat', 'Flat', 'where the link has “Ｆ” (U+FF26)'],
  ['a letter without its accent', 'Grosse Pate', 'Grosse Pâte', 'has “â” (U+00E2) where the link has “a” (U+0061)'],
])('a link with %s that only looks like a name says which character differs', async (_, link, name, words) => {
  const parent = `"[[matter/${link}]]"`;
  const vault = new TempVault({
    [`matter/${name}.md`]: matter(),
    'task/pay.md': `---\ntype: task\nparent_matter: ${parent}\n---\n`,
  });
  const bench = await Bench.open(vault);
  const [problem] = collectProblems(bench.ports).shown.filter(({ code }) => code === 'parent-missing');
  expect(problem).toMatchObject({ file: 'task/pay.md', line: 3, message: expect.stringContaining(words) });
  expect(problem?.hint).toBe(`Write "[[${name}]]"; until then Steward ignores the task.`);
});

test.each(['[[Größe]]', '[[matter/Größe]]', '[g](../matter/Gr%C3%B6%C3%9Fe.md)', '[g](../matter/Gro%CC%88%C3%9Fe.md)'])(
  'a link that differs only by normalisation leads to its note: %s',
  async (link) => {
    for (const [form, other] of [
      ['NFC', 'NFD'],
      ['NFD', 'NFC'],
    ] as const) {
      const vault = new TempVault({
        [`matter/${'Größe'.normalize(form)}.md`]: matter(),
        'task/pay.md': `---\ntype: task\nparent_matter: "${link.normalize(other)}"\n---\n`,
      });
      const bench = await Bench.open(vault);
      expect(collectProblems(bench.ports).shown).toEqual([]);
    }
  },
);

test('two notes whose names differ only by normalisation are told apart in words', async () => {
  const vault = new TempVault({
    [`matter/${'Größe'.normalize('NFC')}.md`]: matter(),
    [`matter/${'Größe'.normalize('NFD')}.md`]: matter(),
  });
  const bench = await Bench.open(vault);
  const problems = collectProblems(bench.ports).shown;
  expect(problems.map(({ code }) => code)).toEqual(['slug-twice', 'slug-twice']);
  expect(problems[0]?.message).toContain('separate characters (NFD)');
});
