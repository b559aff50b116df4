import type { Language } from './language.ts';
import { THINGS } from './languages/things/all.ts';
import type { Thing, Things } from './languages/things/things.ts';

/** The everyday things that a text names. */
export type ThingSet = ReadonlySet<Thing>;

const SHORTEST_BEGINNING = 3;
/** Words of fewer letters stand within others by chance. */
const SHORTEST_WITHIN = 4;
/** What is left of a word beside one that stands within it. */
const SHORTEST_REST = 3;
const WORDS = /[\p{L}\p{N}]+/gu;
const NONE: readonly Thing[] = [];

interface Beginning {
  readonly word: string;
  readonly thing: Thing;
}

interface ThingWords {
  readonly whole: ReadonlyMap<string, readonly Thing[]>;
  /** By their first letters, so that a word costs one look where nothing begins like it. */
  readonly beginnings: ReadonlyMap<string, readonly Beginning[]>;
  /** How many letters the longest whole word has: of a word without an end, no longer part is looked for. */
  readonly longest: number;
}

/** The words of one language, put in order when the first text is read: most commands read none. */
class ThingTable {
  readonly language: Language;
  readonly #table: Things;
  #words: ThingWords | null = null;

  constructor(language: Language, table: Things) {
    this.language = language;
    this.#table = table;
  }

  get words(): ThingWords {
    this.#words ??= wordsOf(this.#table);
    return this.#words;
  }
}

const TABLES: readonly ThingTable[] = THINGS.map(([language, table]) => new ThingTable(language, table));

/**
 * Returns the everyday things that a text names: "your hygienist appointment" names the dentist. A text is read in the
 * language named, and in every one where that finds nothing or none is named.
 */
export function thingsNamed(text: string, language: Language | null): ThingSet {
  const words = new Set(withoutAccents(text).toLowerCase().match(WORDS) ?? []);
  const named = thingsIn(
    words,
    TABLES.filter((table) => table.language === language),
  );
  return named.size > 0 ? named : thingsIn(words, TABLES);
}

function thingsIn(words: Iterable<string>, tables: readonly ThingTable[]): ThingSet {
  const all = [...words];
  return new Set(tables.flatMap(({ words: known }) => all.flatMap((word) => thingsOf(word, known))));
}

/** Returns the things that a sender's name and domain name, also within a word: "ironyardgym" is a gym. */
export function thingsOfSender(words: string, language: Language | null): ThingSet {
  const named = new Set(thingsNamed(words, language));
  const own = TABLES.filter((table) => table.language === language || table.language === 'en');
  for (const word of withoutAccents(words).toLowerCase().match(WORDS) ?? [])
    for (const { words: known } of own) for (const thing of thingsAtEnds(word, known)) named.add(thing);
  return named;
}

function thingsAtEnds(word: string, { whole, longest }: ThingWords): readonly Thing[] {
  const named: Thing[] = [];
  for (let length = SHORTEST_BEGINNING; length <= Math.min(longest, word.length - SHORTEST_REST); length += 1) {
    named.push(...(whole.get(word.slice(-length)) ?? NONE));
    if (length >= SHORTEST_WITHIN) named.push(...(whole.get(word.slice(0, length)) ?? NONE));
  }
  return named;
}

function thingsOf(word: string, { whole, beginnings }: ThingWords): readonly Thing[] {
  const begun = beginnings.get(word.slice(0, SHORTEST_BEGINNING));
  if (begun === undefined) return whole.get(word) ?? NONE;
  const named = begun.filter((each) => word.startsWith(each.word)).map(({ thing }) => thing);
  return [...(whole.get(word) ?? NONE), ...named];
}

function wordsOf(table: Things): ThingWords {
  const [whole, beginnings] = [new Map<string, Thing[]>(), new Map<string, Beginning[]>()];
  for (const [thing, words] of Object.entries(table) as [Thing, string][])
    for (const word of withoutAccents(words).toLowerCase().split(' '))
      if (word.endsWith('*')) addBeginning(beginnings, { word: word.slice(0, -1), thing });
      else if (word.length >= SHORTEST_BEGINNING) addTo(whole, word, thing);
  return { whole, beginnings, longest: Math.max(...[...whole.keys()].map(({ length }) => length)) };
}

function addBeginning(map: Map<string, Beginning[]>, beginning: Beginning): void {
  if (beginning.word.length >= SHORTEST_BEGINNING) addTo(map, beginning.word.slice(0, SHORTEST_BEGINNING), beginning);
}

function addTo<T>(map: Map<string, T[]>, key: string, value: T): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [value]);
  else known.push(value);
}

/** Returns a text without its accents. */
export function withoutAccents(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '');
}

/** A note, as far as the things in its name are concerned. */
interface NamedNote {
  readonly path: string;
  readonly name: string;
  readonly aliases: readonly string[];
  readonly keywords: readonly string[];
}

/** A thing that more notes name tells nothing. */
const TOO_MANY = 40;
const NONE_THING_INDEX: ThingSet = new Set();

/** Which notes name which everyday things, so that a mail finds them in time proportional to the mail. */
export class ThingIndex {
  readonly #paths = new Map<Thing, Set<string>>();
  readonly #things = new Map<string, ThingSet>();

  constructor(notes: readonly NamedNote[]) {
    for (const note of notes) this.add(note);
  }

  /** Adds a note, or replaces the one known under its path. */
  add({ path, name, aliases, keywords }: NamedNote): void {
    this.remove(path);
    const things = thingsNamed([name, ...aliases, ...keywords].join(' '), null);
    this.#things.set(path, things);
    for (const thing of things) this.#paths.set(thing, (this.#paths.get(thing) ?? new Set()).add(path));
  }

  /** Removes a note. Does nothing where the path is not known. */
  remove(path: string): void {
    for (const thing of this.#things.get(path) ?? []) this.#paths.get(thing)?.delete(path);
    this.#things.delete(path);
  }

  /** Returns the things that a note names, in whatever language; none where the note is not known. */
  of(path: string): ThingSet {
    return this.#things.get(path) ?? NONE_THING_INDEX;
  }

  /** Returns the notes that name any of some things, those of the rarest thing first. */
  naming(things: ThingSet): readonly string[] {
    const named = [...things]
      .map((thing) => this.#paths.get(thing) ?? new Set<string>())
      .filter(({ size }) => size > 0 && size <= TOO_MANY)
      .toSorted((one, other) => one.size - other.size);
    return [...new Set(named.flatMap((paths) => [...paths].toSorted()))];
  }
}
