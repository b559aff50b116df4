import type { Yaml } from '../vault/frontmatter.ts';
import { fold } from '../vault/layout.ts';
import { nameKey } from '../vault/links.ts';
import type { EventRecord, FieldChange, MutationProposal, SignalRecord, TargetRecord } from '../vault/record.ts';
import { isSiblingType, parseState } from '../vault/record.ts';
import { parseChannel, sourceKey } from '../vault/source-names.ts';
import { localDate } from '../vault/time.ts';
import { proposalChanges, recordedChanges } from './change.ts';
import { comesAfter, findAnswer, reversalHolding } from './proposals.ts';
import { isKnownNote } from './records.ts';
import { identifySpeaker } from './sender.ts';
import type { DismissedChange, EarlierAnswer, EarlierDecision, Memory, WeighedSignal } from './types.ts';
import type { DecisionIndexAccess } from './workspace.ts';

/*
 * Former decisions about a note, and the user's answers to them (contract, section 7): an evaluator is shown them. A
 * change that the user dismissed as wrong is proposed again only if there is a new kind of evidence; one that was answered
 * with "not now", only on a signal that wasn't there then.
 */

export interface EvidenceKind {
  readonly channel: string;
  readonly sender: string;
  /** The clues that led to the note: a link, a reference, a name. */
  readonly target: readonly string[];
}

/** Returns whether some evidence is of another channel, another sender or another kind of target evidence than before. */
export function isNewEvidence(before: readonly EvidenceKind[], now: readonly EvidenceKind[]): boolean {
  const channels = new Set(before.map(({ channel }) => channel));
  const senders = new Set(before.map(({ sender }) => sender));
  const target = new Set(before.flatMap((one) => one.target));
  return now.some(
    (one) => !channels.has(one.channel) || !senders.has(one.sender) || one.target.some((kind) => !target.has(kind)),
  );
}

/** Returns what is remembered of a note. `signals`: those that a decision is now made about. */
export function collectMemory(
  space: DecisionIndexAccess,
  target: TargetRecord,
  signals: readonly WeighedSignal[],
): Memory {
  const decisions = space.vault.catalogue
    .eventsAbout(target.path)
    .filter(({ fields }) => !isSiblingType(fields.type) && fields.decision !== 'rate_guarded')
    .filter((event) => isKnownNote(space, event))
    .toSorted((one, other) => (comesAfter(one, other) ? -1 : 1));
  const last = decisions.find(({ fields }) => Object.keys(fields.changes).length > 0) ?? decisions[0];
  return {
    last: last === undefined ? null : earlierDecision(space, last),
    dismissed: decisions.length === 0 ? [] : dismissedChanges(space, decisions, signals),
  };
}

function earlierDecision(space: DecisionIndexAccess, event: EventRecord): EarlierDecision {
  const { timestamp, decision, changes } = event.fields;
  const signals = signalsOf(space, event).map((signal) => ({
    source: identifySpeaker(space, signal).source,
    headline: signal.fields.headline,
    quote: signal.fields.raw_quote,
  }));
  return { event: event.name, at: timestamp, decision, changes, signals, answer: answerTo(space, event) };
}

function answerTo(space: DecisionIndexAccess, event: EventRecord): EarlierAnswer | null {
  const answer = findAnswer(space, event);
  const reversal = reversalHolding(space, event) ?? (answer && reversalHolding(space, answer));
  const isDismissal = answer !== null && answer.fields.dismisses !== null;
  if (reversal !== null) {
    const { settled_at: at, reason } = reversal.fields;
    return isDismissal ? null : { kind: 'undone', at, reason };
  }
  if (answer === null) return null;
  const { timestamp: at, reason, later } = answer.fields;
  if (!isDismissal) return { kind: 'confirmed', at, reason };
  return { kind: later ? 'not now' : 'dismissed as wrong', at, reason };
}

function dismissedChanges(
  space: DecisionIndexAccess,
  decisions: readonly EventRecord[],
  signals: readonly WeighedSignal[],
): DismissedChange[] {
  const refusals = decisions.flatMap((event) => {
    const answer = answerTo(space, event);
    if (answer?.kind !== 'dismissed as wrong' && answer?.kind !== 'not now') return [];
    const heard = [...event.fields.signals, ...event.fields.considered].map(nameKey);
    return [{ event, answer: { ...answer, kind: answer.kind }, evidence: evidenceBehind(space, event), heard }];
  });
  if (refusals.length === 0) return [];
  const { catalogue } = space.vault;
  const all = refusals.flatMap(({ event, answer, evidence, heard }) =>
    recordedChanges(event.fields.changes, space.context.settings.field_mapping, catalogue.words)
      .flatMap(singleChanges)
      .map((change) => ({ change, answer, evidence, heard })),
  );
  const offered = signals.map(({ id, path }) => ({ id, evidence: kindsIn(space, catalogue.get(path)) }));
  return [...Map.groupBy(all, ({ change }) => keyOfChange(change)).values()].flatMap((group) => {
    const [wrong, later] = [group.filter(isWrong), group.filter((one) => !isWrong(one))];
    // What was once wrong stays wrong, whatever was answered later. The decisions come newest first.
    const [newest] = wrong.length > 0 ? wrong : later;
    if (newest === undefined) return [];
    const before = wrong.flatMap(({ evidence }) => evidence);
    const { at, reason, kind } = newest.answer;
    // A signal that "wrong" left out is evaluated again; one that was there at "not now" isn't (contract, 7.7).
    const heard = new Set(later.flatMap((one) => one.heard));
    const isRepeated = ({ id, evidence }: (typeof offered)[number]) =>
      (wrong.length > 0 && !isNewEvidence(before, evidence)) || heard.has(fold(id));
    const repeatedBy = offered.filter(isRepeated).map(({ id }) => id);
    return [{ change: newest.change, answer: kind, on: dayOf(at), reason, repeatedBy }];
  });
}

const isWrong = ({ answer }: { readonly answer: Pick<EarlierAnswer, 'kind'> }) => answer.kind === 'dismissed as wrong';

/** The evidence behind a decision. Of signals whose notes are gone only the sources are known. */
function evidenceBehind(space: DecisionIndexAccess, event: EventRecord): EvidenceKind[] {
  const sources = Object.entries(event.fields.source_contributions).flatMap(([source, share]) =>
    share > 0 ? [{ channel: parseChannel(source), sender: sourceKey(source), target: [] }] : [],
  );
  return [...sources, ...signalsOf(space, event).flatMap((signal) => kindsIn(space, signal))];
}

function kindsIn(space: DecisionIndexAccess, signal: { readonly kind: string } | undefined): EvidenceKind[] {
  if (!isSignal(signal)) return [];
  const { source, evidence } = identifySpeaker(space, signal);
  // A model's reading of the same words is no new evidence.
  const target = evidence.filter((kind) => kind !== 'model');
  return [{ channel: parseChannel(source), sender: sourceKey(source), target }];
}

function isSignal(record: { readonly kind: string } | undefined): record is SignalRecord {
  return record?.kind === 'signal';
}

function signalsOf({ vault: { catalogue } }: DecisionIndexAccess, event: EventRecord): SignalRecord[] {
  return event.fields.signals.flatMap((link) => {
    const signal = catalogue.resolve(link, ['signal']);
    return signal?.kind === 'signal' ? [signal] : [];
  });
}

function dayOf(at: string | null): string {
  const moment = at === null ? Number.NaN : Date.parse(at);
  return Number.isNaN(moment) ? 'an earlier day' : localDate(moment);
}

interface Asked {
  readonly changes: readonly FieldChange[];
  readonly proposal: MutationProposal | null;
  readonly reasoning: string;
  readonly signals: readonly WeighedSignal[];
}

/**
 * Returns a decision without the changes that the user dismissed and for which there is nothing new.
 * Its reasoning says so.
 */
export function withoutRepeats<Decision extends Asked>({ dismissed }: Memory, decision: Decision): Decision {
  if (dismissed.length === 0) return decision;
  const dropped = new Set<DismissedChange>();
  const kept = decision.changes.flatMap(singleChanges).filter((change) => {
    const repeated = dismissed.find((one) => keyOfChange(one.change) === keyOfChange(change));
    if (repeated === undefined || !isRepeat(repeated, change, decision.signals)) return true;
    dropped.add(repeated);
    return false;
  });
  if (dropped.size === 0) return decision;
  const changes = withoutCompanions(kept, [...dropped]);
  const { proposal } = decision;
  return {
    ...decision,
    changes,
    proposal: proposal && proposalOf(proposal, changes),
    reasoning: `${decision.reasoning} ${[...dropped].map(repeatSentence).join(' ')}`.trim(),
  };
}

/** Returns why a change is not proposed again, as a sentence. */
export function repeatSentence({ change, answer, on }: DismissedChange): string {
  const value = typeof change.value === 'string' ? change.value : JSON.stringify(change.value);
  const what = {
    set: `${change.field} → ${value}`,
    add: `${change.field} + ${value}`,
    remove: `${change.field} − ${value}`,
  };
  const said = answer === 'not now' ? '“not now”' : 'no';
  return `Not proposed again: you said ${said} on ${on} (${what[change.op]}).`;
}

/**
 * Returns the dismissed change that a signal repeats without anything new; null if there is no such change.
 */
export function repeatedChange({ dismissed }: Memory, change: FieldChange, signal: string): DismissedChange | null {
  const key = keyOfChange(change);
  return dismissed.find((one) => keyOfChange(one.change) === key && one.repeatedBy.includes(signal)) ?? null;
}

// A change that no signal proposes was made by the evaluator of all of them.
function isRepeat({ repeatedBy }: DismissedChange, change: FieldChange, signals: readonly WeighedSignal[]): boolean {
  const key = keyOfChange(change);
  const behind = signals.filter(
    ({ proposal }) =>
      proposal !== null &&
      proposalChanges(proposal)
        .flatMap(singleChanges)
        .some((one) => keyOfChange(one) === key),
  );
  return (behind.length > 0 ? behind : signals).every(({ id }) => repeatedBy.includes(id));
}

// The day that goes with a state has no meaning without it.
function withoutCompanions(kept: readonly FieldChange[], dropped: readonly DismissedChange[]): FieldChange[] {
  const hasState = !dropped.some(({ change }) => change.field === 'state');
  return kept.filter(({ field }) => hasState || !['completedDate', 'snoozed_until'].includes(field));
}

function proposalOf(proposal: MutationProposal, changes: readonly FieldChange[]): MutationProposal {
  const of = (op: FieldChange['op']) => changes.filter((change) => change.op === op);
  const members = (op: 'add' | 'remove') =>
    Object.fromEntries(
      [...Map.groupBy(of(op), ({ field }) => field)].map(([field, group]) => [
        field,
        group.flatMap(({ value }) => (typeof value === 'string' ? [value] : [])),
      ]),
    );
  const set = Object.fromEntries(of('set').map(({ field, value }) => [field, value]));
  return { ...proposal, set, add: members('add'), remove: members('remove') };
}

function singleChanges(change: FieldChange): FieldChange[] {
  if (change.op === 'set' || !Array.isArray(change.value)) return [change];
  return change.value.map((value) => ({ ...change, value }));
}

/** Equal for changes that come to the same. */
function keyOfChange({ field, op, value }: FieldChange): string {
  const isState = field === 'state' || field === 'status';
  const state = isState && typeof value === 'string' ? parseState(value) : null;
  return JSON.stringify([isState ? 'state' : field, op, state ?? folded(value)]);
}

function folded(value: Yaml): Yaml {
  return typeof value === 'string' ? value.normalize('NFC').trim().toLowerCase() : value;
}
