import type { Yaml } from '../records/values.ts';

/** Whether two frontmatter values are deeply the same, whatever the order of their keys. */
export function same(one: Yaml, other: Yaml): boolean {
  if (one === other) return true;
  if (one === null || other === null || typeof one !== 'object' || typeof other !== 'object') return false;
  if (Array.isArray(one) || Array.isArray(other)) {
    if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false;
    return one.every((item, index) => same(item, other[index] ?? null));
  }
  const keys = Object.keys(one);
  if (keys.length !== Object.keys(other).length) return false;
  const [left, right] = [one as Readonly<Record<string, Yaml>>, other as Readonly<Record<string, Yaml>>];
  return keys.every((key) => Object.hasOwn(right, key) && same(left[key] ?? null, right[key] ?? null));
}

/** Whether two frontmatter values are deeply the same, with their keys in the same order. */
export function sameInOrder(one: Yaml | undefined, other: Yaml | undefined): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const [ours, theirs] = [Object.entries(one), Object.entries(other)];
  return (
    ours.length === theirs.length &&
    ours.every(([key, value], nth) => key === theirs[nth]?.[0] && sameInOrder(value, theirs[nth]?.[1]))
  );
}
