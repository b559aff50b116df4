import type { Replay, ReplayLine } from '../../daemon/report/replay.ts';
import type { JudgedBy } from '../../daemon/report/replayed-decision.ts';
import type { Mode } from '../../steward/gates/mode.ts';
import { OUTCOMES } from '../../steward/hindsight/scorecard.ts';
import { clean, count, figure, local } from './plain-text.ts';
import type { Printer } from './printer.ts';

const BY: Readonly<Record<JudgedBy, string>> = {
  rules: 'the rules judged its signals again',
  signal: 'its one signal was routed again',
  record: 'the recorded verdict stands; only the gates judged again',
};

/** For a signal that was routed again and would have waited for the tick. */
const WEIGHED = 'its one signal is too weak alone, and would wait for the tick';

/** Prints a replay: how many decisions would differ, then each of them with the gate that decides. */
export function printReplay(out: Printer, replay: Replay, set: readonly string[], ceiling: Mode | null): void {
  const { actions, differ, unknown, guarded } = replay.summary;
  out.styled(
    'bold',
    `Of ${count(actions, 'decision')} ${differ} would differ${set.length === 0 ? '' : ` with ${set.join(', ')}`}.`,
  );
  out.line(modeText(ceiling));
  if (unknown > 0) out.line(`${count(unknown, 'decision')} cannot be compared.`);
  if (guarded > 0) out.line(`${count(guarded, 'look')} stopped by the rate guard or the budget before any judgement.`);
  const answers = answersText(replay);
  if (answers !== '') out.line(answers);
  if (actions > 0) printOutcomes(out, replay);
  for (const line of replay.lines.filter((one) => one.differs)) printDifference(out, line);
  for (const { time, event, reason } of replay.unknown) {
    out.line();
    out.line(`${local(time)}  cannot be compared: ${clean(reason)}`);
    out.styled('dim', `    ${event}`);
  }
}

/** What a person said to those that differ: `Of those that differ you dismissed 2 and confirmed 1.` */
function answersText({ lines }: Replay): string {
  const parts = (['confirmed', 'dismissed', 'reversed'] as const).flatMap((answer) => {
    const many = lines.filter((line) => line.differs && line.answer === answer).length;
    return many === 0 ? [] : [`${answer === 'reversed' ? 'took back' : answer} ${many}`];
  });
  return parts.length === 0 ? '' : `Of those that differ you ${parts.join(', ')}.`;
}

function modeText(ceiling: Mode | null): string {
  if (ceiling === null) return 'Each is judged in the mode of its day.';
  return `This assumes that STEWARD_LIVE_MODE allows ${ceiling}.`;
}

function printOutcomes(out: Printer, { summary }: Replay): void {
  out.line();
  const rows = OUTCOMES.map((outcome) => {
    const { recorded, replayed } = summary.outcomes[outcome];
    return [outcome, String(recorded), String(replayed)];
  });
  out.rows([['', 'recorded', 'now'], ...rows]);
}

const ANSWERS: Readonly<Record<NonNullable<ReplayLine['answer']>, string>> = {
  confirmed: 'you confirmed it',
  dismissed: 'you dismissed it',
  reversed: 'you took it back',
};

function printDifference(
  out: Printer,
  { time, target, event, recorded, replayed, judgedBy, answer }: ReplayLine,
): void {
  out.line();
  const moved = `${recorded.outcome} → ${replayed.outcome}`;
  out.styled('bold', `${local(time)}  ${moved}  ${target ?? ''}  ${replayed.decision} ${figure(replayed.confidence)}`);
  out.styled('dim', `    then: ${recorded.reason}`);
  out.rows([[`  now: ${replayed.gate === null ? '' : `${replayed.gate.replaceAll('_', ' ')}: `}${replayed.reason}`]]);
  if (answer !== null) out.line(`    ${ANSWERS[answer]}`);
  const isWeighed = judgedBy === 'signal' && replayed.decision !== recorded.decision;
  out.styled('dim', `    ${event}; ${isWeighed ? WEIGHED : BY[judgedBy]}`);
}
