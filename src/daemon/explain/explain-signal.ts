import { isChoice } from '../../steward/attention/asking.ts';
import { standingOf as attentionOf } from '../../steward/attention/standing.ts';
import { handsOffReason } from '../../steward/changes/opt-out.ts';
import { EARNED_AFTER } from '../../steward/gates/sender-gate.ts';
import { noVoucher } from '../../steward/gates/voucher-words.ts';
import { instinctOf, silenceOf, thresholdOf } from '../../steward/learning/sources.ts';
import { comesAfter, proposalStatus } from '../../steward/proposals/proposal-status.ts';
import { isReversed } from '../../steward/proposals/reversed.ts';
import { standingOf } from '../../steward/trust/licence.ts';
import { timesWords } from '../../steward/trust/licence-words.ts';
import { type Speaker, speakerOf } from '../../steward/trust/speaker.ts';
import type { EventRecord, SignalRecord, TargetRecord } from '../../vault/index/record.ts';
import { stem } from '../../vault/note-names.ts';
import { shown } from '../../vault/notes/note-text.ts';
import { isOwnHand } from '../../vault/source-names.ts';
import type { Vault } from '../../vault/watch/vault.ts';
import { accountOf } from '../context/fleeting/fleeting-mails.ts';
import type { IndexAccess, ReadAccess } from '../context/ports.ts';
import { recordedGate } from '../decide/event-note.ts';
import { wasWeighed } from '../decide/fresh-signals.ts';
import { routeOf } from '../decide/weigh.ts';
import { decidedLines, sentenceOf } from './explain-event.ts';
import { BLANK, type Explanation, type Times } from './explanation.ts';
import { lowerFirst, orNone, timed, whenOf } from './wording.ts';

/** Explains a signal: which note it is about, whether it is strong enough alone, and which events weighed it. */
export function explainSignal(space: ReadAccess, signal: SignalRecord, times: Times): Explanation {
  const routed = routeOf(space, signal, null);
  const target = space.vault.catalogue.targetOf(signal);
  const gates = (routed?.route.gates ?? []).map(recordedGate);
  return {
    ...BLANK,
    note: signal.path,
    kind: 'signal',
    sentence: signalSentence(space, signal, times),
    sections: [
      { title: 'What it says', lines: saidLines(space, signal) },
      { title: 'Who says it', lines: speakerLines(space, signal, target) },
      { title: 'Which note it means', lines: targetLines(signal, target) },
      { title: 'Alone', lines: aloneLines(space, signal, target, times) },
      { title: 'Events', lines: orNone(weighings(space.vault, signal).flatMap((event) => decidedLines(event, times))) },
    ],
    gatesNow: gates,
  };
}

/** Returns what has become of a signal, or why nothing has, in one sentence. */
export function signalSentence(space: ReadAccess, signal: SignalRecord, times: Times): string {
  const { fields } = signal;
  const target = space.vault.catalogue.targetOf(signal);
  if (fields.target_ambiguous) return ambiguousSentence(space, signal, times);
  if (isNews(fields)) return 'It is news only, and asks for no change.';
  if (fields.status !== 'unrouted') {
    const by = fields.audit_record_path === null ? '' : `, by ${stem(fields.audit_record_path)}`;
    return `It was ${fields.status}${by}${wasTakenBack(space, signal) ? ', and taken back' : ''}.`;
  }
  if (target === null) return 'It is not acted upon: it leads to no matter or task of this vault.';
  const off = handsOffReason(space, target);
  if (off !== null) return `It is not acted upon: ${off}`;
  if (fields.effect === 'none') return 'It is not acted upon: it has no effect on the note it means.';
  const silence = wasWeighed(space, signal) ? null : silenceOf(space, speakerOf(space, signal).source);
  if (silence !== null) return `It waits unheard: ${silence}`;
  return wasWeighed(space, signal) ? weighedSentence(space, signal, times) : waitingSentence(space, signal, times);
}

function ambiguousSentence(space: ReadAccess, signal: SignalRecord, times: Times): string {
  const asked = weighings(space.vault, signal).find(isChoice);
  const status = asked === undefined ? null : attentionOf(space, asked);
  if (asked !== undefined && status !== null && status.kind !== 'waiting' && status.kind !== 'none') {
    return `You were asked which note it means, by [[${asked.name}]]: ${lowerFirst(sentenceOf(space, asked, status, times))}`;
  }
  return `It is not acted upon: it may mean any of ${signal.fields.target_candidates.join(', ') || 'several notes'}.`;
}

function wasTakenBack(space: ReadAccess, { fields }: SignalRecord): boolean {
  const event = fields.audit_record_path === null ? undefined : space.vault.catalogue.get(fields.audit_record_path);
  return event?.kind === 'event' && isReversed(space, event);
}

function isNews({ effect, status, audit_record_path: audit }: SignalRecord['fields']): boolean {
  return effect === 'none' && status === 'skipped' && audit === null;
}

function weighedSentence(space: ReadAccess, signal: SignalRecord, times: Times): string {
  const last = weighings(space.vault, signal)[0];
  if (last === undefined) return 'It was weighed before.';
  const became = lowerFirst(sentenceOf(space, last, proposalStatus(space, last), times));
  return `It was weighed at ${whenOf(last, times)}, by [[${last.name}]]: ${became}`;
}

function waitingSentence(space: IndexAccess, signal: SignalRecord, times: Times): string {
  const route = routeOf(space, signal, null)?.route;
  if (route === undefined) return 'It is not acted upon.';
  if (route.route) return 'It is strong enough alone: the steward acts on it at once.';
  const again =
    weighings(space.vault, signal).length > 0 ? 'is weighed again at the tick, because its note has changed' : null;
  return `It ${again ?? 'waits for the tick'}: ${timed(lowerFirst(route.reason), times)}`;
}

function saidLines({ context }: IndexAccess, { fields }: SignalRecord): string[] {
  const account = accountOf(context, fields.source_event_path);
  return [
    fields.headline ?? '(no headline)',
    `“${fields.raw_quote ?? ''}” from ${fields.source_event_path ?? 'nowhere named'}`,
    ...(account === null ? [] : [`the mail itself lies in the account ${account}, outside the vault`]),
    `effect: ${fields.effect} at ${fields.effect_confidence}${proposalText(fields.mutation_proposal)}`,
    ...(fields.reasoning === null ? [] : [fields.reasoning]),
  ];
}

function proposalText(proposal: SignalRecord['fields']['mutation_proposal']): string {
  if (proposal === null) return '';
  const parts = [
    ...Object.entries(proposal.set).map(([field, value]) => `${field} = ${shown(value)}`),
    ...Object.entries(proposal.add).map(([field, members]) => `${field} + ${members.join(', ')}`),
    ...Object.entries(proposal.remove).map(([field, members]) => `${field} − ${members.join(', ')}`),
  ];
  return `, ${proposal.class}: ${parts.join('; ')}`;
}

function speakerLines(space: IndexAccess, signal: SignalRecord, target: TargetRecord | null): string[] {
  const speaker = speakerOf(space, signal);
  const { from, warnings } = signal.fields;
  return [
    writerWords(speaker, signal),
    ...(from === null ? [] : [`from ${from}`]),
    ...(speaker.writer === 'own' ? [voucherWords(speaker), evidenceWords(speaker)] : []),
    ...(target === null || speaker.writer === 'unknown' ? [] : [standingWords(space, speaker, target)]),
    ...warnings.map((warning) => `take care: ${warning}`),
  ];
}

function writerWords({ writer, source }: Speaker, { fields }: SignalRecord): string {
  if (writer === 'own') return `the steward wrote the signal, and heard ${source}`;
  if (writer === 'trusted') return `somebody else wrote the signal; trusted_signal_sources lets it speak for ${source}`;
  return `somebody else wrote the signal, and trusted_signal_sources leaves out ${fields.source_type}: it counts as ${source}, which never acts`;
}

function voucherWords({ source, vouched, server }: Speaker): string {
  if (vouched === 'pass') return `${server ?? 'its channel'} vouches for the sender`;
  if (vouched === 'fail') return `${server ?? 'the mail server'} says the sender is forged`;
  return `${noVoucher(source)} vouches for the sender`;
}

function evidenceWords({ evidence, near }: Speaker): string {
  const found = evidence.length === 0 ? 'no checkable evidence leads here' : `led here by ${evidence.join(', ')}`;
  return `${found}; ${near ? 'in the same passage as what it says' : 'in another passage than what it says'}`;
}

function standingWords(space: IndexAccess, speaker: Speaker, target: TargetRecord): string {
  const { known, right } = standingOf(space, speaker, target);
  const words = {
    named: 'known: the note or its matter names it',
    earned: 'known',
    unknown: 'not known here',
  } as const;
  const own = isOwnHand(speaker.source) ? 'known: done by hand in the vault' : words[known];
  const standing = speaker.writer === 'trusted' ? 'known: the settings trust it' : own;
  return `${standing}; ${right} of ${EARNED_AFTER} right outcomes on this matter`;
}

function targetLines({ fields }: SignalRecord, target: TargetRecord | null): string[] {
  const { target_path: path, target_confidence: sure, target_candidates: candidates } = fields;
  const named = target?.path ?? (path === null ? 'none' : `${path}, which is not there`);
  return [
    `${named} at ${sure}${fields.target_ambiguous ? ', ambiguous' : ''}`,
    ...candidates.map((candidate) => `it may mean ${candidate}`),
  ];
}

function aloneLines(space: IndexAccess, signal: SignalRecord, target: TargetRecord | null, times: Times): string[] {
  const { fields } = signal;
  const speaker = speakerOf(space, signal);
  const source = instinctOf(space, speaker.source);
  const confidence = Math.min(fields.target_confidence, speaker.effectConfidence);
  const threshold = thresholdOf(space, source.source, target);
  const needs = threshold === null ? silenceOf(space, source.source) : `so it needs ${threshold}`;
  const route = routeOf(space, signal, null)?.route;
  return [
    `confidence ${confidence}: the lower of target ${fields.target_confidence} and effect ${speaker.effectConfidence}`,
    `${source.source}: confidence ${source.confidence}, right ${timesWords(source.observations)}, ${needs}`,
    ...(route?.gates ?? []).map((gate) => timed(`${gate.held ? 'holds' : 'refuses'}: ${gate.sentence}`, times)),
    ...(route !== undefined && route.gates.length === 0 ? [`not alone: ${lowerFirst(route.reason)}`] : []),
  ];
}

/** The events that weighed a signal, newest first. */
function weighings(vault: Vault, signal: SignalRecord): EventRecord[] {
  return vault.catalogue
    .eventsOfSignal(signal.name)
    .filter(({ fields }) => fields.decision !== 'rate_guarded' && fields.dismisses === null)
    .sort((one, other) => (comesAfter(one, other) ? -1 : 1));
}
