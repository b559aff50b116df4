import type { NotifyStatus, ScheduleStatus, Status } from '../daemon/status.ts';
import type { NotifyTest } from '../daemon/test-message.ts';
import { itemIn } from '../vault/notes/stream-path.ts';
import { count, figure, local } from './print/plain-text.ts';
import { keptText, printRetention } from './print/print-retention.ts';
import type { Printer } from './print/printer.ts';
import { budgetLines, costLines } from './print.ts';
import { guardLines, heldLines } from './print-gates.ts';
import { printSourceNotes } from './print-sources.ts';

/** Returns how things stand in one line: `17 wait for you · 1 trouble · 12 matters well · mail read 2 min ago`. */
export function headline(status: Status): string {
  const parts = [waitWords(status), troubleWords(status), wellWords(status), heardWords(status)];
  return parts.filter((part) => part !== null).join(' · ');
}

function waitWords({ waiting, vault }: Status): string | null {
  const mine = waiting.filter(({ kind }) => kind !== 'trouble').length;
  if (mine === 0) return vault.state === 'away' ? 'The vault is away' : 'Nothing waits for you';
  return `${mine} ${mine === 1 ? 'waits' : 'wait'} for you${vault.state === 'away' ? ' · the vault is away' : ''}`;
}

function troubleWords({ trouble }: Status): string | null {
  return trouble.length === 0 ? null : count(trouble.length, 'trouble');
}

// A matter is well where nothing of it waits for anybody. Whether it is, nobody knows of a vault that is away.
function wellWords({ schedules, waiting, vault }: Status): string | null {
  const restless = new Set(waiting.map(({ matter }) => matter));
  const well = schedules.filter(({ matter }) => !restless.has(matter)).length;
  return well === 0 || vault.state === 'away' ? null : `${count(well, 'matter')} well`;
}

function heardWords({ at, sourceNotes, streams }: Status): string | null {
  const contacts = sourceNotes.flatMap(({ kind, contact }) => (kind === 'imap' && contact !== null ? [contact] : []));
  const [latest] = contacts.toSorted().reverse();
  if (latest !== undefined) return `mail read ${ago(latest, at)}`;
  return streams.newest === null ? null : `last file ${ago(streams.newest, at)}`;
}

/** Returns how long before `now` a moment was, as a person says it: `just now`, `2 min ago`, `3 days ago`. Both ISO. */
export function ago(moment: string, now: string): string {
  const minutes = Math.floor((Date.parse(now) - Date.parse(moment)) / 60_000);
  if (!(minutes >= 1)) return 'just now';
  if (minutes < 120) return `${minutes} min ago`;
  return minutes < 48 * 60 ? `${Math.floor(minutes / 60)} h ago` : `${Math.floor(minutes / 60 / 24)} days ago`;
}

/** Prints how messages stand; nothing where there are none. An older daemon or snapshot knows nothing of them. */
function printNotify(out: Printer, notify: NotifyStatus | null | undefined): void {
  if (notify == null) return;
  out.heading('Messages');
  for (const line of notifyLines(notify)) out.plain(`  ${line}`);
}

/** Returns how messages stand, a line for what holds and one for each channel. */
export function notifyLines(notify: NotifyStatus | null): string[] {
  if (notify === null) return [];
  const { channels, actions } = notify;
  const buttons = actions === null ? [] : [`their buttons are answered at ${actions}`];
  return [wantWords(notify), ...channels.map(channelWords), ...buttons];
}

function wantWords({ wants, today, atMost, digestAt, channels }: NotifyStatus): string {
  if (wants === 'off') return 'off, as steward.md says';
  const digest = digestAt === null ? null : `a digest at ${timeOf(digestAt)}`;
  const note = channels.length === 0 ? ', only as a note: no channel is named on this machine' : '';
  if (wants === 'digest') return `${digest ?? 'none: the digest has no time set'}${note}`;
  return [`${today} of at most ${atMost} sent today`, ...(digest === null ? [] : [digest])].join(', ');
}

function channelWords({ channel, waiting, last, trouble }: NotifyStatus['channels'][number]): string {
  const said = last === null ? 'has sent nothing yet' : `last sent ${local(last)}`;
  const held = waiting === 0 ? [] : [`${count(waiting, 'thing')} to send`];
  return `${channel} ${[said, ...held, ...(trouble === null ? [] : [trouble])].join('; ')}`;
}

function timeOf(minute: number): string {
  return [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':');
}

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

/** Returns a line for each thing that most days do not have: what is held back, refused, still to be told, or cost something. */
export function unusualLines({ gates, streams, plane = null, edits, retention, costs }: Status): string[] {
  const [cost] = costLines(costs);
  const heard = (edits?.heard ?? 0) + (edits?.passed ?? 0); // an older snapshot knows nothing of them
  return [
    ...heldLines(gates),
    ...(gates.backoffUntil === null ? [] : [`the provider asked for a pause until ${local(gates.backoffUntil)}`]),
    ...(streams.waiting.length === 0 ? [] : [`${count(streams.waiting.length, 'file')} waiting for a model`]),
    ...refusedLine(streams),
    ...(streams.unreadKinds.length === 0 ? [] : [unreadWords(streams.unreadKinds)]),
    ...(plane === null ? [] : [`${count(plane.waiting, 'event')} waiting for Plane: ${plane.reason}`]),
    ...(heard === 0 ? [] : [`${count(heard, 'edit')} of yours heard today`]),
    ...(cost === undefined ? [] : [cost]),
    ...(retention === null ? [] : [keptText(retention)]),
  ];
}

function refusedLine({ refused }: Status['streams']): string[] {
  const [first] = refused;
  if (first === undefined) return [];
  const more = refused.length === 1 ? '' : ` (and ${refused.length - 1} more: steward status --all)`;
  return [`not read: ${first.file}: ${first.reason}${more}`];
}

const NONE =
  'No channel is named on this machine: set STEWARD_NOTIFY_NTFY, STEWARD_NOTIFY_DESKTOP or STEWARD_NOTIFY_COMMAND';

/** Said while the messages are on their way. */
export const SENDING = 'Sending a message to each channel.';

/** Prints what came of a message to each channel. */
export function printNotifyTest(out: Printer, { channels }: NotifyTest): void {
  if (channels.length === 0) out.line(`${NONE} where the daemon starts (docs/notifications.md).`);
  for (const { channel, place, ok, message, hint } of channels) {
    if (ok) out.plain(`${channel} (${place}): the message is sent.`);
    else out.plain(`${channel} (${place}): ${message} ${hint}`);
  }
}
