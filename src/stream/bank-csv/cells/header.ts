import { currencyOf } from '../../bank/money.ts';
import { HEADER_WORDS, type Language, type Role } from './header-words.ts';

/** A column's name and what such columns hold. */
export interface Named {
  /** As it is written, as one line without odd characters. */
  readonly name: string;
  readonly roles: readonly Role[];
  /** The languages in which it is such a name. */
  readonly languages: readonly Language[];
  /** The currency that the name gives: `Betrag (EUR)`. */
  readonly currency: string | null;
}

interface Meaning {
  readonly roles: Set<Role>;
  readonly languages: Set<Language>;
}

/** How much of a column's name is shown and compared. */
const MOST_NAME = 60;
const SIGNS: Readonly<Record<string, string>> = { '€': 'EUR', '£': 'GBP', $: 'USD', zł: 'PLN', Kč: 'CZK' };

const LETTERS: Readonly<Record<string, string>> = { ł: 'l', ø: 'o', æ: 'ae', ß: 'ss', đ: 'd', ı: 'i' };
const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** The names that are known. Made where a table is read: whoever only starts the program does not wait for it. */
export class ColumnNames {
  readonly #meanings = meanings();

  /** Returns what the columns of a header row hold. */
  of(cells: readonly string[]): readonly Named[] {
    return cells.map((cell) => {
      const folded = foldedName(cell);
      const names = [folded, withoutCurrency(folded), withoutNumber(folded)];
      const found = names.flatMap((name) => this.#meanings.get(name) ?? [])[0];
      return {
        name: plainName(cell),
        roles: [...(found?.roles ?? [])],
        languages: [...(found?.languages ?? [])],
        currency: currencyIn(cell),
      };
    });
  }
}

/**
 * Returns a column's name in letters, digits and single spaces: what a person can copy into a setting, and nothing that
 * means something there.
 */
export function plainName(cell: string): string {
  return cell
    .normalize('NFC')
    .slice(0, MOST_NAME)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** Returns a name as names are compared: without case and accents, `CheckNumber` as two words. */
export function foldedName(cell: string): string {
  const split = cell.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ');
  return plainName(split.normalize('NFKD').replace(/\p{M}+/gu, ''))
    .toLowerCase()
    .replace(/[łøæßđı]/g, (letter) => LETTERS[letter] ?? letter);
}

/** `Description 2`, `VWZ3`. */
function withoutNumber(folded: string): string {
  return folded.replace(/ ?\d{1,2}$/, '');
}

function currencyIn(cell: string): string | null {
  const sign = Object.keys(SIGNS).find((one) => cell.includes(one));
  if (sign !== undefined) return SIGNS[sign] ?? null;
  const last = /(?<![\p{L}\p{N}])([A-Z]{3})\)?\s*$/u.exec(cell)?.[1];
  return last === undefined || last === cell.trim() || !isCurrency(last) ? null : last;
}

function withoutCurrency(folded: string): string {
  const [, name = folded, code = ''] = /^(.+) ([a-z]{3})$/.exec(folded) ?? [];
  return isCurrency(code.toUpperCase()) ? name : folded;
}

/** Whether it is the code of a currency that is, or was, in use. */
export function isCurrency(text: string): boolean {
  const code = currencyOf(text);
  return code !== null && code === text.trim() && CURRENCIES.has(code);
}

function meanings(): ReadonlyMap<string, Meaning> {
  const found = new Map<string, Meaning>();
  for (const [language, role, name] of wordList()) {
    const meaning = found.get(name) ?? { roles: new Set(), languages: new Set() };
    meaning.roles.add(role);
    meaning.languages.add(language);
    found.set(name, meaning);
  }
  return found;
}

function* wordList(): Generator<readonly [Language, Role, string]> {
  for (const [language, roles] of entriesOf(HEADER_WORDS)) {
    for (const [role, names = ''] of entriesOf(roles)) {
      for (const name of names.split(',')) yield [language, role, foldedName(name)];
    }
  }
}

function entriesOf<Key extends string, Value>(record: Readonly<Partial<Record<Key, Value>>>): readonly [Key, Value][] {
  // The keys of a record that is written out are those of its type.
  return Object.entries(record) as [Key, Value][];
}
