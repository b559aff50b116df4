import { withSection } from '../steward/attention/section.ts';
import { type Shown, withDigest } from '../steward/attention.ts';
import { SETTINGS_FILE } from '../vault/layout.ts';
import { inSlices } from '../vault/slices.ts';
import { nameTimeExact } from '../vault/time.ts';
import { textStep } from '../vault/transaction/steps.ts';
import type { NoteSnapshot } from '../vault/transaction.ts';
import type { DatedDiagnostic, Workspace } from './context.ts';
import { showing, shownNow } from './perception-shown.ts';
import type { RetryQueue } from './queues.ts';
import { waitingNow } from './status/waiting-now.ts';
import { problemsOf, recordProblemsInTurns } from './status.ts';
import type { Timers } from './timers.ts';

/**
 * Keeps the list of what waits, and the digest of what was seen, in `steward.md`: each between its marks and only where
 * they are. Returns when to look again
 * (epoch ms) where somebody is editing the page, else null. Writes nothing where the list is as it was.
 */
export function keepFrontPage(space: Workspace): number | null {
  const page = space.notes.fresh(SETTINGS_FILE);
  if (page === null) return null;
  return keepPage(space, page, { shown: hasDigest(page.text) ? shownNow(space) : null });
}

/** Does the same, and lets others have their turn while it looks for what is wrong and what was seen. */
async function keepFrontPageInTurns(space: Workspace): Promise<number | null> {
  const page = space.notes.fresh(SETTINGS_FILE);
  if (page === null) return null;
  const records = withSection(page.text, []) === null ? [] : await recordProblemsInTurns(space);
  return keepPage(space, page, { records, shown: hasDigest(page.text) ? await inSlices(showing(space)) : null });
}

function hasDigest(text: string): boolean {
  return withDigest(text, []) !== null;
}

/** What the page tells of, worked out before. */
interface Told {
  readonly records?: readonly DatedDiagnostic[];
  readonly shown: readonly Shown[] | null;
}

// A page that is edited meanwhile is left as it is, and looked at again.
function keepPage(space: Workspace, page: NoteSnapshot, told: Told): number | null {
  const text = pageNow(space, page.text, told);
  if (text === page.text) return null;
  const now = space.context.now();
  if (page.settledAt > now) return page.settledAt;
  space.transactions.finishHeldUp([page.path]);
  const id = `attention-${nameTimeExact(now)}-front-page`;
  return space.transactions.commit(id, [textStep(page.path, page.text, text)]) ? null : now + 1000;
}

function pageNow(space: Workspace, text: string, { records, shown }: Told): string {
  const digest = withDigest(text, shown) ?? text;
  if (withSection(digest, []) === null) return digest;
  return withSection(digest, waitingNow(space, problemsOf(space, records))) ?? digest;
}

interface FrontPageParts {
  readonly space: Workspace;
  readonly retries: RetryQueue;
  readonly timers: Timers;
}

/** A look that takes longer than this, in ms, is not made again at once: in a large vault, the list may lag behind. */
const QUICK_MS = 20;
/** How much longer than the look itself the pause after it is. */
const PAUSE = 50;

/** Keeps the list in `steward.md` while the daemon runs. */
export class FrontPage {
  readonly #parts: FrontPageParts;
  #isQueued = false;
  /** Epoch milliseconds. */
  #notBefore = 0;

  constructor(parts: FrontPageParts) {
    this.#parts = parts;
  }

  /** Brings the list up to date, behind what is already to be done. */
  look(): void {
    const { space, timers } = this.#parts;
    if (this.#isQueued) return;
    this.#isQueued = true;
    if (space.context.now() >= this.#notBefore) this.#add();
    else timers.at(this.#notBefore, () => this.#add());
  }

  #add(): void {
    const { space, retries, timers } = this.#parts;
    retries.add('front page', SETTINGS_FILE, async () => {
      this.#isQueued = false;
      const began = performance.now();
      const until = await keepFrontPageInTurns(space);
      const took = performance.now() - began;
      this.#notBefore = took > QUICK_MS ? space.context.now() + took * PAUSE : 0;
      if (until !== null) timers.at(until, () => this.look());
    });
  }
}
