import type { EventRecord, SignalRecord, TargetRecord } from '../../vault/index/record.ts';
import type { Telling } from '../gates-freshness-gate.ts';
import { isKnownNote } from '../ports/own-notes.ts';
import { answerOf } from '../proposals.ts';
import { sentAt, speakerOf, type TrustSpace } from './speaker.ts';

/**
 * Returns what was told for every decision about some fields of a note that was carried out or answered, whatever became
 * of it: what a person has taken back is not to be done again because the same mail comes twice. The signals named in
 * `except` are the ones under judgement.
 */
export function toldAbout(
  space: TrustSpace,
  target: TargetRecord,
  fields: readonly string[],
  except: ReadonlySet<string>,
): Telling[] {
  const { catalogue } = space.vault;
  return catalogue
    .eventsAbout(target.path)
    .filter((event) => fields.some((field) => Object.hasOwn(event.fields.changes, field)) && isDecided(space, event))
    .filter((event) => isKnownNote(space, event))
    .flatMap((event) => event.fields.signals)
    .flatMap((link) => catalogue.resolve(link, ['signal']) ?? [])
    .filter((signal): signal is SignalRecord => signal.kind === 'signal' && !except.has(signal.path))
    .map((signal) => tellingOf(space, signal));
}

/** Returns what a signal told, and when. */
export function tellingOf(space: TrustSpace, signal: SignalRecord): Telling {
  return { source: speakerOf(space, signal).source, at: sentAt(signal), quote: signal.fields.raw_quote };
}

function isDecided(space: TrustSpace, event: EventRecord): boolean {
  const { undo_recipe: recipe, confirms } = event.fields;
  return recipe !== null || confirms !== null || answerOf(space, event) !== null;
}
