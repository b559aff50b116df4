import type { WeighedSignal } from '../../steward/ports/evaluator.ts';
import { utc } from '../../vault/time.ts';
import type { Step } from '../../vault/transaction/intent.ts';
import type { NoteReader } from '../../vault/transaction/note-snapshot.ts';
import { followStep } from '../../vault/transaction/steps.ts';

/**
 * The steps that mark signals in their own notes as applied or skipped by an event (`event`: its path, `now` in epoch
 * ms). A signal that opted out of the steward keeps its note as it is.
 */
export function stampSteps(
  notes: NoteReader,
  signals: readonly Pick<WeighedSignal, 'path'>[],
  event: string,
  now: number,
  status: 'applied' | 'skipped' = 'applied',
): Step[] {
  return signals.flatMap((signal) => {
    const step = followStep(notes, signal.path, ({ steward }) =>
      steward === false
        ? []
        : [
            { op: 'set', field: 'status', value: status },
            ...(status === 'applied' ? [{ op: 'set' as const, field: 'applied_at', value: utc(now) }] : []),
            { op: 'set', field: 'audit_record_path', value: event },
          ],
    );
    return step === null ? [] : [step];
  });
}
