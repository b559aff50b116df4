import { statSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { extensionOf, type Source as FileText, filesNamed, type RegisteredFile, tryRead } from '../evidence/files.ts';
import { outlineOf, type PlacedPart } from '../evidence/formats.ts';
import { StewardError } from '../vault/errors.ts';
import { fold } from '../vault/note-names.ts';
import { runInWorker, WorkerFailure } from '../vault/worker-answer.ts';
import {
  derivedFrom,
  EvidenceIndex,
  type Figure,
  type FigureIndex,
  figuresIn,
  indexOf,
  type Source,
  sentenceAt,
  sentenceBounds,
  supports,
} from './figures.ts';

/** The lines of registered files that a message cites and that hold what it says. They bear out what stands beside them. */
class HeldLines {
  readonly #cited: readonly { readonly start: number; readonly end: number; readonly figures: FigureIndex }[];

  constructor(text: string, places: readonly CheckedPlace[]) {
    this.#cited = places.flatMap(({ place, finding }) =>
      finding.holds && finding.lines !== ''
        ? [{ ...sentenceBounds(text, place.start), figures: indexOf(finding.lines) }]
        : [],
    );
  }

  /** Whether a line that is cited in the sentence of a figure holds it. */
  supports(figure: Figure): boolean {
    return this.#cited.some(
      ({ start, end, figures }) =>
        figure.start >= start && figure.start < end && figures.near(figure).some((one) => supports(one, figure)),
    );
  }
}

/** A place that a text names: a file, lines of one, or something with a name in one. */
interface Place {
  /** As written, and its offsets. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly file: string;
  /** Counted from 1; null where no lines are named. */
  readonly lines: { readonly first: number; readonly last: number } | null;
  readonly named: NamedIn | null;
}

/** What is said to be in a file. */
interface NamedIn {
  /** `any` where the text does not say what it is. */
  readonly kind: 'definition' | 'section' | 'column' | 'any';
  readonly name: string;
  /** What it is said to be part of, as a method of a class; null where nothing is. */
  readonly of: string | null;
}

/** The name of a file as it is written in a text, in a group of its own. */
const FILE = String.raw`(?<![\w@./*-])((?:\.{0,2}/)?(?:[\w@.-]{1,60}/){0,12}[\w@.-]{0,100}[\w-]\.[A-Za-z]\w{0,9})(?![\w/*]|\.\w)`;
/** A range of lines, in two groups. */
const RANGE = String.raw`(\d{1,7})(?:\s?(?:-|–|to|and)\s?L?(\d{1,7})(?![\d.,]*\d|\s?%))?`;

/** What may stand around the name of a file. */
const OPEN = '[`"\'“(\\[]{0,2}';
const SHUT = '[`"\'”)\\]]{0,2}';

const LINES = [
  new RegExp(`${FILE}(?::|#L)${RANGE}`, 'g'),
  new RegExp(`${FILE}${SHUT},?\\s\\(?(?:(?:at|on|in)\\s)?lines?\\s${RANGE}`, 'g'),
];
const LINES_OF = new RegExp(`\\b[Ll]ines?\\s${RANGE}\\s(?:of|in|from)\\s${OPEN}${FILE}`, 'g');
const BARE_LINES = new RegExp(`(?:\\b[Ll]ines?\\s|(?<=[\\s(\`]):)${RANGE}`, 'g');

const DEFINED =
  'function|method|class|enum|interface|type|constant|const|constructor|getter|setter|struct|mixin|extension|helper|routine';
const VALUED = 'variable|field|property|parameter|key|setting|option|flag|value|test';
const KIND = `(?:${DEFINED}|${VALUED}|columns?)`;
const NAME = String.raw`[A-Za-z_$#][\w$#]{0,80}(?:\.[A-Za-z_$#][\w$#]{0,80}){0,4}`;
/** A name that is marked as one: in code, with brackets, or spelled as no word is. */
const SPAN = `\`(${NAME})(?:\\([^)\`\\n]{0,80}\\))?\``;
const CALL = `\\b(${NAME})\\([\\w, ]{0,60}\\)`;
const SPELLED = String.raw`\b([a-z]{1,30}[A-Z]\w{0,60}|[A-Za-z]{1,30}_\w{1,60}|_\w{1,60}|[A-Z][a-z]{1,30}[A-Z]\w{0,60})\b`;
const MARKED = `(?:${SPAN}|${CALL}|${SPELLED})`;
const IN = `\\s(?:in|of|from|inside|within)\\s(?:the\\s(?:file|module)\\s)?${OPEN}`;
const OF = `(?:\\s(?:of|on|in)\\s(?:the\\s)?(?:class\\s)?\`?(${NAME})\`?(?:\\sclass)?)?`;

/** Each pattern has the groups `kind`, three spellings of the name, what it is part of, and the file, in this order. */
const NAMED = [
  new RegExp(`(?:\\b(${KIND})\\s)?${MARKED}(?:\\s${KIND})?${OF}${IN}${FILE}`, 'g'),
  new RegExp(`()${MARKED}(?:\\s(${KIND})\\b)${OF}${IN}${FILE}`, 'g'),
  new RegExp(`\\b(${KIND})\\s()()([A-Za-z_]\\w{0,80})${OF}${IN}${FILE}`, 'g'),
];
const TITLED = 'section|heading|headline|chapter|entry|part|paragraph';
const QUOTED = String.raw`["“'‘*\x60]{1,2}([^"”’*\x60\n]{2,80})["”'’*\x60]{1,2}`;
const TITLE = String.raw`((?:[A-Z][\w-]{0,30})(?:\s[\w-]{1,30}){0,5}?)`;
const SECTIONS = [
  new RegExp(`\\b(?:${TITLED})\\s(?:on\\s|called\\s|named\\s)?(?:${QUOTED}|${TITLE}),?${IN}${FILE}`, 'g'),
  new RegExp(`(?:${QUOTED}|\\b(?:[Tt]he\\s)${TITLE})\\s(?:${TITLED})${IN}${FILE}`, 'g'),
];
const SECTIONS_AFTER = [
  new RegExp(`${FILE}${SHUT}['’]s\\s(?:${QUOTED}|${TITLE})\\s(?:${TITLED})`, 'g'),
  new RegExp(`${FILE}${SHUT},?\\s(?:the\\s)?(?:${TITLED})\\s${QUOTED}`, 'g'),
  new RegExp(`${FILE}${SHUT},?\\s§\\s?(?:${QUOTED}|${TITLE})`, 'g'),
];

/** Words that stand where a name might, and are none. */
const NO_NAME = /^(?:is|was|are|that|which|who|lies|lives|stands|sits|found|named|called|it|this|here|and|or|of|in)$/i;

/** Endings of files that people name. A bare `node.js` is a product. */
const KNOWN =
  /\.(?:md|markdown|mdx|txt|rst|csv|tsv|json|jsonl|ndjson|ya?ml|toml|ini|cfg|conf|env|lock|xml|html?|s?css|sql|sh|bash|ps1|[cm]?[jt]sx?|dart|pyi?|ipynb|rs|go|java|kt|swift|c|cc|cpp|h|hpp|cs|rb|php|pl|r|lua|log|pdf|docx?|xlsx?|pptx?|odt|ods|eml|zip|tar|gz|png|jpe?g|svg|gradle|proto|graphql|vue|svelte)$/i;
const PRODUCT =
  /^(?:node|deno|vue|next|nuxt|react|angular|d3|three|express|ember|backbone|p5|chart|moment|p?react|asp)\.(?:js|net)$/i;
const WITHOUT = [
  /\[\[\s{0,9}request\s{0,9}:(?:[^\]]|\](?!\])){0,2000}\]\]/gi,
  /\bhttps?:\/\/[^\s)>\]]{1,500}/g,
  /^[ \t*_-]{0,6}FILE_WRITTEN:.*$/gim,
];

/**
 * Returns the places that a text names, in order: `a.ts:3-5`, `the function foo in a.ts`, `the section "Setup" of a.md`,
 * and files by themselves. `line 3` alone means the file that was named before it. No two of them overlap.
 */
function placesIn(text: string): Place[] {
  const found: Place[] = [];
  let rest = WITHOUT.reduce((plain, pattern) => plain.replace(pattern, blank), text);
  for (const finder of FINDERS) {
    const more = finder(rest, found).filter(
      (one) => !found.some((other) => one.start < other.end && other.start < one.end),
    );
    found.push(...withoutOverlap(more));
    for (const { start, end } of more) rest = rest.slice(0, start) + ' '.repeat(end - start) + rest.slice(end);
  }
  return found.sort((one, other) => one.start - other.start);
}

type Finder = (text: string, before: readonly Place[]) => Place[];
const FINDERS: readonly Finder[] = [linesIn, sectionsIn, namesIn, filesIn, bareLinesIn];

function linesIn(text: string): Place[] {
  const behind = LINES.flatMap((pattern) =>
    [...text.matchAll(pattern)].map((match) => place(match, match[1], linesOf(match[2], match[3]))),
  );
  const before = [...text.matchAll(LINES_OF)].map((match) => place(match, match[3], linesOf(match[1], match[2])));
  return [...behind, ...before];
}

function bareLinesIn(text: string, before: readonly Place[]): Place[] {
  return [...text.matchAll(BARE_LINES)].flatMap((match) => {
    const last = before
      .filter(({ start }) => start < match.index)
      .toSorted((one, other) => one.start - other.start)
      .at(-1);
    return last === undefined ? [] : [place(match, last.file, linesOf(match[1], match[2]))];
  });
}

function sectionsIn(text: string): Place[] {
  const named = (name: string): NamedIn => ({ kind: 'section', name, of: null });
  return [
    ...SECTIONS.flatMap((pattern) =>
      [...text.matchAll(pattern)].map((match) => place(match, match[3], null, named(match[1] ?? match[2] ?? ''))),
    ),
    ...SECTIONS_AFTER.flatMap((pattern) =>
      [...text.matchAll(pattern)].map((match) => place(match, match[1], null, named(match[2] ?? match[3] ?? ''))),
    ),
  ];
}

function namesIn(text: string): Place[] {
  return NAMED.flatMap((pattern) =>
    [...text.matchAll(pattern)].flatMap((match) => {
      const groups = match.slice(1).filter((one) => one !== undefined && one !== '');
      const kind = groups.find((one) => new RegExp(`^${KIND}$`).test(one)) ?? '';
      const [name = '', of = null] = groups.filter((one) => one !== kind).slice(0, -1);
      const file = groups.at(-1);
      if (NO_NAME.test(name) || NO_NAME.test(of ?? '') || name === file) return [];
      return [place(match, file, null, { kind: kindOf(kind), name, of })];
    }),
  );
}

function kindOf(word: string): NamedIn['kind'] {
  if (word.startsWith('column')) return 'column';
  return new RegExp(`^(?:${DEFINED})$`).test(word) ? 'definition' : 'any';
}

function filesIn(text: string): Place[] {
  return [...text.matchAll(new RegExp(FILE, 'g'))]
    .filter(({ 1: file = '' }) => KNOWN.test(file) && !PRODUCT.test(file))
    .map((match) => place(match, match[1], null));
}

function place(match: RegExpExecArray, file = '', lines: Place['lines'], named: NamedIn | null = null): Place {
  const start = match.index;
  return { text: match[0], start, end: start + match[0].length, file, lines, named };
}

function linesOf(first = '0', last = first): Place['lines'] {
  return { first: Number(first), last: Number(last) };
}

/** Of those that overlap, the longest stays. */
function withoutOverlap(places: readonly Place[]): Place[] {
  const kept: Place[] = [];
  for (const one of places.toSorted((a, b) => b.end - b.start - (a.end - a.start)))
    if (!kept.some((other) => one.start < other.end && other.start < one.end)) kept.push(one);
  return kept;
}

const blank = (found: string) => ' '.repeat(found.length);

/** What a message says of the lines that it cites. */
interface Said {
  /** Code and quotes, each to be found as it stands. */
  readonly words: readonly QuotedSaid[];
  readonly figures: readonly Figure[];
}

/** Code or a quote beside a citation. */
interface QuotedSaid {
  readonly text: string;
  /** Whether it stands right beside the citation, so that it can only be its content. */
  readonly attached: boolean;
}

const MARKED_SAID = /(`{1,2})([^`\n]{2,240})\1|["“]([^"“”\n]{4,240})["”]/g;
const FENCED = /^[ \t]*`{3}[\w-]*\n([\s\S]{2,600}?)\n[ \t]*`{3}/;
/** What stands between a citation and the code block below it that shows it. */
const LEADS_TO_BLOCK = /^[^\n`]{0,160}\n{1,2}(?=[ \t]*`{3})/;
/** Between a citation and what it is said to hold: a colon, a bracket, a word such as *says*. */
const ATTACHED_AFTER = /^[`"'”)\]]{0,2}(?:\s?[:=|–—-]\s?|\s(?:says|reads|holds|sets|is|has|states)[:,]?\s|,\s|\s\(?)$/;
const ATTACHED_BEFORE = /^(?:\s|,\s|;\s)?[([]{1,2}$/;

/**
 * Returns what is said of the lines of one place: of the code, quotes and figures of its sentence those that stand nearer
 * to it than to any other place with lines.
 */
function saidOf(place: Place, places: readonly Place[], text: string): Said {
  const { start, end } = sentenceBounds(text, place.start);
  const others = places.filter((one) => one.lines !== null && one !== place && one.start >= start && one.start < end);
  const isNearest = (from: number, to: number) =>
    others.every((one) => distance(place, from, to) <= distance(one, from, to)) &&
    !places.some((one) => (one.lines !== null || one.named !== null) && from < one.end && one.start < to);
  const sentence = text.slice(start, end);
  const words = [...sentence.matchAll(MARKED_SAID)]
    .map((match) => ({ from: start + match.index, text: match[2] ?? match[3] ?? '', whole: match[0] }))
    .filter(({ from, whole }) => isNearest(from, from + whole.length))
    .map((one) => ({ text: one.text, attached: isAttached(place, text, one.from, one.from + one.whole.length) }));
  const figures = figuresIn(sentence)
    .filter((one) => one.kind !== 'line' && isTelling(one))
    .filter((one) => isNearest(start + one.start, start + one.end));
  return { words: [...words, ...blockBelow(place, text)], figures };
}

function distance(place: Place, from: number, to: number): number {
  if (to <= place.start) return place.start - to;
  // What follows a citation is more often about it than about the next one.
  return from >= place.end ? 0.6 * (from - place.end) : 0;
}

function isTelling({ specific, kind }: Figure): boolean {
  return specific && kind !== 'version';
}

function isAttached(place: Place, text: string, from: number, to: number): boolean {
  if (from >= place.end) return ATTACHED_AFTER.test(text.slice(place.end, from));
  return ATTACHED_BEFORE.test(text.slice(to, place.start));
}

function blockBelow(place: Place, text: string): QuotedSaid[] {
  const behind = text.slice(place.end, place.end + 800);
  const lead = LEADS_TO_BLOCK.exec(behind);
  const block = lead === null ? null : FENCED.exec(behind.slice(lead[0].length));
  return (block?.[1] ?? '')
    .split('\n')
    .filter((line) => line.trim().length > 3)
    .slice(0, 12)
    .map((line) => ({ text: line, attached: true }));
}

const CHOICE =
  'propose|suggest|recommend|set|raise|lower|cut|wait|try|aim|offer|cap|ask|allow|settle|put|take|go|pick|choose|give|keep|make|start|use|accept|spend|stop|move|run|test|count|plan|want|like|prefer|vote|agree|live|begin|reserve|limit|add|leave|hold|stay|say|do|have|get|shorten|extend|bring|drop|buy|pay|order|book';
/** What nobody decides, even with *would* before it. */
const OUTCOME = '(?:gain|lose|save|see|find|expect|get|have|reach|earn|miss|need|spend|be)\\b';
/** Somebody's wish: with a word that says so, or one who would, could, should. */
const PROPOSES = new RegExp(
  String.raw`\b(?:(?:I|we)(?:'d| would| could| should| might)?\s(?:propose|suggest|recommend|set|raise|lower|cut|wait|try|aim|offer|cap|ask|allow|settle|vote|want|prefer)|(?:I|we|you|they)(?:['’]d| would| could| should| might)\s(?!${OUTCOME})\w+|(?:I|we|you|they) (?:can|may)\s(?:\w{1,12}\s){0,2}?(?:${CHOICE})|let (?:it|them|that|this|there)\s|let us|let['’]s|(?:should|might|could|ought to)\s(?:be|wait|set|cap|aim|start|stay|go|have|get|take|do)|my (?:own )?(?:proposal|suggestion|vote|offer|preference)|suppose|supposing|imagine|assume|assuming|what if|hypothetically|say,|(?:would be|am|['’]m) (?:happy|content|fine) with|enough for me)\b[^.;:?!]{0,100}$`,
  'i',
);
/** An instruction to the others, as in `Set it to 30`. */
const INSTRUCTS =
  /^[\s\-*>"“]{0,6}(?:(?:so|then|and|but|please|rather|better|first|now),?\s)?(?:set|give|try|wait|raise|lower|cut|cap|keep|start|use|make|take|stop|put|move|ask|allow|limit|leave|begin|reserve|call)\s[^.;:?!]{0,100}$/i;
/** A condition up to its comma: what is in it is supposed. */
const SUPPOSES = /\b(?:if|unless|even at|whether|were (?:we|it|the)|should (?:we|it|the))\s[^.;:?!,]{0,100}$/i;

/** The condition of something that would follow from it: `At 0.85 half of these would go`. */
const CONDITION = /^[\s\-*>"“]{0,6}(?:at|with|under|by|from)\s[^.;:?!,]{0,40}$/i;

/** Whether the words before an offset, in its sentence, propose or suppose what stands there. */
function isProposedAt(text: string, at: number): boolean {
  const { start, end } = sentenceBounds(text, at);
  const before = text.slice(start, at);
  const isCondition = CONDITION.test(before) && /\b(?:would|could|might)\b/.test(text.slice(at, end));
  const proposes = isCondition || PROPOSES.test(before) || INSTRUCTS.test(before) || SUPPOSES.test(before);
  return proposes && !STATES.test(before);
}

/** Words that turn what follows them into a statement of fact, even beside a proposal. */
const STATES =
  /\b(?:because|since|as|given|shows?|showed|found|measured|says?|said|already|of the|than the|like the)\b/i;

/** What is only planned: `a new file x.md`, `we'd need`, `could go into`. */
const PLANNED =
  /\b(?:an? new|create|add|adding|write|introduce|propose|suggest|rename|(?:I|we|you|they|it)(?:'d|’d)|would (?:need|be|go|want|like|help|have)|could (?:be|go|live|sit|add)|should (?:not )?(?:create|add|be|live|go|sit)|if (?:we|there) (?:had|have|add|write|were)|let us|let(?:'|’)s|needs? an?|wish)\b(?:[^.;:?!]|\.(?=\S)){0,120}$/i;
/** What is said not to be there. */
const DENIED_BEFORE =
  /(?:\b(?:no such|no|without an?|lacks an?)\s(?:[\w-]{1,20}\s){0,3}[`"'“]?|\b(?:cannot|can(?:'|’)t|could not|couldn(?:'|’)t|did not|didn(?:'|’)t|do not|don(?:'|’)t|nowhere|never) (?:find|found|see|saw|seen)\b[^.,;:?!]{0,40})$/i;
const DENIED_AFTER =
  /^[^.;:?!]{0,60}\b(?:(?:I|we) (?:cannot|can(?:'|’)t|do not|don(?:'|’)t|did not|didn(?:'|’)t|could not) (?:see|find)|(?:is|are|was) (?:missing|not (?:there|registered|listed|found|shown|given|among|in)|nowhere|unknown)|(?:does|do|did) not exist|(?:doesn|isn|wasn)(?:'|’)t (?:exist|there|registered|listed|found|in))\b/i;

/** Whether what begins at an offset is something that somebody would like to make. */
function isPlannedAt(text: string, at: number): boolean {
  return PLANNED.test(text.slice(sentenceBounds(text, at).start, at));
}

/** Whether what stands between two offsets is said not to be there. */
function isDenied(text: string, start: number, end: number): boolean {
  const sentence = sentenceBounds(text, start);
  return (
    DENIED_BEFORE.test(text.slice(sentence.start, start)) ||
    DENIED_AFTER.test(text.slice(end, Math.max(end, sentence.end)))
  );
}

/** A place of a message, and the result of looking for it. */
interface CheckedPlace {
  readonly place: Place;
  readonly finding: PlaceFinding;
}

/** Places beyond this many in one message are not looked for. */
const MAX_PLACES = 100;

/** Looks for every place that a message names. */
function checkPlaces(text: string, check: PlaceCheck): CheckedPlace[] {
  const places = placesIn(text);
  const looked = places
    .slice(0, MAX_PLACES)
    .map((place) => ({ place, finding: check.find(place, saidOf(place, places, text)) }));
  return [...looked, ...tooMany(places.slice(MAX_PLACES))];
}

/** One entry stands for all that are not looked for. */
function tooMany([place, ...more]: readonly Place[]): CheckedPlace[] {
  if (place === undefined) return [];
  const reason = `This place and ${more.length} more behind it were not looked for: a message may name ${MAX_PLACES}.`;
  return [{ place, finding: { holds: false, reason } }];
}

const MAX_SENTENCE = 200;

/** Returns what is said of a place in the list of what was checked. `message` is still to be filled in. */
function placeEntry(agent: string, text: string, { place, finding }: CheckedPlace): Omit<Checked, 'message'> {
  return {
    agent,
    about: 'place',
    figure: place.text.trim(),
    at: place.start,
    sentence: sentenceAt(text, place.start).slice(0, MAX_SENTENCE).trim(),
    finding: finding.holds ? 'borne-out' : isClaimed(place, text) ? 'unsupported' : 'proposed',
    cites: place.lines !== null,
    reason: finding.holds ? null : finding.reason,
  };
}

// Lines of a file can be missed by somebody, but only a file or a name can be planned.
function isClaimed({ start, end, lines }: Place, text: string): boolean {
  return !isDenied(text, start, end) && (lines !== null || !isPlannedAt(text, start));
}

/** By what two mentions of a place are known to be the same. */
function keyOfPlace({ file, lines, named }: Place): string {
  return JSON.stringify(['place', file.slice(file.lastIndexOf('/') + 1), lines, named?.name ?? null]);
}

/** How much of the registered files one check reads. */
const MAX_READ = 48_000_000;

/** The registered files, each read and outlined once, and only where a message names it. */
class Library {
  readonly #files: readonly RegisteredFile[];
  readonly #texts = new Map<string, FileText | null>();
  readonly #outlines = new Map<FileText, readonly PlacedPart[] | null>();
  #room = MAX_READ;

  constructor(files: readonly RegisteredFile[]) {
    this.#files = files;
  }

  /** The paths that a name in a message means; none where it is not registered. */
  named(name: string): readonly RegisteredFile[] {
    const found = filesNamed(this.#files, name);
    if (found.length > 0) return found;
    return this.#files.filter(({ path }) => path.includes('/') && name.endsWith(`/${path}`));
  }

  /** The text of a registered file; null where it cannot be read, or where too much has been read already. */
  text(file: RegisteredFile): FileText | null {
    const key = `${file.root}\0${file.path}`;
    const known = this.#texts.get(key);
    if (known !== undefined) return known;
    const read = this.#room > 0 ? tryRead(file) : null;
    this.#room -= read?.text.length ?? 0;
    this.#texts.set(key, read);
    return read;
  }

  /** What has a name in a file; null where its format is not understood. */
  outline(text: FileText): readonly PlacedPart[] | null {
    const known = this.#outlines.get(text);
    if (known !== undefined) return known;
    const made = tryOutline(text);
    this.#outlines.set(text, made);
    return made;
  }

  /** Whether one of the files that were read so far holds a text. */
  mentions(words: string): boolean {
    return [...this.#texts.values()].some((one) => one?.text.includes(words) === true);
  }
}

function tryOutline(text: FileText): readonly PlacedPart[] | null {
  try {
    return outlineOf(text);
  } catch (error) {
    if (error instanceof StewardError) return null;
    throw error;
  }
}

/** Returns why a file does not hold what is named in it; null where it does. `outline`: null where there is none. */
function reasonAgainstName(named: NamedIn, text: FileText, outline: readonly PlacedPart[] | null): string | null {
  if (named.kind === 'section') return reasonAgainstSection(named.name, text, outline);
  if (named.kind === 'column') return reasonAgainstColumn(named.name, text);
  return reasonAgainstPart(named, text, outline);
}

function reasonAgainstSection(
  title: string,
  { path, text }: FileText,
  outline: readonly PlacedPart[] | null,
): string | null {
  const wanted = bare(title);
  const titles = outline?.map((part) => bare(part.path.at(-1) ?? '')) ?? text.split('\n').map(bare);
  const isTitled = titles.some((one) => one === wanted || (wanted.length > 3 && one.includes(wanted)));
  return isTitled ? null : `${path} has no section ${JSON.stringify(title)}.`;
}

function bare(title: string): string {
  return fold(title)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

function reasonAgainstColumn(name: string, source: FileText): string | null {
  const isTable = ['csv', 'tsv'].includes(extensionOf(source));
  const where = isTable ? (source.lines[0] ?? '') : source.text;
  return holdsWord(where, name) ? null : `${source.path} has no column ${name}.`;
}

function reasonAgainstPart(
  { kind, name, of }: NamedIn,
  { path, text }: FileText,
  outline: readonly PlacedPart[] | null,
): string | null {
  const [own = name, ...outer] = [...(of === null ? [] : of.split('.')), ...name.split('.')].toReversed();
  const parts = (outline ?? []).filter((part) => part.path.at(-1) === own);
  if (kind === 'definition' && outline !== null && parts.length === 0)
    return `Nothing in ${path} is defined as ${own}.`;
  if (!holdsWord(text, own)) return `Nothing in ${path} is named ${own}.`;
  return outer.every((one) => isAround(one, own, text, outline))
    ? null
    : `${own} is no part of ${outer[0]} in ${path}.`;
}

/** Whether a name stands in a part of another name. Where that part is not known, both need only be there. */
function isAround(outer: string, own: string, text: string, outline: readonly PlacedPart[] | null): boolean {
  const parts = (outline ?? []).filter((part) => part.path.at(-1) === outer);
  if (parts.length === 0) return /^(?:this|self|super)$/.test(outer) || holdsWord(text, outer);
  const lines = text.split('\n');
  return parts.some(({ first, last }) => holdsWord(lines.slice(first - 1, last).join('\n'), own));
}

function holdsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1))
    if (!isLetter(text[at - 1]) && !isLetter(text[at + word.length])) return true;
  return false;
}

function isLetter(sign: string | undefined): boolean {
  return sign !== undefined && /[\p{L}\p{N}_$]/u.test(sign);
}

/** The result of looking for a place: the text that its lines hold, or why it is not believed. */
type PlaceFinding =
  | { readonly holds: true; readonly lines: string }
  | { readonly holds: false; readonly reason: string };

/** What a place can be compared with. */
class PlaceCheck {
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

/** One message of the roundtable. Messages are passed in the order they were heard. */
export interface Message {
  readonly agent: string;
  readonly text: string;
}

const MAX_CLAIMS = 150;

/**
 * Looks up every specific figure of the messages in the sources, and every place in the registered files. It cannot tell
 * whether a figure is used for what its source says: the judge decides that. LAW: it never reports a figure as borne out
 * that no source and no cited line holds and that does not follow from the figures next to it.
 */
export function checkCitations(
  messages: readonly Message[],
  sources: readonly Source[],
  files: readonly RegisteredFile[] = [],
): Checked[] {
  const evidence = new EvidenceIndex(sources);
  const places = new PlaceCheck(files, sources, evidence);
  const history: History = { evidence, places, firstSaid: new Map(), proposed: new Set() };
  return messages.flatMap((message, at) => checkMessage(message, history).map((one) => ({ ...one, message: at })));
}

/** What is known when a message is checked. */
interface History {
  readonly evidence: EvidenceIndex;
  readonly places: PlaceCheck;
  /** Unsupported figure or place → who said it first. */
  readonly firstSaid: Map<string, string>;
  /** Figures and places that somebody has proposed, so that everybody may mention them. */
  readonly proposed: Set<string>;
}

function checkMessage({ agent, text }: Message, history: History): Omit<Checked, 'message'>[] {
  const places = checkPlaces(text, history.places);
  const said = places.map((one) => {
    const entry = placeEntry(agent, text, one);
    return { ...entry, finding: givenHistory(history, agent, keyOfPlace(one.place), entry.finding) };
  });
  return [...said, ...checkFigures({ agent, text }, places, history)].toSorted((one, other) => one.at - other.at);
}

function checkFigures(
  { agent, text }: Message,
  places: readonly CheckedPlace[],
  history: History,
): Omit<Checked, 'message'>[] {
  const { evidence } = history;
  const isPlace = ({ start, end }: Figure) => places.some(({ place }) => start < place.end && place.start < end);
  const figures = figuresIn(text).filter((figure) => !isPlace(figure));
  const claims = figures.filter(({ specific }) => specific);
  const cited = new HeldLines(text, places);
  const supported = new Set(figures.filter((figure) => evidence.supports(figure, text) || cited.supports(figure)));
  const grounds = {
    figures,
    supported,
    common: evidence.common,
    groups: evidence.groups,
    companionsOf: (figure: Figure) => evidence.companionsOf(figure, text),
  };
  let anyDerived = false;
  const checked = claims.slice(0, MAX_CLAIMS).map((figure): Omit<Checked, 'message'> => {
    // Looked up a second time, since this very message may have derived the figure in the meantime.
    const isSupported = supported.has(figure) || (anyDerived && evidence.supports(figure, text));
    const from = isSupported ? null : derivedFrom(figure, text, grounds);
    const alone = isSupported ? 'borne-out' : withoutSupport(figure, text, from);
    // A share that somebody supposed still needs support when it is stated again.
    if (alone === 'proposed' && figure.kind === 'percent') return entryOf(agent, text, figure, alone);
    const finding = givenHistory(history, agent, keyOf(figure), alone);
    if (finding === 'derived') {
      anyDerived = true;
      supported.add(figure);
      evidence.add(text, figure, from ?? []);
    }
    return entryOf(agent, text, figure, finding);
  });
  return [...checked, ...tooManyCitations(agent, claims.slice(MAX_CLAIMS))];
}

function entryOf(agent: string, text: string, figure: Figure, finding: Checked['finding']): Omit<Checked, 'message'> {
  return {
    agent,
    about: 'figure',
    figure: figure.text.trim(),
    at: figure.start,
    sentence: sentenceAt(text, figure.start).slice(0, MAX_SENTENCE).trim(),
    finding,
    cites: figure.kind === 'line',
    reason: null,
  };
}

/** Claims beyond the limit are not looked up, so they are unsupported. One entry reports them all. */
function tooManyCitations(agent: string, [first, ...more]: readonly Figure[]): Omit<Checked, 'message'>[] {
  if (first === undefined) return [];
  const sentence = `This figure and ${more.length} more behind it were not looked up: a message may have ${MAX_CLAIMS}.`;
  const { text: figure, start: at } = first;
  return [
    { agent, about: 'figure', figure: figure.trim(), at, sentence, finding: 'unsupported', cites: false, reason: null },
  ];
}

/** Adjusts a finding to what was said before: somebody may be mentioning a proposal, or repeating another agent. */
function givenHistory(
  { firstSaid, proposed }: History,
  agent: string,
  key: string,
  finding: Checked['finding'],
): Checked['finding'] {
  if (finding === 'proposed') proposed.add(key);
  if (finding !== 'unsupported') return finding;
  if (proposed.has(key)) return 'proposed';
  const before = firstSaid.get(key) ?? agent;
  firstSaid.set(key, before);
  return before === agent ? 'unsupported' : 'repeated';
}

function withoutSupport(
  figure: Figure,
  text: string,
  from: readonly Figure[] | null,
): 'derived' | 'proposed' | 'unsupported' {
  if (from !== null) return 'derived';
  return isProposed(figure, text) ? 'proposed' : 'unsupported';
}

function keyOf({ kind, values, scale, keys, lines }: Figure): string {
  return JSON.stringify([kind, values.map((value) => value * scale), keys, lines]);
}

/** Whether somebody proposes or supposes a figure rather than states it as a fact. */
function isProposed(claim: Figure, text: string): boolean {
  return claim.kind !== 'line' && claim.kind !== 'version' && isProposedAt(text, claim.start);
}

/** What is to be checked: all that was said, and what it may rest on. */
interface CheckJob {
  readonly messages: readonly Message[];
  readonly sources: readonly Source[];
  readonly files: readonly RegisteredFile[];
}

/** The result of a check; `unchecked` says why there is none, and is null where there is one. */
type CheckResult =
  | { readonly checked: readonly Checked[]; readonly unchecked: null }
  | { readonly checked: readonly []; readonly unchecked: string };

const MEMORY_MB = 512;
const MAX_SECONDS = 60;
/** What is checked at once, without a process of its own: so many characters, files, and bytes of files. */
const SMALL = { characters: 8_000, files: 20, bytes: 100_000 };

export const checkJob: z.ZodType<CheckJob> = z.object({
  messages: z.array(z.object({ agent: z.string(), text: z.string() })),
  sources: z.array(
    z.object({ file: z.string().nullable(), text: z.string(), beside: z.array(z.number()).exactOptional() }),
  ),
  files: z.array(z.object({ path: z.string(), root: z.string() })),
});

const checked: z.ZodType<readonly Checked[]> = z.array(
  z.object({
    agent: z.string(),
    message: z.number(),
    about: z.enum(['figure', 'place']),
    figure: z.string(),
    at: z.number(),
    sentence: z.string(),
    finding: z.enum(['borne-out', 'derived', 'proposed', 'repeated', 'unsupported']),
    cites: z.boolean(),
    reason: z.string().nullable(),
  }),
);

/**
 * Checks what was said, where that is much in a process of its own that may take a minute and half a gigabyte: neither a
 * long roundtable nor a file blocks or ends the program. A check that fails is no check, and says so. Rejects with the
 * reason of the abort signal.
 */
export async function checkClaims(job: CheckJob, abort: AbortSignal, seconds = MAX_SECONDS): Promise<CheckResult> {
  if (isSmall(job)) return { checked: checkCitations(job.messages, job.sources, job.files), unchecked: null };
  const task = { script: './check-worker', from: import.meta.url, data: plain(job), message: checked };
  try {
    return { checked: await runInWorker({ ...task, memoryMb: MEMORY_MB, seconds }, abort), unchecked: null };
  } catch (error) {
    if (!(error instanceof WorkerFailure)) throw error;
    return { checked: [], unchecked: reasonOf(error, seconds) };
  }
}

/** Only what is asked for goes to the other process. */
function plain({ messages, sources, files }: CheckJob): z.infer<typeof checkJob> {
  return { messages: messages.map(({ agent, text }) => ({ agent, text })), sources, files };
}

function isSmall({ messages, sources, files }: CheckJob): boolean {
  const characters = [...messages, ...sources].reduce((sum, { text }) => sum + text.length, 0);
  if (characters > SMALL.characters || files.length > SMALL.files) return false;
  return files.reduce((sum, file) => sum + sizeOf(file), 0) <= SMALL.bytes;
}

function sizeOf({ root, path: file }: RegisteredFile): number {
  return statSync(path.join(root, file), { throwIfNoEntry: false })?.size ?? 0;
}

function reasonOf({ limit }: WorkerFailure, seconds: number): string {
  if (limit === 'time') return `not checked: looking up what was said took longer than ${seconds} s`;
  if (limit === 'memory') return `not checked: looking up what was said took more than ${MEMORY_MB} MB of memory`;
  return 'not checked: looking up what was said failed';
}

/** A figure or a place that somebody stated, and the result of looking it up. */
export interface Checked {
  readonly agent: string;
  /** The index of its message, from 0. */
  readonly message: number;
  readonly about: 'figure' | 'place';
  /** As written. */
  readonly figure: string;
  /** Its offset in the message. */
  readonly at: number;
  /** The sentence around it, cut short. */
  readonly sentence: string;
  /**
   * `borne-out` by a source; `derived` from figures next to it that are; `proposed`, so not a statement of fact;
   * `repeated` after somebody else who said it first; or `unsupported`.
   */
  readonly finding: 'borne-out' | 'derived' | 'proposed' | 'repeated' | 'unsupported';
  /** Whether it cites a line of a file. */
  readonly cites: boolean;
  /** Why a place is not believed, as a sentence; null where it is, and for a figure that no source holds. */
  readonly reason: string | null;
}

/** Lines of a file, both counted from 1. */
interface Lines {
  readonly file: string;
  readonly first: number;
  readonly last: number;
}

/** What was cited in some messages: the lines, and the messages themselves, in which a count may be repeated. */
export interface Quoted {
  readonly lines: readonly Lines[];
  readonly texts: readonly string[];
}

/** A part of a result as it is carried on: lines of a file, verbatim; or a count, without a place of its own. */
interface Carried {
  readonly lines?: string;
  readonly text: string;
}

/** An extract in the text of a result. */
interface Extract extends Lines {
  readonly body: readonly string[];
}

const PLACE = /^("(?:[^"\\]|\\.)*"|[^":`]+):(\d{1,9})(?:-(\d{1,9}))?(?: — .*)?$/;
const FENCE = /^`{3,}$/;
const COUNT = /^(\d{1,9}) of (\d{1,9}) /;

/** Returns what these messages cite as `path:line`. Lines without a path, and those that are only asked for, do not count. */
export function quotedIn(texts: readonly string[]): Quoted {
  const lines = texts.flatMap((text) => figuresIn(text).flatMap((figure) => figure.lines ?? []));
  return { lines: lines.filter(({ file }) => file !== ''), texts };
}

/**
 * Returns the lines of a result that were cited, verbatim and each run of them under its own place; of a count, which has
 * no lines to show, the count itself where one of its places was cited or both its numbers were repeated together. Empty
 * where nobody has cited it. LAW: what is returned stands in the result.
 */
export function carriedFrom(result: string, quoted: Quoted): Carried[] {
  const { extracts, statements } = partsOf(result);
  if (extracts.length > 0) return extracts.flatMap((extract) => citedRuns(extract, quoted));
  return isCounted(statements, quoted) ? statements.map((text) => ({ text })) : [];
}

function partsOf(result: string): { extracts: Extract[]; statements: string[] } {
  const lines = result.split('\n').slice(1); // without its header
  const extracts: Extract[] = [];
  const statements: string[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const fence = lines[at + 1] ?? '';
    const place = FENCE.test(fence) ? placeIn(line) : null;
    const end = place === null ? -1 : lines.indexOf(fence, at + 2);
    if (place === null || end === -1) statements.push(line);
    else {
      extracts.push({ ...place, body: lines.slice(at + 2, end) });
      at = end;
    }
  }
  return { extracts, statements: statements.filter((line) => line.trim() !== '') };
}

function placeIn(line: string): Lines | null {
  const [, written = '', first = '', last = first] = PLACE.exec(line) ?? [];
  if (first === '') return null;
  return { file: written.startsWith('"') ? unquoted(written) : written, first: Number(first), last: Number(last) };
}

function unquoted(written: string): string {
  try {
    return String(JSON.parse(written));
  } catch {
    return written;
  }
}

function citedRuns({ file, first, body }: Extract, { lines }: Quoted): Carried[] {
  const ranges = lines.filter((one) => isSameFile(one.file, file));
  const isCited = (line: number) => ranges.some((one) => one.first <= line && line <= one.last);
  const runs: { from: number; text: string[] }[] = [];
  for (const [at, text] of body.entries()) {
    const last = runs.at(-1);
    if (!isCited(first + at)) continue;
    if (last !== undefined && last.from + last.text.length === first + at) last.text.push(text);
    else runs.push({ from: first + at, text: [text] });
  }
  return runs.map(({ from, text }) => {
    const to = from + text.length - 1;
    return { lines: from === to ? `${file}:${from}` : `${file}:${from}-${to}`, text: text.join('\n') };
  });
}

function isCounted(statements: readonly string[], { lines, texts }: Quoted): boolean {
  const places = quotedIn(statements).lines;
  const isPlaceCited = places.some(({ file, first, last }) =>
    lines.some((one) => isSameFile(one.file, file) && one.first <= last && first <= one.last),
  );
  return isPlaceCited || statements.some((one) => isRepeated(one, texts));
}

function isRepeated(statement: string, texts: readonly string[]): boolean {
  const [, some = '', all = ''] = COUNT.exec(statement) ?? [];
  if (all === '') return false;
  const both = new RegExp(`(?<![\\d.,])${some}(?![\\d.,]\\d)\\D{1,60}(?<![\\d.,])${all}(?!\\d|[.,]\\d)`);
  return texts.some((text) => both.test(text));
}

function isSameFile(one: string, other: string): boolean {
  const [long, short] = one.length > other.length ? [one, other] : [other, one];
  return long.replace(/^\.\//, '') === short.replace(/^\.\//, '') || long.endsWith(`/${short.replace(/^\.\//, '')}`);
}
