import { extensionOf, type Source as FileText } from '../../../evidence/files/source.ts';
import type { PlacedPart } from '../../../evidence/formats/outline.ts';
import { fold } from '../../../vault/note-names.ts';
import type { NamedIn } from './place.ts';

/** Returns why a file does not hold what is named in it; null where it does. `outline`: null where there is none. */
export function reasonAgainstName(
  named: NamedIn,
  text: FileText,
  outline: readonly PlacedPart[] | null,
): string | null {
  if (named.kind === 'section') return reasonAgainstSection(named.name, text, outline);
  if (named.kind === 'column') return reasonAgainstColumn(named.name, text);
  return reasonAgainstPart(named, text, outline);
}

function reasonAgainstSection(
  title: string,
  { path, text }: FileText,
  outline: readonly PlacedPart[] | null,
): string | null {
  const wanted = bare(title);
  const titles = outline?.map((part) => bare(part.path.at(-1) ?? '')) ?? text.split('\n').map(bare);
  const isTitled = titles.some((one) => one === wanted || (wanted.length > 3 && one.includes(wanted)));
  return isTitled ? null : `${path} has no section ${JSON.stringify(title)}.`;
}

function bare(title: string): string {
  return fold(title)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

function reasonAgainstColumn(name: string, source: FileText): string | null {
  const isTable = ['csv', 'tsv'].includes(extensionOf(source));
  const where = isTable ? (source.lines[0] ?? '') : source.text;
  return holdsWord(where, name) ? null : `${source.path} has no column ${name}.`;
}

function reasonAgainstPart(
  { kind, name, of }: NamedIn,
  { path, text }: FileText,
  outline: readonly PlacedPart[] | null,
): string | null {
  const [own = name, ...outer] = [...(of === null ? [] : of.split('.')), ...name.split('.')].toReversed();
  const parts = (outline ?? []).filter((part) => part.path.at(-1) === own);
  if (kind === 'definition' && outline !== null && parts.length === 0)
    return `Nothing in ${path} is defined as ${own}.`;
  if (!holdsWord(text, own)) return `Nothing in ${path} is named ${own}.`;
  return outer.every((one) => isAround(one, own, text, outline))
    ? null
    : `${own} is no part of ${outer[0]} in ${path}.`;
}

/** Whether a name stands in a part of another name. Where that part is not known, both need only be there. */
function isAround(outer: string, own: string, text: string, outline: readonly PlacedPart[] | null): boolean {
  const parts = (outline ?? []).filter((part) => part.path.at(-1) === outer);
  if (parts.length === 0) return /^(?:this|self|super)$/.test(outer) || holdsWord(text, outer);
  const lines = text.split('\n');
  return parts.some(({ first, last }) => holdsWord(lines.slice(first - 1, last).join('\n'), own));
}

function holdsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1))
    if (!isLetter(text[at - 1]) && !isLetter(text[at + word.length])) return true;
  return false;
}

function isLetter(sign: string | undefined): boolean {
  return sign !== undefined && /[\p{L}\p{N}_$]/u.test(sign);
}
