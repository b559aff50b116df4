import fs from 'node:fs';
import path from 'node:path';
import yaml from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { placeholderTarget } from '../../src/vault/layout.ts';
import { noteText } from '../../src/vault/note-text.ts';
import { matter, task } from '../support/notes.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench } from '../support/workspace.ts';

/*
 * Each file of `copy-cases/` is a vault: notes by their paths, and which of them are copies that a sync tool made. The others
 * must be read.
 */
const FOLDER = path.join(import.meta.dirname, 'copy-cases');
const copyCase = z
  .object({
    about: z.string(),
    notes: z.record(z.string(), z.record(z.string(), z.unknown())),
    copies: z.array(z.string()),
  })
  .strict();

describe('copies', () => {
  const files = fs.readdirSync(FOLDER).filter((name) => name.endsWith('.yaml'));
  test.each(files)('are told from notes: %s', async (name) => {
    const text = fs.readFileSync(path.join(FOLDER, name), 'utf8');
    const { notes, copies } = copyCase.parse(yaml.load(text, { schema: yaml.JSON_SCHEMA }));
    const vault = new TempVault(
      Object.fromEntries(Object.entries(notes).map(([file, fields]) => [file, noteText(fields, 'A note.')])),
    );
    const { catalogue, ports } = await Bench.reading(vault);
    const read = [...catalogue.tasks(), ...catalogue.matters()].map(({ path: file }) => file);
    expect([...ports.vault.conflictCopies].toSorted()).toEqual(copies.toSorted());
    expect(read.toSorted()).toEqual(
      Object.keys(notes)
        .filter((file) => !copies.includes(file))
        .toSorted(),
    );
  });

  test('are found whichever of the two came first, and are notes again once the note is gone', async () => {
    const vault = new TempVault({ 'matter/house.md': matter(), 'task/Call (1).md': task() });
    const bench = await Bench.open(vault);
    expect(bench.catalogue.get('task/Call (1).md')?.kind).toBe('task');
    vault.write('task/Call.md', task());
    vault.write('task/Call 2.md', task());
    await bench.sweep();
    expect([...bench.ports.vault.conflictCopies]).toEqual(['task/Call 2.md']);
    fs.rmSync(vault.at('task/Call.md'));
    await bench.sweep();
    await bench.sweep();
    expect(bench.catalogue.get('task/Call 2.md')?.kind).toBe('task');
  });
});

describe('a ticked copy of an event note', () => {
  const NAME = 'steward-action-2035-03-02T10-11-12Z-pay';
  const fields = { type: 'steward-action', timestamp: '2035-03-02T10:11:12Z', target_path: 'task/pay.md' };

  test.each([
    [`${NAME}-DESKTOP-4F2K1QX`, `event/${NAME}.md`],
    [`${NAME} (1)`, `event/${NAME}.md`],
    [`${NAME} (conflicted copy 2035-03-02 101112)`, 'the note next to it'],
    [`${NAME}.sync-conflict-20350302-101112-ABCDEFG`, 'the note next to it'],
    [`${NAME} (SFConflict anna@home.example 2035-03-02-10-11-12)`, 'the note next to it'],
  ])('is asked about, and does nothing: %s', async (copy, meant) => {
    const vault = new TempVault({
      'task/pay.md': task(),
      [`event/${NAME}.md`]: noteText(fields, 'An event.'),
      [`event/${copy}.md`]: noteText({ ...fields, confirm: true }, 'An event.'),
    });
    const bench = await Bench.open(vault);
    await bench.follow();
    expect(bench.catalogue.events()).toHaveLength(1);
    expect(bench.status().trouble.find(({ code }) => code === 'conflict-copy')).toMatchObject({
      file: `event/${copy}.md`,
      message: 'You ticked confirm in a copy that a sync tool made, so the tick has no effect.',
      hint: `Did you mean it? Tick the box in ${meant}, and delete the copy.`,
    });
  });
});

test.each([
  ['.Pay.md.icloud', 'Pay.md'],
  ['Pay.md.nextcloud', 'Pay.md'],
  ['Pay.md.owncloud', 'Pay.md'],
  ['Pay.md.cloud', 'Pay.md'],
  ['a.eml.placeholder', 'a.eml'],
  ['Pay.md', null],
  ['My.cloud', null],
  ['.obsidian', null],
])('%s stands for %s', (name, target) => {
  expect(placeholderTarget(name)).toBe(target);
});

describe('a note of which only a placeholder is here', () => {
  test.each(['.house.md.icloud', 'house.md.nextcloud'])('is kept as it was known: %s', async (placeholder) => {
    const vault = new TempVault({ 'matter/house.md': matter(), 'task/pay.md': task() });
    const bench = await Bench.open(vault);
    fs.renameSync(vault.at('matter/house.md'), vault.at(`matter/${placeholder}`));
    await bench.sweep();
    expect(bench.catalogue.get('matter/house.md')?.kind).toBe('matter');
    expect(bench.ports.vault.away).toBe(null);
    expect(bench.status().trouble).toMatchObject([{ code: 'note-away', file: 'matter/house.md' }]);
  });

  test('is known again after a start', async () => {
    const vault = new TempVault({ 'matter/house.md': matter(), 'task/pay.md': task() });
    const first = await Bench.open(vault);
    await first.ports.vault.saveCache({ isHeld: () => false, demand: () => {}, hasTime: () => true });
    fs.renameSync(vault.at('matter/house.md'), vault.at('matter/.house.md.icloud'));
    const { catalogue, ports } = await Bench.open(vault);
    expect([catalogue.get('matter/house.md')?.kind, ports.vault.away]).toEqual(['matter', null]);
  });

  test('has not moved to another folder', async () => {
    const vault = new TempVault({ 'matter/house.md': matter(), 'matter/boat.md': matter() });
    const bench = await Bench.open(vault);
    fs.renameSync(vault.at('matter/house.md'), vault.at('matter/.house.md.icloud'));
    vault.write('matter/old/house.md', matter());
    await bench.sweep();
    expect(bench.catalogue.named('house').map(({ path: file }) => file)).toEqual([
      'matter/house.md',
      'matter/old/house.md',
    ]);
  });

  test('is not written in its place', async () => {
    const vault = new TempVault({ 'instinct/.mail.md.icloud': 'x' });
    const bench = await Bench.open(vault);
    expect(() => bench.ports.transactions.create('instinct/mail.md', 'text')).toThrow(/not on this device/);
    expect(vault.has('instinct/mail.md')).toBe(false);
  });
});
