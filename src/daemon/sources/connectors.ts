import type { Connector } from '../../source/connector.ts';
import { SourceError } from '../../source/failure.ts';
import type { Grant } from '../../source/grant.ts';
import type { Environment } from '../context/environment.ts';
import type { SourceNote } from './source-notes.ts';

/** Says how a source is reached. */
export type Connect = typeof connectorFor;

/** Returns how a source is reached; what its kind needs is loaded then. Throws a `SourceError`. */
export async function connectorFor(note: SourceNote, _given: Grant, _env: Environment): Promise<Connector> {
  throw new SourceError({
    kind: 'setup',
    message: `Sources of the kind ${note.settings.kind} are not there yet.`,
    hint: 'Pause it.',
  });
}
