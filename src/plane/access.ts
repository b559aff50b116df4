import { z } from 'zod';
import { EXIT, StewardError } from '../vault/errors.ts';

/** The key of the server; printed or logged, it says nothing. */
interface Secret {
  reveal(): string;
}

/** How the Plane server is reached: from the environment alone, never from the vault. */
export interface PlaneAccess {
  readonly key: Secret;
  /** Without a slash at its end. */
  readonly baseUrl: string;
  /** The workspace's slug. */
  readonly workspace: string;
}

/** What the environment says of Plane, as text; '' for what it does not say. */
export interface PlaneWords {
  readonly key: string;
  readonly baseUrl: string;
  readonly workspace: string;
}

const VARIABLES: Readonly<Record<keyof PlaneWords, string>> = {
  key: 'PLANE_API_KEY',
  baseUrl: 'PLANE_BASE_URL',
  workspace: 'PLANE_WORKSPACE',
};
const SLUG = /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/;
/** Names and addresses of this machine itself, as `URL` spells them. */
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** A project's or a work item's id: nothing else of a note may come into an address. */
export const planeId = z
  .string()
  .regex(/^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/, { error: 'must be the id (a UUID) that Plane shows' })
  .transform((id) => id.toLowerCase());

/** Returns which of the three variables are missing where at least one is set; none where all are, or none is. */
export function missingWords(words: PlaneWords): readonly string[] {
  const names = Object.keys(VARIABLES) as (keyof PlaneWords)[];
  const missing = names.filter((name) => words[name] === '');
  return missing.length === names.length ? [] : missing.map((name) => VARIABLES[name]);
}

/**
 * Returns how Plane is reached; null where the environment does not say all of it. `secret` keeps the key. Throws
 * (exit 78) where a value cannot be used.
 */
export function planeAccess(words: PlaneWords, secret: (key: string) => Secret): PlaneAccess | null {
  const { key, baseUrl, workspace } = words;
  if (key === '' || baseUrl === '' || workspace === '') return null;
  // The error about a key that no header can hold would otherwise repeat the key.
  if (!/^[\x21-\x7e]+$/.test(key))
    throw unusable('PLANE_API_KEY holds a space or a character that no key has.', MEND_KEY);
  if (!SLUG.test(workspace)) {
    throw unusable(
      'PLANE_WORKSPACE is no slug of a workspace.',
      'Set it to the word behind the host in the address of the workspace, as in https://plane.example/my-team/.',
    );
  }
  return { key: secret(key), baseUrl: addressOf(baseUrl), workspace };
}

const MEND_KEY = 'Mend PLANE_API_KEY or the credential plane_api_key, or take it away.';

// The error does not repeat the address: a name or password in it would be a secret.
function addressOf(written: string): string {
  const address = URL.canParse(written) ? new URL(written) : null;
  const isPlain = address !== null && `${address.username}${address.password}${address.search}${address.hash}` === '';
  const isSafe = address?.protocol === 'https:' || (address?.protocol === 'http:' && LOOPBACK.test(address.hostname));
  if (address !== null && isPlain && isSafe) return `${address.origin}${address.pathname.replace(/(?<!\/)\/+$/, '')}`;
  throw unusable(
    'PLANE_BASE_URL is no address that the key may be sent to.',
    'Set it to one such as https://plane.example; http is for this machine alone (http://127.0.0.1:8080).',
  );
}

function unusable(message: string, hint: string): StewardError {
  return new StewardError({ code: 'settings-plane', message, hint }, EXIT.settings);
}
