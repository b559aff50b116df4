import { type Frontmatter, readNote } from '../vault/frontmatter.ts';
import { MAX_NOTE_BYTES } from '../vault/layout.ts';
import { oneLine } from '../vault/note-text.ts';
import { utc } from '../vault/time.ts';
import { messageWords, textHash, zonedIsoTime } from './chat.ts';
import { fileTitle, namedAuthor } from './chat-lines.ts';
import {
  FileRefusal,
  type ItemContent,
  type ItemReader,
  nothing,
  PLAIN_EVENT,
  type ReadContext,
  wholeFile,
} from './stream.ts';

interface PageText {
  readonly text: string;
  /** Its first heading; null if it has no heading. */
  readonly heading: string | null;
}

const TAG = /<\/?[a-z][a-z0-9-]{0,20}(?:\s[^<>]{0,2000})?\/?>/gi;
/** Elements that say how, or whether, they are shown. */
const STYLED =
  /<[a-z][a-z0-9-]{0,20}\s[^<>]{0,2000}?\b(?:style|class|hidden|aria-hidden|color|size)\b|<(?:style|script|template|noscript|details)\b/i;
const HEADING = /^#{1,2}[ \t]{1,8}(\S[^\n]{0,400})$/m;

/** Returns the text of a note's body as a reader sees it: its Markdown, without comments and tags. */
function pageText(body: string): PageText {
  const plain = body.replace(/\r\n?/g, '\n');
  // Comments of HTML, and those of Obsidian, are invisible.
  const shown = [...without([...without([plain], '<!--', '-->')], '%%', '%%')].join(' ').replace(TAG, '');
  return { text: shown.trim(), heading: HEADING.exec(shown)?.[1]?.trim() ?? null };
}

/** Yields the texts without the parts between two marks. A mark that is never closed hides all behind it. */
function* without(texts: Iterable<string>, open: string, close: string): Generator<string> {
  for (const text of texts) {
    let at = 0;
    while (at < text.length) {
      const from = text.indexOf(open, at);
      yield text.slice(at, from < 0 ? text.length : from);
      const until = from < 0 ? -1 : text.indexOf(close, from + open.length);
      at = until < 0 ? text.length : until + close.length;
    }
  }
}

const MAX_SUBJECT = 500;
const MAX_URL = 2000;
const URLS = ['source', 'url', 'link', 'source_url'];
const TIMES = ['created', 'clipped', 'saved', 'date'];
/** The fence that closes the frontmatter. */
const FENCE = /^(?:---|\.\.\.)[ \t]*\r?\n?/;
/** The notes of a vault itself: a copy of one contains no news. */
const OWN_TYPE = /^(?:matter|task|signal|instinct|roundtable|(?:steward|signal)-action(?:-[a-z]+)?)$/;
const HIDES = 'It contains HTML that may hide words from a reader.';

/** Reads a note as one event. Its frontmatter is plain YAML; no part of it is executed. */
export const readClipping: ItemReader = function* (source, from, context) {
  if (from > 0) return;
  const bytes = wholeFile(source, MAX_NOTE_BYTES);
  yield { at: 0, next: Math.max(1, source.size), place: 'the note', read: () => contentOf(bytes, context) };
};

function contentOf(bytes: Uint8Array, context: ReadContext): ItemContent {
  const read = readNote(context.file, Buffer.from(bytes));
  if (!read.ok) throw new FileRefusal(read.trouble.message, read.trouble.hint);
  const { data, text } = read.note;
  const body = pageText(text.slice(read.note.block?.end ?? 0).replace(FENCE, ''));
  const words = messageWords(body.text);
  if (words.text.trim() === '' && words.quoted.trim() === '') return nothing('no words');
  const url = urlIn(data);
  const subject = oneLine(textOf(data.title) ?? body.heading ?? fileTitle(context.file), MAX_SUBJECT);
  const event = { ...pageEvent(data, url, context), ...words, subject, doubts: STYLED.test(text) ? [HIDES] : [] };
  const key = `page ${url ?? subject} ${textHash(`${words.text}\n${words.quoted}`)}`;
  return { what: 'event', event, identity: { key, version: '', otherwise: 'other' } };
}

function pageEvent(data: Frontmatter, url: string | null, { file, sourceType, zone }: ReadContext) {
  const author = namedAuthor(textOf(data.author) ?? hostOf(url) ?? '');
  return {
    ...PLAIN_EVENT,
    path: file,
    sourceType,
    originAt: timeIn(data, zone),
    from: author.id,
    fromName: author.name,
    ownNote: OWN_TYPE.test(textOf(data.type) ?? ''),
    page: { url },
  };
}

/** Returns the first text of a field: authors and sources are often lists, and links. */
function textOf(value: unknown): string | null {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  if (typeof first !== 'string') return null;
  const plain = first.replace(/^\[\[([^\]|]{1,300})(?:\|[^\]]{0,300})?\]\]$/, '$1').trim();
  return plain === '' ? null : plain;
}

function urlIn(data: Frontmatter): string | null {
  const written = URLS.map((field) => textOf(data[field]) ?? '');
  const url = written.find((one) => /^https?:\/\/[^\s<>"]{3,}$/i.test(one));
  return url === undefined || url.length > MAX_URL ? null : url;
}

function hostOf(url: string | null): string | null {
  return url === null || !URL.canParse(url) ? null : new URL(url).hostname;
}

function timeIn(data: Frontmatter, zone: string): string | null {
  for (const field of TIMES) {
    const written = textOf(data[field]) ?? '';
    const at = zonedIsoTime(zone, /^\d{4}-\d\d-\d\d$/.test(written) ? `${written}T12:00:00` : written);
    if (at !== null) return utc(at);
  }
  return null;
}
