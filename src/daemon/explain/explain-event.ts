import { type ProposalStatus, proposalStatus } from '../../steward/proposals/proposal-status.ts';
import { isReversed } from '../../undo/reversed.ts';
import type { EventRecord, ReversalRecord } from '../../vault/index/record.ts';
import { momentOf } from '../../vault/notes/event-names.ts';
import type { IndexAccess, ReadAccess } from '../context/ports.ts';
import { BLANK, type Explanation, type Times } from './explanation.ts';
import { changeLines, gateLines, orNone, refusedReason, whenOf } from './wording.ts';

/** Explains an event: what was decided, its gates as recorded, what has become of it, and what can be done now. */
export function explainEvent(space: ReadAccess, event: EventRecord, times: Times): Explanation {
  const standing = proposalStatus(space, event);
  const { gates, signals } = event.fields;
  return {
    ...BLANK,
    note: event.path,
    kind: 'event',
    sentence: sentenceOf(space, event, standing, times),
    sections: [
      { title: 'What was decided', lines: decidedLines(event, times) },
      { title: 'Gates, as they stood', lines: gates.length === 0 ? ['none recorded'] : gateLines(gates, times) },
      { title: 'Signals', lines: orNone(signals) },
      { title: 'What you can do', lines: orNone(doable(space, event, standing)) },
    ],
    gates,
    standing: standing.kind === 'none' ? null : standingFor(standing),
  };
}

/** Explains a reversal: what it took back, and what it taught. */
export function explainReversal(space: IndexAccess, reversal: ReversalRecord, times: Times): Explanation {
  const { outcome, reverses, calibration, settled_at: settled } = reversal.fields;
  const at = momentOf(reversal.name, settled);
  const when = Number.isNaN(at) ? '' : `, ${times(at)}`;
  const again = isReversed(space, reversal) ? ' It was itself taken back since.' : '';
  const learnt = Object.entries(calibration).map(([source, moved]) => `${source}: ${moved}`);
  return {
    ...BLANK,
    note: reversal.path,
    kind: 'reversal',
    sentence: `It takes ${reverses ?? 'an event'} back: ${outcome ?? 'not settled yet'}${when}.${again}`,
    sections: [{ title: 'Learnt', lines: orNone(learnt) }],
  };
}

/** What was decided, in lines: the event, its confidence and mode, each change. */
export function decidedLines(event: EventRecord, times: Times): string[] {
  const { decision, confidence, mode, changes } = event.fields;
  return [`[[${event.name}]] ${decision} at ${confidence}, ${mode}, ${whenOf(event, times)}`, ...changeLines(changes)];
}

/** What has become of an event, in one sentence. */
export function sentenceOf(space: IndexAccess, event: EventRecord, standing: ProposalStatus, times: Times): string {
  const { undo_recipe: recipe, dismisses, confirms } = event.fields;
  if (isReversed(space, event)) return 'It was taken back.';
  if (dismisses !== null) return `It dismissed ${dismisses}: nothing was changed.`;
  const made = confirms === null ? 'It was made' : `It confirmed ${confirms}; the change was made`;
  if (recipe !== null) {
    const can = space.context.now() > Date.parse(recipe.expires_at) ? 'could' : 'can';
    return `${made}, and ${can} be taken back until ${times(Date.parse(recipe.expires_at))}.`;
  }
  return standing.kind === 'none' ? unmade(event, times) : standingSentence(event, standing, times);
}

function unmade({ fields }: EventRecord, times: Times): string {
  const refused = refusedReason(fields.gates, times);
  if (fields.decision === 'rate_guarded' || fields.gates.some(({ gate, held }) => gate === 'writing' && !held)) {
    return `Nothing was changed by it: ${refused ?? fields.decision}.`;
  }
  return 'Nothing was changed by it: there was nothing to change.';
}

function standingSentence({ fields }: EventRecord, standing: ProposalStatus, times: Times): string {
  const refused = refusedReason(fields.gates, times);
  switch (standing.kind) {
    case 'waiting':
      return `It is a proposal and waits for you${refused === null ? '' : `. It was not made at once: ${refused}`}.`;
    case 'stale':
      return `It is a proposal about a note that is no more: ${standing.reason}; its signals are weighed again at the next tick.`;
    case 'superseded':
      return `It was overtaken by [[${standing.by.name}]].`;
    case 'settled':
      return `It closed itself: ${standing.reason}.`;
    case 'confirmed':
    case 'dismissed':
      return `It was ${standing.kind} by [[${standing.by.name}]].`;
    case 'none':
      return 'Nothing was changed by it.';
  }
}

function standingFor(standing: ProposalStatus): Explanation['standing'] {
  const by = 'by' in standing ? (standing.by?.name ?? null) : null;
  return { kind: standing.kind, by, reason: 'reason' in standing ? standing.reason : null };
}

function doable(space: IndexAccess, event: EventRecord, standing: ProposalStatus): string[] {
  if (standing.kind === 'waiting') {
    return [`steward confirm ${event.name}`, `steward dismiss ${event.name}`, 'or tick the box in the note'];
  }
  if (standing.kind === 'stale') return [`steward dismiss ${event.name}`];
  const made = standing.kind === 'confirmed' ? standing.by : event;
  return isUndoable(space, made) ? [`steward undo ${made.name}`] : [];
}

function isUndoable(space: IndexAccess, event: EventRecord): boolean {
  const { undo_recipe: recipe } = event.fields;
  return recipe !== null && space.context.now() <= Date.parse(recipe.expires_at) && !isReversed(space, event);
}
