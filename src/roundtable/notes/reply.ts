import { clipped } from '../../vault/notes/note-text.ts';

/**
 * An agent's reply about the file it wrote (contract, section 14). What it left out is null; `none` is an empty list.
 */
interface Reply {
  /** The path that it claims to have written. */
  readonly file: string | null;
  readonly perspectives: readonly Labelled[];
  readonly tensions: readonly Labelled[] | null;
  readonly moves: string | null;
  readonly claim: string | null;
}

/** `P01 [cost first] The cheaper offer …`: an id, a short label, and the rest. */
interface Labelled {
  readonly id: string;
  readonly label: string;
  readonly text: string;
}

const KEYS = ['FILE_WRITTEN', 'Perspectives', 'Tensions', 'Moves', 'Claim'] as const;
type Key = (typeof KEYS)[number];

/** The longest message that is kept, in characters. A longer one is cut, and the log says so. */
export const MAX_MESSAGE = 16_000;
const MAX_LINE = 2_000;
const MAX_LABELS = 12;

/** Reads an agent's reply of five lines. Ignores everything around and between them. Never throws. */
export function parseReply(text: string): Reply {
  const lines = keyedLines(clipped(text, MAX_MESSAGE));
  const valueAt = (key: Key) => {
    const value = lines.get(key) ?? '';
    return value === '' ? null : value;
  };
  return {
    file: valueAt('FILE_WRITTEN')?.replace(/^[`"'<]+|(?<![`"'>])[`"'>]+$/g, '') ?? null,
    perspectives: labelled(valueAt('Perspectives'), 'P'),
    tensions: valueAt('Tensions') === null ? null : labelled(valueAt('Tensions'), 'T'),
    moves: noneAsEmpty(valueAt('Moves')),
    claim: valueAt('Claim'),
  };
}

/** The longest of the five lines that others are shown, in characters. */
const MAX_SHOWN = 600;

/** Returns what others are shown of a reply: its lines but the first, or its beginning where it has none of them. */
export function linesOf(text: string): string {
  const lines = [...keyedLines(clipped(text, MAX_MESSAGE))].filter(
    ([key, value]) => key !== 'FILE_WRITTEN' && value !== '',
  );
  if (lines.length === 0) return clipped(text, MAX_SHOWN);
  return lines.map(([key, value]) => `${key}: ${clipped(value, MAX_SHOWN)}`).join('\n');
}

// A value continues until the next key or an empty line, since models break long lines. The last of two equal keys counts.
function keyedLines(text: string): ReadonlyMap<Key, string> {
  const found = new Map<Key, string>();
  let current: Key | null = null;
  for (const line of text.split(/\r?\n/)) {
    const [key, rest] = keyOf(line);
    if (key !== null) found.set(key, rest);
    else if (line.trim() === '') current = null;
    else if (current !== null) found.set(current, `${found.get(current)} ${line.trim()}`);
    if (key !== null) current = key;
  }
  return new Map([...found].map(([key, value]) => [key, clipped(value.trim(), MAX_LINE)]));
}

function keyOf(line: string): [Key, string] | [null, ''] {
  const bare = line.slice(0, MAX_LINE).replace(/^[\s>*_#-]+/, '');
  const key = KEYS.find((one) => bare.slice(0, one.length).toLowerCase() === one.toLowerCase());
  const rest = key === undefined ? null : /^[*_`]{0,3}\s?:[*_`]{0,3}(.*)$/.exec(bare.slice(key.length))?.[1];
  return key === undefined || rest == null ? [null, ''] : [key, rest.trim()];
}

function labelled(text: string | null, letter: 'P' | 'T'): Labelled[] {
  if (text === null || isNone(text)) return [];
  const parts = text.split(new RegExp(`\\b(?=${letter}\\d{2}\\b)`)).filter((part) => part.startsWith(letter));
  return parts.slice(0, MAX_LABELS).map((part) => {
    const [, id = '', label = '', rest = ''] = /^([PT]\d{2})\s?(?:\[([^\]]{0,80})\])?(.*)$/s.exec(part) ?? [];
    return { id, label: label.trim(), text: rest.replace(/^[\s:–-]+|(?<![\s|;,])[\s|;,]+$/g, '') };
  });
}

function noneAsEmpty(text: string | null): string | null {
  return text !== null && isNone(text) ? '' : text;
}

function isNone(text: string): boolean {
  return /^\W{0,3}none\b\W{0,3}$/i.test(text);
}
