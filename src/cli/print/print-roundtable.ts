import type { RoundtableResult } from '../../daemon/roundtable/convene.ts';
import type { Progress } from '../../roundtable/session/session.ts';
import { count } from './plain-text.ts';
import type { Printer } from './printer.ts';

/** Returns the line that tells a step of the roundtable; null for a step that is not worth a line. */
export function progressLine(progress: Progress): string | null {
  const at = `round ${progress.round}`;
  switch (progress.what) {
    case 'turn':
      return `${at}  ${progress.phase}: ${progress.who} (${count(progress.left, progress.who === 'judge' ? 'check' : 'request')} left)`;
    case 'said':
      return progress.text === null ? `${at}  ${progress.who} says nothing: ${progress.failure ?? ''}` : null;
    case 'asked':
      if (progress.again !== undefined) return `${at}  ${progress.by} has again: ${progress.text}`;
      return progress.refused === null
        ? `${at}  ${progress.by} waits for: ${progress.text}`
        : `${at}  ${progress.by} is refused (${progress.refused}): ${progress.text}`;
    case 'result':
      return `${at}  request ${progress.id}: ${progress.standing === 'taken' ? (progress.ok ? 'found' : 'nothing found') : progress.standing} after ${progress.seconds.toFixed(1)} s`;
    case 'intermission':
      return `${at}  intermission: ${progress.waiting.join(', ')} wait for evidence`;
    case 'flag':
      return `${at}  unsupported: ${progress.figure}, by ${progress.agent}${progress.reason === undefined ? '' : `: ${progress.reason}`}`;
    case 'halt':
      return `${at}  HALT ${progress.agent}: ${progress.reason}`;
    case 'closed':
      return `${at}  closed${progress.converged ? ': they agree' : ''}`;
    case 'note':
      return `${at}  ${progress.text}`;
    case 'ran':
      return null;
  }
}

/** Prints what a roundtable came to: what it established first, then how it ran. */
export function printRoundtable(out: Printer, held: RoundtableResult): void {
  const how = held.ended === 'converged' ? 'converged' : held.ended === null ? 'unfinished' : 'all rounds held';
  out.styled('bold', held.question);
  out.plain(`${count(held.rounds, 'round')}, ${how}${held.recorded ? ', from recorded replies' : ''}`);
  const { debate } = held;
  printList(out, 'Established', debate.established);
  printList(
    out,
    'Positions',
    Object.entries(debate.positions).map(([agent, position]) => `${agent}: ${position}`),
  );
  printList(out, 'Open', debate.open);
  printList(out, 'Shifts', debate.shifts);
  out.heading('How it ran');
  for (const line of howItRan(held)) out.plain(`  ${line}`);
  out.rows(held.phases.map((one) => [`  round ${one.round}`, one.phase, count(one.agents, 'agent'), together(one)]));
  for (const trouble of held.trouble) out.trouble(trouble);
  out.line();
  out.styled('dim', `The files lie in ${held.folder}; steward-log-${held.id}.json there holds everything.`);
}

function printList(out: Printer, title: string, lines: readonly string[]): void {
  if (lines.length === 0) return;
  out.heading(title);
  for (const line of lines) out.plain(`  ${line}`);
}

function howItRan({ files, requests, flagged, halted, silent, noEvidence, notes }: RoundtableResult): string[] {
  const written = `${count(files.own, 'file')} written by their agents, ${files.fallback} from replies, ${files.missing} missing`;
  const evidence =
    noEvidence === null
      ? `${count(requests.asked, 'request')} for evidence: ${requests.answered} answered, ${requests.unanswered} unanswered, ${requests.refused} refused`
      : `no evidence: ${noEvidence}`;
  return [
    written,
    evidence,
    ...flagged.map(
      ({ agent, figure, reason }) => `unsupported: ${figure}, by ${agent}${reason === null ? '' : `: ${reason}`}`,
    ),
    ...halted.map((agent) => `HALT ${agent}: fabricated data`),
    ...silent.map(({ who, round, reason }) => `${who} said nothing in round ${round}: ${reason}`),
    ...notes,
  ];
}

function together({ wallSeconds, agentsSeconds }: RoundtableResult['phases'][number]): string {
  const ratio = wallSeconds < 0.05 ? '' : `, ${(agentsSeconds / wallSeconds).toFixed(1)} at once`;
  return `${wallSeconds.toFixed(1)} s${ratio}`;
}
