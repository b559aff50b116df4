import { isHandsOff } from '../../steward/changes/opt-out.ts';
import { isOpen } from '../../steward/proposals/proposal-status.ts';
import { EXIT, StewardError } from '../../vault/errors.ts';
import { editFields } from '../../vault/frontmatter/edit.ts';
import type { EventRecord, TargetRecord } from '../../vault/index/record.ts';
import { escapeMarkdown } from '../../vault/notes/escape.ts';
import { changeTable, clipped, noteText, oneLine } from '../../vault/notes/note-text.ts';
import { nameTimeExact } from '../../vault/time.ts';
import type { NoteSnapshot } from '../../vault/transaction/note-snapshot.ts';
import { textStep } from '../../vault/transaction/steps.ts';
import type { Vault } from '../../vault/watch/vault.ts';
import type { ReadAccess, Workspace, WriteAccess } from '../context/ports.ts';
import type { RetryQueue } from '../runtime/retry-queue.ts';
import type { Timers } from '../runtime/timers.ts';
import type { Held } from './convene.ts';
import { nobody } from './errors.ts';
import type { RoundtableQueue } from './roundtable-queue.ts';

/** Who sits at a table that is convened about a proposal. */
const AGENTS = [
  { name: 'advocate', role: 'argues for the change, from what the signals and the notes say' },
  { name: 'sceptic', role: 'looks for what speaks against it, and for what is missing' },
  {
    name: 'keeper',
    role: 'speaks for the person whose note it is: what is lost if the change is wrong, what can wait',
  },
];
const ROUNDS = 2;
const MOST_FILES = 80;
const MAX_REASONING = 4000;

/** What a deliberation works with. */
interface Parts {
  readonly space: Workspace;
  readonly tables: RoundtableQueue;
  readonly attempts: RetryQueue;
  readonly timers: Timers;
}

/**
 * Roundtables about proposals: where a person ticks `deliberate` on an event note, one is convened about that decision,
 * and its outcome is linked from the note as advice. It acts on nothing: the proposal waits for the person as before.
 */
export class Deliberations {
  readonly #parts: Parts;
  /** The events that are deliberated on just now. */
  readonly #held = new Set<string>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Looks at an event note: convenes what is asked for, and lets be what was answered. */
  heed(event: EventRecord): void {
    const { space } = this.#parts;
    const { path } = event;
    if (!event.fields.deliberate) space.problems.faults.delete(keyOf(path));
    if (this.#held.has(path) || !isAsked(space, event)) return;
    this.#held.add(path);
    void this.#deliberate(event)
      .catch((error: unknown) => this.#failed(event, error))
      .finally(() => this.#held.delete(path));
  }

  async #deliberate(event: EventRecord): Promise<void> {
    const { space, tables, attempts } = this.#parts;
    if (!space.context.env.provider || space.context.settings.evaluator === 'rules')
      throw nobody(Boolean(space.context.env.provider));
    const target = targetOf(space.vault, event);
    if (target === null || isHandsOff(space, target)) throw handsOff(event.path);
    const folder = `${space.vault.layout.folders.roundtable}/${event.name}`;
    space.transactions.create(`${folder}/briefing.md`, briefingOf(space, event, target)); // one that is there is gone on with
    const held = await tables.hold({ briefing: event.name, recorded: false }, matterOf(space.vault, target));
    space.problems.faults.delete(keyOf(event.path));
    attempts.add(`advice ${event.path}`, event.path, async () => this.#advise(event.path, held));
  }

  // What passes is tried again by itself; what does not is said until the box is unticked.
  #failed(event: EventRecord, error: unknown): void {
    const { attempts, timers, space, tables } = this.#parts;
    if (tables.isClosed) return; // it is gone on with at the next start
    attempts.fault(keyOf(event.path), event.path, error);
    if (!(error instanceof StewardError) || error.exit !== EXIT.tryAgain) return;
    timers.at(space.context.now() + AGAIN_MS, () => {
      const now = space.vault.catalogue.get(event.path);
      if (now?.kind === 'event') this.heed(now);
    });
  }

  /** Links the outcome from the event note, when nobody is typing in it. */
  #advise(path: string, held: Held): void {
    const { space, timers } = this.#parts;
    space.transactions.finishHeldUp();
    const note = space.notes.fresh(path);
    if (note === null || note.data.advice != null) return;
    const again = (at: number) => timers.at(at, () => this.#advise(path, held));
    if (note.settledAt > space.context.now()) again(note.settledAt);
    else if (!linked(space, note, held)) again(space.context.now() + 1000);
    else
      space.context.emit({
        what: 'deliberated',
        event: path,
        folder: held.folder,
        converged: held.ended === 'converged',
      });
  }
}

const AGAIN_MS = 60_000;

function linked(space: WriteAccess, { path, text: before }: NoteSnapshot, { folder, rounds, ended }: Held): boolean {
  const shown = ended === 'converged' ? 'they agree' : 'they do not agree';
  const advice = `[[${folder}/round-${rounds}.summary|${shown}]]`;
  const { text } = editFields(path, before, [{ op: 'set', field: 'advice', value: advice }]);
  const id = `advice-action-${nameTimeExact(space.context.now())}`;
  const steps = [textStep(path, before, text)];
  return space.transactions.commit(id, steps);
}

/** Whether an event note asks for a roundtable that it has had no answer from. */
function isAsked(space: ReadAccess, event: EventRecord): boolean {
  return event.fields.deliberate && event.fields.advice === null && isOpen(space, event);
}

function keyOf(path: string): string {
  return `deliberate ${path}`;
}

function targetOf(vault: Vault, { fields }: EventRecord): TargetRecord | null {
  const found = vault.catalogue.get(vault.catalogue.currentPath(fields.target_path ?? ''));
  return found?.kind === 'task' || found?.kind === 'matter' ? found : null;
}

function matterOf(vault: Vault, target: TargetRecord): string | null {
  return (target.kind === 'matter' ? target : vault.catalogue.matterOf(target))?.path ?? null;
}

// --- the briefing ----------------------------------------------------------------------------------------------------

function briefingOf(space: ReadAccess, event: EventRecord, target: TargetRecord): string {
  const { fields } = event;
  const changed = Object.keys(fields.changes).join(', ');
  const reasoning = space.notes.fresh(event.path)?.text.split(/\n---\r?\n/)[1] ?? '';
  const body = [
    `The steward proposes to change [[${target.name}]] (${target.kind}), and a person asked what speaks for it and against it. The decision is theirs; nothing is done here.`,
    '',
    `Decision: ${escapeMarkdown(fields.decision)} at ${fields.confidence}. What it rests on, in the words of the event note:`,
    '',
    `> ${escapeMarkdown(clipped(oneLine(reasoning), MAX_REASONING))}`,
    '',
    changeTable(fields.changes),
    '',
    '## Steward-Registered Files',
    '',
    ...filesFor(space.vault, event, target).map((file) => `- \`${file}\``),
  ];
  const question = clipped(oneLine(`Should the proposed change of ${changed} be made in ${target.name}?`), 300);
  const format = 'Short. End with what the person should do: confirm, dismiss, or wait, and for what.';
  return noteText(
    { question, agents: AGENTS, max_rounds: ROUNDS, format, about: `[[${event.name}]]` },
    body.join('\n'),
  );
}

/** The event, its note, the matter with its tasks, the signals and what they came from. */
function filesFor(vault: Vault, event: EventRecord, target: TargetRecord): string[] {
  const { catalogue } = vault;
  const matter = target.kind === 'matter' ? target : catalogue.matterOf(target);
  const named = event.fields.signals.flatMap((link) => catalogue.resolve(link, ['signal']) ?? []);
  const signals = [...named, ...catalogue.signalsFor(target)].filter((one) => one.kind === 'signal');
  const sources = signals.flatMap(({ fields }) => fields.source_event_path ?? []);
  const tasks = matter === null ? [] : catalogue.tasksOf(matter).filter(({ fields }) => fields.steward);
  const paths = [event, target, ...(matter === null ? [] : [matter]), ...signals, ...tasks].map(({ path }) => path);
  const unique = [...new Set([...paths, ...sources])];
  return unique.filter((file) => !/[`\p{Cc}*?[\]{}]/u.test(file)).slice(0, MOST_FILES);
}

function handsOff(file: string): StewardError {
  return new StewardError({
    code: 'deliberate-hands-off',
    file,
    message: 'The note of this proposal is gone, or says steward: false, so nothing of it is sent to a model.',
    hint: 'Untick deliberate, or take steward: false away.',
  });
}
