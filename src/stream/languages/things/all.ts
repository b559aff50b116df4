import type { Language } from '../../language.ts';
import { THINGS_DE } from './de.ts';
import { THINGS_EN } from './en.ts';
import { THINGS_ES } from './es.ts';
import { THINGS_FR } from './fr.ts';
import { THINGS_IT } from './it.ts';
import { THINGS_NL } from './nl.ts';
import type { Things } from './things.ts';

/** Everyday things in every language that is read. */
export const THINGS: readonly (readonly [Language, Things])[] = [
  ['en', THINGS_EN],
  ['de', THINGS_DE],
  ['fr', THINGS_FR],
  ['es', THINGS_ES],
  ['it', THINGS_IT],
  ['nl', THINGS_NL],
];
