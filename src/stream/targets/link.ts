/** A link to a note in a text. */
interface ExplicitLink {
  /** As written: a name, or a path with or without `.md`. */
  readonly target: string;
  readonly start: number;
}

const WIKILINK = /\[\[([^[\]|#^\n]{1,300})(?:[#^|][^[\]\n]{0,300})?\]\]/gu;
const OBSIDIAN = /obsidian:\/\/open\?([^\s<>"')\]]{1,1000})/giu;
const NOTE_PATH =
  /(?<![\p{L}\p{N}/._-])((?:[\p{L}\p{N}_-][\p{L}\p{N}_.-]{0,80}\/){1,6}[\p{L}\p{N}_-][\p{L}\p{N}_.-]{0,120}\.md)(?![\p{L}\p{N}])/giu;
const MAX_LINKS = 20;

/** Returns the notes that a text links to, at most 20: `[[name]]`, `[[folder/name|shown]]`, `obsidian://open?file=…`, or a path ending in `.md`. */
export function linksIn(text: string): readonly ExplicitLink[] {
  const wikilinks = [...text.matchAll(WIKILINK)].map((match) => ({ target: match[1] ?? '', start: match.index }));
  const urls = [...text.matchAll(OBSIDIAN)].map((match) => ({ target: fileOf(match[1] ?? ''), start: match.index }));
  const paths = [...text.matchAll(NOTE_PATH)].map((match) => ({ target: match[1] ?? '', start: match.index }));
  return [...wikilinks, ...urls, ...paths].filter((link) => link.target.trim() !== '').slice(0, MAX_LINKS);
}

/** Returns the key under which a link's target is looked up: case-folded, NFC, without `.md`. */
export function foldedTarget(target: string): string {
  const folded = target.normalize('NFC').trim().replaceAll('\\', '/').toLowerCase();
  return folded.replace(/^(?:\.?\/)+/, '').replace(/\.md$/, '');
}

function fileOf(query: string): string {
  const parameters = new URLSearchParams(query.replaceAll('&amp;', '&').slice(0, 1000));
  return parameters.get('file') ?? parameters.get('path') ?? '';
}
