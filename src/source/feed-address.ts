import { SourceError } from './connector.ts';

const PLACE = '{secret}';
/** As the note writes it. */
const PLACES = /\{secret\}/gi;

/** Whether the address of a feed has a place for its secret. */
export function hasPlace(written: string): boolean {
  return written.toLowerCase().includes(PLACE);
}

/**
 * Returns the address of a feed with its secret in the place that the note leaves for it. The secret cannot change to whom it
 * is sent: its place lies behind the host. Throws where that is not so, or where there is no secret that fits.
 */
export function feedAddress(written: string, secret: string | null): URL {
  if (!hasPlace(written)) return new URL(written);
  if (secret === null) throw unfit('its secret part is not known');
  const origin = originOf(written.replaceAll(PLACES, 'x'));
  if (origin !== originOf(written.replaceAll(PLACES, 'y'))) throw unfit(`${PLACE} may only stand behind the host`);
  const whole = written.replaceAll(PLACES, () => secret.trim());
  if (/[\s\\]/.test(secret.trim()) || originOf(whole) !== origin) throw unfit('the secret fits into no address');
  return new URL(whole);
}

function originOf(written: string): string | null {
  return URL.canParse(written) ? new URL(written).origin : null;
}

function unfit(says: string): SourceError {
  return new SourceError({
    kind: 'setup',
    message: `The address of the calendar cannot be put together: ${says}.`,
    hint: `Write the address with ${PLACE} where its secret part stands, and give that part alone as the password.`,
  });
}
