import { THINGS_DE } from './de.ts';
import { THINGS_EN } from './en.ts';
import { THINGS_ES } from './es.ts';
import { THINGS_FR } from './fr.ts';
import { THINGS_IT } from './it.ts';
import { THINGS_NL } from './nl.ts';
import type { Things } from './things.ts';

/** Everyday things in every language that is read. */
export const THINGS: readonly Things[] = [THINGS_EN, THINGS_DE, THINGS_FR, THINGS_ES, THINGS_IT, THINGS_NL];
