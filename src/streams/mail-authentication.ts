import type { Authentication } from '../steward/types.ts';
import {
  addressDomain,
  findMailServer,
  isAddress,
  isAligned,
  type MailServer,
  matchesHost,
  sentFolder,
  writesAs,
} from '../vault/source-names.ts';
import { headerWords, type MethodResult, readAuthenticationResults } from './mail-sender.ts';

/** One header of a mail: its name in lower case and its value as written. */
export interface Header {
  readonly key: string;
  readonly value: string;
}

/** Which server handed a mail to which, as a `Received` header says; null if it doesn't say. */
interface Hop {
  readonly from: string | null;
  readonly by: string | null;
  /** The receiving host's words about the other side. Its `from` alone is the name that the other side gives itself. */
  readonly peer: string;
}

interface Statement {
  readonly server: string;
  readonly results: readonly MethodResult[];
}

const HEADER = 'authentication-results';

/**
 * Returns whether a mail's channel authenticates its sender, from its headers, topmost first (RFC 8601).
 *
 * A receiving server adds its headers above those that came with the mail, and removes any that claim its own name.
 * So the topmost `Authentication-Results` decides. It counts if its name is, whole, one that the settings trust, and if that
 * side wrote every `Received` above it:
 *
 * - a trusted server, a server of the same organisation, or one whose name or address can't be reached from outside;
 * - only the lowest of them took the mail from outside.
 *
 * For a known provider, the header must also be in that provider's place: above or below the `Received` of the host that took
 * the mail from outside. The result is read from `dmarc=pass` for the From domain, or from `dkim=pass` by a domain aligned with
 * it; `dmarc=fail` is a denial.
 */
export function readAuthentication(
  headers: readonly Header[],
  from: string | null,
  trustedServers: readonly string[],
): Authentication {
  if (trustedServers.length === 0) return none('no trusted server is set');
  const domain = from === null ? null : addressDomain(from);
  if (domain === null || !hasPlainSender(headers)) return none('the mail does not name one sender');
  const at = headers.findIndex(({ key }) => key === HEADER);
  const header = headers[at];
  if (header === undefined) return none('no server says who sent it');
  const said = readAuthenticationResults(header.value);
  if (said === null) return none("the header of the topmost server can't be read");
  const writers = trustedServers.map(findMailServer).filter((server) => writesAs(server, said.server));
  const [above, below] = [hopsOf(headers.slice(0, at)), hopsOf(headers.slice(at))];
  // A header without a name counts only below a hop of the provider's own.
  const isUnsigned = said.server === null && above.length === 0;
  if (writers.length === 0 || isUnsigned) return none(untrusted(said.server));
  const writer = writers.find((server) => isInPlace(server, above, below[0]));
  if (writer === undefined) return none(`the header of ${said.server ?? 'the server'} is where another server writes`);
  const { server, results } = statementFrom(headers.slice(at), writer);
  return verdict(results, domain, server);
}

/** A name, quoted or without special characters, and an address; or an address alone. */
const PLAIN_SENDER =
  /^(?:(?:"(?:[^"\\]|\\.)*"|[^<>()[\]:;@,"\\]*)\s?<[^\s<>()[\]:;@,"\\]+@[^\s<>()[\]:;@,"\\]+>|[^\s<>()[\]:;@,"\\]+@[^\s<>()[\]:;@,"\\]+)$/;
const MAX_SENDER = 1000;

// A server that can't read the sender may add no header of its own, and leave a forged one.
function hasPlainSender(headers: readonly Header[]): boolean {
  const senders = headers.filter(({ key }) => key === 'from');
  return (
    senders.length < 2 && senders.every(({ value }) => value.length < MAX_SENDER && PLAIN_SENDER.test(value.trim()))
  );
}

/** A provider that writes one header for each method writes SPF first, thus lowest, and DMARC after it. */
const LAST_METHODS = ['dmarc', 'spf'];

/** Reads what a server says, from its topmost header on. */
function statementFrom(headers: readonly Header[], writer: MailServer): Statement {
  let server = '';
  const results: MethodResult[] = [];
  for (const { key, value } of headers) {
    if (key === 'received') break;
    const said = key === HEADER ? readAuthenticationResults(value) : null;
    if (key === HEADER && (said === null || !writesAs(writer, said.server))) break;
    if (said === null) continue;
    server = said.server ?? writer.nameless ?? '';
    results.push(...said.results);
    // The headers below these may have come with the mail.
    if (!writer.several || results.some(({ method }) => LAST_METHODS.includes(method))) break;
  }
  return { server, results };
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
  return { result: 'none', server, reason: `${server} didn't authenticate ${domain}` };
}

/** Whether a signature is of a domain aligned with the sender's. If it names its domain twice, both must be. */
function signs(signature: MethodResult, domain: string): boolean {
  const keys = ['header.d', 'header.i'];
  return signature.properties.some(([name]) => keys.includes(name)) && names(signature, keys, domain);
}

/** Whether all that a result says under these names is of the domain. */
function names({ properties }: MethodResult, keys: readonly string[], domain: string): boolean {
  return properties.every(([name, value]) => {
    const said = keys.includes(name) ? addressDomain(value) : domain;
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
  const host = by === -1 ? null : (words[by + 1] ?? null);
  const line = value.replace(/\s+/g, ' ');
  const peer = host === null ? line : line.slice(0, line.lastIndexOf(` by ${host}`));
  return { from: hasFrom ? (words[1] ?? '') : null, by: host, peer };
}

/** Whether a header is where its server writes it. `above`: the hops above it; `below`: the first one below. */
function isInPlace(server: MailServer, above: readonly Hop[], below: Hop | undefined): boolean {
  const entry = above.at(-1);
  const isInside = above.every((hop) => isInner(hop, server));
  if (!isInside && !(above.slice(0, -1).every((hop) => isInner(hop, server)) && isBorder(entry, server))) return false;
  if (server.position === null) return true;
  const isBelow = isBorder(entry, server);
  const isAbove = isInside && isBorder(below, server);
  return (server.position !== 'above' && isBelow) || (server.position !== 'below' && isAbove);
}

/** Whether a server handed a mail on within itself. */
function isInner(hop: Hop, server: MailServer): boolean {
  const { from, by } = hop;
  if (by === null) return false;
  // It may write its address in place of a name, as Google does.
  if (from === null && isAddress(withoutBrackets(by))) return true;
  return isOwn(by, server) && (from === null || (isOwn(from, server) && isPeerInside(hop, server)));
}

/**
 * Whether the other side of a hop is inside as well. Anybody can call themselves `localhost` to a host that takes mails from
 * outside, but that host writes their address behind it.
 */
function isPeerInside(hop: Hop, server: MailServer): boolean {
  const isAtBorder = server.border.length > 0 && isBorder(hop, server);
  if (server.border.length > 0 && !isAtBorder) return true;
  const addresses = hop.peer
    .split(/[\s()[\]]+/)
    .map(withoutIpv6)
    .filter(isAddress);
  if (addresses.every(isInternal)) return addresses.length > 0 || !isAtBorder;
  // Postfix writes a name before the address only if DNS maps each to the other.
  const [, name = ''] = VERIFIED_PEER.exec(hop.peer) ?? [];
  return !isAtBorder && isOfOrganisation(name.toLowerCase(), server);
}

/** `from HELO (name [address])`. */
const VERIFIED_PEER = /^from \S+ \(([\w.-]+) \[[^\s()[\]]+\]\)/i;

/** Whether a hop is that of the host which takes mails from outside. */
function isBorder(hop: Hop | undefined, server: MailServer): boolean {
  const by = hop?.by?.toLowerCase() ?? null;
  if (by === null || !isOwn(by, server)) return false;
  return server.border.length === 0
    ? isOfOrganisation(by, server)
    : server.border.some((pattern) => matchesHost(pattern, by));
}

function isOwn(host: string, server: MailServer): boolean {
  return isInternal(host) || isOfOrganisation(host, server);
}

function isOfOrganisation(host: string, { own }: MailServer): boolean {
  const domain = addressDomain(host);
  return domain !== null && own.some((name) => isAligned(domain, addressDomain(name) ?? ''));
}

/** Whether a name or address is of a network that cannot be reached from outside, as a server's own parts have. */
function isInternal(host: string): boolean {
  const name = withoutBrackets(host).toLowerCase();
  if (isAddress(name)) return /^(?:(?:10|127|192\.168|172\.(?:1[6-9]|2\d|3[01]))\.|::1$|f[cd]|fe[89ab])/.test(name);
  return /^[a-z\d_-]+$/.test(name) || /\.(?:internal|local|lan|localdomain|localhost|home\.arpa)$/.test(name);
}

function withoutBrackets(host: string): string {
  return withoutIpv6(host.replace(/^\[|\]$/g, ''));
}

function withoutIpv6(address: string): string {
  return address.replace(/^ipv6:/i, '');
}

function untrusted(server: string | null): string {
  const isHost = server !== null && /^[a-z\d._-]{1,100}$/.test(server);
  return `the header is of ${isHost ? server : 'a server'}, which the settings do not trust`;
}

function none(reason: string): Authentication {
  return { result: 'none', server: null, reason };
}

/** Only a server that takes a mail in for a mailbox writes these. */
const OF_A_DELIVERY =
  /^(?:authentication-results|arc-authentication-results|received-spf|delivered-to|x-delivered-to|x-original-to|envelope-to|delivery-date|x-sieve)$/;
/** Whether a header, by its name in lower case, says that a mail was delivered. */
export function isOfDelivery(name: string): boolean {
  return OF_A_DELIVERY.test(name);
}

/** How a server received a mail from its own user: with a login, or from its web page. Absent if it doesn't say. */
const FROM_OWN_USER = /^(?:(?:utf8)?e?smtps?a|asmtp|mapi|http\w*)$/i;

/**
 * Returns whether a mail in a folder of sent mails is the user's own. A filter, or an address with a suffix, may have put
 * one there that arrived: it has the marks of a delivery, and counts as nobody's.
 */
export function sentAuthentication(headers: readonly Header[], from: string | null, source: string): Authentication {
  if (from === null) return none('the mail does not name one sender');
  const isDelivered = headers.some(({ key, value }) =>
    key === 'received' ? !FROM_OWN_USER.test(protocolOf(value)) : isOfDelivery(key),
  );
  if (isDelivered) return none('it arrived, and was moved into the folder of sent mails');
  return { result: 'pass', server: sentFolder(source), reason: 'it is in the folder of sent mails' };
}

function protocolOf(received: string): string {
  const words = headerWords(received) ?? [];
  return words[words.findLastIndex((word) => word.toLowerCase() === 'with') + 1] ?? '';
}
