import type { PaymentFields } from '../../vault/records/task.ts';
import { ibanOf } from '../../vault/source-names.ts';
import { amountsIn, amountWritten, type Money } from './amount.ts';
import { ibansIn, numberIn, plainReference, provenReferences, tailsIn } from './code.ts';
import { type Deed, deedOf } from './deed.ts';
import { partyWords } from './party.ts';
import { referencesOf } from './reference.ts';

/** A note, as far as it can tell of a payment. */
export interface PaymentNote {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly keywords: readonly string[];
  readonly senders: readonly string[];
  readonly summary: string;
  readonly payment?: PaymentFields | null;
}

/** What a note says of a payment, in the forms in which it is compared with a line of an account. */
export interface PaymentClues {
  readonly deed: Deed;
  /** The sums it names; that of a field alone, where it has one. */
  readonly amounts: readonly Money[];
  readonly references: ReadonlySet<string>;
  /** Whole IBANs, whose check digits are right. */
  readonly ibans: ReadonlySet<string>;
  /** The last digits of accounts that it does not show whole. */
  readonly tails: ReadonlySet<string>;
  /** The words by which a counterparty may be known. */
  readonly words: ReadonlySet<string>;
  /** The words of each counterparty that it names as such. */
  readonly parties: readonly (readonly string[])[];
}

/** No more of a summary is read. */
const MAX_SUMMARY = 500;
const NOTHING: PaymentFields = { amount: [], reference: [], iban: [], counterparty: [] };

/** Returns what a note says of a payment. */
export function cluesOf(note: PaymentNote): PaymentClues {
  const { amount, reference, iban, counterparty } = note.payment ?? NOTHING;
  const texts = [note.name, ...note.aliases, ...note.keywords, note.summary.slice(0, MAX_SUMMARY)];
  const read = texts.map(ibansIn);
  const rest = read.map((one) => one.rest);
  const stated = amount.flatMap((one) => amountWritten(one) ?? []);
  const named = note.senders.filter((sender) => !sender.includes('@') && ibanOf(sender) === null);
  const said = stated.length > 0 ? stated : rest.flatMap(amountsIn);
  const tails = new Set([...rest, ...iban].flatMap(tailsIn));
  return {
    deed: deedOf([note.name, ...note.aliases].join(' ')),
    amounts: said,
    references: referencesIn(rest, reference, new Set([...tails, ...rest.flatMap(amountsIn).map(digitsOf)])),
    ibans: new Set([
      ...[...note.senders, ...iban].flatMap((one) => ibanOf(one) ?? []),
      ...read.flatMap((one) => one.ibans),
    ]),
    tails,
    words: new Set([...rest, ...counterparty, ...named].flatMap(partyWords)),
    parties: [...counterparty, ...named].map(partyWords).filter(({ length }) => length > 0),
  };
}

// A sum, or the end of an IBAN, is no reference.
function referencesIn(texts: readonly string[], fields: readonly string[], others: ReadonlySet<string>): Set<string> {
  const written = [...referencesOf(texts)].map(plainReference);
  const found = [...written, ...written.flatMap(numberIn), ...texts.flatMap(provenReferences)];
  const stated = fields.map(plainReference).filter(({ length }) => length >= 3);
  return new Set([
    ...found.filter((one) => one.length >= 3 && !others.has(one)),
    ...stated,
    ...stated.flatMap(numberIn),
  ]);
}

function digitsOf({ thousandths }: Money): string {
  return String(Math.floor(thousandths / 1000));
}
