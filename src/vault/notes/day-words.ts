const MONTHS = 'January February March April May June July August September October November December'.split(' ');

const WRITTEN = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d))?/;

/** Returns the name of a month, 0 to 11. */
export function monthName(month: number): string {
  return MONTHS[month] ?? '';
}

/** Returns a date as a field has it, as people say it: `16 December 2026`, `16 December 2026, 9:20`. What is no date stays as it is. */
export function dateInWords(written: string): string {
  const [, year, month, day, hour, minute] = WRITTEN.exec(written) ?? [];
  const name = MONTHS[Number(month) - 1];
  if (year === undefined || name === undefined) return written;
  const time = hour === undefined ? '' : `, ${Number(hour)}:${minute}`;
  return `${Number(day)} ${name} ${year}${time}`;
}
