import { expect, test } from 'vitest';
import { parseTitle } from '../../src/cli/inbox-view.ts';
import { linkTarget, resolveRelative } from '../../src/vault/links.ts';
import { matter, settings, task } from '../support/notes.ts';
import { ANNA, ownSignal } from '../support/own-signal.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench } from '../support/workspace.ts';

test.each([
  ['[[../matter/Flat Rent]]', '[[matter/Flat Rent]]'],
  ['[[../../matter/Flat Rent|rent]]', '[[../../matter/Flat Rent|rent]]'],
  ['[rent](../matter/Flat%20Rent.md)', '[[matter/Flat Rent]]'],
  ['[rent](<../matter/Flat Rent.md>)', '[[matter/Flat Rent]]'],
  ['[rent](../matter/Flat%20Rent.md "the flat")', '[[matter/Flat Rent]]'],
  ['[rent](./pay.md#Costs)', '[[task/pay]]'],
  ['../matter/house.md', '[[matter/house]]'],
  ['[[house]]', '[[house]]'],
  ['wait for ../matter/house', 'wait for ../matter/house'],
])('in task/a.md, %s is %s', (written, expected) => {
  expect(resolveRelative(written, 'task/a.md')).toBe(expected);
});

test.each([
  ['[x](task/y.md)', 'task/y'],
  ['[x](task/y.md "a title")', 'task/y'],
  ['[x](<task/my note.md>)', 'task/my note'],
  ['[x](task/y%20(2).md)', 'task/y (2)'],
])('%s leads to %s', (written, target) => {
  expect(linkTarget(written)).toBe(target);
});

test('a task belongs to its matter however the link leads there', async () => {
  const links = [
    '[rent](../../matter/Flat%20Rent.md)',
    '[x](<../../matter/Flat Rent.md>)',
    '[[../../matter/Flat Rent|x]]',
  ];
  const vault = new TempVault({
    'matter/Flat Rent.md': matter(),
    ...Object.fromEntries(links.map((link, nth) => [`task/sub/t${nth}.md`, task({ parent_matter: link })])),
  });
  const { vault: opened } = (await Bench.open(vault)).ports;
  const { catalogue } = opened;
  const found = catalogue.resolve('Flat Rent', ['matter']);
  expect(found?.kind === 'matter' ? catalogue.tasksOf(found).length : 0).toBe(3);
});

test('a written link has the path where two notes have one name', async () => {
  const vault = new TempVault({ 'matter/Rent.md': matter(), 'task/rent.md': task(), 'task/Pay.md': task() });
  const { catalogue } = (await Bench.open(vault)).ports.vault;
  expect(catalogue.linkTo('matter/Rent.md')).toBe('[[matter/Rent]]');
  expect(catalogue.linkTo('task/Pay.md')).toBe('[[Pay]]');
});

test('an answer and an undo link to their note by its path where two notes have one name', async () => {
  const vault = new TempVault({
    'steward.md': settings({ settle_seconds: 0, trusted_mail_servers: ['mx.notary.example'] }),
    'matter/house.md': matter({ senders: [ANNA] }),
    'task/pay.md': task({ parent_matter: '[[house]]' }),
    'Notes/pay.md': 'Another note.',
    'signal/a.md': ownSignal('signal/a.md'),
  });
  const bench = await Bench.open(vault);
  await bench.sweep();
  await bench.tick();
  const [event] = bench.catalogue.events();
  await bench.confirm(event?.name ?? '');
  await bench.undoLast(1);
  const targets = vault.events().map((file) => vault.fields(file).target);
  expect(targets).toEqual(['[[task/pay]]', '[[task/pay]]', '[[task/pay]]']);
});

test('a choice shows the path of a note if another note has its name', () => {
  expect(['[[house]]', '[[task/pay]]', '[[matter/pay|Pay]]', 'task/pay.md'].map(parseTitle)).toEqual([
    'house',
    'task/pay',
    'matter/pay',
    'pay',
  ]);
});
