import type { Connector, Credential } from '../connector.ts';
import type { IcsSettings } from '../source-note.ts';
import { IcsSession } from './ics-session.ts';
import { type Limits, Wire } from './wire/wire.ts';

const LIMITS: Limits = { idleMs: 30_000, wholeMs: 120_000, bytes: 20 * 1024 * 1024 };

/** Returns how a calendar is reached that lies at an address. */
export function icsConnector({
  settings,
  credential,
  limits = LIMITS,
}: {
  readonly settings: IcsSettings;
  readonly credential: Credential | null;
  readonly limits?: Limits;
}): Connector {
  return {
    async open(inlet, abort) {
      const ended = new AbortController();
      const wire = new Wire(new URL(settings.url), limits, AbortSignal.any([abort, ended.signal]));
      const close = () => {
        ended.abort();
        wire.close();
      };
      return new IcsSession({ wire, settings, credential, inlet, close });
    },
  };
}
