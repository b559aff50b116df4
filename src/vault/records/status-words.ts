import { fold } from '../note-names.ts';
import { type State, stateOf, type Yaml } from './values.ts';

/** What one of a vault's own words for the state of a note means. */
export interface StatusWord {
  /** As the person spells it, and as it is written. */
  readonly word: string;
  readonly state: State;
}

/** The words of one vault, in the order in which its settings list them. */
export type StatusWords = readonly StatusWord[];
export const NO_WORDS: StatusWords = [];

/** The words that TaskNotes comes with, beside those of this program. */
const TASKNOTES: StatusWords = [
  { word: 'none', state: 'open' },
  { word: 'in-progress', state: 'open' },
];

/**
 * Returns the state that a field's value means, or null where nothing explains it: no word of the vault, of this program
 * or of TaskNotes, or more than one value.
 */
export function stateMeant(value: unknown, words: StatusWords): State | null {
  const text = singleText(value);
  if (text === null || text === '') return null;
  const listed = wordIn(text, words)?.state;
  return listed ?? stateOf(text) ?? wordIn(text, TASKNOTES)?.state ?? null;
}

/** Whether a field's value says nothing of a state: it is absent or empty. */
export function saysNoState(value: unknown): boolean {
  return singleText(value) === '';
}

/**
 * Returns how a state is written where a note holds `held`: as the first word that the vault lists for it, and as a list
 * of one where the note has a list. Where a note names its state `state`, only in place of one of the vault's own words.
 */
export function stateWritten(state: State, field: 'state' | 'status', held: unknown, words: StatusWords): Yaml {
  const text = singleText(held) ?? '';
  const isTheirs = field === 'status' || wordIn(text, words) !== null;
  const word = (isTheirs ? words.find((one) => one.state === state)?.word : null) ?? state;
  return Array.isArray(held) ? [word] : word;
}

/** Returns a value as the text that a person reads there. */
export function statusText(value: unknown): string {
  return singleText(value) ?? JSON.stringify(value);
}

function wordIn(text: string, words: StatusWords): StatusWord | null {
  if (words.length === 0) return null;
  const key = wordKey(text);
  return words.find(({ word }) => wordKey(word) === key) ?? null;
}

/** Under which key two spellings are one word: case, composition and the blanks at its ends make no difference. */
export function wordKey(word: string): string {
  return fold(word.trim());
}

// Null where there are several, or something that is no word.
function singleText(value: unknown): string | null {
  if (Array.isArray(value)) return value.length > 1 ? null : Array.isArray(value[0]) ? null : singleText(value[0]);
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? null : String(value).trim();
}
