import { SILENT_MS } from '../../steward/perception/milestones.ts';
import { sentAt } from '../../steward/trust/speaker.ts';
import type { EventRecord, MatterRecord, TargetRecord } from '../../vault/index/record.ts';
import { momentOf } from '../../vault/notes/event-names.ts';
import type { IndexAccess } from '../context/ports.ts';

/**
 * Remembers when the notes were last touched that records are about which are about to leave the vault: they would seem
 * silent for longer than they are.
 */
export function rememberTouches({ vault: { catalogue }, context }: IndexAccess, events: readonly EventRecord[]): void {
  const touched = context.state.get('touched');
  for (const { name, fields } of events) {
    if (fields.perceived !== null || fields.target_path === null) continue;
    const path = catalogue.currentPath(fields.target_path);
    touched[path] = Math.max(touched[path] ?? 0, momentOf(name, fields.timestamp));
    context.state.touch('touched', path);
  }
}

/**
 * When notes were last touched: by whoever changed the file, by a signal, by an event or by a person's answer to one. What
 * the program only noticed by itself is no touch. Worked out once for each note of a tick.
 */
export class Touches {
  readonly #space: IndexAccess;
  readonly #known = new Map<string, number>();

  constructor(space: IndexAccess) {
    this.#space = space;
  }

  /** When a note was last touched (epoch ms). */
  of(target: TargetRecord): number {
    const known = this.#known.get(target.path) ?? this.#touchOf(target);
    this.#known.set(target.path, known);
    return known;
  }

  /** When a matter or any of its tasks was last touched (epoch ms). */
  ofMatter(matter: MatterRecord): number {
    return Math.max(this.of(matter), ...this.#space.vault.catalogue.tasksOf(matter).map((task) => this.of(task)));
  }

  /** Whether nothing has happened to a matter and its tasks for so long that it counts as silent. */
  isSilent(matter: MatterRecord): boolean {
    const limit = this.#space.context.now() - SILENT_MS;
    if (matter.stat.mtimeMs > limit) return false;
    return this.ofMatter(matter) <= limit;
  }

  // The signals and events are asked for only where the file itself is old: else they cannot matter.
  #touchOf(target: TargetRecord): number {
    const now = this.#space.context.now();
    const { path, stat } = target;
    if (stat.mtimeMs > now - SILENT_MS) return Math.min(stat.mtimeMs, now);
    const { catalogue } = this.#space.vault;
    const events = catalogue.eventsAbout(path).filter(({ fields }) => fields.perceived === null);
    const moments = [
      this.#space.context.state.get('touched')[path] ?? 0,
      ...catalogue.signalsFor(target).flatMap((signal) => sentAt(signal) ?? []),
      ...events.map(({ name, fields }) => momentOf(name, fields.timestamp)),
    ];
    // What lies in the future was stamped by a wrong clock.
    return Math.max(stat.mtimeMs, ...moments.filter((at) => at <= now));
  }
}
