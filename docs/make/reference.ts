import { z } from 'zod';
import { KEYS } from '../../src/daemon/settings.ts';
import { sourceSettings } from '../../src/sources/source.ts';
import { DEFAULT_SETTINGS } from '../../src/steward/settings.ts';
import { FOREIGN_FIELDS } from '../../src/vault/foreign-fields.ts';
import { DEFAULT_FOLDERS, FOLDER_KINDS } from '../../src/vault/layout.ts';
import { PROBLEMS, SEVERITIES, type Severity } from '../../src/vault/problem-codes.ts';
import {
  checkbox,
  eventFields,
  instinctFields,
  licenceFields,
  matterFields,
  reversalFields,
  signalFields,
  stewardSwitch,
  taskFields,
} from '../../src/vault/record.ts';
import { EVENT, INSTINCT, LICENCE, MATTER, REVERSAL, SIGNAL, SOURCE, TASK } from './field-words.ts';
import { REMEDIES } from './problem-words.ts';
import { ENVIRONMENT_WORDS, FOLDER_WORDS, GROUPS } from './setting-words.ts';

/** The last line of a page. */
export const GLOSSARY = 'Words: [glossary](style.md#glossary).';
const MADE = '<!-- Made by `npm run docs` from the schemas of the program. Edits here are lost. -->';

/** Returns the page of all settings, as Markdown: allowed values and defaults come from the schema. */
export function settingsPage(): string {
  const groups = GROUPS.flatMap(({ title, keys }) => [
    `## ${title}`,
    '',
    '| key | allowed | default | |',
    '| --- | --- | --- | --- |',
    ...keys.map((key) => {
      const allowed = formOf(KEYS[key]);
      const help = [KEYS[key].meta()?.help, ...exampleOf(key, allowed)].join(' ');
      return row([code(key), allowed.replace('checkbox', '`true`, `false`'), defaultOf(key), help]);
    }),
    '',
  ]);
  return page([
    '# Settings',
    '',
    'Settings are in the frontmatter of `steward.md`, as `key: value`. An edit takes effect within seconds.',
    '',
    '- If a value is invalid, the last good one applies, and `steward status` reports it.',
    '- An unknown key has no effect. `steward status` names it, with the one that you may have meant.',
    '- If the note or its frontmatter is gone, the last settings apply. After a restart, Steward is in shadow and uses no model.',
    '- Two lines of `---` with an empty block between them mean the defaults.',
    '- Steward never reads a password from a note.',
    "- `format: 1` is the version of the settings (default: 1). An older program doesn't read newer settings.",
    '',
    ...groups,
    '## Names of folders',
    '',
    "A folder can't be inside another one of the table.",
    '',
    '| key | default | |',
    '| --- | --- | --- |',
    ...FOLDER_KINDS.map((kind) => row([code(`folder_${kind}`), code(DEFAULT_FOLDERS[kind]), FOLDER_WORDS[kind]])),
    '',
    '## Environment of this machine',
    '',
    "Environment variables. People who share the vault can't change them.",
    '',
    '| variable | |',
    '| --- | --- |',
    ...Object.entries(ENVIRONMENT_WORDS).map(([name, words]) => row([code(name), words])),
  ]);
}

/** An example of a value, if its form is not obvious. */
function exampleOf(key: keyof typeof KEYS, allowed: string): string[] {
  const example = String(KEYS[key].meta()?.example);
  const isObvious = !['text', 'list'].includes(allowed) || defaultOf(key) === code(example.replaceAll('"', ''));
  return isObvious ? [] : [`Example: ${code(example)}.`];
}

type FieldWords = Readonly<Record<string, string>>;

function pickFields(words: FieldWords, isPicked: (field: string) => boolean): FieldWords {
  return Object.fromEntries(Object.entries(words).filter(([field]) => isPicked(field)));
}

/** Whether a field means the same in a matter and a task. */
function isShared(field: string): boolean {
  const words: FieldWords = TASK;
  return words[field] === (MATTER as FieldWords)[field];
}

/** Returns the page of all fields of notes, as Markdown. */
export function fieldsPage(): string {
  return page([
    '# Fields of notes',
    '',
    'Every field that Steward reads or writes. One without *allowed* has text; a checkbox is `true` or `false`. Steward leaves your own',
    'fields as they are. The folder decides the kind of a note, and its title is its file name. You may write links in every way that',
    'Obsidian accepts. Event notes have a property `record`, with JSON for Steward only: its marks, gates and lessons. Steward ignores a note',
    'whose `record` is damaged, and `steward status` shows the line.',
    '',
    ...table('Matters and tasks', matterFields.shape, pickFields(MATTER, isShared)),
    ...table(
      'Matters',
      matterFields.shape,
      pickFields(MATTER, (field) => !isShared(field)),
    ),
    ...table(
      'Tasks',
      taskFields.shape,
      pickFields(TASK, (field) => !isShared(field)),
    ),
    ...table('Events', eventFields.shape, EVENT),
    ...table('Reversals', reversalFields.shape, REVERSAL),
    ...table('Signals', signalFields.shape, SIGNAL),
    ...table('Licences', licenceFields.shape, LICENCE),
    ...table('Instincts', instinctFields.shape, INSTINCT),
    ...table('Sources', sourceShape(), SOURCE),
    ...foreignTable(),
  ]);
}

function foreignTable(): string[] {
  return [
    '## Fields of other programs',
    '',
    'Some fields change what the state of a matter or task means. Steward looks for them before it changes the state.',
    '',
    '| program | field | meaning | what Steward does |',
    '| --- | --- | --- | --- |',
    ...FOREIGN_FIELDS.map(({ program, shown, meaning, does }) => row([program, shown, meaning, does])),
    '',
  ];
}

function table(title: string, shape: z.ZodRawShape, words: FieldWords): string[] {
  const fields = Object.entries(words).flatMap(([field, said]) => {
    const schema = shape[field];
    if (said === '' || schema === undefined) return [];
    const form = formOf(schema);
    return [{ name: code(field), cells: [form === 'text' ? '' : form, said] }];
  });
  const rows = Array.from(
    Map.groupBy(fields, ({ cells }) => cells.join('|')),
    ([, same]) => row([same.map(({ name }) => name).join(', '), ...(same[0]?.cells ?? [])]),
  );
  return [`## ${title}`, '', '| field | allowed | |', '| --- | --- | --- |', ...rows, ''];
}

// A field that several kinds of source share is listed once.
function sourceShape(): z.ZodRawShape {
  const shapes = sourceSettings.options.map((kind) => kind.shape);
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
  if (schema === checkbox || schema === stewardSwitch) return 'checkbox';
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
      return ['checkbox'];
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
  if (Array.isArray(value)) return value.length === 0 ? code('[]') : code(value.join(', '));
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
  return `${MADE}\n\n${lines.join('\n').trim()}\n\n${GLOSSARY}\n`;
}

const SEVERITY_WORDS: Readonly<Record<Severity, string>> = {
  stops: 'Stops something',
  limits: 'Limits something',
  note: 'Worth knowing',
};

/** Returns the page of all problems, as Markdown, most serious first. */
export function problemsPage(): string {
  const groups = SEVERITIES.flatMap((severity) => [
    `## ${SEVERITY_WORDS[severity]}`,
    '',
    '| code | what to do |',
    '| --- | --- |',
    ...Array.from(
      Map.groupBy(PROBLEMS[severity].toSorted(), (problem) => REMEDIES[problem]),
      ([remedy, problems]) => row([problems.map(code).join(', '), remedy]),
    ),
    '',
  ]);
  return page([
    '# Problems',
    '',
    '`steward status` and `steward doctor` list the same problems, most serious first, with their note or source and what to do. This page',
    'lists them by the code in brackets.',
    '',
    '- `steward status --known CODE` hides a problem that you accept; you can also give its file or id. It is shown again if its message',
    '  changes, or if it comes back after an hour.',
    '- `steward status --all` lists hidden problems (`knownTrouble` in `--json`); `--unhide CODE` shows one again.',
    '- `steward doctor` exits 1 only for problems that aren’t hidden. You can’t hide those that it finds by testing models, Plane and the',
    '  headers of your mails.',
    '',
    ...groups,
  ]);
}
