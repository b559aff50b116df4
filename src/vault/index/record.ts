import type { z } from 'zod';
import { isOrder, isOrderName, type OrderFields, orderFields, Shape } from '../answer-file.ts';
import { type Diagnostic, diagnostic } from '../errors.ts';
import type { FileStat } from '../files.ts';
import { isNewer, newerFormat, upgraded } from '../formats.ts';
import { readNote } from '../frontmatter-parse.ts';
import { DEFAULT_FOLDERS, type Layout, type PathKind } from '../layout.ts';
import { stem } from '../note-names.ts';
import { clipped } from '../note-text.ts';
import { type Checkboxes, checkboxesIn, tickedCandidates } from '../notes.ts';
import { bodyOf, fieldPosition, type ParsedNote } from '../parsed-note.ts';
import { issueWords } from '../records/issue-words.ts';
import type { Frontmatter } from '../records/values.ts';
import { type EventFields, eventFields, REVERSAL_TYPES, type ReversalFields, reversalFields } from '../records.ts';
import { type MatterFields, matterFields, type TaskFields, taskFields, taskOf } from '../records-task.ts';
import { sourceName } from '../source-names.ts';
import {
  type InstinctFields,
  instinctFields,
  NO_WORDS,
  type SignalFields,
  type StatusWords,
  saysNoState,
  signalFields,
  stateMeant,
  statusText,
} from '../status-words.ts';

interface Base {
  /** Vault-relative path, forward slashes, as it is spelt on disk. */
  readonly path: string;
  /** File name without `.md`: the title, and the slug. */
  readonly name: string;
  readonly stat: FileStat;
}
export type MatterRecord = Base & {
  readonly kind: 'matter';
  readonly fields: MatterFields;
  /** The checkboxes of its body; absent where it has none. */
  readonly boxes?: Checkboxes;
};
export type TaskRecord = Base & { readonly kind: 'task'; readonly fields: TaskFields };
export type SignalRecord = Base & { readonly kind: 'signal'; readonly fields: SignalFields };
export type EventRecord = Base & { readonly kind: 'event'; readonly fields: EventFields };
export type ReversalRecord = Base & { readonly kind: 'reversal'; readonly fields: ReversalFields };
/** A person's confirmation or dismissal as a file, not carried out yet: new, or refused. */
export type OrderRecord = Base & { readonly kind: 'order'; readonly fields: OrderFields };
export type InstinctRecord = Base & { readonly kind: 'instinct'; readonly fields: InstinctFields };
/** A note in a record folder that cannot be read as a record: it is reported and never changed. */
export type BadRecord = Base & {
  readonly kind: 'bad';
  readonly trouble: Diagnostic;
  /** The source that an instinct is about, where at least that can be read. */
  readonly source?: string;
};
export type VaultRecord =
  | MatterRecord
  | TaskRecord
  | SignalRecord
  | EventRecord
  | ReversalRecord
  | OrderRecord
  | InstinctRecord
  | BadRecord;
/** A record that a decision can be about. */
export type TargetRecord = MatterRecord | TaskRecord;

/** The names that other programs use for our fields: theirs → ours. */
export type FieldMapping = Readonly<Record<string, string>>;
export const DEFAULT_MAPPING: FieldMapping = { status: 'state', projects: 'parent_matter' };

const SHAPES = {
  matter: Shape.of(matterFields),
  task: Shape.made(taskFields, taskOf),
  signal: Shape.of(signalFields),
  event: Shape.of(eventFields),
  reversal: Shape.of(reversalFields),
  order: Shape.of(orderFields),
  instinct: Shape.of(instinctFields),
};

/** The kinds of records that a vault has many of. */
export type PackedKind = 'event' | 'reversal' | 'signal' | 'task';

/** Returns the fields of a note of a kind that says nothing. */
export function emptyFields(kind: PackedKind): Readonly<Record<string, unknown>> {
  const read = kind === 'event' ? SHAPES.event.read({ type: 'steward-action', timestamp: '' }) : SHAPES[kind].read({});
  return read.data ?? {};
}

const REVERSAL_NAME = /^(steward|signal)-action-reversed-/i;

/** Whether an event note's name says that it takes another back. */
function isReversalName(name: string): boolean {
  return REVERSAL_NAME.test(name);
}

/**
 * Returns the record that a file of a record folder holds, or what is wrong with it (`bad`). Never throws. `words`: what
 * the vault's own words for states mean. `kind`: what the file is, where that is known.
 */
export function readRecord(
  layout: Layout,
  mapping: FieldMapping,
  file: string,
  stat: FileStat,
  bytes: Buffer,
  words: StatusWords = NO_WORDS,
  kind: PathKind = layout.kindOf(file),
): VaultRecord {
  const base = { path: file, name: stem(file), stat };
  const read = readNote(file, bytes);
  if (!read.ok) {
    const bare = read.trouble.code === 'note-empty' && kind === 'event';
    if (bare && isReversalName(base.name)) return { ...base, kind: 'reversal', fields: reversalFields.parse({}) };
    if (bare && isOrderName(base.name)) return { ...base, kind: 'order', fields: orderFields.parse({}) };
    return { ...base, kind: 'bad', trouble: read.trouble };
  }
  return recordOf(base, kind, read.note, { mapping, words, isAdopted: isAdopted(layout, kind) });
}

/** How a vault calls things: its names for fields, and its words for states. */
interface Names {
  readonly mapping: FieldMapping;
  readonly words: StatusWords;
  /** Whether the folder is one that the person had before: what is `type` there is theirs. */
  readonly isAdopted: boolean;
}

function isAdopted({ folders }: Layout, kind: PathKind): boolean {
  return (kind === 'task' || kind === 'matter') && folders[kind] !== DEFAULT_FOLDERS[kind];
}

function recordOf(base: Base, kind: PathKind, note: ParsedNote, names: Names): VaultRecord {
  const { data } = note;
  const { mapping, words } = names;
  const wrong = newerTrouble(base, kind, data) ?? typeTrouble(base, kind, note, names);
  if (wrong !== null) return { ...base, kind: 'bad', trouble: wrong };
  const parsed = <Fields>(shape: Shape<Fields>, input: Readonly<Record<string, unknown>> = data) => {
    const result = shape.read(OWN_KINDS.includes(kind) ? upgraded('note', input) : input);
    return result.success
      ? { fields: result.data, bad: null }
      : { fields: null, bad: { ...base, kind: 'bad' as const, trouble: schemaTrouble(base.path, note, result.error) } };
  };
  switch (kind) {
    case 'matter': {
      const { fields, bad } = parsed(SHAPES.matter, withState(data, data, mapping, words));
      const boxes = checkboxesIn(bodyOf(note));
      return bad ?? { ...base, kind, fields, ...(boxes === null ? {} : { boxes }) };
    }
    case 'task': {
      const { fields, bad } = parsed(SHAPES.task, mapped(data, mapping, words));
      return bad ?? { ...base, kind, fields };
    }
    case 'signal': {
      const { fields, bad } = parsed(SHAPES.signal);
      return bad ?? { ...base, kind, fields };
    }
    case 'instinct': {
      const { fields, bad } = parsed(SHAPES.instinct);
      if (fields !== null) return { ...base, kind, fields };
      const pattern = typeof data.pattern === 'string' ? data.pattern : null;
      return typeof data.source_type === 'string' ? { ...bad, source: sourceName(data.source_type, pattern) } : bad;
    }
    default: {
      if (isReversal(base.name, data)) {
        const { fields, bad } = parsed(SHAPES.reversal);
        return bad ?? { ...base, kind: 'reversal', fields };
      }
      if (isOrder(base.name, data)) {
        const { fields, bad } = parsed(SHAPES.order);
        return bad ?? { ...base, kind: 'order', fields };
      }
      const { fields, bad } = parsed(SHAPES.event);
      return (
        bad ?? {
          ...base,
          kind: 'event',
          fields: { ...fields, ticked: tickedCandidates(bodyOf(note), fields.candidates) },
        }
      );
    }
  }
}

function isReversal(name: string, data: Frontmatter): boolean {
  return data.type === undefined || data.type === null
    ? isReversalName(name)
    : REVERSAL_TYPES.some((type) => type === data.type);
}

/**
 * Returns a task's frontmatter with other programs' field names replaced by ours, and the vault's words for states too;
 * where a note has both names, ours wins.
 */
export function mapped(data: Frontmatter, mapping: FieldMapping, words: StatusWords): Record<string, unknown> {
  let fields: Readonly<Record<string, unknown>> = data;
  for (const [theirs, ours] of Object.entries(mapping)) {
    if (ours === 'state' || data[theirs] === undefined || data[ours] !== undefined) continue;
    fields = { ...fields, [ours]: data[theirs] };
  }
  return withState(fields, data, mapping, words);
}

/** Returns fields with the state that a note names, under whichever name; a matter has no other name but for it. */
export function withState(
  fields: Readonly<Record<string, unknown>>,
  data: Frontmatter,
  mapping: FieldMapping,
  words: StatusWords,
): Record<string, unknown> {
  const isTheirs = data.state === undefined && data.status !== undefined && mapping.status === 'state';
  const written = isTheirs ? data.status : data.state;
  const state = saysNoState(written) ? 'open' : stateMeant(written, words);
  const known = { ...fields, state_field: isTheirs ? 'status' : 'state', state: state ?? written, unexplained: null };
  // People invent statuses. A note with one that nothing explains is not finished, and nobody knows what to do with it.
  const isUnexplained = state === null && (isTheirs || Array.isArray(written));
  if (!isUnexplained) return known;
  return { ...known, state: 'open', unexplained: clipped(statusText(written), MOST_OF_A_WORD), steward: false };
}

/** No more is kept of a word that nothing explains. */
const MOST_OF_A_WORD = 60;

/** What a note says where it is one of the program's own, and so never another one's. */
const OWN_TYPE = /^(matter|task|signal|instinct|steward|source|(steward|signal)-action.*)$/;

/** The notes that the program writes itself. A version is read only there: a person's notes have none. */
const OWN_KINDS: readonly PathKind[] = ['signal', 'event', 'instinct'];

function newerTrouble({ path }: Base, kind: PathKind, data: Frontmatter): Diagnostic | null {
  return OWN_KINDS.includes(kind) && isNewer('note', data) ? newerFormat('note', data, path, 'this note') : null;
}

// The folder decides what a note is; where `type` contradicts it, the note is reported and left alone. In a folder that a
// person had before, `type` has their own words: only one of the program's contradicts it.
function typeTrouble(base: Base, kind: PathKind, note: ParsedNote, { isAdopted }: Names): Diagnostic | null {
  const { type } = note.data;
  if (type === undefined || type === null || type === '') return null;
  const fits =
    kind === 'event' ? typeof type === 'string' && /^(steward|signal)-action(-|$)/.test(type) : type === kind;
  if (fits || (isAdopted && !(typeof type === 'string' && OWN_TYPE.test(type)))) return null;
  // Not String(type): that throws for a mapping with a `toString` field.
  const said = clipped(typeof type === 'string' ? type : JSON.stringify(type), 60);
  return diagnostic({
    code: 'type-contradicts-folder',
    file: base.path,
    ...fieldPosition(note, 'type'),
    message: `The note says type: ${said}, but its folder holds ${kind} notes.`,
    hint: `Move the note to the folder for ${said}, or set type: ${kind}.`,
  });
}

function schemaTrouble(file: string, note: ParsedNote, error: z.ZodError): Diagnostic {
  const issue = error.issues[0];
  const field = String(issue?.path[0] ?? '');
  const where = issue?.path.map(String).join('.') ?? '';
  const said = issueWords(issue);
  return diagnostic({
    code: 'field-invalid',
    file,
    ...fieldPosition(note, field),
    message: where === '' ? `The frontmatter ${said}.` : `${where} ${said.endsWith('.') ? said : `${said}.`}`,
    hint: 'Mend the field; until then the note is left alone and the rest of the vault carries on.',
  });
}

/** Orders records by their paths, letter by letter: the program's own notes begin with their moment. */
export function inPathOrder(a: VaultRecord, b: VaultRecord): number {
  return a.path < b.path ? -1 : 1;
}
