import { kindOf } from '../../stream/endings.ts';
import { iso } from '../../vault/time.ts';
import type { Workspace } from '../context/ports.ts';
import type { StreamRead } from '../context/remembered/stream-read.ts';

/** What has become of the files of the stream so far. */
export interface StreamCounts {
  readonly seen: number;
  readonly read: number;
  readonly signals: number;
  readonly skipped: number;
  /** The events that were looked at in files that hold many. */
  readonly events: number;
  readonly refused: readonly { readonly file: string; readonly reason: string }[];
  /** Files of kinds that are not read, the most frequent kind first: neither read nor skipped. */
  readonly unreadKinds: readonly UnreadKind[];
  /** When the newest file that was read came (ISO, UTC); null where none was. */
  readonly newest: string | null;
  /** Files that are unread because no model can be asked about them at the moment. */
  readonly waiting: readonly { readonly file: string; readonly reason: string }[];
}

interface UnreadKind {
  /** `.pages` */
  readonly kind: string;
  readonly files: number;
}

/** Returns what has become of the files of the stream so far. */
export function streamsOf(space: Pick<Workspace, 'context' | 'vault' | 'ingest'>): StreamCounts {
  const remembered = space.context.state.get('streams');
  const counts = { read: 0, signals: 0, skipped: 0, events: 0 };
  const refused: StreamCounts['refused'][number][] = [];
  const unread: string[] = [];
  let newest = 0;
  // One way through all of them, and no lists of all of them: there may be a hundred thousand.
  for (const file of space.vault.streams.keys()) {
    const one = remembered[file];
    if (one === undefined) continue;
    counts.signals += one.signals;
    counts.events += one.items?.read ?? 0;
    refused.push(...refusalOf(file, one));
    if (one.tried !== null && one.refused === null) unread.push(file);
    else {
      counts.read += 1;
      newest = Math.max(newest, one.mtimeMs);
      if (one.skipped !== null) counts.skipped += 1;
    }
  }
  const waiting = [...space.ingest.waiting].map(([file, { reason }]) => ({ file, reason }));
  return {
    seen: space.vault.streams.size,
    ...counts,
    refused,
    unreadKinds: kindsOf(unread),
    waiting,
    newest: momentOr(newest),
  };
}

// A file may claim to be of any year.
function momentOr(ms: number): string | null {
  return ms > 0 && ms < 8.64e15 ? iso(ms) : null;
}

/** Why a file is not read, or some of the events in it. */
function refusalOf(file: string, { refused, items }: StreamRead): StreamCounts['refused'] {
  if (refused !== null) return [{ file, reason: refused }];
  const [first] = items?.troubles ?? [];
  if (items == null || first === undefined) return [];
  const count = items.refused === 1 ? 'one of its events' : `${items.refused} of its events`;
  return [{ file, reason: `${count} cannot be read; ${first.place}: ${first.reason}` }];
}

function kindsOf(files: readonly string[]): UnreadKind[] {
  return [...Map.groupBy(files, kindOf)]
    .map(([kind, all]) => ({ kind, files: all.length }))
    .sort((one, other) => other.files - one.files || (one.kind < other.kind ? -1 : 1));
}
