import type { Inlet } from '../../source/connector.ts';
import type { Grant } from '../../source/grant.ts';
import type { Environment } from '../context/environment.ts';
import type { Connect } from './connectors.ts';
import type { SourceNote } from './source-notes.ts';

/** Takes nothing: a test only looks. */
const NOTHING: Omit<Inlet, 'now'> = {
  sift: async () => 'pass',
  knows: () => false,
  cursor: () => null,
  put: async () => {},
};

/** Connects to a source as a person allowed it, and returns in a few lines what is there. Brings nothing. Throws a `SourceError`. */
export async function testSource(
  note: SourceNote,
  given: Grant,
  { connect, env, now }: { readonly connect: Connect; readonly env: Environment; readonly now: () => number },
  abort: AbortSignal,
): Promise<readonly string[]> {
  const connector = await connect(note, given, env);
  const session = await connector.open({ ...NOTHING, now }, abort);
  try {
    return await session.describe();
  } finally {
    await session.close();
  }
}
