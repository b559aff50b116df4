import type { Extracted, Meaning } from '../../steward/ports/extractor.ts';
import { NOT_VOUCHED, type StreamEvent } from '../../steward/ports/stream-event.ts';
import { sha256 } from '../../vault/hash.ts';
import type { TargetRecord } from '../../vault/index/record.ts';
import { unmarked } from '../../vault/notes/escape.ts';
import { AGENT } from '../../vault/source-names.ts';
import { utc } from '../../vault/time.ts';
import { cutAt, oneLine, plainText } from '../mail/plain-text.ts';
import { type AgentProposal, mutationOf } from './proposal.ts';

const MAX_QUOTE = 50;
const MAX_SOURCE = 200;

/** What an agent proposes as an event of the stream, and what it means. */
interface ReadProposal {
  readonly event: StreamEvent;
  readonly extracted: Extracted;
}

/** Returns what an agent hands in as the event and the meaning that it is. `now`: epoch ms. */
export function readProposal(proposal: AgentProposal, target: TargetRecord, now: number): ReadProposal {
  const quote = quoteOf(proposal.quote);
  const meaning: Meaning = {
    // It names the note itself. What it says of anything else is only its word.
    ...{ target: target.path, candidates: [target.path], ambiguous: false, targetConfidence: 1 },
    ...{ targetEvidence: ['link'], targetNear: true, endsMatter: false, quote },
    ...{ proposal: mutationOf(proposal), effectConfidence: proposal.confidence, reasoning: reasonOf(proposal) },
  };
  const found = { skipped: null, rejected: [], unusable: null, usage: null, extractor: 'as the agent says it' };
  return { event: eventOf(proposal, target, quote, now), extracted: { meanings: [meaning], ...found } };
}

function eventOf(proposal: AgentProposal, target: TargetRecord, quote: string, now: number): StreamEvent {
  const { client } = proposal;
  const hash = sha256(JSON.stringify([target.path, mutationOf(proposal)])).slice(0, 12);
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
