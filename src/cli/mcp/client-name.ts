/** The longest name: it becomes that of a note. */
const MOST = 40;
/** Who gives no name that could be written. */
const UNNAMED = 'unnamed';

/**
 * Returns the name that a client gives itself as one plain token: small letters, digits and hyphens. It is the client's own
 * word, so it tells clients apart and proves nothing.
 */
export function clientName(given: string | undefined): string {
  const plain = (given ?? '').slice(0, 1_000).normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const token = plain.replace(/[^a-z0-9]+/g, '-').slice(0, MOST + 1);
  return (
    token
      .replace(/^-+/, '')
      .slice(0, MOST)
      .replace(/(?<!-)-+$/, '') || UNNAMED
  );
}
