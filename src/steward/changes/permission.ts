import type { Changes } from '../../vault/records/mutation.ts';
import type { Frontmatter, State, Yaml } from '../../vault/records/values.ts';

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
  | { readonly ok: false; readonly reason: string };
