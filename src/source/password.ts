import type { SourceSettings } from './source.ts';

/** Returns the variable of the environment that may hold a source's password: `STEWARD_SOURCE_INBOX_PASSWORD`. */
export function passwordVariable(name: string): string {
  return `STEWARD_SOURCE_${name.toUpperCase().replaceAll('-', '_')}_PASSWORD`;
}

/** Returns the name of the service's credential that may hold it: `source_inbox`. */
export function passwordCredential(name: string): string {
  return `source_${name}`;
}

/** Whether a source of these settings is reached with a password, token or key. */
export function needsPassword(settings: SourceSettings): boolean {
  // A part of the address itself may be the secret.
  if (settings.kind === 'ics') return settings.user !== null || /\{secret\}/i.test(settings.url);
  return settings.kind !== 'command';
}
