import type { Connector } from '../../source/connector.ts';
import { hasPlace } from '../../source/feed-address.ts';
import type { Grant } from '../../source/source.ts';
import type { Environment } from '../environment.ts';
import type { SourceNote } from '../sources.ts';
import { credentialFor } from './credential.ts';

/** Says how a source is reached. */
export type Connect = typeof connectorFor;

/**
 * Returns how a source is reached; what its kind needs is loaded then. `abort` also ends what prints its password. `limitMs`: how
 * long that may take, if not as long as usual.
 */
export async function connectorFor(
  { name, settings }: Pick<SourceNote, 'name' | 'settings'>,
  given: Grant,
  env: Environment,
  abort: AbortSignal,
  limits: { readonly limitMs?: number } = {},
): Promise<Connector> {
  const credential = credentialFor(name, env, given, abort, limits);
  switch (settings.kind) {
    case 'imap':
      return (await import('../../source/imap.ts')).imapConnector({ settings, credential });
    case 'webhook':
      return (await import('../../source/webhook.ts')).webhookConnector({ settings, credential });
    case 'command': {
      const { commandConnector } = await import('../../source/command-connector.ts');
      const hasSecret = given.passwordCommand !== null || (env.sourcePassword?.(name) ?? null) !== null;
      const environment = env.forPrograms ?? {};
      return commandConnector({ argv: given.run ?? [], credential: hasSecret ? credential : null, environment });
    }
    case 'caldav':
      return (await import('../../source/caldav.ts')).caldavConnector({ settings, credential });
    case 'ics': {
      const { icsConnector } = await import('../../source/ics-feed.ts');
      const isSecret = settings.user !== null || hasPlace(settings.url);
      return icsConnector({ settings, credential: isSecret ? credential : null });
    }
  }
}
