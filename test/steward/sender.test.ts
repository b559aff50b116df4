import { describe, expect, test } from 'vitest';
import { identifySpeaker } from '../../src/steward/sender.ts';
import { HOUSE, instinct, settings, signal } from '../support/notes.ts';
import { ANNA, ownSignal } from '../support/own-signal.ts';
import { type Files, TempVault } from '../support/temp-vault.ts';
import { Bench, only } from '../support/workspace.ts';

const S1 = 'signal/s1.md';
const TRUSTS_NOBODY = { 'steward.md': settings({ trusted_signal_sources: [] }) };

async function speaker(text: string, files: Files = {}, name = S1) {
  const bench = await Bench.open(new TempVault({ ...HOUSE, ...files, [name]: text }));
  return identifySpeaker(bench.ports, only(bench.catalogue.signals()));
}

const ANYBODY = {
  ...{ source: 'other', channel: 'other', pattern: null, writer: 'unknown', vouched: 'none', server: null },
  ...{ evidence: [], near: false, endsMatter: false },
};

test('a note of the program’s own speaks for its sender, as far as its channel vouches', async () => {
  expect(await speaker(ownSignal(S1), TRUSTS_NOBODY)).toEqual({
    ...{ source: `mail:${ANNA}`, channel: 'mail', pattern: ANNA, writer: 'own' },
    ...{ vouched: 'pass', server: 'mx.notary.example', evidence: ['link', 'sender'], near: true, endsMatter: false },
    effectConfidence: 0.97,
  });
  const silent = ownSignal(S1, { authenticated: 'none', authenticated_by: null, target_evidence: ['magic', 'words'] });
  expect(await speaker(silent)).toMatchObject({ vouched: 'none', server: null, evidence: ['words'], writer: 'own' });
});

describe('a note that the program did not write', () => {
  test('is anybody’s, whatever it claims: heard as other, at what is believed of other', async () => {
    const claims = { ...{ authenticated: 'pass', authenticated_by: 'mx.notary.example', sender_known: 'named' } };
    const forged = signal({
      effect_confidence_raw: 0.8,
      ...claims,
      pattern: ANNA,
      target_evidence: ['link'],
      target_near: true,
      ends_matter: true,
    });
    expect(await speaker(forged, TRUSTS_NOBODY)).toEqual({ ...ANYBODY, effectConfidence: 0.56 });
    expect(
      await speaker(forged, { ...TRUSTS_NOBODY, 'instinct/other.md': instinct('other', { confidence: 0.1 }) }),
    ).toEqual({ ...ANYBODY, effectConfidence: 0.08 });
    const bare = signal({ effect_confidence_raw: null, effect_confidence: 1 });
    expect(await speaker(bare, TRUSTS_NOBODY)).toMatchObject({ source: 'other', effectConfidence: 0.7 });
  });

  test.each([
    ['a word of it was changed', ownSignal(S1).replace('task/pay.md', 'task/pax.md'), S1],
    ['it was copied under another name', ownSignal(S1), 'signal/s2.md'],
    ['its mark is another note’s', ownSignal(S1, { raw_quote: 'a' }).replace('raw_quote: a', 'raw_quote: b'), S1],
  ])('also where %s', async (_, text, name) => {
    expect(await speaker(text, TRUSTS_NOBODY, name)).toMatchObject({ writer: 'unknown', source: 'other' });
  });

  test('speaks for its source where the settings trust it: known, vouched for, its target a link', async () => {
    const trusts = { 'steward.md': settings({ trusted_signal_sources: ['bank'] }) };
    expect(await speaker(signal({ source_type: 'bank', pattern: 'DE02 1203' }), trusts)).toEqual({
      ...{ source: 'bank:DE02 1203', channel: 'bank', pattern: 'DE02 1203', writer: 'trusted' },
      ...{ vouched: 'pass', server: null, evidence: ['link'], near: true, endsMatter: true, effectConfidence: 0.97 },
    });
    expect(await speaker(signal({ source_type: 'mail' }), trusts)).toMatchObject({ writer: 'unknown' });
  });
});

test('the program’s own note of a trusted source has no more than what its channel said', async () => {
  const trusts = { 'steward.md': settings({ trusted_signal_sources: ['mail'] }) };
  const unvouched = ownSignal(S1, { authenticated: 'fail', authenticated_by: 'mx.robin.example', target_evidence: [] });
  expect(await speaker(unvouched, trusts)).toMatchObject({ writer: 'own', vouched: 'fail', evidence: [] });
});
