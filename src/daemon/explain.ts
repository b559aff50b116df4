import { standingOf as attentionOf, isChoice, isQuestion, isWaiting } from '../steward/attention.ts';
import { EARNED_AFTER, noVoucher } from '../steward/gates-sender-gate.ts';
import { instinctOf, silenceOf, thresholdOf } from '../steward/learning/sources.ts';
import { keyOf } from '../steward/perception.ts';
import { isOwnNote } from '../steward/ports/own-notes.ts';
import { handsOffReason, isHandsOff } from '../steward/proposal-fit.ts';
import { isReversed } from '../steward/proposals/reversed.ts';
import {
  answerOf,
  comesAfter,
  type OpenProposal,
  type ProposalStatus,
  proposalStatus,
  waitingAbout,
} from '../steward/proposals.ts';
import { scheduleName } from '../steward/schedule.ts';
import { noSignals, type Skip, type SkipCode } from '../steward/schedule-cadence.ts';
import { type Speaker, speakerOf } from '../steward/trust/speaker.ts';
import { standingOf } from '../steward/trust.ts';
import {
  type Licence,
  licencesOn,
  licenceWords,
  licensingMatter,
  timesWords,
  unheardSenders,
} from '../steward/trust-licences.ts';
import { countsOf, type ItemsRead, itemWords } from '../stream/items-read.ts';
import { TARGET_FLOOR } from '../stream/targets/score.ts';
import { StewardError } from '../vault/errors.ts';
import type { FileStat } from '../vault/files.ts';
import type { EventRecord, OrderRecord, ReversalRecord, SignalRecord, TargetRecord } from '../vault/index/record.ts';
import { saysItWaits, sourceOf } from '../vault/index-keys.ts';
import { linkTarget } from '../vault/links.ts';
import { stem } from '../vault/note-names.ts';
import { momentOf, shown } from '../vault/note-text.ts';
import { shellWord } from '../vault/notes/shell-word.ts';
import { itemIn, streamFileOf } from '../vault/notes/stream-path.ts';
import { EVENT_TYPES, type RecordedGate } from '../vault/records.ts';
import { isOwnHand, sourceKey } from '../vault/source-names.ts';
import { iso } from '../vault/time.ts';
import type { Vault } from '../vault/watch.ts';
import type { StreamRead } from './context/remembered/stream-read.ts';
import type { IndexAccess, ModelAccess, ReadAccess, Workspace } from './context.ts';
import { accountOf } from './context-fleeting.ts';
import { type Draft, previewTick, recordedGate, routeOf } from './decide.ts';
import { ambiguousFor, freshSignals, silencedFor, wasWeighed } from './decide-fresh-signals.ts';
import { modeOf } from './effective-mode.ts';
import { BLANK, type Explanation, type Section, type SourceOutcome, type Times } from './explain/explanation.ts';
import {
  askedText,
  changeLines,
  gateLines,
  lowerFirst,
  orNone,
  refusedReason,
  timed,
  whenOf,
} from './explain/wording.ts';
import { perceivedNow, whyUnseen } from './perception.ts';
import { checkOf } from './schedule/due.ts';
import { skipNow } from './schedule/tick.ts';
import { isNamed, type TrailEntry } from './seal-key.ts';

/** Explains an event: what was decided, its recorded gates, what has become of it, and what a person can do now. */
function explainEvent(space: ReadAccess, event: EventRecord, times: Times): Explanation {
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
    standing: status.kind === 'none' ? null : standingOfExplainEvent(status),
  };
}

/** Explains a reversal: what it took back, and what the sources learned. */
function explainReversal(space: IndexAccess, reversal: ReversalRecord, times: Times): Explanation {
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
function decidedLines(event: EventRecord, times: Times): string[] {
  const { decision, confidence, mode, changes } = event.fields;
  const said = isQuestion(event) ? [askedText(event)] : changeLines(changes);
  return [`[[${event.name}]] ${decision} at ${confidence}, ${mode}, ${whenOf(event, times)}`, ...said];
}

/** Returns what has become of an event, in one sentence. */
function sentenceOf(space: IndexAccess, event: EventRecord, status: ProposalStatus, times: Times): string {
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

function standingOfExplainEvent(status: ProposalStatus): Explanation['standing'] {
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

/** Explains a signal: which note it is about, whether it is strong enough alone, and which events weighed it. */
function explainSignal(space: ReadAccess, signal: SignalRecord, times: Times): Explanation {
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
function signalSentence(space: ReadAccess, signal: SignalRecord, times: Times): string {
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

/** Returns why a file or an event gave no signal: the rest of the sentence `It gave no signal: …`, without its full stop. */
function silentWords(entry: TrailEntry): string {
  return SAID[entry.kind](entry);
}

const SAID: Readonly<Record<TrailEntry['kind'], (entry: TrailEntry) => string>> = {
  'unread-kind': ({ reason }) => reason,
  unreadable: ({ reason }) => lowerFirst(ended(reason)),
  'same-bytes': ({ reason }) => `the same bytes were read before; ${reason}`,
  'not-admitted': ({ reason }) => `it was skipped as ${reason}`,
  'no-note': () => 'no note fits it well enough',
  'nothing-said': ({ closest, reason }) =>
    `it may be about ${closest[0]?.note ?? 'a note'}, and ${saidNothing(reason)}`,
  struck: ({ reason }) => `what was read in it failed the checks. ${ended(reason)}`,
  'model-none': ({ by, closest }) =>
    `${by ?? 'a model'} was asked whether it changes ${closest[0]?.note ?? 'a note'}, and found nothing`,
};

/** What the rules say where they find no phrase that means a change. */
const NO_PHRASE = 'nothing that changes a matter';

function saidNothing(reason: string): string {
  return reason === NO_PHRASE ? 'says nothing that changes it' : `what it says is no change: ${ended(reason)}`;
}

/** Returns a text without what ends its last sentence. */
function ended(reason: string): string {
  return reason.replace(/(?<![.\s])[.\s]+$/, '');
}

/** How many signals of a file are told one by one. */
const MOST_SIGNALS = 20;
/** Of how many events it is told why they gave none. */
const MOST_SILENT = 10;

/** The records, and why events gave no signal. */
type ItemsAccess = ReadAccess & Pick<Workspace, 'ingest'>;

/**
 * Explains a file that holds many events: what became of them, which were refused, the newest signals, and of the newest events
 * without one why they gave none.
 */
function explainItems(space: ItemsAccess, file: string, items: ItemsRead, times: Times): Explanation {
  const signals = signalsOfFile(space, file);
  const shownOnes = signals.slice(-MOST_SIGNALS);
  const sections = [
    { title: 'Its events', lines: [itemWords(countsOf(items)), ...restLines(items)] },
    ...(items.troubles.length === 0 ? [] : [{ title: 'Refused', lines: troubleLines(items) }]),
    ...(shownOnes.length === 0 ? [] : [givenSignals(space, shownOnes, times)]),
    ...silentSection(space, file),
  ];
  return {
    ...BLANK,
    note: file,
    kind: 'stream',
    sentence: itemsSentence(items.read + items.known, signals.length, reasonOf(space, file)),
    sections,
  };
}

function itemsSentence(events: number, signals: number, reason: string | null): string {
  if (events === 0) return reason === null ? 'No event has been read from it.' : `No event is read from it: ${reason}`;
  if (events === 1) return `It holds one event. ${signals === 0 ? 'That gave no signal.' : gaveWords(signals)}`;
  return `It holds ${events} events. ${gaveWords(signals)}`;
}

function reasonOf({ context }: ReadAccess, file: string): string | null {
  const read = context.state.get('streams')[file];
  return read?.refused ?? read?.skipped ?? null;
}

function silentSection({ ingest }: ItemsAccess, file: string): Section[] {
  const lines = ingest.trail.within(file, MOST_SILENT).flatMap((entry) => {
    const named = entry.subject === null ? entry.file : `${entry.subject} (${entry.file})`;
    return [named, `  ${silentWords(entry)}`];
  });
  return lines.length === 0 ? [] : [{ title: 'Without a signal, the newest first', lines }];
}

/** Returns the sentence about how many signals something gave. */
function gaveWords(count: number): string {
  if (count === 0) return 'None gave a signal.';
  return count === 1 ? 'It gave one signal.' : `It gave ${count} signals.`;
}

/** Returns the signals of one event, by the path of its file, or by its own path in a file that holds many. */
function signalsFrom({ vault }: ReadAccess, path: string | null): SignalRecord[] {
  if (path === null) return [];
  return vault.catalogue.signals().filter(({ fields: { source_event_path: from } }) => {
    return from === path || (from !== null && streamFileOf(from) === path);
  });
}

/** Returns the section that tells signals, and what has become of them. */
function givenSignals(space: ReadAccess, signals: readonly SignalRecord[], times: Times): Section {
  const lines = signals.flatMap((signal) => {
    const { raw_quote: quote, target_path: target } = signal.fields;
    const said = `[[${signal.name}]] “${quote ?? ''}” for ${target === null ? 'no note' : shown(target)}`;
    return [said, `  ${signalSentence(space, signal, times)}`];
  });
  return { title: 'Signals, and what has become of them', lines };
}

function signalsOfFile({ vault }: ReadAccess, file: string): SignalRecord[] {
  return vault.catalogue
    .signals()
    .filter(({ fields }) => fields.source_event_path !== null && streamFileOf(fields.source_event_path) === file);
}

function restLines({ isDone, open }: ItemsRead): string[] {
  const waiting = Object.keys(open).length;
  if (isDone) return [];
  return [waiting === 0 ? 'The steward is still reading it.' : 'Reading goes on when fewer of them wait for a model.'];
}

function troubleLines({ troubles, refused }: ItemsRead): string[] {
  const lines = troubles.map(({ place, reason }) => `${place}: ${reason}`);
  return refused > troubles.length ? [...lines, `and ${refused - troubles.length} more`] : lines;
}

/** Returns what a note shows by itself now, whether the person was told, and when time alone would show more. */
function perceptionSection(space: ModelAccess, target: TargetRecord, times: Times): Section {
  const title = 'Without a signal';
  const why = whyUnseen(space, target);
  if (why !== null) return { title, lines: [`not looked at: ${why}`] };
  const { findings, next } = perceivedNow(space, target);
  const [first] = findings;
  const isModel = space.models.evaluator.asksModel;
  const seen = space.context.state.get('perceived')[target.path];
  const told = first === undefined || seen?.told !== keyOf(first) ? [] : ['you were told'];
  const asks = first !== undefined || target.fields.surface_class === 'high';
  const judge = isModel && asks ? [`${space.models.evaluator.name} is asked once until something changes`] : [];
  return {
    title,
    lines: [
      ...(first === undefined ? ['nothing noticed'] : findings.map(({ sentence }) => sentence)),
      ...told,
      ...judge,
      `the next day that matters: ${next === null ? 'none' : times(next)}`,
    ],
  };
}

/** How many outcomes are told; the history in the instinct note holds more. */
const TOLD = 30;

/**
 * Explains a source: how far it is believed, what it has shown, and where it may act. Null where nothing was ever heard
 * of it. `note`: what the explanation is about, as it was asked.
 */
function explainSource(space: IndexAccess, source: string, note: string, times: Times): Explanation | null {
  const events = eventsOf(space, source);
  if (events.length === 0 && space.vault.catalogue.instinctOf(source) === null) return null;
  const outcomes = events.flatMap((event) => outcomeOf(space, event));
  const places = licencesOf(space, source, events);
  return {
    ...BLANK,
    note,
    kind: 'instinct',
    sentence: sentenceFor(space, source),
    sections: [
      { title: 'What was learnt', lines: learntLines(space, source) },
      { title: 'Outcomes', lines: orNone(outcomeLines(outcomes, times)) },
      { title: 'Where it may act', lines: orNone(places.map(({ licence, where }) => licenceWords(licence, where))) },
    ],
    licences: places.map(({ licence }) => licence),
    outcomes,
  };
}

function sentenceFor(space: IndexAccess, source: string): string {
  const needs = thresholdOf(space, source, null);
  if (needs === null) return `Signals from ${source} stay unheard: ${silenceOf(space, source)}`;
  const { confidence } = instinctOf(space, source);
  return `Trust in ${source} is ${confidence}; its signals must reach ${needs} to act.`;
}

function learntLines(space: IndexAccess, source: string): string[] {
  const { observations, wrong, reversals, status, pinned, pinnedBy } = instinctOf(space, source);
  const record = space.vault.catalogue.instinctOf(source);
  return [
    `right ${timesWords(observations)}, wrong ${timesWords(wrong)}, taken back ${timesWords(reversals)}`,
    `it is ${status}${pinned ? `, and pinned by ${pinnedBy === 'steward' ? 'the steward' : 'a person'}` : ''}`,
    record === null ? 'no note yet: its trust has not moved' : `its history: ${record.path}`,
  ];
}

/** The program's own decisions that rest on a source, newest first. */
function eventsOf(space: IndexAccess, source: string): EventRecord[] {
  const key = sourceKey(source);
  return space.vault.catalogue
    .events()
    .filter(({ fields }) => EVENT_TYPES.some((type) => type === fields.type))
    .filter(({ fields }) =>
      Object.entries(fields.source_contributions).some(([one, share]) => share > 0 && sourceKey(one) === key),
    )
    .filter((event) => isOwnNote(space, event))
    .sort((one, other) => (comesAfter(one, other) ? -1 : 1));
}

function outcomeOf(space: IndexAccess, event: EventRecord): SourceOutcome[] {
  const answer = answerOf(space, event);
  const made = answer !== null && answer.fields.dismisses === null ? answer : event;
  const of = (record: EventRecord, outcome: SourceOutcome['outcome'], by: string, at: string | null) => {
    const moment = momentOf(record.name, at);
    return [
      { event: record.name, outcome, by, at: Number.isFinite(moment) ? iso(moment) : null, target: nameOf(event) },
    ];
  };
  if (isReversed(space, made) || isReversed(space, event))
    return of(made, 'wrong', 'taken back', made.fields.timestamp);
  if (answer !== null) {
    const isConfirmed = answer === made;
    return of(
      answer,
      isConfirmed ? 'right' : 'wrong',
      isConfirmed ? 'confirmed' : 'dismissed',
      answer.fields.timestamp,
    );
  }
  const { taught, taught_by: by, taught_at: at, timestamp } = event.fields;
  return taught === null || taught === 'nothing' ? [] : of(event, taught, by ?? taught, at ?? timestamp);
}

function nameOf({ fields }: EventRecord): string | null {
  return fields.target_path === null ? null : stem(fields.target_path);
}

function outcomeLines(outcomes: readonly SourceOutcome[], times: Times): string[] {
  const lines = outcomes.slice(0, TOLD).map(({ event, outcome, by, at, target }) => {
    const about = target === null ? '' : ` on ${target}`;
    return `${outcome}: ${by}${about}${at === null ? '' : `, ${timed(at, times)}`}: [[${event}]]`;
  });
  return outcomes.length > TOLD ? [...lines, `and ${outcomes.length - TOLD} before these`] : lines;
}

/** What the source may do on each matter that its events are about. */
function licencesOf(space: IndexAccess, source: string, events: readonly EventRecord[]) {
  const { catalogue } = space.vault;
  const targets = new Map<string, TargetRecord>();
  for (const { fields } of events) {
    const target = fields.target_path === null ? undefined : catalogue.get(catalogue.currentPath(fields.target_path));
    if (target?.kind !== 'task' && target?.kind !== 'matter') continue;
    const where = licensingMatter(space, target) ?? target.name;
    if (!targets.has(where)) targets.set(where, target);
  }
  return [...targets].flatMap(([where, target]): { where: string; licence: Licence }[] =>
    licencesOn(space, target)
      .filter((licence) => sourceKey(licence.source) === sourceKey(source))
      .map((licence) => ({ where, licence })),
  );
}

/** The records, and what is known of stream files. */
type StreamAccess = ReadAccess & Pick<Workspace, 'ingest'>;

/** What became of a stream file. */
interface Fate {
  readonly sentence: string;
  readonly sections: readonly Section[];
}

/**
 * Explains a file of the stream, by its path or name, also one that is no longer there: the signals that it gave and what
 * has become of them, or why it gave none. Null where nothing is known of such a file. Throws `file-ambiguous` for a name
 * that several files have.
 */
function explainStream(space: StreamAccess, written: string, times: Times): Explanation | null {
  const named = filesNamed(space, written);
  if (named.length > 1) throw severalFiles(written, named);
  const [file] = named;
  const items = file === undefined ? null : (space.context.state.get('streams')[file]?.items ?? null);
  if (file !== undefined && items !== null) return explainItems(space, file, items, times);
  const entry = space.ingest.trail.find(file ?? written);
  const known = file ?? entry?.file ?? itemNamed(space, written) ?? fleetingNamed(space, written);
  if (known === null) return null;
  return { ...BLANK, note: known, kind: 'stream', ...fateOf(space, known, entry, times) };
}

function fateOf(space: StreamAccess, file: string, entry: TrailEntry | null, times: Times): Fate {
  const signals = signalsFrom(space, file);
  if (signals.length > 0) {
    const sections = [...accountSection(space, file), givenSignals(space, signals, times)];
    return { sentence: gaveWords(signals.length), sections };
  }
  const read = space.context.state.get('streams')[file];
  const isUnread = isReadAgain(space.vault.streams.get(file), read);
  if (!isUnread && entry !== null && isOf(entry, read)) return silentFate(space, entry, times);
  if (isUnread || read === undefined)
    return { sentence: `It has not been read yet${waitingWords(space, file)}.`, sections: [] };
  const why = read.refused ?? read.skipped;
  return { sentence: why === null ? GONE : `It gave no signal: ${why}.`, sections: [readAt(read.at, times)] };
}

// A file that has other bytes by now, or came back under its name, says nothing of what was read before.
function isReadAgain(now: FileStat | undefined, read: StreamRead | undefined): boolean {
  if (now === undefined) return false;
  return read === undefined || (read.sha256 !== '' && (read.size !== now.size || read.mtimeMs !== now.mtimeMs));
}

/** Whether an entry is of the last reading of its file: one before may have given nothing where this one gave signals. */
function isOf({ at }: TrailEntry, read: StreamRead | undefined): boolean {
  return read === undefined || (read.signals === 0 && at >= read.at);
}

const GONE = 'It gave signals, but their notes are gone.';

function silentFate(space: StreamAccess, entry: TrailEntry, times: Times): Fate {
  const twin = entry.kind === 'same-bytes' ? signalsFrom(space, twinIn(entry.reason)) : [];
  return {
    sentence: `It gave no signal: ${silentWords(entry)}.`,
    sections: [
      { title: 'The file', lines: headLines(entry, times) },
      ...(entry.closest.length === 0 ? [] : [{ title: CLOSEST, lines: entry.closest.map(closestLine) }]),
      ...(twin.length === 0 ? [] : [givenSignals(space, twin, times)]),
    ],
  };
}

const CLOSEST = `The closest notes (${TARGET_FLOOR} needed)`;

function headLines({ from, subject, by, reason, kind, at }: TrailEntry, times: Times): string[] {
  return [
    ...(from === null ? [] : [`from ${from}`]),
    ...(subject === null ? [] : [`subject: ${subject}`]),
    `${kind === 'unread-kind' ? 'seen' : 'read'} ${times(at)}${by === null ? '' : ` by ${by}`}`,
    ...(kind === 'no-note' ? [`found in it: ${reason}`] : []),
  ];
}

function closestLine({ note, score }: TrailEntry['closest'][number]): string {
  return `${note} ${score.toFixed(2)}`;
}

function readAt(at: number, times: Times): Section {
  return { title: 'The file', lines: [`read ${times(at)}`] };
}

function twinIn(reason: string): string | null {
  return /^it was read as (.+)$/.exec(reason)?.[1] ?? null;
}

function waitingWords({ ingest }: StreamAccess, file: string): string {
  const waiting = ingest.waiting.get(file);
  return waiting === undefined ? '' : `: ${ended(waiting.reason)}`;
}

/** The path of a mail that was deleted once it had been read, where it gave signals. */
function fleetingNamed({ context }: ReadAccess, written: string): string | null {
  const gone = context.state.get('cleared');
  return Object.keys(gone).find((file) => isNamed(file, written)) ?? null;
}

function accountSection({ context }: ReadAccess, file: string): readonly Section[] {
  const account = accountOf(context, file);
  const words = `the mail itself lies in the account ${account}, outside the vault`;
  return account === null ? [] : [{ title: 'The file', lines: [words] }];
}

/** The path of an event in a file that holds many, where signals came of it. */
function itemNamed(space: ReadAccess, written: string): string | null {
  return itemIn(written) !== null && signalsFrom(space, written).length > 0 ? written : null;
}

/** The file of a path, or those of a name. */
function filesNamed({ vault }: ReadAccess, written: string): readonly string[] {
  if (itemIn(written) !== null && !vault.streams.has(written)) return [];
  return vault.streams.has(written)
    ? [written]
    : [...vault.streams.keys()].filter((file) => isNamed(file, written)).sort();
}

const MOST_NAMED = 5;

function severalFiles(written: string, files: readonly string[]): StewardError {
  const rest = files.length > MOST_NAMED ? ` and ${files.length - MOST_NAMED} more` : '';
  return new StewardError({
    code: 'file-ambiguous',
    message: `${files.length} files of the stream are named "${written}": ${files.slice(0, MOST_NAMED).join(', ')}${rest}.`,
    hint: 'Give the path of one of them.',
  });
}

/** Explains a matter or task: the main reason, what waits for it, and what would happen now. */
async function explainTarget(space: ModelAccess, target: TargetRecord, times: Times): Promise<Explanation> {
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
    sentence: sentenceForExplainTarget(
      space,
      target,
      { obstacle, fresh: fresh.length, foreseen, last, waiting, asked },
      times,
    ),
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

function sentenceForExplainTarget(
  space: ReadAccess,
  target: TargetRecord,
  findings: TargetFindings,
  times: Times,
): string {
  const { obstacle, fresh, foreseen, last } = findings;
  const nothing = `Nothing happens to ${target.name} now`;
  if (obstacle?.lasting === true) return `${nothing}: ${obstacle.reason}.`;
  const [waiting] = findings.waiting;
  if (fresh === 0 && waiting !== undefined) return waitingSentenceExplainTarget(target, waiting, times);
  const [asked] = findings.asked;
  if (fresh === 0 && asked !== undefined) return `A question about ${target.name} waits for you: ${askedText(asked)}`;
  const isQuiet = obstacle?.reason === noSignals(0).reason;
  if (obstacle !== null && !(isQuiet && last !== null)) return `${nothing}: ${obstacle.reason}.`;
  if (foreseen !== null) return foreseenSentence(target, foreseen, times);
  if (fresh > 0) return `The next tick weighs ${signalCount(fresh)} for ${target.name}.`;
  if (last === null) return `${nothing}: no signals.`;
  return `${nothing}: no new signals. The last event: ${lowerFirst(sentenceOf(space, last, proposalStatus(space, last), times))}`;
}

function waitingSentenceExplainTarget(
  target: TargetRecord,
  { event, standing: status }: OpenProposal,
  times: Times,
): string {
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

/**
 * Explains a note, given by name, path or link; a source by its name (`mail:anna@notary.example`); or a file of the stream.
 * Changes nothing, and asks no model. Throws `note-unknown`.
 */
export async function explain(
  space: ModelAccess & StreamAccess,
  written: string,
  times: Times = iso,
): Promise<Explanation> {
  const record = space.vault.catalogue.resolve(written, ['task', 'matter', 'signal', 'event', 'reversal']);
  switch (record?.kind) {
    case 'task':
    case 'matter':
      return explainTarget(space, record, times);
    case 'signal':
      return explainSignal(space, record, times);
    case 'event':
      return explainEvent(space, record, times);
    case 'reversal':
      return explainReversal(space, record, times);
    case 'order':
      return explainOrder(record);
    case 'instinct':
      return explainSource(space, sourceOf(record), record.path, times) ?? explainOther(space, written, times);
    case 'bad':
      return { ...BLANK, note: record.path, kind: 'bad', sentence: `It is left alone: ${record.trouble.message}` };
    default:
      return explainSource(space, written, written, times) ?? explainOther(space, written, times);
  }
}

function explainOrder({ path, fields }: OrderRecord): Explanation {
  const sentence =
    fields.outcome === null
      ? 'It answers a proposal; the steward reads it as soon as it is quiet.'
      : `Its answer to a proposal was refused: ${fields.outcome}.`;
  return { ...BLANK, note: path, kind: 'order', sentence };
}

function explainOther(space: StreamAccess, written: string, times: Times): Explanation {
  const stream = explainStream(space, written, times);
  if (stream !== null) return stream;
  if (!space.vault.catalogue.exists(written)) throw unknownNote(written);
  const sentence = 'It is an ordinary note of yours: the steward leaves it alone.';
  return { ...BLANK, note: written, kind: 'note', sentence };
}

function unknownNote(written: string): StewardError {
  return new StewardError({
    code: 'note-unknown',
    message: `There is no matter, task, signal, event, source or stream file named "${written}".`,
    hint: 'Give its name, its path in the vault, a link such as "[[name]]", a source such as mail:anna@notary.example, or a file such as stream/letter.eml.',
  });
}
