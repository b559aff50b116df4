import type { Frontmatter } from '../records/values.ts';
import type { Block, ParsedNote } from './parsed-note.ts';
import { plainYaml } from './plain-yaml.ts';

const CLOSING = Buffer.from('\n---');
const OPENING_LINE = /^---(\r?\n)/;
const CLOSING_LINE = /^---\r?(?:\n|$)/;
const LONGEST_LINE = '---\r\n'.length;

/**
 * Returns a note, already known to be valid UTF-8, whose frontmatter is plain YAML between two bare lines of three
 * dashes; null for any other. The text is decoded only when somebody asks for it.
 */
export function parsePlainNote(bytes: Buffer): ParsedNote | null {
  const eol = OPENING_LINE.exec(fenceAt(bytes, 0))?.[1];
  if (eol === undefined) return null;
  const start = '---'.length + eol.length;
  const end = bytes.indexOf(CLOSING, start - 1) + 1;
  if (end === 0 || !CLOSING_LINE.test(fenceAt(bytes, end))) return null;
  const yaml = bytes.toString('utf8', start, end);
  const data = plainYaml(eol === '\n' ? yaml : yaml.replaceAll(eol, '\n'));
  return data === null ? null : new PlainNote(bytes, data, { start, end: start + yaml.length, firstLine: 2, eol });
}

function fenceAt(bytes: Buffer, at: number): string {
  return bytes.toString('latin1', at, at + LONGEST_LINE);
}

class PlainNote implements ParsedNote {
  readonly data: Frontmatter;
  readonly block: Block;
  readonly isPlain = true;
  readonly #bytes: Buffer;

  constructor(bytes: Buffer, data: Frontmatter, block: Block) {
    this.data = data;
    this.block = block;
    this.#bytes = bytes;
  }

  get text(): string {
    return this.#bytes.toString('utf8');
  }
}
