import { domainToASCII, domainToUnicode } from 'node:url';
import { tldts } from '../../vault/lazy-packages.ts';

/** Suffixes under which strangers register, such as `github.io`, are nobody's organisation: nor are `com` and `co.uk`. */
const SUFFIXES = { allowPrivateDomains: true, extractHostname: false, validateHostname: false };
const MAX_DOMAIN = 255;

/** Returns the domain of an address, or of a bare domain, in lower-case punycode; null where it has none. */
export function domainOf(address: string): string | null {
  const name = address.slice(address.lastIndexOf('@') + 1).trim();
  if (name.length > MAX_DOMAIN || !/^[^\s/?#\\:@%[\]]+$/u.test(name)) return null;
  const ascii = domainToASCII(name.normalize('NFC'));
  return ascii === '' ? null : ascii;
}

/** Returns a domain as a person reads it, with the letters that its punycode stands for. */
export function shownDomain(domain: string): string {
  const shown = domainToUnicode(domain);
  return shown === '' ? domain : shown;
}

/** Returns the domain that an organisation registered: `example.co.uk` for `mail.example.co.uk`; null for a public suffix. */
function organisationOf(domain: string): string | null {
  return tldts().getDomain(domain, SUFFIXES);
}

/** Returns what an organisation is called under whatever ending: `example` for `mail.example.co.uk`. */
export function organisationName(domain: string): string | null {
  return tldts().getDomainWithoutSuffix(domain, SUFFIXES) || null;
}

/** Whether two domains are the same, or of the same organisation: the relaxed alignment of DMARC. */
export function isAligned(one: string, other: string): boolean {
  if (one === other) return true;
  const organisation = organisationOf(one);
  return organisation !== null && organisation === organisationOf(other);
}

/** Whether a host is written as an address of the internet protocol. */
export function isAddress(host: string): boolean {
  return tldts().parse(host).isIp === true;
}
