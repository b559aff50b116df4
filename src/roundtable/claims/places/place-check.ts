import type { RegisteredFile } from '../../../evidence/files/registered.ts';
import type { Source as FileText } from '../../../evidence/files/source.ts';
import type { PlacedPart } from '../../../evidence/formats/outline.ts';
import { fold } from '../../../vault/note-names.ts';
import type { EvidenceIndex } from '../figures/evidence-index.ts';
import type { Figure } from '../figures/figure.ts';
import { type FigureIndex, supports } from '../figures/figure-index.ts';
import { indexOf } from '../figures/indexed-text.ts';
import type { Source } from '../source.ts';
import { Library } from './library.ts';
import { reasonAgainstName } from './name-check.ts';
import type { Place } from './place.ts';
import type { Said } from './said.ts';

/** The result of looking for a place: the text that its lines hold, or why it is not believed. */
export type PlaceFinding =
  | { readonly holds: true; readonly lines: string }
  | { readonly holds: false; readonly reason: string };

/** What a place can be compared with. */
export class PlaceCheck {
  readonly #library: Library;
  readonly #sources: readonly Source[];
  readonly #evidence: EvidenceIndex;
  readonly #own: RegExp;

  /** `files`: those that are registered. The sources are the briefing and what evidence has shown. */
  constructor(files: readonly RegisteredFile[], sources: readonly Source[], evidence: EvidenceIndex) {
    this.#library = new Library(files);
    this.#evidence = evidence;
    this.#sources = sources;
    const homes = sources.flatMap(({ file }) => (file === null ? [] : [file.slice(0, file.lastIndexOf('/') + 1)]));
    this.#own = ownFiles(homes);
  }

  /** Looks for a place in the registered files. `said`: what the message says of its lines. */
  find(place: Place, said: Said): PlaceFinding {
    const found = this.#library.named(place.file);
    if (found.length === 0) return this.#findUnregistered(place, said);
    const read = found.map((file) => this.#library.text(file)).filter((one) => one !== null);
    if (place.lines === null && place.named === null) return HOLDS;
    if (read.length === 0) return against(`${place.file} cannot be read as text.`);
    return firstThatHolds(read.map((text) => this.#findIn(text, place, said)));
  }

  #findIn(text: FileText, { lines, named }: Place, said: Said): PlaceFinding {
    const outline = this.#library.outline(text);
    if (lines === null) {
      const reason = named === null ? null : reasonAgainstName(named, text, outline);
      return reason === null ? { holds: true, lines: partOf(named, text, outline) } : against(reason);
    }
    const around = (outline ?? []).filter(({ first, last }) => first <= lines.last && last >= lines.first);
    return findLines(text.path, text.lines, lines, said, around.map(({ path }) => path.join(' ')).join(' '));
  }

  // The briefing has lines of its own, and evidence shows lines of files that were registered when it was asked.
  #findUnregistered(place: Place, said: Said): PlaceFinding {
    if (this.#own.test(place.file)) {
      const own = this.#sources.find(({ file }) => file !== null && sameEnd(file, place.file));
      return own === undefined || place.lines === null
        ? HOLDS
        : findLines(place.file, own.text.split('\n'), place.lines, said, '');
    }
    if (place.lines !== null && this.#evidence.hasShown({ file: place.file, ...place.lines })) return HOLDS;
    const isMentioned = (words: string) => this.#library.mentions(words) || this.#isInSources(words);
    if (place.lines === null && place.named === null && isMentioned(place.file)) return HOLDS;
    return against(`${place.file} is not among the registered files.`);
  }

  #isInSources(words: string): boolean {
    return this.#sources.some(({ text }) => text.includes(words));
  }
}

const MAX_PART_LINES = 20;

/** The lines of what is named, where these are few enough to be what is meant. */
function partOf(named: Place['named'], { lines }: FileText, outline: readonly PlacedPart[] | null): string {
  const name = named?.name.split('.').at(-1);
  const part = outline?.find(({ path }) => path.at(-1) === name);
  return part === undefined || part.last - part.first >= MAX_PART_LINES
    ? ''
    : lines.slice(part.first - 1, part.last).join('\n');
}

const HOLDS: PlaceFinding = { holds: true, lines: '' };

function against(reason: string): PlaceFinding {
  return { holds: false, reason };
}

function firstThatHolds(findings: readonly PlaceFinding[]): PlaceFinding {
  return findings.find(({ holds }) => holds) ?? findings[0] ?? HOLDS;
}

/** The files of the roundtable itself, which its agents and its judge write. */
function ownFiles(homes: readonly string[]): RegExp {
  const escaped = homes.map((home) => home.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  const own = String.raw`(?:round-\d{1,3}\/[\w-]{1,60}\.md|round-\d{1,3}\.summary\.md|(?:scoreboard|tensions|briefing)\.md)`;
  return new RegExp(`^(?:\\./)?(?:${['', ...escaped].join('|')})${own}$`, 'i');
}

function sameEnd(long: string, short: string): boolean {
  const bare = short.replace(/^\.\//, '');
  return long === bare || long.endsWith(`/${bare}`);
}

/** How far beside the cited lines what is said of them may stand. */
const SLACK = 2;

function findLines(
  path: string,
  all: readonly string[],
  { first, last }: NonNullable<Place['lines']>,
  said: Said,
  around: string,
): PlaceFinding {
  if (first < 1 || last < first) return against(`${path} has no such lines.`);
  if (last > all.length) return against(`${path} has only ${all.length} lines.`);
  const near = all.slice(Math.max(0, first - 1 - SLACK), last + SLACK).join('\n');
  const reason = reasonAgainstSaid(`${path}:${first === last ? first : `${first}-${last}`}`, near, said, around);
  return reason === null ? { holds: true, lines: near } : against(reason);
}

function reasonAgainstSaid(cited: string, near: string, { words, figures }: Said, around: string): string | null {
  const text = squeezed(`${near} ${cited}`);
  const names = squeezed(around);
  const isThere = (quoted: string) => pieces(quoted).every((piece) => text.includes(piece) || names.includes(piece));
  const lost = words.filter((one) => !isThere(one.text));
  const clear = lost.find(({ attached, text: quoted }) => attached && isLong(quoted));
  if (clear !== undefined) return `${cited} does not hold ${shown(clear.text)}.`;
  const numbers = indexOf(near);
  const unseen = figures.filter((one) => !isAmong(one, numbers));
  if (lost.length < words.length || unseen.length < figures.length) return null;
  const missing = lost[0]?.text ?? unseen[0]?.text;
  return missing === undefined ? null : `${cited} does not hold ${shown(missing)}.`;
}

/** Compared without blanks, quotes, case and punctuation at the ends, since people quote loosely. */
function squeezed(text: string): string {
  return fold(text).replace(/[\s"'`“”‘’;,]+/g, '');
}

/** A quote may leave something out. */
function pieces(quoted: string): string[] {
  return quoted
    .split(/\.{3}|…/)
    .map((piece) => squeezed(piece).replace(/(?<![.:])[.:]+$/, ''))
    .filter((piece) => piece !== '');
}

function isLong(quoted: string): boolean {
  return squeezed(quoted).length >= 8 && /[\s=<>(:]/.test(quoted.trim());
}

function shown(text: string): string {
  return JSON.stringify(text.trim().slice(0, 80));
}

function isAmong(figure: Figure, numbers: FigureIndex): boolean {
  return numbers.near(figure).some((one) => supports(one, figure));
}
