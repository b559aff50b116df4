/** The longest text that is looked at: an IBAN has 34 characters at most, and people put blanks in between. */
const MOST_WRITTEN = 64;
const FORM = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/;

/** Returns the IBAN that a text is, in capitals without blanks; null where it is none, or its check digits are wrong. */
export function ibanOf(written: string): string | null {
  if (written.length > MOST_WRITTEN) return null;
  const bare = written
    .replace(/[\s.-]/g, '')
    .toUpperCase()
    .replace(/^IBAN:?/, '');
  return FORM.test(bare) && hasCheckDigits(bare) ? bare : null;
}

/** Whether the third and fourth character of a code are its check digits (ISO 7064, MOD 97-10): of an IBAN, or of a creditor's reference. */
export function hasCheckDigits(code: string): boolean {
  const moved = `${code.slice(4)}${code.slice(0, 4)}`;
  let rest = 0;
  for (const character of moved) {
    const value = Number.parseInt(character, 36);
    if (Number.isNaN(value)) return false;
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}
