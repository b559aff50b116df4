import { setTimeout as wait } from 'node:timers/promises';
import type { Workspace } from '../daemon/context.ts';
import { classifyChanges, type FieldEditLike, inOwnNames, mutationContext, permit } from '../steward/change.ts';
import { externalEffect, withRevert } from '../steward/event-note.ts';
import { currentMode, recordedMode } from '../steward/gates.ts';
import { OTHER_REASONS } from '../steward/inbox-words.ts';
import { findInstinct, recorded } from '../steward/instinct.ts';
import { senderStanding } from '../steward/licence.ts';
import { LESSON_WORDS, lessonField, reportLesson, teachOutcome } from '../steward/outcomes.ts';
import { handsOffReason, supersedes, withoutPending } from '../steward/proposals.ts';
import { matterField } from '../steward/records.ts';
import type { AnswerRecord, Meaning, StreamEvent } from '../steward/types.ts';
import { readItem } from '../streams/items.ts';
import { findReader } from '../streams/kinds.ts';
import { parsedStream } from '../streams/read-stream.ts';
import { appliedSignal, makeDrafts, type SignalDraft } from '../streams/signal.ts';
import { isNamed, STREAMS } from '../streams/state.ts';
import { MAX_MAIL_BYTES, senderPattern } from '../streams/stream.ts';
import { syncTargets } from '../streams/target-sync.ts';
import { makePatch, makeRecipe } from '../undo/recipe.ts';
import { editFields, textStep } from '../vault/edit.ts';
import { isRefusal, StewardError } from '../vault/errors.ts';
import { boxFields, EVENT_CLASSES, saysField, TAUGHT, taughtBody, undoable } from '../vault/event-text.ts';
import { readInside } from '../vault/files.ts';
import type { Changes } from '../vault/frontmatter.ts';
import { fold, parseItemPath, stem } from '../vault/layout.ts';
import { wikilink } from '../vault/links.ts';
import { briefly, changeLine, cutAt, linkTo, noteText, plainText, sha256, spokenFields } from '../vault/note-text.ts';
import type { FieldChange, TargetRecord } from '../vault/record.ts';
import { sealEvent } from '../vault/seal.ts';
import { parsePattern, sourceName } from '../vault/source-names.ts';
import { utc } from '../vault/time.ts';
import type { NoteSnapshot } from '../vault/transaction.ts';
import { findBySubject } from './ledger.ts';

interface TeachRequest {
  readonly mail: string;
  readonly task: string;
  readonly set: Readonly<Record<string, string>>;
}

/**
 * Makes a change that a mail meant, with the user's authority, in any mode, and teaches that its sender was right (contract,
 * section 8). Leaves an event note with a recipe, and a signal that the mail gave after all. Waits for a note that is
 * being edited. Throws `mail-unknown`, `mail-ambiguous`, `mail-unreadable`, `note-unknown`, and what the disk refuses.
 */
export async function teach(space: Workspace, asked: TeachRequest): Promise<AnswerRecord> {
  const target = targetNamed(space, asked.task);
  const event = await eventAt(space, await mailNamed(space, asked.mail));
  const deadline = space.context.now() + 2 * space.context.settings.settle_seconds * 1000 + 2000;
  for (;;) {
    const given = space.transactions.attempt([target.path], () => taughtBy(space, event, target, asked.set));
    const until = given === null ? space.context.now() + 1000 : given.until;
    if (given !== null && (until === null || until > deadline)) return given;
    if (given === null && space.context.now() > deadline)
      return refused(event, target, 'The note keeps changing; try again.');
    await wait(Math.max(20, (until ?? 0) - space.context.now()));
  }
}

function targetNamed({ vault }: Workspace, written: string): TargetRecord {
  const found = vault.catalogue.resolve(written, ['task', 'matter']);
  if (found?.kind === 'task' || found?.kind === 'matter') return found;
  throw new StewardError({
    code: 'note-unknown',
    message: `There is no task or matter named "${written}".`,
    hint: 'Give its name, its path in the vault, or a link such as "[[name]]".',
  });
}

const MOST_NAMED = 5;

/** Returns the path of the stream file, or of the event in one, that a text means: its path, its name, a part of it, or of its subject. */
async function mailNamed(space: Workspace, written: string): Promise<string> {
  const { vault, ingest } = space;
  const item = parseItemPath(written);
  if (item !== null && vault.streams.has(item.file)) return written;
  const files = [...vault.streams.keys()];
  const exact = vault.streams.has(written) ? [written] : files.filter((file) => isNamed(file, written));
  const part = fold(written);
  const named = exact.length > 0 ? exact : files.filter((file) => fold(file).includes(part));
  const found = named.length > 0 ? named : (await findBySubject(space, written)).map(({ path }) => path);
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  if (only !== undefined)
    throw new StewardError({
      code: 'mail-ambiguous',
      message: `${found.length} events fit "${written}": ${found.toSorted().slice(0, MOST_NAMED).join(', ')}.`,
      hint: 'Give the path of one of them; `steward ledger --json` shows the paths.',
    });
  const gone = ingest.trail.find(written);
  throw new StewardError({
    code: 'mail-unknown',
    message: gone === null ? `No received event is named "${written}".` : `${gone.file} has left the vault.`,
    hint: 'Give the name of a file in stream/, or a unique part of it or of the subject: see `steward ledger`.',
  });
}

async function eventAt(space: Workspace, path: string): Promise<StreamEvent> {
  const item = parseItemPath(path);
  if (item !== null && !space.vault.streams.has(path)) {
    const found = await readItem(space, item);
    if (found !== null) return found.event;
    throw unreadable(path, 'the event is not in it any more');
  }
  const reader = findReader(space.ingest.readers, path);
  if (reader === null)
    throw unreadable(path, 'it has many events, or is of an unknown kind: name one of its events, FILE#ID');
  const { bytes, stat } = readInside(space.vault.root, path, MAX_MAIL_BYTES);
  const form = { size: stat.size, mtimeMs: stat.mtimeMs, sha256: sha256(bytes), at: space.context.now() };
  const opened = await parsedStream(space, reader, path, bytes, form);
  if (opened.kind === 'none') throw unreadable(path, opened.refused ?? opened.skipped ?? 'it has no event');
  if (opened.event.ownNote) throw unreadable(path, 'Steward wrote it itself');
  return opened.event;
}

function unreadable(file: string, why: string): StewardError {
  const hint = '`steward ledger --json` shows the paths of single events.';
  return new StewardError({
    code: 'mail-unreadable',
    file,
    message: `It can't be taught what this means: ${why}.`,
    hint,
  });
}

/** Returns what came of it; null if the note changed before anything was written. */
function taughtBy(
  space: Workspace,
  event: StreamEvent,
  target: TargetRecord,
  set: TeachRequest['set'],
): AnswerRecord | null {
  const off = handsOffReason(space, target);
  if (off !== null) return refused(event, target, off);
  const note = space.notes.fresh(target.path);
  if (note === null) return refused(event, target, 'The note is gone, or cannot be read just now.');
  if (note.settledAt > space.context.now())
    return { ...refused(event, target, `${target.path} is being edited.`), outcome: 'settling', until: note.settledAt };
  const context = mutationContext(space, target, note.data);
  const asked = Object.entries(set).map(([field, value]) => changeOf(field, value));
  const permission = inOwnNames(permit(asked, context), context, space.context.settings.field_mapping);
  if (!permission.ok) return refused(event, target, permission.reason);
  if (permission.edits.length === 0) return refused(event, target, 'The note says so already.');
  try {
    return carryOut(space, { event, target, note, asked, edits: permission.edits, changes: permission.changes });
  } catch (error) {
    if (isRefusal(error)) return refused(event, target, error.message);
    throw error;
  }
}

// What is related is a list: one is added to it.
function changeOf(field: string, value: string): FieldChange {
  const isList = classifyChanges([{ field }]) === 'related';
  return isList ? { field, op: 'add', value: [value] } : { field, op: 'set', value };
}

interface Plan {
  readonly event: StreamEvent;
  readonly target: TargetRecord;
  readonly note: NoteSnapshot;
  readonly asked: readonly FieldChange[];
  readonly edits: readonly FieldEditLike[];
  readonly changes: Changes;
}

function carryOut(space: Workspace, plan: Plan): AnswerRecord | null {
  const { event, target, note, edits, changes } = plan;
  const now = space.context.now();
  const source = sourceName(event.sourceType, senderPattern(event));
  const made = { changes, signals: [], speakers: null, perceived: null };
  const bare = withoutPending(space, note, (other) => supersedes(made, other));
  const edited = editFields(note.path, bare, edits);
  const recipe = makeRecipe(makePatch(note.path, bare, edited.text, edited.patch), now);
  const path = space.transactions.eventPath('signal-action-confirmed', target.path, now);
  const draft = draftFor(space, plan);
  const signal = draft === null ? null : appliedSignal(space, draft, path, now);
  const taught = teachOutcome(
    space,
    { [source]: 1 },
    {
      ...{ outcome: 'right', at: now, by: 'command', about: target.path, gesture: new Set() },
      what: `${LESSON_WORDS.taught} ${linkTo(stem(path))}`,
    },
  );
  const effect = currentMode(space.context, null) === 'shadow' ? null : externalEffect(space, target, changes);
  const becoming = undoable('change', recipe);
  const said = { from: draft?.from ?? event.from, others: 0, quote: draft?.raw_quote ?? null };
  const fields = {
    ...boxFields(becoming),
    change: changeLine(changes),
    ...spokenFields(said),
    outcome: 'confirmed',
    cssclasses: EVENT_CLASSES,
    type: 'signal-action-confirmed',
    timestamp: utc(now),
    ...matterField(space.vault, target.path),
    confirmed_by: 'command',
    target: space.vault.catalogue.linkTo(target.path),
    target_path: target.path,
    decision: classifyChanges(plan.asked),
    confidence: 1,
    mode: recordedMode(space.context),
    changes: briefly(changes),
    evidence: [{ source, ref: event.path, note: TAUGHT.evidence }],
    source_contributions: { [source]: 1 },
    signals: draft === null ? [] : [wikilink(space.transactions.signalPath(draft.id))],
    evaluator: TAUGHT.evaluator,
    ...recorded(taught.calibrations),
    lesson: lessonField('command', taught),
    taught: taught.senders.length > 0 ? 'right' : 'nothing',
    taught_by: TAUGHT.by,
    taught_at: utc(now),
    ...(bare === note.text ? {} : { pending_cleared: true }),
    plane_action: effect?.action ?? null,
    ...saysField(becoming),
    undo_recipe: withRevert(recipe, effect, path),
  };
  const body = taughtBody(
    { event: event.path, target: target.name, changes, from: said.from, quote: said.quote },
    becoming,
  );
  const text = noteText(sealEvent(space.context.seal, path, fields), body);
  const steps = [
    textStep(note.path, note.text, edited.text),
    { do: 'create' as const, path, text },
    ...(signal === null ? [] : [signal]),
    ...taught.steps,
  ];
  if (!space.transactions.commit(path, steps)) return null;
  if (signal !== null) countAsRead(space, event.path);
  space.vault.look([path, ...(signal === null ? [] : [signal.path])]);
  const told = { event: path, target: target.path, decision: fields.decision, confidence: 1, changes };
  space.context.emit({ what: 'confirmed', ...told, reason: TAUGHT.reason });
  reportLesson(space, taught, 'right', path);
  return {
    ...refused(event, target, TAUGHT.done),
    outcome: 'confirmed',
    event: stem(path),
    note: path,
    changes,
    calibration: recorded(taught.calibrations).calibration,
    untaught: taught.untaught,
  };
}

const MAX_QUOTE = 50;

function draftFor(space: Workspace, { event, target, asked }: Plan): SignalDraft | null {
  const quote = cutAt(
    plainText(event.subject || event.text)
      .replace(/\s+/g, ' ')
      .trim(),
    MAX_QUOTE,
  ).trimEnd();
  const listed = asked.filter(({ op }) => op === 'add').map(({ field, value }) => [field, [value].flat().map(String)]);
  const proposal = {
    class: classifyChanges(asked),
    set: Object.fromEntries(asked.filter(({ op }) => op === 'set').map(({ field, value }) => [field, value])),
    add: Object.fromEntries(listed),
    remove: {},
  };
  const meaning: Meaning = {
    ...{ target: target.path, candidates: [target.path], ambiguous: false, targetConfidence: 1 },
    ...{ targetEvidence: ['link'], targetNear: true, endsMatter: false, quote, proposal },
    ...{ effectConfidence: 1, reasoning: TAUGHT.evidence },
  };
  const read = { meanings: [meaning], skipped: null, rejected: [], unusable: null, usage: null };
  const [draft] = makeDrafts(event, { ...read, extractor: 'none: you said it' }, syncTargets(space).index, {
    now: new Date(space.context.now()),
    confidenceOf: (source) => findInstinct(space, source).confidence,
    standingOf: (source) => senderStanding(space, { source, pattern: parsePattern(source), writer: 'own' }, target),
  });
  if (draft === undefined) return null;
  // The user has said what it means: nothing about it is doubtful.
  const { doubts, ...certain } = draft;
  return certain;
}

// It gave a signal now: it is no longer among those that gave no signal.
function countAsRead({ context: { state }, ingest }: Workspace, path: string): void {
  const item = parseItemPath(path);
  const file = item?.file ?? path;
  const read = state.get(STREAMS)[file];
  if (read === undefined) return;
  const entry = item === null ? null : ingest.trail.find(path);
  if (read.items !== null && entry !== null) {
    const counts = entry.kind === 'not-read' ? read.items.unread : read.items.aside;
    if (entry.kind !== 'not-read') read.items.none = Math.max(0, read.items.none - 1);
    const reason = Object.hasOwn(counts, entry.reason) ? entry.reason : OTHER_REASONS;
    if ((counts[reason] ?? 0) > 0) counts[reason] = (counts[reason] ?? 0) - 1;
  }
  read.signals += 1;
  state.touch(STREAMS, file);
}

function refused(event: StreamEvent, target: TargetRecord, message: string): AnswerRecord {
  return {
    ...{ event: event.path, outcome: 'refused', note: null, target: target.path, changes: {} },
    ...{ calibration: {}, untaught: null, message, until: null },
  };
}
