import type { Mode } from '../../steward/gates/gate.ts';
import { matterField } from '../../steward/ports/matter-link.ts';
import type { TargetRecord } from '../../vault/index/record.ts';
import type { Refusal } from '../budget/refusal.ts';
import { modeOf } from '../context/effective-mode.ts';
import type { WriteAccess } from '../context/ports.ts';
import type { Decided } from './decision.ts';
import { type EventNote, eventNoteText, NO_MARKS } from './event-note.ts';
import { freshSignals } from './fresh-signals.ts';
import { spokenBy } from './spoken.ts';

const DAY = 24 * 60 * 60 * 1000;
/** A window that is full again so soon is told of no second time: the same signals still wait. */
const SPELL = 60 * 60 * 1000;

/**
 * Writes an event note that says why nothing was judged: one for each target and full window until that has had room for an
 * hour, not one for each tick.
 */
export function recordRefusal(
  space: WriteAccess,
  target: TargetRecord,
  type: EventNote['type'],
  refusal: Refusal,
  caller: Mode | null,
): Decided {
  const said = space.context.state.get('guarded');
  const key = `${target.path} ${refusal.window}`;
  const until = said[key] ?? 0;
  // A window lasts a day at most: a moment further off came from a clock that ran ahead.
  if (until > space.context.now() - SPELL && until <= space.context.now() + DAY) {
    said[key] = refusal.freeAt; // for `status`, which says until when it waits
    space.context.state.touch('guarded', key);
    return { kind: 'guarded', refusal };
  }
  const note = space.notes.fresh(target.path);
  if (note === null) return { kind: 'gone' };
  const now = space.context.now();
  const event = space.transactions.eventPath(type, target.path, now);
  const mode = modeOf(space.context, caller) === 'shadow' ? 'shadow' : 'live';
  const guarded: EventNote = {
    ...{ type, now, target: target.path, decision: 'rate_guarded', confidence: 0, mode, outcome: 'record' },
    ...{ priorState: target.fields.state, prior: note.data, changes: {}, evidence: [], contributions: {} },
    ...{ signals: [], signalsSummary: '', evaluator: 'none', gates: [refusal.gate], refusal: null, person: null },
    ...NO_MARKS,
    ...matterField(space.vault, target.path),
    spoken: spokenBy(space, freshSignals(space, target).signals),
    ...{
      noteSha: note.sha,
      reasoning: `Nothing was judged: ${refusal.code === 'budget' ? 'the budget for models is used up' : 'the rate guard had no room'}. The signals wait for a later tick.`,
    },
  };
  const text = eventNoteText(guarded, event, space.context.seal);
  space.transactions.commit(event, [{ do: 'create', path: event, text }]);
  said[key] = refusal.freeAt;
  space.context.state.touch('guarded', key);
  space.context.state.save('guarded'); // as lasting as the note: a crash must not write it twice
  return { kind: 'guarded', refusal };
}
