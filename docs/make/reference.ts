import { z } from 'zod';
import { KEYS } from '../../src/daemon/settings.ts';
import { sourceSettings } from '../../src/sources/source.ts';
import { DEFAULT_SETTINGS } from '../../src/steward/settings.ts';
import { FOREIGN_FIELDS } from '../../src/vault/foreign-fields.ts';
import { FOLDER_KINDS } from '../../src/vault/layout.ts';
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
    '| key | default | |',
    '| --- | --- | --- |',
    ...keys.map((key) => {
      const allowed = formOf(KEYS[key]);
      const help = String(KEYS[key].meta()?.help);
      return row([code(key), defaultOf(key), [...limitOf(allowed, help), help, ...exampleOf(key, allowed)].join(' ')]);
    }),
    '',
  ]);
  return page([
    '# Settings',
    '',
    'Settings are in the frontmatter of `steward.md`, as `key: value`. An edit takes effect within seconds. Confidences and likelihoods are',
    'numbers from 0 to 1.',
    '',
    '- If a value is invalid, the last good one applies. An unknown key has no effect. `steward status` names both.',
    '- If the note or its frontmatter is gone, the last settings apply. After a restart, Steward is in shadow and uses no model.',
    '- An empty frontmatter (two lines of `---`) means the defaults.',
    "- `format: 1` is the version of the settings (default: 1). An older program doesn't read newer settings.",
    '',
    ...groups,
    '## Names of folders',
    '',
    "By default a folder is named like the second word of its key. It can't be inside another one of the table.",
    '',
    '| key | content |',
    '| --- | --- |',
    ...FOLDER_KINDS.map((kind) => row([code(`folder_${kind}`), FOLDER_WORDS[kind]])),
    '',
    '## Environment of this machine',
    '',
    "People who share the vault can't change these variables.",
    '',
    ...groupByWords(Object.entries(ENVIRONMENT_WORDS).map(([name, words]) => ({ name: code(name), words }))),
  ]);
}

/** An example of a value, if its form is not obvious. */
function exampleOf(key: keyof typeof KEYS, allowed: string): string[] {
  const example = String(KEYS[key].meta()?.example);
  const isObvious =
    !['text', 'list'].includes(allowed) || defaultOf(key) === code(example.replaceAll(/^\[|\]$|"/g, ''));
  return isObvious ? [] : [`Example: ${code(example)}.`];
}

/** The allowed values, if they are limited and neither obvious nor all named by the words. */
function limitOf(allowed: string, words: string): string[] {
  const values = allowed.match(/`[^`]+`/g) ?? [];
  const isNamed = values.length > 0 && values.every((value) => words.includes(value));
  const isObvious = ['text', 'list', 'checkbox', 'number, 0 to 1'].includes(allowed) || allowed.includes(', 0 or more');
  return isNamed || isObvious ? [] : [`${allowed.replace(/^(?:whole )?number, /, '')}.`];
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
    'Every field that Steward reads or writes; it leaves your own fields as they are. If values are limited, the allowed ones come first.',
    '*Tick* and *whether* mean a checkbox: `true` or `false`. Fields with several values are lists. Links may have any form that Obsidian',
    'accepts. A confidence is a number from 0 to 1. The folder decides the kind of a note, and its title is its file name.',
    '',
    'Event notes also have a property `record`, with JSON for Steward only. If it is damaged, Steward ignores the note, and `steward status`',
    'shows the line.',
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
    'Some fields change what the state of a matter or task means. Steward reads them before it changes the state.',
    '',
    '| program | field | what it means for Steward |',
    '| --- | --- | --- |',
    ...FOREIGN_FIELDS.map(({ program, shown, meaning }) => row([program, shown, meaning])),
    '',
  ];
}

function table(title: string, shape: z.ZodRawShape, words: FieldWords): string[] {
  const fields = Object.entries(words).flatMap(([field, said]) => {
    const schema = shape[field];
    if (said === '' || schema === undefined) return [];
    const form = formOf(schema);
    return [{ name: code(field), words: [...limitOf(form, said), said].join(' ') }];
  });
  return [`## ${title}`, '', ...groupByWords(fields), ''];
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

/** Returns a list item for each text, with the names of all that have it. */
function groupByWords(named: readonly { readonly name: string; readonly words: string }[]): string[] {
  return Array.from(
    Map.groupBy(named, ({ words }) => words),
    ([words, same]) => `- ${same.map(({ name }) => name).join(', ')}: ${words}`,
  );
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
    ...groupByWords(
      PROBLEMS[severity].toSorted().map((problem) => ({ name: code(problem), words: REMEDIES[problem] })),
    ),
    '',
  ]);
  return page([
    '# Problems',
    '',
    '`steward status` and `steward doctor` show each problem with its note or source, its code in brackets, and what to do. Steward retries',
    'what failed: restart it only if the line says so.',
    '',
    '- `steward status --known CODE` hides a problem that you accept; you can also give its file or id. It is shown again if its message',
    '  changes, or if it comes back after an hour.',
    '- `steward status --all` lists hidden problems (`knownTrouble` in `--json`); `--unhide CODE` shows one again.',
    '- `steward doctor` exits 1 only for problems that aren’t hidden. You can’t hide problems of models, Plane and mail headers that it finds',
    '  by a test.',
    '',
    ...groups,
  ]);
}
