import { expect, test } from 'vitest';
import { HOUSE, instinct } from '../support/notes.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench, only } from '../support/workspace.ts';

const ANNA = { pattern: 'anna@notary.example', observations: 12, wrong: 2, pinned: true, confidence: 0.91 };

test('status lists channels first, then who spoke in them, each with its own figures', async () => {
  const vault = new TempVault({
    ...HOUSE,
    'instinct/mail/anna@notary.example.md': instinct('mail', ANNA),
    'instinct/bank/roof-gmbh.md': instinct('bank', { pattern: 'ROOF GmbH', observations: 1 }),
    'instinct/slack.md': instinct('slack', { calibration_status: 'pruned', wrong: 5 }),
    'instinct/mail.md': instinct('mail', { observations: 60 }),
  });
  const { sources, trouble } = (await Bench.open(vault)).status();
  expect(sources.map(({ source }) => source)).toEqual(['mail', 'slack', 'bank:ROOF GmbH', 'mail:anna@notary.example']);
  expect(sources[0]).toMatchObject({ observations: 60, threshold: 0.75, wrong: 0, pinned: false, status: 'live' });
  expect(sources[1]).toMatchObject({ wrong: 5, status: 'pruned' });
  expect(sources[3]).toEqual({
    ...{ source: 'mail:anna@notary.example', confidence: 0.91, observations: 12, threshold: 0.85 },
    ...{ status: 'live', wrong: 2, pinned: true },
  });
  expect(trouble).toEqual([]);
});

test('two notes about one sender are told; a channel and its senders are not one source', async () => {
  const vault = new TempVault({
    ...HOUSE,
    'instinct/mail.md': instinct('mail'),
    'instinct/mail/anna@notary.example.md': instinct('mail', ANNA),
    'instinct/mail/older/anna@notary.example.md': instinct('mail', { ...ANNA, pattern: 'Anna@Notary.example' }),
  });
  const { sources, trouble } = (await Bench.open(vault)).status();
  expect(sources).toHaveLength(2);
  expect(only(trouble)).toMatchObject({
    code: 'source-twice',
    file: 'instinct/mail/older/anna@notary.example.md',
    message: expect.stringContaining('both about mail:Anna@Notary.example'),
  });
});
