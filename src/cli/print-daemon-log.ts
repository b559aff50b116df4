import type { DaemonEvent } from '../daemon/environment.ts';
import type { Detail } from './print/print-event.ts';

type What = DaemonEvent['what'];

/** The levels of a log, with the priorities that syslog and journald give them. */
const PRIORITIES = { error: 3, warning: 4, notice: 5, info: 6 } as const;
type Level = keyof typeof PRIORITIES;

/** One line of the log for programs: a flat object; docs/service.md lists the fields of each code. */
export interface LogRecord {
  /** ISO 8601, in UTC. */
  readonly time: string;
  readonly level: Level;
  /** What happened. */
  readonly code: What | 'ended';
  readonly [field: string]: unknown;
}

/**
 * What may be told of each thing that happened in a log that others keep: notes by their paths, figures, and words that are
 * the program's own. Whatever is not listed may hold what a note, a mail, a server or a model says.
 */
const TOLD: Readonly<Record<What, readonly string[]>> = {
  started: ['vault', 'mode', 'matters'],
  stopped: [],
  recovered: ['finished', 'withdrawn'],
  'schedule-provisioned': ['name', 'cadence', 'next'],
  'schedule-removed': ['name'],
  ticked: ['name', 'targets', 'events'],
  skipped: ['name', 'reason'],
  'items-read': ['file', 'signals', 'items'],
  'stream-read': ['file', 'signals'],
  'kind-unread': ['file', 'kind'],
  'signal-written': ['signal', 'target', 'candidates'],
  'edits-passed': ['edits', 'reason'],
  asked: ['event', 'signal', 'candidates'],
  acted: ['event', 'target', 'confidence'],
  proposed: ['event', 'target', 'confidence'],
  recorded: ['event', 'target', 'confidence'],
  confirmed: ['event', 'target', 'confidence'],
  perceived: ['event', 'target'],
  dismissed: ['event', 'target'],
  closed: ['event', 'target'],
  refused: ['file', 'outcome'],
  reversed: ['event', 'outcome', 'target'],
  'roundtable-round': ['id', 'round', 'converged'],
  deliberated: ['event', 'folder', 'converged'],
  fetched: ['source', 'seen', 'taken'],
  plane: ['event', 'wants'],
  notified: ['channel', 'things'],
  notice: ['text'],
  settings: ['troubles'],
  retention: ['streamDays', 'eventDays', 'from'],
  retired: ['streams', 'events', 'signals'],
  away: ['reason'],
  back: [],
  unkept: ['again'],
  'let-go': [],
  keeping: ['vaults', 'running'],
  unsaid: ['lines', 'since', 'reason'],
  fault: ['component', 'stack', 'continued'],
  trouble: [],
};

/** What a person may want to look at later, though nothing is wrong: notes were changed, or something waits for them. */
const NOTABLE: ReadonlySet<What> = new Set([
  ...(['acted', 'confirmed', 'reversed', 'proposed', 'asked', 'perceived', 'refused'] as const),
  ...(['recovered', 'retired', 'notice', 'back', 'let-go'] as const),
]);

/** Returns how much a thing that happened matters to whoever looks after the service. */
export function levelOf({ what }: DaemonEvent): Level {
  if (what === 'away' || what === 'unkept' || what === 'fault') return 'error';
  if (what === 'trouble' || what === 'unsaid') return 'warning';
  return NOTABLE.has(what) ? 'notice' : 'info';
}

/** Returns the priority of a level, from 0 (the system is unusable) to 7, as sd-daemon(3) has them. */
export function priorityOf(level: Level): number {
  return PRIORITIES[level];
}

/** Returns the line of the log for one thing that happened. `now`: epoch ms. */
export function logRecord(event: DaemonEvent, detail: Detail, now: number): LogRecord {
  const fields = detail === 'whole' ? whole(event) : figures(event);
  return { time: new Date(now).toISOString(), level: levelOf(event), code: event.what, ...fields };
}

function whole(event: DaemonEvent): object {
  const { what, ...fields } = event;
  if ('trouble' in event) return { ...fields, ...event.trouble, trouble: event.trouble.code, code: what };
  return { ...fields, ...changed(event) };
}

function figures(event: DaemonEvent): object {
  const told = TOLD[event.what];
  const fields = Object.fromEntries(Object.entries(event).filter(([field]) => told.includes(field)));
  if ('trouble' in event) {
    const { code, file, line, column } = event.trouble;
    return { trouble: code, file, line, column, ...fields };
  }
  return { ...fields, ...changed(event) };
}

/** The names of the changed fields. */
function changed(event: DaemonEvent): object {
  return 'changes' in event ? { changed: Object.keys(event.changes) } : {};
}
