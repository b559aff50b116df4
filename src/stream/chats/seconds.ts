/** Returns the seconds that `1:02:03.5`, `02:03` or `0:3` means; null where it is no time. */
export function secondsIn(written: string): number | null {
  const parts = written.trim().replace(',', '.').split(':').map(Number);
  if (parts.length < 2 || parts.length > 3 || parts.some((part) => !Number.isFinite(part) || part < 0)) return null;
  const [minutes, second] = [parts.at(-2) ?? 0, parts.at(-1) ?? 0];
  if (minutes > 59 && parts.length === 3) return null;
  if (second >= 60) return null;
  return Math.floor((parts.length === 3 ? (parts[0] ?? 0) : 0) * 3600 + minutes * 60 + second);
}
