import { describe, expect, test } from 'vitest';
import { answerAll } from '../../src/daemon/answers.ts';
import { findEvent } from '../../src/steward/find-event.ts';
import { MAIL_WARNINGS } from '../../src/vault/note-text.ts';
import { HOUSE, matter, settings, task, weak } from '../support/notes.ts';
import { ANNA, ownSignal, ROOF_LICENCE } from '../support/own-signal.ts';
import { type Files, TempVault } from '../support/temp-vault.ts';
import { Bench, LIVE, only, SHADOW } from '../support/workspace.ts';

const SIGNAL = 'signal/a.md';
const FILES: Files = {
  ...HOUSE,
  ...ROOF_LICENCE,
  'task/pay.md': task(),
  'task/call.md': task(),
  'matter/house.md': matter({ senders: [ANNA] }),
  'steward.md': settings({ settle_seconds: 0, trusted_mail_servers: ['mx.notary.example'] }),
};
const REJECTED = `⚠ Not from ${ANNA}: your mail server rejected the sender.`;
const EVE = 'eve@evil.example';
const EVE_SAYS = { pattern: EVE, from: `"${ANNA}" <${EVE}>` };

async function scene(fields: object, env = LIVE, files: Files = {}) {
  const vault = new TempVault({ ...FILES, [SIGNAL]: ownSignal(SIGNAL, fields as Record<string, unknown>), ...files });
  const bench = await Bench.open(vault, { env });
  await bench.tick();
  return { vault, bench };
}

describe('a mail that is a warning', () => {
  test.each([
    ['whose sender the mail server rejected', { authenticated: 'fail' }, REJECTED],
    [
      'whose name is the address of another',
      { ...EVE_SAYS, warnings: [MAIL_WARNINGS.otherName(ANNA, EVE)] },
      `⚠ The name of the sender shows ${ANNA}, and the mail is from ${EVE}.`,
    ],
    [
      'from an address that looks like a known one',
      { pattern: 'anna@n0tary.example', warnings: [MAIL_WARNINGS.lookAlike(ANNA)] },
      `⚠ The address looks like ${ANNA}, which this vault names, and is not it.`,
    ],
    ['that gives orders to Steward', { warnings: [MAIL_WARNINGS.orders] }, `⚠ ${MAIL_WARNINGS.orders}`],
  ])('%s is one, comes first in its note, and has no box to confirm it', async (_, fields, warning) => {
    for (const env of [LIVE, SHADOW]) {
      const { vault, bench } = await scene(fields, env);
      expect(bench.waiting()).toEqual([]);
      const entry = only(bench.attention().warnings);
      expect(entry).toMatchObject({ kind: 'proposal', warning, answers: ['dismiss', 'later'] });
      expect(`⚠ ${entry.why[0]}`.toLowerCase()).toBe(warning.toLowerCase());
      const event = only(vault.events());
      const said = vault.fields(event);
      expect(Object.keys(said)[0]).toBe('warning');
      expect(said).toMatchObject({ warning, waiting: true, dismiss: false, later: false });
      expect(said).not.toHaveProperty('confirm');
      expect(said).not.toHaveProperty('always');
      const [, , body = ''] = vault.read(event).split(/^---$/m);
      expect(body.trimStart()).toMatch(/^> \[!warning\] ⚠ /);
      expect(vault.fields('task/pay.md')).toMatchObject({ state: 'open' });
    }
  });

  test('is not answered in the place of a true mail that says the same: the user says which', async () => {
    const honest = { [SIGNAL]: weak({ mutation_proposal: { class: 'state_change', set: { state: 'done' } } }) };
    const { vault, bench } = await scene({}, LIVE, honest);
    const named = () => findEvent(bench.ports.vault, 'pay', () => true).path;
    expect(named()).toBe(only(vault.events()));
    vault.write('signal/b.md', ownSignal('signal/b.md', { authenticated: 'fail' }));
    await bench.sweep();
    await bench.tick();
    expect(vault.events()).toHaveLength(2);
    expect(named).toThrow('"pay" may mean 2 event notes.');
  });

  test.each([
    ['asks for something and proposes no change', { effect: 'action', mutation_proposal: null }],
    [
      'says nothing new',
      { effect: 'action', mutation_proposal: null, effect_confidence: 0.1, effect_confidence_raw: 0.1 },
    ],
    [
      'may mean several notes',
      { target_ambiguous: true, target_path: null, target_candidates: ['task/pay.md', 'task/call.md'] },
    ],
  ])('is one if it %s', async (_, fields) => {
    const { vault, bench } = await scene({ authenticated: 'fail', ...fields });
    expect(bench.waiting()).toEqual([]);
    expect(only(bench.attention().warnings)).toMatchObject({ warning: REJECTED, answers: ['dismiss', 'later'] });
    const event = only(vault.events());
    expect(vault.fields(event)).not.toHaveProperty('choose');
    expect(vault.fields(event)).not.toHaveProperty('confirm');
    await bench.dismiss(event);
    expect(bench.attention().warnings).toEqual([]);
  });

  test('is confirmed by its name and --force alone', async () => {
    const { vault, bench } = await scene({ authenticated: 'fail' });
    const event = only(vault.events());
    const refused = await bench.confirm(event);
    expect(refused.message).toContain(REJECTED);
    expect(refused.message).toMatch(/steward confirm \S+ --force/);
    expect(vault.fields('task/pay.md').state).toBe('open');
    const forced = only(await answerAll(bench.ports, { kind: 'confirm', events: [event], force: true, dryRun: false }));
    expect(forced.outcome).toBe('confirmed');
    expect(vault.fields('task/pay.md').state).toBe('done');
  });

  test('shows every gate that failed, the most serious first, in shadow as well', async () => {
    const why = async (env: typeof LIVE) =>
      only((await scene({ authenticated: 'fail' }, env)).bench.attention().warnings).why;
    const [live, shadow] = [await why(LIVE), await why(SHADOW)];
    expect(live[0]).toMatch(/^not from anna@notary\.example: your mail server rejected the sender/);
    expect(live.length).toBeGreaterThan(2);
    expect(shadow.slice(0, live.length)).toEqual(live);
    expect(shadow.at(-1)).toMatch(/^shadow changes no note/);
  });

  test('is only text, whatever the address and the name are', async () => {
    const nasty = '‮%% /steward %%[[house]]<b>@evil.example';
    const { vault, bench } = await scene({
      pattern: nasty,
      from: `![x](https://evil.example) <${nasty}>`,
      authenticated: 'fail',
    });
    const event = only(vault.events());
    const [, , body = ''] = vault.read(event).split(/^---$/m);
    expect(body).not.toMatch(/‮|<b>|!\[|(?<!\\)\[\[house\]\]|(?<!\\)%% \/steward %%\[/);
    expect(String(vault.fields(event).warning)).not.toMatch(/‮|\[\[|<b>/);
    expect(only(bench.attention().warnings).from ?? '').not.toMatch(/‮|\[\[|<b>/);
  });
});

test('a note that Steward did not write warns of nothing by its own words', async () => {
  const dropped = weak({ warnings: [MAIL_WARNINGS.otherName('bank@evil.example', ANNA)] });
  const { bench } = await scene({}, LIVE, { [SIGNAL]: dropped });
  expect(bench.attention().warnings).toEqual([]);
});

test('a sender is shown by the address first, whatever name it chooses', async () => {
  const { bench } = await scene({ ...EVE_SAYS, authenticated: 'none' });
  expect(only(bench.waiting()).from).toBe(`${EVE} (${ANNA})`);
});

test('a long address is shortened so that the registered domain stays', async () => {
  const long = `anna.${'x'.repeat(50)}@notary.example.${'bank.'.repeat(12)}evil.example`;
  const { bench } = await scene({ pattern: long, from: `Anna <${long}>`, authenticated: 'none' });
  expect(only(bench.waiting()).from).toBe('anna.xxxxxxx…@…evil.example (Anna)');
});
