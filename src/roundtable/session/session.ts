import type { RegisteredFile } from '../../evidence/files/registered.ts';
import { ProviderError } from '../../model/provider/provider-error.ts';
import type { Agent, AgentTool, Report } from '../../steward/ports/agent.ts';
import { Unanswered, type Usage } from '../../steward/ports/evaluator.ts';
import { EXIT, reasonOf, StewardError } from '../../vault/errors.ts';
import { iso } from '../../vault/time.ts';
import { type Quoted, quotedIn } from '../claims/cited-lines.ts';
import { type Entry, entriesOf, type Phase, type RoundtableLog } from '../log/log.ts';
import type { Briefing } from '../notes/briefing.ts';
import type { Folder } from '../notes/folder.ts';
import type { ResultsView } from '../notes/prompt-context.ts';
import { MAX_MESSAGE } from '../notes/reply.ts';
import { transcriptOf } from '../notes/transcript.ts';

/** The result of one lookup. `by`: who or what looked; `seconds`: for how long. */
export interface Answer {
  readonly ok: boolean;
  readonly text: string;
  readonly by: string;
  readonly seconds: number;
  readonly usage: Usage | null;
}

/** Looks things up in the registered files. */
export interface Evidence {
  /** The registered files themselves, in which places that are cited are looked for. */
  readonly files: readonly RegisteredFile[];
  /** Looks up one request of an agent. Rejects with the reason of the signal. */
  answer(request: string, agent: string, abort: AbortSignal): Promise<Answer>;
}

/** The limits of a roundtable. Those that are settings have the names of the settings. */
export interface SessionLimits {
  readonly budget_per_agent: number;
  readonly timeout_seconds: number;
  /** How long one agent may take to answer. */
  readonly patience_seconds: number;
}

/** What is reported while a roundtable runs: each entry of the log, and who speaks next. */
export type Progress =
  | Entry
  | {
      readonly what: 'turn';
      readonly round: number;
      readonly phase: Phase;
      readonly who: string;
      readonly left: number;
    };

/** How a roundtable is held. */
export interface SessionSettings {
  readonly limits: SessionLimits;
  readonly models: { readonly agents: string; readonly judge: string };
  /** Why there is no evidence; null where there is some. */
  readonly noEvidence: string | null;
  /** Whether the agents' replies come from a file. */
  readonly recorded: boolean;
}

/** What a roundtable works with. */
export interface SessionParts {
  readonly briefing: Briefing;
  readonly folder: Folder;
  readonly agent: Agent;
  /** Null where there is none; the settings say why. */
  readonly evidence: Evidence | null;
  readonly settings: SessionSettings;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly say: (progress: Progress) => void;
  readonly abort: AbortSignal;
}

/** The result of one turn. `text` is null where there was no answer; `failure` says why. */
export interface Heard {
  readonly text: string | null;
  readonly failure: string | null;
  readonly seconds: number;
  readonly usage: Usage | null;
  /** The files of the roundtable that were opened; absent where none was. */
  readonly read?: string[];
}

/** One turn of a model: its prompt and its tools. */
interface Turn {
  readonly model: string;
  readonly system: string;
  readonly task: readonly string[];
  readonly tools: readonly AgentTool[];
}

const MAX_TOKENS = 4_000;
const MAX_TURNS = 6;

/** An entry without its time. */
export type Untimed<One extends Entry> = One extends Entry ? Omit<One, 'at'> : never;

/** One running roundtable: its parts, its log, and the way an agent is asked. */
export class Session {
  readonly parts: SessionParts;
  readonly log: RoundtableLog;
  #quoted: ResultsView | null = null;

  constructor(parts: SessionParts, log: RoundtableLog) {
    this.parts = parts;
    this.log = log;
  }

  get limits(): SessionLimits {
    return this.parts.settings.limits;
  }

  /** What was cited in the rounds before one. They are closed, so it is worked out once. */
  quotedBefore(round: number): Quoted {
    if (this.#quoted?.round === round) return this.#quoted.quoted;
    const { log, parts } = this;
    const said = transcriptOf(log, parts.folder).filter((one) => one.round < round);
    const judged = entriesOf(log, 'said').filter((one) => one.who === 'judge' && one.round < round);
    const quoted = quotedIn([...said, ...judged].flatMap(({ text }) => text ?? []));
    this.#quoted = { round, quoted };
    return quoted;
  }

  /**
   * Adds entries to the log in one write. They are on disk when this returns. Throws a `StewardError` where it fails.
   */
  add(...entries: readonly Untimed<Entry>[]): void {
    const timed = entries.map((entry): Entry => ({ at: iso(this.parts.now()), ...entry }));
    if (timed.length === 0) return;
    this.log.entries.push(...timed);
    this.parts.folder.save(this.log);
    for (const entry of timed) this.parts.say(entry);
  }

  /**
   * Asks a model and returns what it says, cut short where it is too long. Silence is not an error. Rejects where the
   * provider takes no requests at present, since every other turn would fail too, and with the reason of the abort signal.
   */
  async hear({ model, system, task, tools }: Turn): Promise<Heard> {
    const { agent, abort, now } = this.parts;
    const { patience_seconds } = this.limits;
    const began = now();
    const patience = AbortSignal.timeout(patience_seconds * 1000);
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
      const report = await raced(stop, agent.send(errand, stop));
      return { ...readReport(report), seconds: this.#since(began) };
    } catch (error) {
      if (abort.aborted) throw abort.reason;
      if (patience.aborted) return this.#silent(`no answer within ${patience_seconds} s`, began);
      if (concernsAll(error)) throw error;
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

function readReport({ text, finished, usage }: Report): Omit<Heard, 'seconds'> {
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

/**
 * Whether the next turn would fail for the same reason: no key, no money, no connection, the provider asks to wait, or what
 * is asked of the vault cannot be done just now.
 */
function concernsAll(error: unknown): boolean {
  if (error instanceof StewardError) return error.exit === EXIT.tryAgain;
  if (!(error instanceof Unanswered)) return false;
  if (error.retryAfter !== undefined) return true;
  return !error.sent && !(error instanceof ProviderError && ['rejected', 'too-long'].includes(error.failure));
}

/**
 * Returns the result of the work. Rejects with the reason of the stop signal where that fires first, even if the work
 * ignores it.
 */
async function raced<Result>(stop: AbortSignal, work: Promise<Result>): Promise<Result> {
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
    work.catch(() => {}); // a failure after the stop concerns no caller
  }
}
