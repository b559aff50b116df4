import { type Booking, itemsOf } from '../bank/booking.ts';
import { asciiOf } from '../charset/ascii.ts';
import { decode } from '../charset/decode.ts';
import { type Item, type ItemReader, refused } from '../items/item.ts';
import { wholeFile } from '../items/whole-file.ts';
import { bookingOf, Entry, type Surroundings } from './entry.ts';
import { type Tag, tagsOf } from './tags.ts';

const MAX_BYTES = 64 * 1024 * 1024;
const HEAD = 2048;
const STATEMENT = /^(?:CC|INV)?STMTRS$/;
const ENTRY = /^STMTTRNP?$/;
/** What ends an entry whose own end is missing. */
const AROUND_ENTRIES = /^(?:BANKTRANLISTP?|(?:CC|INV)?STMTRS|OFX)$/;

/** Reads the entries of all statements of a file, of bank accounts and credit cards. */
export const readOfx: ItemReader = (source, from, door): Iterable<Item> => {
  const bytes = wholeFile(source, MAX_BYTES);
  const text = decode(bytes, declaredCharset(asciiOf(bytes.subarray(0, HEAD))));
  return itemsOf(bookingsIn(tagsOf(text)), from, door);
};

/** The charset by the file's own header: of XML, or the lines `ENCODING:` and `CHARSET:`, which may stand in one line. */
function declaredCharset(head: string): string | null {
  const xml = /<\?xml\s[^<>?]*encoding\s*=\s*["']([\w.-]{1,40})["']/i.exec(head)?.[1];
  if (xml !== undefined) return xml;
  if (/ENCODING:\s*UTF-?8/i.test(head)) return 'utf-8';
  return /CHARSET:\s*(\d{3,4}|(?:ISO|CP|WINDOWS)[-\w]{1,20}?)(?=COMPRESSION|\s|$)/i.exec(head)?.[1] ?? null;
}

function* bookingsIn(tags: Iterable<Tag>): Generator<Booking> {
  const statements = new Statements();
  for (const tag of tags) {
    const booking = statements.take(tag);
    if (booking !== null) yield booking;
  }
  yield* statements.end();
}

/** What stands around the tag that is read: the statement, and the entry. */
class Statements {
  #around: Surroundings = { account: null, currency: null };
  #entry: Entry | null = null;
  #count = 0;
  #isEnded = false;

  /** Returns the entry that ends with this tag, if one does. */
  take(tag: Tag): Booking | null {
    const ended = this.#endedBy(tag);
    if (this.#entry !== null) this.#entry.add(tag);
    else if (!tag.isEnd) this.#begin(tag);
    return ended;
  }

  /** Returns what is left: an entry that is cut off, and that the file is. */
  *end(): Generator<Booking> {
    if (this.#entry !== null) yield { place: this.#nextPlace(), ...refused('the file ends within it') };
    if (this.#isEnded) return;
    const reason = 'the file ends too early, and entries may be missing: download it again';
    yield { place: 'the end', ...refused(reason) };
  }

  #endedBy({ name, isEnd }: Tag): Booking | null {
    if (name === 'OFX' && isEnd) this.#isEnded = true;
    if (this.#entry === null || !(ENTRY.test(name) || (isEnd && AROUND_ENTRIES.test(name)))) return null;
    const booking = { place: this.#nextPlace(), ...bookingOf(this.#entry, this.#around) };
    this.#entry = null;
    return booking;
  }

  #begin({ name, value }: Tag): void {
    if (ENTRY.test(name)) this.#entry = new Entry(name.endsWith('P'));
    if (STATEMENT.test(name)) this.#around = { account: null, currency: null };
    if (name === 'CURDEF') this.#around = { ...this.#around, currency: value };
    if (name === 'ACCTID' && this.#around.account === null) this.#around = { ...this.#around, account: value };
  }

  #nextPlace(): string {
    this.#count += 1;
    return `entry ${this.#count}`;
  }
}
