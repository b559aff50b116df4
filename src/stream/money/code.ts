import { hasCheckDigits, ibanOf } from '../../vault/source-names.ts';

const LEAST_CHARACTERS = 3;
const MOST_CHARACTERS = 40;
const MOST_RUNS = 200;
/** So many groups may stand apart: a Swiss reference is written in six. */
const MOST_GROUPS = 7;
/** What is put together of several groups must be this long, else any two numbers beside each other are a code. */
const LEAST_JOINED = 5;
const LEAST_DIGITS = 4;

const YEAR = /^(?:19|20)\d\d$/;
const DAY = /^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])$/;
const RUNS = /[\p{L}\p{N}]+/gu;
const WRITTEN_IBAN = /(?<![\p{L}\p{N}])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?(?![\p{L}\p{N}])/gu;
const CREDITOR = /(?<![\p{L}\p{N}])RF\d{2}(?: ?[A-Z0-9]{1,4}){1,6}(?![\p{L}\p{N}])/gu;
/** A Swiss reference of 27 digits, as it is printed. */
const SWISS = /(?<!\d)\d{2}(?: ?\d{5}){5}(?!\d)/g;
const TAIL =
  /(?:…|\.{3}|[•*·]{2,20}|\b[xX]{2,20}|ending in|endet auf|finissant par|terminad[ao] en|che finisce con|eindigt op) ?(\d{4,10})(?!\d)/giu;

/** Returns a reference in the form in which references are compared: capitals and digits alone, without zeros in front. */
export function plainReference(written: string): string {
  const bare = written
    .normalize('NFC')
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
  return /^\d+$/.test(bare) ? bare.replace(/^0+/, '') : bare;
}

/**
 * Returns the codes that a text may mean, in the form in which they are compared: each word with digits, and those that
 * stand beside each other put together, since banks and people cut references into groups.
 */
export function codesMeant(text: string): ReadonlySet<string> {
  const runs = (text.match(RUNS) ?? []).slice(0, MOST_RUNS);
  const found = new Set<string>();
  for (let at = 0; at < runs.length; at += 1) {
    let joined = '';
    for (const run of runs.slice(at, at + MOST_GROUPS)) {
      joined += run;
      if (joined.length > MOST_CHARACTERS) break;
      for (const form of formsOf(joined, joined === run)) found.add(form);
    }
  }
  return found;
}

function formsOf(written: string, isOneRun: boolean): string[] {
  const plain = plainReference(written);
  if (!/\d/.test(plain) || plain.length < (isOneRun ? LEAST_CHARACTERS : LEAST_JOINED)) return [];
  return isOneRun ? [plain, ...numberIn(plain)] : [plain];
}

/** Returns the number that a code ends in: `RE4711` and `4711` are one invoice. */
export function numberIn(plain: string): string[] {
  const number = /(?<=^\D{1,8})\d+$/u.exec(plain)?.[0].replace(/^0+/, '') ?? '';
  return number.length >= LEAST_DIGITS && !YEAR.test(number) && !DAY.test(number) ? [number] : [];
}

/** Returns the references of a kind that proves itself: creditors' references with right check digits, and Swiss ones. */
export function provenReferences(text: string): readonly string[] {
  const creditors = (text.match(CREDITOR) ?? []).map(plainReference).filter(hasCheckDigits);
  return [...creditors, ...(text.match(SWISS) ?? []).map(plainReference)];
}

/** Returns the IBANs that a text holds, and the text without them. */
export function ibansIn(text: string): { readonly ibans: readonly string[]; readonly rest: string } {
  const ibans = (text.match(WRITTEN_IBAN) ?? []).map(ibanOf).filter((iban) => iban !== null);
  return { ibans, rest: text.replace(WRITTEN_IBAN, (found) => (ibanOf(found) === null ? found : ' ')) };
}

/** Returns the last digits of accounts of which a text shows no more: `IBAN …3000`, `ending in 3000`. */
export function tailsIn(text: string): readonly string[] {
  return [...text.matchAll(TAIL)].map(([, digits = '']) => digits);
}

/** Returns the last digits that a bank shows of an account it hides; null where it shows it whole, or less than four. */
export function maskedTail(written: string): string | null {
  return /[•*·xX….]\s?(\d{4,12})$/u.exec(written)?.[1] ?? null;
}
