import { isKnownNote } from '../../steward/ports/own-notes.ts';
import { waitingAbout } from '../../steward/proposals/proposal-status.ts';
import { editedText, type FieldEdit } from '../../vault/frontmatter/edit.ts';
import { nameKey, saysItWaits } from '../../vault/index/index-keys.ts';
import type { EventRecord, MatterRecord, VaultRecord } from '../../vault/index/record.ts';
import type { EventOutcome } from '../../vault/records/event.ts';
import type { Frontmatter, Yaml } from '../../vault/records/values.ts';
import { nameTimeExact } from '../../vault/time.ts';
import type { EditStep } from '../../vault/transaction/journal.ts';
import { followStep, textStep } from '../../vault/transaction/steps.ts';
import type { ReadAccess, WriteAccess } from '../context/ports.ts';
import { eachAlone } from '../runtime/each-alone.ts';
import { type EventNow, outcomeNow } from './outcome-now.ts';
import { remarkOn } from './remark.ts';

/**
 * Lets an event note say what has become of it: the fields that a person reads, never the recorded ones. Returns when
 * to look again (epoch ms) where somebody is editing the note, else null. Does nothing where the note says it already.
 */
export function followFlags(space: WriteAccess, path: string): number | null {
  const event = space.vault.catalogue.get(path);
  // Another machine follows its own notes: two that each know only their own answers would write against each other.
  if (event?.kind !== 'event' || !isKnownNote(space, event)) return null;
  const [now, remark] = [outcomeNow(space, event), remarkOn(space, event)];
  if (saysSo(event, now, remark)) return null;
  space.transactions.finishHeldUp([path]);
  const note = space.notes.fresh(path);
  if (note === null) return null;
  const edits = [...(now === null ? [] : fieldEdits(note.data, now)), ...edit(note.data, 'remark', remark)];
  if (note.settledAt > space.context.now()) return note.settledAt;
  const text = editedText(path, note.text, edits);
  if (text === null || text === note.text) return null;
  const id = `attention-${nameTimeExact(space.context.now())}-${event.name}`;
  return space.transactions.commit(id, [textStep(path, note.text, text)]) ? null : space.context.now() + 1000;
}

/** Does the same for every event note that may be behind. One that is being edited is left for the next time. */
export function followAllFlags(space: WriteAccess): void {
  eachAlone([...mayBeBehind(space)], (path) => followFlags(space, path));
}

/** Returns the paths of the event notes that say that they wait, are ticked, or were taken back: a crash may come between. */
export function mayBeBehind(space: ReadAccess): ReadonlySet<string> {
  const { catalogue } = space.vault;
  const ticked = catalogue.eventsThat('asking');
  const reversed = catalogue.reversals().flatMap((reversal) => concernedBy(space, reversal));
  return new Set([...[...catalogue.waiting('event'), ...ticked].map(({ path }) => path), ...reversed]);
}

/** Does the same for the event notes that a new or changed record concerns. */
export function followFlagsAround(space: WriteAccess, record: VaultRecord): void {
  eachAlone(concernedBy(space, record), (path) => followFlags(space, path));
}

/** Returns the step by which an answer closes the event note it answers; null where the note stays as it is. */
export function closingStep(space: ReadAccess, event: EventRecord, outcome: EventOutcome): EditStep | null {
  return followStep(space.notes, event.path, (data) => fieldEdits(data, { waits: false, outcome }));
}

/** Returns the paths of the event notes of which a record may have changed what has become of them. */
export function concernedBy(space: ReadAccess, record: VaultRecord): string[] {
  return [...new Set(concerned(space, record).map(({ path }) => path))];
}

// What was seen of a task rests on its matter as well.
function foundUnder({ vault: { catalogue } }: ReadAccess, matter: MatterRecord): EventRecord[] {
  return catalogue.waiting('event').filter(({ fields: { perceived, target_path: path } }) => {
    const note = perceived === null || path === null ? undefined : catalogue.get(catalogue.currentPath(path));
    return note?.kind === 'task' && catalogue.matterOf(note)?.path === matter.path;
  });
}

function concerned(space: ReadAccess, record: VaultRecord): EventRecord[] {
  const { catalogue } = space.vault;
  switch (record.kind) {
    case 'event': {
      const { confirms, dismisses, target_path: target, signals } = record.fields;
      return [
        record,
        ...answered(space, confirms ?? dismisses),
        ...(target === null ? [] : waitingOf(catalogue.eventsAbout(target))),
        ...waitingOf(signals.flatMap((signal) => catalogue.eventsOfSignal(nameKey(signal)))),
      ];
    }
    case 'reversal':
      return answered(space, record.fields.reverses);
    case 'signal':
      return waitingOf(catalogue.eventsOfSignal(record.name));
    case 'task':
    case 'matter':
      return [
        ...waitingOf(catalogue.eventsAbout(record.path)),
        ...waitingAbout(space, record.path).map(({ event }) => event),
        ...(record.kind === 'matter' ? foundUnder(space, record) : []),
      ];
    default:
      return [];
  }
}

function waitingOf(events: readonly EventRecord[]): EventRecord[] {
  return events.filter(({ fields }) => saysItWaits(fields));
}

// Taking back a confirmation, or a reversal, is about the event that it answers in turn.
function answered(space: ReadAccess, link: string | null, depth = 0): EventRecord[] {
  const found = link === null ? null : space.vault.catalogue.resolve(link, ['event', 'reversal']);
  if (found === null || depth > MOST_ANSWERS) return [];
  if (found.kind === 'reversal') return answered(space, found.fields.reverses, depth + 1);
  return found.kind === 'event' ? [found, ...answered(space, found.fields.confirms, depth + 1)] : [];
}

/** How far a chain of answers to answers is followed. */
const MOST_ANSWERS = 20;

// Most notes say it already, and are not read again.
function saysSo({ fields }: EventRecord, now: EventNow | null, remark: string | null): boolean {
  if (fields.remark !== remark) return false;
  if (now === null) return true;
  const isSaid = fields.outcome === now.outcome || (fields.outcome === null && FIRST.includes(now.outcome));
  return isSaid && fields.waiting === now.waits && fields.pending_confirmation === now.waits;
}

/** What an event is before anybody has answered: no reason for a new field in a note of an earlier version. */
const FIRST: readonly Yaml[] = ['proposed', 'acted', 'recorded'];

function fieldEdits(data: Frontmatter, { waits, outcome }: EventNow): FieldEdit[] {
  const flag = (field: string) => edit(data, field, waits || Object.hasOwn(data, field) ? waits : null);
  const isSaid = Object.hasOwn(data, 'outcome') || !FIRST.includes(outcome);
  return [...flag('waiting'), ...flag('pending_confirmation'), ...edit(data, 'outcome', isSaid ? outcome : null)];
}

function edit(data: Frontmatter, field: string, value: Yaml): FieldEdit[] {
  if ((data[field] ?? null) === value) return [];
  return value === null ? [{ op: 'delete', field }] : [{ op: 'set', field, value }];
}
