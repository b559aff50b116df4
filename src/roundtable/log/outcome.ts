import type { Debate } from './debate.ts';
import { entriesOf, type Ran, type RoundtableLog } from './log.ts';
import { debateOf } from './log-fold.ts';

/** The outcome of a roundtable, as reported to whoever asked for it. */
export interface Outcome {
  readonly id: string;
  readonly question: string;
  readonly recorded: boolean;
  /** Null while it is still going on. */
  readonly ended: 'converged' | 'max_rounds' | null;
  readonly rounds: number;
  readonly debate: Debate;
  readonly files: { readonly own: number; readonly fallback: number; readonly missing: number };
  readonly requests: {
    readonly asked: number;
    readonly answered: number;
    readonly refused: number;
    readonly unanswered: number;
  };
  /** Figures without support. */
  readonly flagged: readonly { readonly agent: string; readonly figure: string; readonly reason: string | null }[];
  /** Agents whose halt counted, once for each halt. */
  readonly halted: readonly string[];
  readonly noEvidence: string | null;
  readonly silent: readonly { readonly who: string; readonly round: number; readonly reason: string }[];
  readonly phases: readonly {
    readonly round: number;
    readonly phase: string;
    readonly agents: number;
    readonly wallSeconds: number;
    readonly agentsSeconds: number;
  }[];
  readonly tokens: number;
  readonly notes: readonly string[];
}

/** Returns the outcome that a log records. */
export function outcomeOf(log: RoundtableLog): Outcome {
  const said = entriesOf(log, 'said');
  const states = said.flatMap(({ file }) => (file === null ? [] : [file.state]));
  const count = (...of: readonly string[]) => states.filter((state) => of.includes(state)).length;
  const asked = entriesOf(log, 'asked');
  const results = entriesOf(log, 'result').filter(({ standing }) => standing !== 'late');
  const usages = [...said.flatMap(({ usage }) => usage ?? []), ...results.flatMap(({ usage }) => usage ?? [])];
  return {
    id: log.id,
    question: log.question,
    recorded: log.recorded,
    ended: log.ended,
    rounds: entriesOf(log, 'closed').length,
    debate: debateOf(log),
    files: { own: count('written', 'found'), fallback: count('fallback'), missing: count('missing') },
    requests: {
      asked: asked.length,
      answered: results.filter(({ ok }) => ok).length,
      refused: asked.filter(({ refused }) => refused !== null).length,
      unanswered: results.filter(({ ok }) => !ok).length,
    },
    flagged: unique(entriesOf(log, 'flag').map(({ agent, figure, reason = null }) => ({ agent, figure, reason }))),
    halted: entriesOf(log, 'halt').flatMap(({ agent, flagged }) => (flagged ? [agent] : [])),
    noEvidence: log.no_evidence,
    silent: said.flatMap(({ who, round, text, failure }) =>
      text === null ? [{ who, round, reason: failure ?? 'it said nothing' }] : [],
    ),
    phases: lastOfEach(entriesOf(log, 'ran')).map(({ round, phase, agents, wall_seconds, agents_seconds }) => ({
      round,
      phase,
      agents,
      wallSeconds: wall_seconds,
      agentsSeconds: agents_seconds,
    })),
    tokens: usages.reduce((sum, { tokens_in, tokens_out }) => sum + tokens_in + tokens_out, 0),
    notes: entriesOf(log, 'note').map(({ text }) => text),
  };
}

// A verdict that was cut off is given again.
function lastOfEach(ran: readonly Ran[]): Ran[] {
  return [...new Map(ran.map((one) => [`${one.round} ${one.phase}`, one])).values()];
}

function unique<One>(items: readonly One[]): One[] {
  return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];
}
