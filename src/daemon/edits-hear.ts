import { isStateField } from '../steward/changes-held-value.ts';
import { instinctOf } from '../steward/learning/sources.ts';
import { isHandsOff } from '../steward/proposal-fit.ts';
import { isLiving, waitingAbout } from '../steward/proposals.ts';
import { sentAt } from '../steward/trust/speaker.ts';
import { standingOf } from '../steward/trust.ts';
import { draftsOf } from '../stream/draft.ts';
import {
  type EditKind,
  type EditScene,
  editOf,
  isReopened,
  leavesNothing,
  quoteOf,
  readEdit,
} from '../stream/edits.ts';
import { booked, MOST_AT_ONCE, roomFor } from '../stream/edits-room.ts';
import { readNote } from '../vault/frontmatter-parse.ts';
import type { EventRecord, MatterRecord, ReversalRecord, TargetRecord } from '../vault/index/record.ts';
import type { FieldRecipe } from '../vault/records.ts';
import { patternOf, VAULT_EDIT } from '../vault/source-names.ts';
import { type StatusWords, stateMeant } from '../vault/status-words.ts';
import { localDate } from '../vault/time.ts';
import type { IndexAccess, ReadAccess, Workspace, WriteAccess } from './context.ts';
import { isListenedTo } from './decide-fresh-signals.ts';
import { targetsOf } from './ingest/target-sync.ts';
import { endQuiet } from './schedule/due.ts';
import { writeSignal } from './target-sync.ts';
import { CLOCKS_APART_MS } from './unread-records.ts';

/** Undos of undos are followed this far. */
const MOST_UNDOS = 20;

/** What was written into a note by hand, it is thought, and since when it was not there yet (epoch ms). */
interface Suspect {
  readonly kind: EditKind;
  readonly after: TargetRecord;
  readonly since: number;
}

/**
 * Whether a program has written what a note now holds: this one or another that steward the vault, by an action, a
 * confirmation or an undo. Each leaves a record, which a sync brings along. It is believed whoever wrote it: at worst an
 * edit is not heard.
 */
function isWrittenByProgram({ vault: { catalogue } }: IndexAccess, { kind, after, since }: Suspect): boolean {
  const records = catalogue.eventsAbout(after.path).flatMap((event) => [event, ...undosOf(catalogue, event)]);
  return records.some((record) => {
    const fields = Object.entries(record.fields.undo_recipe?.vault_patch.fields ?? {});
    return (
      writtenAt(record) > since - CLOCKS_APART_MS &&
      fields.some(([field, recipe]) => isIt(kind, after, field, recipe, catalogue.words))
    );
  });
}

function undosOf(
  catalogue: IndexAccess['vault']['catalogue'],
  of: EventRecord | ReversalRecord,
  depth = 0,
): ReversalRecord[] {
  if (depth > MOST_UNDOS) return [];
  const undos = catalogue.answersTo(of.name).filter((answer) => answer.kind === 'reversal');
  return undos.flatMap((undo) => [undo, ...undosOf(catalogue, undo, depth + 1)]);
}

function writtenAt(record: EventRecord | ReversalRecord): number {
  return Date.parse((record.kind === 'event' ? record.fields.timestamp : record.fields.settled_at) ?? '');
}

function isIt(
  kind: EditKind,
  { fields }: TargetRecord,
  field: string,
  { after }: FieldRecipe,
  words: StatusWords,
): boolean {
  if (kind === 'done') return isStateField(field) && stateMeant(after, words) === fields.state;
  return kind === 'completed' && field === 'completedDate' && after !== null;
}

/** Whether a signal tells of this very edit already, from before a crash or from another machine. */
function isHeard(
  { vault: { catalogue } }: IndexAccess,
  { target, note, quote, since }: { target: TargetRecord; note: TargetRecord; quote: string; since: number },
): boolean {
  return catalogue.signalsFor(target).some((signal) => {
    const { source_type: channel, source_event_path: path, raw_quote: said } = signal.fields;
    if (channel !== VAULT_EDIT || said !== quote || path === null) return false;
    return catalogue.currentPath(path) === note.path && (sentAt(signal) ?? 0) >= Math.floor(since / 1000) * 1000;
  });
}

/** A note that was changed, as it was before and as it is now. */
export interface Edited {
  readonly before: TargetRecord;
  readonly after: TargetRecord;
}

/**
 * Writes the signals of what persons have done to some notes by hand, and returns the matters whose quiet that ends. The
 * program's own writes, and edits that are told of already, give none; of very many at once only some are heard, and the
 * rest is counted. `over`: how many more notes were changed, of which nothing else is known.
 */
export function hearEdits(space: Workspace, edited: readonly Edited[], over: number): MatterRecord[] {
  const scenes = scenesOf(space, edited);
  const { state, now } = space.context;
  const date = localDate(now());
  const isSetBack = scenes.length > MOST_AT_ONCE && edited.filter(isBack).length * 5 >= edited.length;
  const room = isSetBack ? 0 : roomFor(state.get('edits'), now(), date);
  const heard = byWeight(scenes).slice(0, room);
  const passed = scenes.length - heard.length + over;
  if (heard.length + passed > 0)
    state.set('edits', booked(state.get('edits'), now(), date, { heard: heard.length, passed }));
  const awoken = heard.flatMap((scene) => hear(space, scene));
  if (passed > 0) space.context.emit({ what: 'edits-passed', edits: passed, reason: isSetBack ? SET_BACK : TOO_MANY });
  return awoken;
}

const SET_BACK = 'many notes were set back at once';
const TOO_MANY = 'too many came at once; the notes themselves are as they were left';

function isBack({ before, after }: Edited): boolean {
  return isReopened(before, after);
}

// Where there is no room for all, those that may lead to something come first.
function byWeight(scenes: readonly EditScene[]): EditScene[] {
  return scenes.toSorted((one, other) => weightOf(other) - weightOf(one));
}

function weightOf(scene: EditScene): number {
  return Number(scene.kind === 'completed' || (scene.mayClose && leavesNothing(scene)));
}

// Several edits may have left nothing of their matter open: the last one asks whether it is over.
function scenesOf(space: ReadAccess, edited: readonly Edited[]): EditScene[] {
  const asked = new Set<string>();
  return edited
    .toSorted((one, other) => other.after.stat.mtimeMs - one.after.stat.mtimeMs)
    .flatMap((one) => sceneOf(space, one) ?? [])
    .map((scene) => {
      const mayClose = scene.matter !== null && scene.mayClose && !asked.has(scene.matter.path);
      if (scene.matter !== null && scene.kind !== 'completed') asked.add(scene.matter.path);
      return { ...scene, mayClose };
    });
}

function sceneOf(space: ReadAccess, { before, after }: Edited): EditScene | null {
  const kind = editOf(before, after, space.context.now());
  if (kind === null || isHandsOff(space, after)) return null;
  const since = before.stat.mtimeMs;
  if (isWrittenByProgram(space, { kind, after, since })) return null;
  const quote = quoteIn(space, kind, after);
  const matter = livingMatter(space, after);
  const target = kind === 'completed' ? after : matter;
  if (quote === null || target === null || isHeard(space, { target, note: after, quote, since })) return null;
  return { kind, note: after, matter, quote, ...openIn(space, matter) };
}

function quoteIn({ vault, notes }: ReadAccess, kind: EditKind, { path }: TargetRecord): string | null {
  const text = notes.text(path);
  const read = text === null ? null : readNote(path, Buffer.from(text));
  return read?.ok ? quoteOf(kind, read.note, vault.mapping) : null;
}

function livingMatter({ vault }: IndexAccess, note: TargetRecord): MatterRecord | null {
  const matter = note.kind === 'matter' ? note : vault.catalogue.matterOf(note);
  return matter !== null && isLiving(matter) ? matter : null;
}

function openIn(space: ReadAccess, matter: MatterRecord | null): Pick<EditScene, 'openTasks' | 'mayClose'> {
  if (matter === null) return { openTasks: 0, mayClose: false };
  const openTasks = space.vault.catalogue.tasksOf(matter).filter(isLiving).length;
  const isAsked = waitingAbout(space, matter.path).some(({ event }) => event.fields.changes.state !== undefined);
  return { openTasks, mayClose: !isAsked };
}

/** Writes the signal of one edit. A closing or a change follows from the note itself; news ends the quiet of its matter. */
function hear(space: WriteAccess & Pick<Workspace, 'ingest'>, scene: EditScene): MatterRecord[] {
  const read = readEdit(scene);
  if (read === null) return [];
  const { context, vault } = space;
  const drafts = draftsOf(read.event, read.extracted, targetsOf(space).index, {
    now: new Date(context.now()),
    confidenceOf: (source) => instinctOf(space, source).confidence,
    standingOf: (source, path) => {
      const note = vault.catalogue.get(path);
      const isTarget = note?.kind === 'task' || note?.kind === 'matter';
      return isTarget
        ? standingOf(space, { source, pattern: patternOf(source), writer: 'own' }, note).known
        : 'unknown';
    },
    canVouch: false,
  });
  return drafts.flatMap((draft) => {
    const path = writeSignal(space, draft);
    const signal = path === null ? undefined : vault.catalogue.get(path);
    if (signal?.kind !== 'signal' || scene.matter === null) return [];
    if (!isListenedTo(space, signal, scene.matter)) return [];
    endQuiet(space, scene.matter);
    return [scene.matter];
  });
}
