import { NEWS_MS } from '../../../src/steward/schedule.ts';
import { DEFAULT_SETTINGS, isQuiet } from '../../../src/steward/settings.ts';
import { nextAt, quietUntil } from '../../../src/vault/time.ts';
import type { InventedVault, Nudge, Span } from '../traffic/invented-vault.ts';
import { MatterClock } from './matter-clock.ts';
import type { Recall } from './recall.ts';
import { CAUSES, type Cause, type Tally } from './tally.ts';

/** 22:00–07:00. */
const AT_NIGHT = { ...DEFAULT_SETTINGS, quiet_hours: { from: 22 * 60, to: 7 * 60 } };
/** An edit is read when its note has kept still for three times the settle window. */
const RESTS = 3;
/** The longest a visit waits, in all, for what is due soon. */
const LONGEST_VISIT_MS = 60_000;

/** How a visit is made. */
export interface VisitPace {
  /** How long (ms) it takes from the wake until it would leave. */
  readonly work: number;
  /** What is due within so many ms is waited for. */
  readonly linger: number;
  /** So long (ms) after a visit there is another for what is tidied up once in a while; null: there is none. */
  readonly housekeeping: number | null;
  /** So late (ms) a period may be kept, so that one wake serves several of them. */
  readonly slack: number;
}

interface Due {
  readonly at: number;
  readonly cause: Cause;
}

/** One vault through a day: it sleeps until something is due or comes in, and is visited then. */
export class VaultDay {
  readonly #vault: InventedVault;
  readonly #matters: readonly MatterClock[];
  readonly #from: number;
  readonly #to: number;
  readonly #pace: VisitPace;
  readonly #tally: Tally;
  /** Edits whose notes are still to come to rest, in the order of their time. */
  readonly #resting: Nudge[] = [];
  /** When news about tasks is evaluated, in the order of its time. */
  readonly #news: number[] = [];
  #taken = 0;
  #digest: number | null;
  #poll: number | null;
  #housekeeping: number | null = null;

  constructor(
    vault: InventedVault,
    { span, pace, tally, recall }: { span: Span; pace: VisitPace; tally: Tally; recall: Recall },
  ) {
    this.#vault = vault;
    this.#from = span.from;
    this.#to = span.to;
    this.#pace = pace;
    this.#tally = tally;
    this.#matters = vault.matters.map((matter) => new MatterClock(matter, span, recall));
    this.#digest = vault.digestAt === null ? null : nextAt(vault.digestAt, span.from + 1);
    this.#poll = vault.poll === null ? null : span.from + vault.poll.first;
  }

  /** Steps through the time that it was made for. `share`: of the time by which wakes are spread, what this vault takes. */
  run(share: number): void {
    if (this.#pace.housekeeping !== null) this.#housekeeping = this.#from + this.#pace.housekeeping * share;
    for (let wake = this.#first(); wake !== null && wake.at < this.#to; wake = this.#first()) {
      this.#tally.wake(wake.at, wake.cause, this.#vault.liveliness, share);
      this.#tally.stay(wake.at, this.#visit(wake.at));
    }
  }

  // Returns when the vault is left again: when nothing has come in meanwhile, and nothing is due soon.
  #visit(from: number): number {
    this.#housekeeping = this.#pace.housekeeping === null ? null : from + this.#pace.housekeeping;
    for (let at = from; ; ) {
      this.#carryOn(at);
      const leaves = at + this.#pace.work;
      const due = this.#due()?.at ?? Number.POSITIVE_INFINITY;
      const isSoon = due <= Math.min(leaves + this.#pace.linger, from + LONGEST_VISIT_MS);
      const coming = this.#coming()?.at ?? Number.POSITIVE_INFINITY;
      if (coming > (isSoon ? due : leaves) && !isSoon) return leaves;
      at = Math.max(at, Math.min(due, coming));
    }
  }

  // Does all that is due, and takes up what has come in.
  #carryOn(now: number): void {
    for (let nudge = this.#coming(); nudge !== null && nudge.at <= now; nudge = this.#coming()) {
      this.#taken += 1;
      this.#take(nudge, now);
    }
    while (this.#resting[0] !== undefined && restedAt(this.#resting[0]) <= now) this.#read(this.#resting.shift(), now);
    while ((this.#news[0] ?? now + 1) <= now) this.#news.shift();
    for (const matter of this.#matters) if (matter.next !== null && matter.next <= now) this.#tick(matter, now);
    if (this.#digest !== null && this.#digest <= now) this.#digest = nextAt(this.#vault.digestAt ?? 0, now + 1);
    if (this.#poll !== null && this.#poll <= now) this.#poll = now + (this.#vault.poll?.every ?? 0);
  }

  #tick(matter: MatterClock, now: number): void {
    if (this.#isQuiet(now)) matter.skip(now);
    else {
      matter.tick(now);
      this.#tally.tick(now);
    }
  }

  #take(nudge: Nudge, now: number): void {
    const matter = this.#matters[nudge.matter ?? -1];
    if (nudge.kind === 'edit') {
      this.#resting.push(nudge);
      if (nudge.change !== null && nudge.task !== null) matter?.change(nudge.task, nudge.change, now);
    } else if (nudge.signal !== null) this.#hear(nudge, nudge.signal === 'weak' || this.#isQuiet(now), now);
  }

  #read(edit: Nudge | undefined, now: number): void {
    if (edit?.signal != null) this.#hear(edit, true, now);
  }

  #hear({ matter, task }: Nudge, waits: boolean, now: number): void {
    if (this.#matters[matter ?? -1]?.hear(task, waits, now) !== true) return;
    const quiet = this.#vault.isQuietAtNight ? quietUntil(AT_NIGHT.quiet_hours, now) : null;
    this.#news.push((quiet ?? now) + NEWS_MS);
  }

  #isQuiet(now: number): boolean {
    return this.#vault.isQuietAtNight && isQuiet(AT_NIGHT, now);
  }

  #coming(): Nudge | null {
    return this.#vault.nudges[this.#taken] ?? null;
  }

  #first(): Due | null {
    const coming = this.#coming();
    const due = this.#due();
    if (coming === null) return due;
    return due !== null && due.at <= coming.at ? due : { at: coming.at, cause: coming.kind };
  }

  // What is due next by itself. Where several things are due at one moment, the cause that stands first is named.
  #due(): Due | null {
    let [at, cause]: [number, Cause] = [Number.POSITIVE_INFINITY, 'period'];
    const offer = (moment: number | null, why: Cause) => {
      if (moment === null || moment > at) return;
      if (moment < at || CAUSES.indexOf(why) < CAUSES.indexOf(cause)) [at, cause] = [moment, why];
    };
    for (const { next, cause: why, isCommon } of this.#matters) {
      const isPeriod = why === 'period';
      offer(next === null || !isPeriod ? next : next + this.#pace.slack, isPeriod && isCommon ? 'common' : why);
    }
    offer(this.#digest, 'digest');
    offer(this.#poll, 'poll');
    offer(this.#housekeeping, 'housekeeping');
    if (this.#resting[0] !== undefined) offer(restedAt(this.#resting[0]), 'settling');
    offer(this.#news[0] ?? null, 'news');
    return at === Number.POSITIVE_INFINITY ? null : { at, cause };
  }
}

function restedAt({ at }: Nudge): number {
  return at + RESTS * DEFAULT_SETTINGS.settle_seconds * 1000;
}
