import type { Index } from '../index-keys.ts';
import { NamePostings } from './name-postings.ts';
import type { PathNumbers } from './path-numbers.ts';
import { Postings } from './postings.ts';

/** All indexes of some records. */
export type Indexes = Readonly<Record<Exclude<Index, 'name'>, Postings>> & { readonly name: NamePostings };

/** Returns all indexes of some records, empty. */
export function postingsOf(numbers: PathNumbers): Indexes {
  return {
    name: new NamePostings(numbers),
    alias: new Postings(numbers),
    taskLink: new Postings(numbers),
    signalLink: new Postings(numbers),
    weighable: new Postings(numbers),
    eventSignal: new Postings(numbers),
    eventTarget: new Postings(numbers),
    answered: new Postings(numbers),
    closing: new Postings(numbers),
    decided: new Postings(numbers),
    source: new Postings(numbers),
    waiting: new Postings(numbers),
    happened: new Postings(numbers),
    expiring: new Postings(numbers),
    asking: new Postings(numbers),
    unrouted: new Postings(numbers),
    flagged: new Postings(numbers),
    told: new Postings(numbers),
    doubtful: new Postings(numbers),
    due: new Postings(numbers),
  };
}
