import type { EventRecord } from '../../vault/index/record.ts';
import { isOwnHand } from '../../vault/source-names.ts';
import { instinctOf } from '../learning/sources.ts';
import type { Records } from '../ports/space.ts';

/** How well the sender behind an entry is known, and how sure the steward was. */
export interface SenderTrust {
  readonly source: string;
  /** How often a person showed it to be right, and wrong. */
  readonly right: number;
  readonly wrong: number;
  /** The first figure that was too low, and what it should have been; null where no figure stood in the way. */
  readonly reached: number | null;
  readonly needed: number | null;
}

/** The gates that ask how sure a decision is, 0–1. */
const SURE = ['discretion', 'mode'];

/** Returns what is known of the source that weighed most in an event; null where nobody spoke. */
export function senderTrust(space: Records, { fields }: EventRecord): SenderTrust | null {
  const [main] = Object.entries(fields.source_contributions).toSorted(([, one], [, other]) => other - one);
  if (main === undefined) return null;
  const [source] = main;
  if (isOwnHand(source)) return null; // nobody is asked to trust themselves
  const { observations: right, wrong } = instinctOf(space, source);
  const lacking = fields.gates.find(({ gate, held, figure }) => !held && figure !== null && SURE.includes(gate));
  return { source, right, wrong, reached: lacking?.figure ?? null, needed: lacking?.threshold ?? null };
}
