import type { Workspace } from '../daemon/context.ts';
import { ourName } from '../steward/change.ts';
import { fileName } from '../steward/instinct.ts';
import { signLicence, unlicensable } from '../steward/licence.ts';
import { reportLesson, teachPast } from '../steward/outcomes.ts';
import { handsOffReason } from '../steward/proposals.ts';
import { findMatter } from '../steward/sender.ts';
import { editFields, textStep } from '../vault/edit.ts';
import { isRefusal, StewardError } from '../vault/errors.ts';
import type { TargetRecord } from '../vault/record.ts';
import { localDate, nameTimeExact, utc } from '../vault/time.ts';
import type { AcceptedOffers } from './rehearsal-accepted.ts';

export interface AcceptResult {
  readonly licences: readonly string[];
  /** The names that were added to the senders or keywords of notes. */
  readonly names: readonly { readonly field: 'senders' | 'keywords'; readonly name: string; readonly note: string }[];
  /** How the confidence in senders moved, and the number of their observations. */
  readonly learnt: readonly {
    readonly sender: string;
    readonly before: number;
    readonly after: number;
    readonly observations: number;
  }[];
  /** Names that could not be written, and why: a sentence each. */
  readonly refused: readonly string[];
}

/** Writes what a person has said yes to after a rehearsal. */
export function acceptOffers(space: Workspace, accepted: AcceptedOffers): AcceptResult {
  const signed = accepted.licences.map((one) => signOffered(space, one));
  const names = [
    ...accepted.senders.map(({ sender, note }) => ({ field: 'senders' as const, name: sender, note })),
    ...accepted.keywords.map(({ keyword, note }) => ({ field: 'keywords' as const, name: keyword, note })),
    // A note is known by the numbers in its keywords.
    ...accepted.references.map(({ reference, note }) => ({ field: 'keywords' as const, name: reference, note })),
  ];
  const added = [...Map.groupBy(names, ({ field, note }) => `${field} ${note}`).values()].map((own) => {
    return { own, written: addNames(space, own) };
  });
  const learnt = accepted.outcomes.map((one) => learnPast(space, one));
  return {
    licences: signed.flatMap((one) => ('path' in one ? one.path : [])),
    names: added.flatMap(({ own, written }) => ('path' in written ? own : [])),
    learnt: learnt.flatMap((one) => ('refused' in one ? [] : one)),
    refused: [...signed, ...added.map(({ written }) => written), ...learnt].flatMap((one) =>
      'refused' in one ? one.refused : [],
    ),
  };
}

type Written = { readonly path: string } | { readonly refused: string };

function signOffered(
  space: Workspace,
  { sender, matterPath, kinds, evidence }: AcceptedOffers['licences'][number],
): Written {
  const matter = space.vault.catalogue.get(matterPath);
  if (matter?.kind !== 'matter') return { refused: `${matterPath} is gone.` };
  const why = unlicensable(sender);
  if (why !== null) return { refused: `${sender} can't be given a licence. ${why}` };
  const path = signLicence(space, { sender, matter, kinds, until: null, evidence }, 'rehearsal');
  if (path === null) return { refused: `The licence of ${sender} could not be written just now.` };
  space.vault.look([path]);
  return { path };
}

type NameEntry = AcceptResult['names'][number];

// All are of one field of one note.
function addNames(space: Workspace, entries: readonly NameEntry[]): Written {
  const path = entries[0]?.note ?? '';
  const target = space.vault.catalogue.get(path);
  if (target?.kind !== 'task' && target?.kind !== 'matter') return { refused: `${path} is gone.` };
  const off = handsOffReason(space, target);
  if (off !== null) return { refused: off };
  try {
    return space.transactions.attempt([path], () => withNames(space, target, entries)) ?? isEdited(path);
  } catch (error) {
    if (isRefusal(error)) return { refused: error.message };
    throw error;
  }
}

function isEdited(path: string): Written {
  return { refused: `${path} is being edited: try again in a moment.` };
}

// Null if the note changed before anything was written.
function withNames(space: Workspace, target: TargetRecord, entries: readonly NameEntry[]): Written | null {
  const note = space.notes.fresh(target.path);
  const now = space.context.now();
  if (note === null || note.settledAt > now) return isEdited(target.path);
  if (note.refusal !== null) throw note.refusal;
  const { field_mapping: mapping } = space.context.settings;
  const [wanted = 'senders', members] = [entries[0]?.field, entries.map(({ name }) => name)];
  const field = Object.keys(note.data).find((name) => ourName(name, mapping) === wanted) ?? wanted;
  const edited = editFields(note.path, note.text, [{ op: 'add', field, members }]);
  if (edited.text === note.text) return { refused: `${target.path} names ${members.join(', ')} already.` };
  const id = `rehearsal-${nameTimeExact(now)}-${wanted}-${target.name}`;
  if (!space.transactions.commit(id, [textStep(note.path, note.text, edited.text)])) return null;
  space.vault.look([target.path]);
  return { path: target.path };
}

type Learnt = AcceptResult['learnt'][number];

function learnPast(
  space: Workspace,
  { sender, outcomes }: AcceptedOffers['outcomes'][number],
): Learnt | { readonly refused: string } {
  const now = space.context.now();
  const past = outcomes.map(({ at, note }) => ({ at: Date.parse(at), note })).filter(({ at }) => at <= now);
  const days = new Map(past.map((one) => [`${localDate(one.at)} ${matterPathOf(space, one.note)}`, one]));
  const taught = teachPast(
    space,
    sender,
    [...days.values()].toSorted((one, other) => one.at - other.at),
  );
  const [first] = taught.calibrations;
  if (first === undefined) return { refused: `Steward has learnt something about ${sender} by now.` };
  const id = `rehearsal-${nameTimeExact(now)}-${fileName(sender)}`;
  if (!space.transactions.commit(id, taught.steps))
    return { refused: `What Steward learnt about ${sender} is being edited: try again in a moment.` };
  space.vault.look(taught.steps.map(({ path }) => path));
  reportLesson(space, taught, 'right', space.vault.catalogue.instinctOf(sender)?.path ?? '');
  return { sender, before: first.before, after: first.after, observations: first.observations.after };
}

// At most one outcome a day counts for each sender and matter.
function matterPathOf({ vault: { catalogue } }: Workspace, path: string): string {
  const note = catalogue.get(path);
  const target = note?.kind === 'task' || note?.kind === 'matter' ? note : null;
  return (target === null ? null : findMatter(catalogue, target)?.path) ?? path;
}

const MOST_NAMES = 100;

/** Writes the note of a rehearsal next to the events of its month, and returns its path. */
export function keepRehearsal(space: Workspace, text: string): { readonly note: string } {
  const day = utc(space.context.now()).slice(0, 10);
  const folder = `${space.vault.layout.folders.event}/${day.slice(0, 7)}`;
  for (let nth = 1; nth <= MOST_NAMES; nth += 1) {
    const note = `${folder}/rehearsal-${day}${nth === 1 ? '' : `-${nth}`}.md`;
    if (space.transactions.create(note, text)) return { note };
  }
  throw new StewardError({
    code: 'rehearsal-notes',
    message: `There are ${MOST_NAMES} notes of rehearsals of ${day}.`,
    hint: 'Delete some of them.',
  });
}
