import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { type Intent, Journal } from '../../../src/vault/transaction/journal.ts';
import { TempVault } from '../../support/temp-vault.ts';

function intent(id: string): Intent {
  return {
    schemaVersion: 1,
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
  const journal = new Journal(folder);
  journal.open(intent('b'));
  journal.open(intent('a'));
  expect(new Journal(folder).pending()).toEqual({ intents: [intent('a'), intent('b')], bad: [] });
  journal.close('a');
  journal.close('a');
  expect(journal.pending().intents).toEqual([intent('b')]);
});

test('an entry that cannot be read is named, stays, and holds up no other', () => {
  const folder = new TempVault().root;
  const journal = new Journal(folder);
  journal.open(intent('good'));
  fs.writeFileSync(path.join(folder, 'torn.json'), '{"id":');
  fs.writeFileSync(path.join(folder, 'foreign.json'), '{"schemaVersion":2,"id":"x","at":"","steps":[]}');
  fs.writeFileSync(path.join(folder, 'good.json.1234567'), 'half');
  const { intents, bad } = journal.pending();
  expect(intents).toEqual([intent('good')]);
  expect(bad.map(({ code, file }) => [code, file])).toEqual([
    ['journal-unreadable', '.steward/journal/foreign.json'],
    ['journal-unreadable', '.steward/journal/torn.json'],
  ]);
  expect(fs.existsSync(path.join(folder, 'torn.json'))).toBe(true);
});
