import type { Frontmatter, Yaml } from './frontmatter.ts';

// Fields of other programs that change what the status of a note means, and what Steward does about each.

/**
 * The meaning of such a field for Steward. `occurrence`: to complete it, it completes one day of the series. `series`:
 * it never closes the note. `archived`, `done`: the note has ended, whatever its status says. `template`: it isn't a
 * note yet. `task`: it isn't a matter. `none`: the status means what it says.
 */
type ForeignRule = 'occurrence' | 'series' | 'archived' | 'done' | 'task' | 'template' | 'none';

interface ForeignField {
  readonly program: string;
  readonly fields: readonly string[];
  readonly rule: ForeignRule;
  /** How the fields page names them. */
  readonly shown: string;
  readonly meaning: string;
}

/** The table that the reader of notes, the rules of writing and `docs/fields.md` share. */
export const FOREIGN_FIELDS: readonly ForeignField[] = [
  {
    program: 'TaskNotes',
    fields: ['recurrence', 'complete_instances'],
    rule: 'occurrence',
    shown: '`recurrence`, `recurrence_anchor`, `complete_instances`, `skipped_instances`',
    meaning:
      'The task recurs. Steward adds each completed day to `complete_instances`, and never closes or archives the series.',
  },
  {
    program: 'Repeat, Task Genius',
    fields: ['repeat', 'repeats', 'recurring', 'recur', 'rrule'],
    rule: 'series',
    shown: '`repeat`, `repeats`, `recurring`, `recur`, `rrule`',
    meaning:
      'The note is a series. Steward never closes or archives it, and asks you to complete it in the other program.',
  },
  {
    program: 'Full Calendar',
    fields: ['startRecur', 'daysOfWeek'],
    rule: 'series',
    shown: '`startRecur`, `endRecur`, `daysOfWeek`',
    meaning: 'The same.',
  },
  {
    program: 'TaskNotes, others',
    fields: ['archived'],
    rule: 'archived',
    shown: '`archived: true`, the tag `archived`, a folder such as `Archive`',
    meaning: 'The note is archived, whatever its status. Steward never changes it.',
  },
  {
    program: 'Dataview, Full Calendar, Tasks',
    fields: ['done', 'completed', 'completion'],
    rule: 'done',
    shown: '`done`, `completed`, `completion`',
    meaning: '`true` or a date in a note without `state` and `status`: the note is done. Steward never changes it.',
  },
  {
    program: 'TaskNotes',
    fields: [],
    rule: 'task',
    shown: 'the tag `task` in the folder of matters',
    meaning: 'The note isn’t a matter. To have it read as a task, move it to the folder of tasks.',
  },
  {
    program: 'Templates, Templater',
    fields: [],
    rule: 'template',
    shown: '`{{…}}` or `<% … %>` in a field, a folder such as `Templates`',
    meaning: 'The note is a template. Steward never changes it.',
  },
  {
    program: 'Dataview, Tasks',
    fields: [],
    rule: 'none',
    shown: '`status:: …` and `- [ ] … 🔁` in the text',
    meaning: 'Ignored: they belong to a line of the text, not to the note.',
  },
];

/** A note that recurs, by the fields of another program. */
export interface Series {
  /** The field that says so. */
  readonly field: string;
  readonly rule: 'occurrence' | 'series';
}

/** Returns what makes a note a series; null if it doesn't recur. `fields`: under the names of the programs. */
export function findSeries(fields: Frontmatter): Series | null {
  for (const { fields: names, rule } of FOREIGN_FIELDS) {
    if (rule !== 'occurrence' && rule !== 'series') continue;
    const field = names.find((name) => saysYes(name, fields[name]));
    if (field !== undefined) return { field, rule };
  }
  return null;
}

// An empty list of completed days says that the task recurs: no other task has one.
function saysYes(name: string, value: Yaml | undefined): boolean {
  if (Array.isArray(value)) return value.length > 0 || name === 'complete_instances';
  if (value === undefined || value === null || value === false) return false;
  return typeof value !== 'string' || !/^(?:false|no|none|never|off)?$/i.test(value.trim());
}

/** A note that Steward leaves alone because of another program's fields or folders. */
export interface SetAside {
  /** The state that the note has; null if it isn't a note of its kind. */
  readonly state: 'done' | 'archived' | null;
  readonly isTemplate?: true;
  /** Why it is left alone, in words after "is": `archived (its tag)`. */
  readonly words: string;
}

const ARCHIVE = /^(?:archived?|archives|archiv|archivio|archivo|archief|archiwum|arquivo)$/;
const TEMPLATES = /^(?:templates?|vorlagen?|mod[eè]les|plantillas|modelli|sjablonen|szablony)$/;

/** Returns why a matter or task is to be left alone; null if it isn't. `folders`: those below the record folder. */
export function findSetAside(kind: 'matter' | 'task', data: Frontmatter, folders: readonly string[]): SetAside | null {
  const named = (pattern: RegExp) => folders.find((folder) => pattern.test(plainName(folder)));
  const templates = named(TEMPLATES);
  const template = TEMPLATE_FIELDS.find((field) => isTemplate(data[field]));
  if (templates !== undefined || template !== undefined) {
    const why = templates === undefined ? `its field ${template}` : `in the folder ${templates}`;
    return { state: null, isTemplate: true, words: `a template (${why})` };
  }
  const tags = tagsIn(data.tags);
  if (kind === 'matter' && tags.includes('task')) return { state: null, words: 'a task by its tag, not a matter' };
  const archive = named(ARCHIVE);
  if (archive !== undefined) return { state: 'archived', words: `archived (in the folder ${archive})` };
  if (data.archived === true || data.archived === 'true')
    return { state: 'archived', words: 'archived (archived: true)' };
  if (tags.includes('archived')) return { state: 'archived', words: 'archived (its tag)' };
  const field = hasState(data) ? undefined : fieldsOf('done').find((name) => saysDone(data[name]));
  return field === undefined ? null : { state: 'done', words: `done (its field ${field})` };
}

function fieldsOf(wanted: ForeignRule): readonly string[] {
  return FOREIGN_FIELDS.filter(({ rule }) => rule === wanted).flatMap(({ fields }) => fields);
}

/** `_Archive`, `📦 Archive` and `99 - Archive` as `archive`. */
function plainName(folder: string): string {
  return folder
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}]+/gu, '');
}

/** In other fields a person may write about templates. */
const TEMPLATE_FIELDS = ['state', 'status', 'due', 'scheduled', 'title', 'projects', 'parent_matter', 'dateCreated'];

// Without quotes, YAML reads `{{date}}` as a map whose key is a map.
function isTemplate(value: Yaml | undefined): boolean {
  if (typeof value === 'string') return /<%|%>|\{\{|\}\}/.test(value);
  if (Array.isArray(value)) return value.some(isTemplate);
  return typeof value === 'object' && value !== null && Object.hasOwn(value, '[object Object]');
}

function tagsIn(tags: Yaml | undefined): readonly string[] {
  const all: readonly Yaml[] = typeof tags === 'string' ? tags.split(/[\s,]+/) : Array.isArray(tags) ? tags : [];
  return all.map((tag) => String(tag).trim().replace(/^#/, '').toLowerCase());
}

function hasState({ state, status }: Frontmatter): boolean {
  return (state ?? null) !== null || (status ?? null) !== null;
}

function saysDone(value: Yaml | undefined): boolean {
  return value === true || (typeof value === 'string' && /^\s*(?:true|\d{4}-\d\d-\d\d.*)$/.test(value));
}
