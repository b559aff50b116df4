/** How many bytes from a postmark on are looked at to know it for one. */
export const LOOKED_AT = 4096;

/**
 * `From anna@home.example Thu Nov 22 12:34:56 2035`, in the forms that programs write: without seconds, with a zone before
 * or after the year, with the day before the month, and `remote from host` at the end. What stands before the date may be
 * anything, or nothing.
 */
const POSTMARK =
  /^From (?:.{0,400}[ \t])?(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),?[ \t]{1,4}(?:(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[ \t]{1,4}\d{1,2}|\d{1,2}[ \t-](?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)(?:[ \t-]\d{2,4})?),?[ \t]{1,4}\d{1,2}:\d\d(?::\d\d)?(?:[ \t]{1,4}(?:[+-]\d{4}|\(?[A-Z][A-Za-z]{0,7}\)?|\d{4}|\d\d)){0,4}(?:[ \t]{1,4}remote from [^\s]{1,255})?[ \t]{0,4}$/;
const YEAR = /(?:[ \t-]\d{4}|\d\d[ \t]\d\d)(?:[ \t]|$)/;
/** What Thunderbird and Google Takeout write where they have no date. */
const UNDATED = /^From (?:-|\d{8,20}@xxx)[ \t]{0,4}$/;
/** What git writes above a patch, which may lie in a mail as it is. */
const PATCH = /^From [\da-f]{40,64} Mon Sep 17 00:00:00 2001$/;
/** The name of a header and its colon; at the end of a file that is still being written, the name may be cut off. */
const HEADER = /^[!-9;-~]{1,128}[ \t]{0,4}:/;
const CUT_HEADER = /^[!-9;-~]{0,128}$/;
/** What a program of old put below the postmark: those of the hosts before it. */
const QUOTED = /^>From /;
const CONTINUED = /^[ \t]/;
const LF = 0x0a;

/**
 * Whether a mail begins with these bytes: with a postmark, and below it the line of a header. A mail without any
 * content is one where the file ends below it, or the next postmark follows. `isWhole`: the file ends with these bytes.
 */
export function isPostmark(bytes: Uint8Array, isWhole: boolean): boolean {
  const ends = isWhole && bytes.length <= LOOKED_AT;
  const mark = lineAt(bytes, 0);
  if (!isMark(mark.text)) return false;
  const lines = linesFrom(bytes, mark.next);
  for (const { text, isCut } of lines) {
    if (QUOTED.test(text)) continue;
    if (HEADER.test(text)) return true;
    return ends && isCut ? CUT_HEADER.test(text) : text === '' && isEmptyMail(lines, ends);
  }
  return ends;
}

/** Headers that stand at the top of a mail. */
const USUAL =
  /^(?:return-path|received|delivered-to|envelope-to|x-[\w-]{1,80}|from|to|cc|date|sender|reply-to|message-id|in-reply-to|references|subject|mime-version|content-[\w-]{1,80}|status|list-[\w-]{1,80}|mailing-list|precedence|authentication-results|dkim-signature|arc-[\w-]{1,80})[ \t]{0,4}:/i;

/**
 * Whether a mail begins with these bytes although the line above is not blank: some programs leave that out. It takes two
 * headers of the kind that stands at the top of a mail.
 */
export function isTightPostmark(bytes: Uint8Array): boolean {
  const mark = lineAt(bytes, 0);
  if (!isMark(mark.text)) return false;
  let headers = 0;
  for (const { text } of linesFrom(bytes, mark.next)) {
    if (QUOTED.test(text) || (headers > 0 && CONTINUED.test(text))) continue;
    if (!USUAL.test(text)) return false;
    headers += 1;
    if (headers === 2) return true;
  }
  return false;
}

interface Line {
  readonly text: string;
  readonly next: number;
  /** Whether the bytes end before the line does. */
  readonly isCut: boolean;
}

// Line by line: a mailbox may be made of what looks like a postmark, and only its first line is looked at then.
function* linesFrom(bytes: Uint8Array, from: number): Generator<Line, undefined> {
  for (let at = from; at < Math.min(bytes.length, LOOKED_AT); ) {
    const line = lineAt(bytes, at);
    yield line;
    at = line.next;
  }
}

function lineAt(bytes: Uint8Array, at: number): Line {
  const looked = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, LOOKED_AT));
  const end = looked.indexOf(LF, at);
  const line = looked.toString('latin1', at, end < 0 ? looked.length : end);
  const text = line.endsWith('\r') ? line.slice(0, -1) : line;
  return { text, next: end < 0 ? looked.length : end + 1, isCut: end < 0 };
}

function isEmptyMail(lines: Iterable<Line>, isWhole: boolean): boolean {
  for (const { text } of lines) if (text !== '') return isMark(text);
  return isWhole;
}

function isMark(line: string): boolean {
  return UNDATED.test(line) || (POSTMARK.test(line) && YEAR.test(line) && !PATCH.test(line));
}
