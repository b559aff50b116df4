import { StewardError } from '../errors.ts';
import { editFields } from '../frontmatter.ts';
import { readNote } from '../frontmatter-parse.ts';
import { eolOf } from '../parsed-note.ts';
import { stringifyYaml } from './stringify.ts';

/**
 * Returns a note with fields added at the end of its frontmatter, nested values too; a field it already has is
 * replaced. The rest of the note stays as it is. Throws `edit-would-change-more` where the result does not read as
 * meant.
 */
export function appendFields(file: string, text: string, fields: Readonly<Record<string, unknown>>): string {
  const data = fieldsOf(file, text);
  const there = Object.keys(fields).filter((field) => field in data);
  const bare = there.reduce((now, field) => editFields(file, now, [{ op: 'delete', field }]).text, text);
  const read = readNote(file, Buffer.from(bare));
  const block = read.ok ? read.note.block : null;
  const eol = eolOf(text, block);
  const yaml = stringifyYaml(fields).replaceAll('\n', eol);
  const result = block === null ? withBlock(bare, yaml, eol) : bare.slice(0, block.end) + yaml + bare.slice(block.end);
  return demandFields(file, result, fields);
}

function fieldsOf(file: string, text: string): Readonly<Record<string, unknown>> {
  const read = readNote(file, Buffer.from(text));
  if (read.ok) return read.note.data;
  if (read.trouble.code === 'note-empty') return {};
  throw new StewardError(read.trouble);
}

function withBlock(text: string, yaml: string, eol: string): string {
  const bom = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  return `${bom}---${eol}${yaml}---${eol}${text.slice(bom.length)}`;
}

function demandFields(file: string, text: string, fields: Readonly<Record<string, unknown>>): string {
  const read = readNote(file, Buffer.from(text));
  if (read.ok && Object.keys(fields).every((field) => field in read.note.data)) return text;
  throw new StewardError({
    code: 'edit-would-change-more',
    file,
    message: 'Adding the fields would change more of this frontmatter.',
    hint: 'Write the frontmatter as plain `key: value` lines.',
  });
}
