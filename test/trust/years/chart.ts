import path from 'node:path';

export const TRUST_PAGE = path.resolve(import.meta.dirname, '../../../docs/dev/trust.md');

const BEGIN = '<!-- the chart of `npm run trust` -->\n```\n';
const END = '\n```\n<!-- end of the chart -->';

/** Returns the chart that the page shows. Throws where it shows none. */
export function chartIn(page: string): string {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error('the page has no place for the chart');
  return page.slice(begin + BEGIN.length, end);
}

/** Returns the page with another chart. */
export function withChart(page: string, chart: string): string {
  return page.replace(`${BEGIN}${chartIn(page)}${END}`, () => `${BEGIN}${chart}${END}`);
}
