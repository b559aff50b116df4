import { type FieldPatch, openDocument, sourceOf } from '../frontmatter.ts';
import { yaml } from '../lazy-packages.ts';
import type { FieldRecipe } from '../records.ts';

/** What yaml's lexer puts before a text that is no mark of YAML's own. */
const SCALAR = '\u001f';

/**
 * Returns a patch for a note that somebody has changed since: the entries that it puts back keep the comments that were typed
 * into them. Throws as `openDocument` does.
 */
export function withTypedComments<Patch extends FieldPatch>(file: string, text: string, patch: Patch): Patch {
  const document = openDocument(file, text);
  const now = new Map(document.entries.map((entry) => [entry.key, sourceOf(document, entry)]));
  const kept = ([field, recipe]: [string, FieldRecipe]) => [field, withComments(recipe, now.get(field) ?? '')];
  return { ...patch, fields: Object.fromEntries(Object.entries(patch.fields).map(kept)) };
}

function withComments(recipe: FieldRecipe, now: string): FieldRecipe {
  const { before_source: former } = recipe;
  if (former === null) return recipe;
  const known = commentsIn(former);
  const typed = commentsIn(now).filter((comment) => !known.includes(comment));
  return typed.length === 0 ? recipe : { ...recipe, before_source: followed(former, typed) };
}

// Behind an entry of several lines a comment stands on a line of its own.
function followed(entry: string, comments: readonly string[]): string {
  const line = entry.replace(/\r?\n$/, '');
  if (!line.includes('\n')) return `${line} ${comments.join(' ')}${entry.slice(line.length)}`;
  const eol = entry.endsWith('\r\n') ? '\r\n' : '\n';
  return `${line}${eol}${comments.map((comment) => `${comment}${eol}`).join('')}`;
}

function commentsIn(entry: string): readonly string[] {
  if (!entry.includes('#')) return [];
  const { Lexer } = yaml();
  const tokens = [...new Lexer().lex(entry)];
  const isComment = (token: string, at: number) => token.startsWith('#') && tokens[at - 1] !== SCALAR;
  return tokens.filter(isComment).map((token) => token.trimEnd());
}
