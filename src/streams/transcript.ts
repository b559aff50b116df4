import { z } from 'zod';
import {
  type JsonValues,
  messageItems,
  Occurrences,
  parsedJson,
  type RecordedMeeting,
  readMeeting,
  type Turn,
  turnContent,
  turnStart,
  wholeText,
} from './chat.ts';
import {
  bracketedSpeaker,
  labelledLine,
  parseSeconds,
  type SpokenLine,
  splitLines,
  spokenLine,
  spokenLines,
} from './chat-lines.ts';
import { type Item, type ItemContent, type ItemReader, type ReadContext, refused } from './stream.ts';

const MOST_BYTES = 32 * 1024 * 1024;
const HEADING = 1000;
const MOST_TEXT = 16_000;
/** No meeting has lasted so long when its first word is said: such a time is that of a clock. */
const CLOCK = 5 * 3600;

/** A turn with the number of its first line, from 0 on, and that of the line behind it. */
interface Stretch {
  readonly line: number;
  readonly end: number;
  readonly speaker: string | null;
  readonly second: number | null;
  readonly text: string;
}

/** Reads the transcript of a meeting: each turn of a speaker is one item. */
export const readTranscript: ItemReader = function* (source, from, context) {
  const text = wholeText(source, MOST_BYTES);
  const seen = new Occurrences();
  let meeting: RecordedMeeting | null = null;
  for (const { line, end, ...turn } of stretchesIn(text)) {
    meeting ??= meetingFor(context.file, text, turn.second, context);
    const nth = seen.next(String(turn.second), `${turn.speaker ?? ''}\0${turnStart(turn.text)}`);
    const known = meeting;
    if (line < from) continue;
    yield { at: line, next: end, place: `line ${line + 1}`, read: () => turnContent({ ...turn, nth }, known, context) };
  }
};

function meetingFor(
  file: string,
  text: string,
  first: number | null,
  context: { readonly zone: string },
): RecordedMeeting {
  const meeting = readMeeting(file, text.slice(0, HEADING), context);
  return (first ?? 0) >= CLOCK ? { ...meeting, began: meeting.midnight } : meeting;
}

/** Yields who speaks how long. Text before the first named speaker is a heading. */
function* stretchesIn(text: string): Generator<Stretch> {
  let open: Gathered | null = null;
  let second: number | null = null;
  let end = 0;
  for (const line of spokenLines(text)) {
    const { nth, speaker } = line;
    second = line.second ?? second;
    if (speaker !== null && (speaker !== open?.speaker || open.isFull)) {
      if (open !== null) yield open.upTo(nth);
      open = new Gathered(nth, speaker, second);
    }
    open?.add(line.text);
    end = nth + 1;
  }
  if (open !== null) yield open.upTo(end);
}

/** A turn that is still being read. */
class Gathered {
  readonly #line: number;
  readonly speaker: string;
  readonly #second: number | null;
  readonly #lines: string[] = [];
  #length = 0;

  constructor(line: number, speaker: string, second: number | null) {
    this.#line = line;
    this.speaker = speaker;
    this.#second = second;
  }

  get isFull(): boolean {
    return this.#length > MOST_TEXT;
  }

  add(words: string): void {
    if (words !== '' && !this.isFull) this.#lines.push(words);
    this.#length += words.length + 1;
  }

  upTo(end: number): Stretch {
    return { line: this.#line, end, speaker: this.speaker, second: this.#second, text: this.#lines.join('\n') };
  }
}

/** `<v Anna Weber>`, `<v.loud Anna>`. */
const VOICE = /<v(?:\.[^\s<>]{1,60})?[ \t]([^<>\n]{1,120})>/g;
const TAGS = /<\/?[a-z0-9][^<>\n]{0,200}>|\{\\[^{}\n]{1,100}\}/gi;
const ENTITY = /&(?:amp|lt|gt|nbsp|lrm|rlm|quot|#39);/g;
const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&nbsp;': ' ',
  '&quot;': '"',
  '&#39;': "'",
};

interface Voice {
  /** Null if the cue names no speaker. */
  readonly name: string | null;
  readonly text: string;
}

/** Returns what the voices of a cue say, without marks. */
function voicesIn(lines: readonly string[]): readonly Voice[] {
  const text = lines.join('\n');
  const marks = [...text.matchAll(VOICE)];
  const first = { name: null, text: plain(text.slice(0, marks[0]?.index)) };
  const voices = marks.map((mark, nth) => ({
    name: plain(mark[1] ?? ''),
    text: plain(text.slice(mark.index + mark[0].length, marks[nth + 1]?.index)),
  }));
  return [first, ...voices].filter((voice) => voice.text !== '');
}

function plain(text: string): string {
  return text
    .replace(TAGS, '')
    .replace(ENTITY, (entity) => ENTITIES[entity] ?? '')
    .trim();
}

interface Cue {
  /** The number of its first line, from 0 on, and that of the line behind it. */
  readonly line: number;
  readonly end: number;
  /** Seconds from the beginning; null if its times cannot be read. */
  readonly from: number | null;
  readonly until: number;
  readonly lines: readonly string[];
}

const ARROW = '-->';
/** Blocks that say how something is shown, and comments. */
const NO_CUE = /^(?:WEBVTT|NOTE|STYLE|REGION)(?:[ \t]|$)/;
const MOST_LINES = 200;
const MOST_LINE = 2000;

/** Yields the cues of a file in order, those with times that cannot be read among them. */
function* cuesIn(text: string): Generator<Cue> {
  let block: string[] = [];
  let [start, last] = [0, 0];
  for (const { nth, text: line } of splitLines(text)) {
    last = nth + 1;
    if (line.trim() === '') {
      yield* cuesOf(block, start, nth);
      block = [];
      continue;
    }
    // A time in the middle of a block begins the next cue: its blank line was lost.
    if (line.includes(ARROW) && block.some((one) => one.includes(ARROW))) {
      const carried = /^\d{1,9}$/.test(block.at(-1)?.trim() ?? '') ? block.splice(-1) : [];
      yield* cuesOf(block, start, nth - carried.length);
      block = carried;
      start = nth - carried.length;
    }
    if (block.length === 0) start = nth;
    if (block.length < MOST_LINES) block.push(line.slice(0, MOST_LINE));
  }
  yield* cuesOf(block, start, last);
}

function* cuesOf(block: readonly string[], line: number, end: number): Generator<Cue> {
  const arrow = block.findIndex((one) => one.includes(ARROW));
  if (arrow < 0 || NO_CUE.test(block[0] ?? '')) return;
  const [before = '', after = ''] = (block[arrow] ?? '').split(ARROW);
  const [from, until] = [parseSeconds(before), parseSeconds(after.trim().split(/\s/, 1)[0] ?? '')];
  const lines = block.slice(arrow + 1);
  yield { line, end, from: until === null ? null : from, until: until ?? 0, lines };
}

const SUBTITLES_HEADING = 2000;
/**
 * A speaker who goes on after so long a silence, in seconds, begins a new turn; so does an unnamed one after so long a
 * speech.
 */
const SILENCE = 10;
const LONGEST_UNNAMED = 60;
/**
 * How many voices of one cue are distinguished. An item is named by the line of its cue, and by which voice of it
 * speaks.
 */
const MOST_VOICES = 100;
const MOST_LABELS = 10_000;

interface Line {
  readonly line: number;
  readonly at: number;
  readonly end: number;
  readonly speaker: string | null;
  readonly from: number | null;
  readonly until: number;
  readonly text: string;
}

/** Reads subtitles: each turn of a speaker is one item; of speakers who are not named, each stretch. */
export const readSubtitles: ItemReader = function* (source, from, context) {
  const text = wholeText(source, MOST_BYTES);
  const meeting = readMeeting(context.file, text.slice(0, SUBTITLES_HEADING), context);
  const seen = new Occurrences();
  for (const lines of turnsIn(text)) {
    const turn = turnOf(lines, seen);
    if (turn !== null && turn.first.at >= from) yield itemOf(turn, meeting, context);
  }
};

/** A turn with its first line and its last. */
interface LinedTurn extends Turn {
  readonly first: Line;
  readonly last: Line;
}

function turnOf(lines: readonly Line[], seen: Occurrences): LinedTurn | null {
  const [first, last] = [lines[0], lines.at(-1)];
  if (first === undefined || last === undefined) return null;
  const text = lines.map((line) => line.text).join('\n');
  const nth = seen.next(String(first.from), `${first.speaker ?? ''}\0${turnStart(text)}`);
  return { first, last, speaker: first.speaker, second: first.from, text, nth };
}

function itemOf(turn: LinedTurn, meeting: RecordedMeeting, context: ReadContext): Item {
  const { first, last } = turn;
  const place = { at: first.at, next: last.end, place: `line ${first.line + 1}` };
  if (first.from !== null) return { ...place, read: () => turnContent(turn, meeting, context) };
  return { ...place, read: () => refused('Its times cannot be read.') };
}

/** Yields the lines that one speaker says after one another. */
function* turnsIn(text: string): Generator<readonly Line[]> {
  let turn: Line[] = [];
  let length = 0;
  for (const line of linesIn(text)) {
    if (goesOn(turn, line, length)) {
      turn.push(line);
      length += line.text.length;
      continue;
    }
    if (turn.length > 0) yield turn;
    [turn, length] = [[line], line.text.length];
  }
  if (turn.length > 0) yield turn;
}

function goesOn(turn: readonly Line[], line: Line, length: number): boolean {
  const [first, last] = [turn[0], turn.at(-1)];
  if (first === undefined || last === undefined || last.from === null || line.from === null) return false;
  if (first.speaker !== line.speaker || line.from - last.until > SILENCE || length > MOST_TEXT) return false;
  return first.speaker !== null || line.from - (first.from ?? 0) < LONGEST_UNNAMED;
}

/** Yields what is said, cue by cue. A line that rolls up and is shown again is said once. */
function* linesIn(text: string): Generator<Line> {
  let shown: readonly string[] = [];
  let carried: string | null = null;
  const labels = labelsIn(text);
  for (const cue of cuesIn(text)) {
    const fresh = cue.lines.filter((line) => line.trim() !== '' && !shown.includes(line));
    shown = cue.lines;
    const voices = cue.from === null ? [UNREADABLE] : voicesIn(fresh).slice(0, MOST_VOICES);
    for (const [nth, { name, text: words }] of voices.entries()) {
      const named = name === null ? namedIn(words, labels) : null;
      const speaker: string | null = name ?? named?.speaker ?? (isNewVoice(words) ? null : carried);
      // A mark counts for its own cue; a name in the text applies until another one.
      carried = name === null ? speaker : null;
      const isLast = nth === voices.length - 1;
      const at = cue.line * MOST_VOICES + nth;
      yield {
        line: cue.line,
        at,
        end: isLast ? cue.end * MOST_VOICES : at + 1,
        from: cue.from,
        until: cue.until,
        speaker,
        text: named?.text ?? words,
      };
    }
  }
}

const UNREADABLE = { name: null, text: '' } as const;

/** Returns texts before a colon at the beginning of several cues: names, however they are written. */
function labelsIn(text: string): ReadonlySet<string> {
  const [once, again] = [new Set<string>(), new Set<string>()];
  for (const { lines } of cuesIn(text)) {
    const label = labelledLine(lines[0] ?? '')?.speaker;
    if (label !== undefined && once.has(label)) again.add(label);
    else if (label !== undefined && once.size < MOST_LABELS) once.add(label);
  }
  return again;
}

function namedIn(words: string, labels: ReadonlySet<string>): SpokenLine | null {
  const said = words.replace(/^[-–>\s]+/, '');
  const labelled = labelledLine(said);
  if (labelled !== null && labels.has(labelled.speaker)) return labelled;
  return spokenLine(said) ?? bracketedSpeaker(said);
}

/** `>> ` and `- ` say that another speaks; so may a label before a colon. */
function isNewVoice(text: string): boolean {
  return /^(?:>>|-)\s/.test(text) || labelledLine(text) !== null;
}

const segment = z.object({
  /** Seconds from the beginning of the meeting. */
  start: z.number().min(0),
  text: z.string().max(MOST_TEXT),
  speaker: z.string().nullish(),
});

const ZONED = /(?:Z|[+-]\d\d:?\d\d)$/i;

/** Reads the answer of Vexa's `/transcripts/{platform}/{native_meeting_id}`: each segment is one item. */
export const readVexa: ItemReader = (source, from, context) =>
  messageItems(
    source,
    from,
    ([list, ...outer]) => list === 'segments' && outer.length === 0,
    (text, [meeting]) => segmentContent(parsedJson(segment, text), meeting, context),
  );

function segmentContent(
  read: z.infer<typeof segment> | null,
  meeting: JsonValues | undefined,
  context: ReadContext,
): ItemContent {
  if (read === null) return refused("It isn't a segment of Vexa.");
  const written = (name: string) => String(meeting?.get(name) ?? '').trim();
  const time = written('start_time');
  // Vexa writes UTC, often without saying so.
  const began = Date.parse(ZONED.test(time) ? time : `${time}Z`);
  const speaker = read.speaker?.trim() || null;
  const known = {
    title: readMeeting(context.file, '', context).title,
    began: Number.isNaN(began) ? null : began,
    midnight: null,
    key: ['vexa', written('platform'), written('native_meeting_id'), time].join(' '),
  };
  return turnContent({ speaker, second: read.start, text: read.text.trim(), nth: 1 }, known, context);
}
