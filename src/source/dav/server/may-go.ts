import { isAddress, isAligned } from '../../../stream/mail/domain.ts';

/**
 * Whether a calendar server may lead us to an address, password and all: its own host, and others of the same organisation.
 * Whoever is asked without TLS is this machine, and is left for nobody.
 */
export function mayLeadTo(home: URL, target: URL): boolean {
  if (target.username !== '' || target.password !== '') return false;
  if (target.origin === home.origin) return true;
  if (home.protocol !== 'https:' || target.protocol !== 'https:') return false;
  if (target.hostname === home.hostname) return true;
  return !isAddress(target.hostname) && isAligned(home.hostname, target.hostname);
}
