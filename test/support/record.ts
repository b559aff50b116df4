import type { Frontmatter } from '../../src/vault/frontmatter.ts';
import { RECORD, unpackRecord } from '../../src/vault/record-text.ts';

/** Returns the fields of a note, those in its `record` included, as if each were a property. Throws if the record can't be read. */
export function flatFields(data: Frontmatter): Frontmatter {
  if (typeof data[RECORD] !== 'string') return data;
  const kind = /-reversed/.test(String(data.type)) || 'reverses' in data ? 'reversal' : 'event';
  const read = unpackRecord(kind, 'the note', { data, block: null, text: '' });
  if (!read.ok) throw new Error(read.trouble.message);
  return read.data;
}
