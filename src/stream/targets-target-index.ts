import MiniSearch from 'minisearch';
import { stateOf } from '../vault/records/values.ts';
import type { PaymentFields } from '../vault/records-task.ts';
import { plainSender } from '../vault/source-names.ts';
import { phraseWords, tellingWords } from './mail/word.ts';
import { lookAlikeOf, skeletonOf, skeletonsNearIn } from './mail-domain.ts';
import { cluesOf, type PaymentClues, type PaymentNote, referencesOf } from './money.ts';
import { foldedTarget } from './targets/link.ts';
import { ThingIndex } from './things.ts';

/** Adds a value to those of a key. */
function put(map: Map<string, Set<string>>, key: string, value: string): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, new Set([value]));
  else known.add(value);
}

/** Takes a value from those of a key; a key without any is gone. */
function take(map: Map<string, Set<string>>, key: string, value: string): void {
  const known = map.get(key);
  known?.delete(value);
  if (known?.size === 0) map.delete(key);
}

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

/** What a phrase is to its note. */
type PhraseKind = 'name' | 'keyword';

/** A name or keyword of a note that a text contains. `at` and `words` count words. */
interface PhraseHit {
  readonly path: string;
  readonly kind: PhraseKind;
  readonly words: number;
  readonly at: number;
}

interface NamedPhrase {
  readonly path: string;
  readonly kind: PhraseKind;
}

/** A longer name is found by its words, not as a phrase. */
const MAX_PHRASE_WORDS = 8;

/** Whether a phrase is looked for: one of one or two letters would match any mail. */
function isUsablePhrase(phrase: string): boolean {
  return phrase.length >= 3 && phrase.split(' ').length <= MAX_PHRASE_WORDS;
}

/** The names, aliases and keywords of notes, found in texts as whole phrases. */
class PhraseIndex {
  readonly #phrases = new Map<string, NamedPhrase[]>();
  /** How many phrases begin with a word: most words of a text begin none, and cost one look. */
  readonly #beginnings = new Map<string, number>();

  /** Adds a phrase of a note. */
  add(phrase: string, named: NamedPhrase): void {
    const known = this.#phrases.get(phrase);
    if (known !== undefined) {
      known.push(named);
      return;
    }
    this.#phrases.set(phrase, [named]);
    const first = firstWord(phrase);
    this.#beginnings.set(first, (this.#beginnings.get(first) ?? 0) + 1);
  }

  /** Removes a phrase of the note at a path. */
  remove(phrase: string, path: string): void {
    const left = (this.#phrases.get(phrase) ?? []).filter((named) => named.path !== path);
    if (left.length > 0) this.#phrases.set(phrase, left);
    else if (this.#phrases.delete(phrase)) this.#forgetBeginning(firstWord(phrase));
  }

  /** Returns the phrases that a text has, of those notes that `counts` lets count; none within a longer one. */
  in(words: readonly string[], counts: (path: string) => boolean): readonly PhraseHit[] {
    const beginnings = [...words.keys()].filter((at) => this.#beginnings.has(words[at] ?? ''));
    const taken = new Array<boolean>(words.length).fill(false);
    const hits: PhraseHit[] = [];
    for (let length = MAX_PHRASE_WORDS; length > 0; length -= 1) {
      for (const at of beginnings) hits.push(...this.#at(words.slice(at, at + length), at, length, taken, counts));
    }
    return hits;
  }

  #at(
    phrase: readonly string[],
    at: number,
    length: number,
    taken: boolean[],
    counts: (path: string) => boolean,
  ): PhraseHit[] {
    if (phrase.length < length || taken.slice(at, at + length).every(Boolean)) return [];
    const named = (this.#phrases.get(phrase.join(' ')) ?? []).filter(({ path }) => counts(path));
    if (named.length > 0) taken.fill(true, at, at + length);
    return named.map(({ path, kind }) => ({ path, kind, words: length, at }));
  }

  #forgetBeginning(word: string): void {
    const left = (this.#beginnings.get(word) ?? 1) - 1;
    if (left === 0) this.#beginnings.delete(word);
    else this.#beginnings.set(word, left);
  }
}

function firstWord(phrase: string): string {
  return phrase.split(' ', 1)[0] ?? '';
}

/** A matter or task that a signal could be about. */
export interface TargetCandidate {
  readonly kind: 'task' | 'matter';
  /** Vault-relative, with `.md`. */
  readonly path: string;
  /** The file name without `.md`. */
  readonly name: string;
  /** The matter a task belongs to, by path. */
  readonly matterPath: string | null;
  readonly aliases: readonly string[];
  /** Addresses, or `@domain`. */
  readonly senders: readonly string[];
  readonly keywords: readonly string[];
  readonly summary: string;
  readonly state: string;
  /** A task's dates as the note has them, null where it has none; absent for a matter. */
  readonly due?: string | null;
  readonly scheduled?: string | null;
  /** What a task says of a payment in fields of its own; absent where it has none. */
  readonly payment?: PaymentFields | null;
}

interface SearchHit {
  readonly path: string;
  /** Returns the share of what the note's own name would score: 1 where the text has all of it. It takes another search. */
  readonly share: () => number;
}

interface Document {
  readonly id: string;
  readonly name: string;
  readonly aliases: string;
  readonly keywords: string;
  readonly summary: string;
}

const [MAX_SEARCH_WORDS, MAX_SEARCH_HITS] = [60, 6];
/** How many senders are remembered with what they could be taken for. */
const MAX_LOOK_ALIKES = 2_000;

/**
 * Everything a signal could be about, indexed for lookup. It is updated note by note; looking up a mail takes time
 * proportional to the mail, not to the vault.
 */
export class TargetIndex {
  readonly #candidates = new Map<string, TargetCandidate>();
  readonly #bySender = new Map<string, Set<string>>();
  /** The senders by what their addresses look like. */
  readonly #bySkeleton = new Map<string, Set<string>>();
  readonly #byName = new Map<string, Set<string>>();
  readonly #byMatter = new Map<string, Set<string>>();
  readonly #byReference = new Map<string, Set<string>>();
  readonly #phrases = new PhraseIndex();
  /** What was found for the senders that were asked about last, as long as the notes list the same ones. */
  readonly #lookAlikes = new Map<string, string | null>();
  /** What the own names of the notes score that were found last, as long as no note changes: it takes a search for each. */
  readonly #ownScores = new Map<string, number>();
  /** The telling words of the names that were asked about, as long as no note changes. */
  readonly #telling = new Map<string, readonly string[]>();
  readonly #search = new MiniSearch<Document>({
    fields: ['name', 'aliases', 'keywords', 'summary'],
    tokenize: (text) => [...tellingWords(text)],
    processTerm: (term) => term,
    searchOptions: { boost: { name: 3, aliases: 3, keywords: 2 } },
    autoVacuum: false,
  });

  #payments: PaymentIndex | null = null;
  #revision = 0;
  #things: ThingIndex | null = null;

  /** Another number whenever a note is another. */
  get revision(): number {
    return this.#revision;
  }

  get size(): number {
    return this.#candidates.size;
  }

  /** What the notes say of payments. Put together when the first bank line is read, then kept up to date. */
  get payments(): PaymentIndex {
    if (this.#payments === null) {
      this.#payments = new PaymentIndex();
      for (const candidate of this.#candidates.values()) this.#payments.add(candidate);
    }
    return this.#payments;
  }

  /** Which open notes name which things. Put together when the first mail asks, then kept up to date. */
  get things(): ThingIndex {
    this.#things ??= new ThingIndex([...this.#candidates.values()].filter(isOpen));
    return this.#things;
  }

  /** Adds a note, or replaces the one known under its path. */
  add(candidate: TargetCandidate): void {
    this.remove(candidate.path);
    this.#candidates.set(candidate.path, candidate);
    this.#payments?.add(candidate);
    if (isOpen(candidate)) this.#things?.add(candidate);
    this.#forget();
    for (const sender of sendersOf(candidate)) {
      put(this.#bySender, sender, candidate.path);
      put(this.#bySkeleton, skeletonOf(sender), sender);
    }
    for (const name of namesOf(candidate)) put(this.#byName, name, candidate.path);
    if (candidate.matterPath !== null) put(this.#byMatter, candidate.matterPath, candidate.path);
    for (const reference of codesOf(candidate)) put(this.#byReference, reference, candidate.path);
    for (const [phrase, kind] of phrasesOf(candidate)) this.#phrases.add(phrase, { path: candidate.path, kind });
    // A finished note is found only by a link to it, never by its words.
    if (isOpen(candidate)) this.#search.add(documentOf(candidate));
  }

  /** Removes a note. Does nothing where the path is not known. */
  remove(path: string): void {
    const candidate = this.#candidates.get(path);
    if (candidate === undefined) return;
    this.#candidates.delete(path);
    this.#payments?.remove(path);
    this.#things?.remove(path);
    this.#forget();
    for (const sender of sendersOf(candidate)) {
      take(this.#bySender, sender, path);
      if (!this.#bySender.has(sender)) take(this.#bySkeleton, skeletonOf(sender), sender);
    }
    for (const name of namesOf(candidate)) take(this.#byName, name, path);
    if (candidate.matterPath !== null) take(this.#byMatter, candidate.matterPath, path);
    for (const reference of codesOf(candidate)) take(this.#byReference, reference, path);
    for (const [phrase] of phrasesOf(candidate)) this.#phrases.remove(phrase, path);
    if (isOpen(candidate)) this.#search.remove(documentOf(candidate));
  }

  /** Returns the note at a path, or null. */
  get(path: string): TargetCandidate | null {
    return this.#candidates.get(path) ?? null;
  }

  /** Returns the words that tell a name of a note from others. */
  telling(name: string): readonly string[] {
    const words = this.#telling.get(name) ?? tellingWords(name);
    this.#telling.set(name, words);
    return words;
  }

  /** Returns whether any note lists this very address among its senders. A known domain is not enough. */
  knowsSender(address: string): boolean {
    return this.#bySender.has(plainSender(address));
  }

  /** Returns the sender or domain that notes list and that this address, which none lists, could be taken for, or null. */
  lookAlike(address: string): string | null {
    const folded = plainSender(address);
    if (this.#bySender.has(folded)) return null;
    const domain = folded.slice(Math.max(0, folded.lastIndexOf('@')));
    return this.#alike(folded) ?? (this.#bySender.has(domain) ? null : this.#alike(domain));
  }

  #alike(address: string): string | null {
    const known = this.#lookAlikes.get(address);
    if (known !== undefined) return known;
    const skeletons = skeletonsNearIn(this.#bySkeleton, address);
    const near = skeletons.flatMap((skeleton) => [...(this.#bySkeleton.get(skeleton) ?? [])]);
    const found = lookAlikeOf(address, near);
    if (this.#lookAlikes.size >= MAX_LOOK_ALIKES) this.#lookAlikes.clear();
    this.#lookAlikes.set(address, found);
    return found;
  }

  /** Returns the open notes that list the address (`exact`), or only its domain. */
  bySender(address: string): readonly { path: string; exact: boolean }[] {
    return this.listing(address).filter(({ path }) => this.isOpen(path));
  }

  /** Returns the notes that list the address (`exact`), or only its domain, including finished notes. */
  listing(address: string): readonly { path: string; exact: boolean }[] {
    const folded = plainSender(address);
    const exact = [...(this.#bySender.get(folded) ?? [])];
    const domain = folded.slice(folded.lastIndexOf('@'));
    const loose = [...(this.#bySender.get(domain) ?? [])].filter((path) => !exact.includes(path));
    return [...exact.map((path) => ({ path, exact: true })), ...loose.map((path) => ({ path, exact: false }))];
  }

  /** Returns the open note that alone has a number or code in its name, an alias or a keyword; null where several have it. */
  byReference(code: string): string | null {
    const [only, another] = [...(this.#byReference.get(code) ?? [])].filter((path) => this.isOpen(path));
    return another === undefined ? (only ?? null) : null;
  }

  /** Returns the paths that a link can mean, including finished notes. More than one where the name is not unique. */
  byLink(target: string): readonly string[] {
    return [...(this.#byName.get(foldedTarget(target)) ?? [])];
  }

  /** Returns the paths of a matter's tasks, including finished ones. */
  under(matterPath: string): readonly string[] {
    return [...(this.#byMatter.get(matterPath) ?? [])];
  }

  /** Returns a matter's tasks that are neither done nor archived. */
  openTasksOf(matterPath: string): readonly TargetCandidate[] {
    const tasks = [...(this.#byMatter.get(matterPath) ?? [])].map((path) => this.#candidates.get(path));
    return tasks.filter(
      (task) => task !== undefined && task.kind === 'task' && isOpen(task),
    ) as readonly TargetCandidate[];
  }

  /**
   * Returns the names, aliases and keywords that a text has as whole phrases. A phrase within a longer one does not count:
   * "House insurance" does not name the matter "House".
   */
  phrasesIn(words: readonly string[]): readonly PhraseHit[] {
    return this.#phrases.in(words, (path) => this.isOpen(path));
  }

  /** Returns the open notes that share the most words with the text, best first, at most six. */
  search(text: string): readonly SearchHit[] {
    const query = tellingWords(text).slice(0, MAX_SEARCH_WORDS).join(' ');
    if (query === '') return [];
    // The words are already stemmed. Stemmed twice, they would no longer match those of the notes.
    const found = this.#search.search(query, { tokenize: (text) => text.split(' ') }).slice(0, MAX_SEARCH_HITS);
    return found.map(({ id, score }) => ({ path: String(id), share: () => this.#share(String(id), score) }));
  }

  #share(path: string, score: number): number {
    const own = this.#ownScores.get(path) ?? this.#ownScore(path);
    this.#ownScores.set(path, own);
    // MiniSearch multiplies the sum by the number of terms found, so the score grows with the square of the share.
    return own === 0 ? 0 : Math.min(1, Math.sqrt(score / own));
  }

  #ownScore(path: string): number {
    const name = this.#candidates.get(path)?.name ?? '';
    return this.#search.search(name, { filter: (result) => result.id === path })[0]?.score ?? 0;
  }

  // None of it holds once a note is another: a word counts by how many notes have it.
  #forget(): void {
    this.#revision += 1;
    this.#lookAlikes.clear();
    this.#ownScores.clear();
    this.#telling.clear();
  }

  /** Returns whether there is a note at a path that is neither done nor archived. */
  isOpen(path: string): boolean {
    const candidate = this.#candidates.get(path);
    return candidate !== undefined && isOpen(candidate);
  }
}

/** Returns whether a note is neither done nor archived. An unknown state counts as open. */
function isOpen(candidate: TargetCandidate): boolean {
  const state = stateOf(candidate.state);
  return state !== 'done' && state !== 'archived';
}

function sendersOf(candidate: TargetCandidate): readonly string[] {
  const senders = candidate.senders.map(plainSender).filter((sender) => /^[^\s@]*@[^\s@]+$/u.test(sender));
  return [...new Set(senders)];
}

/** Returns what a link can call a note: its name, an alias, its path, or any tail of its path. */
function namesOf(candidate: TargetCandidate): readonly string[] {
  const parts = foldedTarget(candidate.path).split('/');
  const tails = parts.map((_, index) => parts.slice(index).join('/'));
  return [...new Set([...tails, foldedTarget(candidate.name), ...candidate.aliases.map(foldedTarget)])];
}

function codesOf({ name, aliases, keywords }: TargetCandidate): ReadonlySet<string> {
  return referencesOf([name, ...aliases, ...keywords]);
}

function phrasesOf(candidate: TargetCandidate): ReadonlyMap<string, PhraseKind> {
  const phrases = new Map<string, PhraseKind>();
  for (const keyword of candidate.keywords) phrases.set(phraseWords(keyword).join(' '), 'keyword');
  for (const name of [candidate.name, ...candidate.aliases]) phrases.set(phraseWords(name).join(' '), 'name');
  for (const phrase of [...phrases.keys()]) if (!isUsablePhrase(phrase)) phrases.delete(phrase);
  return phrases;
}

function documentOf(candidate: TargetCandidate): Document {
  const { path, name, summary } = candidate;
  return { id: path, name, aliases: candidate.aliases.join(' '), keywords: candidate.keywords.join(' '), summary };
}
