import { utc } from '../../vault/time.ts';
import type { Gate } from './gate.ts';

/** What one signal told: when (epoch ms, null where it does not say), and in which words. */
export interface Telling {
  readonly source: string;
  readonly at: number | null;
  readonly quote: string | null;
}

/**
 * Returns the gate that keeps old news from being acted upon: a mail that is sent again, or comes late, must not undo what
 * a newer one has brought. `told`: what the note's fields already reflect, or what a person has decided about.
 */
export function freshnessGate(bearing: readonly Telling[], told: readonly Telling[]): Gate {
  const gate = (held: boolean, sentence: string): Gate => {
    return { name: 'freshness', held, figure: null, threshold: 0, sentence: `freshness: ${sentence}` };
  };
  for (const one of bearing) {
    const other = told.find((earlier) => isNotOlder(earlier, one));
    if (other !== undefined)
      return gate(false, `what was decided${dated(other)} is at least as new as what ${one.source} says${dated(one)}.`);
  }
  return gate(true, 'nothing newer was decided here.');
}

// Two mails of one moment are two mails, unless they say the same: then the one is the other, sent again.
function isNotOlder(told: Telling, one: Telling): boolean {
  if (told.at === null) return false;
  return one.at === null || told.at > one.at || (told.at === one.at && told.quote === one.quote);
}

function dated({ at }: Telling): string {
  return at === null ? '' : ` (${utc(at)})`;
}
