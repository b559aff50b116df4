import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fileName, noteName, otherNoteName } from '../../../src/steward/learning.ts';
import { historyOf } from '../../../src/vault/history-block.ts';
import { sourceName } from '../../../src/vault/source-names.ts';
import { lawRuns } from '../../support/laws.ts';
import { HOUSE, settings, task, weak } from '../../support/notes.ts';
import { TempVault } from '../../support/temp-vault.ts';
import { Bench } from '../../support/workspace.ts';

describe('where a source’s note lies', () => {
  test.each([
    ['mail', 'mail'],
    ['mail:anna@notary.example', 'mail/anna@notary.example'],
    ['mail:Anna+house@Notary.example', 'mail/anna+house@notary.example'],
    ['mail:unverified:anna@notary.example', 'mail/unverified-anna@notary.example'],
    ['bank:DE02 1203 0000', 'bank/de02-1203-0000'],
    ['Slack Channel', 'slack-channel'],
    ['mail:../../steward', 'mail/steward'],
    ['mail:..', 'mail/other'],
    ['mail:.hidden', 'mail/hidden'],
    ['mail:anna.md', 'mail/anna.md'],
    ['mail:a/b\\c', 'mail/a-b-c'],
    ['mail:', 'mail/other'],
    ['', 'other'],
    ['..', 'other'],
    ['mail:[[x]]|y#z^', 'mail/x-y-z'],
    ['mail:Ünïcödé', 'mail/n-c-d'],
    ['mail:日本', 'mail/other'],
  ])('%j: %j', (source, name) => expect(noteName(source)).toBe(name));

  test('is one plain, short, visible name in the channel’s folder, whatever a sender is called', () => {
    const letters = fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), fc.string({ maxLength: 300 }));
    fc.assert(
      fc.property(letters, letters, (channel, pattern) => {
        const source = sourceName(channel.replaceAll(':', ''), pattern);
        for (const name of [noteName(source), otherNoteName(source)]) {
          expect(name).toMatch(/^[a-z0-9_][a-z0-9_-]{0,59}\/[a-z0-9_@+][a-z0-9_@.+-]{0,68}$/);
          expect(name).not.toMatch(/\.\.|\.$/);
        }
        expect(fileName(source)).not.toContain('/');
      }),
      { numRuns: lawRuns() },
    );
  });
});

/** The patterns of the notes that there are once each of these senders has been dismissed once. */
async function notesOf(...patterns: string[]) {
  const vault = new TempVault({ ...HOUSE, 'steward.md': settings({ default_schedule: '17 4 1 1 *' }) });
  const bench = await Bench.open(vault);
  for (const [nth, pattern] of patterns.entries()) {
    vault.write(`task/t${nth}.md`, task());
    vault.write(`signal/t${nth}.md`, weak({ pattern, target_path: `task/t${nth}.md`, raw_quote: `${nth}` }));
    await bench.tick();
    for (const { event } of bench.openProposals()) await bench.dismiss(event.path);
  }
  const notes = vault.names('instinct/mail').map((name) => `instinct/mail/${name}`);
  return { vault, bench, notes, of: notes.map((file) => vault.fields(file).pattern) };
}

describe('the notes of senders with hostile names', () => {
  test('lie in their channel’s folder, break no link and no table, and are found again', async () => {
    const hostile = ['../../x|y]]\n%% /steward %%\n`', 'a'.repeat(300), '日本@例え.example', '{{x}}: [y', '#', '.'];
    const { vault, bench, notes, of } = await notesOf(...hostile);
    expect(vault.names('instinct')).toEqual(['mail', 'mail.md']);
    expect(of.toSorted()).toEqual(hostile.toSorted());
    for (const file of notes) {
      expect(historyOf(file, vault.read(file))).toHaveLength(1);
      expect(vault.fields(file)).toMatchObject({
        type: 'instinct',
        source_type: 'mail',
        confidence: expect.any(Number),
      });
    }
    for (const pattern of hostile) {
      expect(vault.fields(bench.catalogue.instinctOf(`mail:${pattern}`)?.path ?? '')).toMatchObject({
        pattern,
        wrong: 1,
      });
    }
    expect(bench.status().trouble).toEqual([]);
  });

  test('two that make the same name have a note each, and each learns its own', async () => {
    const long = 'a'.repeat(80);
    const { vault, notes } = await notesOf('a b', 'a-b', `${long}1`, `${long}2`, 'a b', 'A B ');
    const wrong = new Map(notes.map((file) => [vault.fields(file).pattern, vault.fields(file).wrong]));
    expect(wrong).toEqual(
      new Map([
        ...([
          ['a b', 3],
          ['a-b', 1],
        ] as const),
        ...([
          [`${long}1`, 1],
          [`${long}2`, 1],
        ] as const),
      ]),
    );
  });

  test('one named like its channel, or like a note that is there, takes nothing from it', async () => {
    const { vault, notes } = await notesOf('mail', 'bank', 'other');
    expect(notes).toEqual(['instinct/mail/bank.md', 'instinct/mail/mail.md', 'instinct/mail/other.md']);
    expect(vault.fields('instinct/mail.md')).toMatchObject({ source_type: 'mail', wrong: 0 });
    expect(vault.fields('instinct/mail.md')).not.toHaveProperty('pattern');
  });
});
