import { z } from 'zod';
import { slice } from '../daemon/state.ts';
import { classifyChanges, proposalChanges } from '../steward/change.ts';
import { lastDay, longestRefusal, since } from '../steward/rate-guard.ts';
import { type ExtractorResult, type Meaning, NOT_VOUCHED, type StreamEvent } from '../steward/types.ts';
import { cutAt, oneLine, plainText, sha256, unmarked } from '../vault/note-text.ts';
import type { MutationProposal, TargetRecord } from '../vault/record.ts';
import { AGENT } from '../vault/source-names.ts';
import { utc } from '../vault/time.ts';

const MAX_FIELDS = 5;
const MAX_MEMBERS = 20;
const MAX_VALUE = 1_000;
const MAX_MEMBER = 300;

const field = z.string().min(1).max(60);
const member = z.string().min(1).max(MAX_MEMBER);
const value = z.union([z.string().max(MAX_VALUE), z.number(), z.boolean(), z.array(member).max(MAX_MEMBERS)]);
const members = z.array(member).min(1).max(MAX_MEMBERS);

function few<Value>(values: z.ZodType<Value>) {
  return z
    .record(field, values)
    .refine((fields) => Object.keys(fields).length <= MAX_FIELDS, `At most ${MAX_FIELDS} fields.`)
    .optional();
}

/** The fields that an agent may give for a change that it proposes. All of it is text from outside. */
export function proposalParts() {
  return {
    note: z.string().min(1).max(300).describe('The task or matter: its name, its path in the vault, or a link to it.'),
    set: few(value).describe(
      'Fields to set, each to its new value, such as {"due": "2026-12-16"} or {"state": "done"} (open, snoozed, done, archived).',
    ),
    add: few(members).describe('Lists to add to, each with the new members, such as {"related_to": ["[[plan]]"]}.'),
    remove: few(members).describe('Lists to take members from, each with those members.'),
    quote: z.string().min(1).max(500).describe('The words that it is based on, copied from your source.'),
    reason: z.string().min(1).max(2_000).describe('Why, in one or two plain sentences. A person reads this.'),
    confidence: z.number().min(0).max(1).describe('Your confidence that it is right, from 0 to 1.'),
    source: z
      .string()
      .max(500)
      .optional()
      .describe('The place of the words: a note, a file, an address. Shown as text.'),
  };
}

/** A client's name as a pattern: one plain token. */
const CLIENT = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** A change that an agent hands in. `client`: the name it gives itself, as `clientName` leaves it. */
export const agentProposal = z.lazy(() => z.object({ client: z.string().max(40).regex(CLIENT), ...proposalParts() }));
export type AgentProposal = z.infer<typeof agentProposal>;

/** Returns a proposed change in the form that signals have, of the class of its fields. */
export function makeMutation({ set = {}, add = {}, remove = {} }: AgentProposal): MutationProposal {
  const bare: MutationProposal = { class: 'context_edit', set, add, remove };
  return { ...bare, class: classifyChanges(proposalChanges(bare)) };
}

/** Whether two proposals ask for the same, in whatever order. */
export function isSameChange(one: MutationProposal, other: MutationProposal): boolean {
  return one.class === other.class && comparable(one) === comparable(other);
}

function comparable(proposal: MutationProposal): string {
  const changes = proposalChanges(proposal).map(({ field: name, op, value: to }) => JSON.stringify([name, op, to]));
  return changes.toSorted().join('\n');
}

const MAX_QUOTE = 50;
const MAX_SOURCE = 200;

interface ReadProposal {
  readonly event: StreamEvent;
  readonly extracted: ExtractorResult;
}

/** Returns what an agent hands in as the event and the meaning that it is. `now`: epoch ms. */
export function readProposal(proposal: AgentProposal, target: TargetRecord, now: number): ReadProposal {
  const quote = quoteOf(proposal.quote);
  const meaning: Meaning = {
    // It names the note itself; anything else that it says is only its word.
    ...{ target: target.path, candidates: [target.path], ambiguous: false, targetConfidence: 1 },
    ...{ targetEvidence: ['link'], targetNear: true, endsMatter: false, quote },
    ...{ proposal: makeMutation(proposal), effectConfidence: proposal.confidence, reasoning: reasonOf(proposal) },
  };
  const found = { skipped: null, rejected: [], unusable: null, usage: null, extractor: 'as the agent says it' };
  return { event: eventOf(proposal, target, quote, now), extracted: { meanings: [meaning], ...found } };
}

function eventOf(proposal: AgentProposal, target: TargetRecord, quote: string, now: number): StreamEvent {
  const { client } = proposal;
  const hash = sha256(JSON.stringify([target.path, makeMutation(proposal)])).slice(0, 12);
  return {
    ...{ path: `mcp:${client}/${hash}`, sourceType: AGENT, originAt: utc(now) },
    ...{ from: client, fromName: 'agent', to: [], subject: proposal.reason, text: quote, quoted: '' },
    ...{ bulk: false, bulkReason: null, ownNote: false, warnings: [], shown: null, doubts: [] },
    authentication: NOT_VOUCHED,
  };
}

// A quote of nothing but what cannot be seen would be none.
function quoteOf(written: string): string {
  const line = plainText(written).replace(/\s+/g, ' ').trim();
  return cutAt(line === '' ? '(no words)' : line, MAX_QUOTE).trimEnd();
}

function reasonOf({ client, reason, source }: AgentProposal): string {
  const where = source === undefined ? '' : oneLine(unmarked(source), MAX_SOURCE);
  return `The agent ${client} says: ${unmarked(reason)}${where === '' ? '' : ` (It names as its source: ${where})`}`;
}

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;

const made = z.object({
  /** Epoch milliseconds. */
  at: z.number(),
  client: z.string(),
  /** The path of the note it was about. */
  target: z.string(),
});
type Made = z.infer<typeof made>;

/** The proposals that agents made in the last day, oldest first. */
const agentsState = z.object({ made: z.array(made) });
export type AgentsState = z.infer<typeof agentsState>;

interface Limit {
  readonly cap: number;
  readonly ms: number;
  readonly counts: (one: Made, next: Made) => boolean;
  readonly words: string;
}

// A client names itself, so what all of them make together is bounded as well. A note keeps half of its looks for others,
// and a matter a fifth.
const LIMITS: readonly Limit[] = [
  { cap: 10, ms: HOUR, counts: (one, next) => one.client === next.client, words: '10 an hour of one agent' },
  { cap: 20, ms: HOUR, counts: () => true, words: '20 an hour of all agents' },
  { cap: 40, ms: DAY, counts: () => true, words: '40 a day of all agents' },
  { cap: 3, ms: DAY, counts: (one, next) => one.target === next.target, words: '3 a day about one note' },
];

/** Why there is no room: the limit in words, and from when on there is (epoch ms). */
interface Full {
  readonly words: string;
  readonly freeAt: number;
}

/** Returns the account of a vault in which no agent has proposed anything. */
export function emptyAgents(): AgentsState {
  return { made: [] };
}

/**
 * Returns why an agent may not hand in another proposal just now, or null. LAW: no window ever contains more than its
 * limit.
 */
export function fullFor(state: AgentsState, next: Made): Full | null {
  const day = lastDay(state.made, next.at);
  return longestRefusal(LIMITS.map((limit) => fullIn(limit, day, next)));
}

function fullIn({ cap, ms, counts, words }: Limit, day: readonly Made[], next: Made): Full | null {
  const counted = since(day, ms, next.at).filter((one) => counts(one, next));
  const blocking = counted.at(-cap);
  return blocking === undefined ? null : { words, freeAt: blocking.at + ms };
}

/** Returns the account with one more. */
export function rememberProposal(state: AgentsState, next: Made): AgentsState {
  return { made: [...lastDay(state.made, next.at), next] };
}

export const AGENTS = slice('agents', agentsState, () => ({ made: [] }));
