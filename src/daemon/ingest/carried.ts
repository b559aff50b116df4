import type { SignalDraft } from '../../stream/draft.ts';
import { oneLine } from '../../stream/mail/plain-text.ts';
import type { Silence } from '../../stream/silence.ts';
import type { Ingest, Workspace } from '../context/ports.ts';
import { extract } from './extract-signals.ts';
import { knownEvent } from './items/item-event.ts';
import { rememberAs, standingIn } from './items/known-standing.ts';
import type { EventStream } from './opened.ts';
import { targetsOf } from './target-sync.ts';

const MOST_REASON = 300;

/** An appointment that a mail carries, and the signals that it gave. */
interface ReadCarried {
  readonly stream: EventStream;
  readonly drafts: readonly SignalDraft[];
  /** Why it gave none; null where it gave some. */
  readonly silence: Silence | null;
}

/**
 * Reads the appointments that a mail carries. What was read before, from another mail or a calendar, is passed over; what was
 * read from this very mail is read again, and gives the same. No model is asked about them, so none has to wait.
 */
export async function readCarried(space: Workspace, within: readonly EventStream[]): Promise<readonly ReadCarried[]> {
  const read: ReadCarried[] = [];
  for (const stream of within) {
    const standing = standingIn(space.ingest.known, stream.identity);
    if (standing.kind === 'known' && standing.as.path !== stream.event.path) continue;
    const { event } = knownEvent(targetsOf(space).index, stream, standing);
    const said = await extract(space, event, new AbortController().signal);
    if (said.kind === 'understood') read.push({ stream, drafts: said.drafts, silence: said.silence });
  }
  return read;
}

/** Remembers that an appointment of a mail was read. */
export function rememberCarried({ known }: Pick<Ingest, 'known'>, { stream, drafts }: ReadCarried): void {
  const { event, identity } = stream;
  rememberAs(known, identity, { version: identity.version, path: event.path, gave: drafts.length > 0 });
}

/** Returns why a mail gave no signal, with why its appointments gave none. */
export function silenceWith(silence: Silence | null, carried: readonly ReadCarried[]): Silence | null {
  const whys = carried.flatMap((one) => one.silence?.reason ?? []);
  if (silence === null || whys.length === 0) return silence;
  return { ...silence, reason: oneLine(`${silence.reason}. Its appointment: ${whys.join('; ')}`, MOST_REASON) };
}
