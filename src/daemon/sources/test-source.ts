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

/** What stands at a source, as it says itself. */
export interface Described {
  /** For a person to read. */
  readonly lines: readonly string[];
  /** The server that signs the newest mails; null where nothing is known of it. */
  readonly mailServer: string | null;
}

/** Connects to a source as a person allowed it, and returns in a few lines what is there. Brings nothing. Throws a `SourceError`. */
export async function testSource(...parts: Parameters<typeof describedSource>): Promise<readonly string[]> {
  return (await describedSource(...parts)).lines;
}

/** The same, with what can be put to the person who connects it. */
export async function describedSource(
  note: SourceNote,
  given: Grant,
  { connect, env, now }: { readonly connect: Connect; readonly env: Environment; readonly now: () => number },
  abort: AbortSignal,
): Promise<Described> {
  const connector = await connect(note, given, env, abort);
  const session = await connector.open({ ...NOTHING, now }, abort);
  try {
    const lines = await session.describe();
    return { lines, mailServer: (await session.signer?.()) ?? null };
  } finally {
    await session.close();
  }
}
