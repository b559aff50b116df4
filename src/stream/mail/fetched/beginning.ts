/** A part of which the beginning is there: its header, and where its body begins. */
interface Opened {
  readonly header: string;
  readonly body: number;
}

/** No mail that a person reads nests its text deeper. */
const MOST_DEPTH = 10;
/** So many parts may stand before the text. */
const MOST_PARTS = 20;

/** Whether these bytes are a header block, with nothing below. */
export function isHeadersOnly(bytes: Buffer): boolean {
  const { body } = openedAt(bytes.toString('latin1'), 0);
  return bytes.subarray(body).every((byte) => byte <= 0x20);
}

/**
 * Returns of the beginning of a mail all up to the end of its plain text; null where that does not end there, or where the
 * mail has none before its HTML.
 */
export function upToText(bytes: Buffer): Buffer | null {
  const mail = bytes.toString('latin1');
  const end = endOfText(mail, 0, null, 0);
  return end === null ? null : bytes.subarray(0, end);
}

/** `around`: the line that ends the part. Returns where the plain text in it ends. */
function endOfText(mail: string, at: number, around: string | null, depth: number): number | null {
  const { header, body } = openedAt(mail, at);
  const type = /^content-type:\s*([^\s;]+)/im.exec(header)?.[1]?.toLowerCase() ?? 'text/plain';
  if (!type.startsWith('multipart/')) {
    const end = type === 'text/plain' && !isAttached(header) && around !== null ? lineAt(mail, around, body) : null;
    return end !== null && mail.slice(body, end).trim() !== '' ? end : null;
  }
  const boundary = boundaryIn(header);
  if (boundary === null || depth >= MOST_DEPTH) return null;
  const line = `--${boundary}`;
  let part = lineAt(mail, line, body);
  for (let nth = 0; part !== null && nth < MOST_PARTS; nth += 1) {
    const start = afterLine(mail, part);
    const end = endOfText(mail, start, line, depth + 1);
    if (end !== null) return end;
    if (!isPassedOver(mail, start)) return null;
    part = lineAt(mail, line, start);
  }
  return null;
}

/** Whether a part before the text is no text itself: a picture, or what is attached. */
function isPassedOver(mail: string, at: number): boolean {
  const { header } = openedAt(mail, at);
  return isAttached(header) || /^content-type:\s*(?:image|application|audio|video)\//im.test(header);
}

function isAttached(header: string): boolean {
  return /^content-disposition:\s*attachment\b/im.test(header);
}

function boundaryIn(header: string): string | null {
  const type = /^content-type:.*$/im.exec(header)?.[0] ?? '';
  const found = /;\s*boundary\s*=\s*(?:"([^"]*)"|([^\s;]*))/i.exec(type);
  const boundary = (found?.[1] ?? found?.[2] ?? '').trimEnd();
  return boundary === '' ? null : boundary;
}

function openedAt(mail: string, at: number): Opened {
  const first = /\r*\n/y;
  first.lastIndex = at;
  if (first.test(mail)) return { header: '', body: first.lastIndex };
  const blank = /\n\r*\n/g;
  blank.lastIndex = at;
  const body = blank.test(mail) ? blank.lastIndex : mail.length;
  return { header: unfolded(mail.slice(at, body)), body };
}

function unfolded(header: string): string {
  return header.replaceAll('\r', '').replace(/\n(?=[ \t])/g, '');
}

/** Returns where a line begins with `line` from `at` on, or null. */
function lineAt(mail: string, line: string, at: number): number | null {
  if (mail.startsWith(line, at)) return at;
  const found = mail.indexOf(`\n${line}`, at);
  return found < 0 ? null : found + 1;
}

function afterLine(mail: string, at: number): number {
  const end = mail.indexOf('\n', at);
  return end < 0 ? mail.length : end + 1;
}
