import { z } from 'zod';
import { DEFAULT_SETTINGS, KEYS } from '../../src/daemon/context.ts';
import { sourceSettings } from '../../src/source/source.ts';
import { DEFAULT_FOLDERS, FOLDER_KINDS } from '../../src/vault/layout.ts';
import { checkbox, stewardSwitch } from '../../src/vault/records/values.ts';
import { eventFields, reversalFields } from '../../src/vault/records.ts';
import { matterFields, taskFields } from '../../src/vault/records-task.ts';
import { instinctFields, signalFields } from '../../src/vault/status-words.ts';
import { EVENT, INSTINCT, MATTER, REVERSAL, SIGNAL, SOURCE, TASK } from './field-words.ts';
import { ENVIRONMENT_WORDS, FOLDER_WORDS, GROUPS, SETTING_WORDS } from './setting-words.ts';

const MADE = '<!-- Made by `npm run docs` from the schemas of the program. Edits here are lost. -->';

/** Returns the page of all settings, as Markdown: allowed values and defaults come from the schema. */
export function settingsPage(): string {
  const groups = GROUPS.flatMap(({ title, keys }) => [
    `## ${title}`,
    '',
    '| key | allowed | unless you say otherwise | example | |',
    '| --- | --- | --- | --- | --- |',
    ...keys.map((key) => {
      const { example, words } = SETTING_WORDS[key];
      return row([code(key), formOf(KEYS[key]), defaultOf(key), code(`${key}: ${example}`), words]);
    }),
    '',
  ]);
  return page([
    '# Settings',
    '',
    'They stand in the frontmatter of `steward.md` and are read live: an edit counts within seconds. A value that makes no sense',
    'keeps the last good one, and `steward status` says so. A key that is none of these changes nothing and is named, with the one',
    'that you may have meant. Where the note or its frontmatter is gone, the last settings hold too, and a start is in shadow without a',
    'model; two lines of `---` with nothing between them mean that you want the defaults. No password is ever read from a note.',
    "`format: 1` is the version of the settings; without it they are of version 1. An older program doesn't read those of a newer one.",
    '',
    ...groups,
    '## Names of folders',
    '',
    'None may lie in another.',
    '',
    '| key | unless you say otherwise | |',
    '| --- | --- | --- |',
    ...FOLDER_KINDS.map((kind) => row([code(`folder_${kind}`), code(DEFAULT_FOLDERS[kind]), FOLDER_WORDS[kind]])),
    '',
    '## What only this machine says',
    '',
    'Variables of the environment. Whoever shares the vault cannot change them.',
    '',
    '| variable | |',
    '| --- | --- |',
    ...Object.entries(ENVIRONMENT_WORDS).map(([name, words]) => row([code(name), words])),
  ]);
}

/** Returns the page of all fields of notes, as Markdown. */
export function fieldsPage(): string {
  return page([
    '# Fields of notes',
    '',
    'Every field that the steward reads or writes. Fields of your own stay as they are. The folder says what a note is; its title is',
    'its file name. Links may be written in any way that Obsidian knows.',
    '',
    ...table('Matters', matterFields.shape, MATTER),
    ...table('Tasks', taskFields.shape, TASK),
    ...table('Events', eventFields.shape, EVENT),
    ...table('Reversals', reversalFields.shape, REVERSAL),
    ...table('Signals', signalFields.shape, SIGNAL),
    ...table('Instincts', instinctFields.shape, INSTINCT),
    ...table('Sources', sourceShape(), SOURCE),
  ]);
}

function table(title: string, shape: z.ZodRawShape, words: Readonly<Record<string, string>>): string[] {
  const rows = Object.entries(words).flatMap(([field, said]) => {
    const schema = shape[field];
    return said === '' || schema === undefined ? [] : [row([code(field), formOf(schema), said])];
  });
  return [`## ${title}`, '', '| field | allowed | |', '| --- | --- | --- |', ...rows, ''];
}

// What several kinds of source share is said once.
function sourceShape(): z.ZodRawShape {
  const shapes = sourceSettings.unwrap().options.map((kind) => kind.unwrap().shape);
  const kinds = shapes.map(({ kind }) => kind.value);
  return { ...Object.assign({}, ...shapes), kind: z.enum(kinds) };
}

const formShape = z.object({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  enum: z.array(z.unknown()).optional(),
  const: z.unknown().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  get anyOf() {
    return z.array(formShape).optional();
  },
});
type Form = z.infer<typeof formShape>;

/** Returns what a schema allows a person to write, in a few words. */
function formOf(schema: z.core.$ZodType): string {
  if (schema === checkbox || schema === stewardSwitch) return '`true`, `false`';
  const form = formShape.parse(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }));
  const said = [...new Set(formWords(form))];
  return said.length === 0 ? 'text' : said.join(' or ');
}

function formWords({ type, enum: values, const: only, minimum, maximum, anyOf }: Form): string[] {
  if (anyOf !== undefined) return simplest(anyOf.flatMap(formWords));
  if (values !== undefined)
    return [
      values
        .filter((one) => one !== null)
        .map((one) => code(String(one)))
        .join(', '),
    ];
  if (only !== undefined) return [code(String(only))];
  switch (type) {
    case 'number':
    case 'integer':
      return [`${type === 'integer' ? 'whole number' : 'number'}${rangeWords(minimum, maximum)}`];
    case 'boolean':
      return ['`true`, `false`'];
    case 'array':
      return ['list'];
    case 'string':
      return ['text'];
    default:
      return [];
  }
}

// Whatever a person leaves unquoted is read as the text it is.
function simplest(forms: readonly string[]): string[] {
  if (forms.includes('list')) return ['list'];
  return forms.includes('text') ? ['text'] : [...forms];
}

function rangeWords(minimum: number | undefined, maximum: number | undefined): string {
  const most = maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? null : maximum;
  if (minimum === undefined || minimum <= Number.MIN_SAFE_INTEGER) return most === null ? '' : `, ${most} at most`;
  return most === null ? `, ${minimum} or more` : `, ${minimum} to ${most}`;
}

function defaultOf(key: keyof typeof KEYS): string {
  if (key === 'notify_digest_at') return code('07:30'); // kept as minutes since midnight
  const value = DEFAULT_SETTINGS[key];
  if (value === null) return key.startsWith('budget_') ? '`unlimited`' : '–';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : code(value.join(', '));
  if (typeof value === 'object')
    return code(
      Object.entries(value)
        .map(([yours, its]) => `${yours} = ${String(its)}`)
        .join(', '),
    );
  return code(String(value));
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

function code(text: string): string {
  return `\`${text}\``;
}

function page(lines: readonly string[]): string {
  return `${MADE}\n\n${lines.join('\n').trim()}\n`;
}
