import type { Catalogue } from '../vault/catalogue.ts';
import { editFields, restoreFields } from '../vault/edit.ts';
import { fold } from '../vault/names.ts';
import type { EventRecord } from '../vault/record.ts';
import type { Frontmatter } from '../vault/records/values.ts';
import { StewardError } from '../vault/trouble.ts';

/** Whether an event note is a proposal: a change that was not made and may still be. */
export function isProposal(event: EventRecord): boolean {
  const { fields } = event;
  return fields.confirms === null && fields.dismisses === null && fields.undo_recipe === null && hasChanges(event);
}

/** The proposals that wait for a person, oldest first. */
export function openProposals(catalogue: Catalogue): EventRecord[] {
  const noteOf = ({ fields }: EventRecord) => fold(catalogue.whereabouts(fields.target_path ?? ''));
  return [...Map.groupBy(catalogue.events(), noteOf).values()]
    .flatMap((events) => openAmong(catalogue, events))
    .sort((a, b) => (a.fields.timestamp < b.fields.timestamp ? -1 : 1));
}

// What `isOpen` says of each event about one note, newest first and so in one walk: a note that is proposed about every
// hour for a year must not cost every status the square of that.
function openAmong(catalogue: Catalogue, events: readonly EventRecord[]): EventRecord[] {
  const overtaken = { live: new Set<string>(), shadow: new Set<string>() };
  return events
    .toSorted((one, other) => (comesAfter(one, other) ? -1 : 1))
    .filter((event) => {
      const { target_path: path, dismisses, changes, mode } = event.fields;
      const fields = dismisses === null ? Object.keys(changes) : [];
      const isLast = path === null || !fields.some((field) => overtaken[mode].has(field));
      for (const field of fields) {
        overtaken.shadow.add(field);
        if (mode === 'live') overtaken.live.add(field);
      }
      return isLast && isProposal(event) && !isAnswered(catalogue, event);
    });
}

/** Whether a proposal still waits: not answered, and not overtaken by a later event about the same fields. */
export function isOpen(catalogue: Catalogue, event: EventRecord): boolean {
  return isProposal(event) && !isAnswered(catalogue, event) && supersededBy(catalogue, event) === null;
}

/** The confirmation or dismissal that closed a proposal, or null. */
export function answerOf(catalogue: Catalogue, event: EventRecord): EventRecord | null {
  const answers = catalogue.answersTo(event.name);
  return answers.find((answer): answer is EventRecord => answer.kind === 'event') ?? null;
}

/**
 * The later event about the same note that settles or proposes one of the same fields anew, or null. What was only
 * thought in shadow overtakes no live proposal: the flag in the note is the live one's, and shadow touches no note.
 */
export function supersededBy(catalogue: Catalogue, event: EventRecord): EventRecord | null {
  const path = event.fields.target_path;
  if (path === null) return null;
  const fields = Object.keys(event.fields.changes);
  const later = catalogue
    .eventsAbout(path)
    .filter((other) => other.path !== event.path && other.fields.dismisses === null)
    .filter((other) => other.fields.confirms === null || !answers(other, event))
    .filter((other) => other.fields.mode === 'live' || event.fields.mode === 'shadow')
    .filter((other) => comesAfter(other, event) && fields.some((field) => Object.hasOwn(other.fields.changes, field)));
  return later[0] ?? null;
}

/**
 * A note's text without the `pending_confirmation` the steward set there, as it was before, to the byte. It stays where
 * another proposal than the ones being closed still waits.
 */
export function withoutPending(
  catalogue: Catalogue,
  { path, text, data }: { readonly path: string; readonly text: string; readonly data: Frontmatter },
  isClosing: (event: EventRecord) => boolean,
): string {
  if (data.pending_confirmation !== true) return text;
  const waiting = openAmong(catalogue, catalogue.eventsAbout(path)).filter(({ fields }) => fields.mode === 'live');
  if (!waiting.every(isClosing)) return text;
  const flagged = catalogue
    .eventsAbout(path)
    .filter((event) => event.fields.pending_patch !== null)
    .sort((a, b) => (a.fields.timestamp < b.fields.timestamp ? 1 : -1));
  const patch = flagged[0]?.fields.pending_patch;
  if (patch === null || patch === undefined) return text; // a person's own flag: theirs to take away
  try {
    return restoreFields(path, text, patch).text;
  } catch (error) {
    if (!(error instanceof StewardError)) throw error;
    return editFields(path, text, [{ op: 'delete', field: 'pending_confirmation' }]).text;
  }
}

function isAnswered(catalogue: Catalogue, event: EventRecord): boolean {
  return answerOf(catalogue, event) !== null;
}

function answers(other: EventRecord, event: EventRecord): boolean {
  const link = other.fields.confirms ?? other.fields.dismisses ?? '';
  return link.includes(event.name);
}

/** Whether one event is later than another. */
export function comesAfter(other: EventRecord, event: EventRecord): boolean {
  const [one, two] = [momentOf(other), momentOf(event)];
  return one === two ? other.name > event.name : one > two;
}

// A timestamp holds seconds; of two notes about one target within one second, the later one's name holds the rest.
function momentOf(event: EventRecord): string {
  const ms = /T\d\d-\d\d-\d\d-(\d{3})Z/.exec(event.name)?.[1] ?? '000';
  return event.fields.timestamp.replace(/(\.\d+)?Z$/, `.${ms}Z`);
}

function hasChanges(event: EventRecord): boolean {
  return Object.keys(event.fields.changes).length > 0;
}
