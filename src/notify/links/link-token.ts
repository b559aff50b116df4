import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';

/** What a button of a message asks for. */
const claim = z.object({
  /** The name of the event note. */
  event: z.string().min(1).max(300),
  answer: z.enum(['confirm', 'dismiss', 'undo']),
  /** The note that is meant, as a link, where it may be any of several. */
  choose: z.string().max(400).nullable(),
  /** Until when it may be pressed (epoch ms). */
  until: z.number(),
});
export type LinkClaim = z.infer<typeof claim>;

/** A link that this machine made for this vault. */
interface GoodLink {
  readonly kind: 'good';
  readonly claim: LinkClaim;
  /** By what it is known that it was used. */
  readonly id: string;
}

/** No link of this machine is longer. */
const MAX_TOKEN = 2048;
const MARK = /^[0-9a-f]{64}$/;

/**
 * Returns the key of the links of one vault. Apart from the mark on notes: what is sealed there must never do for a link here.
 * `machine`: the machine's own key; `vault`: what tells the vault from others.
 */
export function linkKey(machine: Uint8Array, vault: string): Uint8Array {
  return createHmac('sha256', machine).update(`steward: key of the links in messages\0${vault}`).digest();
}

/** Returns the part of an address by which a button is known. */
export function tokenOf(key: Uint8Array, asked: LinkClaim): string {
  const text = Buffer.from(JSON.stringify(asked)).toString('base64url');
  return `${text}.${markOf(key, text)}`;
}

/** Returns what a token asks for; `forged` where this machine did not make it for this vault, `expired` where it is too late. */
export function readToken(
  key: Uint8Array,
  token: string,
  now: number,
): GoodLink | { readonly kind: 'forged' | 'expired' } {
  const [text = '', mark = '', ...more] = token.length > MAX_TOKEN ? [] : token.split('.');
  const own = markOf(key, text);
  // Whatever was sent, it is as long as a mark when it is compared.
  const given = MARK.test(mark) ? mark : '0'.repeat(own.length);
  const isOwn = timingSafeEqual(Buffer.from(own), Buffer.from(given));
  if (!isOwn || more.length > 0) return { kind: 'forged' };
  const read = claim.safeParse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')));
  if (!read.success) return { kind: 'forged' };
  return read.data.until > now ? { kind: 'good', claim: read.data, id: own.slice(0, 32) } : { kind: 'expired' };
}

function markOf(key: Uint8Array, text: string): string {
  return createHmac('sha256', key).update(text).digest('hex');
}
