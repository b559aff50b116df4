import { CORE_SCHEMA, type DumpOptions, dump } from 'js-yaml';
import { yamlValue } from '../records/values.ts';
import { unicodeEscape, valueSource } from './scalar.ts';

const STYLE: DumpOptions = { schema: CORE_SCHEMA, lineWidth: -1, noRefs: true, quotingType: '"' };

/** An escape breaks every longer run of blanks: a frontmatter with many of them is not read (`hasBlankDesert`). */
const MAX_BLANKS = 48;

/**
 * Returns fields as YAML for a note that the program itself writes. LAW: whatever texts the values hold, reading the
 * YAML gives them back, even after something has changed the note's line ends. The bytes hold no template, since
 * Obsidian's Templater runs any template it finds in a new note.
 */
export function stringifyYaml(fields: Readonly<Record<string, unknown>>): string {
  const plain = dump(fields, STYLE);
  if (TEMPLATE.test(plain)) return Object.entries(fields).map(entryText).join('');
  if (!DESERT.test(plain)) return plain;
  return dump(fields, { ...STYLE, forceQuotes: true }).replace(QUOTED, (value) => value.replace(RUN, broken));
}

/** One field. A template goes on one line in double quotes, so that its angle brackets can be escaped. */
function entryText([field, value]: [string, unknown]): string {
  const entry = { [field]: value };
  if (!TEMPLATE.test(dump(entry, STYLE))) return stringifyYaml(entry);
  const text = `${valueSource({ [field]: yamlValue.parse(value) }, 'double').slice(1, -1)}\n`;
  return text.replace(RUN, broken).replace(BRACKET, unicodeEscape);
}

const TEMPLATE = /<%|%>/;
const BRACKET = /<(?=%)|(?<=%)>/g;
const DESERT = new RegExp(`\\s{${MAX_BLANKS},}`);
/** A value in double quotes at the end of its line: a blank can be written as an escape in it, but not in a key. */
const QUOTED = /(?<=[:-] )"[^"\\\n]*(?:\\.[^"\\\n]*)*"$/gm;
const RUN = new RegExp(`\\s{${MAX_BLANKS},}`, 'g');

/** Writes one of every `MAX_BLANKS - 1` blanks as an escape. */
function broken(run: string): string {
  return run.replace(
    new RegExp(`.{${MAX_BLANKS - 1}}`, 'g'),
    (part) => part.slice(0, -1) + unicodeEscape(part.slice(-1)),
  );
}
