import { readFileSync } from 'node:fs';
import { readByPhrases } from '../../src/reading/read-event.ts';
import { type TargetCandidate, TargetIndex } from '../../src/reading/targets.ts';
import type { StreamEvent } from '../../src/steward/types.ts';
import { admitted } from '../../src/streams/extract.ts';
import { parseMail } from '../../src/streams/mail.ts';
import { type DraftContext, makeDrafts, type SignalDraft } from '../../src/streams/signal.ts';

export { eventWith } from './event-with.ts';

/** Returns the signals that the phrase table and the forms read in an event, or why there are none. */
export function extractSignals(
  event: StreamEvent,
  index: TargetIndex,
  context: DraftContext,
): { signals: readonly SignalDraft[]; skipped: string | null } {
  const admission = admitted(event, context.now);
  if (!admission.ok) return { signals: [], skipped: admission.reason };
  const extracted = readByPhrases(admission.event, index);
  return { signals: makeDrafts(admission.event, extracted, index, context), skipped: extracted.skipped };
}

export function fixture(name: string): Uint8Array {
  return readFileSync(new URL(`../streams/mail/${name}`, import.meta.url));
}

export async function mail(name: string): Promise<StreamEvent> {
  const parsed = await parseMail(`stream/gmail/${name}`, fixture(name), { sourceType: 'gmail', trustedServers: [] });
  if (!parsed.ok) throw new Error(`${name}: ${parsed.trouble.message}`);
  return parsed.event;
}

export function candidate(parts: Partial<TargetCandidate> & Pick<TargetCandidate, 'path'>): TargetCandidate {
  const isTask = parts.path.startsWith('task/');
  return {
    kind: isTask ? 'task' : 'matter',
    name: parts.path.replace(/^.*\//, '').replace(/\.md$/, ''),
    matterPath: null,
    aliases: [],
    senders: [],
    keywords: [],
    summary: '',
    state: 'open',
    ...parts,
  };
}

export const HOUSE = 'matter/House purchase.md';

/** Returns an index with a house bought through a notary, and a car insurance. */
export function sampleIndex(...more: readonly TargetCandidate[]): TargetIndex {
  const index = new TargetIndex();
  const candidates = [
    candidate({ path: HOUSE, senders: ['anna@notary.example'], keywords: ['deed of sale'], aliases: ['the house'] }),
    candidate({ path: 'task/Pay deposit invoice.md', matterPath: HOUSE }),
    candidate({ path: 'task/Sign deed of sale.md', matterPath: HOUSE }),
    candidate({ path: 'task/Notary appointment.md', matterPath: HOUSE }),
    candidate({ path: 'matter/Car insurance.md', senders: ['@insurer.example'], keywords: ['policy 4711'] }),
    candidate({ path: 'task/Renew car insurance.md', matterPath: 'matter/Car insurance.md' }),
    ...more,
  ];
  for (const each of candidates) index.add(each);
  return index;
}
