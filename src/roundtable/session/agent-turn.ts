import type { AgentTool } from '../../steward/ports/agent.ts';
import { entriesOf, type Phase } from '../log/log.ts';
import { requestsLeft, turnsOf } from '../log/log-fold.ts';
import { addressOf, type PromptBlock, results, saidSoFar, sharedBlocks, tagged } from '../notes/prompt-context.ts';
import { transcriptOf } from '../notes/transcript.ts';
import { AGENT_SYSTEM } from '../prompts/agent.ts';
import type { Heard, Session } from './session.ts';

/** One agent's turn in one phase of a round: what it is asked, and the tools it has. */
interface AgentTurn {
  readonly round: number;
  readonly phase: Phase & ('opening' | 'speaking' | 'rebuttal');
  readonly name: string;
  readonly ask: string;
  readonly tools: readonly AgentTool[];
}

/** Asks one agent to take its turn and returns what it says. In the opening it does not see what the others write. */
export function hearAgent(session: Session, { round, phase, name, ask, tools }: AgentTurn): Promise<Heard> {
  const { log, parts } = session;
  const { briefing, folder } = parts;
  const left = requestsLeft(log, name, session.limits.budget_per_agent);
  const said = phase === 'opening' ? [] : [saidSoFar(transcriptOf(log, folder), round)];
  const blocks = [
    ...sharedBlocks(briefing, log, round, { name, requestsLeft: left }),
    ...said,
    ...resultsFor(session, round, name),
  ];
  parts.say({ what: 'turn', round, phase, who: name, left });
  return session.hear({
    model: log.agents.find((one) => one.name === name)?.model ?? parts.settings.models.judge,
    system: AGENT_SYSTEM,
    task: [...tagged(blocks), `${addressOf(round, phase, name, turnsOf(log, round, phase, name) + 1)}\n\n${ask}`],
    tools,
  });
}

/** The results of the agent's own requests and of the judge's checks, and the agents that the judge has halted. */
function resultsFor({ log }: Session, round: number, name: string): PromptBlock[] {
  const halts = entriesOf(log, 'halt').filter((halt) => halt.flagged && halt.round >= round - 1);
  return [
    { name: 'evidence', lines: results(log, name) },
    { name: 'checks', lines: results(log, 'judge') },
    { name: 'halts', lines: halts.map((halt) => ({ agent: halt.agent, round: halt.round, reason: halt.reason })) },
  ];
}
