import { isChoice, isQuestion } from '../../steward/attention/asking.ts';
import { standingOf as attentionOf } from '../../steward/attention/standing.ts';
import type { ProposalStatus } from '../../steward/proposals/proposal-status.ts';
import { isReversed } from '../../steward/proposals/reversed.ts';
import type { EventRecord, ReversalRecord } from '../../vault/index/record.ts';
import { linkTarget } from '../../vault/links.ts';
import { momentOf } from '../../vault/notes/event-names.ts';
import { shellWord } from '../../vault/notes/shell-word.ts';
import type { IndexAccess, ReadAccess } from '../context/ports.ts';
import { BLANK, type Explanation, type Times } from './explanation.ts';
import { askedText, changeLines, gateLines, orNone, refusedReason, whenOf } from './wording.ts';

/** Explains an event: what was decided, its recorded gates, what has become of it, and what a person can do now. */
export function explainEvent(space: ReadAccess, event: EventRecord, times: Times): Explanation {
  const status = attentionOf(space, event);
  const { gates, signals } = event.fields;
  return {
    ...BLANK,
    note: event.path,
    kind: 'event',
    sentence: sentenceOf(space, event, status, times),
    sections: [
      { title: 'What was decided', lines: decidedLines(event, times) },
      { title: 'Gates, as they stood', lines: gates.length === 0 ? ['none recorded'] : gateLines(gates, times) },
      { title: 'Signals', lines: orNone(signals) },
      { title: 'What you can do', lines: orNone(doable(space, event, status)) },
    ],
    gates,
    standing: status.kind === 'none' ? null : standingOf(status),
  };
}

/** Explains a reversal: what it took back, and what the sources learned. */
export function explainReversal(space: IndexAccess, reversal: ReversalRecord, times: Times): Explanation {
  const { outcome, reverses, calibration, settled_at: answeredAt } = reversal.fields;
  const at = momentOf(reversal.name, answeredAt);
  const when = Number.isNaN(at) ? '' : `, ${times(at)}`;
  const again = isReversed(space, reversal) ? ' That was taken back in turn.' : '';
  const learnt = Object.entries(calibration).map(([source, moved]) => `${source}: ${moved}`);
  return {
    ...BLANK,
    note: reversal.path,
    kind: 'reversal',
    sentence: `It takes ${reverses ?? 'an event'} back: ${outcome ?? 'not settled yet'}${when}.${again}`,
    sections: [{ title: 'Learnt', lines: orNone(learnt) }],
  };
}

/** Returns what was decided, in lines: the event with its confidence and mode, then each change, or what it asks. */
export function decidedLines(event: EventRecord, times: Times): string[] {
  const { decision, confidence, mode, changes } = event.fields;
  const said = isQuestion(event) ? [askedText(event)] : changeLines(changes);
  return [`[[${event.name}]] ${decision} at ${confidence}, ${mode}, ${whenOf(event, times)}`, ...said];
}

/** Returns what has become of an event, in one sentence. */
export function sentenceOf(space: IndexAccess, event: EventRecord, status: ProposalStatus, times: Times): string {
  const { undo_recipe: recipe, dismisses, confirms } = event.fields;
  if (isReversed(space, event)) return 'It was taken back.';
  if (dismisses !== null) return `It dismissed ${dismisses}; the note stays as it is.`;
  const made = confirms === null ? 'It was made' : `It confirmed ${confirms}; the change was made`;
  if (recipe !== null) {
    const can = space.context.now() > Date.parse(recipe.expires_at) ? 'could' : 'can';
    return `${made}, and ${can} be taken back until ${times(Date.parse(recipe.expires_at))}.`;
  }
  return status.kind === 'none' ? unmade(event, times) : statusSentence(event, status, times);
}

function unmade({ fields }: EventRecord, times: Times): string {
  const refused = refusedReason(fields.gates, times);
  if (fields.decision === 'rate_guarded' || fields.gates.some(({ gate, held }) => gate === 'writing' && !held)) {
    return `It changed nothing: ${refused ?? fields.decision}.`;
  }
  return 'It changed nothing: no change proposed.';
}

function statusSentence(event: EventRecord, status: ProposalStatus, times: Times): string {
  const { fields } = event;
  const refused = refusedReason(fields.gates, times);
  switch (status.kind) {
    case 'waiting':
      if (isChoice(event)) return 'It asks you which of several notes is meant, and waits for you.';
      if (isQuestion(event)) return 'It asks something of you, and waits for you.';
      return `It is a proposal and waits for you.${refused === null ? '' : ` Why it is only proposed: ${refused}.`}`;
    case 'stale':
      return `Its note has changed since it was proposed: ${status.reason}. The next tick weighs its signals again.`;
    case 'superseded':
      return `It was overtaken by [[${status.by.name}]].`;
    case 'settled':
      return `It closed itself: ${status.reason}.`;
    case 'confirmed':
    case 'dismissed':
      return `It was ${status.kind} by [[${status.by.name}]].`;
    case 'none':
      return 'It changed nothing.';
  }
}

function standingOf(status: ProposalStatus): Explanation['standing'] {
  const by = 'by' in status ? (status.by?.name ?? null) : null;
  return { kind: status.kind, by, reason: 'reason' in status ? status.reason : null };
}

function doable(space: IndexAccess, event: EventRecord, status: ProposalStatus): string[] {
  if (status.kind === 'waiting') {
    if (isQuestion(event)) return [`steward dismiss ${shellWord(event.name)}`, 'or tick the box in the note'];
    if (isChoice(event)) return choosable(event);
    return [
      `steward confirm ${shellWord(event.name)}`,
      `steward dismiss ${shellWord(event.name)}`,
      'or tick the box in the note',
    ];
  }
  if (status.kind === 'stale') return [`steward dismiss ${shellWord(event.name)}`];
  const made = status.kind === 'confirmed' ? status.by : event;
  return isUndoable(space, made) ? [`steward undo ${shellWord(made.name)}`] : [];
}

function choosable({ name, fields }: EventRecord): string[] {
  const chosen = fields.candidates.map(
    (link) => `steward confirm ${shellWord(name)} --choose ${shellWord(linkTarget(link))}`,
  );
  return [...chosen, `steward dismiss ${shellWord(name)}`, 'or write the link to the right one into choose'];
}

function isUndoable(space: IndexAccess, event: EventRecord): boolean {
  const { undo_recipe: recipe } = event.fields;
  return recipe !== null && space.context.now() <= Date.parse(recipe.expires_at) && !isReversed(space, event);
}
