import type { KeptNote } from '../daemon/kept-note.ts';
import type { Reading } from '../daemon/reader-check.ts';
import type { JudgedBy, Replay, ReplayLine } from '../daemon/report.ts';
import type { Report } from '../daemon/report-note.ts';
import type { RoundtableResult } from '../daemon/roundtable-convene.ts';
import type { Progress } from '../roundtable/session.ts';
import type { Mode } from '../steward/gates-rounding.ts';
import {
  adviceSentence,
  type Group,
  type ModeTally,
  OUTCOMES,
  percent,
  type Share,
  unknownSentence,
} from '../steward/hindsight.ts';
import type { Usage } from '../steward/ports/evaluator.ts';
import { clean, count, figure, local } from './print/plain-text.ts';
import type { Printer } from './print/printer.ts';

type Most = Pick<Usage, 'tokens_in' | 'tokens_out' | 'usd'>;

/** Returns what reading the samples may take at most, as it is said before the first question. */
export function mostWords(model: string, mails: number, { tokens_in, tokens_out, usd }: Most): string {
  const cost = usd === null ? 'the cost is unknown, as no price is set' : `${money(usd)} at most`;
  return `${model} reads ${mails} built-in mails one by one: at most ${thousands(tokens_in)} tokens read and ${thousands(tokens_out)} written; ${cost}. Ctrl-C ends it.`;
}

/** Prints how well each reader read the samples, what each got wrong, and why no model was asked where none was. */
export function printReadings(out: Printer, readings: readonly Reading[], notAsked: string | null): void {
  out.heading('Reading the built-in mails');
  out.rows([HEAD, ...readings.map(rowOf)]);
  for (const reading of readings) printMistakes(out, reading);
  if (notAsked !== null) out.plain(`No model was measured: ${notAsked}`);
  out.line('Twenty mails tell a good reader from a bad one; a difference of one mail is chance.');
}

const HEAD = ['reader', 'mails', 'precision', 'recall', 'wrong', 'seconds a mail', 'tokens read', 'written', 'cost'];

function rowOf({ reader, mails, precision, recall, wrong, secondsPerMail, ...took }: Reading): readonly string[] {
  const { tokensIn, tokensOut, usd } = took;
  const figures = [String(mails), percentPrintReading(precision), percentPrintReading(recall), String(wrong)];
  const cost = usd === null ? 'unknown' : money(usd);
  return [
    reader,
    ...figures,
    secondsPerMail.toFixed(secondsPerMail < 0.1 ? 3 : 1),
    `${tokensIn}`,
    `${tokensOut}`,
    cost,
  ];
}

function printMistakes(out: Printer, { reader, mistakes, unusable, stopped }: Reading): void {
  const wrong = mistakes.filter(({ said }) => said !== null);
  const missed = mistakes.filter(({ said }) => said === null);
  for (const { sample, expected, said } of wrong)
    out.plain(`${reader} is wrong about ${sample}: it says ${said}; expected was ${expected}.`);
  if (missed.length > 0) out.plain(`${reader} misses ${missed.map(({ sample }) => sample).join(', ')}.`);
  if (unusable > 0)
    out.plain(`${reader} gave no usable reply to ${count(unusable, 'mail')}; the embedded reader would read them.`);
  if (stopped !== null) out.plain(`${reader} was not asked about the rest: ${stopped}`);
}

function percentPrintReading(share: number | null): string {
  return share === null ? '–' : `${Math.round(share * 100)} %`;
}

function thousands(tokens: number): string {
  return tokens < 1000 ? String(tokens) : `${Math.round(tokens / 1000)} thousand`;
}

function money(usd: number): string {
  return `${usd === 0 ? 0 : usd.toFixed(usd < 0.01 ? 4 : 2)} USD`;
}

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

const HEAD_PRINT_REPORT = [
  'cases',
  'in shadow',
  'proposed',
  'acted',
  'confirmed',
  'dismissed',
  'taken back',
  'by hand',
  'otherwise',
  'kept',
  'silent',
  'overtaken',
  'open',
  'right',
];

/** Prints the scorecard: how it went first, then when to raise the mode, then the tables and how they are counted. */
export function printReport(out: Printer, report: Report, modeOf: 'daemon' | 'shell', note: KeptNote | null): void {
  const { total, mode } = report;
  const since = report.since === null ? '' : ` since ${local(report.since)}`;
  const about = report.matter === null ? '' : ` for ${report.matter}`;
  const undecided = total.cases - total.right - total.wrong;
  out.styled(
    'bold',
    `${count(total.cases, 'decision')} about a change${about}${since}: ${total.right} right, ${total.wrong} wrong, ${undecided} undecided`,
  );
  const whose = modeOf === 'daemon' ? '' : ' (in this shell; the service may run in another)';
  out.line(`mode ${mode}${whose}; right among those decided: ${shareText(total.precision)}`);
  if (total.cases > 0) printTables(out, report);
  if (note === null) return;
  out.line();
  out.styled('dim', noteLine(note));
}

function printTables(out: Printer, report: Report): void {
  out.heading('When to raise the mode');
  printAdvice(out, report);
  out.heading('What each mode would have done with the same decisions');
  out.rows([['', 'acts', 'proposes', 'records', 'unknown', 'right of its actions'], ...report.modes.map(modeRow)]);
  printGroups(out, 'Sources', report.sources);
  printGroups(out, 'Kinds of change', report.classes);
  printGroups(out, 'Decisions', report.decisions);
  out.heading('How it is counted');
  for (const line of COUNTED) out.styled('dim', `  ${line}`);
}

const COUNTED = [
  'right: confirmed; by hand (you made the proposed change yourself); kept (made, and you left it alone for seven days,',
  '  and every source behind it was right five times before)',
  'wrong: dismissed; taken back; otherwise (you set a field to something else within seven days)',
  'undecided: silent (made and left alone for a week by a source still new); overtaken (decided again before any outcome;',
  '  the later decision counts); open (everything else)',
  'the steward learns from these outcomes; where it has not learnt yet, the notes tell the outcome by the same rules',
];

/** How many licences are told one by one. */
const LICENCES = 10;

function printAdvice(out: Printer, { advice, sources, licences }: Report): void {
  for (const one of advice) out.line(`  ${adviceSentence(one)}`);
  if (advice.length === 0) {
    out.line('  Already the highest mode.');
    return;
  }
  const unknown = unknownSentence(sources);
  if (unknown !== null) out.plain(`  ${unknown}`);
  const lacking = licences.flatMap(({ lack }) => lack ?? []);
  for (const lack of lacking.slice(0, LICENCES)) out.plain(`  ${lack}`);
  if (lacking.length > LICENCES) out.line(`  and ${lacking.length - LICENCES} more senders may only propose`);
}

function printGroups(out: Printer, title: string, groups: readonly Group[]): void {
  out.heading(title);
  out.rows([['', ...HEAD_PRINT_REPORT], ...groups.map(groupRow)]);
}

function groupRow({ name, tally }: Group): string[] {
  const { fates } = tally;
  const figures = [tally.cases, tally.shadow, tally.proposed, tally.acted, fates.confirmed, fates.dismissed];
  const hand = [fates.reversed, fates.borne_out, fates.contradicted, fates.kept];
  const rest = [fates.silent, fates.overtaken, fates.open];
  return [name, ...[...figures, ...hand, ...rest].map(String), shareText(tally.precision)];
}

function modeRow(one: ModeTally): string[] {
  const decided = one.right + one.wrong;
  const right = one.precision === null ? '–' : `${one.right} of ${decided}, ${shareText(one.precision)}`;
  return [one.mode, ...[one.acts, one.proposes, one.records, one.unknown].map(String), right];
}

function shareText(share: Share | null): string {
  return share === null ? '–' : `${percent(share.value)} (${percent(share.low)} to ${percent(share.high)})`;
}

function noteLine({ path, state, reason }: KeptNote): string {
  if (state === 'left') return `${path} is left as it is. ${reason ?? ''}`;
  return state === 'unchanged' ? `${path} is up to date.` : `Saved in ${path}.`;
}

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
