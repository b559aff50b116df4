import { describe, expect, test } from 'vitest';
import { HOUSE, matter, settings, signal, weak } from '../support/notes.ts';
import { Running } from '../support/running.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench } from '../support/workspace.ts';

const PAY = 'task/pay.md';

/** A matter that names its sender, and hears only these sources; none for all. */
function hears(...sources: string[]): string {
  return matter({ senders: ['billing@roof.example'], ...(sources.length === 0 ? {} : { signal_sources: sources }) });
}

function vaultWith(house: string, files: Readonly<Record<string, string>>): TempVault {
  return new TempVault({ ...HOUSE, 'steward.md': settings({ settle_seconds: 0 }), 'matter/house.md': house, ...files });
}

describe('signal_sources on a matter', () => {
  test.each<[string, string[], boolean]>([
    ['nothing: all are heard', [], true],
    ['the channel', ['mail'], true],
    ['the channel, in other letters', [' Mail '], true],
    ['the channel and who speaks in it', ['bank', 'mail:billing@roof.example'], true],
    ['another channel', ['bank'], false],
    ['somebody else in it', ['mail:anna@northgate-notary.example'], false],
    ['a part of the name', ['mai'], false],
  ])('%s', async (_, sources, isHeard) => {
    const vault = vaultWith(hears(...sources), { 'signal/s.md': signal({ pattern: 'billing@roof.example' }) });
    const bench = await Bench.open(vault);
    await bench.tick();
    expect([vault.fields(PAY).state, vault.events().length]).toEqual(isHeard ? ['done', 1] : ['open', 0]);
  });

  test.each([
    ['one that is too weak alone', weak()],
    ['one that asks a person for something', weak({ effect: 'action', mutation_proposal: null })],
    [
      'one that may mean any of several',
      signal({ target_ambiguous: true, target_candidates: ['[[pay]]', '[[house]]'] }),
    ],
  ])('nothing is made of %s, and lifting the restriction lets it be heard', async (_, text) => {
    const vault = vaultWith(hears('bank'), { 'signal/s.md': text });
    const bench = await Bench.open(vault);
    await bench.tick();
    expect(vault.events()).toEqual([]);
    vault.write('matter/house.md', hears());
    await bench.tick();
    expect(vault.events()).toHaveLength(1);
  });

  test('a note of another matter is still among those a person chooses from', async () => {
    const boat = matter({}, 'A boat.');
    const ambiguous = signal({ target_ambiguous: true, target_candidates: ['[[pay]]', '[[boat]]'] });
    const vault = vaultWith(hears('bank'), { 'matter/boat.md': boat, 'signal/s.md': ambiguous });
    await (await Bench.open(vault)).tick();
    expect(vault.events().map((event) => vault.fields(event).candidates)).toEqual([['[[boat]]']]);
  });

  test('who is not heard is named, in the tick and when one asks about the note', async () => {
    const vault = vaultWith(hears('bank'), { 'signal/s.md': weak(), 'signal/t.md': weak({ raw_quote: 'again' }) });
    const bench = await Bench.open(vault);
    const [result] = await bench.tick();
    expect(result?.skipped).toContainEqual({
      ...{ path: PAY, code: 'no-signals', reason: 'no signals (2 of sources ignored here)' },
    });
    const { sections } = await bench.explain('pay');
    expect(sections.find(({ title }) => title === 'Signals that are ignored')?.lines).toContain(
      "[[s]]: house accepts only bank (signal_sources); mail isn't one of them.",
    );
  });

  test('a running daemon acts as soon as the matter hears the source, and a source it does not hear wakes nothing', async () => {
    const vault = vaultWith(hears('bank'), {});
    const running = await Running.start(vault);
    await running.ask({ op: 'tick', matters: [], force: true, mode: null });
    const quiet = { schedules: { 'steward-house': { streak: 1, heard: null } } };
    await running.saved('schedules', quiet.schedules);
    vault.write('signal/s.md', signal());
    await running.sync();
    expect(vault.fields(PAY).state).toBe('open');
    await running.saved('schedules', quiet.schedules);
    vault.write('matter/house.md', hears('mail'));
    await running.heard('acted');
    expect(vault.fields(PAY).state).toBe('done');
  });

  test.each([
    ['mial', 'Did you mean mail?'],
    ['gmal:anna@notary.example', 'Did you mean gmail:anna@notary.example?'],
    ['anna@notary.example', 'Write the channel before it: mail:anna@notary.example.'],
    ['pigeons', 'Write a channel such as mail or bank'],
  ])('a name that is no channel, %s, is said', async (written, hint) => {
    const bench = await Bench.open(vaultWith(hears(written, 'bank', 'mail:x'), {}));
    const said = bench.status().trouble.filter(({ code }) => code === 'signal-source-unknown');
    expect(said).toMatchObject([{ file: 'matter/house.md', line: 6, hint: expect.stringContaining(hint) }]);
  });
});
