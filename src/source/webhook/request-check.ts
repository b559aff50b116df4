import { type Answer, HEALTHY, refusal } from './answer.ts';

/** What the head of a request says, as far as anything is decided by it. */
export interface Head {
  readonly method: string;
  readonly url: string;
  /** By their names in small letters. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** How many bytes a request may have. */
export const MAX_BODY = 256 * 1024;

/** This machine by its own names, with any port: a tunnel ends at another one. A page that had its own name lead here has its name in it. */
const OWN_NAME = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i;
const JSON_TYPE = /^application\/json\s*(?:;|$)/i;
const FOREIGN_SITE = /^(?:cross-site|same-site)$/i;

/** Returns what a request is answered by its head alone, before anybody asks who sent it; null where it goes on. */
export function answeredByPlace({ method, url, headers }: Head): Answer | null {
  if (!OWN_NAME.test(one(headers.host))) return refusal(400, 'It was asked for under a name that is not this machine.');
  if (headers.origin !== undefined || FOREIGN_SITE.test(one(headers['sec-fetch-site'])))
    return refusal(400, 'Web pages have no business here.');
  if (url === '/health') return ['GET', 'HEAD'].includes(method) ? HEALTHY : otherMethod('GET');
  if (url !== '/events') return refusal(404, 'There is nothing here. Events go to /events.');
  return method === 'POST' ? null : otherMethod('POST');
}

/** Returns why the body of a request is not read; null where it is. */
export function refusedByForm({ headers }: Head): Answer | null {
  if (!JSON_TYPE.test(one(headers['content-type'])))
    return refusal(415, 'It must be JSON, with Content-Type: application/json.');
  if (one(headers['content-encoding'], 'identity') !== 'identity') return refusal(415, 'It must not be compressed.');
  if (headers['content-length'] === undefined) return refusal(411, 'It must say its Content-Length.');
  const length = Number(one(headers['content-length']));
  return length <= MAX_BODY ? null : refusal(413, `It has more than ${MAX_BODY / 1024} KiB.`);
}

/** Returns the token that a request carries; empty where it has none. */
export function bearerOf({ headers }: Head): string {
  return /^Bearer ([\x21-\x7e]{1,512})$/i.exec(one(headers.authorization))?.[1] ?? '';
}

/** Returns the id that a request gives to an event without one; null where it gives none. */
export function idempotencyKey({ headers }: Head): string | null {
  const key = one(headers['idempotency-key']).trim();
  return key === '' ? null : key;
}

function otherMethod(allowed: string): Answer {
  return refusal(405, `It takes ${allowed} alone.`, { Allow: allowed });
}

function one(header: string | string[] | undefined, absent = ''): string {
  return typeof header === 'string' ? header : absent;
}
