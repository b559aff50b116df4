/** What a page says of one thing in the words of schema.org: what it is, and what is known of it by name. */
export interface Thing {
  /** Its types without address: `Order`. */
  readonly types: readonly string[];
  readonly said: ReadonlyMap<string, readonly Said[]>;
}

type Said = string | Thing;

const MOST_TEXT = 200;

/** Returns the end of an address of schema.org: `OrderDelivered` of `https://schema.org/OrderDelivered`. */
export function localName(written: string): string {
  return written.trim().replace(/^https?:\/\/(?:www\.)?schema\.org[/#]/i, '');
}

/** Returns a text that a thing says of itself, with single blanks, at most 200 characters. */
export function saidText(written: string): string {
  return written
    .slice(0, 4 * MOST_TEXT)
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MOST_TEXT);
}

/** Returns what a thing says at the end of a path of names: `seller.name`. */
export function textsAt(thing: Thing, path: string): readonly string[] {
  const names = path.split('.');
  const last = names.pop() ?? '';
  let things: readonly Thing[] = [thing];
  for (const name of names) things = things.flatMap((one) => thingsOf(one, name));
  return things.flatMap((one) => (one.said.get(last) ?? []).filter((said) => typeof said === 'string'));
}

function thingsOf({ said }: Thing, name: string): readonly Thing[] {
  return (said.get(name) ?? []).filter((one) => typeof one !== 'string');
}

/** Returns a thing with all that it has within it. */
export function withAllWithin(thing: Thing): readonly Thing[] {
  return [
    thing,
    ...[...thing.said.values()].flat().flatMap((one) => (typeof one === 'string' ? [] : withAllWithin(one))),
  ];
}
