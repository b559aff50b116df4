import { isHandsOff } from '../../steward/changes/opt-out.ts';
import { instinctOf } from '../../steward/learning/sources.ts';
import { waitingAbout } from '../../steward/proposals/proposal-status.ts';
import { isLiving } from '../../steward/proposals/put-off.ts';
import { standingOf } from '../../steward/trust/licence.ts';
import { draftsOf } from '../../stream/draft.ts';
import { type EditKind, editOf, isReopened } from '../../stream/edits/edit.ts';
import { quoteOf } from '../../stream/edits/quote.ts';
import { type EditScene, leavesNothing, readEdit } from '../../stream/edits/reading.ts';
import { booked, MOST_AT_ONCE, roomFor } from '../../stream/edits/room.ts';
import { readNote } from '../../vault/frontmatter/parse.ts';
import type { MatterRecord, TargetRecord } from '../../vault/index/record.ts';
import { patternOf } from '../../vault/source-names.ts';
import { localDate } from '../../vault/time.ts';
import type { IndexAccess, ReadAccess, Workspace, WriteAccess } from '../context/ports.ts';
import { isListenedTo } from '../decide/fresh-signals.ts';
import { writeSignal } from '../ingest/signal-note.ts';
import { targetsOf } from '../ingest/target-sync.ts';
import { endQuiet } from '../schedule/due.ts';
import { isHeard, isWrittenByProgram } from './whose.ts';

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
