import { stateOf } from '../../vault/records/values.ts';
import { cluesOf, type PaymentClues, type PaymentNote } from '../money/clues.ts';
import { put, take } from './multi-map.ts';

/** A task or matter, as far as payments are concerned. */
interface PayableNote extends PaymentNote {
  readonly kind: 'task' | 'matter';
  readonly path: string;
  readonly matterPath: string | null;
  readonly state: string;
  /** The day a task is due, as it is written. */
  readonly due?: string | null;
}

/** A note with what it says of a payment. */
export interface Payable {
  readonly note: PayableNote;
  readonly clues: PaymentClues;
  /** Neither done nor archived. */
  readonly isOpen: boolean;
}

/** By what a line of an account leads to notes. */
export type ClueKind = 'reference' | 'sum' | 'iban' | 'tail' | 'word';

/** How many digits of an account two ends of it are compared by. */
export const TAIL_DIGITS = 4;
/** A word or a sum that more notes have tells nothing. */
const TOO_MANY = 200;

/** What tasks and matters say of payments, so that a line is looked up in time proportional to the line. */
export class PaymentIndex {
  readonly #notes = new Map<string, Payable>();
  readonly #paths = new Map<string, Set<string>>();

  /** Adds a note, or replaces the one known under its path. */
  add(note: PayableNote): void {
    this.remove(note.path);
    const state = stateOf(note.state);
    if (state === 'archived') return;
    const payable = { note, clues: cluesOf(note), isOpen: state !== 'done' };
    this.#notes.set(note.path, payable);
    for (const key of keysOf(payable)) put(this.#paths, key, note.path);
  }

  /** Removes a note. Does nothing where the path is not known. */
  remove(path: string): void {
    const known = this.#notes.get(path);
    if (known === undefined) return;
    this.#notes.delete(path);
    for (const key of keysOf(known)) take(this.#paths, key, path);
  }

  /** Returns the note at a path, or null. */
  get(path: string): Payable | null {
    return this.#notes.get(path) ?? null;
  }

  /** Returns the notes that have a clue; none where too many have it to tell anything. */
  having(kind: ClueKind, value: string): readonly Payable[] {
    const paths = this.#paths.get(`${kind} ${value}`);
    if (paths === undefined || paths.size > TOO_MANY) return [];
    return [...paths].flatMap((path) => this.#notes.get(path) ?? []);
  }
}

function keysOf({ clues: { references, amounts, ibans, tails, words } }: Payable): ReadonlySet<string> {
  const ends = [...ibans, ...tails].map((one) => one.slice(-TAIL_DIGITS));
  return new Set([
    ...[...references].map((one) => `reference ${one}`),
    ...amounts.map(({ thousandths }) => `sum ${thousandths}`),
    ...[...ibans].map((one) => `iban ${one}`),
    ...ends.map((one) => `tail ${one}`),
    ...[...words].map((one) => `word ${one}`),
  ]);
}
