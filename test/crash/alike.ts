/**
 * Returns a text with each moment in it replaced by a word, however notes and file names spell moments, and so each mark
 * over a part of a note that may tell one.
 */
export function withoutTimes(text: string): string {
  return text
    .replace(/\d{4}-\d\d-\d\dT\d\d[:-]\d\d[:-]\d\d([.-]\d{3})?Z/g, 'TIME')
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d\d:\d\d/g, 'TIME')
    .replace(/\b[A-Z][a-z]+day \d{1,2} [A-Z][a-z]+, \d\d:\d\d/g, 'TIME')
    .replace(/\b\d{1,2} [A-Z][a-z]+ \d{4} at \d\d:\d\d/g, 'TIME')
    .replace(/%% [0-9a-f]{16} %%/g, '%% MARK %%');
}
