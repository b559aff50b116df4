import { z } from 'zod';
import type { CandidateNote, Extracted, Meaning } from '../../steward/ports/extractor.ts';
import { classOfField } from '../../steward/ports/mutation-class.ts';
import type { MutationProposal } from '../../vault/records/mutation.ts';
import { type ClaimedChange, claimedChange } from '../claimed-change.ts';
import { plainLine } from '../plain.ts';
import { type Read, stricter } from '../reply.ts';
import { candidateName } from './event-text.ts';
import { mended } from './mended.ts';

/** The most meanings that one event is believed to have (contract, section 10). */
const MAX_MEANINGS = 5;
/** A reply that lists more than this ignores the question. */
const MAX_LISTED = 20;
const MAX_REASONING = 400;

/** The schema of a model's answer. The provider holds the model to it, and the reply is checked against it again here. */
const form = z.object({
  signals: z.array(
    z.object({
      note: z.string(),
      or_notes: z.array(z.string()),
      note_confidence: z.number().min(0).max(1),
      quote: z.string(),
      changes: z.array(claimedChange),
      effect_confidence: z.number().min(0).max(1),
      reasoning: z.string(),
    }),
  ),
});
/** The same, as small models keep to it. */
export const extraction = z.preprocess(mended, form);
export type Extraction = z.infer<typeof extraction>;
type SaidSignal = Extraction['signals'][number];
type Given = Pick<CandidateNote, 'path'>;

/** Returns what a reply says the event means, for the notes that were given and no others: the five surest meanings. */
export function meaningsIn(
  said: Extraction,
  { candidates }: { readonly candidates: readonly Given[] },
): Read<Pick<Extracted, 'meanings' | 'rejected'>> {
  if (said.signals.length > MAX_LISTED || said.signals.some(({ changes }) => changes.length > MAX_LISTED)) {
    return stricter('it lists too much.');
  }
  const given = new Map(candidates.map((candidate, index) => [candidateName(index), candidate]));
  const known = said.signals.filter(({ note }) => given.has(note.trim()));
  const surest = known.toSorted((one, other) => other.effect_confidence - one.effect_confidence);
  const rejected = [
    ...said.signals.slice(known.length).map(() => 'a note that was not given'),
    ...known.slice(MAX_MEANINGS).map(() => `more than ${MAX_MEANINGS} signals`),
  ];
  return {
    ok: true,
    value: { meanings: surest.slice(0, MAX_MEANINGS).flatMap((one) => meaningOf(one, given)), rejected },
  };
}

function meaningOf(said: SaidSignal, given: ReadonlyMap<string, Given>): Meaning[] {
  const target = given.get(said.note.trim());
  if (target === undefined) return [];
  const others = said.or_notes.flatMap((name) => given.get(name.trim())?.path ?? []);
  const candidates = [...new Set([target.path, ...others])];
  const doubt = doubtOf(said.changes);
  const proposal = said.changes.length === 0 || doubt !== null ? null : proposalOf(said.changes);
  return [
    {
      ...{ target: target.path, candidates, ambiguous: candidates.length > 1, proposal, quote: said.quote },
      targetConfidence: said.note_confidence,
      effectConfidence: said.effect_confidence,
      // What a model says of its evidence counts for nothing: the search in the vault finds it (`stream/checking.ts`).
      ...{ targetEvidence: [], targetNear: false, endsMatter: false },
      reasoning: plainLine(said.reasoning, MAX_REASONING) + (doubt === null ? '' : ` No change is proposed: ${doubt}.`),
    },
  ];
}

/** Returns why changes are no proposal, or null: a proposal has one class (section 3) and at most one value for a field. */
function doubtOf(changes: readonly ClaimedChange[]): string | null {
  if (new Set(changes.map(({ field }) => classOfField(field))).size > 1) return 'its changes are of several kinds';
  const set = changes.filter(({ op }) => op === 'set').map(({ field }) => field);
  return new Set(set).size < set.length ? 'it gives two values for one field' : null;
}

function proposalOf(changes: readonly ClaimedChange[]): MutationProposal {
  const of = (op: ClaimedChange['op']) => changes.filter((change) => change.op === op);
  const set = Object.fromEntries(of('set').map((change) => [change.field, change.value]));
  return { class: classOfField(changes[0]?.field ?? ''), set, add: members(of('add')), remove: members(of('remove')) };
}

function members(changes: readonly ClaimedChange[]): Record<string, string[]> {
  const fields = Map.groupBy(changes, ({ field }) => field);
  return Object.fromEntries([...fields].map(([field, all]) => [field, all.flatMap(({ value }) => texts(value))]));
}

function texts(value: ClaimedChange['value']): string[] {
  return Array.isArray(value) ? value : [String(value)];
}
