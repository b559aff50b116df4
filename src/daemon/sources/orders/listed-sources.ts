import { needsPassword } from '../../../source/password.ts';
import { type Grant, pinned, type SourceSettings } from '../../../source/source.ts';
import type { IndexAccess } from '../../context.ts';
import {
  grantOf,
  grantsFile,
  type SourceNote,
  type SourceStanding,
  sourceNotes,
  sourceStandings,
} from '../../sources.ts';

/**
 * Where a password is had, for whoever asked: `set`: the environment or a credential of the service. `command`: what was
 * allowed prints it. `none`: nowhere. `not-needed`: it is not asked for one.
 */
type PasswordPlace = 'set' | 'command' | 'none' | 'not-needed';

/** A source as a person may know of it: never with its password. */
export interface ListedSource extends SourceStanding {
  readonly password: PasswordPlace;
  /** Vault-relative. */
  readonly path: string;
  /** Where its note leads and as whom; null where it cannot be read. */
  readonly leads: Grant['pinned'] | null;
  /** Whether `leads` is refreshed by a token that a command prints. */
  readonly isOAuth: boolean;
  /** How often it is asked (ms); null where it is not. */
  readonly everyMs: number | null;
  /** What a person allowed on this machine; null where nobody allowed anything. */
  readonly allowed: Grant | null;
}

/** Returns all sources with where they lead, by name. Throws what the disk refuses. */
export function listedSources(space: IndexAccess): readonly ListedSource[] {
  const standings = new Map(sourceStandings(space).map((one) => [one.name, one]));
  return sourceNotes(space.vault).flatMap((note) => {
    const standing = standings.get(note.name);
    if (standing === undefined) return []; // its note has come between the two looks
    const allowed = allowedTo(space, note.name);
    const settings = 'settings' in note ? note.settings : null;
    return [{ ...standing, path: note.path, allowed, ...ledBy(settings), password: placeOf(space, note, allowed) }];
  });
}

/** Returns what a person allowed a source on this machine, or null. Throws what the disk refuses. */
export function allowedTo({ context, vault }: IndexAccess, name: string): Grant | null {
  const folder = context.env.sourceGrants;
  return folder === undefined ? null : grantOf(grantsFile(vault.root, folder), name);
}

function ledBy(settings: SourceSettings | null): Pick<ListedSource, 'leads' | 'isOAuth' | 'everyMs'> {
  if (settings === null) return { leads: null, isOAuth: false, everyMs: null };
  const isOAuth = 'auth' in settings && settings.auth === 'oauth2';
  return { leads: pinned(settings), isOAuth, everyMs: 'every' in settings ? settings.every : null };
}

/** Says where a password is had here, without asking for it. */
function placeOf(space: IndexAccess, note: { readonly name: string } | SourceNote, given: Grant | null): PasswordPlace {
  return 'settings' in note ? passwordPlace(space.context.env, note.name, note.settings, given) : 'none';
}

/** Says where the password of a source is had here, without asking for it. */
export function passwordPlace(
  env: IndexAccess['context']['env'],
  name: string,
  settings: SourceSettings,
  given: Grant | null,
): PasswordPlace {
  if (!needsPassword(settings)) return 'not-needed';
  if ((env.sourcePassword?.(name) ?? null) !== null) return 'set';
  return (given?.passwordCommand ?? null) === null ? 'none' : 'command';
}
