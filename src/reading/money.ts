import type { PaymentFields } from '../vault/record.ts';
import { hasCheckDigits, parseIban } from '../vault/source-names.ts';

/** A sum of money, without its sign. */
export interface Money {
  /** Whole thousandths of the currency's unit: some have three places. */
  readonly thousandths: number;
  /** The currencies that may be meant: empty if there is no sign, several for a sign that several share. */
  readonly currencies: readonly string[];
}

const DOLLARS = ['USD', 'CAD', 'AUD', 'NZD', 'SGD', 'HKD', 'MXN'];
const CROWNS = ['SEK', 'NOK', 'DKK', 'ISK'];
const SIGNS: readonly (readonly [words: readonly string[], currencies: readonly string[]])[] = [
  [['€', 'euro', 'euros', 'eur'], ['EUR']],
  [['£', 'gbp', 'pound', 'pounds', 'libras'], ['GBP']],
  [['$', 'dollar', 'dollars', 'dólares'], DOLLARS],
  [['chf', 'sfr', 'fr.', 'franken', 'franchi'], ['CHF']],
  [['usd'], ['USD']],
  [['¥'], ['JPY', 'CNY']],
  [['kr'], CROWNS],
  [['zł'], ['PLN']],
  [['kč'], ['CZK']],
];
const MEANT = new Map(SIGNS.flatMap(([words, currencies]) => words.map((word) => [word, currencies] as const)));
const WRITTEN =
  /[€£$¥]|(?<!\p{L})(?:[eE]uros?|eur|gbp|usd|chf|[pP]ounds?|[dD]ollars?|[dD]ólares|libras|[fF]ranken|franchi|SFr|Fr\.|kr|zł|Kč|[A-Z]{3})(?!\p{L})/gu;
/** The codes of ISO 4217 that people write as codes; other words of three capitals aren't codes. */
const CODES: ReadonlySet<string> = new Set(
  'EUR USD GBP CHF JPY SEK NOK DKK ISK PLN CZK HUF RON BGN TRY CAD AUD NZD SGD HKD CNY INR BRL MXN ZAR ILS KRW THB AED SAR KWD BHD OMR TND JOD UAH'.split(
    ' ',
  ),
);
const THREE_PLACES: ReadonlySet<string> = new Set(['KWD', 'BHD', 'OMR', 'TND', 'JOD']);

/** A number with whatever people put between its digits; never longer than the window that is looked at. */
const NUMBER = /\d{1,3}(?:[ .,'’]\d{3}){1,4}(?!\d)(?:[.,]\d{1,3}(?!\d))?|\d{1,12}(?:[.,]\d{1,3}(?!\d))?/;
const BEHIND = new RegExp(`^[ ]?(${NUMBER.source})`, 'u');
const BEFORE = new RegExp(`(?<![\\d.,'’])(${NUMBER.source})(?:[.,][-–—]{1,2})?[ ]?$`, 'u');
const WINDOW = 26;
const MAX_TEXT = 2000;
const MOST_AMOUNTS = 20;
/** Words before a number that is no part of the sum: `Rechnung 118 250 EUR` is 250. */
const NUMBERED =
  /(?:invoice|bill|order|rechnung|rg|auftrag|facture|commande|factura|pedido|fattura|ordine|factuur|nr|no|n°|ref)[.:]? ?$/iu;

/** Returns the sums that a text names with their currency, in their order, at most twenty. */
export function findAmounts(text: string): readonly Money[] {
  const plain = text.slice(0, MAX_TEXT).replace(/[\u00A0\u2009\u202F]/g, ' ');
  const found = [...plain.matchAll(WRITTEN)].flatMap((sign) => amountAt(plain, sign[0], sign.index) ?? []);
  return found.slice(0, MOST_AMOUNTS);
}

function amountAt(text: string, sign: string, at: number): Money | null {
  const currencies = MEANT.get(sign.toLowerCase()) ?? (CODES.has(sign) ? [sign] : null);
  if (currencies === null) return null;
  const end = at + sign.length;
  const ahead = BEFORE.exec(text.slice(Math.max(0, at - WINDOW), at));
  const before = ahead === null ? null : ungrouped(ahead[1] ?? '', text.slice(0, at - ahead[0].length));
  return numeral(before ?? BEHIND.exec(text.slice(end, end + WINDOW))?.[1] ?? '', currencies);
}

/** Of `118 250` behind `Rechnung`, only the second is the sum. */
function ungrouped(number: string, before: string): string {
  return number.includes(' ') && NUMBERED.test(before.slice(-WINDOW)) ? number.slice(number.indexOf(' ') + 1) : number;
}

/** Returns the sum in a field, with its currency or as a bare number; null if there is no sum. */
export function amountWritten(value: string): Money | null {
  const [named] = findAmounts(value);
  if (named !== undefined) return named;
  const bare = new RegExp(`^[-+]?(${NUMBER.source})(?:[.,][-–—]{1,2})?$`, 'u').exec(value.trim().slice(0, WINDOW));
  return bare === null ? null : numeral(bare[1] ?? '', []);
}

/** Returns the sum of a signed decimal with a point, without its sign; null if it isn't one. */
export function makeAmount(decimal: string, currency: string | null): Money | null {
  if (!/^[-+]?\d{1,12}(?:\.\d{1,9})?$/.test(decimal)) return null;
  const thousandths = Math.round(Math.abs(Number(decimal)) * 1000);
  return { thousandths, currencies: currency === null ? [] : [currency.toUpperCase()] };
}

// The last sign between digits is the decimal one, unless three digits follow as in a thousand.
function numeral(written: string, currencies: readonly string[]): Money | null {
  if (!/\d/.test(written)) return null;
  const parts = written.split(/[ .,'’]/);
  const signs = [...written].filter((character) => /[ .,'’]/.test(character));
  const last = parts.at(-1) ?? '';
  const isDecimal = signs.length > 0 && /[.,]/.test(signs.at(-1) ?? '') && hasDecimals(last, signs, currencies);
  const [whole, places] = isDecimal ? [parts.slice(0, -1).join(''), last] : [parts.join(''), ''];
  const thousandths = Number(`${whole}${places.padEnd(3, '0').slice(0, 3)}`);
  return Number.isSafeInteger(thousandths) ? { thousandths, currencies } : null;
}

function hasDecimals(last: string, signs: readonly string[], currencies: readonly string[]): boolean {
  if (last.length !== 3) return true;
  const isMixed = signs.length > 1 && signs.at(-1) !== signs.at(-2);
  return isMixed || (signs.length === 1 && currencies.some((one) => THREE_PLACES.has(one)));
}

/** Whether two sums may be of one currency. A sum without a currency may be of any. */
export function sameCurrency(one: Money, other: Money): boolean {
  if (one.currencies.length === 0 || other.currencies.length === 0) return true;
  return one.currencies.some((currency) => other.currencies.includes(currency));
}

/** Returns a sum as people read it: `1 250.00 EUR`. */
export function moneyWords({ thousandths, currencies }: Money): string {
  const whole = grouped(String(Math.floor(thousandths / 1000)));
  const rest = String(thousandths % 1000).padStart(3, '0');
  const places = rest.endsWith('0') ? rest.slice(0, 2) : rest;
  return `${whole}.${places}${currencies.length === 1 ? ` ${currencies[0]}` : ''}`;
}

function grouped(digits: string): string {
  return digits.length <= 3 ? digits : `${grouped(digits.slice(0, -3))} ${digits.slice(-3)}`;
}

const LEAST_CHARACTERS = 3;
const MOST_CHARACTERS = 40;
const MOST_RUNS = 200;
/** A code may have this many groups: a Swiss reference is written in six. */
const MOST_GROUPS = 7;
/** A code made of several groups must be this long, else any two adjacent numbers would be one. */
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
 * Returns the codes that a text may mean, in the form in which they are compared. They are the words with digits, and
 * adjacent ones joined, since banks and people cut references into groups.
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
function numberIn(plain: string): string[] {
  const number = /(?<=^\D{1,8})\d+$/u.exec(plain)?.[0].replace(/^0+/, '') ?? '';
  return number.length >= LEAST_DIGITS && !YEAR.test(number) && !DAY.test(number) ? [number] : [];
}

/** Returns the references of a kind that proves itself: creditors' references with right check digits, and Swiss ones. */
export function provenReferences(text: string): readonly string[] {
  const creditors = (text.match(CREDITOR) ?? []).map(plainReference).filter(hasCheckDigits);
  return [...creditors, ...(text.match(SWISS) ?? []).map(plainReference)];
}

/** Returns the IBANs that a text holds, and the text without them. */
export function findIbans(text: string): { readonly ibans: readonly string[]; readonly rest: string } {
  const ibans = (text.match(WRITTEN_IBAN) ?? []).map(parseIban).filter((iban) => iban !== null);
  return { ibans, rest: text.replace(WRITTEN_IBAN, (found) => (parseIban(found) === null ? found : ' ')) };
}

/** Returns the last digits of accounts of which a text shows no more: `IBAN …3000`, `ending in 3000`. */
export function findIbanTails(text: string): readonly string[] {
  return [...text.matchAll(TAIL)].map(([, digits = '']) => digits);
}

/** Returns the last digits that a bank shows of an account it hides; null if it shows it whole, or less than four. */
export function maskedTail(written: string): string | null {
  return /[•*·xX….]\s?(\d{4,12})$/u.exec(written)?.[1] ?? null;
}

/** The deed of a task: money goes out, money comes in, another one, or not said. */
type Deed = 'out' | 'in' | 'other' | 'unsaid';

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** Verbs of paying, without accents. */
const PAYS = set(
  'pay repay paying settle transfer wire remit reimburse bezahlen bezahle zahlen zahle begleichen uberweisen anweisen entrichten zuruckzahlen payer paye regler verser virer rembourser pagar abonar transferir devolver pagare versare saldare bonificare rimborsare betalen betaal overmaken voldoen terugbetalen',
);
/** Verbs of waiting for money. */
const AWAITS = set(
  'await awaiting expect receive collect chase abwarten warten erwarten erhalten kassieren einfordern anmahnen attendre recevoir encaisser reclamer esperar recibir cobrar attendere ricevere incassare riscuotere wachten ontvangen innen',
);
/** Words for money that comes back. A verb of paying next to one wins: "pay the refund to Tom". */
const COMES = set(
  'refund reimbursement cashback erstattung ruckerstattung ruckzahlung gutschrift zahlungseingang remboursement reembolso devolucion rimborso terugbetaling teruggave',
);
/** Deeds that no payment does. */
const OTHERS = set(
  'cancel check review dispute send write sign compare negotiate query file scan call ask remind submit issue kundigen prufen schicken senden stellen schreiben reklamieren vergleichen unterschreiben ablegen einreichen verifier resilier envoyer contester signer revisar comprobar cancelar enviar firmar reclamar controllare verificare disdire inviare firmare contestare controleren opzeggen versturen sturen ondertekenen',
);

/** Returns what a task's name says is to be done about money. */
export function classifyDeed(name: string): Deed {
  const words =
    name
      .normalize('NFD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .match(/\p{L}+/gu) ?? [];
  const verb = words.find((word) => PAYS.has(word) || AWAITS.has(word));
  if (verb !== undefined) return PAYS.has(verb) ? 'out' : 'in';
  if (words.some((word) => COMES.has(word))) return 'in';
  return words.some((word) => OTHERS.has(word)) ? 'other' : 'unsaid';
}

/** Legal forms, titles and small words in the names of firms and people: they don't tell them apart. */
const COMMON: ReadonlySet<string> = new Set(
  'gmbh mbh ltd limited inc llc llp plc corp company sarl sas srl spa bvba gbr ohg aps ltda cie und and the der die das dem den des les las los del dei van von voor pour para per for mit bei herr frau mr mrs ms dr bank payment zahlung'.split(
    ' ',
  ),
);
const LEAST_LETTERS = 3;
const MOST_WORDS = 40;

/** Returns the words by which a counterparty is known, folded so that `MUELLER` and `Müller` are one. */
export function partyWords(name: string): readonly string[] {
  const words = name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replace(/(?<=[aou])e/g, '')
    .match(/\p{L}+/gu);
  const telling = (words ?? []).filter((word) => word.length >= LEAST_LETTERS && !COMMON.has(word));
  return [...new Set(telling)].slice(0, MOST_WORDS);
}

/** Runs of letters and digits, joined as codes are: `INV-2041`, `2026/114`. */
const TOKENS = /[\p{L}\p{N}]+(?:[-/_][\p{L}\p{N}]+)*/gu;
const MIN_CHARACTERS = 4;
const MAX_CHARACTERS = 40;
const MAX_TOKENS = 200;

const YEAR_REFERENCE = /^(?:19[5-9]|20[0-3])\d$/;
const WRITTEN_DAY = /^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])$/;
/** A day, a time, a measure or a sum in one word: many mails have the same. */
const MEASURE =
  /^\d{1,9}(?:st|nd|rd|th|er|ème|e|h|hrs?|min|am|pm|km|kg|g|ml|l|m|cm|mm|m2|m²|k|x|d|y|eur|euros?|usd|gbp|chf|mb|gb)$|^\d{1,2}h\d{2}$/u;
const PERIOD = /^(?:fy|q|h|hj|kw|ss|ws)$/;

const SUM_BEFORE = /(?:[€£$¥]|\b(?:eur|euros?|usd|gbp|chf)) ?$|\d[.,]$/iu;
const SUM_BEHIND = /^ ?(?:[€£$¥%]|(?:eur|euros?|usd|gbp|chf|percent|prozent)(?![\p{L}\p{N}]))|^[.,]\d/iu;

/**
 * Returns the numbers and codes that a text has, folded, at most 200. Sums of money are left out: they don't identify
 * anything.
 */
export function findCodes(text: string): ReadonlySet<string> {
  return new Set(tokensIn(text).map(folded));
}

/**
 * Returns the numbers and codes by which a note can be told from others, folded. They are judged as the note's owner
 * writes them: years, days, measures and sums occur in any mail.
 */
export function listReferences(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.flatMap((name) => [...tokensIn(name), ...wordsBeside(name)].filter(isTelling).map(folded)));
}

/** Returns what a text can name a note by: its numbers and codes, and whole IBANs, in the form in which they are compared. */
export function referencesWritten(text: string): ReadonlySet<string> {
  const { ibans, rest } = findIbans(text);
  return new Set([...ibans, ...tokensIn(rest).map(plainReference)]);
}

/** A number to call somebody by is in every mail that this person signs. */
const PHONE = /(?:\+|\(?\b0)\d[\d ()/.-]{4,18}\d|\(\d{2,4}\) ?\d[\d -]{3,10}\d/g;

/** Returns the lines of a note's body that have a number, without numbers of telephones. */
function bodyLines({ numbers = '' }: PaymentNote): readonly string[] {
  return numbers === '' ? [] : numbers.replace(PHONE, ' ').split('\n');
}

/** Returns the numbers, codes and IBANs that a note is known by, in the same form. */
export function referencesKnown(note: PaymentNote): ReadonlySet<string> {
  const { reference, iban } = note.payment ?? NOTHING;
  const { name, aliases, keywords, senders, summary } = note;
  const read = [name, ...aliases, ...keywords, summary.slice(0, MAX_SUMMARY), ...bodyLines(note)].map(findIbans);
  const written = [...listReferences(read.map(({ rest }) => rest)), ...reference].map(plainReference);
  const accounts = [...senders, ...iban].flatMap((one) => parseIban(one) ?? []);
  return new Set([...written.filter(hasLength), ...accounts, ...read.flatMap(({ ibans }) => ibans)]);
}

function tokensIn(text: string): string[] {
  const plain = text.normalize('NFC');
  let end = -1;
  const found = plain.split(/\s/).flatMap((run) => {
    const from = end + 1;
    end = from + run.length;
    // Few words have a digit, and only those are taken apart.
    if (!/\d/.test(run)) return [];
    return [...run.matchAll(TOKENS)].map(({ index, 0: token }) => ({ start: from + index, token }));
  });
  const codes = found.filter(
    ({ start, token }) =>
      hasLength(token) &&
      /\d/.test(token) &&
      !SUM_BEFORE.test(plain.slice(Math.max(0, start - 6), start)) &&
      !SUM_BEHIND.test(plain.slice(start + token.length, start + token.length + 9)),
  );
  return codes.slice(0, MAX_TOKENS).map(({ token }) => token);
}

/** In `pay-inv-2041-deposit`, a file name with dashes for blanks, returns what is left without the words around the code. */
function wordsBeside(name: string): string[] {
  if (/\s/.test(name) || name !== name.toLowerCase()) return [];
  const parts = name.split(/[-_]/);
  const first = parts.findIndex((part) => /\d/.test(part));
  const last = parts.findLastIndex((part) => /\d/.test(part));
  if (first === -1) return [];
  const starts = Array.from({ length: Math.min(first, 6) + 1 }, (_, nth) => first - nth);
  return starts.map((start) => parts.slice(start, last + 1).join('-')).filter(hasLength);
}

function hasLength({ length }: string): boolean {
  return length >= MIN_CHARACTERS && length <= MAX_CHARACTERS;
}

function isTelling(token: string): boolean {
  const parts = token.split(/[-/_]/);
  return parts.some((part, nth) => {
    if (YEAR_REFERENCE.test(part)) return isCode(parts[nth - 1] ?? '');
    if (/^\d+$/.test(part)) return !WRITTEN_DAY.test(part) && (part.length > 2 || isCode(parts[nth - 1] ?? ''));
    return /\d/.test(part) && part.length > 2 && !MEASURE.test(part.toLowerCase());
  });
}

/** The letters of a code are capitals: `INV-2031` is one, `taxes-2031` is not. */
function isCode(letters: string): boolean {
  return /^\p{Lu}{2,6}$/u.test(letters) && !PERIOD.test(letters.toLowerCase());
}

function folded(token: string): string {
  return token.toLowerCase();
}

/** A note, as far as it can tell of a payment. */
export interface PaymentNote {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly keywords: readonly string[];
  readonly senders: readonly string[];
  readonly summary: string;
  /** The lines of its body that have a number. */
  readonly numbers?: string;
  readonly payment?: PaymentFields | null;
}

/** The data of a note about a payment, in the forms in which they are compared with a line of an account. */
export interface PaymentClues {
  readonly deed: Deed;
  /** The sums it names; only that of a field, if it has one. */
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
export function paymentClues(note: PaymentNote): PaymentClues {
  const { amount, reference, iban, counterparty } = note.payment ?? NOTHING;
  const own = [note.name, ...note.aliases, ...note.keywords, note.summary.slice(0, MAX_SUMMARY)].map(findIbans);
  const read = [...own, ...bodyLines(note).map(findIbans)];
  const rest = read.map((one) => one.rest);
  const stated = amount.flatMap((one) => amountWritten(one) ?? []);
  const named = note.senders.filter((sender) => !sender.includes('@') && parseIban(sender) === null);
  const said = stated.length > 0 ? stated : rest.flatMap(findAmounts);
  const tails = new Set([...rest, ...iban].flatMap(findIbanTails));
  return {
    deed: classifyDeed([note.name, ...note.aliases].join(' ')),
    amounts: said,
    references: referencesIn(rest, reference, new Set([...tails, ...rest.flatMap(findAmounts).map(digitsOf)])),
    ibans: new Set([
      ...[...note.senders, ...iban].flatMap((one) => parseIban(one) ?? []),
      ...read.flatMap((one) => one.ibans),
    ]),
    tails,
    words: new Set([...own.map((one) => one.rest), ...counterparty, ...named].flatMap(partyWords)),
    parties: [...counterparty, ...named].map(partyWords).filter(({ length }) => length > 0),
  };
}

// A sum, or the end of an IBAN, is no reference.
function referencesIn(texts: readonly string[], fields: readonly string[], others: ReadonlySet<string>): Set<string> {
  const written = [...listReferences(texts)].map(plainReference);
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
