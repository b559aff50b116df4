/** A piece of a query: a word, a sign, or a number with its unit. */
interface Word {
  readonly text: string;
  readonly number: number | null;
  readonly unit: string;
}
type Query = readonly Word[];

/** For whom a rule holds: `every` reader, `some` of those at a desk, only on `other` screens (a phone's, a dark one), or `none`. */
export type Reach = 'every' | 'some' | 'other' | 'none';

const REACHES: readonly Reach[] = ['none', 'other', 'some', 'every'];
/** The narrowest window at a desk, and the widest, in px. */
const [NARROWEST, WIDEST] = [1000, 8000];

/** Returns for whom a rule within another holds. */
export function within(outer: Reach, inner: Reach): Reach {
  return REACHES.find((reach) => reach === outer || reach === inner) ?? 'none';
}

/** Returns for whom a list of media queries holds: for whom any of them does. What cannot be told is `some`. */
export function reachOf(list: Query): Reach {
  const queries: Word[][] = [[]];
  for (const part of list) {
    if (part.text === ',') queries.push([]);
    else queries.at(-1)?.push(part);
  }
  const reaches = queries.map(reachOfOne);
  return REACHES.findLast((reach) => reaches.includes(reach)) ?? 'none';
}

function reachOfOne(query: Query): Reach {
  const words = query.map(({ text }) => text);
  if (words.every((word) => /^(?:only|screen|all)$/.test(word))) return 'every';
  if (words.some((word) => /^(?:not|or|[<>=])$/.test(word))) return 'some';
  if (words.some((word) => /^(?:print|speech)$/.test(word))) return 'none';
  const widths = query.flatMap(({ text }, at) => widthReach(text, query[at + 2]));
  const dark: readonly Reach[] = words.includes('dark') ? ['other'] : [];
  return [...widths, ...dark].reduce(within, 'some');
}

function widthReach(feature: string, limit: Word | undefined): readonly Reach[] {
  const [, bound] = /^(min|max)-(?:device-)?width$/.exec(feature) ?? [];
  if (bound === undefined || limit === undefined || limit.number === null) return [];
  const width = limit.unit === 'px' ? limit.number : limit.number * 16;
  if (bound === 'min') return width > WIDEST ? ['none'] : [];
  return width < NARROWEST ? ['other'] : [];
}
