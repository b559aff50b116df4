import { ourName } from '../../steward/changes.ts';
import { clears } from '../../steward/gates-rounding.ts';
import { classOfField } from '../../steward/ports/mutation-class.ts';
import { openProposals } from '../../steward/proposals.ts';
import type { EventRecord } from '../../vault/index/record.ts';
import type { MutationClass } from '../../vault/records/mutation-class.ts';
import { channelOf, sourceKey } from '../../vault/source-names.ts';
import type { Context, ReadAccess } from '../context.ts';
import { aboutMatter } from './orders.ts';

/** Which of the waiting proposals are meant. A part that is null leaves none out. */
export interface ProposalFilter {
  /** The matter itself, and its tasks. */
  readonly matter: string | null;
  /** Every field of the proposal is of this class. */
  readonly class: MutationClass | null;
  /** At least this sure, 0–1. */
  readonly minConfidence: number | null;
  /** One of the sources behind it: a channel with all who speak in it, or one of them. */
  readonly source: string | null;
}

/** Returns the waiting proposals that pass the filter, oldest first. Throws `matter-unknown`. */
export function chosenProposals(space: ReadAccess, filter: ProposalFilter): EventRecord[] {
  const isAbout = aboutMatter(space.vault, filter.matter);
  return (
    openProposals(space)
      .map(({ event }) => event)
      // What was seen without a signal is answered one by one: nobody archives their matters in bulk by mistake.
      .filter(({ fields }) => fields.perceived === null)
      .filter(isAbout)
      .filter((event) => filter.class === null || isOfClass(space.context, event, filter.class))
      .filter((event) => filter.minConfidence === null || clears(event.fields.confidence, filter.minConfidence))
      .filter((event) => filter.source === null || hasSource(event, filter.source))
  );
}

// A proposal that also changes a field of another class is not what was asked for.
function isOfClass({ settings }: Context, event: EventRecord, wanted: MutationClass): boolean {
  const fields = Object.keys(event.fields.changes);
  return fields.every((field) => classOfField(ourName(field, settings.field_mapping)) === wanted);
}

function hasSource({ fields }: EventRecord, wanted: string): boolean {
  const key = sourceKey(wanted);
  return Object.keys(fields.source_contributions).some((one) =>
    [sourceKey(one), sourceKey(channelOf(one))].includes(key),
  );
}
