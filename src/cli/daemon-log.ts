import fs from 'node:fs';
import net from 'node:net';
import type { DaemonEvent } from '../daemon/environment.ts';
import { itemWords, kindFiles } from '../streams/state.ts';
import { type Diagnostic, diagnostic, EXIT, StewardError } from '../vault/errors.ts';
import type { Changes } from '../vault/frontmatter.ts';
import { stem } from '../vault/layout.ts';
import { distinctTitles } from '../vault/links.ts';
import { iso } from '../vault/time.ts';
import { calibrationWords, changeLines, keptText } from './print.ts';
import {
  clean,
  count,
  figure,
  formatPlace,
  formatShift,
  local,
  type Output,
  outputReason,
  Printer,
} from './terminal.ts';

type What = DaemonEvent['what'];

/** The levels of a log, with the priorities that syslog and journald give them. */
const PRIORITIES = { error: 3, warning: 4, notice: 5, info: 6 } as const;
type Level = keyof typeof PRIORITIES;

/** One line of the log for programs: a flat object; docs/dev/log.md lists the fields of each code. */
export interface LogRecord {
  /** ISO 8601, in UTC. */
  readonly time: string;
  readonly level: Level;
  readonly code: string;
  readonly [field: string]: unknown;
}

/**
 * The fields of each event that may be written to a log that others keep: paths of notes, figures, and the program's
 * own words. Other fields may quote a note, a mail, a server or a model.
 */
const TOLD: Readonly<Record<What, readonly string[]>> = {
  started: ['vault', 'mode', 'matters'],
  stopped: [],
  recovered: ['finished', 'withdrawn'],
  'schedule-provisioned': ['name', 'cadence', 'next'],
  'schedule-removed': ['name'],
  ticked: ['name', 'targets', 'events'],
  skipped: ['name', 'reason'],
  'items-read': ['file', 'signals', 'items'],
  'stream-read': ['file', 'signals'],
  'kind-unread': ['file', 'kind'],
  'signal-written': ['signal', 'target', 'candidates'],
  'edits-passed': ['edits', 'reason'],
  asked: ['event', 'signal', 'candidates'],
  acted: ['event', 'target', 'confidence'],
  proposed: ['event', 'target', 'confidence'],
  recorded: ['event', 'target', 'confidence'],
  confirmed: ['event', 'target', 'confidence'],
  licence: ['licence', 'change'],
  perceived: ['event', 'target'],
  dismissed: ['event', 'target'],
  closed: ['event', 'target'],
  refused: ['file', 'outcome'],
  reversed: ['event', 'outcome', 'target'],
  learned: ['outcome', 'before', 'after', 'observations', 'note'],
  'roundtable-round': ['id', 'round', 'converged'],
  deliberated: ['event', 'folder', 'converged'],
  fetched: ['source', 'seen', 'taken'],
  plane: ['event', 'wants'],
  notified: ['channel', 'things'],
  settings: ['troubles'],
  retention: ['streamDays', 'eventDays', 'from'],
  retired: ['streams', 'events', 'signals'],
  away: ['reason'],
  back: [],
  unsaid: ['lines', 'since', 'reason'],
  fault: ['component', 'stack', 'continued'],
  trouble: [],
};

/**
 * Events that a person may want to look at later, though there is no problem: notes were changed, or a question waits.
 */
const NOTABLE: ReadonlySet<What> = new Set([
  ...(['acted', 'confirmed', 'reversed', 'proposed', 'asked', 'perceived', 'refused', 'licence'] as const),
  ...(['recovered', 'retired', 'back'] as const),
]);

/** Returns how much a thing that happened matters to whoever looks after the service. */
function levelOf({ what }: DaemonEvent): Level {
  if (what === 'away' || what === 'fault') return 'error';
  if (what === 'trouble' || what === 'unsaid') return 'warning';
  return NOTABLE.has(what) ? 'notice' : 'info';
}

/** Returns the priority of a level, from 0 (the system is unusable) to 7, as sd-daemon(3) has them. */
export function journalPriority(level: Level): number {
  return PRIORITIES[level];
}

/** Returns the line of the log for one thing that happened. `now`: epoch ms. */
export function logRecord(event: DaemonEvent, detail: Detail, now: number): LogRecord {
  return { time: new Date(now).toISOString(), level: levelOf(event), code: event.what, ...fieldsOf(event, detail) };
}

function fieldsOf(event: DaemonEvent, detail: Detail): object {
  return detail === 'whole' ? whole(event) : figures(event);
}

function whole(event: DaemonEvent): object {
  const { what: _what, ...fields } = event;
  if (!('trouble' in event)) return { ...fields, ...changed(event) };
  return { ...fields, ...troubleFields(event.trouble, 'whole') };
}

/** Returns the fields of a problem in a log for programs. */
export function troubleFields(trouble: Diagnostic, detail: Detail): object {
  const { code, ...fields } = trouble;
  const { file, line, column } = fields;
  return { trouble: code, ...(detail === 'whole' ? fields : { file, line, column }) };
}

function figures(event: DaemonEvent): object {
  const told = TOLD[event.what];
  const fields = Object.fromEntries(Object.entries(event).filter(([field]) => told.includes(field)));
  if ('trouble' in event) return { ...troubleFields(event.trouble, 'figures'), ...fields };
  return { ...fields, ...changed(event) };
}

function changed(event: DaemonEvent): object {
  return 'changes' in event ? { changed: Object.keys(event.changes) } : {};
}

/** `text`: lines for people. `json`: one object a line, for programs. */
const LOG_FORMS = ['text', 'json'] as const;
/** The least that is told: what is wrong; what happened, without what notes say; all. */
const LOG_LEVELS = ['warning', 'info', 'debug'] as const;

/** How the daemon tells what happens, as a person asked for it; absent: as the environment says, or as fits the output. */
export interface LogOptions {
  readonly log?: (typeof LOG_FORMS)[number];
  readonly logLevel?: (typeof LOG_LEVELS)[number];
}

/** One thing that happened, before it is a line for people, for programs or for journald. */
export interface LogEntry {
  readonly level: Level;
  readonly code: string;
  /** More details of it in a log for programs. */
  readonly fields: object;
  /** The line for people. */
  readonly text: string;
}

/** One of several vaults, as the lines about it name it. */
interface Named {
  /** What lines for people begin with. */
  readonly name: string;
  /** Its absolute path, in lines for programs. */
  readonly root: string;
}

type Standard = NodeJS.WriteStream & { readonly fd: number };

/** Where the daemon tells what happens: to a person at a terminal, into a file, or to journald. */
export class DaemonLog {
  readonly #form: (typeof LOG_FORMS)[number];
  readonly #level: (typeof LOG_LEVELS)[number];
  readonly #inJournal: boolean;
  readonly #output: LastingOutput;
  readonly #out: Printer;

  /** Throws `settings-log` (78) where the environment asks for a log that there is not. */
  constructor(stream: Standard, env: NodeJS.ProcessEnv, options: LogOptions) {
    this.#form = options.log ?? chosen(env, 'STEWARD_LOG', LOG_FORMS) ?? 'text';
    // Who looks on at a terminal may see it all. A log is kept by others, and for long.
    const usual = stream.isTTY === true ? 'debug' : 'info';
    this.#level = options.logLevel ?? chosen(env, 'STEWARD_LOG_LEVEL', LOG_LEVELS) ?? usual;
    this.#inJournal = isJournal(stream.fd, env);
    this.#output = new LastingOutput(stream, (unsaid) => this.#line(makeLogEntry(unsaid)(this.#out, this.#detail)));
    this.#out = new Printer(this.#output, env);
  }

  /** The problem with the output, as `status` lists it. */
  get trouble(): Diagnostic | null {
    return this.#output.trouble;
  }

  readonly emit = (event: DaemonEvent): void => this.tell(makeLogEntry(event));

  /** Tells one thing that happened; `vault`: in which of several vaults. */
  tell(entry: (out: Printer, detail: Detail) => LogEntry, vault: Named | null = null): void {
    const told = entry(this.#out, this.#detail);
    const isWanted = this.#level !== 'warning' || ['error', 'warning'].includes(told.level);
    if (isWanted) this.#out.line(this.#line(told, vault));
  }

  /** Tells why the daemon ends, where the log is for programs or for journald; returns whether it did. */
  ended(trouble: Diagnostic): boolean {
    if (this.#form === 'text' && !this.#inJournal) return false;
    const where = trouble.file === null ? '' : `${clean(formatPlace(trouble))}: `;
    const text = `ended: ${where}${clean(trouble.message)} ${clean(trouble.hint)} (${clean(trouble.code)})`;
    const time = new Date().toISOString();
    const { code, file, message, hint } = trouble;
    const record = { time, level: 'error', code: 'ended', trouble: code, file, message, hint } as const;
    this.#out.line(`${this.#prefix(journalPriority('error'))}${this.#form === 'json' ? jsonLine(record) : text}`);
    return true;
  }

  /** Lets the process end, even if the waiting lines are never read. */
  close(): void {
    this.#output.close();
  }

  get #detail(): Detail {
    return this.#level === 'debug' ? 'whole' : 'figures';
  }

  #line({ level, code, fields, text }: LogEntry, vault: Named | null = null): string {
    const prefix = this.#prefix(journalPriority(level));
    if (this.#form === 'json') {
      const record = { time: new Date().toISOString(), level, code, ...fields };
      return `${prefix}${jsonLine(vault === null ? record : { ...record, vault: vault.root })}`;
    }
    const time = this.#inJournal ? '' : `${new Date().toTimeString().slice(0, 8)}  `;
    const whose = vault === null ? '' : `${this.#out.paint('dim', `${clean(vault.name)}:`)} `;
    const lines = `${time}${whose}${text}`.split('\n');
    const shown = this.#inJournal ? lines : lines.flatMap((line) => this.#out.folded(line));
    return shown.map((line) => `${prefix}${line}`).join('\n');
  }

  // journald takes a priority at the start of a line, and adds the time itself.
  #prefix(priority: number): string {
    return this.#inJournal ? `<${priority}>` : '';
  }
}

/** Returns what the log says of one thing that happened in a vault. */
export function makeLogEntry(event: DaemonEvent): (out: Printer, detail: Detail) => LogEntry {
  return (out, detail) => ({
    level: levelOf(event),
    code: event.what,
    fields: fieldsOf(event, detail),
    text: eventText(out, event, detail),
  });
}

// A line of the log is one line, whatever a path holds, and has no effect on a terminal that shows it.
function jsonLine(record: LogRecord): string {
  const escaped = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(record).replace(/[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g, escaped);
}

// The variable is inherited by whatever a service starts, also by a terminal: it says which file is the journal's.
function isJournal(fd: number, env: NodeJS.ProcessEnv): boolean {
  const [device, inode] = (env.JOURNAL_STREAM ?? '').split(':');
  if (device === undefined || inode === undefined) return false;
  try {
    const { dev, ino } = fs.fstatSync(fd, { bigint: true });
    return `${dev}` === device && `${ino}` === inode;
  } catch {
    return false; // it is closed
  }
}

function chosen<Choice extends string>(
  env: NodeJS.ProcessEnv,
  variable: string,
  choices: readonly Choice[],
): Choice | undefined {
  const written = env[variable]?.trim() ?? '';
  const found = choices.find((choice) => choice === written);
  if (found !== undefined || written === '') return found;
  throw new StewardError(
    {
      code: 'settings-log',
      message: `${variable} is ${JSON.stringify(written)}, and must be one of: ${choices.join(', ')}.`,
      hint: 'Set it to one of these, or unset it.',
    },
    EXIT.settings,
  );
}

/** `whole`: with what notes and mails say. `figures`: what happened to which note, and figures; for a log that others keep. */
type Detail = 'whole' | 'figures';

/** Prints one line for one thing that happened, with all that is to say of it. */
export function printEvent(out: Printer, event: DaemonEvent): void {
  for (const line of out.folded(eventText(out, event, 'whole'))) out.line(line);
}

/** Returns one clean line for one thing that happened, in the colours of `out`. */
export function eventText(out: Printer, event: DaemonEvent, detail: Detail): string {
  // All words of a person, a mail or a model go through this.
  const because = (text: string | null, before = ': ', after = '') =>
    detail === 'figures' || text === null || text === '' ? '' : `${before}${clean(text)}${after}`;
  switch (event.what) {
    case 'started':
      return `${out.paint('green', 'started')} on ${clean(event.vault)}: ${count(event.matters, 'matter')}, mode ${event.mode}`;
    case 'stopped':
      return 'stopped';
    case 'recovered':
      return `recovered: ${event.finished} finished, ${event.withdrawn} withdrawn after a crash`;
    case 'schedule-provisioned':
      return `schedule ${scheduleTitle(event)} provisioned, ${clean(event.cadence)}, next ${event.next === 0 ? 'never' : local(new Date(event.next).toISOString())}`;
    case 'schedule-removed':
      return `schedule ${scheduleTitle(event)} removed${because(event.reason)}`;
    case 'ticked':
      return `tick ${scheduleTitle(event)}: ${count(event.targets, 'note')} checked, ${because(event.skipped, '') || count(event.events, 'event')}`;
    case 'skipped':
      return `tick ${scheduleTitle(event)} skipped: ${clean(event.reason)}`;
    case 'stream-read':
      return `read ${because(event.about, '') || clean(event.file)}: ${event.signals > 0 ? count(event.signals, 'signal') : event.reason === null ? 'known already' : `no signal${because(event.reason, ' (', ')')}`}`;
    case 'items-read':
      return `read ${clean(event.file)}: ${count(event.signals, 'signal')} from ${itemWords(event.items)}${because(event.reason, '; ')}`;
    case 'kind-unread':
      return `${out.paint('yellow', 'not read')} ${clean(event.file)}: Steward can't read ${clean(kindFiles(event.kind))}; further ones are ignored without a message`;
    case 'signal-written':
      return `${out.paint('cyan', 'signal')} for ${event.candidates.length === 0 ? title(event.target) : askedAbout(event.candidates)}${because(event.headline)}`;
    case 'edits-passed':
      return `${count(event.edits, 'edit')} by hand ignored: ${clean(event.reason)}`;
    case 'asked':
      return `${out.paint('yellow', 'asked')} ${event.candidates.length === 1 ? 'whether it means' : 'which note is meant,'} ${event.candidates.map(clean).join(' or ')} ${noteOf(out, event)}`;
    case 'acted':
    case 'confirmed':
      return `${out.paint('green', event.what === 'acted' ? 'applied' : event.what)} ${title(event.target)}: ${changesText(event.changes, detail)} (${because(event.decision, '', ' ')}${figure(event.confidence)}) ${noteOf(out, event)}`;
    case 'proposed':
    case 'recorded':
      return `${out.paint('yellow', event.what)} ${title(event.target)}: ${changesText(event.changes, detail) || 'no change'} (${because(event.decision, '', ' ')}${figure(event.confidence)}${because(event.reason.replace(/\.$/, ''), '; ')}) ${noteOf(out, event)}`;
    case 'licence':
      return `${out.paint(event.change === 'ended' ? 'magenta' : 'yellow', `licence ${event.change}`)} ${title(event.licence)}${because(event.sender)}${because(event.reason, ' (', ')')}`;
    case 'perceived':
      return `${out.paint('yellow', 'noticed')} ${title(event.target)}${because(event.sentence)} ${noteOf(out, event)}`;
    case 'dismissed':
      return `dismissed ${title(event.target)} ${noteOf(out, event)}`;
    case 'closed':
      return `closed ${title(event.target)}${because(event.reason)} ${noteOf(out, event)}`;
    case 'refused':
      return `${out.paint('red', clean(event.outcome))} ${title(event.file)}${because(event.reason)}`;
    case 'reversed':
      return [
        event.outcome === 'reversed'
          ? out.paint('magenta', 'undone')
          : out.paint('yellow', UNDO_WORDS[event.outcome] ?? 'not undone'),
        title(event.target),
        detail === 'whole' ? calibrationText(event.calibration) : '',
        noteOf(out, event),
      ]
        .filter((part) => part !== '')
        .join(' ');
    case 'learned':
      return `learned ${because(event.source, 'about ', ': ')}${event.outcome}, confidence ${formatShift(event.before, event.after)}, right ${event.observations} in all ${noteOf(out, { event: event.note })}`;
    case 'roundtable-round':
      return `roundtable ${clean(event.id)}: round ${event.round} closed${event.converged ? ', converged' : ''}`;
    case 'deliberated':
      return `deliberated: ${event.converged ? 'they agree' : 'they disagree'}, in ${clean(event.folder)}, about ${title(event.event)}`;
    case 'fetched':
      return `${out.paint('cyan', 'fetched')} ${clean(event.source)}: ${count(event.seen, 'new thing')}, ${event.taken === 0 ? 'none' : event.taken} put into stream/`;
    case 'plane':
      return `${out.paint('cyan', 'plane')} ${event.wants === 'said' ? 'told' : 'taken back'}${because(event.remark)} ${noteOf(out, event)}`;
    case 'notified':
      return `${out.paint('cyan', 'sent')} by ${event.channel}: ${event.things === 0 ? 'the digest' : count(event.things, 'thing')}`;
    case 'settings':
      return event.troubles === 0
        ? 'settings read again'
        : `settings read again: ${count(event.troubles, 'unusable value')}, the former kept`;
    case 'retention':
      return `${out.paint('yellow', 'retention')}: from ${local(new Date(event.from).toISOString())} on, ${keptText(event)}`;
    case 'retired':
      return `removed ${count(event.streams, 'stream file')}, ${count(event.events, 'event')} and ${count(event.signals, 'signal')}, all old and settled; .steward/history keeps them for 7 days`;
    case 'away':
      return `${out.paint('red', 'the vault is away')}: ${clean(event.reason)}; Steward writes again when it is back`;
    case 'back':
      return 'the vault is back';
    case 'unsaid':
      return `${out.paint('red', 'unsaid')}: ${count(event.lines, 'line')} could not be written since ${local(new Date(event.since).toISOString())}: ${clean(event.reason)}`;
    case 'fault':
      return [
        `${out.paint('red', 'unexpected error')} in ${clean(event.component)}: ${troubleText(event.trouble, detail)}`,
        ...event.stack.split('\n').flatMap((frame) => (frame === '' ? [] : [`\t${clean(frame)}`])),
      ].join('\n');
    case 'trouble':
      return `${out.paint('red', 'problem')} ${troubleText(event.trouble, detail)}`;
  }
}

/** Returns a problem in words. A message may quote the note: in figures its code says what it is about, and `steward status` the rest. */
export function troubleText(trouble: Diagnostic, detail: Detail): string {
  const where = trouble.file === null ? '' : clean(formatPlace(trouble));
  if (detail === 'figures')
    return `${[clean(trouble.code), where].filter((part) => part !== '').join(' in ')}; \`steward status\` says what to do`;
  return `${where === '' ? '' : `${where}: `}${clean(trouble.message)} ${clean(trouble.hint)}`;
}

function changesText(changes: Changes, detail: Detail): string {
  return detail === 'whole' ? changeLines(changes).join('; ') : Object.keys(changes).map(clean).join(', ');
}

function noteOf(out: Printer, { event }: { readonly event: string }): string {
  return out.paint('dim', title(event));
}

function title(path: string): string {
  return clean(stem(path));
}

// Its matter, as `steward status --schedules` names it.
function scheduleTitle({ name }: { readonly name: string }): string {
  return clean(name.replace(/^steward-/, ''));
}

const UNDO_WORDS: Readonly<Record<string, string>> = {
  conflict: 'not undone, the note has changed since:',
  expired: 'too late to undo',
  'already-reversed': 'already undone',
  'not-applied': 'nothing to undo:',
};

function calibrationText(calibration: Readonly<Record<string, string>>): string {
  const moved = Object.entries(calibration).map(
    ([source, text]) => `${clean(source)} ${clean(calibrationWords(text))}`,
  );
  return moved.length === 0 ? '' : `(${moved.join('; ')})`;
}

/**
 * How much waits for a reader who is behind: tens of thousands of lines, and little compared with the memory of the
 * daemon.
 */
const MOST_WAITING = 4 * 1024 * 1024;
const TRY_AGAIN_MS = 1_000;
/** How long the end waits for a reader to take what was said last. */
const LAST_WORDS_MS = 1_000;

/** Lines that could not be written: how many, since when (epoch ms), and why not. */
interface LostLines {
  readonly what: 'unsaid';
  readonly lines: number;
  readonly since: number;
  readonly reason: string;
}

/**
 * The output of a program that outlives it: its reader may go, its disk may be full, a pipe may stay unread. No write
 * throws, and none to a pipe, a socket or a terminal blocks, also one that is held by Ctrl-S; a log on a disk that
 * hangs still does. Lines that cannot be written are counted, and reported in one line as soon as lines are taken
 * again.
 */
export class LastingOutput implements Output {
  readonly #stream: NodeJS.WriteStream & { readonly fd: number };
  readonly #describe: (lost: LostLines) => string;
  #lost: LostLines | null = null;
  #isBehind = false;
  #isTorn = false;
  #retry: NodeJS.Timeout | null = null;

  /** `describe`: returns the line that tells of what could not be written. */
  constructor(stream: NodeJS.WriteStream & { readonly fd: number }, describe: (lost: LostLines) => string) {
    this.#stream = stream;
    this.#describe = describe;
    stream.on('error', () => {}); // each failure comes to the write that it is about
    if (stream.isTTY) neverBlock(stream);
  }

  get isTTY(): boolean {
    return this.#stream.isTTY === true;
  }

  get columns(): number {
    return this.#stream.columns;
  }

  write(line: string): void {
    if (this.#hasRoom()) this.#send(line, 1);
    else this.#miss(1, 'its reader is too slow', null);
  }

  /** The problem with the output, as `status` lists it; null while it takes lines. */
  get trouble(): Diagnostic | null {
    if (this.#lost === null) return null;
    const { lines, since, reason } = this.#lost;
    return diagnostic({
      code: 'output-lost',
      message: `${count(lines, 'line')} of \`steward run\` are lost since ${iso(since)}: ${reason}.`,
      hint: "Work goes on, and `steward log` lists it. Repair the output's destination, or start Steward with another.",
    });
  }

  /** Lets the process end, even if a reader never takes the waiting lines. */
  close(): void {
    if (this.#retry !== null) clearTimeout(this.#retry);
    const leave = () => {
      if (this.#stream.writableLength > 0) process.exit();
    };
    setTimeout(leave, LAST_WORDS_MS).unref();
  }

  // Once behind, the reader has to catch up wholly: else every few lines a line would tell of others that were not said.
  #hasRoom(): boolean {
    const waiting = this.#stream.writableLength;
    this.#isBehind = this.#isBehind ? waiting > 0 : waiting > MOST_WAITING;
    return !this.#isBehind;
  }

  // Missed lines are reported first.
  #send(text: string, lines: number): void {
    const before = this.#lost;
    this.#lost = null;
    const whole = before === null ? text : `${this.#describe(before)}\n${text}`;
    this.#put(whole, (error) => this.#miss(lines, outputReason(error), before));
  }

  #miss(lines: number, reason: string, before: LostLines | null): void {
    const known = [before, this.#lost].filter((one) => one !== null);
    this.#lost = {
      what: 'unsaid',
      lines: known.reduce((sum, one) => sum + one.lines, lines),
      since: known[0]?.since ?? Date.now(),
      reason,
    };
    this.#retry ??= setTimeout(() => this.#tryAgain(), TRY_AGAIN_MS).unref();
  }

  #tryAgain(): void {
    this.#retry = null;
    if (this.#lost === null) return;
    if (this.#hasRoom()) this.#send('', 0);
    else this.#miss(0, this.#lost.reason, null);
  }

  // A pipe and a socket are written by events, and say what they did not take. A file is written at once, and Node's
  // own stream keeps silent if a full disk took only a part of a line.
  #put(text: string, failed: (error: unknown) => void): void {
    if (this.#stream instanceof net.Socket) {
      this.#stream.write(text, (error) => (error instanceof Error ? failed(error) : undefined));
      return;
    }
    try {
      this.#putInFile(text);
    } catch (error) {
      failed(error);
    }
  }

  // A line that was torn off by a full disk is ended first.
  #putInFile(text: string): void {
    const bytes = Buffer.from(this.#isTorn ? `\n${text}` : text);
    let at = 0;
    try {
      while (at < bytes.length) at += fs.writeSync(this.#stream.fd, bytes, at);
      this.#isTorn = false;
    } catch (error) {
      this.#isTorn ||= at > 0;
      throw error;
    }
  }
}

// Node lets writes to a terminal block, so that a program that ends has said all. One that goes on must not wait for
// somebody who has pressed Ctrl-S.
function neverBlock(stream: NodeJS.WriteStream): void {
  const handle: unknown = Reflect.get(stream, '_handle');
  if (typeof handle !== 'object' || handle === null || !('setBlocking' in handle)) return;
  if (typeof handle.setBlocking === 'function') handle.setBlocking(false);
}

function askedAbout(candidates: readonly string[]): string {
  const [only = '', ...others] = distinctTitles(candidates).map(clean);
  if (others.length === 0) return `${only}, perhaps (you are asked)`;
  return `one of ${[only, ...others].join(', ')} (you are asked which)`;
}
