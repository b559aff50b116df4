import type { Figure } from './figure.ts';
import { agrees, FigureIndex, type IndexedFigure, isRounded, supports } from './figure-index.ts';
import { figuresIn } from './figures.ts';

/** What a claim may rest on: the briefing, and the results of evidence. */
export interface Source {
  /** The file it is, where line numbers of its own may be cited: the briefing's path. */
  readonly file: string | null;
  readonly text: string;
  /** Where it holds a condition in the asker's own words: the counts beside which alone it may be repeated. */
  readonly beside?: readonly number[];
}

/** One message at the table, in the order they were heard. */
export interface Message {
  readonly agent: string;
  readonly text: string;
}

/** A figure that somebody said, and what became of looking for it. */
export interface Checked {
  readonly agent: string;
  /** Which of the messages it stands in, from 0. */
  readonly message: number;
  readonly figure: string;
  /** Where in its message it stands. */
  readonly at: number;
  /** The sentence it stands in, cut short. */
  readonly sentence: string;
  /**
   * `borne-out` by a source, `derived` from figures beside it that are, `proposed` and no statement of fact, `repeated`
   * after somebody who said it first, or `unsupported`.
   */
  readonly finding: 'borne-out' | 'derived' | 'proposed' | 'repeated' | 'unsupported';
  /** Whether it cites a line of a file. */
  readonly cites: boolean;
}

const MAX_SOURCE = 400_000;
const MAX_CLAIMS = 150;
const MAX_SENTENCE = 200;

/**
 * Looks every specific figure of the messages up in the sources. It cannot tell whether a figure that a source holds is
 * used for what it says there; that is the judge's to see. LAW: it never finds a figure borne out that no source holds
 * and no figures beside it make.
 */
export function checkCitations(messages: readonly Message[], sources: readonly Source[]): Checked[] {
  const heard: Heard = { ground: groundOf(sources), firstSaid: new Map(), proposed: new Set() };
  return messages.flatMap((message, at) => checkMessage(message, heard).map((one) => ({ ...one, message: at })));
}

/** What is known by the time of a message. */
interface Heard {
  readonly ground: Ground;
  /** Who said a figure first that nothing bears out. */
  readonly firstSaid: Map<string, string>;
  /** Figures that somebody proposed, and that may be spoken of since. */
  readonly proposed: Set<string>;
}

function checkMessage({ agent, text }: Message, heard: Heard): Omit<Checked, 'message'>[] {
  const figures = figuresIn(text);
  const claims = figures.filter(({ specific }) => specific);
  const held = new Set(figures.filter((figure) => isHeld(figure, text, heard.ground)));
  let reckoned = false;
  const checked = claims.slice(0, MAX_CLAIMS).map((figure): Omit<Checked, 'message'> => {
    // Looked up again, since the same figure may have been reckoned out before in this very message.
    const isBorneOut = held.has(figure) || (reckoned && isHeld(figure, text, heard.ground));
    const found = isBorneOut ? 'borne-out' : unheld(figure, text, figures, held);
    const finding = inTheLight(heard, agent, figure, found);
    if (finding === 'derived') {
      reckoned = true;
      held.add(figure);
      heard.ground.shelf.add(heldIn(text, figure)); // whoever says it after it was reckoned out repeats what holds
    }
    return {
      agent,
      figure: figure.text.trim(),
      at: figure.start,
      sentence: sentenceAt(text, figure.start).slice(0, MAX_SENTENCE).trim(),
      finding,
      cites: figure.kind === 'line',
    };
  });
  return [...checked, ...tooMany(agent, claims.slice(MAX_CLAIMS))];
}

/** Figures that were not looked up, since there are too many of them, are borne out by nothing: said once for all. */
function tooMany(agent: string, [first, ...more]: readonly Figure[]): Omit<Checked, 'message'>[] {
  if (first === undefined) return [];
  const sentence = `This figure and ${more.length} more behind it were not looked up: a message may have ${MAX_CLAIMS}.`;
  return [{ agent, figure: first.text.trim(), at: first.start, sentence, finding: 'unsupported', cites: false }];
}

/** A finding in the light of what was said before: a proposal is spoken of, or somebody is repeated. */
function inTheLight(
  { firstSaid, proposed }: Heard,
  agent: string,
  figure: Figure,
  finding: Checked['finding'],
): Checked['finding'] {
  const key = keyOf(figure);
  // A share that was once supposed is no fact for that.
  if (finding === 'proposed' && figure.kind !== 'percent') proposed.add(key);
  if (finding !== 'unsupported') return finding;
  if (proposed.has(key)) return 'proposed';
  const before = firstSaid.get(key) ?? agent;
  firstSaid.set(key, before);
  return before === agent ? 'unsupported' : 'repeated';
}

function unheld(
  figure: Figure,
  text: string,
  figures: readonly Figure[],
  held: ReadonlySet<Figure>,
): 'derived' | 'proposed' | 'unsupported' {
  const spans = spansIn(sentenceAt(text, figure.start));
  if (isDerived(figure, operandsFor(figure, text, figures, held), spans)) return 'derived';
  return isProposed(figure, text) ? 'proposed' : 'unsupported';
}

function keyOf({ kind, values, scale, keys, lines }: Figure): string {
  return JSON.stringify([kind, values.map((value) => value * scale), keys, lines]);
}

// --- what the sources hold -------------------------------------------------------------------------------------------

/** What may be cited: the lines that evidence has shown and those of the briefing, and every figure in them. */
interface Ground {
  readonly shelf: FigureIndex;
  readonly lines: readonly NonNullable<Figure['lines']>[];
}

function groundOf(sources: readonly Source[]): Ground {
  const read = sources.map(({ text, ...rest }) => ({ ...rest, text: text.slice(0, MAX_SOURCE) }));
  const held = read.flatMap(({ text, beside = null }) =>
    figuresIn(text).map((figure) => ({ ...heldIn(text, figure), beside })),
  );
  const shown = held.flatMap(({ figure: { lines } }) => (lines === null || lines.file === '' ? [] : [lines]));
  const own = read.flatMap(({ file, text }) =>
    file === null ? [] : [{ file, first: 1, last: text.split('\n').length }],
  );
  return { shelf: new FigureIndex(held), lines: [...shown, ...own] };
}

function heldIn(text: string, figure: Figure): IndexedFigure {
  return { figure, line: lineAt(text, figure.start), beside: null };
}

function isHeld(claim: Figure, text: string, { shelf, lines }: Ground): boolean {
  if (claim.lines !== null) return lines.some((shown) => covers(shown, claim.lines));
  const sentence = sentenceAt(text, claim.start);
  const found = shelf
    .near(claim)
    .filter((held) => supports(held, claim) && (held.beside === null || saysOneOf(sentence, held.beside)));
  if (!isSmall(claim)) return found.length > 0;
  const words = wordsOf(sentence);
  return found.some(({ line }) => [...wordsOf(line)].some((word) => words.has(word)));
}

function saysOneOf(sentence: string, counts: readonly number[]): boolean {
  if (counts.includes(0) && /\b(?:no|none|nothing)\b/i.test(sentence)) return true;
  return figuresIn(sentence).some(({ values }) => values.some((value) => counts.includes(value)));
}

// Small numbers stand everywhere: one counts only on a line that speaks of the same thing.
function isSmall({ kind, values, keys }: Figure): boolean {
  return keys.length === 0 && kind === 'number' && values.every((value) => Number.isInteger(value) && value <= 20);
}

function covers(shown: NonNullable<Figure['lines']>, claimed: Figure['lines']): boolean {
  if (claimed === null || claimed.first < shown.first || claimed.last > shown.last) return false;
  const [long, short] = [shown.file.replace(/^\.\//, ''), claimed.file.replace(/^\.\//, '')];
  return short === '' || long === short || long.endsWith(`/${short}`) || short.endsWith(`/${long}`);
}

// --- what is reckoned from what they hold ----------------------------------------------------------------------------

const RECKONS =
  /\b(?:that is|that's|this is|which is|so|hence|thus|i\.e\.|in total|total|together|altogether|makes?|difference|sum|average|mean|leaves|remaining|the rest)\b|=/i;
const MAX_OPERANDS = 10;

/** The figures beside a claim that it may have been reckoned from: of its sentence, and of the one before where it says so. */
function operandsFor(claim: Figure, text: string, figures: readonly Figure[], held: ReadonlySet<Figure>): Figure[] {
  const sentence = boundsAt(text, claim.start);
  const says = claim.kind === 'date' || RECKONS.test(text.slice(sentence.start, sentence.end));
  const reaches = says && sentence.start > 0;
  const from = reaches ? boundsAt(text, sentence.start - 1).start : sentence.start;
  return figures
    .filter((one) => one !== claim && one.start >= from && one.start < sentence.end)
    .filter((one) => held.has(one) || (one.values.length > 0 && !one.specific))
    .slice(0, MAX_OPERANDS);
}

/** How many of the one make the other, where a sentence speaks of both. */
const SPANS = [
  { words: [/\bmonth/i, /\b(?:year|annual)/i], count: 12 },
  { words: [/\b(?:day|dail)/i, /\bweek/i], count: 7 },
  { words: [/\b(?:week)/i, /\b(?:year|annual)/i], count: 52 },
];

function spansIn(sentence: string): number[] {
  return SPANS.flatMap(({ words, count }) => (words.every((word) => word.test(sentence)) ? [count] : []));
}

function isDerived(claim: Figure, operands: readonly Figure[], spans: readonly number[]): boolean {
  if (claim.kind === 'date') return isDateReckoned(claim, operands);
  if (claim.values.length === 0) return false;
  const values = operands
    .filter((one) => one.values.length > 0)
    .map((one) => (one.values[0] ?? 0) * (one.kind === claim.kind ? one.scale / claim.scale : 1));
  const same = operands.filter((one) => one.kind === claim.kind && one.scale !== claim.scale);
  const turned = same.map((one) => ((one.values[0] ?? 0) * one.scale) / claim.scale);
  const made = claim.kind === 'percent' ? shares(values) : totals([...values, ...(values.length === 0 ? [] : spans)]);
  return [...turned, ...made].some((value) => claim.values.some((said) => isReckoned(claim, said, value)));
}

const DAY = 86_400;

// Three weeks after 3 November; a date without its year is taken to be of the claim's.
function isDateReckoned({ keys }: Figure, operands: readonly Figure[]): boolean {
  const spans = operands.flatMap(({ kind, values, scale }) => (kind === 'time' ? [(values[0] ?? 0) * scale] : []));
  const dates = operands.flatMap((one) => (one.kind === 'date' ? one.keys : []));
  return keys.some((key) => {
    const claimed = dayOf(key, COMMON_YEAR);
    const days = dates.map((date) => dayOf(date, key.startsWith('--') ? COMMON_YEAR : key.slice(0, 4)));
    return days.some((day) => spans.some((span) => sameDay(claimed, day + span) || sameDay(claimed, day - span)));
  });
}

const COMMON_YEAR = '2001';

function dayOf(key: string, year: string): number {
  return Date.parse(`${key.startsWith('--') ? `${year}${key.slice(1)}` : key}T00:00:00Z`) / 1000;
}

function sameDay(one: number, other: number): boolean {
  return Math.abs(one - other) < DAY / 2;
}

function isReckoned(claim: Figure, said: number, made: number): boolean {
  return agrees({ ...claim, text: '00' }, said, made) || isRounded(said, made, Math.max(0, claim.decimals));
}

function shares(operands: readonly number[]): number[] {
  const rests = operands.map((one) => 100 - one);
  const pairs = operands.flatMap((one, at) => operands.slice(at + 1).map((other) => [one, other] as const));
  const parts = pairs.flatMap(([one, other]) => [
    (100 * Math.min(one, other)) / Math.max(one, other),
    (100 * Math.abs(one - other)) / one,
    Math.abs(one - other),
    one + other,
  ]);
  return [...rests, ...parts].filter((value) => value > 0 && value !== 100 && Number.isFinite(value));
}

function totals(operands: readonly number[]): number[] {
  const pairs = operands.flatMap((one, at) => operands.slice(at + 1).map((other) => [one, other] as const));
  const runs = operands.flatMap((_, from) => operands.slice(from).map((_, to) => operands.slice(from, from + to + 1)));
  const sums = runs.filter((run) => run.length > 1).map((run) => run.reduce((sum, one) => sum + one, 0));
  return [
    ...sums,
    ...runs.filter((run) => run.length > 1).map((run) => run.reduce((sum, one) => sum + one, 0) / run.length),
    ...pairs.flatMap(([one, other]) => [
      Math.abs(one - other),
      one * other,
      (one * other) / 100,
      Math.max(one, other) / Math.min(one, other),
    ]),
  ].filter((value) => Number.isFinite(value) && value > 0);
}

// --- what is proposed ------------------------------------------------------------------------------------------------

const PROPOSES =
  /\b(?:(?:I|we)(?:'d| would| could| should| might)?\s(?:propose|suggest|recommend|set|raise|lower|cut|wait|try|aim|offer|cap|ask|allow|settle)|let us|let's|should\s(?:be|wait|set|cap|aim)|my (?:proposal|suggestion)|suppose|imagine|assume|assuming|what if|hypothetically)\b[^.;:?!]{0,100}$/i;

/** A figure that somebody proposes or supposes is no statement of fact. A share of something is one all the same. */
function isProposed(claim: Figure, text: string): boolean {
  if (claim.kind === 'line' || claim.kind === 'version') return false;
  const before = text.slice(boundsAt(text, claim.start).start, claim.start);
  return (
    PROPOSES.test(before) && !/\b(?:because|since|as|shows?|showed|found|measured|says?|already|of the)\b/i.test(before)
  );
}

// --- sentences and words ---------------------------------------------------------------------------------------------

function sentenceAt(text: string, at: number): string {
  const { start, end } = boundsAt(text, at);
  return text.slice(start, end);
}

const MAX_REACH = 600;

/** Stops with a blank behind them, and line ends that end a paragraph, a list's item, a table's row: texts are wrapped. */
const STOP = /[.!?;](?=\s|$)|\n(?=[ \t]{0,12}(?:\n|[-*#|>+]|\d{1,3}[.)]))/g;

/** The sentence around a place. */
function boundsAt(text: string, at: number): { readonly start: number; readonly end: number } {
  const before = text.slice(Math.max(0, at - MAX_REACH), at);
  const stops = [...before.matchAll(STOP)];
  const start = stops.length === 0 ? at - before.length : at - before.length + (stops.at(-1)?.index ?? 0) + 1;
  const after = text.slice(at, at + MAX_REACH);
  const stop = after.search(STOP);
  return { start, end: at + (stop === -1 ? after.length : stop + 1) };
}

function lineAt(text: string, at: number): string {
  const start = text.lastIndexOf('\n', at - 1) + 1;
  const end = text.indexOf('\n', at);
  return text.slice(Math.max(start, at - MAX_REACH), end === -1 ? at + MAX_REACH : Math.min(end, at + MAX_REACH));
}

/** Long enough words, without their plural: what a line speaks of. `camelCase` and `snake_case` are several. */
function wordsOf(text: string): ReadonlySet<string> {
  const parts =
    text
      .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
      .toLowerCase()
      .match(/\p{L}{4,}/gu) ?? [];
  return new Set(parts.map((word) => word.replace(/(?:ies|es|s)$/, '')));
}
