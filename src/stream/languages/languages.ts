import { DE } from './de.ts';
import { EN } from './en.ts';
import { ES } from './es.ts';
import { FR } from './fr.ts';
import { IT } from './it.ts';
import type { LanguageTable } from './language-table.ts';
import { NL } from './nl.ts';

/** The languages that are read. A mail is read with all of them at once, so that one in two languages is understood. */
export const LANGUAGES: readonly LanguageTable[] = [EN, DE, FR, ES, NL, IT];
