import type { Declared } from './cascade.ts';
import type { Value } from './css.ts';
import { lengthOf } from './lengths.ts';

const MEASURE = { em: 16, whole: Number.POSITIVE_INFINITY };
const PICTURED = ['background', 'background-image', 'border-image', 'border-image-source'];

/**
 * Whether a part of what an element holds may not be seen, as far as can be told without drawing it: it runs over a box
 * that cuts it off, or lies on a picture of the same colour.
 */
export function isPartlySeen(attributes: ReadonlyMap<string, string>, declared: Declared): boolean {
  const says = (property: string, words: RegExp) =>
    (declared.get(property) ?? []).some((value) => value.some(({ text }) => words.test(text)));
  if ((attributes.get('background') ?? '').trim() !== '') return true;
  if (
    PICTURED.some((property) => says(property, /^(?:(?:-webkit-)?(?:url|image-set|image|cross-fade|element)\(|url\()/))
  )
    return true;
  const isCut = ['overflow', 'overflow-x', 'overflow-y'].some((property) => says(property, /^(?:hidden|clip)$/));
  if (!isCut) return false;
  const isLow = ['height', 'max-height', 'block-size', 'max-block-size'].some((one) => isBounded(declared.get(one)));
  const isNarrow = ['width', 'max-width', 'inline-size', 'max-inline-size'].some((one) => isBounded(declared.get(one)));
  return isLow || (isNarrow && says('white-space', /^(?:nowrap|pre)$/));
}

function isBounded(values: readonly Value[] | undefined): boolean {
  return (values ?? []).some((value) => {
    const length = lengthOf(value, MEASURE);
    return length !== null && length !== Number.POSITIVE_INFINITY;
  });
}
