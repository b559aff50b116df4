import { momentIn } from './days.ts';
import { HOME_SERVER } from './household.ts';

/** A mail before it is bytes. */
export interface Letter {
  /** The header lines above the usual ones, as they lie in the file: the receiving server's own first. */
  readonly head: readonly string[];
  readonly subject: string;
  readonly text: string;
  /** Sent in place of the text. */
  readonly html?: string;
  /** How long ago it was written; two hours where nothing is said. */
  readonly daysAgo?: number;
}

const TWO_HOURS = 2 / 24;

/** Returns the bytes of a mail, as they lie in `stream/`. */
export function rawMail({ head, subject, text, html, daysAgo = TWO_HOURS }: Letter): string {
  const lines = [
    ...head,
    'To: Robin Sample <robin@home.example>',
    `Subject: ${encoded(subject)}`,
    `Date: ${dateLine(daysAgo)}`,
    'MIME-Version: 1.0',
    `Content-Type: text/${html === undefined ? 'plain' : 'html'}; charset=utf-8`,
    'Content-Transfer-Encoding: 8bit',
    '',
    ...(html ?? text).split('\n'),
    '',
  ];
  return lines.join('\r\n');
}

/** Returns a moment as mail headers have it. */
export function dateLine(daysAgo: number): string {
  return momentIn(-daysAgo).toUTCString().replace('GMT', '+0000');
}

/** Returns a `From` line. */
export function fromLine(name: string, address: string): string {
  return `From: ${/^[\x20-\x7e]*$/.test(name) ? JSON.stringify(name) : encoded(name)} <${address}>`;
}

/** Returns what a server says about the sender of a mail. */
export function results(said: string, server: string = HOME_SERVER): string {
  return `Authentication-Results: ${server};\r\n\t${said}`;
}

/** Returns the trace of a mail that one server handed to another. */
export function received(from: string, by: string = HOME_SERVER): string {
  return `Received: from ${from} (${from} [192.0.2.25])\r\n\tby ${by} with ESMTPS id 4f2a91; ${dateLine(TWO_HOURS)}`;
}

/** Returns the lines of the household's own server on top of a mail that truly comes from this address. */
export function vouched(address: string): string[] {
  const domain = domainOf(address);
  return [
    results(
      `dmarc=pass (p=reject) header.from=${domain};\r\n\tdkim=pass header.d=${domain} header.s=mail;\r\n\tspf=pass smtp.mailfrom=${address}`,
    ),
    received(`out.${domain}`),
  ];
}

/** Returns the lines of the household's own server on top of a mail that nobody vouches for. */
export function unvouched(domain: string): string[] {
  return [results('dmarc=none; dkim=none; spf=none'), received(domain)];
}

/** Returns the domain of an address. */
export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1);
}

/** Returns words as a header may hold them. */
export function encoded(words: string): string {
  return /^[\x20-\x7e]*$/.test(words) ? words : `=?utf-8?B?${Buffer.from(words).toString('base64')}?=`;
}
