import type { Vault } from '../../vault/watch/vault.ts';
import type { Spoken } from './event-note.ts';

/** Returns who spoke in some signals and the first quote of theirs, as their notes say it. */
export function spokenBy({ catalogue }: Vault, signals: readonly { readonly path: string }[]): Spoken {
  const said = signals.flatMap(({ path }) => {
    const signal = catalogue.get(path);
    return signal?.kind === 'signal' ? [signal.fields] : [];
  });
  const senders = new Set(said.flatMap(({ from, pattern }) => from ?? pattern ?? []));
  return {
    from: senders.size === 0 ? null : [...senders].slice(0, MOST_NAMED).join(', '),
    warnings: [...new Set(said.flatMap(({ warnings }) => warnings))].slice(0, MOST_NAMED),
    quote: said.find(({ raw_quote: quote }) => quote !== null)?.raw_quote ?? null,
  };
}

/** How many senders are named, and how much of what is odd about them. */
const MOST_NAMED = 3;
