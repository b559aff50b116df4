import type { FieldMapping, TargetRecord } from '../../vault/index/record.ts';
import type { Frontmatter, State, Yaml } from '../../vault/records/values.ts';
import type { Changes } from '../../vault/records.ts';
import type { StatusWords } from '../../vault/status-words.ts';
import { localDate } from '../../vault/time.ts';
import type { Clock, Records } from '../ports.ts';

/** The note that a change is meant for. */
export interface TargetNote {
  readonly kind: 'task' | 'matter';
  /** The note's frontmatter as written, under the note's own names. */
  readonly fields: Frontmatter;
  readonly state: State;
  /** The name under which this note keeps its state (contract, section 3). */
  readonly stateField: 'state' | 'status';
}

/** What the settings say about writing fields. */
export interface FieldSettings {
  /** Fields the settings add to the class context_edit. */
  readonly editable: readonly string[];
  /** Fields the settings add to the protected ones (section 10). */
  readonly protectedFields: readonly string[];
  /** What the vault's own words for states mean. */
  readonly words: StatusWords;
}

/** Everything the rules of writing need to know to judge a change of one note. */
export interface MutationContext extends TargetNote, FieldSettings {
  matterExists(link: string): boolean;
  noteExists(link: string): boolean;
  /** YYYY-MM-DD, local. */
  readonly today: string;
}

/** An edit of one field that a decision may make: every edit a note takes except deleting the field. */
export type FieldEditLike =
  | { readonly op: 'set'; readonly field: string; readonly value: Yaml }
  | { readonly op: 'add' | 'remove'; readonly field: string; readonly members: readonly string[] };

/** What may be written of some changes, or the sentence that says why none of them may. */
export type Permission =
  | {
      readonly ok: true;
      readonly edits: readonly FieldEditLike[];
      readonly changes: Changes;
      /** True for a reopening, which is only ever proposed (section 16). */
      readonly needsPerson: boolean;
    }
  /** `byHand`: it may be made, and the note is written in a way that only a person can change. */
  | { readonly ok: false; readonly reason: string; readonly byHand?: true };

/** What the settings say about what may be written. */
interface WritingSettings {
  readonly editable_fields: readonly string[];
  readonly protected_fields: readonly string[];
  readonly field_mapping: FieldMapping;
}

/** The vault, the settings and the time, as the rules of writing ask for them. */
interface Writing extends Records, Clock {
  readonly context: Clock['context'] & { readonly settings: WritingSettings };
}

/** Returns what the rules of writing need to know about a note. `data`: its frontmatter as it is on disk. */
export function mutationContext(space: Writing, target: TargetRecord, data: Frontmatter): MutationContext {
  const { catalogue } = space.vault;
  return {
    kind: target.kind,
    fields: data,
    state: target.fields.state,
    stateField: target.fields.state_field,
    words: catalogue.words,
    editable: space.context.settings.editable_fields,
    protectedFields: space.context.settings.protected_fields,
    matterExists: (link) => catalogue.resolve(link, ['matter'])?.kind === 'matter',
    noteExists: (link) => catalogue.exists(link),
    today: localDate(space.context.now()),
  };
}
