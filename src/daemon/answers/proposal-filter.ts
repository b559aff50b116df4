import { ourName } from '../../steward/changes/field-mapping.ts';
import { clears } from '../../steward/gates/rounding.ts';
import { classOfField } from '../../steward/ports/mutation-class.ts';
import { openProposals } from '../../steward/proposals/proposal-status.ts';
import type { EventRecord } from '../../vault/index/record.ts';
import { fold } from '../../vault/note-names.ts';
import type { MutationClass } from '../../vault/records/mutation.ts';
import type { Vault } from '../../vault/watch/vault.ts';
import type { Context, ReadAccess } from '../context/ports.ts';
import { findMatter } from './find-note.ts';

/** Which of the proposals that wait are meant; a part that is null or absent leaves none out. */
export interface ProposalFilter {
  /** The matter itself, and its tasks. */
  readonly matter: string | null;
  /** Every field of the proposal is of this class. */
  readonly class: MutationClass | null;
  /** At least this sure, 0–1. */
  readonly minConfidence: number | null;
  /** One of the sources behind it. */
  readonly source: string | null;
}

/** The proposals that wait and fit, oldest first. Throws `matter-unknown`. */
export function chosenProposals(space: ReadAccess, filter: ProposalFilter): EventRecord[] {
  const targets = filter.matter === null ? null : targetsOf(space.vault, filter.matter);
  return openProposals(space)
    .map(({ event }) => event)
    .filter(
      (event) => targets === null || targets.has(space.vault.catalogue.currentPath(event.fields.target_path ?? '')),
    )
    .filter((event) => filter.class === null || isOfClass(space.context, event, filter.class))
    .filter((event) => filter.minConfidence === null || clears(event.fields.confidence, filter.minConfidence))
    .filter((event) => filter.source === null || hasSource(event, filter.source));
}

/** The paths of a matter and its tasks. */
function targetsOf(vault: Vault, written: string): ReadonlySet<string> {
  const matter = findMatter(vault, written);
  return new Set([matter.path, ...vault.catalogue.tasksOf(matter).map((task) => task.path)]);
}

// A proposal with a part of another class is not what was asked for.
function isOfClass({ settings }: Context, event: EventRecord, wanted: MutationClass): boolean {
  const fields = Object.keys(event.fields.changes);
  return fields.every((field) => classOfField(ourName(field, settings.field_mapping)) === wanted);
}

function hasSource({ fields }: EventRecord, wanted: string): boolean {
  return Object.keys(fields.source_contributions).some((source) => fold(source) === fold(wanted));
}
