import { storedReader } from '../../src/stream/trained/trained-reader.ts';

/** What the program has learnt, read once. */
export const LEARNT = storedReader();
