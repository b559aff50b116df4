import fs from 'node:fs';
import path from 'node:path';
import { CORE_SCHEMA, load } from 'js-yaml';
import { z } from 'zod';
import { fieldOutsideClass, proposalChanges } from '../steward/change.ts';
import { round4 } from '../steward/gates.ts';
import { repeatedChange, repeatSentence } from '../steward/memory.ts';
import {
  type Agent,
  type AgentReport,
  type AgentTool,
  type Decision,
  type DismissedChange,
  type Errand,
  type Evaluator,
  type EvaluatorQuestion,
  namedByChanges,
  type Perceiving,
  UnansweredError,
  type Verdict,
  type WeighedSignal,
} from '../steward/types.ts';
import { errorReason, StewardError } from '../vault/errors.ts';
import type { Yaml } from '../vault/frontmatter.ts';
import { plainLine } from '../vault/note-text.ts';
import { type FieldChange, parseState } from '../vault/record.ts';
import { parseChannel } from '../vault/source-names.ts';
import { judged, judgement, signedVerdict } from './evaluator.ts';
import { type ParseResult, parseReply, readReply } from './messages.ts';
import { ProviderError } from './provider.ts';

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
 * Returns the verdict on a question. Signals that agree strengthen each other. If they disagree about a field, each
 * value is a change of its own, and only a person decides between them. Their changes of other fields stay.
 */
export function weigh(question: EvaluatorQuestion): Verdict {
  if (question.perceiving !== undefined) return judgeUnsignalled(question.perceiving);
  const actions = question.signals.filter((signal) => signal.effect === 'action' && strength(signal) > 0);
  const { votes, repeated } = withoutRepeated(question);
  const subjects = withoutIdleDays(subjectsOf(votes.filter((vote) => !isOvertaken(vote, actions))));
  if (actions.length > 0) return personNeeded(actions, subjects, question);
  const verdict = subjects.length > 0 ? agreement(subjects, question) : nothingUsable(question.signals);
  return { ...verdict, reasoning: [verdict.reasoning, ...repeated.map(repeatSentence)].join(' ') };
}

// A later booking with the same party tells what became of the earlier one: the money may have come back.
function isOvertaken({ signal }: Vote, actions: readonly WeighedSignal[]): boolean {
  return (
    parseChannel(signal.source) === 'bank' &&
    actions.some(({ source, ageMs }) => source === signal.source && ageMs < signal.ageMs)
  );
}

function withoutRepeated({ signals, memory }: EvaluatorQuestion): {
  votes: readonly Vote[];
  repeated: DismissedChange[];
} {
  const all = signals.filter((signal) => strength(signal) > 0).flatMap(votesOf);
  const found = all.map((vote) => ({ vote, of: memory ? repeatedChange(memory, vote.change, vote.signal.id) : null }));
  return {
    votes: found.flatMap(({ vote, of }) => (of === null ? [vote] : [])),
    repeated: [...new Set(found.flatMap(({ of }) => of ?? []))],
  };
}

/** When something is to be done: no question of a note that is over. */
const DAYS: readonly string[] = ['due', 'scheduled', 'snoozed_until'];

// A task that is done or called off needs no day any more, whatever a calendar still says.
function withoutIdleDays(subjects: readonly Subject[]): readonly Subject[] {
  const isOver = subjects.some(({ sides }) => sides.length === 1 && sides.some(({ change }) => isEnd(change)));
  return isOver ? subjects.filter(({ field }) => !DAYS.includes(field)) : subjects;
}

function isEnd(change: FieldChange): boolean {
  return isState(change) && (change.value === 'done' || change.value === 'archived');
}

function judgeUnsignalled({ facts }: Perceiving): Verdict {
  const reasoning = `Rules: ${facts.length === 0 ? 'It proves no change by itself.' : facts.join(' ')}`;
  return {
    ...{ decision: 'still_active', confidence: 1, reasoning },
    ...{ evidence: [], source_contributions: {}, changes: [] },
  };
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
  const bySource = Map.groupBy(signals, (signal) => parseChannel(signal.source));
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

interface Vote {
  readonly subject: string;
  /** Equal for votes that say the same. */
  readonly saying: string;
  readonly change: FieldChange;
  readonly signal: WeighedSignal;
}

/** Returns every subject of the votes. A proposal with a field that its class may not write has no vote (section 3). */
function subjectsOf(votes: readonly Vote[]): readonly Subject[] {
  return [...Map.groupBy(votes, (vote) => vote.subject).values()].map((group) => ({
    field: group[0]?.change.field ?? '',
    sides: sidesOf(group),
  }));
}

function sideOf(change: FieldChange, signals: readonly WeighedSignal[]): Side {
  return { change, signals, effect: combinedStrength(signals), confidence: confidenceOf(signals) };
}

/** Returns the members of a list; any other value is its own only member. */
function membersOf(value: Yaml): readonly Yaml[] {
  return Array.isArray(value) ? value : [value];
}

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
    .filter(
      ({ field }) => field !== 'completedDate' && !(field === 'snoozed_until' && Object.hasOwn(proposal.set, 'state')),
    )
    .flatMap((change) => (change.op === 'set' ? [setVote(change, signal)] : memberVotes(change, signal)));
}

function setVote(change: FieldChange, signal: WeighedSignal): Vote {
  const named = change.field === 'status' ? { ...change, field: 'state' } : change;
  const state = named.field === 'state' && typeof named.value === 'string' ? parseState(named.value) : null;
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

function isSplit({ sides }: Subject): boolean {
  return sides.length > 1;
}

function agreement(subjects: readonly Subject[], question: EvaluatorQuestion): Verdict {
  const sides = subjects.flatMap((subject) => subject.sides);
  const changes = changesOf(sides, question.target.state);
  const lines = sides.map((side) => `${sentenceFor(side)}.`);
  return {
    decision: decisionOf(changes),
    confidence: lowest(sides),
    reasoning: `Rules: ${lines.join(' ')}${subjects.some(isSplit) ? ' They disagree, so you decide.' : ''}`,
    evidence: evidenceOf(signalsOf(sides)),
    source_contributions: contributionsOf(sides),
    changes: [...changes],
  };
}

/** The person has to act. The changes that the other signals agree on are proposed as well. */
function personNeeded(
  actions: readonly WeighedSignal[],
  subjects: readonly Subject[],
  question: EvaluatorQuestion,
): Verdict {
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

/** Returns the changes that signals ask for, without a state that the note already has if no signal asks for another. */
function changesOf(sides: readonly Side[], state: string): readonly FieldChange[] {
  const changes = mergedChanges(sides);
  const states = changes.filter(isState);
  const stays = states.length > 0 && states.every(({ value }) => value === state);
  const companions: readonly string[] = [...DAY_OF_STATE.values()];
  return stays ? changes.filter((change) => !isState(change) && !companions.includes(change.field)) : changes;
}

/** Returns one change for each field, operation and value: the state first, then in the order of the signals. */
function mergedChanges(sides: readonly Side[]): readonly FieldChange[] {
  const groups = Map.groupBy(sides, ({ change }) => JSON.stringify([change.field, change.op]));
  const changes = [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    if (first.change.op === 'set') return group.flatMap(withDay);
    return [{ ...first.change, value: group.flatMap((side) => membersOf(side.change.value)) }];
  });
  return [...changes.filter(isState), ...changes.filter((change) => !isState(change))];
}

/** The day that goes with a state: when it was done, or until when it is put off. */
const DAY_OF_STATE: ReadonlyMap<Yaml, string> = new Map([
  ['done', 'completedDate'],
  ['snoozed', 'snoozed_until'],
]);

/** Adds the day that goes with a state, as the strongest signal that has one names it. */
function withDay({ change, signals }: Side): FieldChange[] {
  const field = isState(change) ? DAY_OF_STATE.get(change.value) : undefined;
  if (field === undefined) return [change];
  const named = signals.map((signal) => signal.proposal?.set[field]).find((date) => typeof date === 'string');
  return named === undefined ? [change] : [change, { field, op: 'set', value: named }];
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

/** Such as `state: done, because of “Paid” [[id]] (bank, 0.93)`. */
function sentenceFor({ change, signals }: Side): string {
  const value = plainLine(typeof change.value === 'string' ? change.value : JSON.stringify(change.value), SHOWN);
  const what = { set: value, add: `add ${value}`, remove: `remove ${value}` }[change.op];
  return `${plainLine(change.field, SHOWN)}: ${what}, because of ${signals.map(spoken).join(' and ')}`;
}

function spoken(signal: WeighedSignal): string {
  const words = plainLine(signal.headline ?? signal.quote ?? '', SHOWN);
  const said = words === '' ? '' : `“${words}” `;
  return `${said}[[${signal.id}]] (${plainLine(signal.source, SHOWN)}, ${signal.effectConfidence.toFixed(2)})`;
}

/** One recorded reply and the question it answers: a note, and the quotes of its signals in their order. */
const recording = z.object({
  note: z.string(),
  quotes: z.array(z.string().nullable()),
  /** The version of the prompt that it answers. */
  prompt: z.string(),
  /** The day of the recording, or `by hand`. */
  recorded: z.string().regex(/^(?:\d{4}-\d\d-\d\d|by hand)$/),
  /** The provider's message, unchanged. */
  reply: z.object({ model: z.string() }).loose(),
});
type Recording = z.infer<typeof recording>;

/**
 * Judges by replies from files, one `.json` each, without a provider. They are read and checked like live replies. A
 * question without a recorded reply is not answered.
 */
export class RecordedEvaluator implements Evaluator {
  readonly name: string;
  readonly asksModel = false;
  readonly #folder: string;

  constructor(folder: string) {
    this.name = `recorded replies (${folder})`;
    this.#folder = folder;
  }

  /** Returns the verdict in the reply recorded for this question. Throws `ProviderError` if there is no such reply. */
  async evaluate(question: EvaluatorQuestion): Promise<Verdict> {
    if (question.perceiving !== undefined) return judgeUnsignalled(question.perceiving); // nobody records what time alone shows
    const match = recordings(this.#folder).find((one) => answers(one, question));
    if (match === undefined) throw unrecorded(`There is no recorded reply about ${question.target.path} as it is.`);
    const { reply, recorded, prompt } = match;
    return signedVerdict(verdictOf(match, question), reply.model, `recorded ${recorded}, prompt ${prompt}`);
  }
}

function answers({ note, quotes }: Recording, { target, signals }: EvaluatorQuestion): boolean {
  const asked = signals.map(({ quote }) => quote);
  return note === target.path && JSON.stringify(quotes) === JSON.stringify(asked);
}

function verdictOf({ reply }: Recording, question: EvaluatorQuestion): ParseResult<Verdict> {
  const whole = parseReply(reply);
  if (whole === null) throw unrecorded(`The recorded reply about ${question.target.path} isn't a message of a model.`);
  const read = readReply(whole, judgement, 'structured output');
  return read.ok ? judged(read.value, question) : read;
}

function recordings(folder: string): readonly Recording[] {
  return namesIn(folder).map((name) => {
    const file = path.join(folder, name);
    try {
      return recording.parse(JSON.parse(fs.readFileSync(file, 'utf8')));
    } catch (error) {
      const why = error instanceof z.ZodError ? z.prettifyError(error) : errorReason(error);
      throw unrecorded(`${file} isn't a recorded reply: ${why.split('\n')[0]}.`);
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
    throw unrecorded(`The folder of recorded replies cannot be read: ${errorReason(error)}.`);
  }
}

function unrecorded(message: string): ProviderError {
  return new ProviderError({
    failure: 'unrecorded',
    message,
    hint: 'Put one into the folder that STEWARD_RECORDED_REPLIES names, or unset it. The signals wait.',
  });
}

const reply = z.object({
  /** The first line of the errand's last text, which says what it asks and of whom. */
  to: z.string(),
  text: z.string(),
  /** The tools that the agent called before it said that. */
  calls: z.array(z.object({ tool: z.string(), input: z.record(z.string(), z.unknown()) })).optional(),
});
const agentRecording = z.object({ schemaVersion: z.literal(1), replies: z.array(reply) });
type RecordedReply = z.infer<typeof reply>;

/** Agents whose replies were recorded. Their tools are really called, and may refuse, as for a model. */
export class RecordedAgent implements Agent {
  readonly #replies: ReadonlyMap<string, RecordedReply>;

  private constructor(replies: readonly RecordedReply[]) {
    this.#replies = new Map(replies.map((one) => [one.to, one]));
  }

  /** Parses a recording in YAML. Throws `recording-invalid`, which names the `file`. */
  static read(file: string, text: string): RecordedAgent {
    const parsed = agentRecording.safeParse(yamlOf(file, text));
    if (parsed.success) return new RecordedAgent(parsed.data.replies);
    const [issue] = parsed.error.issues;
    throw invalid(file, `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'it is not valid'}`);
  }

  /**
   * Returns the reply recorded for the errand. Throws `UnansweredError` if there is no such reply, and the signal's
   * reason on abort.
   */
  async send({ model, task, tools }: Errand, abort: AbortSignal): Promise<AgentReport> {
    abort.throwIfAborted();
    const to = task.at(-1)?.split('\n', 1)[0] ?? '';
    const recorded = this.#replies.get(to);
    if (recorded === undefined) throw new UnansweredError(`no reply is recorded to “${to}”`, { sent: true });
    for (const { tool, input } of recorded.calls ?? []) await call(tools, tool, input);
    return { text: recorded.text, finished: true, usage: { model, tokens_in: 0, tokens_out: 0, usd: 0 } };
  }
}

// An agent is told about a refusal, but the recorded reply stays the same.
async function call(tools: readonly AgentTool[], name: string, given: unknown): Promise<void> {
  const tool = tools.find((one) => one.name === name);
  const input = tool?.input.safeParse(given);
  if (tool === undefined || input?.success !== true) return;
  await tool.run(input.data).catch(() => undefined);
}

function yamlOf(file: string, text: string): unknown {
  try {
    return load(text, { schema: CORE_SCHEMA });
  } catch (error) {
    throw invalid(file, errorReason(error).split('\n', 1)[0] ?? '');
  }
}

function invalid(file: string, why: string): StewardError {
  return new StewardError({
    code: 'recording-invalid',
    file,
    message: `The recorded replies cannot be read: ${why}.`,
    hint: 'It is YAML: schemaVersion, and replies with to, text and calls.',
  });
}
