import { lazily } from './lazily.ts';

/** The languages whose words are read. */
export const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'nl'] as const;

/** A language whose words are read. */
export type Language = (typeof LANGUAGES)[number];

/** What language a text is in: one that is read, another by its ISO code, or too little text to tell. */
export type WrittenIn =
  | { readonly kind: 'read'; readonly language: Language }
  | { readonly kind: 'other'; readonly code: string }
  | { readonly kind: 'unknown' };

const names = lazily(() => new Intl.DisplayNames(['en'], { type: 'language' }));

/** Returns whether a code is that of a language whose words are read. */
export function isRead(code: string): code is Language {
  return LANGUAGES.some((language) => language === code);
}

/** Returns the English name of a language: "Polish" for `pl`. */
export function languageName(code: string): string {
  return names().of(code) ?? code;
}
