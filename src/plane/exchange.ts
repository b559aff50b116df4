import { systemCode } from '../vault/errors.ts';
import type { PlaneAccess } from './access.ts';
import { failed, type Outcome } from './failure.ts';

/** One request. `path`: below the server's API, with the slash at its end. */
export interface Request {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** What the server answered; `body` is null where it is empty or no JSON. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

const TIMEOUT_MS = 20_000;
/** A page of a hundred work items with long descriptions is far smaller. */
const MAX_BYTES = 8 * 1024 * 1024;

/**
 * Sends one request and reads the whole answer, whatever its status. The key goes to the server that the environment
 * names and to no other: a redirect is not followed. Never throws.
 */
export async function exchange(access: PlaneAccess, request: Request, abort: AbortSignal): Promise<Outcome<Reply>> {
  const cut = AbortSignal.any([abort, AbortSignal.timeout(TIMEOUT_MS)]);
  try {
    const response = await fetch(addressOf(access, request), {
      method: request.method,
      headers: {
        'X-API-Key': access.key.reveal(),
        Accept: 'application/json',
        ...(request.body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
      redirect: 'manual',
      signal: cut,
    });
    const text = await textOf(response);
    if (text === null) return failed('strange', { says: 'The answer of Plane is larger than any it would give.' });
    if (text.includes(access.key.reveal())) return failed('strange', { says: 'The answer of Plane repeats the key.' });
    if (response.status >= 300 && response.status < 400) return failed('strange', { says: SENT_ON });
    return { ok: true, value: { status: response.status, headers: response.headers, body: jsonIn(text) } };
  } catch (error) {
    if (abort.aborted) return failed('ended');
    if (cut.aborted) return failed('away', { says: `Plane did not answer within ${TIMEOUT_MS / 1000} seconds.` });
    return failed('away', { says: `Plane cannot be reached (${reasonIn(error)}).` });
  }
}

const SENT_ON = 'Plane sends the request on to another address, and the key is not sent there.';

function addressOf({ baseUrl, workspace }: PlaneAccess, { path, query = {} }: Request): string {
  const address = new URL(`${baseUrl}/api/v1/${path.replace('{workspace}', workspace)}`);
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
  return address.href;
}

// Null where it is too large. What is left of it is not read.
async function textOf({ body }: Response): Promise<string | null> {
  if (body === null) return '';
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body) {
    size += part.byteLength;
    if (size > MAX_BYTES) return null;
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

// Only the system's own code: an address may be nobody's business.
function reasonIn(error: unknown): string {
  const cause = error instanceof Error ? error.cause : null;
  return systemCode(cause) ?? systemCode(error) ?? 'the connection failed';
}
