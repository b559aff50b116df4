import type { Door } from '../../undo/order.ts';
import type { EventRecord, OrderRecord } from '../../vault/index/record.ts';

/** A person's order to confirm or dismiss a proposal. */
export interface AnswerOrder {
  readonly kind: 'confirm' | 'dismiss';
  readonly event: EventRecord;
  /** The note that a person says is meant, as a link; null where none is named. */
  readonly choose: string | null;
  readonly by: Door;
  /** The file that the person dropped; null where the answer came through another door. */
  readonly file: OrderRecord | null;
}
