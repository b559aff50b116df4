import { EXIT, StewardError } from '../vault/errors.ts';
import { rejectedWords } from '../vault/note-text.ts';
import type { AuthenticationResult, SignalFields, TargetEvidence } from '../vault/record.ts';
import {
  isAgent,
  isBankChannel,
  isOfNobody,
  isOwnHand,
  isSentMail,
  OWN_HAND,
  parseChannel,
} from '../vault/source-names.ts';
import { utc } from '../vault/time.ts';
import type { Permission } from './change.ts';
import { senderWords } from './inbox-words.ts';

/** The gates in the order in which failed ones are listed, most serious first (contract, section 6). */
export const GATES = [
  'forged',
  'authenticated',
  'licence',
  'target',
  'reading',
  'discretion',
  'closing',
  'freshness',
  'mode',
  'rate_guard',
  'budget',
] as const;
export type GateName = (typeof GATES)[number];

/** One gate with its figures, as the event note and `explain` name it. */
export interface Gate {
  readonly name: GateName;
  /** True if the gate lets the decision through. */
  readonly held: boolean;
  /** The figure that was measured; null if there wasn't one. */
  readonly figure: number | null;
  readonly threshold: number;
  readonly sentence: string;
}

/** The outcome of a decision: its change is made, is proposed to a person, or is only in an event note. */
export type Disposition = 'act' | 'propose' | 'record';

/**
 * Returns what becomes of a decision (contract, 6.2, 6.8). In shadow it is only recorded. In a live mode it is applied
 * if every gate passes, and proposed if one fails. A change that may not be made, or has no effect, is only recorded;
 * one that needs a person is at most proposed.
 */
export function decideOutcome(mode: Mode, gates: readonly Gate[], permission: Permission): Disposition {
  if (mode === 'shadow' || !permission.ok || permission.edits.length === 0) return 'record';
  return permission.needsPerson || gates.some((gate) => !gate.held) ? 'propose' : 'act';
}

/** From the mode without any effect to the one that acts most freely (contract, section 6). */
export const MODES = ['shadow', 'live_high_confidence_only', 'live'] as const;
export type Mode = (typeof MODES)[number];

/**
 * Returns the ceiling that `STEWARD_LIVE_MODE` sets. Absent or empty is shadow.
 * @throws StewardError `settings-mode`, exit 78, where the word is unknown (contract, 3.43).
 */
export function parseMode(word: string | undefined): Mode {
  const text = (word ?? '').trim();
  const mode = text === '' ? 'shadow' : MODES.find((one) => one === text);
  if (mode !== undefined) return mode;
  throw new StewardError(
    {
      code: 'settings-mode',
      message: `STEWARD_LIVE_MODE names no mode: "${text.slice(0, 60)}".`,
      hint: 'Set it to shadow, live_high_confidence_only or live.',
    },
    EXIT.settings,
  );
}

/**
 * Returns the mode in force. The vault and the caller can lower the ceiling, never raise it; null leaves it as it is.
 */
export function effectiveMode(ceiling: Mode, vault: Mode | null, caller: Mode | null): Mode {
  const rank = Math.min(...[ceiling, vault ?? 'live', caller ?? 'live'].map((mode) => MODES.indexOf(mode as Mode)));
  return MODES[rank] ?? 'shadow';
}

/** `STEWARD_CONFIDENCE_THRESHOLD` and `STEWARD_HIGH_CONFIDENCE_THRESHOLD`. */
export interface Thresholds {
  readonly confidence: number;
  readonly highConfidence: number;
}

/** The thresholds if neither the environment nor the vault names one. */
export const DEFAULT_THRESHOLDS: Thresholds = { confidence: 0.6, highConfidence: 0.85 };

interface ModeSettings {
  readonly env: {
    readonly ceiling: Mode;
    readonly confidenceThreshold: number | null;
    readonly highConfidenceThreshold: number | null;
  };
  readonly settings: {
    readonly mode: Mode | null;
    readonly confidence_threshold: number | null;
    readonly high_confidence_threshold: number | null;
  };
}

/** Returns the current mode: the environment's ceiling, lowered by the vault and by the caller. */
export function currentMode({ env, settings }: ModeSettings, caller: Mode | null): Mode {
  return effectiveMode(env.ceiling, settings.mode, caller);
}

/** Returns the current mode as an event note records it. */
export function recordedMode(settings: ModeSettings): 'shadow' | 'live' {
  return currentMode(settings, null) === 'shadow' ? 'shadow' : 'live';
}

/** Returns the thresholds in force: the stricter of the environment's and the vault's figures. */
export function effectiveThresholds({ env, settings }: ModeSettings): Thresholds {
  const stricter = (given: number | null, vault: number | null, otherwise: number) =>
    given === null && vault === null ? otherwise : Math.max(given ?? 0, vault ?? 0);
  const { confidence, highConfidence } = DEFAULT_THRESHOLDS;
  return {
    confidence: stricter(env.confidenceThreshold, settings.confidence_threshold, confidence),
    highConfidence: stricter(env.highConfidenceThreshold, settings.high_confidence_threshold, highConfidence),
  };
}

/** The right of a sender to make a change of some kind on a note by itself, or why there is no right: a sentence. */
export type Right =
  /** `licence`: the path of its note; null if a setting gives the right. */
  | { readonly ok: true; readonly licence: string | null; readonly sentence: string }
  | { readonly ok: false; readonly sentence: string };

const FILES: readonly string[] = ['slack', 'slack_channel', 'transcript', 'vexa', 'calendar', 'gcal', 'other'];

/** Returns why a sender of this source isn't authenticated: a sentence without its full stop. `sender`: as it is shown. */
export function noVoucher(source: string, sender: string): string {
  const channel = parseChannel(source);
  if (isOfNobody(source)) return 'it names no sender';
  if (isAgent(source)) return `only the agent itself names ${sender}`;
  if (isBankChannel(channel)) return `no statement of an account in trusted_bank_accounts names ${sender}`;
  if (isSentMail(source)) return "you didn't name its folder as your sent folder";
  // No server authenticates the sender of such a file, whatever the settings trust.
  return FILES.includes(channel) ? `only the file itself names ${sender}` : `no trusted server authenticated ${sender}`;
}

/** How sure the program must be of the note that is meant, and of what it read. */
export const TARGET_SURE = 0.85;
const READING_SURE = 0.85;

/** The one signal that a change is based on, as the gates look at it. */
export interface Witness {
  readonly source: string;
  /** Who the signal claims to be from: an address, or the source if there is no address. */
  readonly sender: string;
  readonly vouched: AuthenticationResult;
  readonly server: string | null;
  /** Who wrote the signal note. */
  readonly writer: 'own' | 'trusted' | 'unknown';
  readonly evidence: readonly TargetEvidence[];
  readonly near: boolean;
  readonly targetConfidence: number;
  /** How sure the program is of what it read, before any trust; 1 where a trusted source says it. */
  readonly reading: number;
  /** After the sender's instinct. */
  readonly effectConfidence: number;
  /** How sure that must be here; null if its signals are ignored, for the reason in `silence`. */
  readonly threshold: number | null;
  readonly silence: string | null;
  /** The problem with its sender or its words, a sentence; null if there isn't one. */
  readonly warning: string | null;
  readonly endsMatter: boolean;
  /** Why its word alone isn't enough, a sentence; null if it is. */
  readonly doubt: string | null;
}

/**
 * Returns the gates that one signal must pass for one kind of change, most serious first (contract, section 6). Signals
 * never share gates. `openParts`: the open tasks and matters under a matter that would be closed; null if no matter
 * would be.
 */
export function signalGates(one: Witness, right: Right, openParts: number | null): Gate[] {
  return [
    forgedGate(one),
    authenticatedGate(one),
    plainGate('licence', right.ok, right.sentence),
    targetGate(one),
    readingGate(one),
    discretionGate(one),
    ...(openParts === null ? [] : [closingGate(one, openParts)]),
  ];
}

/** Returns the gates of a change that no signal proposes: it is proposed at most. */
export function unbasedGates(): Gate[] {
  return [plainGate('licence', false, 'no signal says exactly this.')];
}

function plainGate(name: Gate['name'], held: boolean, reason: string): Gate {
  return { name, held, figure: null, threshold: 0, sentence: `${name.replace('_', ' ')}: ${reason}` };
}

/** Returns the gate of who spoke at all: the user's mail server rejected the sender, or the mail itself is a warning. */
export function forgedGate({ vouched, sender, warning }: Pick<Witness, 'vouched' | 'sender' | 'warning'>): Gate {
  const rejected = vouched === 'fail' ? rejectedWords(sender) : null;
  const reason = rejected ?? warning;
  return plainGate('forged', reason === null, reason ?? 'no sign of forgery.');
}

function authenticatedGate({ source, vouched, server, sender, writer }: Witness): Gate {
  if (writer === 'trusted')
    return plainGate('authenticated', true, `the settings trust signals from ${parseChannel(source)}.`);
  if (isOwnHand(source)) return plainGate('authenticated', true, 'it was done by hand in the vault.');
  const held = vouched === 'pass' && !isOfNobody(source);
  const authenticated = isSentMail(source)
    ? `you sent it: it is from ${server}.`
    : `${server ?? 'its channel'} authenticated ${sender}.`;
  const who = held ? authenticated : `${noVoucher(source, sender)}.`;
  return plainGate('authenticated', held, who);
}

function targetGate(one: Witness): Gate {
  const { targetConfidence: figure, near, sender } = one;
  const held = clears(figure, TARGET_SURE) && isFoundTwice(one) && near;
  const sentence = held
    ? 'it clearly means this note.'
    : !clears(figure, TARGET_SURE)
      ? `only ${figureWords(figure, TARGET_SURE)} confidence that ${sender} means this note, ${TARGET_SURE} needed.`
      : !isFoundTwice(one)
        ? `${foundBy(one)}.`
        : `what ${sender} says is in another passage than the words that lead to this note.`;
  return { name: 'target', held, figure: round4(figure), threshold: TARGET_SURE, sentence: `target: ${sentence}` };
}

/** Returns the gate of what was read: a doubtful reading is never acted upon, whoever sent the mail. */
function readingGate({ reading: figure, doubt }: Witness): Gate {
  const isSure = clears(figure, READING_SURE);
  const held = isSure && doubt === null;
  const sentence = !isSure
    ? `the reading scored ${figureWords(figure, READING_SURE)}, ${READING_SURE} needed to act without asking.`
    : (doubt ?? 'the reading is clear.');
  return { name: 'reading', held, figure: round4(figure), threshold: READING_SURE, sentence: `reading: ${sentence}` };
}

// Beyond its licence, which the gate of that name asks for, the affair itself must be over.
function closingGate({ source, endsMatter }: Witness, openParts: number): Gate {
  const parts = `the matter has ${openParts} open ${openParts === 1 ? 'part' : 'parts'}.`;
  const reason =
    openParts > 0
      ? parts
      : endsMatter
        ? 'it says that the whole affair has ended.'
        : isOwnHand(source)
          ? 'the tick by hand ends this part; you decide whether the whole affair has ended.'
          : 'it does not say that the whole affair has ended.';
  return {
    name: 'closing',
    held: openParts === 0 && endsMatter,
    figure: openParts,
    threshold: 0,
    sentence: `closing: ${reason}`,
  };
}

function isFoundTwice({ evidence }: Witness): boolean {
  return evidence.includes('link') || evidence.includes('reference') || evidence.length > 1;
}

function foundBy({ evidence: [only] }: Witness): string {
  if (only === undefined) return 'no evidence that can be checked leads to this note';
  if (only === 'model') return 'only a model says that this note is meant';
  return only === 'words' ? 'only words in common lead to this note' : `only its ${only} leads to this note`;
}

/** The report of one signal: when (epoch ms, null if it does not say), and in which words. */
export interface SignalReport {
  readonly source: string;
  readonly at: number | null;
  readonly quote: string | null;
  /** Marks a loss of state in place of a report: decisions up to this moment are unknown. */
  readonly isLost?: true;
}

/**
 * Returns the gate that keeps old news from being acted upon: a mail that is sent again, or comes late, must not undo what
 * a newer one has brought. `told`: what the note's fields already reflect, or what a person has decided about.
 */
export function freshnessGate(bearing: readonly SignalReport[], told: readonly SignalReport[]): Gate {
  const gate = (held: boolean, sentence: string): Gate => {
    return { name: 'freshness', held, figure: null, threshold: 0, sentence: `freshness: ${sentence}` };
  };
  for (const one of bearing) {
    const other = told.find((earlier) => isNotOlder(earlier, one));
    if (other?.isLost === true)
      return gate(
        false,
        `Steward lost what it remembered of earlier decisions${dated(other)}, after what ${one.source} says${dated(one)}.`,
      );
    if (other !== undefined)
      return gate(
        false,
        `what ${other.source === OWN_HAND ? 'you decided' : 'was decided'}${dated(other)} is at least as new as what ${one.source} says${dated(one)}.`,
      );
  }
  return gate(true, 'no newer decision was made here.');
}

// Two mails of one moment are two mails, unless they say the same: then the one is the other, sent again.
function isNotOlder(told: SignalReport, one: SignalReport): boolean {
  if (told.at === null) return false;
  return one.at === null || told.at > one.at || (told.at === one.at && told.quote === one.quote);
}

function dated({ at }: SignalReport): string {
  return at === null ? '' : ` (${utc(at)})`;
}

/**
 * Returns how sure a signal must be, given the observations behind its source. A note's own threshold wins (section 6).
 */
export function discretionThreshold(observations: number, noteOverride: number | null): number {
  if (noteOverride !== null) return noteOverride;
  if (observations >= 50) return 0.75;
  if (observations >= 20) return 0.8;
  if (observations >= 10) return 0.85;
  return observations >= 5 ? 0.9 : 0.95;
}

// How sure the signal is, after its sender's instinct, against what is needed at that sender's experience.
function discretionGate({ source, effectConfidence, threshold, silence }: Witness): Gate {
  if (threshold === null) return plainGate('discretion', false, silence ?? `signals from ${source} wait.`);
  const held = clears(effectConfidence, threshold);
  const scored = `${senderWords(source)} scored ${figureWords(effectConfidence, threshold)}`;
  const sentence = `discretion: ${scored}, ${thresholdWords(threshold)} needed.`;
  return { name: 'discretion', held, figure: round4(effectConfidence), threshold, sentence };
}

/**
 * Returns the gate of the confidence that a mode asks for. In shadow it is closed, and shows what live would ask for.
 */
export function modeGate(mode: Mode, confidence: number, thresholds: Thresholds): Gate {
  const threshold = thresholdIn(mode, thresholds);
  const cleared = clears(confidence, threshold);
  const held = mode !== 'shadow' && cleared;
  const figure = round4(confidence);
  return { name: 'mode', held, figure, threshold, sentence: `mode: ${modeSentence(mode, confidence, threshold)}` };
}

function thresholdIn(mode: Mode, thresholds: Thresholds): number {
  return mode === 'live_high_confidence_only' ? thresholds.highConfidence : thresholds.confidence;
}

function modeSentence(mode: Mode, confidence: number, threshold: number): string {
  const [scored, needed] = [figureWords(confidence, threshold), thresholdWords(threshold)];
  if (mode === 'shadow')
    return clears(confidence, threshold)
      ? 'shadow changes no note.'
      : `shadow changes no note, and live needs ${needed}: this scored ${scored}.`;
  return `this scored ${scored}, ${mode} needs ${needed}.`;
}

/** The fields of a signal that decide whether it is strong enough by itself. */
type Routable = Pick<
  SignalFields,
  'effect' | 'mutation_proposal' | 'target_ambiguous' | 'target_confidence' | 'status' | 'steward'
>;

/** Whether a signal is acted upon at once, and why. */
export interface Route {
  readonly route: boolean;
  /** min(target_confidence, effect_confidence) (contract, section 5). */
  readonly confidence: number;
  /** Empty if a signal like this is never routed. */
  readonly gates: readonly Gate[];
  readonly reason: string;
}

/**
 * Returns whether one signal is acted upon at once, without waiting for the tick (contract, section 5): it passes all
 * its gates except the mode. `gatesOf`: those for the change that comes least close to being made.
 */
export function routeAlone(
  signal: Routable,
  effectConfidence: number,
  mode: { readonly mode: Mode; readonly thresholds: Thresholds },
  gatesOf: () => readonly Gate[],
): Route {
  const confidence = round4(Math.min(signal.target_confidence, effectConfidence));
  const unfit = unfitReason(signal);
  if (unfit !== null) return { route: false, confidence, gates: [], reason: unfit };
  const own = gatesOf();
  const gates = [...own, modeGate(mode.mode, confidence, mode.thresholds)];
  const asked = modeGate(mode.mode === 'shadow' ? 'live' : mode.mode, confidence, mode.thresholds);
  const closed = [...own, asked].find((gate) => !gate.held);
  return {
    route: closed === undefined,
    confidence,
    gates,
    reason: (closed && refusalWords(closed.name, extractReason(closed.sentence))) ?? 'It passes all gates alone.',
  };
}

function unfitReason(signal: Routable): string | null {
  if (!signal.steward) return 'The note says steward: false.';
  if (signal.status !== 'unrouted') return `The signal is ${signal.status} already.`;
  if (signal.effect === 'action') return 'It asks you for something, which changes no note.';
  if (signal.effect !== 'mutation') return 'It is news that changes no note.';
  if (signal.mutation_proposal === null) return 'It proposes no change.';
  return signal.target_ambiguous ? 'It may mean several notes.' : null;
}

const DIGITS = [2, 3, 4];

/** Gates whose reason needs a name before it. */
const NAMES: Readonly<Record<string, string>> = { rate_guard: 'rate guard', budget: 'budget' };

/**
 * Returns why a gate refused, for places that show the reason alone: `not sure enough: mail scored 0.84, 0.95 needed.`
 */
export function refusalWords(gate: string, reason: string): string {
  const isMeasured = gate === 'discretion' && / needed\.?$/.test(reason);
  const name = isMeasured ? 'confidence too low' : NAMES[gate];
  return name === undefined ? reason : `${name}: ${reason}`;
}

/** Returns the reason in the sentence of a gate, without the gate's name. */
export function extractReason(sentence: string): string {
  return sentence.replace(/^[a-z ]+: /, '');
}

/** Returns a figure with two decimals, or with as many more as it takes to stay on its own side of the threshold. */
function figureWords(figure: number, threshold: number): string {
  const shown = DIGITS.map((digits) => figure.toFixed(digits));
  return shown.find((text) => clears(Number(text), threshold) === clears(figure, threshold)) ?? String(figure);
}

/** Returns a threshold with two decimals, or with all that it has. */
function thresholdWords(threshold: number): string {
  const short = threshold.toFixed(2);
  return Number(short) === threshold ? short : String(threshold);
}

/** Returns a figure rounded to four decimals, as confidences and costs are kept and shown. */
export function round4(figure: number): number {
  return Math.round(figure * 10_000) / 10_000;
}

/**
 * Returns whether a figure is at or above its threshold (contract, 6.6). The slack only forgives floating point
 * errors, as in 0.9 × 0.9 ≥ 0.81.
 */
export function clears(figure: number, threshold: number): boolean {
  return figure >= threshold - 1e-9;
}

/** Returns the figure, or the bound it is beyond. */
export function clamp(figure: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, figure));
}
