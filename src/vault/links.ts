import path from 'node:path';
import type { Frontmatter, Yaml } from './frontmatter.ts';
import { fold, stem } from './layout.ts';

// Links between notes: their targets, and how to write them.

/** Returns the target of a link as written: `[[folder/name|shown]]`, `[shown](path.md)`, a bare slug, or a path. */
export function linkTarget(written: string): string {
  const bare = before(before(linkedIn(written), '|'), '#').trim();
  const path = bare.startsWith('/') || bare.startsWith('./') ? bare.replace(/^\.?\//, '') : bare;
  return /\.md$/i.test(path) ? path.slice(0, -3) : path;
}

/** `[shown](path.md)`, also `(<path with blanks.md>)` and `(path.md "title")`. */
const MARKDOWN_LINK = /^\s*!?\[[^\]]*\]\((?:<([^<>]*)>|([^<>"()]*(?:\([^<>"()]*\)[^<>"()]*)?))(?:\s"[^"]*")?\s*\)\s*$/;

function linkedIn(written: string): string {
  if (!written.includes('[')) return written; // most are bare paths, and links are asked about often
  const wiki = /^\s*!?\[\[([^\]]*)\]\]\s*$/.exec(written);
  const markdown = wiki === null ? MARKDOWN_LINK.exec(written) : null;
  const path = markdown?.[1] ?? markdown?.[2];
  return wiki?.[1] ?? (path === undefined ? written : decodeAddress(path));
}

function before(text: string, mark: string): string {
  const at = text.indexOf(mark);
  return at === -1 ? text : text.slice(0, at);
}

/** Returns the key under which a link is matched with names and paths. */
export function linkKey(written: string): string {
  return fold(linkTarget(written));
}

/** Returns the last part of a link's key: the name it ends in. */
export function lastPart(linked: string): string {
  return linked.slice(linked.lastIndexOf('/') + 1);
}

/** The name that a link ends in, as names compare. */
export function nameKey(link: string): string {
  return lastPart(linkKey(link));
}

const RELATIVE = /^\.\.?\//;

/**
 * Returns a link as seen from the vault's folder: `[[../matter/house]]` in `task/pay.md` is `[[matter/house]]`. Any other text
 * is returned as it is, and so is a link that leads out of the vault. `from`: the path of the note that has the link.
 */
export function resolveRelative(written: string, from: string): string {
  if (!written.includes('./')) return written;
  const target = before(before(linkedIn(written), '|'), '#').trim();
  // `./matter/house.md` has always meant the folder of the vault, as for a command.
  if (!RELATIVE.test(target) || /^\.\/[^/]*\//.test(target)) return written;
  const whole = path.posix.join(path.posix.dirname(from), target.replace(/\.md$/i, ''));
  return whole.startsWith('../') || whole.includes(']') ? written : `[[${whole}]]`;
}

/** Returns a note's fields with the relative links in them resolved: those that are a whole value, or a member of a list. */
export function resolveLinks(fields: Frontmatter, from: string): Frontmatter {
  const resolved = (value: Yaml) => (typeof value === 'string' ? resolveRelative(value, from) : value);
  const entries = Object.entries(fields).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.map(resolved) : resolved(value),
  ]);
  return Object.fromEntries(entries);
}

/** Returns the wikilink to a note: its bare name in double brackets. */
export function wikilink(file: string): string {
  return `[[${stem(file)}]]`;
}

/** Returns the wikilink to a note by its whole path, for where another note has its name. */
export function pathLink(file: string): string {
  return `[[${file.replace(/\.md$/i, '')}]]`;
}

/** Returns a part of an address without its percent escapes; as it is if they are no text. */
export function decodeAddress(uri: string): string {
  try {
    return decodeURIComponent(uri);
  } catch {
    return uri; // a stray per cent sign: the text itself is the name
  }
}

/** Returns the titles of some notes, with as many of their folders as tell them apart. */
export function distinctTitles(paths: readonly string[]): string[] {
  const all = [...new Set(paths.map((one) => one.replace(/\.md$/i, '')))];
  return all.map((path) => {
    const parts = path.split('/');
    const isUnique = (title: string) => all.every((other) => other === path || !`/${other}`.endsWith(`/${title}`));
    return parts.map((_, nth) => parts.slice(-nth - 1).join('/')).find(isUnique) ?? path;
  });
}
