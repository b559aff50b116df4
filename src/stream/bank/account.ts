/** Not all zeros, as some banks write who is not known. */
const IBAN = /^[A-Z]{2}(?!0+$)\d{2}[A-Z\d]{11,30}$/;

/** Returns an IBAN without spaces and in capitals; null where the text has not the form of one. */
export function ibanOf(text: string | null | undefined): string | null {
  const bare = (text ?? '').replace(/[\s.-]+/g, '').toUpperCase();
  return IBAN.test(bare) ? bare : null;
}
