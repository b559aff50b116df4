import type { ScheduleStatus, Status } from '../../../daemon/status/status.ts';
import { itemIn } from '../../../vault/notes/stream-path.ts';
import { guardLines, heldLines } from '../gates/guard-lines.ts';
import { count, figure, local } from '../plain-text.ts';
import { budgetLines, costLines } from '../print-budget.ts';
import type { Printer } from '../printer.ts';
import { printSourceNotes } from '../sources/print-sources.ts';
import { printNotify } from './print-notify.ts';
import { printRetention } from './print-retention.ts';

/** How many of the files that wait for a model are named. */
const NAMED = 10;
/** How many sources are listed: channels first, then who spoke in them. */
const SOURCES = 15;

/** Prints each section that has something in it. */
export function printSections(out: Printer, status: Status): void {
  printSchedules(out, status);
  printGates(out, status);
  printSources(out, status);
  printSourceNotes(out, status.sourceNotes);
  printStreams(out, status);
  printEdits(out, status);
  printRetention(out, status.retention);
  printPlane(out, status);
  printNotify(out, status.notify);
  printKept(out, status);
}

/** Prints when each matter was looked at last, and when it is next. */
export function printSchedules(out: Printer, { schedules, vault }: Status): void {
  out.heading('Schedules');
  if (schedules.length === 0) out.line(vault.state === 'away' ? '  none known' : '  none: no open matter in the vault');
  out.rows(schedules.map((schedule) => [schedule.name, schedule.reason, lastOf(schedule), nextOf(schedule)]));
}

function lastOf({ last, skipped }: ScheduleStatus): string {
  if (last === null) return skipped === null ? 'not ticked yet' : `skipped: ${skipped}`;
  return `last ${local(last)}${skipped === null ? '' : ` (${skipped})`}`;
}

function nextOf({ state, next }: ScheduleStatus): string {
  if (state === 'running') return 'ticking now';
  return next === null ? 'never' : `next ${local(next)}`;
}

function printGates(out: Printer, { gates, costs }: Status): void {
  const { backoffUntil, budget, thresholds } = gates;
  out.heading('Gates');
  for (const line of [...guardLines(gates), ...heldLines(gates)]) out.line(`  ${line}`);
  if (backoffUntil !== null) out.line(`  the provider asked for a pause until ${local(backoffUntil)}`);
  for (const line of [...budgetLines(budget), ...costLines(costs)]) out.plain(`  ${line}`);
  out.line(`  act from ${thresholds.confidence} (live), ${thresholds.highConfidence} (high confidence only)`);
}

function printSources(out: Printer, { sources }: Status): void {
  if (sources.length === 0) return;
  out.heading('Sources');
  out.rows(
    sources
      .slice(0, SOURCES)
      .map(({ source, confidence, threshold, observations, wrong, status, pinned }) => [
        source,
        figure(confidence),
        `needs ${threshold}`,
        `${observations} right`,
        `${wrong} wrong`,
        pinned ? `${status}, pinned` : status,
      ]),
  );
  if (sources.length > SOURCES) out.line(`  and ${sources.length - SOURCES} more`);
}

function printStreams(out: Printer, { streams }: Status): void {
  const { seen, read, events, signals, skipped, refused, unreadKinds, waiting } = streams;
  if (seen === 0) return;
  out.heading('Streams');
  const why = skipped === 0 ? '' : ' (steward explain FILE says why)';
  out.line(
    `  ${count(seen, 'file')}, ${read} read${events === 0 ? '' : `, with ${count(events, 'event')} in those that hold many`}: ${count(signals, 'signal')}, ${skipped} with nothing for the vault${why}, ${refused.length} refused`,
  );
  if (unreadKinds.length > 0) out.plain(`  ${unreadWords(unreadKinds)}`);
  for (const { file, reason } of refused) out.plain(`  ${file}: ${reason}`);
  if (waiting.length > 0) out.line(`  ${waitingWords(waiting)} waiting for a model:`);
  for (const { file, reason } of waiting.slice(0, NAMED)) out.plain(`  ${file}: ${reason}`);
}

/** `1 file and 212 events of files that hold many`, as far as there are such. */
function waitingWords(waiting: Status['streams']['waiting']): string {
  const events = waiting.filter(({ file }) => itemIn(file) !== null).length;
  const files = waiting.length - events;
  const words = [
    ...(files > 0 ? [count(files, 'file')] : []),
    ...(events > 0 ? [`${count(events, 'event')} of files that hold many`] : []),
  ];
  return words.join(' and ');
}

/** Returns how many files no reader takes: `12 files of unreadable kinds (.pages 7, .msg 5)`. */
export function unreadWords(kinds: Status['streams']['unreadKinds']): string {
  const all = kinds.reduce((sum, { files }) => sum + files, 0);
  const named = kinds.slice(0, NAMED).map(({ kind, files }) => `${kind} ${files}`);
  const more = kinds.length > NAMED ? ['…'] : [];
  return `${count(all, 'file')} of unreadable kinds (${[...named, ...more].join(', ')})`;
}

// An older snapshot knows nothing of them.
function printEdits(out: Printer, { edits = NO_EDITS }: Partial<Pick<Status, 'edits'>>): void {
  if (edits.heard + edits.passed === 0) return;
  out.heading('Your own edits');
  const rest = edits.passed === 0 ? '' : `, ${edits.passed} passed over, as too many came at once`;
  out.line(`  ${edits.heard} heard today (vault_edit)${rest}`);
}

const NO_EDITS: Status['edits'] = { heard: 0, passed: 0 };

// An older snapshot knows nothing of Plane.
function printPlane(out: Printer, { plane = null }: Partial<Pick<Status, 'plane'>>): void {
  if (plane === null) return;
  out.heading('Plane');
  const { waiting, since, reason } = plane;
  out.plain(`  ${count(waiting, 'event')} waiting since ${local(since)}: ${reason}`);
}

function printKept(out: Printer, { kept }: Status): void {
  if (kept.length === 0) return;
  out.heading('Kept for you: what you wrote at the same instant as the steward');
  out.rows(kept.map(({ note, file, at }) => [note, file, local(at)]));
}
