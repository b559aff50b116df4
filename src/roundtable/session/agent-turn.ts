import type { AgentTool } from '../../steward/ports/agent.ts';
import { entriesOf, type Phase } from '../log/log.ts';
import { requestsLeft, turnsOf } from '../log/log-fold.ts';
import { addressOf, type PromptBlock, results, saidSoFar, sharedBlocks, tagged } from '../notes/prompt-context.ts';
import { AGENT_SYSTEM } from '../prompts/agent.ts';
import { flaggedBlock, type Told } from './flags.ts';
import { tableReader } from './round-files.ts';
import type { Heard, Session } from './session.ts';

/** One agent's turn in one phase of a round: what it is asked, and the tools it has. */
interface AgentTurn {
  readonly round: number;
  readonly phase: Phase & ('opening' | 'speaking' | 'rebuttal');
  readonly name: string;
  readonly ask: string;
  readonly tools: readonly AgentTool[];
  /** The statements of this round that nothing bears out. */
  readonly flagged: readonly Told[];
  /** Why nothing was checked; null where it was. */
  readonly unchecked: string | null;
}

/**
 * Asks one agent to take its turn and returns what it says. In the opening it does not see what the others write. Beside
 * its tools it may open the files of the roundtable.
 */
export async function hearAgent(session: Session, turn: AgentTurn): Promise<Heard> {
  const { round, phase, name, ask, tools } = turn;
  const { log, parts } = session;
  const left = requestsLeft(log, name, session.limits.budget_per_agent);
  const { tool, opened } = tableReader(session, round, { apart: phase === 'opening' });
  parts.say({ what: 'turn', round, phase, who: name, left });
  const heard = await session.hear({
    model: log.agents.find((one) => one.name === name)?.model ?? parts.settings.models.judge,
    system: AGENT_SYSTEM,
    task: [
      ...tagged(blocksOf(session, turn, left)),
      `${addressOf(round, phase, name, turnsOf(log, round, phase, name) + 1)}\n\n${ask}`,
    ],
    tools: [...tools, tool],
  });
  return withOpened(heard, opened);
}

/** Returns what was heard, with the files that the speaker opened. */
export function withOpened(heard: Heard, opened: readonly string[]): Heard {
  return opened.length === 0 ? heard : { ...heard, read: [...opened] };
}

function blocksOf(
  session: Session,
  { round, phase, name, flagged, unchecked }: AgentTurn,
  left: number,
): PromptBlock[] {
  const { log, parts } = session;
  const said = phase === 'opening' ? [] : [saidSoFar(log, round), flaggedBlock(flagged, unchecked)];
  return [
    ...sharedBlocks(parts.briefing, log, round, { name, requestsLeft: left }),
    ...said,
    ...resultsFor(session, round, name),
  ];
}

/** The results of the agent's own requests and of the judge's checks, and the agents that the judge has halted. */
function resultsFor(session: Session, round: number, name: string): PromptBlock[] {
  const { log } = session;
  const view = { round, quoted: session.quotedBefore(round) };
  const halts = entriesOf(log, 'halt').filter((halt) => halt.flagged && halt.round >= round - 1);
  return [
    { name: 'evidence', lines: results(log, name, view) },
    { name: 'checks', lines: results(log, 'judge', view) },
    { name: 'halts', lines: halts.map((halt) => ({ agent: halt.agent, round: halt.round, reason: halt.reason })) },
  ];
}
