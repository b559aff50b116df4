import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { round4 } from '../steward/gates-rounding.ts';
import {
  DECISIONS,
  type Decision,
  type Evaluator,
  namedByChanges,
  type Perceiving,
  type Question,
  type QuestionFiles,
  type Usage,
  type Verdict,
  type WeighedSignal,
} from '../steward/ports/evaluator.ts';
import { fieldOutsideClass, proposalChanges } from '../steward/ports/mutation-class.ts';
import { reasonOf } from '../vault/errors.ts';
import { clipped } from '../vault/note-text.ts';
import { stateOf, type Yaml } from '../vault/records/values.ts';
import type { EvidenceItem, FieldChange } from '../vault/records.ts';
import { channelOf } from '../vault/source-names.ts';
import {
  claimedChange,
  type Inquiry,
  Model,
  type ModelSetup,
  quoted,
  type Read,
  readReply,
  replyOf,
  stricter,
} from './model.ts';
import { plainLine } from './plain.ts';
import { alsoWritable, askAgain, EVALUATE, FILES, PERCEIVE } from './prompts.ts';
import type { Provider } from './provider.ts';
import { ProviderError } from './provider-error.ts';

/** How much of the note and of each text is shown, in characters: in full, and in brief below. */
const FULL = { text: 1000, fields: 12_000, signals: 50 } as const;
const BRIEF = { text: 200, fields: 2000, signals: 10 } as const;
const HOUR_MS = 3_600_000;
/** How many registered files are listed. */
const MAX_PATHS = 100;

/** Returns what a question and its reply call a signal: a name made from its position, since its own name is data. */
function signalName(index: number): string {
  return `s${index + 1}`;
}

/**
 * Returns a question as a model is asked it: the note and its signals as JSON between marks. The data cannot close the
 * marks, because every angle bracket in it is escaped. `brief`: for a provider that found the full question too long.
 */
export function questionText({ target, signals, files, now }: Question, brief = false): string {
  const limits = brief ? BRIEF : FULL;
  const note = noteData(target, limits);
  const lines = signals
    .slice(0, limits.signals)
    .map((one, index) => quoted(signalData(one, index, limits.text), limits.text));
  return [
    `It is ${new Date(now).toISOString().slice(0, 16)}Z.`,
    `<note>\n${quoted(note, limits.fields)}\n</note>`,
    `<signals>\n${lines.join('\n')}\n</signals>`,
    ...(files === undefined ? [] : filesText(files, limits.fields)),
    'Judge the note.',
  ].join('\n\n');
}

/** Returns the note under judgement as a model is shown it. */
function noteData({ path, kind, state, matter, fields }: Question['target'], limits: typeof FULL | typeof BRIEF) {
  return { path, kind, state, matter, fields: shownFields(fields, limits) };
}

function filesText({ paths, extracts }: QuestionFiles, max: number): readonly string[] {
  const names = paths.slice(0, MAX_PATHS).map((file) => quoted({ file }, max));
  const found = extracts?.map((text) => quoted({ found: text }, max)) ?? [];
  return [
    `<files>\n${names.join('\n')}\n</files>`,
    ...(found.length === 0 ? [] : [`<extracts>\n${found.join('\n')}\n</extracts>`]),
  ];
}

// A proposal that is too long is left out: cut in the middle, it would propose something else.
function signalData(signal: WeighedSignal, index: number, max: number) {
  const tooLong = JSON.stringify(signal.proposal).length > 4 * max;
  return {
    signal: signalName(index),
    source: signal.source,
    hours_ago: Math.round(signal.ageMs / HOUR_MS),
    effect: signal.effect,
    effect_confidence: signal.effectConfidence,
    target_confidence: signal.targetConfidence,
    headline: signal.headline,
    quote: signal.quote,
    proposal: tooLong ? null : signal.proposal,
  };
}

/** Returns the note's fields in their order, each clipped, as many as there is room for. */
function shownFields(fields: Question['target']['fields'], { text, fields: room }: typeof FULL | typeof BRIEF) {
  let left: number = room;
  const shown = Object.entries(fields).map(([field, value]): [string, Yaml] => [field, short(value, text)]);
  return Object.fromEntries(
    shown.filter(([field, value]) => {
      left -= field.length + JSON.stringify(value).length;
      return left >= 0;
    }),
  );
}

function short(value: Yaml, max: number): Yaml {
  if (typeof value === 'string') return clipped(value, max);
  const json = JSON.stringify(value);
  return json.length <= max ? value : clipped(json, max);
}

const MAX_REASONING = 600;
const MAX_TOKENS = 2048;

/** The schema of a model's answer: without changes, so that none can be named. */
const perception = z.object({
  note: z.string().describe('The path of the note, exactly as given.'),
  decision: z.enum(DECISIONS),
  confidence: z.number().min(0).max(1),
  reasoning: z.string(),
});
type Perception = z.infer<typeof perception>;

/** A question about a note for which there is no signal. */
type PerceivingQuestion = Question & { readonly perceiving: Perceiving };

/** Whether a note is looked at for what it shows by itself. */
function isPerceiving(question: Question): question is PerceivingQuestion {
  return question.perceiving !== undefined;
}

/** Returns what a model is asked about a note for which there is no signal. */
function perceivingInquiry(question: PerceivingQuestion): Inquiry<Perception, Verdict> {
  return {
    system: [PERCEIVE.system],
    name: 'perception',
    schema: perception,
    question: () => perceivingText(question),
    again: askAgain,
    conclude: (said) => perceived(said, question),
    maxTokens: MAX_TOKENS,
    now: question.now,
  };
}

/** Returns what the rules make of a note for which there is no signal: what the question says that they do. */
function ruledOn({ byRules }: Perceiving): Verdict {
  const nothing = { decision: 'still_active' as const, confidence: 1, reasoning: 'Rules: It shows nothing by itself.' };
  return { ...(byRules ?? nothing), ...BARE };
}

/** Without a signal there is no evidence, nobody to teach, and no change. */
const BARE = { evidence: [], source_contributions: {}, changes: [] };

function perceived({ note, decision, confidence, reasoning }: Perception, { target }: Question): Read<Verdict> {
  if (note.normalize('NFC').trim() !== target.path.normalize('NFC')) {
    return stricter('it names another note than the one in question.');
  }
  return { ok: true, value: { decision, confidence, reasoning: plainLine(reasoning, MAX_REASONING), ...BARE } };
}

function perceivingText({ target, perceiving: { facts, matter }, now }: PerceivingQuestion): string {
  const shown = matter === null ? 'null' : quoted({ fields: shownFields(matter, FULL) }, FULL.fields);
  return [
    `It is ${new Date(now).toISOString().slice(0, 16)}Z.`,
    `<note>\n${quoted(noteData(target, FULL), FULL.fields)}\n</note>`,
    `<matter>\n${shown}\n</matter>`,
    `<facts>\n${facts.map((fact) => quoted({ fact }, FULL.text)).join('\n')}\n</facts>`,
    'Should the person look at it now?',
  ].join('\n\n');
}

const DAY_MS = 86_400_000;
/** A signal has its full weight for a week; after that, its weight halves every thirty days. */
const FRESH_DAYS = 7;
const HALF_LIFE_DAYS = 30;

/** Returns how much a signal says by itself, 0–1: its effect, less with age. */
function strength({ effectConfidence, ageMs }: WeighedSignal): number {
  const staleDays = Math.max(0, ageMs / DAY_MS - FRESH_DAYS);
  return effectConfidence * 2 ** (-staleDays / HALF_LIFE_DAYS);
}

/** Orders signals, strongest first; by id where they are equally strong. */
function byStrength(one: WeighedSignal, other: WeighedSignal): number {
  return strength(other) - strength(one) || (one.id < other.id ? -1 : 1);
}

/**
 * Returns how much signals say together, 0–1, by noisy-or: independent sources strengthen each other, and each further
 * signal of one source counts half as much as the one before.
 */
function combinedStrength(signals: readonly WeighedSignal[]): number {
  const bySource = Map.groupBy(signals, (signal) => channelOf(signal.source));
  const doubts = [...bySource.values()].map((own) =>
    own.toSorted(byStrength).reduce((doubt, signal, index) => doubt * (1 - strength(signal) / 2 ** index), 1),
  );
  return 1 - doubts.reduce((all, doubt) => all * doubt, 1);
}

/**
 * Returns the lower of the weighted target confidence and the combined effect confidence, but never less than the best
 * signal has alone: a second witness who is unsure which note is meant does not make the first one less sure.
 */
function confidenceOf(signals: readonly WeighedSignal[]): number {
  const weight = signals.reduce((sum, signal) => sum + strength(signal), 0);
  const targets = signals.reduce((sum, signal) => sum + strength(signal) * signal.targetConfidence, 0);
  const together = Math.min(weight > 0 ? targets / weight : 0, combinedStrength(signals));
  return round4(Math.max(together, ...signals.map((signal) => Math.min(signal.targetConfidence, strength(signal)))));
}

/** What the signals say about one field, or about one member of a list field. */
interface Subject {
  readonly field: string;
  /** Strongest first. More than one where the signals disagree. */
  readonly sides: readonly Side[];
}

/** The signals that say the same about a subject. */
interface Side {
  readonly change: FieldChange;
  readonly signals: readonly WeighedSignal[];
  /** How sure these signals are of it together, 0–1. */
  readonly effect: number;
  readonly confidence: number;
}

/** What one signal says about one subject. */
interface Vote {
  readonly subject: string;
  /** Equal for votes that say the same. */
  readonly saying: string;
  readonly change: FieldChange;
  readonly signal: WeighedSignal;
}

/** Returns every subject of the signals. A proposal with a field that its class may not write has no vote (section 3). */
function subjectsOf(signals: readonly WeighedSignal[]): readonly Subject[] {
  const votes = signals.filter((signal) => strength(signal) > 0).flatMap(votesOf);
  return [...Map.groupBy(votes, (vote) => vote.subject).values()].map((group) => ({
    field: group[0]?.change.field ?? '',
    sides: sidesOf(group),
  }));
}

/** Returns the side that these signals form. */
function sideOf(change: FieldChange, signals: readonly WeighedSignal[]): Side {
  return { change, signals, effect: combinedStrength(signals), confidence: confidenceOf(signals) };
}

/** Returns the members of a list; any other value is its own only member. */
function membersOf(value: Yaml): readonly Yaml[] {
  return Array.isArray(value) ? value : [value];
}

/** Returns each signal once, by its id. */
function unique(signals: readonly WeighedSignal[]): readonly WeighedSignal[] {
  return [...new Map(signals.map((signal) => [signal.id, signal])).values()];
}

function sidesOf(votes: readonly Vote[]): readonly Side[] {
  const sides = [...Map.groupBy(votes, (vote) => vote.saying).values()].flatMap((group) => {
    const strongest = group.toSorted((one, other) => byStrength(one.signal, other.signal));
    const [first] = strongest;
    return first === undefined ? [] : [sideOf(first.change, unique(strongest.map((vote) => vote.signal)))];
  });
  return sides.toSorted((one, other) => other.effect - one.effect);
}

function votesOf(signal: WeighedSignal): readonly Vote[] {
  const { proposal, effect } = signal;
  if (effect !== 'mutation' || proposal === null || fieldOutsideClass(proposal) !== null) return [];
  return proposalChanges(proposal)
    .filter((change) => change.field !== 'completedDate')
    .flatMap((change) => (change.op === 'set' ? [setVote(change, signal)] : memberVotes(change, signal)));
}

function setVote(change: FieldChange, signal: WeighedSignal): Vote {
  const named = change.field === 'status' ? { ...change, field: 'state' } : change;
  const state = named.field === 'state' && typeof named.value === 'string' ? stateOf(named.value) : null;
  const plain = state === null ? named : { ...named, value: state };
  return { subject: JSON.stringify([plain.field]), saying: folded(plain.value), change: plain, signal };
}

/** Each member is its own subject, because two signals may agree on one member and not on another. */
function memberVotes(change: FieldChange, signal: WeighedSignal): readonly Vote[] {
  return membersOf(change.value).map((member) => ({
    subject: JSON.stringify([change.field, folded(linkText(member))]),
    saying: change.op,
    change: { ...change, value: member },
    signal,
  }));
}

function linkText(member: Yaml): Yaml {
  return typeof member === 'string' ? member.replace(/^\s*\[\[|\]\]\s*$/g, '') : member;
}

/** Values that differ only in case, spaces or the brackets of a link do not contradict each other. */
function folded(value: Yaml): string {
  const bare = linkText(value);
  return typeof bare === 'string'
    ? bare.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase()
    : JSON.stringify(bare);
}

/** How much of a signal's text the reasoning quotes, in characters. */
const SHOWN = 120;

/** The embedded evaluator: weighs what the signals themselves propose. Deterministic, and asks no model. */
export const rules: Evaluator = {
  name: 'rules',
  asksModel: false,
  async evaluate(question, signal) {
    signal.throwIfAborted();
    return weigh(question);
  },
};

/**
 * Returns the verdict on a question. Signals that agree strengthen each other; signals that disagree about a field weaken
 * each other and leave the decision to a person.
 */
export function weigh(question: Question): Verdict {
  if (question.perceiving !== undefined) return ruledOn(question.perceiving);
  const subjects = withoutIdleDays(subjectsOf(question.signals));
  const actions = question.signals.filter((signal) => signal.effect === 'action' && strength(signal) > 0);
  const split = subjects.find((subject) => subject.sides.length > 1);
  if (split !== undefined) return contradiction(split);
  if (actions.length > 0) return personNeeded(actions, subjects, question);
  return subjects.length > 0 ? agreement(subjects, question) : nothingUsable(question.signals);
}

/** When something is to be done: no question of a note that is over. */
const DAYS: readonly string[] = ['due', 'scheduled', 'snoozed_until'];

// What is done or called off needs no day any more, whatever a calendar still says.
function withoutIdleDays(subjects: readonly Subject[]): readonly Subject[] {
  const isOver = subjects.some(({ sides }) => sides.length === 1 && sides.some(({ change }) => isEnd(change)));
  return isOver ? subjects.filter(({ field }) => !DAYS.includes(field)) : subjects;
}

function isEnd(change: FieldChange): boolean {
  return isState(change) && (change.value === 'done' || change.value === 'archived');
}

function agreement(subjects: readonly Subject[], question: Question): Verdict {
  const sides = subjects.flatMap((subject) => subject.sides);
  const changes = changesOf(sides, question.target.state);
  const lines = sides.map((side) => `${sentenceFor(side)}.`);
  return {
    decision: decisionOf(changes),
    confidence: lowest(sides),
    reasoning: `Rules: ${lines.join(' ')}`,
    evidence: evidenceOf(signalsOf(sides)),
    source_contributions: contributionsOf(sides),
    changes: [...changes],
  };
}

/** With different values for one field, no side is sure enough. The second side's strength weakens the first. */
function contradiction({ field, sides }: Subject): Verdict {
  const [first, second] = sides;
  const doubt = 1 - (second?.effect ?? 0);
  const shares = contributionsOf(sides);
  return {
    decision: 'needs_input',
    confidence: round4((first?.confidence ?? 0) * doubt),
    reasoning: `Rules: The signals disagree about ${field}: ${sides.map(sentenceFor).join('; but ')}. A person should decide.`,
    evidence: evidenceOf(signalsOf(sides)),
    source_contributions: Object.fromEntries(
      Object.entries(shares).map(([source, share]) => [source, round4(share * doubt)]),
    ),
    changes: [],
  };
}

/** Something is asked of the person. What the other signals agree on is proposed as well. */
function personNeeded(actions: readonly WeighedSignal[], subjects: readonly Subject[], question: Question): Verdict {
  const asked: Side = sideOf({ field: 'action', op: 'set', value: null }, actions);
  const sides = subjects.flatMap((subject) => subject.sides);
  const also = sides.map((side) => ` ${sentenceFor(side)}.`).join('');
  return {
    decision: 'needs_input',
    confidence: sides.length > 0 ? lowest(sides) : asked.confidence,
    reasoning: `Rules: Something is asked of you by ${actions.map(spoken).join(' and ')}.${also}`,
    evidence: evidenceOf([...actions, ...signalsOf(sides)]),
    source_contributions: contributionsOf([asked, ...sides]),
    changes: [...changesOf(sides, question.target.state)],
  };
}

/** The more strongly unusable signals say that something happened, the less sure it is that nothing did. */
function nothingUsable(signals: readonly WeighedSignal[]): Verdict {
  const active = signals.filter((signal) => signal.effect !== 'none');
  const names = active.map(spoken).join(' and ');
  return {
    decision: 'still_active',
    confidence: round4(1 - combinedStrength(active)),
    reasoning: active.length === 0 ? 'Rules: No signal says otherwise.' : `Rules: No change can be read from ${names}.`,
    evidence: evidenceOf(active),
    source_contributions: {},
    changes: [],
  };
}

function decisionOf(changes: readonly FieldChange[]): Decision {
  const state = changes.find(isState)?.value;
  if (state === 'done') return 'likely_done';
  if (state === 'archived') return 'stale_archive_candidate';
  return namedByChanges(
    'still_active',
    changes.map(({ field }) => field),
  );
}

/** Returns the changes agreed on, without a state that the note already has. */
function changesOf(sides: readonly Side[], state: string): readonly FieldChange[] {
  const changes = mergedChanges(sides);
  const stays = changes.some((change) => isState(change) && change.value === state);
  return stays ? changes.filter((change) => !isState(change) && change.field !== 'completedDate') : changes;
}

/** Returns one change for each field and operation: the state first, then in the order of the signals. */
function mergedChanges(sides: readonly Side[]): readonly FieldChange[] {
  const groups = Map.groupBy(sides, ({ change }) => JSON.stringify([change.field, change.op]));
  const changes = [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    if (first.change.op === 'set') return withCompletion(first);
    return [{ ...first.change, value: group.flatMap((side) => membersOf(side.change.value)) }];
  });
  return [...changes.filter(isState), ...changes.filter((change) => !isState(change))];
}

/** Adds the completion date to `state = done`, as the strongest signal that has one names it. */
function withCompletion({ change, signals }: Side): FieldChange[] {
  if (!isState(change) || change.value !== 'done') return [change];
  const named = signals.map((signal) => signal.proposal?.set.completedDate).find((date) => typeof date === 'string');
  return named === undefined ? [change] : [change, { field: 'completedDate', op: 'set', value: named }];
}

function isState(change: FieldChange): boolean {
  return change.field === 'state';
}

/** Returns how much of the conclusion each source supports by itself, 0–1: the highest share over all sides. */
function contributionsOf(sides: readonly Side[]): Record<string, number> {
  const shares = new Map<string, number>();
  for (const side of sides) {
    for (const [source, own] of Map.groupBy(side.signals, (signal) => signal.source)) {
      const share = side.effect > 0 ? Math.min(1, combinedStrength(own) / side.effect) : 0;
      shares.set(source, Math.max(round4(share), shares.get(source) ?? 0));
    }
  }
  return Object.fromEntries(shares);
}

function lowest(sides: readonly Side[]): number {
  return Math.min(...sides.map((side) => side.confidence));
}

function signalsOf(sides: readonly Side[]): readonly WeighedSignal[] {
  return unique(sides.flatMap((side) => side.signals));
}

function evidenceOf(signals: readonly WeighedSignal[]): Verdict['evidence'] {
  return unique(signals).map((signal) => ({
    source: signal.source,
    ref: `[[${signal.id}]]`,
    note: plainLine(signal.headline ?? signal.quote ?? '', SHOWN),
  }));
}

/** Such as `state should become done, says “Paid” [[id]] (bank, 0.93)`. */
function sentenceFor({ change, signals }: Side): string {
  const value = plainLine(typeof change.value === 'string' ? change.value : JSON.stringify(change.value), SHOWN);
  const what = { set: `should become ${value}`, add: `should gain ${value}`, remove: `should lose ${value}` }[
    change.op
  ];
  return `${plainLine(change.field, SHOWN)} ${what}, ${signals.length === 1 ? 'says' : 'say'} ${signals.map(spoken).join(' and ')}`;
}

function spoken(signal: WeighedSignal): string {
  const words = plainLine(signal.headline ?? signal.quote ?? '', SHOWN);
  const said = words === '' ? '' : `“${words}” `;
  return `${said}[[${signal.id}]] (${plainLine(signal.source, SHOWN)}, ${signal.effectConfidence.toFixed(2)})`;
}

const MAX_REASONING_JUDGEMENT = 2000;
const MAX_SAID = 200;
const MAX_ITEMS = 50;
/** Below every gate, so that a note without a usable judgement is left as it is. */
const FALLBACK_CONFIDENCE = 0.3;

/** The schema of a model's answer. The provider holds the model to it, and the reply is checked against it again here. */
export const judgement = z.object({
  note: z.string().describe('The path of the note under judgement, exactly as given.'),
  decision: z.enum(DECISIONS),
  confidence: z.number().min(0).max(1),
  reasoning: z.string(),
  evidence: z.array(z.object({ signal: z.string(), says: z.string() })),
  contributions: z.array(z.object({ source: z.string(), share: z.number().min(0).max(1) })),
  changes: z.array(claimedChange),
});
/** The same for a judge who may ask what the registered files say. */
const askingJudgement = judgement.extend({
  requests: z.array(z.string().max(500)).max(5).describe('What is asked of the files; usually empty.'),
});
type Judgement = z.infer<typeof judgement> & Partial<z.infer<typeof askingJudgement>>;

/** Returns the verdict in a reply (contract, sections 5 and 10). What it says about other notes or signals is dropped. */
export function judged(said: Judgement, question: Question): Read<Verdict> {
  if (said.note.normalize('NFC').trim() !== question.target.path.normalize('NFC')) {
    return stricter('it names another note than the one under judgement.');
  }
  if (Math.max(said.evidence.length, said.changes.length) > MAX_ITEMS) return stricter('it lists too much.');
  const given = new Map(question.signals.map((signal, index) => [signalName(index), signal]));
  const evidence = said.evidence.flatMap(({ signal, says }) => {
    const known = given.get(signal.trim());
    return known === undefined ? [] : [evidenceItem(known, says)];
  });
  const madeUp = said.evidence.length - evidence.length;
  const decision = namedByChanges(
    said.decision,
    said.changes.map(({ field }) => field),
  );
  return {
    ok: true,
    value: {
      decision,
      confidence: discounted(said.confidence, evidence.length, madeUp),
      reasoning:
        plainLine(said.reasoning, MAX_REASONING_JUDGEMENT) + renamedWords(said, decision) + madeUpWords(madeUp),
      evidence,
      source_contributions: contributionsOfJudgement(said, evidence),
      changes: said.changes,
      ...(said.requests === undefined ? {} : { requests: said.requests }),
    },
  };
}

/**
 * Returns the verdict of a reply that was read, or the fallback where it could not be used, with its `evaluator`: the
 * judge, and in brackets the details, such as the prompt.
 */
function signedVerdict(read: Read<Verdict>, judge: string, details: string): Verdict {
  const unused = read.ok ? '' : '; no reply could be used';
  return { ...(read.ok ? read.value : fallbackVerdict(read.reason)), evaluator: `${judge} (${details}${unused})` };
}

/** Nothing changes, and the confidence is below every gate (section 5). */
function fallbackVerdict(reason: string): Verdict {
  return {
    decision: 'still_active',
    confidence: FALLBACK_CONFIDENCE,
    reasoning: `No judgement could be had from the model: ${reason} The note is left as it is.`,
    evidence: [],
    source_contributions: {},
    changes: [],
    fallback: true,
  };
}

function evidenceItem(signal: WeighedSignal, says: string): EvidenceItem {
  return { source: signal.source, ref: `[[${signal.id}]]`, note: plainLine(says, MAX_SAID) };
}

// A reply with made-up evidence is only believed by the share of its evidence that is real.
function discounted(confidence: number, real: number, madeUp: number): number {
  return madeUp === 0 ? confidence : round4(confidence * (real / (real + madeUp)));
}

function madeUpWords(count: number): string {
  if (count === 0) return '';
  return ` (${count === 1 ? 'One piece of evidence named a signal that was' : `${count} pieces of evidence named signals that were`} not given; dropped, and the confidence lowered.)`;
}

function renamedWords({ decision, changes }: Judgement, read: string): string {
  if (decision === read) return '';
  return ` (The reply said ${decision} and named ${changes.length === 0 ? 'no change' : 'a change'}; it is read as ${read}.)`;
}

/** Returns the shares of the sources behind the evidence; 1 for each where the reply names none of them. */
function contributionsOfJudgement(said: Judgement, evidence: readonly EvidenceItem[]): Record<string, number> {
  const sources = new Set(evidence.map((item) => item.source));
  const named = said.contributions.filter(({ source }) => sources.has(source));
  const shares = named.length > 0 ? named : [...sources].map((source) => ({ source, share: 1 }));
  return Object.fromEntries(shares.map(({ source, share }) => [source, share]));
}

const MAX_TOKENS_ANTHROPIC = 8192;

/** Which model judges, and what is known of it. */
export interface JudgeSetup extends ModelSetup {
  /** The fields that the settings let a decision write. */
  readonly writable: readonly string[];
}

/** Judges by asking one of Anthropic's models: one request per note, and a second one if the reply cannot be used. */
export class Anthropic implements Evaluator {
  readonly name: string;
  readonly asksModel = true;
  readonly #model: Model;
  readonly #system: readonly string[];

  constructor(provider: Provider, setup: JudgeSetup) {
    this.name = setup.model;
    this.#model = new Model(provider, setup);
    this.#system = [EVALUATE.system, alsoWritable(setup.writable)].filter((text) => text !== '');
  }

  /** Returns the verdict on a question. Throws `ProviderError` if there is no reply; then nothing was judged. */
  async evaluate(question: Question, abort: AbortSignal): Promise<Verdict> {
    if (isPerceiving(question)) {
      const { read, usage } = await this.#model.inquire(perceivingInquiry(question), abort);
      return { ...signedVerdict(read, this.name, `prompt ${PERCEIVE.version}`), usage };
    }
    const { read, usage } = await this.#model.inquire(this.#inquiry(question), abort);
    const prompts = question.files === undefined ? EVALUATE.version : `${EVALUATE.version}, ${FILES.version}`;
    return { ...signedVerdict(read, this.name, `prompt ${prompts}`), usage };
  }

  /** Returns the most that one request can take. */
  estimate(question: Question): Usage {
    if (isPerceiving(question)) return this.#model.estimate(perceivingInquiry(question));
    return this.#model.estimate(this.#inquiry(question));
  }

  #inquiry(question: Question): Inquiry<Judgement, Verdict> {
    const mayAsk = question.files?.extracts === null;
    return {
      system: question.files === undefined ? this.#system : [...this.#system, FILES.system],
      name: 'judgement',
      schema: mayAsk ? askingJudgement : judgement,
      question: (brief) => questionText(question, brief),
      again: askAgain,
      conclude: (said) => judged(said, question),
      maxTokens: MAX_TOKENS_ANTHROPIC,
      now: question.now,
    };
  }
}

/** One recorded reply and the question it answers: a note, and the quotes of its signals in their order. */
const recording = z.lazy(() =>
  z.object({
    note: z.string(),
    quotes: z.array(z.string().nullable()),
    /** The version of the prompt that it answers. */
    prompt: z.string(),
    /** The day of the recording, or `by hand`. */
    recorded: z.string().regex(/^(?:\d{4}-\d\d-\d\d|by hand)$/),
    /** The provider's message, unchanged. */
    reply: z.object({ model: z.string() }).loose(),
  }),
);
type Recording = z.infer<typeof recording>;

/**
 * Judges by replies from files, one `.json` each, without a provider. They are read and checked like live replies. A
 * question without a recorded reply is not answered.
 */
export class Recorded implements Evaluator {
  readonly name: string;
  readonly asksModel = false;
  readonly #folder: string;

  constructor(folder: string) {
    this.name = `recorded replies (${folder})`;
    this.#folder = folder;
  }

  /** Returns the verdict in the reply recorded for this question. Throws `ProviderError` where there is none. */
  async evaluate(question: Question): Promise<Verdict> {
    if (question.perceiving !== undefined) return ruledOn(question.perceiving); // nobody records what time alone shows
    const match = recordings(this.#folder).find((one) => answers(one, question));
    if (match === undefined) throw unrecorded(`There is no recorded reply about ${question.target.path} as it is.`);
    const { reply, recorded, prompt } = match;
    return signedVerdict(verdictOf(match, question), reply.model, `recorded ${recorded}, prompt ${prompt}`);
  }
}

function answers({ note, quotes }: Recording, { target, signals }: Question): boolean {
  const asked = signals.map(({ quote }) => quote);
  return note === target.path && JSON.stringify(quotes) === JSON.stringify(asked);
}

function verdictOf({ reply }: Recording, question: Question): Read<Verdict> {
  const whole = replyOf(reply);
  if (whole === null) throw unrecorded(`The recorded reply about ${question.target.path} is no message of a model.`);
  const read = readReply(whole, judgement, 'structured output');
  return read.ok ? judged(read.value, question) : read;
}

function recordings(folder: string): readonly Recording[] {
  return namesIn(folder).map((name) => {
    const file = path.join(folder, name);
    try {
      return recording.parse(JSON.parse(fs.readFileSync(file, 'utf8')));
    } catch (error) {
      const why = error instanceof z.ZodError ? z.prettifyError(error) : reasonOf(error);
      throw unrecorded(`${file} is no recorded reply: ${why.split('\n')[0]}.`);
    }
  });
}

function namesIn(folder: string): readonly string[] {
  try {
    return fs
      .readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .sort();
  } catch (error) {
    throw unrecorded(`The folder of recorded replies cannot be read: ${reasonOf(error)}.`);
  }
}

function unrecorded(message: string): ProviderError {
  return new ProviderError({
    failure: 'unrecorded',
    message,
    hint: 'Put one into the folder that STEWARD_RECORDED_REPLIES names, or unset it. The signals wait.',
  });
}
