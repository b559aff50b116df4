import { SaxesParser } from 'saxes';
import { type Booking, itemsOf } from '../bank/booking.ts';
import { asciiOf } from '../charset/ascii.ts';
import { charsetOf } from '../charset/decode.ts';
import { type ByteSource, FileRefusal, type Item, type ItemReader } from '../items/item.ts';
import { Entries } from './entries.ts';

const CHUNK = 128 * 1024;
const HEAD = 64 * 1024;
/** No tag and no text of a statement is nearly as long. */
const MOST_IN_ONE = 2 * 1024 * 1024;
const MOST_DEPTH = 100;
const AGAIN = 'Download the statement from the bank again.';

/** Reads the entries of a file piece by piece: memory is flat however long it is. */
export const readCamt: ItemReader = (source, from, door): Iterable<Item> => itemsOf(bookingsIn(source), from, door);

function* bookingsIn(source: ByteSource): Generator<Booking> {
  const statement = new Statement();
  for (const text of textOf(source)) {
    statement.read(text);
    yield* statement.entries.taken();
  }
  yield* statement.end();
}

function* textOf(source: ByteSource): Generator<string> {
  const head = source.read(0, HEAD);
  const declared = /^[^<]{0,8}<\?xml\s[^<>?]*encoding\s*=\s*["']([\w.-]{1,40})["']/i.exec(asciiOf(head))?.[1];
  const decoder = new TextDecoder(charsetOf(head, declared ?? 'utf-8'));
  for (let at = 0; at < source.size; at += CHUNK) yield decoder.decode(source.read(at, CHUNK), { stream: true });
  yield decoder.decode();
}

/** The file's XML, as far as it was read. A document type is refused, so that no entity of a file is ever looked at. */
class Statement {
  readonly entries = new Entries();
  readonly #parser = new SaxesParser({ xmlns: false, position: true });
  #text = '';
  #since = 0;
  #isAtEnd = false;

  constructor() {
    const parser = this.#parser;
    parser.on('doctype', () => this.#refuse('it declares a document type, which no bank does'));
    parser.on('error', (error) => this.#failed(error.message));
    parser.on('opentag', ({ name, attributes }) => this.#opened(localName(name), attributes.Ccy));
    parser.on('text', (text) => this.#read(text));
    parser.on('cdata', (text) => this.#read(text));
    parser.on('closetag', () => this.#closed());
    parser.on('comment', () => this.#moved());
  }

  read(text: string): void {
    this.#since += text.length;
    this.#parser.write(text);
    if (this.#since > MOST_IN_ONE) this.#refuse('a piece of it is longer than any of a statement');
  }

  *end(): Generator<Booking> {
    this.#isAtEnd = true;
    this.#parser.close();
    yield* this.entries.taken();
  }

  #opened(name: string, currency: string | undefined): void {
    this.#moved();
    this.#text = '';
    this.entries.opened(name, currency);
    if (this.entries.depth > MOST_DEPTH) this.#refuse('its elements lie too deep in each other');
  }

  #read(text: string): void {
    this.#moved();
    if (this.#text.length < MOST_IN_ONE) this.#text += text;
  }

  #closed(): void {
    this.#moved();
    this.entries.closed(this.#text.trim());
    this.#text = '';
  }

  #moved(): void {
    this.#since = 0;
  }

  /** A sign that should be written otherwise spoils an entry; tags that do not fit spoil all that follows. */
  #failed(message: string): void {
    if (this.#isAtEnd) this.#refuse('it ends too early, and entries may be missing');
    const isOfTags = /tag|root|end of|unexpected|document/i.test(message);
    if (isOfTags || !this.entries.failed('it is not well-formed XML')) this.#refuse('it is not well-formed XML');
  }

  #refuse(reason: string): never {
    throw new FileRefusal(`The file cannot be read from line ${this.#parser.line} on: ${reason}.`, AGAIN);
  }
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
