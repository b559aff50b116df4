import type { MailboxObject, StatusObject } from 'imapflow';
import type { FolderState } from './cursor.ts';
import { failureOf, saysMissing } from './failures.ts';
import type { Wire } from './wire.ts';

/** Which folder is open, and whether anything has come into it since it was looked at. Folders are only ever opened to read. */
export class Selection {
  readonly #wire: Wire;
  #name: string | null = null;
  #hasGrown = false;

  /** Told each time that something comes into the open folder. */
  constructor(wire: Wire, grown: () => void) {
    this.#wire = wire;
    wire.client.on('exists', ({ count, prevCount }) => {
      if (this.#name === null || count <= prevCount) return;
      this.#hasGrown = true;
      grown();
    });
  }

  isOpen(name: string): boolean {
    return this.#name === name && this.#wire.client.mailbox !== false;
  }

  /** Whether the server has said by itself that something came into the open folder. */
  hasGrown(name: string): boolean {
    return this.isOpen(name) && this.#hasGrown;
  }

  /** Opens a folder, also anew. Returns null where there is none of that name, or none that can be opened. */
  async open(name: string): Promise<FolderState | null> {
    this.#name = null;
    this.#hasGrown = false;
    const box = await this.#wire
      .ask((client) => client.mailboxOpen(name, { readOnly: true }))
      .catch((error: unknown) => {
        if (isOfThisFolder(error)) return null;
        throw failureOf(error);
      });
    if (box === null) return null;
    this.#name = name;
    return opened(box);
  }

  /** Asks what a folder holds, without opening it. `gone` where there is none; null where the server does not say. */
  async state(name: string): Promise<FolderState | 'gone' | null> {
    try {
      if (this.isOpen(name)) await this.#wire.isAlive();
      const query = { messages: true, uidNext: true, uidValidity: true, highestModseq: true };
      const status: StatusObject | false = await this.#wire.ask((client) => client.status(name, query));
      return status === false ? null : told(status);
    } catch (error) {
      if (saysMissing(error)) return 'gone';
      throw failureOf(error);
    }
  }
}

function isOfThisFolder(error: unknown): boolean {
  return (
    saysMissing(error) || (error instanceof Error && 'responseStatus' in error && failureOf(error).kind === 'strange')
  );
}

function opened({ uidValidity, uidNext, exists, highestModseq }: MailboxObject): FolderState {
  return told({ uidValidity, uidNext, messages: exists, highestModseq });
}

function told({ uidValidity, uidNext, messages, highestModseq }: Omit<StatusObject, 'path'>): FolderState {
  return {
    validity: uidValidity === undefined ? null : String(uidValidity),
    next: uidNext ?? null,
    count: messages ?? null,
    modseq: highestModseq === undefined ? null : String(highestModseq),
  };
}
