import type { IndexAccess } from '../daemon/context.ts';
import { placeFetchedMail, type StreamFile } from '../streams/fetched-mail.ts';
import { readSender } from '../streams/mail.ts';
import { StewardError } from '../vault/errors.ts';
import type { Arrival, Grant, Inlet, Json, MailHead, Relevance, Source, SourceProblem } from './source.ts';
import { ownAddresses, SourceError } from './source.ts';
import { allowedTo, isAsAllowed, knownNote, makeSourceFailure, notAllowed, type SourceNote } from './source-note.ts';

/** Which mailbox is read, from which day on, and how it is reached. */
export interface PastOrder {
  readonly name: string;
  /** `2026-01-01`: mails that came in before are left out. */
  readonly since: string;
  readonly connect: (
    note: SourceNote,
    given: Grant,
    env: IndexAccess['context']['env'],
    abort: AbortSignal,
  ) => Promise<Source>;
}

/**
 * Hands over each mail of a connected mailbox since a day, marked as it would be in `stream/`, and stores nothing:
 * neither the mails, nor how far they were read. Reads as a poll does, but also mails that are about no open note: a
 * note that is closed today was open then. Of the user's sent mails, only those from their own addresses are fetched.
 * Returns what is wrong with parts of it. Throws `source-unknown`, the problem of its note, `source-not-allowed`,
 * `source-no-past`, why it failed, and the reason of the abort signal.
 */
export async function readPast(
  space: IndexAccess,
  { name, since, connect }: PastOrder,
  take: (mail: StreamFile) => Promise<void>,
  abort: AbortSignal,
): Promise<readonly SourceProblem[]> {
  const note = mailboxNote(space, name, since);
  const given = allowedTo(space, name);
  if (given === null || !isAsAllowed(note.settings, given)) throw new StewardError(notAllowed(note, given));
  const inlet = new PassingInlet(space.context.now, ownAddresses(note.settings), async (arrival) => {
    const mail = await placeFetchedMail(space, note, arrival, 1);
    if (mail !== null) await take(mail);
    abort.throwIfAborted();
  });
  try {
    const session = await (await connect(note, given, space.context.env, abort)).open(inlet, abort);
    try {
      return await session.poll();
    } finally {
      await session.close();
    }
  } catch (error) {
    abort.throwIfAborted();
    throw error instanceof SourceError ? makeSourceFailure(error) : error;
  }
}

// The whole mail is read, whatever the vault would keep of it.
function mailboxNote(space: IndexAccess, name: string, since: string) {
  const note = knownNote(space, name);
  if (note.settings.kind !== 'imap') throw noPast(name);
  return { ...note, settings: { ...note.settings, since, keep: 'mail' as const } };
}

function noPast(name: string): StewardError {
  return new StewardError({
    code: 'source-no-past',
    message: `The source ${name} isn't a mailbox. Only a mailbox has its past events.`,
    hint: 'Export a calendar to a file, and rehearse that file.',
  });
}

/** Hands on what arrives, and keeps only the keys, so that a mail in two folders comes once. */
class PassingInlet implements Inlet {
  readonly now: () => number;
  readonly #own: readonly string[];
  readonly #take: (arrival: Arrival) => Promise<void>;
  readonly #keys = new Set<string>();

  /** `own`: the addresses of the mailbox's user. */
  constructor(now: () => number, own: readonly string[], take: (arrival: Arrival) => Promise<void>) {
    this.now = now;
    this.#own = own;
    this.#take = take;
  }

  async checkRelevance({ bytes, isSent }: MailHead): Promise<Relevance> {
    if (isSent !== true) return 'fetch';
    const { from } = await readSender(bytes, []);
    return from !== null && this.#own.includes(from) ? 'fetch' : 'pass';
  }

  knows(key: string): boolean {
    return this.#keys.has(key);
  }

  cursor(): Json {
    return null;
  }

  async put(arrivals: readonly Arrival[]): Promise<void> {
    for (const arrival of arrivals) {
      if (this.#keys.has(arrival.key)) continue;
      this.#keys.add(arrival.key);
      await this.#take(arrival);
    }
  }
}
