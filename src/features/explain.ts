import type { IndexAccess, ModelAccess, ReadAccess, Workspace } from '../daemon/context.ts';
import { planCheck } from '../daemon/schedule.ts';
import { skipNow } from '../daemon/ticker.ts';
import { type DecisionDraft, findRoute, previewCheck } from '../steward/decide.ts';
import { findAccount, recordedGate } from '../steward/event-note.ts';
import { notesTitled, suggestNote } from '../steward/find-event.ts';
import { perceivedNow, whyUnseen } from '../steward/findings.ts';
import { currentMode, noVoucher, refusalWords, TARGET_SURE } from '../steward/gates.ts';
import { findInstinct, findSilence, requiredConfidence } from '../steward/instinct.ts';
import {
  licensingPlace,
  type SenderHere,
  senderHereWords,
  senderStanding,
  sendersOn,
  unheardSenders,
  unlicensable,
} from '../steward/licence.ts';
import {
  comesAfter,
  eventState,
  findAnswer,
  handsOffNote,
  handsOffReason,
  handsOffWords,
  isChoice,
  isQuestion,
  isReversed,
  isWaiting,
  type OpenProposal,
  type ProposalState,
  proposalState,
  waitingAbout,
} from '../steward/proposals.ts';
import { isKnownNote, isOwnNote } from '../steward/records.ts';
import { type SkipCode, scheduleName } from '../steward/schedule.ts';
import { identifySpeaker, type Speaker, sentAt } from '../steward/sender.ts';
import { settingName } from '../steward/settings.ts';
import { ambiguousFor, freshSignals, isLeftOut, silencedFor, wasWeighed } from '../steward/signals.ts';
import { waitingSuspects } from '../steward/suspects.ts';
import { type Answerable, TARGET_FLOOR } from '../steward/types.ts';
import {
  countItems,
  type ItemsRead,
  isNamed,
  itemWords,
  type Silence,
  STREAMS,
  type StreamRead,
  type TrailEntry,
} from '../streams/state.ts';
import { patchedFields } from '../undo/recipe.ts';
import { StewardError } from '../vault/errors.ts';
import { changePhrase, gateLine, markedQuote, PLAIN_PHRASE } from '../vault/event-text.ts';
import type { FileStat } from '../vault/files.ts';
import type { Changes } from '../vault/frontmatter.ts';
import { instinctSource, saysItWaits } from '../vault/index.ts';
import { fold, parseItemPath, stem, streamFilePath } from '../vault/layout.ts';
import { distinctTitles, linkTarget } from '../vault/links.ts';
import { clipped, noteMoment, shellWord, shown } from '../vault/note-text.ts';
import {
  EVENT_TYPES,
  type EventRecord,
  type OrderRecord,
  type RecordedGate,
  type ReversalRecord,
  type SignalRecord,
  type TargetRecord,
} from '../vault/record.ts';
import {
  claimedPattern,
  isBankChannel,
  isOfBookings,
  isOwnHand,
  isSenderNamed,
  parseChannel,
  parsePattern,
  sourceKey,
  sourceName,
} from '../vault/source-names.ts';
import { iso } from '../vault/time.ts';
import type { Vault } from '../vault/vault.ts';
import { askedText } from './audit-log.ts';
import { findBySubject } from './ledger.ts';

// Which words are in doubt, and what would change what Steward does.

const MAX_WORDS = 160;

function doubtfulWords(signals: readonly SignalRecord[], gates: readonly RecordedGate[]): string[] {
  const isUnsure = gates.some(({ gate, held }) => gate === 'reading' && !held);
  const lines = signals.flatMap(({ fields }) => {
    const { doubts, warnings, reasoning } = fields;
    const quote = markedQuote(fields);
    const read = isUnsure && doubts.length === 0 && reasoning !== null ? [reasoning] : [];
    const all = [...doubts, ...warnings, ...read];
    return quote === null ? all : all.map((one) => `${one} It says: “${clipped(quote, MAX_WORDS)}”`);
  });
  return [...new Set(lines)];
}

interface HeldBack {
  readonly target: TargetRecord | null;
  /** The source that weighed most; null if no source spoke. */
  readonly source: string | null;
}

/** Channels whose senders a mail server authenticates. */
const MAIL: readonly string[] = ['mail', 'gmail', 'gmail_unknown'];

/** Returns what would have to be different for a change to be made: a line for each gate that failed. */
function whatWouldHelp(space: IndexAccess, gates: readonly RecordedGate[], about: HeldBack): string[] {
  const all = gates.filter(({ held }) => !held);
  // The other gates that a forged mail fails don't matter.
  const forged = all.find(({ gate }) => gate === 'forged');
  if (forged !== undefined) return [...(HELP.forged?.(space, about, forged) ?? [])];
  // Answers never help a sender that isn't authenticated; a licence only helps if a server can authenticate the sender.
  const useless = MAIL.includes(parseChannel(about.source ?? '')) ? ['discretion'] : ['discretion', 'licence'];
  const isUnauthenticated = all.some(({ gate }) => gate === 'authenticated');
  const failed = isUnauthenticated ? all.filter(({ gate }) => !useless.includes(gate)) : all;
  return [...new Set(failed.flatMap((gate) => HELP[gate.gate]?.(space, about, gate) ?? []))];
}

type Help = (space: IndexAccess, about: HeldBack, gate: RecordedGate) => readonly string[];

const HELP: Readonly<Record<string, Help>> = {
  forged: () => ['A mail that your mail server accepts as this sender’s.'],
  authenticated: ({ context }, { source }) => {
    if (source === null) return [];
    const one = (context.unagreed?.() ?? []).find(({ field }) => field === 'trusted_mail_servers');
    if (one !== undefined && MAIL.includes(parseChannel(source)))
      return [
        `Your yes to this setting, for mails that come after it: \`steward confirm ${shellWord(settingName(one))}\`.`,
      ];
    if (MAIL.includes(parseChannel(source)))
      return ['A mail server that confirms the sender: `steward doctor` shows which ones your mails name.'];
    return isBankChannel(source)
      ? ['Your account in `trusted_bank_accounts`, if this is a statement of it.']
      : ['Your answer: Steward can’t authenticate this sender, so it always asks.'];
  },
  licence: (space, { target, source }) => {
    if (source === null || target === null || unlicensable(source) !== null) return [];
    const where = `--matter ${shellWord(licensingPlace(space, target))}`;
    return [`A licence: \`steward licence sign ${shellWord(source)} ${where}\` lets this sender act without asking.`];
  },
  target: (_space, { target }) => [
    `A number, a link or the sender that belongs to ${target === null ? 'one note' : target.name} alone, in the same passage as the news. You can add it to the note’s keywords.`,
  ],
  reading: () => ['A sentence near the top that says only this, about this note.'],
  discretion: (_space, _about, { figure }) =>
    figure === null ? [] : ['A better record of this sender: each proposal that you confirm counts.'],
  closing: () => ['A mail that says that the whole matter has ended, once all of its tasks are closed.'],
  freshness: () => ['News that is newer than what was decided.'],
  mode: ({ context }, _about, { reason }) => {
    if (!reason.startsWith('shadow')) return ['A mail that says it more clearly, or a lower `confidence_threshold`.'];
    if (currentMode(context, null) !== 'shadow') return []; // the mode was raised since
    return context.env.ceiling === 'shadow'
      ? ['Another mode: set `STEWARD_LIVE_MODE=live` for the daemon.']
      : ['Another mode: set `mode: live` in steward.md.'];
  },
  rate_guard: () => ['Time: Steward asks the model about this again later.'],
  budget: () => ['A higher budget for the model, or the next period.'],
  person: () => ['Your answer: only you decide this.'],
};

/** How close a mail came to a note. */
interface ConsideredNote {
  readonly note: string;
  /** 0–1; null for a note that was nearly as close as the first. */
  readonly score: number | null;
  readonly needed: number;
  /** What led there: `sender`, `words`, `keyword` …; empty if it isn't known. */
  readonly evidence: readonly string[];
}

function consideredLine({ note, score, needed, evidence }: ConsideredNote): string {
  if (score === null) return `${stem(note)}, nearly as close`;
  const leads = evidence.map((one) => LEADS[one] ?? one);
  const all = [leads.slice(0, -1).join(', '), ...leads.slice(-1)].filter((part) => part !== '').join(' and ');
  const by = all === '' ? '' : ` by ${all}`;
  return `${stem(note)} ${score.toFixed(2)}${by} (${needed.toFixed(2)} needed)`;
}

const LEADS: Readonly<Record<string, string>> = {
  link: 'a link',
  reference: 'a number',
  sender: 'its sender',
  name: 'its name',
  keyword: 'a keyword',
  words: 'words in common',
  amount: 'an amount',
  model: 'a model',
};

/** Returns what was missing in a mail that gave no signal; null if other words wouldn't help. */
function whatWasMissing({ kind, closest: [best] }: Pick<Silence, 'kind' | 'closest'>): string | null {
  switch (kind) {
    case 'no-note': {
      const lacking = best === undefined ? 0 : TARGET_FLOOR - best.score;
      const short = lacking > 0 && best !== undefined ? ` ${best.note} lacks ${lacking.toFixed(2)}.` : '';
      return `Something that leads to one note: its name, a keyword, a number, a link, or its sender under \`senders\`.${short}`;
    }
    case 'nothing-said':
      return 'A sentence that says that something was done, moved, cancelled or asked for.';
    case 'model-none':
      return 'A sentence that the model reads as news about this note.';
    case 'struck':
      return 'Words of the sender’s own that say what was read.';
    default:
      return null;
  }
}

/** Why the last check had its result, and what would happen now (`explain --json`). Times in texts are ISO, UTC. */
export interface Explanation {
  readonly schemaVersion: 1;
  /** The note's path; what the caller wrote if Steward does not know the note. */
  readonly note: string;
  readonly kind: string;
  readonly sentence: string;
  readonly sections: readonly Section[];
  /** The gates as they stood when the event was written: the event's own, or those of the last event about a note. */
  readonly gates: readonly RecordedGate[];
  /** The gates as they would be now; empty if nothing would be judged. */
  readonly gatesNow: readonly RecordedGate[];
  /** For a proposal: what has become of it, through which event, and why; null for anything else. */
  readonly standing: { readonly kind: string; readonly by: string | null; readonly reason: string | null } | null;
  /** The licences of the sources that spoke, on the note's matter; for a source, its licence on each matter. */
  readonly licences: readonly SenderHere[];
  /** For a source: what was shown of it, newest first. */
  readonly outcomes: readonly SourceOutcome[];
  /** For a task or matter: what was done last; null if nothing was. */
  readonly last: LastDeed | null;
  /** For a mail: the notes that it could be about, closest first. */
  readonly considered: readonly ConsideredNote[];
}

/** One outcome that a source was right or wrong by. */
interface SourceOutcome {
  /** The event note that shows it: the decision, or its answer. */
  readonly event: string;
  readonly outcome: 'right' | 'wrong';
  /** In a person's words: `made by hand`. */
  readonly by: string;
  /** ISO, UTC; null if the note does not say. */
  readonly at: string | null;
  /** The name of the task or matter, or null. */
  readonly target: string | null;
}

interface Section {
  readonly title: string;
  readonly lines: readonly string[];
}

/** An explanation without its note, kind and sentence. */
const BLANK = {
  schemaVersion: 1 as const,
  sections: [],
  gates: [],
  gatesNow: [],
  standing: null,
  licences: [],
  outcomes: [],
  last: null,
  considered: [],
};

/**
 * Explains a note, given by name, path or link; a source by its name (`mail:anna@notary.example`); or a file of the stream.
 * Changes nothing, and asks no model. Throws `note-unknown`.
 */
export async function explain(space: ModelAccess & StreamAccess, written: string): Promise<Explanation> {
  const record = space.vault.catalogue.resolve(written, ['task', 'matter', 'signal', 'event', 'reversal']);
  switch (record?.kind) {
    case 'task':
    case 'matter':
      return explainTarget(space, record);
    case 'signal':
      return explainSignal(space, record);
    case 'event':
      return explainEvent(space, record);
    case 'reversal':
      return explainReversal(space, record);
    case 'order':
      return explainOrder(record);
    case 'instinct':
      return explainSource(space, instinctSource(record), record.path);
    case 'bad':
      return { ...BLANK, note: record.path, kind: 'bad', sentence: `Steward ignores it: ${record.trouble.message}` };
    default: {
      const source = sourceMeant(space, written);
      return source === null ? explainOther(space, written) : explainSource(space, source, written);
    }
  }
}

function explainOrder({ path, fields }: OrderRecord): Explanation {
  const sentence =
    fields.outcome === null
      ? 'It answers a proposal; Steward reads it once the file has stopped changing.'
      : `Its answer to a proposal was refused: ${fields.outcome}.`;
  return { ...BLANK, note: path, kind: 'order', sentence };
}

async function explainOther(space: ModelAccess & StreamAccess, written: string): Promise<Explanation> {
  const stream = explainStream(space, written);
  if (stream !== null) return stream;
  const sentence = 'It is an ordinary note of yours: Steward ignores it.';
  if (space.vault.catalogue.exists(written)) return { ...BLANK, note: written, kind: 'note', sentence };
  const titled = notesTitled(space.vault, written);
  const [only] = titled;
  if (only === undefined) {
    const source = sourceCalled(space, written);
    return source === null ? explainPart(space, written) : explainSource(space, source, written);
  }
  if (titled.length > 1) throw severalNotes(written, titled);
  const note = space.vault.catalogue.get(only);
  if (note?.kind !== 'task' && note?.kind !== 'matter') throw unknownNote(space, written);
  return explainTarget(space, note);
}

// A part of the name of a stream file, which may have gone since, or of the subject of what was read.
async function explainPart(space: StreamAccess, written: string): Promise<Explanation> {
  const part = fold(written);
  const files = [...space.vault.streams.keys()].filter((file) => fold(file).includes(part)).sort();
  if (files.length > 1) throw severalFiles(written, files);
  const file = files[0] ?? space.ingest.trail.find(written, (one) => fold(one).includes(part))?.file;
  const found = file === undefined ? await explainSubject(space, written) : explainStream(space, file);
  if (found === null) throw unknownNote(space, written);
  return found;
}

async function explainSubject(space: StreamAccess, written: string): Promise<Explanation | null> {
  const paths = [...new Set((await findBySubject(space, written)).map(({ path }) => path))];
  if (paths.length > 1) throw severalFiles(written, paths);
  return paths[0] === undefined ? null : explainStream(space, paths[0]);
}

function severalNotes(written: string, paths: readonly string[]): StewardError {
  return new StewardError({
    code: 'note-ambiguous',
    message: `${paths.length} notes have "${written}" in their title: ${firstOf(paths)}.`,
    hint: 'Give more of the title.',
  });
}

function unknownNote({ vault }: IndexAccess, written: string): StewardError {
  const meant = suggestNote(vault, written, ['matter', 'task']);
  return new StewardError({
    code: 'note-unknown',
    message: `There is no matter, task, signal, event, sender or stream file named "${written}".${meant === null ? '' : ` Did you mean "${meant}"?`}`,
    hint: 'Give its name, its path in the vault, a link such as "[[name]]", a sender such as anna@notary.example, or a file such as stream/letter.eml.',
  });
}

async function explainTarget(space: ModelAccess & StreamAccess, target: TargetRecord): Promise<Explanation> {
  const fresh = freshSignals(space, target).signals;
  const obstacle = obstacleTo(space, target);
  const foreseen = obstacle === null && fresh.length > 0 ? await previewCheck(space, target) : null;
  const event = lastEvent(space, target);
  const waiting = waitingAbout(space, target.path);
  const asked = questionsAbout(space, target);
  const licences = sendersOn(space, target);
  const last = findLastDeed(space, pathsOf(space, target));
  const tasks = target.kind === 'matter' ? space.vault.catalogue.tasksOf(target) : [];
  const below = tasks.flatMap(({ path }) => waitingAbout(space, path));
  const now = nowSentence(target, { obstacle, fresh: fresh.length, foreseen, waiting, asked, below });
  const gatesNow = foreseen === null ? [] : foreseen.flatMap(({ gates }) => gates.map(recordedGate));
  const evaluated =
    foreseen === null ? signalsBehind(space, event) : fresh.flatMap(({ path }) => signalAt(space, path));
  const gates = foreseen === null ? openGates(space, event) : gatesNow;
  const isAsked = fresh.length === 0 && waiting.length + asked.length + below.length > 0;
  const help = isAsked ? ['Your answer: `steward inbox`.'] : helpAgainst(space, target, obstacle);
  const held = { target, source: evaluated.map((signal) => identifySpeaker(space, signal).source)[0] ?? null };
  return {
    ...BLANK,
    note: target.path,
    kind: target.kind,
    sentence: last?.sentence ?? now,
    sections: [
      { title: 'Now', lines: [...(last === null ? [] : [now]), ...nowLines(space, target, fresh.length > 0)] },
      ...section('Undo', last?.undo == null ? [] : [`${last.undo.command} (until ${last.undo.until})`]),
      ...section('Doubtful words', doubtfulWords(evaluated, gates)),
      ...section('What would change this', [...help, ...whatWouldHelp(space, gates, held)]),
      perceptionSection(space, target),
      { title: 'Signals waiting', lines: orNone(fresh.flatMap((one) => signalLines(space, one.path))) },
      ...foreseenSection(foreseen),
      ...ambiguousSection(space.vault, target),
      ...silencedSection(space, target),
      ...waitingSection(waiting, asked),
      ...licenceSection(space, target, licences),
      {
        title: 'Last event',
        lines: event === null ? ['none'] : [...decidedLines(event), ...gateLines(event.fields.gates)],
      },
    ],
    gates: event?.fields.gates ?? [],
    gatesNow,
    licences,
    last,
  };
}

// Anything done to a part of a matter counts as done to the matter.
function pathsOf({ vault }: IndexAccess, target: TargetRecord): string[] {
  return target.kind === 'task' ? [target.path] : [target, ...vault.catalogue.tasksOf(target)].map(({ path }) => path);
}

function section(title: string, lines: readonly string[]): Section[] {
  return lines.length === 0 ? [] : [{ title, lines }];
}

// The gates of a change that was made, answered or overtaken no longer block anything.
function openGates(space: ReadAccess, event: EventRecord | null): readonly RecordedGate[] {
  if (event === null) return [];
  return ['none', 'waiting', 'stale'].includes(eventState(space, event).kind) ? event.fields.gates : [];
}

function signalsBehind({ vault }: IndexAccess, event: EventRecord | null): SignalRecord[] {
  const found = event?.fields.signals.map((link) => vault.catalogue.resolve(link, ['signal'])) ?? [];
  return found.filter((record) => record?.kind === 'signal');
}

function signalAt({ vault }: IndexAccess, path: string): SignalRecord[] {
  const record = vault.catalogue.get(path);
  return record?.kind === 'signal' ? [record] : [];
}

/**
 * The facts behind an explanation of a note. `fresh`: how many signals wait; `foreseen`: what the next check would
 * find.
 */
interface TargetFindings {
  readonly obstacle: Obstacle | null;
  readonly fresh: number;
  readonly foreseen: readonly DecisionDraft[] | null;
  readonly waiting: readonly OpenProposal[];
  readonly asked: readonly EventRecord[];
  /** The proposals about the tasks of a matter. */
  readonly below: readonly OpenProposal[];
}

/** Why a note is not judged now. `lasting`: until somebody changes something, not only for the moment. */
interface Obstacle {
  readonly code: SkipCode | 'unscheduled';
  readonly reason: string;
  readonly lasting: boolean;
}

/** The most important reason why a note would not be judged now; null if it would be. */
function obstacleTo(space: ModelAccess, target: TargetRecord): Obstacle | null {
  const skip = skipNow(space, target);
  if (skip !== null && LASTING.includes(skip.code)) return { code: skip.code, reason: skip.reason, lasting: true };
  const unscheduled = unscheduledReason(space.vault, target);
  if (unscheduled !== null) return { code: 'unscheduled', reason: unscheduled, lasting: true };
  return skip === null ? null : { code: skip.code, reason: skip.reason, lasting: false };
}

/** How the user can remove an obstacle. Obstacles that pass with time alone aren't here. */
const AGAINST: Partial<Readonly<Record<Obstacle['code'], string>>> = {
  finished: 'Reopen it: Steward evaluates only open notes.',
  'no-signals': 'News: a mail, a booking, an appointment or a message about it.',
  'not-due': 'Run `steward tick --force`: it checks what isn’t due yet.',
};

function helpAgainst(space: IndexAccess, target: TargetRecord, obstacle: Obstacle | null): string[] {
  if (obstacle?.code === 'hands-off') return helpAgainstOff(handsOffNote(space, target));
  const help = obstacle === null ? undefined : AGAINST[obstacle.code];
  return help === undefined ? [] : [help];
}

// A template, or a note that is archived by its tag or folder, is left alone for good.
function helpAgainstOff(off: TargetRecord | null): string[] {
  if (off === null || off.fields.set_aside !== null) return [];
  const word = off.fields.unexplained;
  return word === null
    ? [`Take \`steward: false\` out of ${off.name}.`]
    : [`Explain the word: add a line such as "${word} = open" to status_values in steward.md.`];
}

const LASTING: readonly SkipCode[] = ['vault-away', 'hands-off', 'finished'];

// Without a scheduled matter no steward looks after the note, whatever waits for it.
function unscheduledReason(vault: Vault, target: TargetRecord): string | null {
  const matter = target.kind === 'matter' ? target : vault.catalogue.matterOf(target);
  if (matter === null) return `${matterless(target)}, so Steward doesn't check it`;
  const { state } = matter.fields;
  if (state === 'done' || state === 'archived') return `its matter ${matter.name} is ${state}`;
  const [other] = vault.catalogue.namesakes(matter);
  return other === undefined ? null : `${matter.path} and ${other.path} have the same name, so neither is scheduled`;
}

function matterless({ fields }: TargetRecord): string {
  const link = 'parent_matter' in fields ? fields.parent_matter : null;
  return link === null ? 'it belongs to no matter' : `its matter ${shown(link)} doesn't exist`;
}

function nowSentence(target: TargetRecord, findings: TargetFindings): string {
  const { obstacle, fresh, foreseen } = findings;
  const nothing = `Steward does nothing with ${target.name} now`;
  if (obstacle?.lasting === true) return `${nothing}: ${obstacle.reason}.`;
  const [waiting] = findings.waiting;
  if (fresh === 0 && waiting !== undefined) return proposalSentence(target, waiting);
  const [asked] = findings.asked;
  if (fresh === 0 && asked !== undefined) return `A question about ${target.name} waits for you: ${askedText(asked)}`;
  const [below] = findings.below;
  if (fresh === 0 && below !== undefined) return taskSentence(below, findings.below.length);
  if (obstacle !== null) return `${nothing}: ${obstacle.reason}.`;
  if (foreseen !== null) return foreseenSentence(target, foreseen);
  return fresh > 0
    ? `The next check evaluates ${fresh === 1 ? '1 signal' : `${fresh} signals`} for ${target.name}.`
    : `${nothing}: no signals.`;
}

function taskSentence({ event: { fields } }: OpenProposal, count: number): string {
  const task = fields.target_path === null ? 'its task' : stem(fields.target_path);
  if (count === 1) return `A proposal for ${task} waits for you (${changeLines(fields.changes).join('; ')}).`;
  return `${count} proposals for its tasks wait for you, one of them for ${task}.`;
}

function proposalSentence(target: TargetRecord, { event, state: status }: OpenProposal): string {
  const asked = changeLines(event.fields.changes).join('; ');
  if (status.kind === 'stale') {
    return `The next check evaluates the proposal for ${target.name} (${asked}) again: ${status.reason}.`;
  }
  const refused = refusedReason(event.fields.gates);
  const why = refused === null ? '' : ` Why it is only proposed: ${refused}.`;
  return `A proposal for ${target.name} waits for you (${asked}).${why}`;
}

function foreseenSentence(target: TargetRecord, drafts: readonly DecisionDraft[]): string {
  const [first] = drafts.toSorted((one, other) => Number(other.outcome === 'act') - Number(one.outcome === 'act'));
  return first === undefined ? `The next check doesn't change ${target.name}.` : draftSentence(target, first);
}

function draftSentence(target: TargetRecord, { outcome, permission, gates }: DecisionDraft): string {
  if (!permission.ok) return `The next check wouldn't change ${target.name}: ${lowerFirst(permission.reason)}`;
  const asked = changeLines(permission.changes).join('; ');
  if (asked === '') return `The next check would evaluate the signals for ${target.name} and change no note.`;
  if (outcome === 'act') return `The next check would change ${target.name}: ${asked}.`;
  const refused = refusedReason(gates.map(recordedGate)) ?? 'only a person decides that';
  return outcome === 'propose'
    ? `The next check would only propose ${asked} for ${target.name}: ${refused}.`
    : `The next check would only record ${asked} for ${target.name}: ${refused}.`;
}

function nowLines(space: IndexAccess, target: TargetRecord, hasSignals: boolean): string[] {
  const unscheduled = handsOffWords(space, target) ?? unscheduledReason(space.vault, target);
  const check = unscheduled === null ? planCheck(space.context, target, hasSignals) : { at: null, reason: unscheduled };
  return [
    `mode: ${currentMode(space.context, null)}`,
    `next check: ${check.at === null ? 'never' : iso(Math.max(check.at, nextTick(space, target)))} (${check.reason})`,
  ];
}

/** When the schedule that looks at a note fires next (epoch ms); 0 where that is not known. */
function nextTick({ vault, context }: IndexAccess, target: TargetRecord): number {
  const matter = target.kind === 'matter' ? target : vault.catalogue.matterOf(target);
  return (matter === null ? null : context.state.get('schedules')[scheduleName(matter)]?.due) ?? 0;
}

function signalLines(space: IndexAccess, path: string): string[] {
  const signal = space.vault.catalogue.get(path);
  if (signal?.kind !== 'signal') return [];
  const alone = gateLines(gatesAlone(space, signal)).map((line) => `  alone, ${line}`);
  return [`[[${signal.name}]] ${signal.fields.headline ?? ''}`.trimEnd(), ...alone];
}

function foreseenSection(foreseen: readonly DecisionDraft[] | null): Section[] {
  if (foreseen === null) return [];
  const lines = foreseen.flatMap(({ decision: { decision, confidence }, gates }) => [
    `${decision} at ${confidence.toFixed(2)}`,
    ...gateLines(gates.map(recordedGate)),
  ]);
  return [{ title: 'What the next check would find', lines }];
}

function licenceSection(space: StreamAccess, target: TargetRecord, senders: readonly SenderHere[]): Section[] {
  const unheard = unheardSenders(space, target, senders).map((sender) => `${sender}: ${unheardWords(space, sender)}`);
  const lines = [...senders.map(senderHereWords), ...unheard];
  return lines.length === 0 ? [] : [{ title: 'Senders on this matter', lines }];
}

// Somebody who wrote without a signal did write.
function unheardWords({ ingest }: StreamAccess, sender: string): string {
  const [last] = ingest.trail.from(sender.toLowerCase(), 1);
  if (last === undefined) return 'named; no mail so far';
  return `named; wrote on ${last.sent ?? iso(last.at)}, “${last.subject ?? ''}”: no signal, ${silentWords(last)}`;
}

function ambiguousSection(vault: Vault, target: TargetRecord): Section[] {
  const lines = ambiguousFor(vault, target).map((one) => `[[${one.id}]]: ${one.reason}`);
  return lines.length === 0 ? [] : [{ title: 'Signals that may mean this note', lines }];
}

function silencedSection(space: ReadAccess, target: TargetRecord): Section[] {
  const lines = silencedFor(space, target).map((one) => `[[${one.id}]]: ${one.reason}`);
  return lines.length === 0 ? [] : [{ title: 'Signals that are ignored', lines }];
}

function waitingSection(waiting: readonly OpenProposal[], asked: readonly EventRecord[]): Section[] {
  const proposed = waiting.flatMap(({ event, state: status }) => [
    `[[${event.name}]] ${changeLines(event.fields.changes).join('; ')}, ${whenOf(event)}`,
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

function lastEvent({ vault }: IndexAccess, target: TargetRecord): EventRecord | null {
  const events = vault.catalogue.eventsAbout(target.path);
  return events.reduce<EventRecord | null>(
    (one, other) => (one === null || comesAfter(other, one) ? other : one),
    null,
  );
}

function explainEvent(space: ReadAccess, event: EventRecord): Explanation {
  const status = proposalState(space, event);
  const { gates, signals } = event.fields;
  return {
    ...BLANK,
    note: event.path,
    kind: 'event',
    sentence: sentenceOf(space, event),
    sections: [
      { title: 'What was decided', lines: decidedLines(event) },
      { title: 'Gates at that time', lines: gates.length === 0 ? ['none recorded'] : gateLines(gates) },
      { title: 'Signals', lines: orNone(signals) },
      { title: 'What you can do', lines: orNone(doable(space, event, status)) },
    ],
    gates,
    standing: status.kind === 'none' ? null : shortState(status),
  };
}

function explainReversal(space: IndexAccess, reversal: ReversalRecord): Explanation {
  const { outcome, reverses, calibration, settled_at: answeredAt } = reversal.fields;
  const at = noteMoment(reversal.name, answeredAt);
  const when = Number.isNaN(at) ? '' : `, ${iso(at)}`;
  const again = isReversed(space, reversal) ? ' That was undone in turn.' : '';
  const learnt = Object.entries(calibration).map(([source, moved]) => `${source}: ${moved}`);
  return {
    ...BLANK,
    note: reversal.path,
    kind: 'reversal',
    sentence: `It undoes ${reverses ?? 'an event'}: ${outcome ?? 'not settled yet'}${when}.${again}`,
    sections: [{ title: 'Learnt', lines: orNone(learnt) }],
  };
}

function decidedLines(event: EventRecord): string[] {
  const { decision, confidence, mode, changes } = event.fields;
  const said = isQuestion(event) ? [askedText(event)] : changeLines(changes);
  return [`[[${event.name}]] ${decision} at ${confidence.toFixed(2)}, ${mode}, ${whenOf(event)}`, ...said];
}

function sentenceOf(space: ReadAccess, event: EventRecord): string {
  const { dismisses, confirms, gates } = event.fields;
  const state = eventState(space, event);
  const refused = refusedReason(gates);
  switch (state.kind) {
    case 'reversed':
      return 'It was undone.';
    case 'dismisses':
      return `It dismissed ${dismisses}; the note stays as it is.`;
    case 'made': {
      if (state.until === null) return unmade(event);
      const can = space.context.now() > state.until ? 'could' : 'can';
      const until = `${can} be undone until ${iso(state.until)}.`;
      if (confirms !== null) return `It confirmed ${confirms}; the change was made, and ${until}`;
      return `${describeDeed(space, event).sentence} It ${until}`;
    }
    case 'none':
      return unmade(event);
    case 'waiting':
      if (isChoice(event)) return 'It asks you which of several notes is meant, and waits for you.';
      if (isQuestion(event)) return 'It asks something of you, and waits for you.';
      return `It is a proposal and waits for you.${refused === null ? '' : ` Why it is only proposed: ${refused}.`}`;
    case 'stale':
      return `Its note has changed since it was proposed: ${state.reason}. The next check evaluates its signals again.`;
    case 'superseded':
      return `It was replaced by [[${state.by.name}]].`;
    case 'settled':
      return `It closed itself: ${state.reason}.`;
    case 'confirmed':
    case 'dismissed':
      return `It was ${state.kind} by [[${state.by.name}]].`;
  }
}

function unmade({ fields }: EventRecord): string {
  const refused = refusedReason(fields.gates);
  if (fields.decision === 'rate_guarded' || fields.gates.some(({ gate, held }) => gate === 'writing' && !held)) {
    return `It changed no note: ${refused ?? fields.decision}.`;
  }
  return 'It changed no note: no change was proposed.';
}

function shortState(status: ProposalState): Explanation['standing'] {
  const by = 'by' in status ? (status.by?.name ?? null) : null;
  return { kind: status.kind, by, reason: 'reason' in status ? status.reason : null };
}

function doable(space: IndexAccess, event: EventRecord, status: ProposalState): string[] {
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

function explainSignal(space: ReadAccess, signal: SignalRecord): Explanation {
  const target = space.vault.catalogue.targetOf(signal);
  const gates = gatesAlone(space, signal);
  return {
    ...BLANK,
    note: signal.path,
    kind: 'signal',
    sentence: signalSentence(space, signal),
    sections: [
      { title: 'What it says', lines: saidLines(space, signal) },
      { title: 'Who says it', lines: speakerLines(space, signal, target) },
      { title: 'Which note it means', lines: targetLines(signal, target) },
      { title: 'Alone', lines: aloneLines(space, signal, target) },
      {
        title: 'Events',
        lines: orNone(weighings(space.vault, signal).flatMap((event) => weighingLines(event, signal))),
      },
    ],
    gatesNow: gates,
  };
}

function signalSentence(space: ReadAccess, signal: SignalRecord): string {
  const { fields } = signal;
  const target = space.vault.catalogue.targetOf(signal);
  if (fields.target_ambiguous) return ambiguousSentence(space, signal);
  if (fields.withdrawn) return 'It was withdrawn: its file has changed, and no longer says so.';
  if (fields.effect === 'none' && fields.status === 'skipped' && fields.audit_record_path === null)
    return 'It is news only, and asks for no change.';
  if (fields.status !== 'unrouted') {
    const by = fields.audit_record_path === null ? '' : `, by ${stem(fields.audit_record_path)}`;
    return `It was ${fields.status}${by}${wasTakenBack(space, signal) ? ', and undone' : ''}.`;
  }
  if (target === null) return 'It has no effect: it leads to no matter or task of this vault.';
  const off = handsOffReason(space, target);
  if (off !== null) return `It has no effect: ${off}`;
  if (fields.effect === 'none') return 'It has no effect on the note it means.';
  const silence = wasWeighed(space, signal) ? null : findSilence(space, identifySpeaker(space, signal).source);
  if (silence !== null) return `It waits: ${silence}`;
  return wasWeighed(space, signal) ? weighedSentence(space, signal) : waitingSentence(space, signal);
}

function ambiguousSentence(space: ReadAccess, signal: SignalRecord): string {
  const asked = weighings(space.vault, signal).find(isChoice);
  const status = asked === undefined ? null : proposalState(space, asked);
  if (asked !== undefined && status !== null && status.kind !== 'waiting' && status.kind !== 'none') {
    return `You were asked which note it means, by [[${asked.name}]]: ${lowerFirst(sentenceOf(space, asked))}`;
  }
  const names = distinctTitles(signal.fields.target_candidates);
  return `It waits for your answer: it may mean ${names.join(' or ') || 'several notes'}.`;
}

function wasTakenBack(space: ReadAccess, { fields }: SignalRecord): boolean {
  const event = fields.audit_record_path === null ? undefined : space.vault.catalogue.get(fields.audit_record_path);
  return event?.kind === 'event' && isReversed(space, event);
}

function weighedSentence(space: ReadAccess, signal: SignalRecord): string {
  const last = weighings(space.vault, signal)[0];
  if (last === undefined) return 'It was evaluated before.';
  if (isLeftOut(last, signal))
    return `It was evaluated at ${whenOf(last)} with other signals. The decision rests on those: [[${last.name}]].`;
  const became = lowerFirst(sentenceOf(space, last));
  return `It was evaluated at ${whenOf(last)}, by [[${last.name}]]: ${became}`;
}

function waitingSentence(space: IndexAccess, signal: SignalRecord): string {
  const route = findRoute(space, signal, null)?.route;
  if (route === undefined) return 'It has no effect.';
  if (route.route) return 'It passes all gates alone: Steward acts on it at once.';
  return `It ${waitWords(weighings(space.vault, signal), signal)}: ${lowerFirst(route.reason)}`;
}

function waitWords([last]: readonly EventRecord[], signal: SignalRecord): string {
  if (last === undefined) return 'waits for the next check';
  const again = 'is evaluated again at the next check';
  return isLeftOut(last, signal) ? again : `${again}, because its note has changed`;
}

function saidLines({ context }: IndexAccess, { fields }: SignalRecord): string[] {
  const account = findAccount(context, fields.source_event_path);
  return [
    fields.headline ?? '(no headline)',
    `“${markedQuote(fields) ?? ''}” from ${fields.source_event_path ?? 'nowhere named'}`,
    ...(account === null ? [] : [`the mail itself is in the account ${account}, outside the vault`]),
    `effect: ${fields.effect} at ${fields.effect_confidence.toFixed(2)}${proposalText(fields.mutation_proposal)}`,
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
  const speaker = identifySpeaker(space, signal);
  const { from, warnings, source_type: channel } = signal.fields;
  return [
    writerWords(speaker, signal),
    ...(from === null ? [] : [`${isBankChannel(channel) ? 'booking with' : 'from'} ${from}`]),
    ...(speaker.writer === 'own' ? [voucherWords(speaker), evidenceWords(speaker)] : []),
    ...(target === null || speaker.writer === 'unknown' ? [] : [knownWords(space, speaker, target)]),
    ...warnings.map((warning) => `take care: ${warning}`),
  ];
}

function writerWords({ writer, source }: Speaker, { fields }: SignalRecord): string {
  if (writer === 'own') return `Steward wrote the signal from ${source}`;
  if (writer === 'trusted') return `another program wrote the signal; trusted_signal_sources allows it for ${source}`;
  return `another program wrote the signal, and trusted_signal_sources leaves out ${fields.source_type}: it counts as ${source}, which never acts`;
}

function voucherWords({ source, vouched, server }: Speaker): string {
  if (vouched === 'pass') return `${server ?? 'its channel'} authenticated the sender`;
  if (vouched === 'fail') return `${server ?? 'the mail server'} says the sender is forged`;
  return noVoucher(source, 'the sender');
}

function evidenceWords({ evidence, near }: Speaker): string {
  const found = evidence.length === 0 ? 'no checkable evidence leads here' : `led here by ${evidence.join(', ')}`;
  return `${found}; ${near ? 'in the same passage as what it says' : 'in another passage than what it says'}`;
}

function knownWords(space: IndexAccess, speaker: Speaker, target: TargetRecord): string {
  const known = senderStanding(space, speaker, target);
  const words = {
    licensed: 'it has a licence here',
    named: 'the note or its matter names it; it has no licence here',
    unknown: 'not known here',
  } as const;
  return isOwnHand(speaker.source) ? 'done by hand in the vault' : words[known];
}

function targetLines({ fields }: SignalRecord, target: TargetRecord | null): string[] {
  const { target_path: path, target_confidence: sure, target_candidates: candidates } = fields;
  const named = target?.path ?? (path === null ? 'none' : `${path}, which is not there`);
  return [
    `${named} at ${sure.toFixed(2)}${fields.target_ambiguous ? ', ambiguous' : ''}`,
    ...candidates.map((candidate) => `it may mean ${candidate}`),
  ];
}

function aloneLines(space: IndexAccess, signal: SignalRecord, target: TargetRecord | null): string[] {
  const { fields } = signal;
  const speaker = identifySpeaker(space, signal);
  const source = findInstinct(space, speaker.source);
  const confidence = Math.min(fields.target_confidence, speaker.effectConfidence);
  const threshold = requiredConfidence(space, source.source, target);
  const needs = threshold === null ? findSilence(space, source.source) : `so it needs ${threshold}`;
  const route = findRoute(space, signal, null)?.route;
  return [
    `confidence ${confidence.toFixed(2)}: the lower of target ${fields.target_confidence.toFixed(2)} and effect ${speaker.effectConfidence.toFixed(2)}`,
    `${source.source}: confidence ${source.confidence.toFixed(2)}, right ${timesWords(source.observations)}, ${needs}`,
    ...(route?.gates ?? []).map((gate) => `${gate.held ? 'passed' : 'failed'}: ${gate.sentence}`),
    ...(route !== undefined && route.gates.length === 0 ? [`not alone: ${lowerFirst(route.reason)}`] : []),
  ];
}

function weighingLines(event: EventRecord, signal: SignalRecord): string[] {
  const [first = '', ...rest] = decidedLines(event);
  return [isLeftOut(event, signal) ? `${first}, because of other signals` : first, ...rest];
}

function weighings(vault: Vault, signal: SignalRecord): EventRecord[] {
  return vault.catalogue
    .eventsOfSignal(signal.name)
    .filter(({ fields }) => fields.decision !== 'rate_guarded' && fields.dismisses === null)
    .sort((one, other) => (comesAfter(one, other) ? -1 : 1));
}

// The rest of the sentence `It gave no signal: …`, without its full stop.
function silentWords(entry: TrailEntry): string {
  return SAID[entry.kind](entry);
}

const SAID: Readonly<Record<TrailEntry['kind'], (entry: TrailEntry) => string>> = {
  'unread-kind': ({ reason }) => reason,
  unreadable: ({ reason }) => lowerFirst(withoutStop(reason)),
  'same-bytes': ({ reason }) => `the same bytes were read before; ${reason}`,
  'not-read': ({ reason }) => reason,
  'not-admitted': ({ reason }) => `it was skipped as ${reason}`,
  'no-note': () => 'no note fits it well enough',
  'nothing-said': ({ closest, reason }) => `it may be about ${closestTitle(closest)}, and ${saidNothing(reason)}`,
  struck: ({ reason }) => `what was read in it failed the checks. ${withoutStop(reason)}`,
  'model-none': ({ by, closest }) =>
    `${by ?? 'a model'} was asked whether it changes ${closestTitle(closest)}, and found no change`,
};

function closestTitle([closest]: TrailEntry['closest']): string {
  return closest === undefined ? 'a note' : stem(closest.note);
}

/** What the rules say where they find no phrase that means a change. */
const NO_PHRASE = 'no news for a matter';

function saidNothing(reason: string): string {
  return reason === NO_PHRASE ? 'it has no news that changes it' : `it reports no change: ${withoutStop(reason)}`;
}

/** How many signals of a file are told one by one. */
const MOST_SIGNALS = 20;
/** How many events without a signal are listed with the reason. */
const MOST_SILENT = 10;

/** The records, and why events gave no signal. */
type ItemsAccess = ReadAccess & Pick<Workspace, 'ingest'>;

function explainItems(space: ItemsAccess, file: string, items: ItemsRead): Explanation {
  const signals = signalsOfFile(space, file);
  const shownOnes = signals.slice(-MOST_SIGNALS);
  const sections = [
    { title: 'Its events', lines: [itemWords(countItems(items)), ...restLines(items)] },
    ...(items.troubles.length === 0 ? [] : [{ title: 'Refused', lines: troubleLines(items) }]),
    ...(shownOnes.length === 0 ? [] : [givenSignals(space, shownOnes)]),
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
  if (events === 1) return `It has one event. ${signals === 0 ? 'That gave no signal.' : gaveWords(signals)}`;
  return `It has ${events} events. ${gaveWords(signals)}`;
}

function reasonOf({ context }: ReadAccess, file: string): string | null {
  const read = context.state.get(STREAMS)[file];
  return read?.refused ?? read?.skipped ?? null;
}

function silentSection({ ingest }: ItemsAccess, file: string): Section[] {
  const lines = ingest.trail.within(file, MOST_SILENT).flatMap((entry) => {
    const named = entry.subject === null ? entry.file : `${entry.subject} (${entry.file})`;
    return [named, `  ${entry.kind === 'not-read' ? 'not read: ' : ''}${silentWords(entry)}`];
  });
  return lines.length === 0 ? [] : [{ title: 'Without a signal, the newest first', lines }];
}

function gaveWords(count: number): string {
  if (count === 0) return 'No event gave a signal.';
  return count === 1 ? 'It gave one signal.' : `It gave ${count} signals.`;
}

function signalsFrom({ vault }: ReadAccess, path: string | null): SignalRecord[] {
  if (path === null) return [];
  return vault.catalogue.signals().filter(({ fields: { source_event_path: from, withdrawn } }) => {
    return !withdrawn && (from === path || (from !== null && streamFilePath(from) === path));
  });
}

function givenSignals(space: ReadAccess, signals: readonly SignalRecord[]): Section {
  const lines = signals.flatMap((signal) => {
    const { target_path: target } = signal.fields;
    const said = `[[${signal.name}]] “${markedQuote(signal.fields) ?? ''}” for ${target === null ? 'no note' : stem(target)}`;
    return [said, `  ${signalSentence(space, signal)}`];
  });
  return { title: 'Signals, and what has become of them', lines };
}

function signalsOfFile({ vault }: ReadAccess, file: string): SignalRecord[] {
  return vault.catalogue
    .signals()
    .filter(({ fields }) => fields.source_event_path !== null && streamFilePath(fields.source_event_path) === file);
}

function restLines({ isDone, open }: ItemsRead): string[] {
  const waiting = Object.keys(open).length;
  if (isDone) return [];
  return [waiting === 0 ? 'Steward is still reading it.' : 'Reading goes on when fewer of them wait for a model.'];
}

function troubleLines({ troubles, refused }: ItemsRead): string[] {
  const lines = troubles.map(({ place, reason }) => `${place}: ${reason}`);
  return refused > troubles.length ? [...lines, `and ${refused - troubles.length} more`] : lines;
}

/** Returns what a note shows by itself now, whether the person was told, and when time alone would show more. */
function perceptionSection(space: ModelAccess, target: TargetRecord): Section {
  const title = 'Without a signal';
  const why = whyUnseen(space, target);
  if (why !== null) return { title, lines: [`not checked: ${why}`] };
  const { findings, next } = perceivedNow(space, target);
  const [first] = findings;
  const isModel = space.models.evaluator.asksModel;
  const told = first === undefined ? [] : ['listed by: steward status --findings'];
  const asks = first !== undefined || target.fields.surface_class === 'high';
  const judge = isModel && asks ? [`${space.models.evaluator.name} is asked once until something changes`] : [];
  return {
    title,
    lines: [
      ...(first === undefined ? ['nothing noticed'] : findings.map(({ sentence }) => sentence)),
      ...told,
      ...judge,
      `next time that something can be noticed: ${next === null ? 'none' : iso(next)}`,
    ],
  };
}

/** How many outcomes are listed; the history in the instinct note contains more. */
const TOLD = 30;

/**
 * Returns the source that is meant by its name or by the address of a sender: one of which anything was read or learnt, or
 * that a note names. Null for any other words. Throws `note-unknown` for the address of a stranger.
 */
function sourceMeant(space: StreamAccess, written: string): string | null {
  const { catalogue } = space.vault;
  if (catalogue.instinctOf(written) !== null || eventsOf(space, written).length > 0) return written;
  const address = claimedPattern(parsePattern(written) ?? written)
    .trim()
    .toLowerCase();
  if (!/^[^\s@]+@[^\s@]+$/.test(address)) return null;
  const [heard] = signalsBy(space, address);
  if (heard !== undefined) return identifySpeaker(space, heard).source;
  const [read] = space.ingest.trail.from(address, 1);
  // What is learnt about an unauthenticated sender is under another name.
  if (read?.source !== undefined && parsePattern(written) === null) return read.source;
  if (read !== undefined || notesNaming(space, address).length > 0)
    return sourceName(parsePattern(written) === null ? 'mail' : parseChannel(written), address);
  throw new StewardError({
    code: 'note-unknown',
    message: `Steward has read nothing from ${address}, and no note names this sender.`,
    hint: '`steward ledger` lists what was received, with its senders.',
  });
}

/** Returns the source whose sender has this name; null if there is none. Throws `note-ambiguous` if there are several. */
function sourceCalled(space: ReadAccess, name: string): string | null {
  const called = space.vault.catalogue.signals().filter(({ fields: { from } }) => {
    return from !== null && fold(from.replace(/<[^<>]*>\s*$/, '')).includes(fold(name));
  });
  const sources = [...new Set(called.map((signal) => identifySpeaker(space, signal).source))];
  const addresses = [...new Set(sources.map((source) => claimedPattern(parsePattern(source) ?? source)))];
  const [source = null] = sources;
  if (addresses.length <= 1) return source;
  throw new StewardError({
    code: 'note-ambiguous',
    message: `${addresses.length} senders have "${name}" in their name: ${firstOf(addresses)}.`,
    hint: 'Give the address of one of them.',
  });
}

/** Returns the signals of a sender, by their address in lower case, whether authenticated or not: the newest first. */
function signalsBy({ vault }: ReadAccess, address: string): SignalRecord[] {
  return vault.catalogue
    .signals()
    .filter(({ fields: { pattern } }) => pattern !== null && claimedPattern(pattern).toLowerCase() === address)
    .sort((one, other) => ((sentAt(one) ?? 0) < (sentAt(other) ?? 0) ? 1 : -1));
}

function notesNaming({ vault: { catalogue } }: ReadAccess, address: string): string[] {
  const named = [...catalogue.each('matter'), ...catalogue.each('task')];
  return named.filter(({ fields }) => isSenderNamed(fields.senders, address)).map(({ name }) => name);
}

const MOST_READ = 10;

/** Returns a line for each message that was read from a sender, the newest first, with its outcome. */
function readLines(space: StreamAccess, source: string): string[] {
  const address = claimedPattern(parsePattern(source) ?? '').toLowerCase();
  if (address === '') return [];
  const signals = signalsBy(space, address).map((signal) => {
    const { target_path: target, target_ambiguous: isOpen, withdrawn } = signal.fields;
    const about = withdrawn || isOpen || target === null ? '' : ` For ${stem(target)}:`;
    const subject = `“${signal.fields.headline ?? ''}”.`;
    return {
      at: sentAt(signal) ?? 0,
      line: `${authenticationMark(space, signal)}${subject}${about} ${signalSentence(space, signal)}`,
    };
  });
  const silent = space.ingest.trail.from(address, MOST_READ).map((entry) => ({
    at: Date.parse(entry.sent ?? '') || entry.at,
    line: `“${entry.subject ?? ''}”. It gave no signal: ${silentWords(entry)}.`,
  }));
  return [...signals, ...silent]
    .sort((one, other) => other.at - one.at)
    .slice(0, MOST_READ)
    .map(({ at, line }) => `${iso(at)} ${line}`);
}

function authenticationMark(space: ReadAccess, signal: SignalRecord): string {
  const { vouched } = identifySpeaker(space, signal);
  return { pass: '', fail: '⚠ Your mail server rejected the sender. ', none: 'Not authenticated. ' }[vouched];
}

/**
 * Explains a source: how far it is trusted, what was read from it, what it has shown, and where it may act. `note`: the
 * subject, as the user wrote it.
 */
function explainSource(space: StreamAccess, source: string, note: string): Explanation {
  const events = eventsOf(space, source);
  const outcomes = events.flatMap((event) => outcomeOf(space, event));
  const places = licencesOf(space, source, events);
  return {
    ...BLANK,
    note,
    kind: 'instinct',
    sentence: sourceSentence(space, source),
    sections: [
      ...section('What was read', readLines(space, source)),
      ...section('Notes that name this sender', notesNaming(space, parsePattern(source) ?? '')),
      { title: 'What was learnt', lines: learntLines(space, source) },
      { title: 'Outcomes', lines: orNone(outcomeLines(outcomes)) },
      {
        title: 'On each matter',
        lines: orNone(places.map(({ where, sender }) => `${where}: ${senderHereWords(sender)}`)),
      },
    ],
    licences: places.map(({ sender }) => sender),
    outcomes,
  };
}

function sourceSentence(space: IndexAccess, source: string): string {
  const needs = requiredConfidence(space, source, null);
  if (needs === null) return `Signals from ${source} are ignored: ${findSilence(space, source)}`;
  const { confidence } = findInstinct(space, source);
  return `Trust in ${source} is ${confidence.toFixed(2)}; its signals must reach ${needs} to act.`;
}

function learntLines(space: IndexAccess, source: string): string[] {
  const { observations, wrong, reversals, status, pinned, pinnedBy } = findInstinct(space, source);
  const record = space.vault.catalogue.instinctOf(source);
  return [
    `right ${timesWords(observations)}, wrong ${timesWords(wrong)}, undone ${timesWords(reversals)}`,
    `it is ${status}${pinned ? `, and pinned by ${pinnedBy === 'steward' ? 'Steward' : 'a person'}` : ''}`,
    record === null ? 'no note yet: its trust has not moved' : `its history: ${record.path}`,
  ];
}

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
  const answer = findAnswer(space, event);
  const made = answer !== null && answer.fields.dismisses === null ? answer : event;
  const of = (record: EventRecord, outcome: SourceOutcome['outcome'], by: string, at: string | null) => {
    const moment = noteMoment(record.name, at);
    return [
      {
        event: record.name,
        outcome,
        by,
        at: Number.isFinite(moment) ? iso(moment) : null,
        target: event.fields.target_path === null ? null : stem(event.fields.target_path),
      },
    ];
  };
  // An answer that was undone, or that means "not now", doesn't teach anything.
  if (answer !== null && (answer.fields.later || isReversed(space, answer))) return [];
  if (isReversed(space, event)) return of(made, 'wrong', 'undone', made.fields.timestamp);
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

function outcomeLines(outcomes: readonly SourceOutcome[]): string[] {
  const lines = outcomes.slice(0, TOLD).map(({ event, outcome, by, at, target }) => {
    const about = target === null ? '' : ` on ${target}`;
    return `${outcome}: ${by}${about}${at === null ? '' : `, ${at}`}: [[${event}]]`;
  });
  return outcomes.length > TOLD ? [...lines, `and ${outcomes.length - TOLD} before these`] : lines;
}

function licencesOf(space: IndexAccess, source: string, events: readonly EventRecord[]) {
  const { catalogue } = space.vault;
  const targets = new Map<string, TargetRecord>();
  for (const { fields } of events) {
    const target = fields.target_path === null ? undefined : catalogue.get(catalogue.currentPath(fields.target_path));
    if (target?.kind !== 'task' && target?.kind !== 'matter') continue;
    const where = licensingPlace(space, target);
    if (!targets.has(where)) targets.set(where, target);
  }
  return [...targets].flatMap(([where, target]): { where: string; sender: SenderHere }[] =>
    sendersOn(space, target)
      .filter((sender) => sourceKey(sender.source) === sourceKey(source))
      .map((sender) => ({ where, sender })),
  );
}

/** The records, and what is known of stream files. */
type StreamAccess = ReadAccess & Pick<Workspace, 'ingest'>;

interface FileFate {
  readonly sentence: string;
  readonly sections: readonly Section[];
  readonly considered?: readonly ConsideredNote[];
}

/**
 * Explains a file of the stream, by its path or name, also one that is no longer there: the signals that it gave and
 * what has become of them, or why it didn't give any. Null if nothing is known of such a file. Throws `file-ambiguous`
 * for a name that several files have.
 */
function explainStream(space: StreamAccess, written: string): Explanation | null {
  const named = filesNamed(space, written);
  if (named.length > 1) throw severalFiles(written, named);
  const [file] = named;
  const items = file === undefined ? null : (space.context.state.get(STREAMS)[file]?.items ?? null);
  if (file !== undefined && items !== null) return explainItems(space, file, items);
  const entry = space.ingest.trail.find(file ?? written);
  const known = file ?? entry?.file ?? itemNamed(space, written) ?? fleetingNamed(space, written);
  if (known === null) return null;
  return { ...BLANK, note: known, kind: 'stream', ...fateOf(space, known, entry) };
}

function fateOf(space: StreamAccess, file: string, entry: TrailEntry | null): FileFate {
  const signals = signalsFrom(space, file);
  if (signals.length > 0) return heardFate(space, file, signals);
  const read = space.context.state.get(STREAMS)[file];
  const isUnread = isReadAgain(space.vault.streams.get(file), read);
  if (!isUnread && entry !== null && isOf(entry, read)) return silentFate(space, entry);
  if (isUnread || read === undefined)
    return { sentence: `It has not been read yet${waitingWords(space, file)}.`, sections: [] };
  const why = read.refused ?? read.skipped;
  const lead = read.isUnread === true ? NOT_READ : 'It gave no signal';
  return {
    sentence: why === null ? 'It gave signals, but their notes are gone.' : `${lead}: ${why}.`,
    sections: [{ title: 'The file', lines: [`read ${iso(read.at)}`] }],
  };
}

// A file that has other bytes by now, or that came back under its name, is read again.
function isReadAgain(now: FileStat | undefined, read: StreamRead | undefined): boolean {
  if (now === undefined) return false;
  return read === undefined || (read.sha256 !== '' && (read.size !== now.size || read.mtimeMs !== now.mtimeMs));
}

function isOf({ at }: TrailEntry, read: StreamRead | undefined): boolean {
  return read === undefined || (read.signals === 0 && at >= read.at);
}

const NOT_READ = "Steward didn't read it";

function heardFate(space: StreamAccess, file: string, signals: readonly SignalRecord[]): FileFate {
  const considered = signals.flatMap(consideredFor);
  const open = signals.filter(({ fields }) => fields.status === 'unrouted');
  const gates = open.flatMap((signal) => gatesAlone(space, signal));
  const [only, ...more] = signals;
  const sentence =
    only === undefined || more.length > 0 ? gaveWords(signals.length) : aboutTarget(only, signalSentence(space, only));
  return {
    sentence,
    sections: [
      ...accountSection(space, file),
      ...section(CONSIDERED, considered.map(consideredLine)),
      ...section('Doubtful words', doubtfulWords(signals, gates)),
      ...section('What was missing', [...new Set(open.flatMap((signal) => missingFor(space, signal)))]),
      givenSignals(space, signals),
    ],
    considered,
  };
}

function gatesAlone(space: IndexAccess, signal: SignalRecord): RecordedGate[] {
  return (findRoute(space, signal, null)?.route.gates ?? []).map(recordedGate);
}

function missingFor(space: IndexAccess, signal: SignalRecord): string[] {
  const about = { target: space.vault.catalogue.targetOf(signal), source: identifySpeaker(space, signal).source };
  return whatWouldHelp(space, gatesAlone(space, signal), about);
}

function aboutTarget(
  { fields: { target_ambiguous: isOpen, target_path: target } }: SignalRecord,
  text: string,
): string {
  return isOpen || target === null ? text : `It is about ${stem(target)}: ${lowerFirst(text)}`;
}

function consideredFor({ fields }: SignalRecord): ConsideredNote[] {
  const { target_path: target, target_candidates: candidates, target_confidence: score, target_evidence: all } = fields;
  const paths = new Set([...(target === null ? [] : [target]), ...candidates]);
  return [...paths].map((note) => {
    const isFirst = note === target;
    return { note, score: isFirst ? score : null, needed: TARGET_SURE, evidence: isFirst ? all : [] };
  });
}

function silentFate(space: StreamAccess, entry: TrailEntry): FileFate {
  const twin =
    entry.kind === 'same-bytes' ? signalsFrom(space, /^it was read as (.+)$/.exec(entry.reason)?.[1] ?? null) : [];
  const considered = entry.closest.map((one) => ({ ...one, needed: TARGET_FLOOR }));
  const suspect = waitingSuspects(space).find(({ mail }) => mail === entry.file);
  const missing = suspect === undefined ? whatWasMissing(entry) : null;
  return {
    sentence: `${suspect === undefined ? '' : `${suspect.warning} `}${entry.kind === 'not-read' ? NOT_READ : 'It gave no signal'}: ${silentWords(entry)}.`,
    sections: [
      { title: 'The file', lines: headLines(entry) },
      ...section(CONSIDERED, considered.map(consideredLine)),
      ...section('What was missing', missing === null ? [] : [missing]),
      ...(twin.length === 0 ? [] : [givenSignals(space, twin)]),
    ],
    considered,
  };
}

const CONSIDERED = 'Notes that it considered';

const SEEN_ONLY: readonly TrailEntry['kind'][] = ['unread-kind', 'not-read'];

function headLines({ from, subject, by, reason, kind, at }: TrailEntry): string[] {
  return [
    ...(from === null ? [] : [`from ${from}`]),
    ...(subject === null ? [] : [`subject: ${subject}`]),
    `${SEEN_ONLY.includes(kind) ? 'seen' : 'read'} ${iso(at)}${by === null ? '' : ` by ${by}`}`,
    ...(kind === 'no-note' ? [`found in it: ${reason}`] : []),
  ];
}

function waitingWords({ ingest }: StreamAccess, file: string): string {
  const waiting = ingest.waiting.get(file);
  return waiting === undefined ? '' : `: ${withoutStop(waiting.reason)}`;
}

/** The path of a mail that was deleted once it had been read, where it gave signals. */
function fleetingNamed({ context }: ReadAccess, written: string): string | null {
  const gone = context.state.get('cleared');
  return Object.keys(gone).find((file) => isNamed(file, written)) ?? null;
}

function accountSection({ context }: ReadAccess, file: string): readonly Section[] {
  const account = findAccount(context, file);
  const words = `the mail itself is in the account ${account}, outside the vault`;
  return account === null ? [] : [{ title: 'The file', lines: [words] }];
}

/** The path of an event in a file that contains many, if the event gave signals. */
function itemNamed(space: ReadAccess, written: string): string | null {
  return parseItemPath(written) !== null && signalsFrom(space, written).length > 0 ? written : null;
}

function filesNamed({ vault }: ReadAccess, written: string): readonly string[] {
  if (parseItemPath(written) !== null && !vault.streams.has(written)) return [];
  return vault.streams.has(written)
    ? [written]
    : [...vault.streams.keys()].filter((file) => isNamed(file, written)).sort();
}

const MOST_NAMED = 5;

function firstOf(paths: readonly string[]): string {
  const rest = paths.length > MOST_NAMED ? ` and ${paths.length - MOST_NAMED} more` : '';
  return `${paths.slice(0, MOST_NAMED).join(', ')}${rest}`;
}

function severalFiles(written: string, files: readonly string[]): StewardError {
  return new StewardError({
    code: 'file-ambiguous',
    message: `${files.length} received files or subjects fit "${written}": ${firstOf(files)}.`,
    hint: 'Give the path of one of them.',
  });
}

function gateLines(gates: readonly RecordedGate[]): string[] {
  return gates.map((gate) => gateLine(gate));
}

function refusedReason(gates: readonly RecordedGate[]): string | null {
  const refused = gates.find((gate) => !gate.held);
  if (refused === undefined) return null;
  return refusalWords(refused.gate, refused.reason).replace(/\.$/, '');
}

function changeLines(changes: Changes): string[] {
  return Object.entries(changes).map(([field, { before, after }]) => `${field}: ${shown(before)} → ${shown(after)}`);
}

function whenOf({ name, fields }: EventRecord): string {
  const at = noteMoment(name, fields.timestamp);
  return Number.isNaN(at) ? fields.timestamp : iso(at);
}

function orNone(lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? ['none'] : lines;
}

function lowerFirst(text: string): string {
  return `${text.charAt(0).toLowerCase()}${text.slice(1)}`;
}

/** Returns how often something was so: `once`, `3 times`. */
function timesWords(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}

// The last thing that was done about a note, and why, in plain words. Times in texts are ISO, UTC.

/** The last thing that Steward or the user did about a note. */
interface LastDeed {
  /** The name of the note that records it. */
  readonly event: string;
  /** ISO, UTC; null if the note doesn't say. */
  readonly at: string | null;
  readonly by: 'steward' | 'you';
  readonly sentence: string;
  /** The command that undoes it, and until when (ISO); null if it can't be undone. */
  readonly undo: { readonly command: string; readonly until: string } | null;
}

/**
 * Returns the last thing that was done about any of these notes; null if nothing was. An event note that Steward neither
 * wrote nor found at its first start counts only if there is no other, and the sentence says so.
 */
function findLastDeed(space: ReadAccess, paths: readonly string[]): LastDeed | null {
  const all = paths.flatMap((path) => space.vault.catalogue.eventsAbout(path));
  const known = all.filter((event) => isKnownNote(space, event));
  const last = (known.length === 0 ? all : known)
    .flatMap((event) => withUndos(space, event, new Set()))
    .reduce<Answerable | null>((one, other) => (one === null || isLater(other, one) ? other : one), null);
  if (last === null) return null;
  const deed = describeDeed(space, last);
  return isKnownNote(space, last) ? deed : { ...deed, sentence: `According to ${last.name}: ${deed.sentence}` };
}

function withUndos(space: ReadAccess, event: Answerable, seen: ReadonlySet<string>): Answerable[] {
  if (seen.has(event.path)) return [];
  const undos = space.vault.catalogue
    .answersTo(event.name)
    .filter((answer) => answer.kind === 'reversal' && isKnownNote(space, answer))
    .filter(({ fields }) => fields.outcome === 'reversed' || fields.outcome === 'conflict');
  const known = new Set([...seen, event.path]);
  return [event, ...undos.flatMap((undo) => withUndos(space, undo, known))];
}

// An undo has whole seconds, so within one it comes after what it undoes.
function isLater(one: Answerable, other: Answerable): boolean {
  const [at, otherAt] = [secondOf(one), secondOf(other)];
  if (at !== otherAt) return at > otherAt;
  if (one.kind !== other.kind) return one.kind === 'reversal';
  return timeOf(one) === timeOf(other) ? one.name > other.name : timeOf(one) > timeOf(other);
}

function secondOf(event: Answerable): number {
  return Math.floor(timeOf(event) / 1000);
}

function timeOf({ kind, name, fields }: Answerable): number {
  return noteMoment(name, kind === 'event' ? fields.timestamp : fields.settled_at) || 0;
}

function describeDeed(space: ReadAccess, event: Answerable): LastDeed {
  const at = timeOf(event) === 0 ? null : iso(timeOf(event));
  const isByUser = event.kind === 'reversal' || event.fields.confirms !== null || event.fields.dismisses !== null;
  return {
    event: event.name,
    at,
    by: isByUser ? 'you' : 'steward',
    sentence: event.kind === 'reversal' ? undoSentence(space, event, at) : eventSentence(space, event, at),
    undo: undoFor(space, event),
  };
}

function undoFor(space: IndexAccess, event: Answerable): LastDeed['undo'] {
  const until = Date.parse(event.fields.undo_recipe?.expires_at ?? '');
  if (!(space.context.now() <= until) || isReversed(space, event)) return null;
  return { command: `steward undo ${shellWord(event.name)}`, until: iso(until) };
}

function undoSentence({ vault }: ReadAccess, { fields }: ReversalRecord, at: string | null): string {
  const when = whenWords(at);
  const subject = fields.reverses === null ? null : vault.catalogue.resolve(fields.reverses, ['event', 'reversal']);
  const recipe = fields.undo_recipe;
  if (fields.outcome === 'conflict')
    return `You wanted to undo the last change${when}, but the note had been edited since, so Steward left it as it is.`;
  const what = subject?.kind === 'reversal' ? 'the undo' : 'this';
  const reason = fields.reason === null ? '' : ` Your reason: ${clipped(fields.reason, MAX_QUOTE)}.`;
  if (subject?.kind === 'event' && subject.fields.dismisses !== null)
    return `You undid your answer${when}, so the proposal waits again.${reason}`;
  if (recipe === null || Object.keys(recipe.vault_patch.fields).length === 0)
    return `You undid ${what}${when}.${reason}`;
  const { target, fields: changed } = recipe.vault_patch;
  const name = stem(vault.catalogue.currentPath(target));
  const done = changePhrase('past', name, patchedFields({ fields: changed }), PLAIN_PHRASE);
  return `You undid ${what}${when}, which ${done}.${reason}`;
}

function eventSentence(space: ReadAccess, event: EventRecord, at: string | null): string {
  const { confirms, dismisses, later, undo_recipe: recipe } = event.fields;
  const when = whenWords(at);
  if (dismisses !== null) {
    const meant = answeredProposal(space, dismisses);
    return later
      ? `You said “not now”${when} to the proposal to ${phraseOf('plain', event, meant)}.`
      : `You dismissed the proposal to ${phraseOf('plain', event, meant)}${when}.`;
  }
  if (confirms !== null) {
    const meant = answeredProposal(space, confirms);
    const because = becauseWords(event.fields.from === null && meant !== null ? meant : event);
    if (recipe === null) return `You confirmed it${when}, and no change was needed${because}.`;
    return `You confirmed the proposal to ${phraseOf('plain', event, meant)}${when}${because}.`;
  }
  if (recipe === null) return undecidedSentence(space, event, when);
  return `Steward ${phraseOf('past', event, null)}${when}${becauseWords(event)}${licenceWords(event)}.`;
}

function undecidedSentence(space: ReadAccess, event: EventRecord, when: string): string {
  const { changes, mode, gates } = event.fields;
  const name = nameOf(event);
  const because = becauseWords(event);
  if (isChoice(event)) return `Steward asked you${when} which of several notes is meant${because}.`;
  if (isQuestion(event)) return `Steward asked you something about ${name}${when}${because}.`;
  const refused = gates.find(({ held }) => !held);
  const why = refused === undefined ? undefined : refusalWords(refused.gate, refused.reason);
  if (Object.keys(changes).length === 0) {
    const reason = why === undefined ? noChange(event) : `: ${withoutStop(why)}`;
    return `Steward looked at ${name}${when} and changed nothing${reason}.`;
  }
  const phrase = phraseOf('plain', event, null);
  const state = eventState(space, event);
  if (state.kind === 'settled') return `The proposal to ${phrase} closed itself: ${withoutStop(state.reason)}.`;
  if (mode === 'live') return `Steward proposed${when} to ${phrase}${because}.`;
  const held = why === undefined ? '' : `: ${withoutStop(why)}`;
  return `Steward only noted${when} that it could ${phrase}${because}${held}.`;
}

function noChange({ fields }: EventRecord): string {
  return fields.decision === 'rate_guarded' ? ': too many questions were asked in that time' : '';
}

function answeredProposal({ vault }: ReadAccess, link: string): EventRecord | null {
  const found = vault.catalogue.resolve(link, ['event']);
  return found?.kind === 'event' ? found : null;
}

function phraseOf(tense: 'past' | 'plain', event: EventRecord, meant: EventRecord | null): string {
  const changes: Changes =
    Object.keys(event.fields.changes).length > 0 ? event.fields.changes : (meant?.fields.changes ?? {});
  const name = nameOf(event.fields.target_path === null && meant !== null ? meant : event);
  if (Object.keys(changes).length === 0) return tense === 'past' ? `settled ${name}` : `do something about ${name}`;
  return changePhrase(tense, name, changes, PLAIN_PHRASE);
}

function nameOf({ fields, name }: EventRecord): string {
  return fields.target_path === null ? name : stem(fields.target_path);
}

function whenWords(at: string | null): string {
  return at === null ? '' : ` on ${at}`;
}

const MAX_QUOTE = 160;

/**
 * Returns on whose words an event rests: `, because Anna Weber (anna@…) wrote “…”`; empty if it rests on no person's
 * words.
 */
function becauseWords({ fields }: EventRecord): string {
  const { from, quote, perceived, gates, source_contributions: sources } = fields;
  if (Object.keys(sources).some(isOwnHand)) return ', because you did something by hand in the vault';
  if (perceived !== null) return ', because of what the notes themselves say';
  const words = quote === null ? null : `“${withoutStop(clipped(quote, MAX_QUOTE))}”`;
  if (from === null) return words === null ? '' : `, because of these words: ${words}`;
  const who = clipped(from, MAX_QUOTE);
  // The supposed sender didn't write a forged mail.
  if (gates.some(({ gate, held }) => gate === 'forged' && !held))
    return `, because of a mail that only claims to be from ${who}${words === null ? '' : `: ${words}`}`;
  // A line of an account is the bank's, and money may have gone to the other party.
  if (isOfBookings(sources))
    return words === null ? `, because of a booking with ${who}` : `, because the booking with ${who} says ${words}`;
  // A channel by itself is nobody.
  if (/^[a-z_]+$/.test(from))
    return words === null ? `, because of something in ${who}` : `, because ${who} said ${words}`;
  return words === null ? `, because of ${who}` : `, because ${who} wrote ${words}`;
}

function licenceWords({ fields: { licence } }: EventRecord): string {
  return licence === null ? '' : ` and your licence ${licence} allows it`;
}

function withoutStop(text: string): string {
  return text.replace(/(?<![.\s])[.\s]+$/, '');
}
