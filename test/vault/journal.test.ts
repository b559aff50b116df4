import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Intent } from '../../src/vault/edit.ts';
import { StewardError } from '../../src/vault/errors.ts';
import { Journal } from '../../src/vault/journal.ts';
import { Seal } from '../../src/vault/seal.ts';
import { testSeal } from '../support/own-signal.ts';
import { TempVault } from '../support/temp-vault.ts';

function intent(id: string): Intent {
  return {
    schemaVersion: 2,
    id,
    at: '2026-11-21T20:19:54Z',
    steps: [
      { do: 'edit', path: 'task/pay.md', before_sha256: 'a', after_sha256: 'b', text: 'new', expects: { x: null } },
      { do: 'create', path: 'event/x.md', text: 'why' },
    ],
  };
}

test('what is opened is pending until it is closed, oldest first', () => {
  const folder = new TempVault().root;
  const journal = new Journal(folder, testSeal());
  journal.open(intent('b'));
  journal.open(intent('a'));
  expect(new Journal(folder, testSeal()).pending()).toEqual({ intents: [intent('a'), intent('b')], bad: [] });
  journal.close('a');
  journal.close('a');
  expect(journal.pending().intents).toEqual([intent('b')]);
});

test('an entry stays, and none is written, once the vault belongs to another process', () => {
  const folder = new TempVault().root;
  new Journal(folder, testSeal()).open(intent('a'));
  const late = new Journal(folder, testSeal(), () => {
    throw new StewardError({ code: 'lock-lost', message: 'The vault is lost.', hint: '' }, 75);
  });
  expect(() => late.close('a')).toThrow('lost');
  expect(() => late.open(intent('b'))).toThrow('lost');
  expect(late.pending().intents).toEqual([intent('a')]);
});

test('an entry of another key, under another name, or changed, is not carried out, and stays', () => {
  const folder = new TempVault().root;
  const own = new Journal(folder, testSeal());
  new Journal(folder, new Seal(new Uint8Array(32))).open(intent('foreign'));
  own.open(intent('old'));
  fs.renameSync(path.join(folder, 'old.json'), path.join(folder, 'again.json'));
  own.open(intent('changed'));
  const changed = path.join(folder, 'changed.json');
  fs.writeFileSync(changed, fs.readFileSync(changed, 'utf8').replace('pay.md', 'other.md'));
  const { intents, bad } = own.pending();
  expect(intents).toEqual([]);
  expect(bad.map(({ code, file }) => [code, file])).toEqual(
    ['again', 'changed', 'foreign'].map((name) => ['journal-foreign', `.steward/journal/${name}.json`]),
  );
  expect(fs.readdirSync(folder)).toHaveLength(3);
});

test('an entry that cannot be read is named, stays, and holds up no other', () => {
  const folder = new TempVault().root;
  const journal = new Journal(folder, testSeal());
  journal.open(intent('good'));
  fs.writeFileSync(path.join(folder, 'torn.json'), '{"id":');
  fs.writeFileSync(path.join(folder, 'foreign.json'), '{"schemaVersion":2,"id":"x","at":"","steps":[]}');
  fs.writeFileSync(path.join(folder, 'good.json.1234567'), 'half');
  const { intents, bad } = journal.pending();
  expect(intents).toEqual([intent('good')]);
  expect(bad.map(({ code, file }) => [code, file])).toEqual([
    ['journal-foreign', '.steward/journal/foreign.json'],
    ['journal-foreign', '.steward/journal/torn.json'],
  ]);
  expect(fs.existsSync(path.join(folder, 'torn.json'))).toBe(true);
});
