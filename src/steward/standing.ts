import { same } from '../vault/frontmatter.ts';
import { type EventRecord, parseState } from '../vault/record.ts';
import { localDate } from '../vault/time.ts';
import { isStateField } from './change.ts';
import { isOwnNote } from './records.ts';
import { isBorneBy, isWithdrawn } from './sender.ts';
import type { Clock, Records, Seals, StandingChange } from './types.ts';

/** A sender may take back what they said, as long as older mail is read. */
const MOST_DAYS = 14;
const DAY_MS = 86_400_000;

/**
 * Returns what was done, called off or moved to another day on a source's word in these notes, and stands there; newest
 * first.
 */
export function standingChanges(
  space: Records & Seals & Clock,
  source: string,
  notes: readonly string[],
): readonly StandingChange[] {
  const first = localDate(space.context.now() - (MOST_DAYS + 1) * DAY_MS);
  return notes
    .flatMap((note) => space.vault.catalogue.eventsAbout(note))
    .filter(({ fields }) => fields.timestamp >= first)
    .filter((event) => event.fields.undo_recipe !== null && isBorneBy(event, source) && isOwnNote(space, event))
    .filter((event) => !isWithdrawn(space, event))
    .toSorted((one, other) => (one.fields.timestamp > other.fields.timestamp ? -1 : 1))
    .flatMap((event) => standingOf(space, event));
}

function standingOf({ vault: { catalogue } }: Records, { fields }: EventRecord): readonly StandingChange[] {
  const task = fields.target_path === null ? undefined : catalogue.get(catalogue.currentPath(fields.target_path));
  if (task?.kind !== 'task') return [];
  const signal = catalogue.resolve(fields.signals[0] ?? '', ['signal']);
  const said = signal?.kind === 'signal' ? signal.fields : null;
  const quote = fields.quote ?? said?.raw_quote ?? null;
  if (quote === null) return [];
  return Object.entries(fields.changes).flatMap(([name, { before, after }]): StandingChange[] => {
    const made = { note: task.path, quote, at: said?.origin_at ?? null };
    const state = typeof after === 'string' ? parseState(after) : null;
    if (isStateField(name) && (task.fields.state === 'done' || task.fields.state === 'archived'))
      return state === null || state === task.fields.state ? [{ ...made, field: 'state', before: 'open' }] : [];
    const isDay = name === 'due' && typeof before === 'string' && same(after, task.fields.due);
    return isDay ? [{ ...made, field: 'due', before }] : [];
  });
}
