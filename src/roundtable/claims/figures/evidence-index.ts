import { sentenceAt, sentenceBounds } from '../sentence.ts';
import type { Source } from '../source.ts';
import { asClock } from './exact-figures.ts';
import type { Figure } from './figure.ts';
import { FigureIndex, type IndexedFigure, supports } from './figure-index.ts';
import { figuresIn } from './figures.ts';
import { indexedIn } from './indexed-text.ts';

/** Longer sources are only read this far. */
const MAX_SOURCE = 400_000;
/** How many figures of the briefing may be reckoned with, and how many places of a figure are looked at. */
const MAX_COMMON = 60;
const MAX_BESIDE = 4;
const MAX_GROUP = 8;

/** What may be cited: every figure in the sources, the lines that evidence has shown, and the lines of the briefing. */
export class EvidenceIndex {
  readonly #figures: FigureIndex;
  readonly #lines: readonly NonNullable<Figure['lines']>[];
  readonly #briefing: readonly Figure[];
  readonly #derived: Figure[] = [];
  /** The figures of the briefing that stand together in one sentence. */
  readonly groups: readonly (readonly Figure[])[];
  readonly #lineFigures = new Map<string, readonly Figure[]>();

  constructor(sources: readonly Source[]) {
    const read = sources.map(({ text, ...rest }) => ({ ...rest, text: text.slice(0, MAX_SOURCE) }));
    const indexed = read.flatMap(({ text, beside = null }) =>
      figuresIn(text).map((figure) => ({ ...indexedIn(text, figure), beside })),
    );
    const shown = indexed.flatMap(({ figure: { lines } }) => (lines === null || lines.file === '' ? [] : [lines]));
    const own = read.flatMap(({ file, text }) =>
      file === null ? [] : [{ file, first: 1, last: text.split('\n').length }],
    );
    this.#figures = new FigureIndex(indexed);
    const briefing = read.filter(({ file }) => file !== null).map(({ text }) => groupsIn(text));
    this.groups = briefing.flat().slice(0, MAX_COMMON);
    this.#briefing = this.groups.flat().slice(0, MAX_COMMON);
    this.#lines = [...shown, ...own];
  }

  /** Adds a figure of a message that follows from others, so that whoever says it later repeats something that holds. */
  add(text: string, figure: Figure, from: readonly Figure[]): void {
    this.#figures.add(indexedIn(text, figure, from));
    if (figure.values.length > 0) this.#derived.push(figure);
  }

  /** The figures of the briefing, and the last ones that were derived. */
  get common(): readonly Figure[] {
    return [...this.#briefing, ...this.#derived.slice(-MAX_COMMON)];
  }

  /** Returns the figures that stand beside one in the sources that support it, or that it was derived from. */
  companionsOf(claim: Figure, text: string): readonly Figure[] {
    return this.#supporting(claim, text)
      .slice(0, MAX_BESIDE)
      .flatMap(({ line, from }) => from ?? this.#onLine(line));
  }

  #onLine(line: string): readonly Figure[] {
    const known = this.#lineFigures.get(line) ?? figuresIn(line);
    this.#lineFigures.set(line, known);
    return known;
  }

  /** Returns whether evidence, or the briefing, has shown these lines. */
  hasShown(claimed: NonNullable<Figure['lines']>): boolean {
    return this.#lines.some((shown) => covers(shown, claimed));
  }

  /** Returns whether something in the index supports a figure of this text. */
  supports(claim: Figure, text: string): boolean {
    if (claim.lines !== null) return this.hasShown(claim.lines);
    return this.#supporting(claim, text).length > 0;
  }

  #supporting(claim: Figure, text: string): readonly IndexedFigure[] {
    const clock = /\b(?:at|from|until|till|by|before|after|to)\s$/.test(
      text.slice(Math.max(0, claim.start - 8), claim.start),
    )
      ? asClock(claim)
      : null;
    if (clock !== null && this.#figures.near(clock).some((one) => supports(one, clock)))
      return this.#figures.near(clock);
    const sentence = sentenceAt(text, claim.start);
    const found = this.#figures
      .near(claim)
      .filter((one) => supports(one, claim) && (one.beside === null || saysOneOf(sentence, one.beside)));
    if (!isSmall(claim)) return found;
    const words = wordsOf(sentence);
    return found.filter(({ line }) => [...wordsOf(line)].some((word) => words.has(word)));
  }
}

/** The figures of each sentence of a text. */
function groupsIn(text: string): (readonly Figure[])[] {
  const figures = figuresIn(text).filter(({ values }) => values.length > 0);
  return [...Map.groupBy(figures, ({ start }) => sentenceBounds(text, start).start).values()].map((group) =>
    group.slice(0, MAX_GROUP),
  );
}

function saysOneOf(sentence: string, counts: readonly number[]): boolean {
  if (counts.includes(0) && /\b(?:no|none|nothing)\b/i.test(sentence)) return true;
  return figuresIn(sentence).some(({ values }) => values.some((value) => counts.includes(value)));
}

// Small numbers are everywhere: one counts only on a line about the same thing.
function isSmall({ kind, values, keys }: Figure): boolean {
  return keys.length === 0 && kind === 'number' && values.every((value) => Number.isInteger(value) && value <= 20);
}

function covers(shown: NonNullable<Figure['lines']>, claimed: Figure['lines']): boolean {
  if (claimed === null || claimed.first < shown.first || claimed.last > shown.last) return false;
  const [long, short] = [shown.file.replace(/^\.\//, ''), claimed.file.replace(/^\.\//, '')];
  return short === '' || long === short || long.endsWith(`/${short}`) || short.endsWith(`/${long}`);
}

/**
 * Words of four letters or more, without their plural ending: what a line is about. `camelCase` and `snake_case` are
 * several.
 */
function wordsOf(text: string): ReadonlySet<string> {
  const parts =
    text
      .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
      .toLowerCase()
      .match(/\p{L}{4,}/gu) ?? [];
  return new Set(parts.map((word) => word.replace(/(?:ies|es|s)$/, '')));
}
