import path from 'node:path';
import { readNote } from '../../../vault/frontmatter/parse.ts';
import { bodyOf } from '../../../vault/frontmatter/parsed-note.ts';
import { linkTarget } from '../../../vault/links.ts';
import { fold, stem } from '../../../vault/note-names.ts';
import type { Frontmatter, Yaml } from '../../../vault/records/values.ts';
import type { TaskNotesSettings } from './task-notes.ts';

/** What the survey keeps of one note. */
export interface FoundNote {
  readonly path: string;
  /** Its folder, '' at the top of the vault. */
  readonly folder: string;
  /** The value of `status` or `state`, where it is one text. */
  readonly status: string | null;
  /** What it is by its own words: tags, `type` and `categories`, without brackets and folded. */
  readonly kinds: readonly string[];
  /** The notes it names as its projects or its matter, folded. */
  readonly projects: readonly string[];
  /** Whether it has a field that tasks have. */
  readonly looksLikeTask: boolean;
  /** How many lines of it are open tasks with a date, as the Tasks plugin writes them. */
  readonly taskLines: number;
}

const NAME_OF_KIND = ['type', 'categories', 'category'];
const TASK_FIELDS = ['status', 'state', 'due', 'scheduled', 'completedDate'];
const TASK_LINE = /^[ \t>]*(?:[-*+]|\d+[.)])[ \t]+\[ \].*(?:📅|⏳|🛫|🔁|➕|⏫|🔼|🔽|🔺|⏬)/gmu;

/** Returns what the survey keeps of a note. One that cannot be read counts as a note without fields. */
export function foundNote(file: string, bytes: Buffer, { fields }: TaskNotesSettings): FoundNote {
  const read = readNote(file, bytes);
  const data: Frontmatter = read.ok ? read.note.data : {};
  const parents = [data.parent_matter, data[fields.projects], data.projects];
  const folder = path.posix.dirname(file);
  return {
    path: file,
    folder: folder === '.' ? '' : folder,
    status: single(data.state ?? data.status),
    kinds: [...textsOf(data.tags).map(tagName), ...NAME_OF_KIND.flatMap((name) => textsOf(data[name])).map(kindName)],
    projects: textsOf(parents.find((one) => one !== undefined && one !== null)).map((link) =>
      fold(stem(linkTarget(link))),
    ),
    looksLikeTask: TASK_FIELDS.some((name) => Object.hasOwn(data, name)),
    taskLines: read.ok ? (bodyOf(read.note).match(TASK_LINE)?.length ?? 0) : 0,
  };
}

function kindName(text: string): string {
  return fold(stem(linkTarget(text)));
}

// `task/urgent` is a task.
function tagName(text: string): string {
  return fold(text.replace(/^#/, '').split('/')[0] ?? '');
}

function single(value: Yaml | undefined): string | null {
  const texts = textsOf(value);
  return texts.length === 1 ? (texts[0] ?? null) : null;
}

function textsOf(value: Yaml | undefined): string[] {
  const items: readonly Yaml[] = Array.isArray(value) ? value : [value ?? null];
  return items
    .flatMap((item) => (item === null || typeof item === 'object' ? [] : [String(item).trim()]))
    .filter(Boolean);
}
