import { isName, linesOf, secondsIn, spokenLine } from './chats-file-title.ts';

/** What a line of a transcript says: who speaks from here on, at what time, or only more words. */
interface TranscriptLine {
  /** Null where the line names nobody: whoever spoke before goes on. */
  readonly speaker: string | null;
  /** Seconds; null where the line has no time. */
  readonly second: number | null;
  readonly text: string;
  /** Whether it is nothing but a stretch of time, behind which a name stands on a line of its own. */
  readonly isSpan: boolean;
}

const TIME = '\\d{1,2}:\\d{1,2}(?::\\d{1,2})?(?:[.,]\\d{1,7})?';
/** `[00:12:03] `, `(0:03) `, `00:12:03 - `, at the beginning of a line. */
const TIMED = new RegExp(`^[ ]{0,8}[\\[(]?(${TIME})[\\])]?(?:[ \\t]{1,8}[-–][ \\t]{1,8}|[ \\t:]{1,8}|$)`);
/** `Anna Weber  0:03`, `Anna Weber (00:12:03):`, `[Anna Weber] 08:15:32`. */
const NAME_AND_TIME = new RegExp(
  `^[ ]{0,8}[\\[]?([^\\d\\[\\]():][^\\[\\]():\\t]{0,60}?)[\\]]?[,]?[ \\t]{1,8}[\\[(]?(${TIME})(?:[ ]?([ap])\\.?m\\.?)?[\\])]?[ ]?:?(?:[ \\t]{1,8}|$)`,
  'i',
);
/** `From Anna Weber to Everyone: …`, as Zoom keeps what was typed. */
const TYPED = /^From[ \t]{1,8}([^:\t]{1,80}?)[ \t]{1,8}(?:to[ \t]{1,8}[^:\t]{1,80})?:[ \t]{0,8}/i;
const SPAN = new RegExp(`^[ ]{0,8}(${TIME})[ ]?-->[ ]?${TIME}[ ]{0,8}$`);
const LONGEST_HEAD = 200;
const [FEWEST_TIMED, FEWEST_NAMED, SHARE] = [3, 4, 0.3];
const LOOKED_AT = 200;

/** Returns what a line says. */
function transcriptLine(line: string): TranscriptLine {
  const head = line.slice(0, LONGEST_HEAD);
  const span = SPAN.exec(head);
  if (span !== null) return { speaker: null, second: secondsIn(span[1] ?? ''), text: '', isSpan: true };
  const time = TIMED.exec(head);
  if (time !== null) return timedLine(secondsIn(time[1] ?? ''), line.slice(time[0].length));
  const both = NAME_AND_TIME.exec(head);
  const name = both?.[1]?.trim() ?? '';
  if (both === null || !isName(name)) return { ...said(line), second: null, isSpan: false };
  const second = clockSeconds(both[2] ?? '', both[3] ?? null);
  return { speaker: name, second, text: line.slice(both[0].length).trim(), isSpan: false };
}

/** `0:03 Anna Weber` on a line of its own; one word alone may as well be what was said. */
function timedLine(second: number | null, rest: string): TranscriptLine {
  const alone = rest.trim();
  if (/\s/.test(alone) && isName(alone)) return { speaker: alone, second, text: '', isSpan: false };
  return { ...said(rest), second, isSpan: false };
}

function said(line: string): Pick<TranscriptLine, 'speaker' | 'text'> {
  const typed = TYPED.exec(line.slice(0, LONGEST_HEAD));
  if (typed !== null) return { speaker: typed[1]?.trim() ?? '', text: line.slice(typed[0].length).trim() };
  return spokenLine(line) ?? { speaker: null, text: line.trim() };
}

function clockSeconds(written: string, half: string | null): number | null {
  if (half === null) return secondsIn(written);
  const [hour = 0, minute = 0, second = 0] = written.split(':').map(Number);
  return ((hour % 12) + (/p/i.test(half) ? 12 : 0)) * 3600 + minute * 60 + Math.floor(second);
}

/** Yields the lines that say something. A name on a line of its own behind a stretch of time says who speaks. */
export function* spokenLines(text: string): Generator<TranscriptLine & { readonly nth: number }> {
  let isBehindSpan = false;
  for (const { nth, text: written } of linesOf(text)) {
    if (written.trim() === '') continue;
    const line = transcriptLine(written);
    const isNameAlone = isBehindSpan && line.speaker === null && isName(line.text);
    isBehindSpan = line.isSpan;
    yield isNameAlone ? { ...line, nth, speaker: line.text, text: '' } : { ...line, nth };
  }
}

/** Whether a text looks like a transcript: many lines say who speaks, and somebody does so more than once. */
export function looksSpoken(text: string): boolean {
  const speakers: string[] = [];
  let [lines, withTime] = [0, 0];
  for (const { nth, speaker, second } of spokenLines(text.replace(/\r\n?/g, '\n'))) {
    if (nth > LOOKED_AT) break;
    lines += 1;
    if (speaker !== null) speakers.push(speaker);
    if (second !== null) withTime += 1;
  }
  if (withTime >= FEWEST_TIMED && speakers.length > 0) return true;
  const isRepeated = new Set(speakers).size < speakers.length;
  return speakers.length >= FEWEST_NAMED && isRepeated && speakers.length >= lines * SHARE;
}
