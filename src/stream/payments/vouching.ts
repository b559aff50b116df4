import { type Authentication, NOT_VOUCHED, type StreamEvent } from '../../steward/ports/stream-event.ts';
import { ibanOf } from '../../vault/source-names.ts';

const SHOWN_DIGITS = 4;

/**
 * Returns the event with what the bank vouches for. A booked line of an account that the settings name is the bank's word
 * for its IBAN; a name alone is never vouched for, since whoever sends money chooses it. No file can say so of itself.
 */
export function vouchedPayment(event: StreamEvent, accounts: readonly string[]): StreamEvent {
  return event.payment === undefined ? event : { ...event, authentication: authenticationOf(event, accounts) };
}

function authenticationOf({ from, payment }: StreamEvent, accounts: readonly string[]): Authentication {
  const [account, iban] = [plainAccount(payment?.account ?? ''), ibanOf(payment?.iban ?? '')];
  const isTrusted = account !== '' && accounts.some((one) => plainAccount(one) === account);
  const isSender = iban !== null && ibanOf(from ?? '') === iban;
  if (!isTrusted || !isSender || payment?.status !== 'booked') return NOT_VOUCHED;
  const server = `the statement of account …${account.slice(-SHOWN_DIGITS)}`;
  return { result: 'pass', server, reason: 'trusted_bank_accounts names the account' };
}

/** An account's number in letters and digits alone, however it is cut into groups. */
function plainAccount(written: string): string {
  return written.toUpperCase().replace(/[^A-Z0-9]/g, '');
}
