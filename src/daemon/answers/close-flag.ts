import { isHandsOff } from '../../steward/changes/opt-out.ts';
import { withoutPending } from '../../steward/proposals/pending-flag.ts';
import { resolvedOn } from '../../steward/proposals/proposal-status.ts';
import { sha256 } from '../../vault/hash.ts';
import type { TargetRecord } from '../../vault/index/record.ts';
import { sealEvent } from '../../vault/index/seals.ts';
import { wikilink } from '../../vault/links.ts';
import { noteText } from '../../vault/notes/note-text.ts';
import { NOBODY_SPOKE, type SaidBy, spokenFields } from '../../vault/notes/spoken.ts';
import { utc } from '../../vault/time.ts';
import type { NoteSnapshot } from '../../vault/transaction/note-snapshot.ts';
import { textStep } from '../../vault/transaction/steps.ts';
import { closedBody, closedWords, JUDGED_BY } from '../../vault/words/answer-words.ts';
import { EVENT_CLASSES } from '../../vault/words/becoming.ts';
import { modeOf } from '../context/effective-mode.ts';
import type { WriteAccess } from '../context/ports.ts';

/**
 * Takes the flag from a note whose proposals have closed themselves: overtaken, or resolved by hand. Leaves an event
 * note that says why, and teaches no source. Does nothing in shadow mode, which changes no note by itself. Returns when
 * to look again (epoch ms) where somebody is editing the note, else null.
 */
export function clearFlag(space: WriteAccess, target: TargetRecord): number | null {
  if (!target.fields.pending_confirmation || isHandsOff(space, target) || modeOf(space.context, null) === 'shadow')
    return null;
  space.transactions.finishHeldUp([target.path]);
  const note = space.notes.fresh(target.path);
  if (note === null) return null;
  const bare = withoutPending(space, note, () => false);
  if (bare === note.text) return null;
  if (note.settledAt > space.context.now()) return note.settledAt;
  return cleared(space, target, note, bare) ? null : space.context.now() + 1000;
}

function cleared(space: WriteAccess, target: TargetRecord, note: NoteSnapshot, bare: string): boolean {
  const now = space.context.now();
  const path = space.transactions.eventPath('steward-action', target.path, now);
  const closed = resolvedOn(space, target.path, note).filter(({ event }) => event.fields.mode === 'live');
  const why = closed.map(({ event, reason }) => ({ name: event.name, reason }));
  const reason = closedWords(why);
  const names = closed.map(({ event }) => event.name);
  const fields = closingFields(target, now, sha256(bare), closed.at(-1)?.event.fields ?? NOBODY_SPOKE);
  const body = closedBody(reason, names, target.name);
  const text = noteText(sealEvent(space.context.seal, path, fields), body);
  const steps = [textStep(note.path, note.text, bare), { do: 'create' as const, path, text }];
  if (!space.transactions.commit(path, steps)) return false;
  space.context.emit({ what: 'closed', event: path, target: target.path, reason });
  return true;
}

function closingFields(target: TargetRecord, now: number, noteSha: string, said: SaidBy) {
  return {
    change: null,
    ...spokenFields(said),
    waiting: false,
    outcome: 'recorded',
    cssclasses: EVENT_CLASSES,
    type: 'steward-action',
    timestamp: utc(now),
    target: wikilink(target.path),
    target_path: target.path,
    decision: 'proposal_closed',
    confidence: 1,
    mode: 'live',
    prior_state: target.fields.state,
    changes: {},
    source_contributions: {},
    signals: [],
    evaluator: JUDGED_BY.settled,
    gates: [],
    pending_confirmation: false,
    pending_cleared: true,
    note_sha256: noteSha,
    plane_action: null,
    undo_recipe: null,
  };
}
