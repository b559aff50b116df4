import type { NotifyStatus } from '../../channels/notifier.ts';
import type { Status } from '../../daemon/compose.ts';
import type { BudgetStatus, ScheduleStatus } from '../../daemon/status.ts';
import type { RetentionStatus } from '../../features/retention.ts';
import type { SourceReport } from '../../sources/source-note.ts';
import { findingsLine } from '../../steward/inbox-words.ts';
import { parseItemPath, stem } from '../../vault/layout.ts';
import { costLines, heldLines, keptText, NAMED, pauseLine, STATES, unreadLine, unreadWords } from '../print.ts';
import { clean, count, figure, formatDate, formatMoment, type Printer, rounded } from '../terminal.ts';

// The sections of `steward status` that are printed only when they are asked for.

function printNotify(out: Printer, notify: NotifyStatus | null): void {
  if (notify === null) return;
  out.heading('Messages');
  for (const line of notifyLines(notify)) out.plain(`  ${line}`);
}

/** Returns how messages stand, a line for what holds and one for each channel. */
export function notifyLines(notify: NotifyStatus | null): string[] {
  if (notify === null) return [];
  const { channels, actions, held } = notify;
  // A daemon of an earlier version doesn't say it.
  const waiting = held == null ? [] : [heldText(held)];
  const buttons = actions === null ? [] : [`their buttons are answered at ${actions}`];
  return [wantWords(notify), ...waiting, ...channels.map(channelWords), ...buttons];
}

function heldText({ things, until }: NonNullable<NotifyStatus['held']>): string {
  const verb = things === 1 ? 'waits' : 'wait';
  return `${count(things, 'thing')} ${verb} for the next message${until === null ? '' : `, after your quiet hours: ${formatMoment(until)}`}`;
}

function wantWords({ wants, today, atMost, digestAt, channels }: NotifyStatus): string {
  if (wants === 'off') return 'off, as steward.md says';
  const digest = digestAt === null ? null : `a digest at ${timeOf(digestAt)}`;
  const note = channels.length === 0 ? ', only as a note: no channel is named on this machine' : '';
  if (wants === 'digest') return `${digest ?? 'none: the digest has no time set'}${note}`;
  return [`${today} of at most ${atMost} sent today`, ...(digest === null ? [] : [digest])].join(', ');
}

function channelWords({ channel, waiting, last, trouble }: NotifyStatus['channels'][number]): string {
  const said = last === null ? 'has sent no message yet' : `last sent ${formatMoment(last)}`;
  const held = waiting === 0 ? [] : [`${count(waiting, 'thing')} to send`];
  return `${channel} ${[said, ...held, ...(trouble === null ? [] : [trouble])].join('; ')}`;
}

function timeOf(minute: number): string {
  return [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':');
}

/** How many sources are listed: channels first, then who spoke in them. */
const SOURCES = 15;

/** Prints each section that has something in it. */
export function printSections(out: Printer, status: Status): void {
  if (status.findings.length > 0) printFindings(out, status);
  printSchedules(out, status);
  printGates(out, status);
  printSources(out, status);
  printSourceNotes(out, status.sourceNotes);
  printSigns(out, status);
  printStreams(out, status);
  printEdits(out, status);
  printRetention(out, status.retention);
  printPlane(out, status);
  printNotify(out, status.notify);
  printKept(out, status);
}

/** Prints what was noticed without a signal, a line for each matter. Findings ask for no answer. */
export function printFindings(out: Printer, { findings }: Status): void {
  out.heading('Findings');
  if (findings.length === 0) out.line('  none');
  const named = (words: string) => words.replaceAll(/(?<=since )\d{4}-\d\d-\d\d/g, (day) => formatDate(day));
  for (const one of findings) out.line(out.fitted(`  ${clean(named(findingsLine(one, stem)))}`));
}

/** Prints when each part last did its work. Sources and messages have sections of their own. */
function printSigns(out: Printer, { signs }: Status): void {
  out.heading('Signs of life');
  const words = { reading: 'last file read', deciding: 'last decision', learning: 'last lesson' } as const;
  const at = (moment: string | null) => (moment === null ? 'none yet' : formatMoment(moment));
  out.rows((['reading', 'deciding', 'learning'] as const).map((part) => [words[part], at(signs[part])]));
}

/** Prints when each matter was looked at last, and when it is next. */
export function printSchedules(out: Printer, { schedules, vault }: Status): void {
  out.heading('Schedules');
  if (schedules.length === 0) out.line(vault.state === 'away' ? '  none known' : '  none: no open matter in the vault');
  out.rows(
    schedules.map((schedule) => [
      schedule.name.replace(/^steward-/, ''),
      schedule.reason.replace(/^steward_schedule: /, ''),
      lastOf(schedule),
      nextOf(schedule),
    ]),
  );
}

function lastOf({ last, skipped }: ScheduleStatus): string {
  if (last === null) return skipped === null ? 'not checked yet' : `skipped: ${skipped}`;
  return `last ${formatMoment(last)}${skipped === null ? '' : ` (${skipped})`}`;
}

function nextOf({ state, next }: ScheduleStatus): string {
  if (state === 'running') return 'ticking now';
  return next === null ? 'never' : `next ${formatMoment(next)}`;
}

function printGates(out: Printer, { gates, costs }: Status): void {
  const { budget, thresholds } = gates;
  out.heading('Gates');
  for (const line of [...guardLines(gates), ...heldLines(gates), ...pauseLine(gates)]) out.plain(`  ${line}`);
  for (const line of [...budgetLines(budget), ...costLines(costs)]) out.plain(`  ${line}`);
  out.line(
    `  act from ${figure(thresholds.confidence)} (live), ${figure(thresholds.highConfidence)} (high confidence only)`,
  );
}

function printSources(out: Printer, { sources }: Status): void {
  if (sources.length === 0) return;
  out.heading('Senders and channels');
  out.rows(
    sources
      .slice(0, SOURCES)
      .map(({ source, confidence, threshold, observations, wrong, status, pinned }) => [
        source,
        figure(confidence),
        `needs ${figure(threshold)}`,
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
  out.plain(
    `  ${count(seen, 'file')}, ${read} read${events === 0 ? '' : `, with ${count(events, 'event')} in files with many events`}: ${count(signals, 'signal')}, ${count(skipped, 'file')} without a signal${why}, ${refused.length} refused`,
  );
  for (const line of unreadLine(streams)) out.plain(`  ${line}`);
  if (unreadKinds.length > 0) out.plain(`  ${unreadWords(unreadKinds)}`);
  for (const { file, reason } of refused) out.plain(`  ${file}: ${reason}`);
  if (waiting.length > 0) out.line(`  ${waitingWords(waiting)} waiting for a model:`);
  for (const { file, reason } of waiting.slice(0, NAMED)) out.plain(`  ${file}: ${reason}`);
}

/** `1 file and 212 events of files that hold many`, as far as there are such. */
function waitingWords(waiting: Status['streams']['waiting']): string {
  const events = waiting.filter(({ file }) => parseItemPath(file) !== null).length;
  const files = waiting.length - events;
  const words = [
    ...(files > 0 ? [count(files, 'file')] : []),
    ...(events > 0 ? [`${count(events, 'event')} of files with many events`] : []),
  ];
  return words.join(' and ');
}

function printEdits(out: Printer, { edits }: Status): void {
  if (edits.heard + edits.passed === 0) return;
  out.heading('Your own edits');
  const rest = edits.passed === 0 ? '' : `, ${edits.passed} ignored, because too many came at once`;
  out.line(`  ${edits.heard} read today (vault_edit)${rest}`);
}

function printPlane(out: Printer, { plane }: Status): void {
  if (plane === null) return;
  out.heading('Plane');
  const { waiting, since, reason } = plane;
  out.plain(`  ${count(waiting, 'event')} waiting since ${formatMoment(since)}: ${reason}`);
}

function printKept(out: Printer, { kept }: Status): void {
  if (kept.length === 0) return;
  out.heading('Kept for you: text that you wrote at the same moment as Steward');
  out.rows(kept.map(({ note, file, at }) => [note, file, formatMoment(at)]));
}

const MAX_MATTERS = 5;

/** Returns the budget of a status in lines; empty without a limit. */
export function budgetLines(budget: Status['gates']['budget']): string[] {
  const { vault, matters, shared } = budget;
  const limited = [vault, ...matters].some(({ caps }) => caps.tokens !== null || caps.usd !== null);
  const sharedLine = shared === null ? [] : [`budget shared with other vaults, last 24 h: ${figures(shared)}`];
  if (!limited) return sharedLine;
  const byCost = matters.toSorted((one, other) => other.usd - one.usd || other.tokens - one.tokens);
  return [
    `budget, last 24 h: ${figures(vault)}`,
    ...byCost.slice(0, MAX_MATTERS).map((one) => `  ${one.matter}: ${figures(one)}`),
    ...(byCost.length > MAX_MATTERS
      ? [`  and ${byCost.length - MAX_MATTERS} cheaper ${byCost.length - MAX_MATTERS === 1 ? 'matter' : 'matters'}`]
      : []),
    ...sharedLine,
  ];
}

function figures({ tokens, usd, caps }: BudgetStatus): string {
  return `${usedOf(tokens, caps.tokens)} tokens, ${usedOf(usd, caps.usd)} USD`;
}

function usedOf(used: number, cap: number | null): string {
  return cap === null ? `${rounded(used)}` : `${rounded(used)}/${cap}`;
}

const WINDOW_WORDS = { minute: 'minute', hour: 'hour', day: 'day', task: 'one task', matter: 'one matter' } as const;

function guardLines({ rateGuard }: Pick<Status['gates'], 'rateGuard'>): string[] {
  const shown = Object.entries(WINDOW_WORDS).flatMap(([key, word]) => {
    const window = rateGuard[key];
    return window === undefined ? [] : [`${word} ${window.used}/${window.cap}`];
  });
  return shown.length === 0 ? [] : [`rate guard, questions to models: ${shown.join(', ')}`];
}

/** Prints each source of `status` on one line; no output without sources. */
export function printSourceNotes(out: Printer, sources: readonly SourceReport[]): void {
  if (sources.length === 0) return;
  out.heading('Connected');
  out.rows(
    sources.map((one) => [
      one.name,
      one.kind ?? '',
      STATES[one.state],
      one.contact === null ? 'no contact yet' : `last contact ${formatMoment(one.contact)}`,
      eventWords(one),
      one.trouble[0]?.message ?? '',
    ]),
  );
}

function eventWords({ event, lag, taken, seen }: SourceReport): string {
  if (event === null) return 'nothing came yet';
  return `last event ${formatMoment(event)}${lag === null ? '' : `, ${span(lag)} after it happened`} (${taken} of ${seen} taken)`;
}

/** Returns a number of seconds as a person says it: `40 s`, `5 min`, `3 h`, `2 days`. */
function span(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 2 * 3600) return `${Math.round(seconds / 60)} min`;
  return seconds < 2 * 86_400 ? `${Math.round(seconds / 3600)} h` : count(Math.round(seconds / 86_400), 'day');
}

function printRetention(out: Printer, retention: RetentionStatus | null): void {
  if (retention === null) return;
  const { last, next } = retention;
  out.heading('Retention');
  out.line(`  ${keptText(retention)}`);
  if (next !== null) out.line(`  next look ${formatMoment(next)}`);
  const { streams, events, signals } = last;
  if (streams + events + signals === 0) return;
  const all = [count(streams, 'stream file'), count(events, 'event'), count(signals, 'signal')];
  out.line(`  last removed: ${all.join(', ')}; .steward/history keeps them for 7 days`);
}
