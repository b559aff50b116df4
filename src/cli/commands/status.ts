import fs from 'node:fs';
import type { DaemonReply } from '../../daemon/client.ts';
import type { Status } from '../../daemon/compose.ts';
import type { Problem } from '../../daemon/problem-list.ts';
import { demandVault, missingReason, runtimePaths } from '../../daemon/runtime-paths.ts';
import type { WaitingEntry } from '../../steward/inbox.ts';
import { countFindings, entryName, NOUNS, senderWords, type WaitingKind } from '../../steward/inbox-words.ts';
import { type Diagnostic, EXIT } from '../../vault/errors.ts';
import { stem } from '../../vault/layout.ts';
import { askDaemon, handOver, vaultDir } from '../client.ts';
import {
  costLines,
  heldLines,
  hiddenLine,
  keptText,
  pauseLine,
  printTroubles,
  saidText,
  stateWords,
  troubleHeading,
  unreadLine,
  unreadWords,
} from '../print.ts';
import { CLOSED, Terminal } from '../screen.ts';
import {
  type CommandContext,
  type CommandResult,
  type CommonOptions,
  clean,
  count,
  formatMoment,
  formatPlace,
  local,
  type Printer,
  usageError,
} from '../terminal.ts';

interface StatusOptions extends CommonOptions, StatusSections {
  /** Problems to hide until they recur: ids, codes, or the files that they are about. */
  readonly known?: readonly string[];
  /** Hidden ones to show again. */
  readonly unhide?: readonly string[];
  /** Renews itself until a person ends it. */
  readonly watch?: boolean;
}

/** The parts of a status that are printed in addition to the one screen. */
export interface StatusSections {
  readonly schedules?: boolean;
  readonly findings?: boolean;
  /** Every section, and all that is wrong. */
  readonly all?: boolean;
}

/**
 * `steward status`: from the daemon if one answers, else from the vault itself, else, if the vault is away, the last
 * known one (exit 75).
 */
export async function status(options: StatusOptions, context: CommandContext): CommandResult {
  const root = vaultDir(options, context);
  if (options.known !== undefined || options.unhide !== undefined) return hideAndShow(root, options, context);
  if (options.watch === true) return watch(options, context, () => statusNow(root, context));
  const current = await statusNow(root, context);
  if (options.json === true) context.out.json(current);
  else printStatus(context.out, current, options, await sectionsFor(options));
  return current.vault.state === 'away' ? EXIT.tryAgain : EXIT.done;
}

/** Says "I know" to problems, or shows known ones again, and prints which. */
async function hideAndShow(
  root: string,
  { known, unhide, json }: StatusOptions,
  context: CommandContext,
): CommandResult {
  if (known !== undefined && unhide !== undefined)
    throw usageError('--known and --unhide exclude each other.', 'Give one of them.');
  const order = { names: [...(known ?? unhide ?? [])], hide: known !== undefined };
  const problems = await handOver(context, root, { op: 'hide-problems' as const, ...order }, async (space) => {
    const [{ collectProblems }, { hideProblems }] = await Promise.all([
      import('../../daemon/problems.ts'),
      import('../../daemon/problem-list.ts'),
    ]);
    return hideProblems(space.context, collectProblems(space), order);
  });
  const { out } = context;
  if (json === true) out.json({ schemaVersion: 1, [order.hide ? 'knownTrouble' : 'trouble']: problems });
  else {
    for (const one of problems)
      out.line(`${order.hide ? 'Hidden until it recurs' : 'Shown again'}: ${problemLine(one)}`);
  }
  return EXIT.done;
}

function problemLine(one: Problem): string {
  const where = one.file === null ? '' : `${clean(one.file)}  `;
  return `${where}${clean(one.message)} (${one.id})`;
}

/** Returns the current status, from the best source that answers. */
export async function statusNow(root: string, context: CommandContext): Promise<Status> {
  const asked = await askDaemon(context, root, { op: 'status' });
  const isAnswered = typeof asked === 'object' && asked.ok;
  return isAnswered ? (asked.result as Status) : statusWithoutDaemon(root, context, asked);
}

async function statusWithoutDaemon(root: string, context: CommandContext, asked: DaemonReply): Promise<Status> {
  const outside = runtimePaths(root, context.env);
  const missing = missingReason(root, outside);
  if (missing !== null) return lastKnown(root, missing, outside.snapshot, asked === 'stalled');
  demandVault(root, outside);
  const { statusHere } = await import('../vault.ts');
  return statusHere(root, context, asked === 'stalled');
}

function lastKnown(root: string, reason: string, snapshot: string, stalled: boolean): Status {
  const known = readSnapshot(snapshot) ?? EMPTY;
  return {
    ...known,
    at: new Date().toISOString(),
    daemon: { state: stalled ? 'stalled' : 'stopped', pid: null, since: null },
    vault: { ...known.vault, path: root, state: 'away', reason },
  };
}

function readSnapshot(file: string): Status | null {
  try {
    // The program's own file in its own state folder, written by `composeStatus`.
    return JSON.parse(fs.readFileSync(file, 'utf8')) as Status;
  } catch {
    return null;
  }
}

const PACE_MS = 2_000;

/**
 * After each look it rests this many times as long as the look took: a vault without a daemon is read again each time.
 */
const REST = 10;

const LONGEST_MS = 60_000;

const ENDING = ['q', 'Q', 'ctrl-c', 'ctrl-d', 'escape', CLOSED];

async function watch(
  options: CommonOptions & StatusSections,
  { out, env }: CommandContext,
  statusNow: () => Promise<Status>,
): CommandResult {
  if (options.json === true) throw usageError('--watch and --json exclude each other.', 'Leave out --watch or --json.');
  let status = await statusNow();
  const sections = await sectionsFor(options);
  using terminal = Terminal.open(env, true);
  if (terminal === null)
    throw usageError('status --watch needs a terminal.', 'Ask again with `steward status` as often as you like.');
  let tookMs = 0;
  for (;;) {
    const lines = out.lines((page) => printStatus(page, status, options, sections)).map((line) => out.fitted(line));
    terminal.show(
      onePage(lines, out.height, out.fitted(out.paint('dim', `q ends · as of ${local(status.at).slice(-8)}`))),
    );
    const key = await terminal.next(Math.min(Math.max(PACE_MS, tookMs * REST), LONGEST_MS));
    if (key !== null && ENDING.includes(key)) return EXIT.done;
    if (key === 'resize') continue;
    const began = performance.now();
    status = await statusNow();
    tookMs = performance.now() - began;
  }
}

// The last line is the footer's, and what does not fit above it is said there.
function onePage(lines: readonly string[], rows: number, footer: string): string[] {
  const shown = lines.slice(0, Math.max(1, rows - 1));
  const free = Math.max(0, rows - 1 - shown.length);
  return [...shown, ...Array.from({ length: free }, () => ''), footer];
}

type Sections = Pick<typeof import('./status-sections.ts'), 'printSections' | 'printFindings' | 'printSchedules'>;

async function sectionsFor({ schedules, findings, all }: StatusSections): Promise<Sections | null> {
  return [schedules, findings, all].includes(true) ? await import('./status-sections.ts') : null;
}

/** Prints a status on one screen: what waits for a person, what is wrong, who looks after the vault; then what was asked for besides. */
export function printStatus(
  out: Printer,
  status: Status,
  { schedules = false, findings = false, all = false }: StatusSections = {},
  sections: Sections | null = null,
): void {
  for (const line of statusScreen(out, status, all)) out.line(line);
  if (all) sections?.printSections(out, status);
  else {
    if (findings) sections?.printFindings(out, status);
    if (schedules) sections?.printSchedules(out, status);
  }
  if (all) printTroubles(out, status.trouble);
  if (all) printKnown(out, status.knownTrouble);
}

function printKnown(out: Printer, known: readonly Problem[]): void {
  if (known.length === 0) return;
  out.heading(`Known (${known.length}), hidden until they recur: steward status --unhide ID`);
  for (const one of known) out.line(`  ${problemLine(one)}`);
}

/** How many entries and troubles a screen names at least, however small it is. */
const FEWEST = 2;

/** How many lines stay free below: for the prompt. */
const BELOW = 1;

/** How many connected sources have a line of their own. */
const CONNECTED = 3;

const CHANNELS = 6;

/** Returns the one screen as lines that fit the terminal; what has no room on it is counted. */
function statusScreen(out: Printer, status: Status, withoutTrouble = false): string[] {
  const below = [
    ...(withoutTrouble ? [] : troubleLines(out, status)),
    '',
    ...vaultLines(out, status),
    ...unusualLines(status).map(clean),
    ...sourceLines(status),
    ...(status.findings.length === 0 ? [] : [`${countFindings(status.findings)} (steward status --findings)`]),
    ...(status.sample === null ? [] : [`ledger: tick what mattered in ${stem(status.sample)}`]),
    ...scheduleLine(status),
  ];
  const top = out.paint('bold', headline(status));
  const entries = screenEntries(
    out,
    [...status.warnings, ...status.waiting],
    Math.max(out.height - BELOW - below.length - 2, 2 * FEWEST + 1),
  );
  return [top, ...(entries.length === 0 ? [] : ['', ...entries]), ...below].map((line) => out.fitted(line));
}

/**
 * Returns the status in one line: `⚠ 1 warning · 17 wait for you · 1 problem · 12 matters well · mail read 2 min ago`.
 */
export function headline(status: Status): string {
  const parts = [
    status.warnings.length === 0 ? null : `⚠ ${count(status.warnings.length, 'warning')}`,
    waitWords(status),
    status.trouble.length === 0 ? null : count(status.trouble.length, 'problem'),
    wellWords(status),
    heardWords(status),
  ];
  return parts.filter((part) => part !== null).join(' · ');
}

function nothingWaits(pending: number): string {
  return pending === 0 ? 'Nothing waits for you' : `Nothing waits for you yet, ${count(pending, 'signal')} to evaluate`;
}

function waitWords({ waiting, vault, pending }: Status): string | null {
  const mine = waiting.length;
  if (mine === 0) return vault.state === 'away' ? 'The vault is away' : nothingWaits(pending.length);
  return `${mine} ${mine === 1 ? 'waits' : 'wait'} for you${vault.state === 'away' ? ' · the vault is away' : ''}`;
}

// A matter is well if no entry of it waits for an answer. For a vault that is away, that is unknown.
function wellWords({ schedules, waiting, warnings, vault }: Status): string | null {
  const restless = new Set([...warnings, ...waiting].map(({ matter }) => matter));
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

/** Returns a line for each thing that most days do not have: delayed, refused or unsent things, and costs. */
function unusualLines({ missing, gates, streams, plane, edits, retention, costs, pending }: Status): string[] {
  const [cost] = costLines(costs);
  const heard = edits.heard + edits.passed;
  return [
    ...(missing === null ? [] : [missing]),
    ...pendingLines(pending),
    ...heldLines(gates),
    ...pauseLine(gates),
    ...(streams.waiting.length === 0 ? [] : [`${count(streams.waiting.length, 'file')} waiting for a model`]),
    ...refusedLine(streams),
    ...unreadLine(streams),
    ...(streams.unreadKinds.length === 0 ? [] : [unreadWords(streams.unreadKinds)]),
    ...(plane === null ? [] : [`${count(plane.waiting, 'event')} waiting for Plane: ${plane.reason}`]),
    ...(heard === 0 ? [] : [`${count(heard, 'edit')} of yours read today`]),
    ...(cost === undefined ? [] : [cost]),
    ...(retention === null ? [] : [keptText(retention)]),
  ];
}

/** Returns what was read and is still to be evaluated, a line for each reason: `2 signals to evaluate at the next check, the first by today 14:05`. */
function pendingLines(pending: Status['pending']): string[] {
  return [...Map.groupBy(pending, ({ reason }) => reason)].map(([reason, those]) => {
    const until = those.flatMap(({ until: at }) => at ?? []).toSorted()[0];
    const when = until === undefined ? '' : `, ${those.length === 1 ? '' : 'the first '}by ${formatMoment(until)}`;
    return `${count(those.length, 'signal')} to evaluate${reason.startsWith('evaluated ') ? ' ' : ': '}${reason.replace(/^evaluated /, '')}${when}`;
  });
}

function refusedLine({ refused }: Status['streams']): string[] {
  const [first] = refused;
  if (first === undefined) return [];
  const more = refused.length === 1 ? '' : ` (and ${refused.length - 1} more: steward status --all)`;
  return [`not read: ${first.file}: ${first.reason}${more}`];
}

function troubleLines(out: Printer, { trouble, knownTrouble }: Status): string[] {
  const hidden = hiddenLine(knownTrouble);
  if (trouble.length === 0) return hidden.length === 0 ? [] : ['', ...hidden];
  const more = trouble.length - FEWEST;
  return [
    '',
    out.paint('bold', troubleHeading(trouble)),
    ...trouble.slice(0, FEWEST).flatMap((one) => troubleText(out, one)),
    ...(more > 0 ? [out.paint('dim', `  … and ${more} more: steward status --all`)] : []),
    ...hidden,
  ];
}

function troubleText(out: Printer, trouble: Diagnostic): string[] {
  const where = formatPlace(trouble);
  const place = where === '' ? '' : `${clean(where)}  `;
  const what = `${place}${clean(trouble.message)} ${out.paint('dim', `(${trouble.code})`)}`;
  return [what, out.paint('dim', `  ${clean(trouble.hint)}`)];
}

function vaultLines(out: Printer, { vault, daemon, mode, evaluator, extractor }: Status): string[] {
  const since = daemon.since === null ? '' : ` since ${formatMoment(daemon.since)} (pid ${daemon.pid})`;
  const notes =
    vault.state === 'away' ? out.paint('red', `away: ${clean(vault.reason ?? '')}`) : count(vault.notes, 'note');
  const state = out.paint(daemon.state === 'running' ? 'green' : 'yellow', daemon.state);
  const reader = extractor === evaluator ? '' : `, mail read by ${extractor}`;
  return [
    `${out.paint('bold', clean(vault.path))}  ${notes}`,
    ...out.folded(
      `daemon ${state}${since}, mode ${mode.effective}${modeNote(mode)}, evaluated by ${evaluator}${reader}`,
    ),
  ];
}

function modeNote(mode: Status['mode']): string {
  if (mode.effective === mode.ceiling && mode.vault === null) return '';
  if (mode.effective !== mode.ceiling) return ' (steward.md limits it)';
  return mode.vault === mode.ceiling ? '' : ' (STEWARD_LIVE_MODE limits it)';
}

// What is connected first: where it fails, nothing comes.
function sourceLines({ sourceNotes, sources, licences, mode, at }: Status): string[] {
  const connected = sourceNotes.slice(0, CONNECTED).map(({ name, kind, state, contact }) => {
    const last = contact === null ? '' : `, last contact ${ago(contact, at)}`;
    return `source ${clean(name)}${kind === null ? '' : ` (${kind})`} ${stateWords(state)}${last}`;
  });
  const more = sourceNotes.length - CONNECTED;
  const channels = sources.filter(({ source }) => !source.includes(':'));
  const heard = channels
    .slice(0, CHANNELS)
    .map(({ source, confidence }) => `${clean(source)} ${confidence.toFixed(2)}`);
  const others = sources.length - Math.min(channels.length, CHANNELS);
  return [
    ...connected,
    ...(more > 0 ? [`… and ${more} more: steward source list`] : []),
    ...licenceLine(licences, mode),
    ...(heard.length === 0
      ? []
      : [`trust: ${heard.join(' · ')}${others > 0 ? ` · and ${others} more: steward status --all` : ''}`]),
  ];
}

function licenceLine(licences: Status['licences'], { effective }: Status['mode']): string[] {
  // A daemon of an earlier version doesn't say what is lacking.
  const [able, unable] = [licences.filter((one) => one.lacking == null), licences.filter((one) => one.lacking != null)];
  if (effective === 'shadow') return sendersLine(licences, 'a licence (no effect in shadow)');
  return [...sendersLine(able, null), ...sendersLine(unable, 'a licence (no effect yet)')];
}

function sendersLine(licences: Status['licences'], what: string | null): string[] {
  const senders = [...new Set(licences.map(({ sender }) => sender))];
  const [only] = senders;
  if (only === undefined) return [];
  const [who, has] = senders.length === 1 ? [clean(senderWords(only)), 'has'] : [`${senders.length} senders`, 'have'];
  return [`${who} ${what === null ? 'may act without asking' : `${has} ${what}`}: steward licence`];
}

function scheduleLine({ schedules, vault }: Status): string[] {
  if (vault.state === 'away') return [];
  if (schedules.length === 0) return ['no open matter in the vault'];
  const [next] = schedules.flatMap(({ next: at }) => at ?? []).toSorted();
  const when = next === undefined ? 'no check is due' : `next check ${formatMoment(next)}`;
  return [`${when} (steward status --schedules)`];
}

const NO_COST = { questions: 0, tokens: 0, usd: 0, unpriced: 0, models: [], matters: [] };

const EMPTY: Status = {
  schemaVersion: 1,
  at: '',
  vault: { path: '', state: 'away', reason: null, notes: 0 },
  daemon: { state: 'stopped', pid: null, since: null },
  mode: { ceiling: 'shadow', vault: null, effective: 'shadow' },
  evaluator: 'rules',
  extractor: 'rules',
  waiting: [],
  warnings: [],
  pending: [],
  findings: [],
  schedules: [],
  proposals: [],
  gates: {
    rateGuard: {},
    backoffUntil: null,
    held: [],
    budget: { vault: { tokens: 0, usd: 0, caps: { tokens: null, usd: null } }, matters: [], shared: null },
    thresholds: { confidence: 0.6, highConfidence: 0.85 },
  },
  costs: { day: NO_COST, week: NO_COST },
  sources: [],
  licences: [],
  streams: {
    seen: 0,
    read: 0,
    signals: 0,
    skipped: 0,
    unread: {},
    events: 0,
    refused: [],
    unreadKinds: [],
    waiting: [],
    newest: null,
  },
  edits: { heard: 0, passed: 0 },
  retention: null,
  sourceNotes: [],
  plane: null,
  notify: null,
  kept: [],
  conflictCopies: 0,
  missing: null,
  sample: null,
  signs: { reading: null, deciding: null, learning: null },
  trouble: [],
  knownTrouble: [],
};

/** How pressing each kind is: lower comes first. */
const PRESSING: Readonly<Record<WaitingKind, number>> = {
  trouble: 0,
  arrival: 1,
  unfinished: 1,
  kept: 1,
  conflict: 1,
  proposal: 2,
  licence: 2,
  setting: 2,
  question: 2,
  choice: 2,
  stopped: 2,
  suspect: 2,
  found: 3,
};

function screenEntries(out: Printer, waiting: readonly WaitingEntry[], lines: number): string[] {
  const sorted = waiting.toSorted(
    (one, other) =>
      Number(one.warning == null) - Number(other.warning == null) ||
      PRESSING[one.kind] - PRESSING[other.kind] ||
      ((one.since ?? '') > (other.since ?? '') ? -1 : 1),
  );
  const all = sorted.map((entry) => screenEntry(out, entry));
  // One line says how many more there are, or how to answer.
  const fitting = all.filter((_, at) => all.slice(0, at + 1).flat().length + 1 <= lines);
  const shown = fitting.length < FEWEST ? all.slice(0, FEWEST) : fitting;
  const more = all.length - shown.length;
  const answerable = waiting.some(({ answers }) => answers.length > 0);
  const last = more > 0 ? `  … and ${more} more: steward inbox` : answerable ? '  steward inbox answers them' : null;
  return [...shown.flat(), ...(last === null ? [] : [out.paint('dim', last)])];
}

/** Returns the lines of an entry. A warning is shown whole, with the command that answers it. */
function screenEntry(out: Printer, entry: WaitingEntry): string[] {
  const { kind, change } = entry;
  const name = entryName(entry);
  const isNamed = entry.warning?.includes(name) === true;
  const what = [isNamed ? '' : name, change ?? ''].filter((part) => part !== '').map(clean);
  const words = clean(saidText(entry, entry.told));
  // The warning has the first line to itself.
  if (entry.warning != null) {
    const more = [what.join('  '), entry.from === null ? '' : words].filter((line) => line !== '');
    return [
      ...out.folded(`  ${clean(entry.warning)}`).map((line) => out.paint('red', line)),
      ...more.flatMap((line) => out.folded(`            ${line}`)).map((line) => out.paint('dim', line)),
    ];
  }
  const first = `  ${out.paint('yellow', NOUNS[kind].padEnd(9))} ${what.join('  ')}`;
  return words === '' ? [first] : [first, out.paint('dim', `            ${words}`)];
}
