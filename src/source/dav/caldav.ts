import type { Connector, Credential } from '../connector.ts';
import { SourceError } from '../failure.ts';
import { installCommand } from '../install-command.ts';
import type { CaldavSettings } from '../source-note.ts';
import { CaldavSession } from './caldav-session.ts';
import { DAV_LIMITS, DavServer, type Library } from './server/dav-server.ts';
import { homesFrom } from './server/discovery.ts';
import { type Limits, Wire } from './wire/wire.ts';

/** Returns how a calendar server is reached (CalDAV). */
export function caldavConnector({
  settings,
  credential,
  limits = DAV_LIMITS,
}: {
  readonly settings: CaldavSettings;
  readonly credential: Credential;
  readonly limits?: Limits;
}): Connector {
  return {
    async open(inlet, abort) {
      const dav = await loaded();
      const ended = new AbortController();
      const home = new URL(settings.url);
      const wire = new Wire(home, limits, AbortSignal.any([abort, ended.signal]));
      const close = () => {
        ended.abort();
        wire.close();
      };
      try {
        const server = new DavServer(home, { wire, dav, settings, credential });
        await server.unlock();
        const homes = await homesFrom(server, settings.url);
        return new CaldavSession({ server, homes, settings, inlet, close });
      } catch (error) {
        close();
        throw error;
      }
    },
  };
}

async function loaded(): Promise<Library> {
  try {
    return await import('tsdav');
  } catch {
    throw new SourceError({
      kind: 'setup',
      message: 'The library that speaks to calendar servers is not installed.',
      hint: `Run: ${installCommand('tsdav')}`,
    });
  }
}
