import { storedReader } from '../../src/reading/learnt.ts';

/** What the program has learnt, read once. */
export const LEARNT = storedReader();
