import { isQuestion } from '../../steward/attention/asking.ts';
import { isWaiting } from '../../steward/attention/standing.ts';
import { isHandsOff } from '../../steward/changes/opt-out.ts';
import {
  comesAfter,
  type OpenProposal,
  proposalStatus,
  waitingAbout,
} from '../../steward/proposals/proposal-status.ts';
import { scheduleName } from '../../steward/schedule/schedule.ts';
import { noSignals, type Skip, type SkipCode } from '../../steward/schedule/skip.ts';
import { licenceWords } from '../../steward/trust/licence-words.ts';
import { type Licence, licencesOn, licensingMatter, unheardSenders } from '../../steward/trust/licences.ts';
import { saysItWaits } from '../../vault/index/index-keys.ts';
import type { EventRecord, TargetRecord } from '../../vault/index/record.ts';
import { shown } from '../../vault/notes/note-text.ts';
import type { RecordedGate } from '../../vault/records/gate.ts';
import type { Vault } from '../../vault/watch/vault.ts';
import { modeOf } from '../context/effective-mode.ts';
import type { IndexAccess, ModelAccess, ReadAccess } from '../context/ports.ts';
import type { Draft } from '../decide/decision.ts';
import { recordedGate } from '../decide/event-note.ts';
import { ambiguousFor, freshSignals, silencedFor } from '../decide/fresh-signals.ts';
import { previewTick, routeOf } from '../decide/weigh.ts';
import { checkOf } from '../schedule/due.ts';
import { skipNow } from '../schedule/tick.ts';
import { decidedLines, sentenceOf } from './explain-event.ts';
import { perceptionSection } from './explain-perception.ts';
import { BLANK, type Explanation, type Section, type Times } from './explanation.ts';
import { askedText, changeLines, gateLines, lowerFirst, orNone, refusedReason, timed, whenOf } from './wording.ts';

/** Explains a matter or task: the main reason, what waits for it, and what would happen now. */
export async function explainTarget(space: ModelAccess, target: TargetRecord, times: Times): Promise<Explanation> {
  const fresh = freshSignals(space, target).signals;
  const obstacle = obstacleTo(space, target, times);
  const foreseen = obstacle === null && fresh.length > 0 ? await previewTick(space, target) : null;
  const last = lastEvent(space.vault, target);
  const waiting = waitingAbout(space, target.path);
  const asked = questionsAbout(space, target);
  const licences = licencesOn(space, target);
  return {
    ...BLANK,
    note: target.path,
    kind: target.kind,
    sentence: sentenceFor(space, target, { obstacle, fresh: fresh.length, foreseen, last, waiting, asked }, times),
    sections: [
      { title: 'Now', lines: nowLines(space, target, fresh.length > 0, times) },
      perceptionSection(space, target, times),
      { title: 'Signals waiting', lines: orNone(fresh.flatMap((one) => signalLines(space, one.path, times))) },
      ...foreseenSection(foreseen, times),
      ...ambiguousSection(space.vault, target),
      ...silencedSection(space, target),
      ...waitingSection(waiting, asked, times),
      ...licenceSection(space, target, licences),
      { title: 'Last event', lines: last === null ? ['none'] : lastLines(last, times) },
    ],
    gates: last?.fields.gates ?? [],
    gatesNow: foreseen === null ? [] : foreseen.gates.map(recordedGate),
    licences,
  };
}

/**
 * What an explanation of a note rests on. `fresh`: how many signals wait; `foreseen`: what the next tick would find.
 */
interface TargetFindings {
  readonly obstacle: Obstacle | null;
  readonly fresh: number;
  readonly foreseen: Draft | null;
  readonly last: EventRecord | null;
  readonly waiting: readonly OpenProposal[];
  readonly asked: readonly EventRecord[];
}

/** Why a note is not judged now. `lasting`: until somebody changes something, not only for the moment. */
interface Obstacle {
  readonly reason: string;
  readonly lasting: boolean;
}

/** The most important reason why a note would not be judged now; null where it would be. */
function obstacleTo(space: ModelAccess, target: TargetRecord, times: Times): Obstacle | null {
  const skip = skipNow(space, target);
  if (skip !== null && LASTING.includes(skip.code)) return { reason: lastingReason(target, skip), lasting: true };
  const unscheduled = unscheduledReason(space.vault, target);
  if (unscheduled !== null) return { reason: unscheduled, lasting: true };
  return skip === null ? null : { reason: timed(skip.reason, times), lasting: false };
}

const LASTING: readonly SkipCode[] = ['vault-away', 'hands-off', 'finished'];

function lastingReason(target: TargetRecord, { code, reason }: Skip): string {
  return code === 'hands-off' && target.fields.steward ? 'its matter says steward: false' : reason;
}

// Without a scheduled matter no steward looks after the note, whatever waits for it.
function unscheduledReason(vault: Vault, target: TargetRecord): string | null {
  const matter = target.kind === 'matter' ? target : vault.catalogue.matterOf(target);
  if (matter === null) return `${matterless(target)}, so no tick looks after it`;
  const { state } = matter.fields;
  if (state === 'done' || state === 'archived') return `its matter ${matter.name} is ${state}`;
  const [other] = vault.catalogue.namesakes(matter);
  return other === undefined ? null : `${matter.path} and ${other.path} have the same name, so neither is scheduled`;
}

function matterless({ fields }: TargetRecord): string {
  const link = 'parent_matter' in fields ? fields.parent_matter : null;
  return link === null ? 'it belongs to no matter' : `its matter ${shown(link)} is not there`;
}

function sentenceFor(space: ReadAccess, target: TargetRecord, findings: TargetFindings, times: Times): string {
  const { obstacle, fresh, foreseen, last } = findings;
  const nothing = `Nothing happens to ${target.name} now`;
  if (obstacle?.lasting === true) return `${nothing}: ${obstacle.reason}.`;
  const [waiting] = findings.waiting;
  if (fresh === 0 && waiting !== undefined) return waitingSentence(target, waiting, times);
  const [asked] = findings.asked;
  if (fresh === 0 && asked !== undefined) return `A question about ${target.name} waits for you: ${askedText(asked)}`;
  const isQuiet = obstacle?.reason === noSignals(0).reason;
  if (obstacle !== null && !(isQuiet && last !== null)) return `${nothing}: ${obstacle.reason}.`;
  if (foreseen !== null) return foreseenSentence(target, foreseen, times);
  if (fresh > 0) return `The next tick weighs ${signalCount(fresh)} for ${target.name}.`;
  if (last === null) return `${nothing}: no signals.`;
  return `${nothing}: no new signals. The last event: ${lowerFirst(sentenceOf(space, last, proposalStatus(space, last), times))}`;
}

function waitingSentence(target: TargetRecord, { event, standing: status }: OpenProposal, times: Times): string {
  const asked = changeLines(event.fields.changes).join('; ');
  if (status.kind === 'stale') {
    return `The next tick judges the proposal for ${target.name} (${asked}) again: ${status.reason}.`;
  }
  const refused = refusedReason(event.fields.gates, times);
  const why = refused === null ? '' : ` Why it is only proposed: ${refused}.`;
  return `A proposal for ${target.name} waits for you (${asked}).${why}`;
}

function foreseenSentence(target: TargetRecord, { outcome, permission, gates }: Draft, times: Times): string {
  if (!permission.ok) return `The next tick would change nothing in ${target.name}: ${lowerFirst(permission.reason)}`;
  const asked = changeLines(permission.changes).join('; ');
  if (asked === '') return `The next tick would weigh the signals for ${target.name} and change nothing.`;
  if (outcome === 'act') return `The next tick would change ${target.name}: ${asked}.`;
  const refused = refusedReason(gates.map(recordedGate), times) ?? 'only a person decides that';
  return outcome === 'propose'
    ? `The next tick would only propose ${asked} for ${target.name}: ${refused}.`
    : `The next tick would only record ${asked} for ${target.name}: ${refused}.`;
}

function signalCount(count: number): string {
  return count === 1 ? '1 signal' : `${count} signals`;
}

function nowLines(space: IndexAccess, target: TargetRecord, hasSignals: boolean, times: Times): string[] {
  const unscheduled = isHandsOff(space, target) ? 'steward: false' : unscheduledReason(space.vault, target);
  const check = unscheduled === null ? checkOf(space.context, target, hasSignals) : { at: null, reason: unscheduled };
  return [
    `mode: ${modeOf(space.context, null)}`,
    `next check: ${check.at === null ? 'never' : times(Math.max(check.at, nextTick(space, target)))} (${check.reason})`,
  ];
}

/** When the schedule that looks at a note fires next (epoch ms); 0 where that is not known. */
function nextTick({ vault, context }: IndexAccess, target: TargetRecord): number {
  const matter = target.kind === 'matter' ? target : vault.catalogue.matterOf(target);
  return (matter === null ? null : context.state.get('schedules')[scheduleName(matter)]?.due) ?? 0;
}

function signalLines(space: IndexAccess, path: string, times: Times): string[] {
  const signal = space.vault.catalogue.get(path);
  if (signal?.kind !== 'signal') return [];
  const gates: RecordedGate[] = (routeOf(space, signal, null)?.route.gates ?? []).map(recordedGate);
  const alone = gateLines(gates, times).map((line) => `  alone, ${line}`);
  return [`[[${signal.name}]] ${signal.fields.headline ?? ''}`.trimEnd(), ...alone];
}

function foreseenSection(foreseen: Draft | null, times: Times): Section[] {
  if (foreseen === null) return [];
  const {
    decision: { decision, confidence },
    gates,
  } = foreseen;
  const lines = [`${decision} at ${confidence}`, ...gateLines(gates.map(recordedGate), times)];
  return [{ title: 'What the next tick would find', lines }];
}

function licenceSection(space: IndexAccess, target: TargetRecord, licences: readonly Licence[]): Section[] {
  const where = licensingMatter(space, target) ?? target.name;
  const unheard = unheardSenders(space, target, licences).map((sender) => `${sender}: named; no signal so far`);
  const lines = [...licences.map((licence) => licenceWords(licence, where)), ...unheard];
  return lines.length === 0 ? [] : [{ title: 'Who may act here', lines }];
}

function ambiguousSection(vault: Vault, target: TargetRecord): Section[] {
  const lines = ambiguousFor(vault, target).map((one) => `[[${one.id}]]: ${one.reason}`);
  return lines.length === 0 ? [] : [{ title: 'Signals that may mean this note', lines }];
}

function silencedSection(space: ReadAccess, target: TargetRecord): Section[] {
  const lines = silencedFor(space, target).map((one) => `[[${one.id}]]: ${one.reason}`);
  return lines.length === 0 ? [] : [{ title: 'Signals that are not heard', lines }];
}

function waitingSection(waiting: readonly OpenProposal[], asked: readonly EventRecord[], times: Times): Section[] {
  const proposed = waiting.flatMap(({ event, standing: status }) => [
    `[[${event.name}]] ${changeLines(event.fields.changes).join('; ')}, ${whenOf(event, times)}`,
    ...(status.kind === 'stale' ? [`  ${status.reason}`] : []),
  ]);
  const questions = asked.map((event) => `[[${event.name}]] ${askedText(event)}`);
  const lines = [...proposed, ...questions];
  return lines.length === 0 ? [] : [{ title: 'Waiting for you', lines }];
}

function questionsAbout(space: ReadAccess, target: TargetRecord): readonly EventRecord[] {
  return space.vault.catalogue
    .eventsAbout(target.path)
    .filter((event) => saysItWaits(event.fields) && isQuestion(event) && isWaiting(space, event))
    .toSorted((one, other) => (comesAfter(one, other) ? -1 : 1));
}

function lastEvent(vault: Vault, target: TargetRecord): EventRecord | null {
  const events = vault.catalogue.eventsAbout(target.path);
  return events.reduce<EventRecord | null>(
    (one, other) => (one === null || comesAfter(other, one) ? other : one),
    null,
  );
}

function lastLines(last: EventRecord, times: Times): string[] {
  return [...decidedLines(last, times), ...gateLines(last.fields.gates, times)];
}
