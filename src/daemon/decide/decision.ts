import type { Permission } from '../../steward/changes/permission.ts';
import type { Disposition, Gate, Mode } from '../../steward/gates/gate.ts';
import type { Usage, WeighedSignal } from '../../steward/ports/evaluator.ts';
import type { TargetRecord } from '../../vault/index/record.ts';
import type { EvidenceItem } from '../../vault/records/event.ts';
import type { FieldChange, MutationProposal } from '../../vault/records/mutation.ts';
import type { NoteSnapshot } from '../../vault/transaction/note-snapshot.ts';
import type { Refusal } from '../budget/refusal.ts';
import type { EventNote } from './event-note.ts';

/** A decision about one note, before the gates: from the evaluator at a tick, or from one strong signal. */
export interface Decision {
  readonly type: EventNote['type'];
  readonly decision: string;
  readonly confidence: number;
  readonly reasoning: string;
  readonly evidence: readonly EvidenceItem[];
  readonly contributions: Readonly<Record<string, number>>;
  readonly changes: readonly FieldChange[];
  /** The signal's own proposal, which must keep to its class; null for an evaluator's changes. */
  readonly proposal: MutationProposal | null;
  readonly evaluator: string;
  readonly signals: readonly WeighedSignal[];
  /** Whether it rests on signals that were weighed before a person changed the note: then it is only proposed. */
  readonly again: boolean;
  /** The tokens and cost of the model; absent where none was asked. */
  readonly usage?: Usage | null;
}

/** How a look at one note ended. */
export type Decided =
  | { readonly kind: 'acted' | 'proposed' | 'recorded'; readonly event: string }
  | { readonly kind: 'guarded'; readonly refusal: Refusal }
  /** Somebody is typing, or hours are quiet: the note is judged again at `until` (epoch ms). */
  | { readonly kind: 'settling'; readonly until: number }
  /** The model could not be asked, or hours are quiet: the signals wait for a later tick. */
  | { readonly kind: 'unasked'; readonly reason: string }
  | { readonly kind: 'gone' };

/** A decision with its gates and its outcome, before anything is written. */
export interface Draft {
  readonly mode: Mode;
  readonly gates: readonly Gate[];
  readonly decision: Decision;
  readonly note: NoteSnapshot;
  readonly target: TargetRecord;
  readonly permission: Permission;
  readonly outcome: Disposition;
}
