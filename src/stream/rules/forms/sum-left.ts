/** A sum as the value of a line: its digits, with its currency before or behind. */
const SUM =
  /^(?:[A-Z]{3}|[€£$¥])? ?(-?\d{1,3}(?:[., '’\u00A0\u202F]?\d{3})*(?:[.,]\d{2})?|-?\d{1,9}(?:[.,]\d{2})?) ?(?:[A-Z]{3}|[€£$¥]|euros?|Euro)?[.,]?$/u;

/** Returns whether a line of what is left to pay says that nothing is; null where its value is no sum. */
export function isNothingLeft(value: string): boolean | null {
  const digits = SUM.exec(value.trim())?.[1];
  return digits === undefined ? null : !/[1-9]/.test(digits);
}
