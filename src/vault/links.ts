import { fold, stem } from './note-names.ts';

/** Returns the target of a link as written: `[[folder/name|shown]]`, `[shown](path.md)`, a bare slug, or a path. */
export function linkTarget(written: string): string {
  const wiki = /^\s*!?\[\[([^\]]*)\]\]\s*$/.exec(written);
  const markdown = wiki === null ? /^\s*\[[^\]]*\]\(<?([^)>]*)>?\)\s*$/.exec(written) : null;
  const inner = wiki?.[1] ?? (markdown?.[1] === undefined ? written : decoded(markdown[1]));
  const bare = (inner.split('|')[0] ?? '').split('#')[0] ?? '';
  return bare
    .trim()
    .replace(/^\.?\//, '')
    .replace(/\.md$/i, '');
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
