import type { ReadAccess, Workspace } from '../daemon/context.ts';
import {
  classOfField,
  fieldOutsideClass,
  mutationContext,
  permitProposal,
  proposalChanges,
} from '../steward/change.ts';
import { type CheckResult, decideSignal } from '../steward/decide.ts';
import { outcomeNow } from '../steward/event-note.ts';
import { findInstinct } from '../steward/instinct.ts';
import { senderStanding } from '../steward/licence.ts';
import { handsOffReason, waitingAbout } from '../steward/proposals.ts';
import { isOwnNote } from '../steward/records.ts';
import { sentAt } from '../steward/sender.ts';
import { isQuiet } from '../steward/settings.ts';
import { silenceFor, wasWeighed } from '../steward/signals.ts';
import { makeDrafts, writeSignal } from '../streams/signal.ts';
import { syncTargets } from '../streams/target-sync.ts';
import { StewardError } from '../vault/errors.ts';
import type { Changes } from '../vault/frontmatter.ts';
import { changeLine } from '../vault/note-text.ts';
import type { EventRecord, MutationProposal, SignalRecord, TargetRecord } from '../vault/record.ts';
import { AGENT, parsePattern, sourceKey, sourceName } from '../vault/source-names.ts';
import { iso } from '../vault/time.ts';
import {
  AGENTS,
  type AgentProposal,
  fullFor,
  isSameChange,
  makeMutation,
  readProposal,
  rememberProposal,
} from './agent-proposal.ts';

/** For so long (ms) what a person has refused is not asked again. */
const WEEK = 7 * 24 * 60 * 60 * 1000;

/** Returns the event of an open proposal that would change just this, whoever made it; null if there isn't one. */
function waitingAlready(space: ReadAccess, { path }: TargetRecord, changes: Changes): EventRecord | null {
  const same = comparable(changes);
  const open = waitingAbout(space, path).filter(({ state }) => state.kind === 'waiting');
  return open.find(({ event }) => comparable(event.fields.changes) === same)?.event ?? null;
}

function comparable(changes: Changes): string {
  return JSON.stringify(Object.entries(changes).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** Returns the newest signal by which the same agent has handed in the same in the last week, or null. */
function earlierSignal(space: ReadAccess, target: TargetRecord, order: AgentProposal): SignalRecord | null {
  const source = sourceKey(sourceName(AGENT, order.client));
  const mutation = makeMutation(order);
  const since = space.context.now() - WEEK;
  const isIt = (signal: SignalRecord) => {
    const { source_type: channel, pattern, mutation_proposal: proposed } = signal.fields;
    if (proposed === null || sourceKey(sourceName(channel, pattern)) !== source) return false;
    return isSameChange(proposed, mutation) && (sentAt(signal) ?? 0) > since && isOwnNote(space, signal);
  };
  const found = space.vault.catalogue.signalsFor(target).filter(isIt);
  return found.toSorted((one, other) => (sentAt(other) ?? 0) - (sentAt(one) ?? 0))[0] ?? null;
}

/** Returns what a person has said against what a signal led to, `dismissed` or `reversed`; null if they have not. */
function fateOf(space: ReadAccess, signal: SignalRecord): 'dismissed' | 'reversed' | null {
  for (const event of space.vault.catalogue.eventsOfSignal(signal.name)) {
    const outcome = outcomeNow(space, event).flags?.outcome;
    if (outcome === 'dismissed' || outcome === 'reversed') return outcome;
  }
  return null;
}

/** A gate that an agent's proposal did not pass, as the event note records it. */
interface HeldBack {
  readonly gate: string;
  readonly reason: string;
}

/** The outcome of a proposal that an agent handed in. */
export interface ProposalReceipt {
  /** `waiting`: it is in the list of what waits for the person. `later`: it is looked at later, and why. */
  readonly outcome: 'waiting' | 'later';
  /** Whether the same had been handed in before: then nothing new was written. */
  readonly known: boolean;
  readonly target: string;
  readonly change: string | null;
  /** The name of the signal note, where this call or an earlier one wrote it. */
  readonly signal: string | null;
  /** The name of the event note, once there is one. */
  readonly event: string | null;
  readonly heldBy: readonly HeldBack[];
  readonly reason: string;
  /** When it is worth asking again (epoch ms): the note is being edited just now. */
  readonly again: number | null;
}

/**
 * Takes in a change that an agent proposes, as a signal of the channel `agent`, and has it judged by itself at once. Nothing
 * is ever changed by it: at most it waits for the person. The same, handed in again, is one. Throws, with a reason that the
 * agent is told, what could never be done: `note-unknown`, `proposal-refused`, `too-many-proposals`.
 */
export async function propose(space: Workspace, order: AgentProposal): Promise<ProposalReceipt> {
  const target = targetNamed(space, order.note);
  const changes = permittedChanges(space, order, target);
  const waiting = waitingAlready(space, target, changes);
  if (waiting !== null) return known(target, changes, waiting);
  const earlier = earlierSignal(space, target, order);
  if (earlier !== null && wasWeighed(space, earlier)) refuseAnswered(space, earlier);
  const isOpen = earlier !== null && !wasWeighed(space, earlier);
  const signal = isOpen ? earlier : writtenSignal(space, order, target);
  return { ...(await judged(space, signal, target, changes)), known: isOpen };
}

function targetNamed({ vault }: Workspace, written: string): TargetRecord {
  const found = vault.catalogue.resolve(written, ['task', 'matter']);
  if (found?.kind === 'task' || found?.kind === 'matter') return found;
  if (found?.kind === 'bad') throw new StewardError(found.trouble);
  throw new StewardError({
    code: 'note-unknown',
    message: 'There is no task or matter of that name.',
    hint: 'Give its name, its path in the vault, or a link such as "[[name]]".',
  });
}

// A change that is refused here was refused by the rules of writing, before any of it was written.
function permittedChanges(space: Workspace, order: AgentProposal, target: TargetRecord): Changes {
  const off = handsOffReason(space, target);
  if (off !== null) throw refused(`${off} Steward leaves it alone.`);
  const silence = silenceFor(space, sourceName(AGENT, order.client), target);
  if (silence !== null) throw refused(silence);
  const mutation = makeMutation(order);
  const unclear = unclearIn(mutation);
  if (unclear !== null) throw refused(unclear);
  const note = space.notes.fresh(target.path);
  if (note === null) throw refused(`${target.name} cannot be read just now.`);
  const permission = permitProposal(mutation, mutationContext(space, target, note.data));
  if (!permission.ok) throw refused(permission.reason);
  if (permission.edits.length === 0) throw refused('It would have no effect: the note already says so.');
  return permission.changes;
}

// The rules of writing say the same, in words for whoever wrote the signal.
function unclearIn(mutation: MutationProposal): string | null {
  const fields = proposalChanges(mutation).map(({ field }) => field);
  if (fields.length === 0) return "It doesn't name a field to change.";
  const outside = fieldOutsideClass(mutation);
  const inside = fields.find((field) => classOfField(field) === mutation.class);
  return outside === null ? null : `${inside} and ${outside} are of different kinds: propose them separately.`;
}

function refuseAnswered(space: Workspace, earlier: SignalRecord): void {
  const fate = fateOf(space, earlier);
  if (fate === null) return;
  throw refused(`You proposed the same before, and it was ${fate}. It is not asked again for a week.`);
}

function writtenSignal(space: Workspace, order: AgentProposal, target: TargetRecord): SignalRecord {
  const { context, vault } = space;
  const at = context.now();
  const next = { at, client: order.client, target: target.path };
  const full = fullFor(context.state.get(AGENTS), next);
  if (full !== null) throw tooMany(full.words, full.freeAt);
  const read = readProposal(order, target, at);
  const [draft] = makeDrafts(read.event, read.extracted, syncTargets(space).index, {
    now: new Date(at),
    confidenceOf: (source) => findInstinct(space, source).confidence,
    standingOf: (source) => senderStanding(space, { source, pattern: parsePattern(source), writer: 'own' }, target),
  });
  context.state.set(AGENTS, rememberProposal(context.state.get(AGENTS), next));
  const path = draft === undefined ? null : writeSignal(space, draft);
  const signal = path === null ? undefined : vault.catalogue.get(path);
  if (signal?.kind !== 'signal') throw refused('The same proposal is being made at the moment.');
  return signal;
}

async function judged(
  space: Workspace,
  signal: SignalRecord,
  target: TargetRecord,
  changes: Changes,
): Promise<ProposalReceipt> {
  const base = { ...BLANK, target: target.path, change: changeLine(changes), signal: signal.name };
  if (isQuiet(space.context.settings, space.context.now()))
    return { ...base, reason: 'These are quiet hours; it is evaluated after them.' };
  const decided = await decideSignal(space, signal);
  const event = decided !== null && 'event' in decided ? space.vault.catalogue.get(decided.event) : undefined;
  if (event?.kind !== 'event') return { ...base, ...laterFor(decided) };
  return { ...base, outcome: 'waiting', event: event.name, heldBy: heldBy(event), reason: WAITS };
}

const WAITS = 'It waits for the person, who alone decides.';
const LATER = 'It is evaluated at the next check of its matter.';
const BLANK: Omit<ProposalReceipt, 'target' | 'change'> = {
  ...{ outcome: 'later', known: false, signal: null, event: null, heldBy: [], reason: LATER, again: null },
};

function known(target: TargetRecord, changes: Changes, event: EventRecord): ProposalReceipt {
  return {
    ...{ ...BLANK, outcome: 'waiting', known: true, target: target.path, change: changeLine(changes) },
    ...{ event: event.name, heldBy: heldBy(event), reason: 'The same proposal already waits for the person.' },
  };
}

function laterFor(decided: CheckResult | null): Pick<ProposalReceipt, 'reason' | 'again'> {
  switch (decided?.kind) {
    case 'settling':
      return { reason: `Somebody is editing the note. ${LATER}`, again: decided.until };
    case 'guarded':
      return { reason: `${decided.refusal.gate.sentence} ${LATER}`, again: null };
    default:
      return { reason: LATER, again: null };
  }
}

function heldBy({ fields }: EventRecord): HeldBack[] {
  return (fields.gates ?? []).filter(({ held }) => !held).map(({ gate, reason }) => ({ gate, reason }));
}

function refused(message: string): StewardError {
  return new StewardError({ code: 'proposal-refused', message, hint: 'No proposal was made.' });
}

function tooMany(words: string, freeAt: number): StewardError {
  return new StewardError({
    code: 'too-many-proposals',
    message: `Agents have reached a limit of proposals: ${words}.`,
    hint: `They can propose again at ${iso(freeAt)}. No proposal was made.`,
  });
}
