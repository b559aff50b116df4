import type { Connector, Credential, Inlet } from '../connector.ts';
import type { ImapSettings } from '../source-note.ts';
import { type ImapLimits, LIMITS } from './limits.ts';
import { MailboxSession } from './mailbox-session.ts';
import { openWire } from './opening.ts';

interface ImapSource {
  readonly settings: ImapSettings;
  /** The password, or the access token: asked for at each connection. */
  readonly credential: Credential;
  /** How long the server may take, where it is not as long as usual. */
  readonly limits?: Partial<ImapLimits>;
}

/** A connector whose sessions can also propose a `mail_server`. */
interface ImapConnector extends Connector {
  open(inlet: Inlet, abort: AbortSignal): Promise<MailboxSession>;
}

/**
 * Reaches a mailbox by IMAP, only to read: folders are opened with EXAMINE, mails are fetched with BODY.PEEK, and nothing
 * is ever stored, copied, marked as seen or expunged.
 */
export function imapConnector({ settings, credential, limits }: ImapSource): ImapConnector {
  const all = { ...LIMITS, ...limits };
  return {
    open: async (inlet, abort) => {
      const wire = await openWire({ settings, credential, limits: all, abort });
      return new MailboxSession(wire, inlet, settings, all);
    },
  };
}
