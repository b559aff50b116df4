/** Whether a mail is of somebody who is listed: an address, or a domain with all below it. With no list, all are. */
export function isListed(from: string | null, listed: readonly string[]): boolean {
  if (listed.length === 0) return true;
  const address = folded(from ?? '');
  const at = address.lastIndexOf('@');
  return at > 0 && listed.some((entry) => covers(folded(entry), address, address.slice(at + 1)));
}

function covers(entry: string, address: string, domain: string): boolean {
  if (entry.lastIndexOf('@') > 0) return entry === address;
  const named = entry.replace(/^@/, '');
  return domain === named || domain.endsWith(`.${named}`);
}

function folded(text: string): string {
  return text.normalize('NFC').trim().toLowerCase();
}
