const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;
const MONTHS = [
  ...(['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August'] as const),
  ...(['September', 'October', 'November', 'December'] as const),
];

/** Returns a moment (epoch ms) that lies ahead, in the zone of the reader: `Monday 30 November, 14:05`. */
export function untilWords(ms: number): string {
  const date = new Date(ms);
  return `${WEEKDAYS[date.getDay()]} ${date.getDate()} ${MONTHS[date.getMonth()]}, ${clock(date)}`;
}

/** Returns a moment (epoch ms) that is past, in the zone of the reader: `23 November 2026 at 14:05`. */
export function momentWords(ms: number): string {
  const date = new Date(ms);
  return `${date.getDate()} ${MONTHS[date.getMonth()]} ${date.getFullYear()} at ${clock(date)}`;
}

function clock(date: Date): string {
  return `${String(date.getHours()).padStart(2, '0')}:${String(date.getMinutes()).padStart(2, '0')}`;
}
