import type { ReadAccess, Workspace, WriteAccess } from '../daemon/context.ts';
import type { RetryQueue } from '../daemon/queue.ts';
import type { Timers } from '../daemon/timers.ts';
import { isHandsOff, isOpen } from '../steward/proposals.ts';
import { eventTarget } from '../steward/records.ts';
import { findMatterPath } from '../steward/spending.ts';
import { editFields, textStep } from '../vault/edit.ts';
import { isPassing, StewardError } from '../vault/errors.ts';
import { ADVISERS, ANSWER_FORMAT, adviceLink, briefingBody, briefingQuestion } from '../vault/event-text.ts';
import { plainPath, streamFilePath } from '../vault/layout.ts';
import { noteText } from '../vault/note-text.ts';
import type { EventRecord, TargetRecord } from '../vault/record.ts';
import { isAnswerable } from '../vault/seal.ts';
import { nameTimeExact } from '../vault/time.ts';
import type { NoteSnapshot } from '../vault/transaction.ts';
import type { Vault } from '../vault/vault.ts';
import type { RoundtableRequest, RoundtableResult } from './convene.ts';
import { noModel } from './place.ts';

const ROUNDS = 2;
const MOST_FILES = 80;
const AGAIN_MS = 60_000;

interface DeliberationParts {
  readonly space: Workspace;
  readonly roundtables: {
    hold(request: RoundtableRequest, matter: string | null): Promise<RoundtableResult>;
    /** Whether the daemon is stopping. */
    readonly isClosed: boolean;
  };
  readonly retries: RetryQueue;
  readonly timers: Timers;
}

/**
 * Roundtables about proposals: when a person ticks `deliberate` on an event note, a roundtable is convened about that
 * decision, and its outcome is linked from the note as advice. The proposal still waits for the person.
 */
export class Deliberations {
  readonly #parts: DeliberationParts;
  /** The paths of the events that are being deliberated on. */
  readonly #deliberating = new Set<string>();

  constructor(parts: DeliberationParts) {
    this.#parts = parts;
  }

  /** Convenes a roundtable if the event note asks for one and has no advice yet. */
  look(event: EventRecord): void {
    const { space } = this.#parts;
    const { path } = event;
    if (!event.fields.deliberate) space.problems.faults.delete(keyOf(path));
    if (this.#deliberating.has(path) || !isAsked(space, event)) return;
    this.#deliberating.add(path);
    void this.#deliberate(event)
      .catch((error: unknown) => this.#failed(event, error))
      .finally(() => this.#deliberating.delete(path));
  }

  async #deliberate(event: EventRecord): Promise<void> {
    const { space, roundtables, retries } = this.#parts;
    if (!isAnswerable(space.context.seal, event)) throw foreignEvent(event.path);
    if (!space.context.env.provider || space.context.settings.evaluator === 'rules')
      throw noModel(Boolean(space.context.env.provider));
    const target = eventTarget(space.vault, event);
    if (target === null || isHandsOff(space, target)) throw handsOff(event.path);
    const convened = { event: event.name, text: briefingOf(space, event, target) };
    const request = { briefing: event.name, recorded: false, convened };
    const result = await roundtables.hold(request, findMatterPath(space.vault, target));
    space.problems.faults.delete(keyOf(event.path));
    retries.add(`advice ${event.path}`, event.path, async () => this.#advise(event.path, result));
  }

  // A passing trouble is tried again by itself; any other is reported until the box is unticked.
  #failed(event: EventRecord, error: unknown): void {
    const { retries, timers, space, roundtables } = this.#parts;
    if (roundtables.isClosed) return; // it continues at the next start
    retries.fault(keyOf(event.path), event.path, error);
    if (!isPassing(error)) return;
    timers.at(space.context.now() + AGAIN_MS, () => {
      const now = space.vault.catalogue.get(event.path);
      if (now?.kind === 'event') this.look(now);
    });
  }

  /** Links the outcome from the event note, when nobody is typing in it. */
  #advise(path: string, result: RoundtableResult): void {
    const { space, timers } = this.#parts;
    space.transactions.finishHeldUp([path]);
    const note = space.notes.fresh(path);
    if (note === null || note.data.advice != null) return;
    const again = (at: number) => timers.at(at, () => this.#advise(path, result));
    if (note.settledAt > space.context.now()) again(note.settledAt);
    else if (!linked(space, note, result)) again(space.context.now() + 1000);
    else
      space.context.emit({
        what: 'deliberated',
        event: path,
        folder: result.folder,
        converged: result.ended === 'converged',
      });
  }
}

// False if the note changed in between.
function linked(
  space: WriteAccess,
  { path, text: before }: NoteSnapshot,
  { folder, rounds, ended }: RoundtableResult,
): boolean {
  const advice = adviceLink(`${folder}/round-${rounds}.summary`, ended === 'converged');
  const { text } = editFields(path, before, [{ op: 'set', field: 'advice', value: advice }]);
  const id = `advice-action-${nameTimeExact(space.context.now())}`;
  const steps = [textStep(path, before, text)];
  return space.transactions.commit(id, steps);
}

function isAsked(space: ReadAccess, event: EventRecord): boolean {
  return event.fields.deliberate && event.fields.advice === null && isOpen(space, event);
}

function keyOf(path: string): string {
  return `deliberate ${path}`;
}

function briefingOf(space: ReadAccess, event: EventRecord, target: TargetRecord): string {
  const { fields } = event;
  const changed = Object.keys(fields.changes).join(', ');
  const told = space.notes.fresh(event.path)?.text.split(/\n---\r?\n/)[1] ?? '';
  const body = briefingBody({
    ...{ target: target.name, kind: target.kind, decision: fields.decision, confidence: fields.confidence },
    ...{ told, changes: fields.changes, files: filesFor(space.vault, event, target) },
  });
  const question = briefingQuestion(changed, target.name);
  return noteText(
    { question, agents: ADVISERS, max_rounds: ROUNDS, format: ANSWER_FORMAT, about: `[[${event.name}]]` },
    body,
  );
}

/**
 * The files that the agents may read: the event, its note, the matter with its tasks, the signals and their sources.
 */
function filesFor({ catalogue, layout }: Vault, event: EventRecord, target: TargetRecord): string[] {
  const matter = target.kind === 'matter' ? target : catalogue.matterOf(target);
  const weighed = event.fields.signals.flatMap((link) => catalogue.resolve(link, ['signal']) ?? []);
  const signals = [...weighed, ...catalogue.signalsFor(target)].filter((one) => one.kind === 'signal');
  const named = signals.flatMap(({ fields }) => plainPath(streamFilePath(fields.source_event_path ?? '')) ?? []);
  // Anybody may drop a signal that names some other note as its source.
  const sources = named.filter((file) => layout.kindOf(file) === 'stream');
  const tasks = matter === null ? [] : catalogue.tasksOf(matter).filter(({ fields }) => fields.steward);
  const paths = [event, target, ...(matter === null ? [] : [matter]), ...signals, ...tasks].map(({ path }) => path);
  const unique = [...new Set([...paths, ...sources])];
  return unique.filter((file) => !/[`\p{Cc}*?[\]{}]/u.test(file)).slice(0, MOST_FILES);
}

function handsOff(file: string): StewardError {
  return new StewardError({
    code: 'deliberate-hands-off',
    file,
    message: 'The note of this proposal is gone, or says steward: false, so no model sees it.',
    hint: 'Untick deliberate, or remove steward: false.',
  });
}

function foreignEvent(file: string): StewardError {
  return new StewardError({
    code: 'deliberate-foreign',
    file,
    message: 'Somebody else wrote this event note, so Steward starts no roundtable about it.',
    hint: 'Untick deliberate, or delete the note. A roundtable of your own needs a briefing: `steward roundtable BRIEFING`.',
  });
}
