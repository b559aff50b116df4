import { PRIORS } from '../../steward/learning/instinct.ts';
import { knownInstincts } from '../../steward/learning/sources.ts';
import { unknownChannels } from '../../steward/trust/signal-sources.ts';
import { type Diagnostic, diagnostic } from '../../vault/errors.ts';
import { nearest } from '../../vault/records/near-name.ts';
import { channelOf, patternOf, sourceName } from '../../vault/source-names.ts';
import type { IndexAccess } from '../context/ports.ts';
import { fieldLocation } from './field-location.ts';

/** Returns the sources in the `signal_sources` of matters that can let nobody speak, since no channel has their name. */
export function unheardSources(space: IndexAccess): Diagnostic[] {
  const matters = space.vault.catalogue.matters().filter(({ fields }) => fields.signal_sources.length > 0);
  if (matters.length === 0) return [];
  const channels = channelsOf(space);
  return matters.flatMap(({ path, fields }) =>
    unknownChannels(fields.signal_sources, channels).map((source) => unheard(space, path, source, channels)),
  );
}

function channelsOf(space: IndexAccess): readonly string[] {
  const learnt = knownInstincts(space).map(({ source }) => channelOf(source));
  return [...PRIORS.keys(), ...learnt, ...space.context.settings.trusted_signal_sources];
}

function unheard(space: IndexAccess, file: string, source: string, channels: readonly string[]): Diagnostic {
  return diagnostic({
    code: 'signal-source-unknown',
    file,
    ...fieldLocation(space, file, 'signal_sources'),
    message: `signal_sources names ${source}, but there is no channel ${channelOf(source)}.`,
    hint: hintFor(source, channels),
  });
}

// Whoever writes a bare address means the mails from it.
function hintFor(source: string, channels: readonly string[]): string {
  if (source.includes('@') && patternOf(source) === null) return `Write the channel before it: mail:${source}.`;
  const near = nearest(channelOf(source), channels);
  return near === null
    ? 'Write a channel such as mail or bank, or a channel and who speaks in it, such as mail:anna@notary.example.'
    : `Did you mean ${sourceName(near, patternOf(source))}?`;
}
