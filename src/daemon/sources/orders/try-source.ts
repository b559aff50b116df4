import { type Inlet, SourceError } from '../../../source/connector.ts';
import type { Grant, SourceFields } from '../../../source/source.ts';
import type { IndexAccess } from '../../context.ts';
import type { Environment } from '../../environment.ts';
import { draftedNote, knownNote, type PlainFailure } from '../../source-orders.ts';
import { isAsAllowed, notAllowed, type SourceNote } from '../../sources.ts';
import type { Connect } from '../connectors.ts';
import { credentialFor } from '../credential.ts';
import { unexpectedFailure } from '../unexpected-failure.ts';
import { allowedTo, passwordPlace } from './listed-sources.ts';

/** What stands at a source, as it says itself. */
interface Described {
  /** For a person to read. */
  readonly lines: readonly string[];
  /** The server that signs the newest mails; null where nothing is known of it. */
  readonly mailServer: string | null;
}

/** What came of connecting once. */
export interface Tried {
  /** Null where it failed. */
  readonly described: Described | null;
  readonly failed: PlainFailure | null;
  /** Whether there was a password to try it with, or none is needed. */
  readonly hasPassword: boolean;
}

/** Which source is tried, and as what. */
export interface TryOrder {
  readonly name: string;
  readonly fields: SourceFields | null;
  readonly allow: Grant | null;
}

/**
 * Connects to a source once, and changes nothing: what was left of it, and what is remembered of it, stay as they are. Without
 * `fields` and `allow` it is the source of that name as its note says and as it was allowed. Throws `source-unknown`,
 * `source-name` and `source-field`.
 */
export async function trySource(
  space: IndexAccess,
  connect: Connect,
  order: TryOrder,
  abort: AbortSignal,
): Promise<Tried> {
  const { name, fields } = order;
  const note = fields === null ? knownNote(space, name) : draftedNote(space, name, fields);
  const given = order.allow ?? allowedTo(space, name);
  if (given === null || !isAsAllowed(note.settings, given)) return barred(note, given);
  const { env, now } = space.context;
  const hasPassword = passwordPlace(env, name, note.settings, given) !== 'none';
  try {
    // What prints no password is said before anybody is spoken to.
    if (!hasPassword) await credentialFor(name, env, given, abort).reveal();
    return { described: await described(note, given, { connect, env, now }, abort), failed: null, hasPassword };
  } catch (error) {
    if (!(error instanceof SourceError) && abort.aborted) throw error;
    const { kind, message, hint } = error instanceof SourceError ? error : unexpectedFailure(error);
    return { described: null, failed: { kind, message, hint }, hasPassword };
  }
}

function barred(note: SourceNote, given: Grant | null): Tried {
  const { message, hint } = notAllowed(note, given);
  return { described: null, failed: { kind: 'not-allowed', message, hint }, hasPassword: true };
}

/** Takes nothing: whoever only looks brings nothing. */
const NOTHING: Omit<Inlet, 'now'> = {
  sift: async () => 'pass',
  knows: () => false,
  cursor: () => null,
  put: async () => {},
};

async function described(
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
