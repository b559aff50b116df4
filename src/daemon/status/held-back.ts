import { iso } from '../../vault/time.ts';
import { type HoldingWindow, heldWords, isHoldingWindow } from '../budget/window-words.ts';
import type { Workspace } from '../context/ports.ts';

/** What has no room just now: how many, for which window of the rate guard or the budget, and until when. */
export interface HeldBack {
  /** Files that wait to be read, or notes that wait to be judged. */
  readonly what: 'files' | 'notes';
  readonly count: number;
  readonly window: string;
  readonly until: string;
  /** `60 questions a minute are reached, goes on at 09:14`. */
  readonly reason: string;
}

interface Held {
  readonly window: HoldingWindow;
  /** Epoch milliseconds. */
  readonly freeAt: number;
}

/** Returns what waits for room, each kind and window once, with the moment at which the first of it goes on. */
export function heldBack(space: Workspace): HeldBack[] {
  const now = space.context.now();
  return [...grouped('files', heldFiles(space, now), now), ...grouped('notes', heldNotes(space, now), now)];
}

// One whose time has come and that still waits has its turn as soon as those before it have had theirs.
function heldFiles({ ingest }: Workspace, now: number): Held[] {
  return [...ingest.waiting.values()].flatMap(({ window, at }) =>
    window !== null && isHoldingWindow(window) ? [{ window, freeAt: Math.max(at, now) }] : [],
  );
}

/** The notes about which it was said that there is no room, as long as that holds. */
function heldNotes({ context: { state } }: Workspace, now: number): Held[] {
  return Object.entries(state.get('guarded')).flatMap(([key, freeAt]) => {
    const window = key.slice(key.lastIndexOf(' ') + 1);
    return freeAt > now && isHoldingWindow(window) ? [{ window, freeAt }] : [];
  });
}

function grouped(what: HeldBack['what'], held: readonly Held[], now: number): HeldBack[] {
  return [...Map.groupBy(held, ({ window }) => window)].map(([window, those]) => {
    const freeAt = those.reduce((soonest, one) => Math.min(soonest, one.freeAt), Number.POSITIVE_INFINITY);
    return { what, count: those.length, window, until: iso(freeAt), reason: heldWords({ window, freeAt }, now) };
  });
}
