/** A part of a mail: what its header says of it, and the parts that lie directly in it. */
interface Part {
  /** Such as `text/html`, in lower case. */
  readonly type: string;
  readonly isAttached: boolean;
  /** Whether it says one thing twice, so that programs may read it in different ways. */
  readonly isAmbiguous: boolean;
  readonly children: readonly Part[];
}

/** The lines of a mail, from one to before another. */
interface Stretch {
  readonly lines: readonly string[];
  readonly from: number;
  readonly to: number;
}

/** A mail that nests deeper is not read at all. */
const MAX_DEPTH = 50;
/** No mail that a person reads has more parts side by side. */
const MAX_PARTS = 1000;
const ONCE: readonly string[] = ['content-type', 'content-transfer-encoding', 'content-disposition'];
/** What stands beside a text as another version of it in honest mails: the two that are read, and what no program shows in its place. */
const USUAL = /^(?:text\/(?:plain|html|calendar)|image\/.*|application\/(?!xhtml).*)$/;
const READ = /^text\/(?:plain|html)$/;

/**
 * Returns why some programs may show another text than the one that is read, in a few words: a mail has versions of which
 * each program shows one, or says twice what a part is. Null where nothing speaks for that.
 */
export function versionDoubt(bytes: Uint8Array): string | null {
  const lines = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString('latin1')
    .split(/\r\n|\n|\r/);
  return doubtOf(partIn({ lines, from: 0, to: lines.length }, 0));
}

function doubtOf(part: Part): string | null {
  if (part.isAmbiguous) return 'it says twice what a part of it is';
  if (part.children.length >= MAX_PARTS) return 'it has more parts than are looked at';
  const shown = part.children.filter(({ isAttached }) => !isAttached).map(shownAs);
  const texts = shown.filter((type) => READ.test(type));
  const isDoubled = part.type === 'multipart/alternative' && new Set(texts).size < texts.length;
  const isOdd = part.type === 'multipart/alternative' && !shown.every((type) => USUAL.test(type));
  if (isDoubled || isOdd || (part.type === 'multipart/related' && texts.length > 1))
    return 'some programs show another version of it';
  return part.children.map(doubtOf).find((doubt) => doubt !== null) ?? null;
}

/** Of parts that belong together the first one says what they are. */
function shownAs({ type, children: [first] }: Part): string {
  return first !== undefined && type.startsWith('multipart/') ? shownAs(first) : type;
}

function partIn({ lines, from, to }: Stretch, depth: number): Part {
  const end = headerEnd({ lines, from, to });
  const header = unfolded(lines.slice(from, end));
  const valueIn = (name: string) => header.find((field) => field.name === name)?.value ?? '';
  const contentType = valueIn('content-type');
  const type = /^\s*([^\s;]+)/.exec(contentType)?.[1]?.toLowerCase() ?? 'text/plain';
  const boundaries = [...contentType.matchAll(/;\s*boundary(\*[\d*]*)?\s*=\s*(?:"([^"]*)"|([^\s;]*))/gi)];
  const [first] = boundaries;
  const boundary = (first?.[2] ?? first?.[3] ?? '').trimEnd();
  const isTwice = ONCE.some((name) => header.filter((field) => field.name === name).length > 1);
  const isSplit = type.startsWith('multipart/') && (boundaries.length > 1 || first?.[1] !== undefined);
  const hasParts = type.startsWith('multipart/') && boundary !== '' && depth < MAX_DEPTH;
  return {
    type,
    isAttached: /^\s*attachment\b/i.test(valueIn('content-disposition')),
    isAmbiguous: isTwice || isSplit,
    children: hasParts ? partsIn({ lines, from: end + 1, to }, boundary).map((one) => partIn(one, depth + 1)) : [],
  };
}

function headerEnd({ lines, from, to }: Stretch): number {
  let end = from;
  while (end < to && lines[end] !== '') end += 1;
  return end;
}

function unfolded(lines: readonly string[]): readonly { readonly name: string; readonly value: string }[] {
  const text = lines.join('\n').replace(/\n[ \t]/g, ' ');
  return text.split('\n').map((line) => {
    const colon = line.indexOf(':');
    return { name: line.slice(0, Math.max(0, colon)).trim().toLowerCase(), value: line.slice(colon + 1) };
  });
}

function partsIn({ lines, from, to }: Stretch, boundary: string): readonly Stretch[] {
  const marks: number[] = [];
  for (let at = from; at < to && marks.length <= MAX_PARTS; at += 1) {
    if (lines[at]?.startsWith('--') !== true) continue;
    const line = lines[at]?.trimEnd() ?? '';
    if (line === `--${boundary}`) marks.push(at);
    if (line === `--${boundary}--`) {
      marks.push(at);
      break;
    }
  }
  const last = lines[marks.at(-1) ?? to]?.trimEnd() === `--${boundary}--` ? [] : [to];
  const ends = [...marks.slice(1), ...last];
  return ends.map((end, nth) => ({ lines, from: (marks[nth] ?? from) + 1, to: end }));
}
