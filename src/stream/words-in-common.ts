import { stem } from './mail/word.ts';
import { withoutAccents } from './things.ts';

const LETTERS = /[\p{L}\p{N}]+/gu;
const SHORTEST_PART = 4;
const PART_COUNTS = 0.7;

/** Words, folded without accents, each once. */
export type Zone = ReadonlySet<string>;

/** The words of a part of a mail that many tasks are measured against: how much it has of a word is worked out once. */
export class MailZone {
  readonly words: Zone;
  /** Those of its words that are numbers. */
  readonly numbers: readonly string[];
  readonly #shares = new Map<string, number>();

  constructor(text: string) {
    this.words = zoneOf(text);
    this.numbers = [...this.words].filter(isNumber);
  }

  /** Returns how much of a word it has, 0–1. */
  shareOf(word: string): number {
    const known = this.#shares.get(word);
    if (known !== undefined) return known;
    const share = shareOf(word, this.words);
    this.#shares.set(word, share);
    return share;
  }
}

/** Whether a word is a number that tells tasks apart: an invoice, a flat, a year. */
export function isNumber(word: string): boolean {
  return /^\d{3,}$/.test(word);
}

/** Returns the words of a text without accents, each once, in order. */
export function zoneOf(text: string): Zone {
  return new Set((withoutAccents(text).toLowerCase().match(LETTERS) ?? []).map(stem));
}

/**
 * Returns how much of a word a part of a mail has, 0–1: all of it, or a word that is made with it or begins like it, as
 * "Stromrechnung" has "Strom", and "insured" begins like "insurance".
 */
export function shareOf(word: string, zone: Zone): number {
  if (zone.has(word)) return 1;
  if (word.length < SHORTEST_PART || /\d/.test(word)) return 0;
  for (const other of zone) if (isAkin(word, other)) return PART_COUNTS;
  return 0;
}

function isAkin(one: string, other: string): boolean {
  if (other.length < SHORTEST_PART) return false;
  if (one.includes(other) || other.includes(one)) return true;
  const shared = sharedBeginning(one, other);
  return shared >= 5 && shared >= 0.6 * Math.max(one.length, other.length);
}

function sharedBeginning(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}
