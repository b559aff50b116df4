import { CORE_SCHEMA, type DumpOptions, dump } from 'js-yaml';
import { yamlValue } from '../records/values.ts';
import { valueSource } from './scalar.ts';

const STYLE: DumpOptions = { schema: CORE_SCHEMA, lineWidth: -1, noRefs: true, quotingType: '"' };

/** A longer run of blanks is broken by an escape: many of them make a frontmatter that is not read (`hasBlankDesert`). */
const MAX_BLANKS = 48;

/**
 * Fields as the YAML of a note of the program's own. LAW: whatever texts the values hold, reading it gives them back,
 * also where something has changed the note's line ends on the way; and no template stands in the note's bytes, which
 * Obsidian's Templater runs wherever it finds one in a new note.
 */
export function stringifyYaml(fields: Readonly<Record<string, unknown>>): string {
  const plain = dump(fields, STYLE);
  if (TEMPLATE.test(plain)) return Object.entries(fields).map(entryText).join('');
  if (!DESERT.test(plain)) return plain;
  return dump(fields, { ...STYLE, forceQuotes: true }).replace(QUOTED, (value) => value.replace(RUN, broken));
}

/** One field; where it holds a template, on one line in double quotes, where its angle brackets can be escapes. */
function entryText([field, value]: [string, unknown]): string {
  const entry = { [field]: value };
  if (!TEMPLATE.test(dump(entry, STYLE))) return stringifyYaml(entry);
  const text = `${valueSource({ [field]: yamlValue.parse(value) }, 'double').slice(1, -1)}\n`;
  return text.replace(RUN, broken).replace(BRACKET, escaped);
}

const TEMPLATE = /<%|%>/;
const BRACKET = /<(?=%)|(?<=%)>/g;
const DESERT = new RegExp(`\\s{${MAX_BLANKS},}`);
/** A value in double quotes, up to its line's end: there, and in no key, a blank can be written as an escape. */
const QUOTED = /(?<=[:-] )"[^"\\\n]*(?:\\.[^"\\\n]*)*"$/gm;
const RUN = new RegExp(`\\s{${MAX_BLANKS},}`, 'g');

/** Every so many blanks one is written as an escape. */
function broken(run: string): string {
  return run.replace(new RegExp(`.{${MAX_BLANKS - 1}}`, 'g'), (part) => part.slice(0, -1) + escaped(part.slice(-1)));
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
