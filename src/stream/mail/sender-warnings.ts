import type { Email } from 'postal-mime';
import { domainOf, isAligned } from './domain.ts';
import { hasDisguise, skeletonOf } from './look-alike.ts';
import { oneLine } from './plain-text.ts';

/** What a mail shows of its sender. */
interface ShownSender {
  /** The bare address, or null where the mail names no one sender. */
  readonly from: string | null;
  readonly mail: Pick<Email, 'from' | 'replyTo' | 'subject'>;
  /** Whether its plain text and its HTML say different things. */
  readonly contradicts: boolean;
}

const MAX_NAME = 500;
const ADDRESS = /[^\s@<>"'(),;:[\]]{1,64}@[^\s@<>"'(),;:[\]]{1,255}/gu;
/** Characters that nobody sees and that turn the order of others or come between them. */
const INVISIBLE = /[\u00AD\u061C\u180E\u200B\u202A-\u202E\u2060-\u2064\u2066-\u206F\uFEFF\u{E0000}-\u{E007F}]/u;
/** Joiners and marks of direction have their place in some scripts and in emoji, and none between Latin letters. */
const MISPLACED = /[a-z\d][\u200C-\u200F]|[\u200C-\u200F][a-z\d]/iu;
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u;
const MAX_SHOWN = 120;

/** Returns what is odd about a mail's sender and text, each a sentence: only what the mail itself shows. */
export function warningsOf({ from, mail, contradicts }: ShownSender): readonly string[] {
  const name = (mail.from?.name ?? '').slice(0, MAX_NAME);
  const warnings = [
    from === null ? null : otherAddress(from, name),
    from === null ? null : otherReply(from, mail),
    from !== null && hasDisguise(from)
      ? `The address has letters of another script: it reads like ${shown(skeletonOf(from))}.`
      : null,
    hasInvisible(name) ? 'The name of the sender has invisible characters.' : null,
    hasInvisible((mail.subject ?? '').slice(0, MAX_NAME)) ? 'The subject has invisible characters.' : null,
    contradicts ? 'The plain text and the HTML of this mail say different things.' : null,
  ];
  return warnings.filter((warning) => warning !== null);
}

/** Returns what is said where an address looks like one that the vault knows. */
export function lookAlikeWarning(known: string): string {
  return `The address looks like ${shown(known)}, which this vault names, and is not it.`;
}

function otherAddress(from: string, name: string): string | null {
  const folded = oneLine(name, MAX_NAME).normalize('NFKC').toLowerCase();
  const other = (folded.match(ADDRESS) ?? []).find((address) => address !== from);
  return other === undefined
    ? null
    : `The name of the sender shows ${shown(other)}, and the mail is from ${shown(from)}.`;
}

function otherReply(from: string, { replyTo = [] }: Pick<Email, 'replyTo'>): string | null {
  const domain = domainOf(from);
  const addresses = replyTo
    .slice(0, 20)
    .flatMap(({ address, group }) => address ?? group?.map((one) => one.address) ?? []);
  const other = addresses.find((address) => {
    const reply = domainOf(address);
    return reply === null || domain === null || !isAligned(reply, domain);
  });
  return other === undefined ? null : `Answers go to ${shown(other)}, which is not of the sender's organisation.`;
}

function hasInvisible(text: string): boolean {
  return INVISIBLE.test(text) || (MISPLACED.test(text) && !RIGHT_TO_LEFT.test(text));
}

function shown(address: string): string {
  return oneLine(address, MAX_SHOWN);
}
