import type { Block, ParsedNote } from './frontmatter.ts';
import { plainYaml } from './plain-yaml.ts';
import type { Frontmatter } from './records/values.ts';

const OPENING = Buffer.from('---\n');
const CLOSING = Buffer.from('\n---');
const LINE_END = 0x0a;

/**
 * A note, already known to be valid UTF-8, whose frontmatter is plain YAML between two bare lines of three dashes; null
 * for any other. The text below the fields is not even decoded before somebody asks for it.
 */
export function plainNote(bytes: Buffer): ParsedNote | null {
  if (!bytes.subarray(0, OPENING.length).equals(OPENING)) return null;
  const lastLineEnd = bytes.indexOf(CLOSING, OPENING.length - 1);
  const behind = bytes[lastLineEnd + CLOSING.length];
  if (lastLineEnd === -1 || (behind !== undefined && behind !== LINE_END)) return null;
  const yaml = bytes.toString('utf8', OPENING.length, lastLineEnd + 1);
  const data = plainYaml(yaml);
  return data === null ? null : new PlainNote(bytes, data, yaml.length);
}

class PlainNote implements ParsedNote {
  readonly data: Frontmatter;
  readonly block: Block;
  readonly #bytes: Buffer;

  constructor(bytes: Buffer, data: Frontmatter, length: number) {
    this.data = data;
    this.block = { start: OPENING.length, end: OPENING.length + length, firstLine: 2, eol: '\n' };
    this.#bytes = bytes;
  }

  get text(): string {
    return this.#bytes.toString('utf8');
  }
}
