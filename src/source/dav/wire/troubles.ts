import { systemCode } from '../../../vault/errors.ts';
import { SourceError } from '../../failure.ts';

const CERTIFICATE = /^(?:CERT_|ERR_TLS_CERT|ERR_SSL_|ERR_TLS_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|EPROTO$)/;
const NO_HTTP = /^(?:HPE_|ERR_HTTP|ERR_INVALID_HTTP|Z_|ERR_BUFFER)/;
const UNFIT_HEADER = /^ERR_INVALID_CHAR$/;
const MAX_WAIT_MS = 86_400_000;

/** An answer that is larger than any that a server would give. */
export class TooLarge extends Error {}
/** A name that leads into the local network, where whoever was asked first lies outside of it. */
export class TooNear extends Error {}

/** Returns what an error of the connection means. `host`: the name of the server, as a person knows it. */
export function connectionTrouble(error: unknown, host: string): SourceError {
  if (error instanceof SourceError) return error;
  if (error instanceof TooLarge) return tooLarge(host);
  if (error instanceof TooNear) return ledAway(host);
  const code = codeIn(error) ?? 'the connection failed';
  if (UNFIT_HEADER.test(code)) {
    return new SourceError({
      kind: 'setup',
      message: 'The password or token has a character in it that cannot be sent.',
      hint: 'Look at what gives it: it should be one line.',
    });
  }
  if (CERTIFICATE.test(code)) {
    return new SourceError({
      kind: 'certificate',
      message: `${host} does not prove who it is (${code}).`,
      hint: 'Its certificate is out of date, made by itself, or of another name. Whoever runs the server can renew it.',
    });
  }
  if (NO_HTTP.test(code)) return strange(host, `does not answer as a web server would (${code})`);
  return away(`${host} cannot be reached (${code}).`);
}

/** Returns what a status says that is no answer. `retryAfter`: what the server says of waiting, if anything. */
export function statusTrouble(status: number, host: string, retryAfter: string | undefined, now: number): SourceError {
  if (status === 401 || status === 403) {
    return new SourceError({
      kind: 'refused',
      message: `${host} refuses the login (${status}).`,
      hint: 'Check the user and the password. Many servers want an app password, made in the settings of the account.',
    });
  }
  if (status === 404 || status === 410) {
    return new SourceError({
      kind: 'missing',
      message: `${host} has nothing at that address (${status}).`,
      hint: 'Check the address in the source note.',
    });
  }
  if (status === 429 || status === 503) {
    const waitMs = waitIn(retryAfter, now);
    return new SourceError({
      kind: 'busy',
      message: `${host} asks to be left alone for a while (${status}).`,
      hint: 'Nothing is needed: it is asked again later.',
      ...(waitMs === null ? {} : { waitMs }),
    });
  }
  if (status >= 500) return away(`${host} has a trouble of its own (${status}).`);
  return strange(host, `gives an answer that makes no sense (${status})`);
}

/** Returns the trouble of a server that says what makes no sense. `does`: in plain words. */
export function strange(host: string, does: string): SourceError {
  return new SourceError({
    kind: 'strange',
    message: `${host} ${does}.`,
    hint: 'Check that the address in the source note is that of the calendar and not of a web page about it.',
  });
}

/** Returns the trouble of one that would have us go to another server, or into the local network. */
export function ledAway(host: string): SourceError {
  return new SourceError({
    kind: 'strange',
    message: `${host} leads to another server, and the steward stops there.`,
    hint: 'If that is right, put the address to which it leads into the source note yourself.',
  });
}

/** Returns the trouble of one that gave no whole answer in time. */
export function tooSlow(host: string, ms: number): SourceError {
  return away(`${host} gave no whole answer within ${Math.round(ms / 1000)} seconds.`);
}

function tooLarge(host: string): SourceError {
  return strange(host, 'gives an answer that is larger than any calendar');
}

function away(message: string): SourceError {
  return new SourceError({ kind: 'away', message, hint: 'Nothing is needed if it comes back: it is asked again.' });
}

function codeIn(error: unknown): string | null {
  const own = systemCode(error);
  if (own !== null || !(error instanceof AggregateError)) return own;
  return systemCode(error.errors[0]);
}

/** Seconds, or a date. */
function waitIn(written: string | undefined, now: number): number | null {
  const text = written?.trim() ?? '';
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isNaN(ms) || ms <= 0 ? null : Math.min(ms, MAX_WAIT_MS);
}
