const [MINUS, DOT, ZERO, NINE] = [45, 46, 48, 57];
/** As many digits are always exact, and so is a power of ten with as many zeros: what is divided is rounded once. */
const MAX_DIGITS = 15;

/**
 * Returns the number that the bytes of a JSON value write without an exponent and in a few digits; null for any other value.
 * LAW: it is what `JSON.parse` makes of them, which takes ten times as long.
 */
export function shortNumber(bytes: Uint8Array, from: number, to: number): number | null {
  const isNegative = bytes[from] === MINUS;
  let [digits, point, count] = [0, to, 0];
  for (let at = isNegative ? from + 1 : from; at < to; at += 1) {
    const code = bytes[at] ?? 0;
    if (code === DOT && point === to) point = at + 1;
    else if (code < ZERO || code > NINE) return null;
    else {
      digits = digits * 10 + (code - ZERO);
      count += 1;
    }
  }
  if (count === 0 || count > MAX_DIGITS) return null;
  const number = point === to ? digits : digits / 10 ** (to - point);
  return isNegative ? -number : number;
}
