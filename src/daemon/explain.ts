import { shown } from '../vault/event-note.ts';
import { stem } from '../vault/names.ts';
import type { EventRecord, ReversalRecord, SignalRecord, TargetRecord } from '../vault/record.ts';
import { StewardError } from '../vault/trouble.ts';
import { gateLine } from './action-note.ts';
import { modeOf } from './judgement.ts';
import { ambiguousFor, freshSignals, isHandsOff, routeOf, wasWeighed } from './perceive.ts';
import { isOpen } from './proposals.ts';
import { readFresh } from './reading.ts';
import { instinctOf, thresholdOf } from './sources.ts';
import { checkOf, skipReason } from './tick.ts';
import { isReversed } from './undo.ts';
import type { Workspace } from './workspace.ts';

/** Why the last tick did what it did, and what would happen now (`explain --json`). */
export interface Explanation {
  readonly schemaVersion: 1;
  readonly note: string;
  readonly kind: string;
  /** The answer, first and alone. */
  readonly sentence: string;
  readonly sections: readonly { readonly title: string; readonly lines: readonly string[] }[];
}

/** Explains a task, matter, signal or event, by name, path or link. Changes nothing. Throws `note-unknown`. */
export function explain(space: Workspace, written: string): Explanation {
  const record = space.vault.catalogue.resolve(written, ['task', 'matter', 'signal', 'event']);
  switch (record?.kind) {
    case 'task':
    case 'matter':
      return explainTarget(space, record);
    case 'signal':
      return explainSignal(space, record);
    case 'event':
    case 'reversal':
      return explainEvent(space, record);
    case 'bad':
      return { ...blank(record.path, 'bad'), sentence: `It is left alone: ${record.trouble.message}`, sections: [] };
    default:
      throw unknownNote(written);
  }
}

function blank(note: string, kind: string) {
  return { schemaVersion: 1 as const, note, kind };
}

function explainTarget(space: Workspace, target: TargetRecord): Explanation {
  const fresh = freshSignals(space, target);
  const reason = skipReason(space, target, fresh.signals.length > 0, false);
  const editing = (readFresh(space, target.path)?.settledAt ?? 0) > space.now();
  const now = reason ?? (editing ? 'settling: it was edited just now' : null);
  const sentence = nowSentence(target, now, fresh.signals.length);
  const check = isHandsOff(space, target)
    ? { at: null, reason: 'steward: false' }
    : checkOf(space, target, fresh.signals.length > 0);
  const last = space.vault.catalogue
    .eventsAbout(target.path)
    .sort((a, b) => (a.fields.timestamp < b.fields.timestamp ? 1 : -1))[0];
  const ambiguous = ambiguousFor(space, target).map((one) => `[[${one.id}]]: ${one.reason}`);
  return {
    ...blank(target.path, target.kind),
    sentence,
    sections: [
      {
        title: 'Now',
        lines: [
          `mode: ${modeOf(space, null)}`,
          `next check: ${check.at === null ? 'never' : new Date(check.at).toISOString()} (${check.reason})`,
        ],
      },
      { title: 'Signals waiting', lines: orNone(fresh.signals.flatMap((one) => signalLines(space, one.path))) },
      ...(ambiguous.length === 0 ? [] : [{ title: 'Signals that may mean this note', lines: ambiguous }]),
      { title: 'Last event', lines: last === undefined ? ['none'] : eventLines(last) },
    ],
  };
}

function nowSentence(target: TargetRecord, reason: string | null, signals: number): string {
  if (reason !== null) return `Nothing would happen to ${target.name} now: ${reason}.`;
  if (signals === 0) return `Nothing would happen to ${target.name} now: no signals.`;
  return `At the next tick ${signals === 1 ? 'one signal is' : `${signals} signals are`} weighed for ${target.name}.`;
}

function signalLines(space: Workspace, path: string): string[] {
  const signal = space.vault.catalogue.get(path);
  if (signal?.kind !== 'signal') return [];
  const gates = routeOf(space, signal, null)?.route.gates ?? [];
  return [
    `[[${signal.name}]] ${signal.fields.headline ?? ''}`,
    ...gates.map((gate) => `  ${gate.held ? 'holds' : 'refuses'}: ${gate.sentence}`),
  ];
}

function explainSignal(space: Workspace, signal: SignalRecord): Explanation {
  const { fields } = signal;
  const routed = routeOf(space, signal, null);
  const source = instinctOf(space, fields.source_type);
  const target = space.vault.catalogue.targetOf(signal);
  const events = space.vault.catalogue.eventsOfSignal(signal.name);
  return {
    ...blank(signal.path, 'signal'),
    sentence: signalSentence(space, signal, routed?.route.reason ?? null),
    sections: [
      {
        title: 'What it says',
        lines: [
          `${fields.headline ?? '(no headline)'}`,
          `“${fields.raw_quote ?? ''}” from ${fields.source_event_path ?? 'nowhere named'}`,
          `target: ${target?.path ?? fields.target_path ?? 'none'} at ${fields.target_confidence}${fields.target_ambiguous ? ', ambiguous' : ''}`,
          `effect: ${fields.effect} at ${fields.effect_confidence}${proposalText(signal)}`,
          ...(fields.reasoning === null ? [] : [fields.reasoning]),
        ],
      },
      {
        title: 'Gates',
        lines: [
          ...(routed?.route.gates ?? []).map((gate) => `${gate.held ? 'holds' : 'refuses'}: ${gate.sentence}`),
          `${source.source}: confidence ${source.confidence}, right ${source.observations} times, so it needs ${thresholdOf(space, source.source, target)}`,
        ],
      },
      { title: 'Events', lines: orNone(events.map((event) => `[[${event.name}]] ${event.fields.decision}`)) },
    ],
  };
}

function signalSentence(space: Workspace, signal: SignalRecord, reason: string | null): string {
  const { fields } = signal;
  if (fields.target_ambiguous)
    return `It is not acted upon: it may mean any of ${fields.target_candidates.join(', ')}.`;
  if (fields.status !== 'unrouted')
    return `It was ${fields.status}${fields.audit_record_path === null ? '' : `, by ${stem(fields.audit_record_path)}`}.`;
  if (wasWeighed(space, signal)) return 'It was weighed before, and asks nothing more.';
  if (reason === null) return 'It is not acted upon: it leads to no matter or task that the steward may touch.';
  return routeOf(space, signal, null)?.route.route
    ? 'It is strong enough alone and is acted upon at once.'
    : `It waits for the tick: ${reason.charAt(0).toLowerCase()}${reason.slice(1)}`;
}

function proposalText(signal: SignalRecord): string {
  const proposal = signal.fields.mutation_proposal;
  if (proposal === null) return '';
  const parts = [
    ...Object.entries(proposal.set).map(([field, value]) => `${field} = ${shown(value)}`),
    ...Object.entries(proposal.add).map(([field, members]) => `${field} + ${members.join(', ')}`),
    ...Object.entries(proposal.remove).map(([field, members]) => `${field} − ${members.join(', ')}`),
  ];
  return `, ${proposal.class}: ${parts.join('; ')}`;
}

function explainEvent(space: Workspace, event: EventRecord | ReversalRecord): Explanation {
  if (event.kind === 'reversal') {
    const { outcome, reverses, calibration } = event.fields;
    const learnt = Object.entries(calibration).map(([source, moved]) => `${source}: ${moved}`);
    const sentence = `It takes ${reverses ?? 'an event'} back: ${outcome ?? 'not settled yet'}.`;
    return { ...blank(event.path, 'reversal'), sentence, sections: [{ title: 'Learnt', lines: orNone(learnt) }] };
  }
  const standing = isReversed(space, event)
    ? 'It was taken back.'
    : event.fields.undo_recipe !== null
      ? `It was made, and ${space.now() > Date.parse(event.fields.undo_recipe.expires_at) ? 'could' : 'can'} be taken back until ${event.fields.undo_recipe.expires_at}.`
      : isOpen(space, event)
        ? 'It is a proposal and waits for you.'
        : 'Nothing was changed by it.';
  return {
    ...blank(event.path, 'event'),
    sentence: standing,
    sections: [{ title: 'What was decided', lines: eventLines(event) }],
  };
}

function eventLines(event: EventRecord): string[] {
  const { fields } = event;
  const changes = Object.entries(fields.changes).map(
    ([field, { before, after }]) => `${field}: ${shown(before)} → ${shown(after)}`,
  );
  return [
    `[[${event.name}]] ${fields.decision} at ${fields.confidence}, ${fields.mode}`,
    ...changes,
    ...fields.gates.map(gateLine),
  ];
}

function orNone(lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? ['none'] : lines;
}

function unknownNote(written: string): StewardError {
  return new StewardError({
    code: 'note-unknown',
    message: `There is no matter, task, signal or event named "${written}".`,
    hint: 'Give its name, its path in the vault, or a link such as "[[name]]".',
  });
}
