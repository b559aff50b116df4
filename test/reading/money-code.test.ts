import { describe, expect, test } from 'vitest';
import {
  classifyDeed,
  codesMeant,
  findIbans,
  findIbanTails,
  maskedTail,
  partyWords,
  plainReference,
  provenReferences,
} from '../../src/reading/money.ts';
import { parseIban, plainSender } from '../../src/vault/source-names.ts';

describe('references', () => {
  test.each([
    ['RE-2026-118', 'Zahlung RE 2026 118 danke'],
    ['21 00000 00003 13947 14300 09017', '210000000003139471430009017'],
    ['+++090/9337/55493+++', '***090/9337/55493***'],
    ['RF18 5390 0754 7034', 'rf18539007547034'],
    ['0029384756102', 'KID 29384756102'],
    ['A-3307', 'Fra. A3307'],
    ['4711', 'RE4711'],
  ])('%s is found in "%s"', (reference, purpose) => {
    expect(codesMeant(purpose)).toContain(plainReference(reference));
  });

  test('two numbers beside each other are not put together into a short one', () => {
    expect(codesMeant('47 11')).not.toContain('4711');
  });

  test('a creditor reference counts where its check digits are right', () => {
    expect(provenReferences('pay RF18 5390 0754 7034 and RF19 5390 0754 7034')).toEqual(['RF18539007547034']);
  });
});

describe('accounts', () => {
  test('an IBAN counts where its check digits are right', () => {
    expect(parseIban('de89 3704 0044 0532 0130 00')).toBe('DE89370400440532013000');
    expect(parseIban('DE88370400440532013000')).toBeNull();
    expect(parseIban('anna@notary.example')).toBeNull();
  });

  test('one in a text is found, and the rest is without it', () => {
    expect(findIbans('to DE89 3704 0044 0532 0130 00, invoice 4711')).toEqual({
      ibans: ['DE89370400440532013000'],
      rest: 'to  , invoice 4711',
    });
  });

  test.each(['IBAN …3000', 'account ending in 3000', '•••• 3000', 'Konto endet auf 3000', 'xx3000', 'IBAN ...3000'])(
    '%s',
    (text) => {
      expect(findIbanTails(text)).toEqual(['3000']);
    },
  );

  test('what a bank hides is known by its end, if four digits are shown', () => {
    expect([
      maskedTail('DE89••••••3000'),
      maskedTail('XXXX3000'),
      maskedTail('DE89370400440532013000'),
      maskedTail('••00'),
    ]).toEqual(['3000', '3000', null, null]);
  });

  test('a sender that is an IBAN is compared without its blanks; an address is left as it was', () => {
    expect(plainSender('DE89 3704 0044 0532 0130 00')).toBe(plainSender('de89370400440532013000'));
    expect(plainSender('Anna <Anna@Notary.example>')).toBe('anna@notary.example');
  });
});

test.each([
  ['Pay invoice 4711', 'out'],
  ['Rechnung 4711 überweisen', 'out'],
  ['Await payment of invoice 4711', 'in'],
  ['Auf Rückzahlung warten', 'in'],
  ['Refund from the airline', 'in'],
  ['Pay the refund to Tom', 'out'],
  ['Remboursement de la mutuelle', 'in'],
  ['Cancel the gym', 'other'],
  ['Facture 4711', 'unsaid'],
])('%s: money %s', (name, deed) => {
  expect(classifyDeed(name)).toBe(deed);
});

test('what a firm is called besides its name tells nobody apart', () => {
  expect(partyWords('MUELLER GARTENBAU GMBH')).toEqual(partyWords('Müller Gartenbau'));
  expect(partyWords('The Ltd GmbH')).toEqual([]);
});
