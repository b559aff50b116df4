import { stem } from '../../../vault/note-names.ts';
import type { RowsAsked } from '../asked.ts';
import { parseCondition } from '../condition-text.ts';
import { isWord, requestWords } from '../word.ts';
import type { FileReading } from './file-phrase.ts';
import { HOLE, type PlainText, written } from './plain-text.ts';

const ROWS = 'rows?|records?|entry|entries|items?|objects?|elements?';
const COUNT =
  /^(?:how many|(?:what(?: is|'s|’s) )?(?:the |a )?(?:exact |total )?(?:number|count) of|count(?: up)?(?: (?:the|all))?(?: number of)?) (?:(?:the|all|of) ){0,3}(\S+)(?: (.+))?$/i;
const LIST = /^(?:which |what |all |the |every |each |only ){0,3}(\S+)(?: (.+))?$/i;
const ROW = new RegExp(`^(?:${ROWS})$`, 'i');
/** What stands between the rows and the condition. */
const WHERE =
  /^(?:(?:are|is) (?:there )?|there (?:are|is) |do (?:we|you) have )?(?:(▢) )?(?:(?:for|in) which|such that|that|which|who)? ?\b(where|with|having|whose|have|has|match|matches|matching) (.+)$/i;
const DOES_HAVE = /^does ▢ have (?:where|with|whose|that have|having) (.+)$/i;
const ALL =
  /^(?:(?:(?:are|is) (?:there )?|there (?:are|is) |do (?:we|you) have )?(?:▢)?|(?:does )?▢ (?:have|has|hold|contain)|has ▢|(?:are|is) there(?: ▢)?)(?: in (?:total|all))?$/i;

/** Whether a phrase asks for rows, be it in words that are understood or not. */
export function isAboutRows(rest: string): boolean {
  const [, noun = ''] = COUNT.exec(rest) ?? LIST.exec(rest) ?? [];
  return ROW.test(noun) || COUNT.test(rest);
}

/** Returns the rows that a phrase asks for, and whether they are to be counted; null where it asks for something else. */
export function rowsAsked(plain: PlainText, { rest, file }: FileReading): RowsAsked | null {
  const count = COUNT.exec(rest);
  const [, noun = '', tail = ''] = count ?? LIST.exec(rest) ?? [];
  const kind = count === null ? 'rows' : 'count';
  if (ROW.test(noun)) return tailAsked(plain, tail, kind);
  const asked = count !== null && isNamedAfter(noun, file) ? tailAsked(plain, tail, kind) : null;
  return asked?.where === null ? null : asked;
}

/** The runs in `runs.csv` are its rows. */
function isNamedAfter(noun: string, file: string): boolean {
  return (
    noun.toLowerCase() ===
    stem(file)
      .toLowerCase()
      .replace(/\.[^.]*$/, '')
  );
}

function tailAsked(plain: PlainText, tail: string, kind: RowsAsked['kind']): RowsAsked | null {
  if (ALL.test(tail)) return kind === 'rows' && !tail.includes(HOLE) ? null : { kind, where: null, whereText: '' };
  const [, hole, link = '', words = ''] = WHERE.exec(tail) ?? [];
  const given = words === '' ? DOES_HAVE.exec(tail)?.[1] : words;
  if (given === undefined) return null;
  const condition = hole === undefined && given.endsWith(` ${HOLE}`) ? given.slice(0, -2) : given;
  return condition.includes(HOLE) ? null : conditionAsked(written(plain, condition), link, kind);
}

/** "Rows that have status failed" leaves out the `is`. */
function conditionAsked(whereText: string, link: string, kind: RowsAsked['kind']): RowsAsked | null {
  const words = requestWords(whereText);
  const [field, value] = words;
  const isArticle = field?.kind === 'word' && /^(?:an?|the)$/i.test(field.text);
  const isName = field !== undefined && !isArticle && !isWord(field, 'no', 'any', 'some');
  const isShort = words.length === 2 && /^(?:with|having|have|has)$/i.test(link) && isName;
  const full = isShort && value !== undefined ? [field, { ...value, kind: 'word' as const, text: 'is' }, value] : words;
  const where = parseCondition(full) ?? (isArticle ? parseCondition(words.slice(1)) : null);
  return where === null ? null : { kind, where, whereText };
}
