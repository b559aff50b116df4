import { speakerOf } from '../../steward/trust/speaker.ts';
import type { SignalRecord } from '../../vault/index/record.ts';
import { NOBODY } from '../../vault/source-names.ts';
import { accountOf } from '../context/fleeting/fleeting-mails.ts';
import type { IndexAccess } from '../context/ports.ts';
import type { Spoken } from './event-note.ts';

/**
 * Returns who spoke in some signals, and in which words, as their notes say it: the strongest of them, with how many
 * others spoke beside that one.
 */
export function spokenBy(space: IndexAccess, signals: readonly { readonly path: string }[]): Spoken {
  const said = signals
    .flatMap(({ path }) => {
      const signal = space.vault.catalogue.get(path);
      return signal?.kind === 'signal' ? [{ signal, strength: strengthOf(space, signal) }] : [];
    })
    .sort((one, other) => other.strength - one.strength)
    .map(({ signal }) => signal.fields);
  const [strongest] = said;
  const senders = new Set(said.map(senderOf));
  return {
    from: strongest === undefined ? null : senderOf(strongest),
    others: Math.max(0, senders.size - 1),
    warnings: [...new Set(said.flatMap(({ warnings }) => warnings))].slice(0, MOST_NAMED),
    accounts: [...new Set(said.flatMap((one) => accountOf(space.context, one.source_event_path) ?? []))],
    quote: strongest?.raw_quote ?? strongest?.headline ?? null,
  };
}

/** How much of what is odd about the senders is named. */
const MOST_NAMED = 3;

function strengthOf(space: IndexAccess, signal: SignalRecord): number {
  return Math.min(signal.fields.target_confidence, speakerOf(space, signal).effectConfidence);
}

// Where nobody is named, the channel is all that is known.
function senderOf({ from, pattern, source_type: channel }: SignalRecord['fields']): string {
  return from ?? (pattern === null || pattern === NOBODY ? channel : pattern);
}
