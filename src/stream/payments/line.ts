import type { Payment } from '../../steward/ports/stream-event.ts';
import { ibanOf } from '../../vault/source-names.ts';
import { plainText } from '../mail/plain-text.ts';
import { amountOf, type Money } from '../money/amount.ts';
import { codesMeant, maskedTail, plainReference } from '../money/code.ts';
import { partyWords } from '../money/party.ts';

/** A line of an account, in the forms in which it is compared with notes. */
export interface Line {
  readonly money: Money;
  readonly isOut: boolean;
  readonly isPending: boolean;
  /** `YYYY-MM-DD`. */
  readonly day: string;
  /** The counterparty's IBAN, whole and with right check digits; null where the line has none. */
  readonly iban: string | null;
  /** The last digits that the bank shows of an IBAN that it hides; null where it hides none. */
  readonly tail: string | null;
  readonly party: string | null;
  readonly partyWords: readonly string[];
  readonly codes: ReadonlySet<string>;
  /** The words of its purpose, folded. */
  readonly words: ReadonlySet<string>;
  /** It says that money went back. */
  readonly isReturned: boolean;
  /** It says that it is one of several. */
  readonly isPart: boolean;
  /** It says that something was taken off for paying early. */
  readonly isDiscounted: boolean;
}

/** What banks and people call a payment that came back. The word for sending goods back is not among them, nor is a tax return. */
const RETURNED =
  /(?<!\p{L})(?:returned|return of|reversal|reversed|chargeback|refused|rejected|bounced|rücklauf|rückläufer|rücklastschrift|rückbuchung|ruecklaeufer|ruecklastschrift|rueckbuchung|retoure|storno|storniert|rejet|rejeté|impayé|retourné|devuelto|devolución|rechazado|impagado|stornato|insoluto|respinto|geweigerd|teruggeboekt|stornering)(?!\p{L})/iu;
const PART =
  /(?<!\p{L})(?:instalment|installment|part payment|first half|second half|deposit|anzahlung|teilzahlung|rate|abschlag|acompte|échéance|primer pago|plazo|anticipo|acconto|rata|aanbetaling|termijn)(?!\p{L})/iu;
const DISCOUNTED = /(?<!\p{L})(?:skonto|discount|escompte|descuento|sconto|korting)(?!\p{L})/iu;
const MAX_PURPOSE = 4000;

/** Returns a payment whose words are without what nobody sees. */
export function plainPayment(payment: Payment): Payment {
  const { purpose, counterparty } = payment;
  return {
    ...payment,
    purpose: plainText(purpose),
    counterparty: counterparty === null ? null : plainText(counterparty),
  };
}

/** Returns a line as it is compared with notes; null where its amount is none. */
export function lineOf(payment: Payment): Line | null {
  const money = amountOf(payment.amount, payment.currency);
  if (money === null || money.thousandths === 0) return null;
  const purpose = payment.purpose.slice(0, MAX_PURPOSE);
  const whole = payment.iban === null ? null : ibanOf(payment.iban);
  return {
    ...{ money, isOut: payment.amount.startsWith('-'), isPending: payment.status === 'pending', day: payment.day },
    ...{ iban: whole, tail: whole === null ? maskedTail(payment.iban ?? '') : null },
    ...{ party: payment.counterparty, partyWords: partyWords(payment.counterparty ?? '') },
    codes: new Set([
      ...payment.references.map(plainReference),
      ...[purpose, ...payment.references].flatMap((one) => [...codesMeant(one)]),
    ]),
    words: new Set(partyWords(purpose)),
    ...{
      isReturned: payment.isReversal === true || RETURNED.test(purpose),
      isPart: PART.test(purpose),
      isDiscounted: DISCOUNTED.test(purpose),
    },
  };
}
