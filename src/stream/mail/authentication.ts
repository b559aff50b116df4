import type { Authentication } from '../../steward/ports/stream-event.ts';
import { headerWords, type MethodResult, readAuthenticationResults } from './authentication-results.ts';
import { domainOf, isAddress, isAligned } from './domain.ts';

/** One header of a mail: its name in lower case and its value as written. */
export interface Header {
  readonly key: string;
  readonly value: string;
}

/** Which server handed a mail to which, as a `Received` header says; null where it does not say. */
interface Hop {
  readonly from: string | null;
  readonly by: string | null;
}

/**
 * Exchange Online puts no name into its header. It counts as this server's where the settings trust this name, and where
 * the mail went through Exchange alone.
 */
const EXCHANGE = 'protection.outlook.com';
const EXCHANGE_HOPS: readonly string[] = ['outlook.com', 'office365.com', 'exchangelabs.com'];

/**
 * Returns whether a mail's channel vouches for its sender, from its headers, topmost first (RFC 8601).
 *
 * A receiving server adds its headers above those that came with the mail, and takes away any that claim its own name.
 * So the topmost `Authentication-Results` alone counts, where its name is, whole, one that the settings trust, and where
 * every `Received` above it was written by that side:
 *
 * - by a trusted server, a server of the same organisation, or one whose name or address nobody can reach from outside;
 * - only the lowest of them took the mail from outside, and it is of a trusted server's organisation.
 *
 * What is read is `dmarc=pass` for the From domain, or `dkim=pass` by a domain aligned with it; `dmarc=fail` is a denial.
 */
export function authenticationOf(
  headers: readonly Header[],
  from: string | null,
  trustedServers: readonly string[],
): Authentication {
  if (trustedServers.length === 0) return none('no trusted server is set');
  const domain = from === null ? null : domainOf(from);
  if (domain === null) return none('the mail does not name one sender');
  const at = headers.findIndex(({ key }) => key === 'authentication-results');
  const header = headers[at];
  if (header === undefined) return none('no server says who sent it');
  const said = readAuthenticationResults(header.value);
  if (said === null) return none('what the topmost server says cannot be read');
  const above = hopsOf(headers.slice(0, at));
  const server = said.server ?? (isExchange(above, headers.slice(at)) ? EXCHANGE : null);
  const trusted = trustedServers.map((name) => name.normalize('NFC').trim().toLowerCase());
  if (server === null || !trusted.includes(server)) return none(untrusted(server));
  if (!isOwnWay(above, server === EXCHANGE ? [...trusted, ...EXCHANGE_HOPS] : trusted))
    return none(`the header of ${server} lies below another server's`);
  return verdict(said.results, domain, server);
}

function verdict(results: readonly MethodResult[], domain: string, server: string): Authentication {
  const dmarc = results.filter(({ method }) => method === 'dmarc');
  if (dmarc.some(({ result }) => result === 'fail'))
    return { result: 'fail', server, reason: `${server} says dmarc=fail` };
  if (dmarc.length > 1) return { result: 'none', server, reason: `${server} says more than one thing of DMARC` };
  if (dmarc.some((one) => one.result === 'pass' && names(one, ['header.from'], domain)))
    return { result: 'pass', server, reason: 'dmarc=pass' };
  const signed = results.find((one) => one.method === 'dkim' && one.result === 'pass' && signs(one, domain));
  if (signed !== undefined) return { result: 'pass', server, reason: 'dkim=pass' };
  return { result: 'none', server, reason: `${server} does not vouch for ${domain}` };
}

/** Whether a signature is of a domain aligned with the sender's. Where it names its domain twice, both must be. */
function signs(signature: MethodResult, domain: string): boolean {
  const keys = ['header.d', 'header.i'];
  return signature.properties.some(([name]) => keys.includes(name)) && names(signature, keys, domain);
}

/** Whether all that a result says under these names is of the domain. */
function names({ properties }: MethodResult, keys: readonly string[], domain: string): boolean {
  return properties.every(([name, value]) => {
    const said = keys.includes(name) ? domainOf(value) : domain;
    return said !== null && isAligned(said, domain);
  });
}

function hopsOf(headers: readonly Header[]): readonly Hop[] {
  return headers.filter(({ key }) => key === 'received').map(({ value }) => hopOf(value));
}

/** Reads `from A … by B …`. The word after `from` is the other side's, and may itself be `by`. */
function hopOf(value: string): Hop {
  const words = headerWords(value) ?? [];
  const hasFrom = words[0]?.toLowerCase() === 'from';
  const by = words.findIndex((word, at) => at >= (hasFrom ? 2 : 0) && word.toLowerCase() === 'by');
  return { from: hasFrom ? (words[1] ?? '') : null, by: by === -1 ? null : (words[by + 1] ?? null) };
}

function isOwnWay(hops: readonly Hop[], trusted: readonly string[]): boolean {
  return hops.every(({ from, by }, at) => {
    if (by === null) return false;
    // A server that hands a mail on within itself may write its address in place of a name, as Google does.
    if (from === null && isAddress(withoutBrackets(by))) return true;
    if (!isOwn(by, trusted)) return false;
    if (from === null || isOwn(from, trusted)) return true;
    return at === hops.length - 1 && isOfOrganisation(by, trusted);
  });
}

function isOwn(host: string, trusted: readonly string[]): boolean {
  return isInternal(host) || isOfOrganisation(host, trusted);
}

function isOfOrganisation(host: string, trusted: readonly string[]): boolean {
  const domain = domainOf(host);
  return domain !== null && trusted.some((name) => isAligned(domain, domainOf(name) ?? ''));
}

/** Whether a name or address is of a network that cannot be reached from outside, as a server's own parts have. */
function isInternal(host: string): boolean {
  const name = withoutBrackets(host).toLowerCase();
  if (isAddress(name)) return /^(?:(?:10|127|192\.168|172\.(?:1[6-9]|2\d|3[01]))\.|::1$|f[cd]|fe[89ab])/.test(name);
  return /^[a-z\d_-]+$/.test(name) || /\.(?:internal|local|lan|localdomain|localhost|home\.arpa)$/.test(name);
}

function withoutBrackets(host: string): string {
  return host.replace(/^\[(?:ipv6:)?|\]$/gi, '');
}

/** Whether a header without a name is Exchange's own: the mail was then taken in by the server below it. */
function isExchange(above: readonly Hop[], below: readonly Header[]): boolean {
  const border = hopsOf(below)[0]?.by?.toLowerCase() ?? '';
  return above.length > 0 && border.endsWith(`.${EXCHANGE}`);
}

function untrusted(server: string | null): string {
  const isHost = server !== null && /^[a-z\d._-]{1,100}$/.test(server);
  return `the header is of ${isHost ? server : 'a server'}, which the settings do not trust`;
}

function none(reason: string): Authentication {
  return { result: 'none', server: null, reason };
}
