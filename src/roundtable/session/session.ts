import { ProviderError } from '../../model/provider/provider-error.ts';
import type { Agent, AgentTool, Report } from '../../steward/ports/agent.ts';
import { Unanswered, type Usage } from '../../steward/ports/evaluator.ts';
import { reasonOf } from '../../vault/errors.ts';
import { iso } from '../../vault/time.ts';
import type { Entry, Phase, TableLog } from '../log/log.ts';
import type { Briefing } from '../notes/briefing.ts';
import type { Folder } from '../notes/folder.ts';
import { MAX_MESSAGE } from '../notes/reply.ts';

/** What one lookup gave. */
export interface Answer {
  readonly ok: boolean;
  readonly text: string;
  readonly by: string;
  readonly seconds: number;
  readonly usage: Usage | null;
}

/** Who looks into the registered files. */
export interface Evidence {
  answer(request: string, agent: string, abort: AbortSignal): Promise<Answer>;
}

/** What bounds a roundtable. Names as in the settings, where they stand there. */
export interface SessionLimits {
  readonly budget_per_agent: number;
  readonly timeout_seconds: number;
  /** How long one agent may take over one errand. */
  readonly patience_seconds: number;
}

/** What somebody who watches is told: each entry of the log, and who is about to speak. */
export type Progress =
  | Entry
  | {
      readonly what: 'turn';
      readonly round: number;
      readonly phase: Phase;
      readonly who: string;
      readonly left: number;
    };

interface SessionParts {
  readonly briefing: Briefing;
  readonly folder: Folder;
  /** Absolute path of the vault. */
  readonly root: string;
  readonly log: TableLog;
  readonly agent: Agent;
  /** Null where there is none; the log says why. */
  readonly evidence: Evidence | null;
  /** The judge's model. */
  readonly judge: string;
  readonly limits: SessionLimits;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly say: (progress: Progress) => void;
  readonly abort: AbortSignal;
}

/** What one errand came to. `text` null: no answer, for the reason given. */
export interface Heard {
  readonly text: string | null;
  readonly failure: string | null;
  readonly seconds: number;
  readonly usage: Usage | null;
}

/** Who is sent, and with what. */
interface Sent {
  readonly model: string;
  readonly system: string;
  readonly task: readonly string[];
  readonly tools: readonly AgentTool[];
}

const MAX_TOKENS = 4_000;
const MAX_TURNS = 6;

/** An entry before its time is put to it. */
export type Untimed<One extends Entry> = One extends Entry ? Omit<One, 'at'> : never;

/** One roundtable at work: its parts, and the two things that all of it does: keep the log, and send somebody. */
export class Session {
  readonly parts: SessionParts;

  constructor(parts: SessionParts) {
    this.parts = parts;
  }

  get log(): TableLog {
    return this.parts.log;
  }

  /** Adds to the log, all at once and on disk before anything else is done. */
  add(...entries: readonly Untimed<Entry>[]): void {
    const timed = entries.map((entry): Entry => ({ at: iso(this.parts.now()), ...entry }));
    if (timed.length === 0) return;
    this.log.entries.push(...timed);
    this.parts.folder.save(this.log);
    for (const entry of timed) this.parts.say(entry);
  }

  /**
   * Sends somebody and hears what they say, cut short where it is too long. Nobody's silence is an error; rejects where
   * the provider can be asked nothing just now, since all others would meet the same, and with the reason of a stop.
   */
  async hear({ model, system, task, tools }: Sent): Promise<Heard> {
    const { agent, abort, limits, now } = this.parts;
    const began = now();
    const patience = AbortSignal.timeout(limits.patience_seconds * 1000);
    const errand = {
      model,
      system: [system],
      task,
      tools: [...tools],
      maxTurns: tools.length === 0 ? 1 : MAX_TURNS,
      maxTokens: MAX_TOKENS,
      now: began,
    };
    const stop = AbortSignal.any([abort, patience]);
    try {
      const report = await heeding(stop, agent.send(errand, stop));
      return { ...wordsOf(report), seconds: this.#since(began) };
    } catch (error) {
      if (abort.aborted) throw abort.reason;
      if (patience.aborted) return this.#silent(`no answer within ${limits.patience_seconds} s`, began);
      if (meetsAll(error)) throw error;
      return this.#silent(reasonOf(error), began);
    }
  }

  #silent(failure: string, began: number): Heard {
    return { text: null, failure, seconds: this.#since(began), usage: null };
  }

  #since(began: number): number {
    return Math.max(0, this.parts.now() - began) / 1000;
  }
}

function wordsOf({ text, finished, usage }: Report): Omit<Heard, 'seconds'> {
  const whole = text.trim();
  if (whole === '') return { text: null, failure: 'it said nothing', usage };
  const isLong = whole.length > MAX_MESSAGE;
  const failure = isLong
    ? `cut short: it had ${whole.length} characters`
    : finished
      ? null
      : 'it did not come to an end';
  return { text: isLong ? whole.slice(0, MAX_MESSAGE).toWellFormed() : whole, failure, usage };
}

/** What the next errand would meet as well: no key, no money, no connection, a provider that asked us to wait. */
function meetsAll(error: unknown): boolean {
  if (!(error instanceof Unanswered)) return false;
  if (error.retryAfter !== undefined) return true;
  return !error.sent && !(error instanceof ProviderError && ['rejected', 'too-long'].includes(error.failure));
}

/** The work, or the stop's reason where that comes first, also where the work does not heed it. */
async function heeding<Result>(stop: AbortSignal, work: Promise<Result>): Promise<Result> {
  stop.throwIfAborted();
  let end: () => void = () => {};
  const stopped = new Promise<never>((_, reject) => {
    end = () => reject(stop.reason);
    stop.addEventListener('abort', end, { once: true });
  });
  try {
    return await Promise.race([work, stopped]);
  } finally {
    stop.removeEventListener('abort', end);
    work.catch(() => {}); // what it says after the stop is nobody's
  }
}
