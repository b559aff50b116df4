const UNITS = ['KiB', 'MiB', 'GiB', 'TiB'];

/** Returns a number of bytes as people say it: `412 MiB`, `1.9 GiB`. */
export function sizeWords(bytes: number): string {
  if (bytes < 1024) return `${Math.round(bytes)} B`;
  let [size, unit] = [bytes / 1024, 0];
  while (size >= 1000 && unit < UNITS.length - 1) [size, unit] = [size / 1024, unit + 1];
  return `${size < 10 ? size.toFixed(1) : size.toFixed(0)} ${UNITS[unit]}`;
}

/** Returns a number with a mark between its thousands: `12,400`. */
export function grouped(number: number): string {
  return number.toLocaleString('en');
}

/** Returns how long something still takes, roughly: `40 s`, `4 min`, `2 h`. */
export function durationWords(seconds: number): string {
  if (seconds < 60) return `${Math.max(1, Math.ceil(seconds))} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}
