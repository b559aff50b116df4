/** The languages of the corpus. */
export const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'nl'] as const;
export type Language = (typeof LANGUAGES)[number];

const DAY_MS = 86_400_000;
/**
 * One moment for the whole corpus, so that a mail and the change it tells of mean the same day: the last evening. A mail
 * that was written in the night and tells of this morning would mean nothing.
 */
const NOW = Date.now() - ((Date.now() - 20 * 3_600_000) % DAY_MS);

/** Returns the moment so many days from now; negative for the past. */
export function momentIn(days: number): Date {
  return new Date(NOW + days * DAY_MS);
}

/** Returns a day as a note has it: `2026-12-09`. */
export function dayIn(days: number): string {
  return momentIn(days).toISOString().slice(0, 10);
}

/** Returns the same day as people write it: `9 December 2026`, `9. Dezember 2026`. */
export function spelt(language: Language, days: number): string {
  const form = { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' } as const;
  return momentIn(days).toLocaleDateString(language === 'en' ? 'en-GB' : language, form);
}
