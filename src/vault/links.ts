import { fold, stem } from './note-names.ts';

/** Returns the target of a link as written: `[[folder/name|shown]]`, `[shown](path.md)`, a bare slug, or a path. */
export function linkTarget(written: string): string {
  const bare = before(before(linkedIn(written), '|'), '#').trim();
  const path = bare.startsWith('/') || bare.startsWith('./') ? bare.replace(/^\.?\//, '') : bare;
  return /\.md$/i.test(path) ? path.slice(0, -3) : path;
}

function linkedIn(written: string): string {
  if (!written.includes('[')) return written; // most are bare paths, and links are asked about often
  const wiki = /^\s*!?\[\[([^\]]*)\]\]\s*$/.exec(written);
  const markdown = wiki === null ? /^\s*\[[^\]]*\]\(<?([^)>]*)>?\)\s*$/.exec(written) : null;
  return wiki?.[1] ?? (markdown?.[1] === undefined ? written : decoded(markdown[1]));
}

function before(text: string, mark: string): string {
  const at = text.indexOf(mark);
  return at === -1 ? text : text.slice(0, at);
}

/** Returns the key under which a link is matched with names and paths. */
export function linkKey(written: string): string {
  return fold(linkTarget(written));
}

/** Returns the wikilink to a note: its bare name in double brackets. */
export function wikilink(file: string): string {
  return `[[${stem(file)}]]`;
}

function decoded(uri: string): string {
  try {
    return decodeURIComponent(uri);
  } catch {
    return uri; // a stray per cent sign: the text itself is the name
  }
}
