import { fold } from './note-names.ts';

// A source is a channel (`mail`), or a pattern in it (`mail:anna@northgate-notary.example`): contract, section 1.

/** The channel of what a person does in the vault by hand. No file of the stream speaks for it. */
export const VAULT_EDIT = 'vault_edit';
/** Who speaks in that channel: the one whose vault it is. */
export const OWN_HAND = 'you';

/** The channel of agents: assistants that propose. No gate lets it act, whoever speaks in it. */
export const AGENT = 'agent';

/** What a pattern begins with where its channel could have vouched for the sender and did not. */
const UNVERIFIED = 'unverified:';

/** The longest text that is looked at for an IBAN, which has 34 characters at most, and people put blanks in between. */
const MOST_WRITTEN = 64;
/** Not all zeros, as some banks write who is not known. */
const FORM = /^[A-Z]{2}(?!0+$)\d{2}[A-Z0-9]{11,30}$/;

/** Returns the name of a source: the channel alone, or the channel and who spoke in it. */
export function sourceName(channel: string, pattern: string | null): string {
  return pattern === null ? channel : `${channel}:${pattern}`;
}

/** Returns the channel of a source. */
export function channelOf(source: string): string {
  const colon = source.indexOf(':');
  return colon < 0 ? source : source.slice(0, colon);
}

/** Returns who speaks in the channel, or null where the source is the channel itself. */
export function patternOf(source: string): string | null {
  const colon = source.indexOf(':');
  return colon < 0 ? null : source.slice(colon + 1);
}

/** Returns the pattern of a sender for whom nobody vouches: what it gets right or wrong says nothing of the true one. */
export function unverified(pattern: string): string {
  return `${UNVERIFIED}${pattern}`;
}

/** The pattern of what names no one sender: what strangers write so must say nothing of the channel. */
export const NOBODY = unverified('nobody');

/** Whether a source is of a channel in which nobody is named as the sender. */
export function isOfNobody(source: string): boolean {
  return source.endsWith(`:${NOBODY}`);
}

/** Whether a pattern is that of a sender for whom nobody vouches. */
export function isUnverified(pattern: string): boolean {
  return pattern.startsWith(UNVERIFIED);
}

/** Whether a source is a person's own hand in the vault. It counts only where the program itself wrote the signal. */
export function isOwnHand(source: string): boolean {
  return sourceKey(source) === sourceKey(sourceName(VAULT_EDIT, OWN_HAND));
}

/** Whether a source is an agent, however it is spelled: what it says is proposed at most. */
export function isAgent(source: string): boolean {
  return sourceKey(channelOf(source)) === AGENT;
}

/** Returns whom a pattern claims to be: itself, or the sender that nobody vouches for. */
export function claimedPattern(pattern: string): string {
  return isUnverified(pattern) ? pattern.slice(UNVERIFIED.length) : pattern;
}

/** Returns the key by which names of sources are compared: case and the spaces around them aside. */
export function sourceKey(source: string): string {
  return fold(source.trim());
}

/**
 * Returns a sender's bare address in lower case, without the `mailto:` or `Name <…>` that a note may have. An IBAN comes
 * without its blanks.
 */
export function plainSender(written: string): string {
  const bare = /<([^<>]+)>\s*$/.exec(written)?.[1] ?? written;
  return (ibanOf(bare) ?? bare)
    .normalize('NFC')
    .trim()
    .toLowerCase()
    .replace(/^mailto:/, '');
}

/** Returns the IBAN that a text is, in capitals without blanks; null where it is none, or its check digits are wrong. */
export function ibanOf(written: string): string | null {
  const iban = ibanForm(written);
  return iban !== null && hasCheckDigits(iban) ? iban : null;
}

/** Returns what has the form of an IBAN, in capitals without blanks, whatever its check digits; null where it has not. */
export function ibanForm(written: string | null | undefined): string | null {
  const text = written ?? '';
  if (text.length > MOST_WRITTEN) return null;
  const bare = text
    .replace(/[\s.-]/g, '')
    .toUpperCase()
    .replace(/^IBAN:?/, '');
  return FORM.test(bare) ? bare : null;
}

/** Whether the third and fourth character of a code are its check digits (ISO 7064, MOD 97-10): of an IBAN, or of a creditor's reference. */
export function hasCheckDigits(code: string): boolean {
  const moved = `${code.slice(4)}${code.slice(0, 4)}`;
  let rest = 0;
  for (const character of moved) {
    const value = Number.parseInt(character, 36);
    if (Number.isNaN(value)) return false;
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}
