import { styleText } from 'node:util';
import type { DaemonEvent } from '../../daemon/context/daemon-event.ts';
import type { LoggedEvent } from '../../daemon/explain/audit-log.ts';
import type { Explanation } from '../../daemon/explain/explanation.ts';
import type { Imported } from '../../daemon/ingest/import.ts';
import type { TickResult } from '../../daemon/schedule/tick.ts';
import type { ScheduleStatus, Status } from '../../daemon/status/status.ts';
import { type Answer, isDone } from '../../undo/order.ts';
import type { Diagnostic } from '../../vault/errors.ts';
import type { Changes } from '../../vault/records/mutation.ts';
import type { Yaml } from '../../vault/records/values.ts';
import { budgetLines, costLines } from './print-budget.ts';

type Style = Parameters<typeof styleText>[0];

/** All the terminal's words, in one place. Colour only where `stream` is a terminal and NO_COLOR is not set. */
export class Printer {
  readonly #out: NodeJS.WriteStream;
  readonly #colour: boolean;

  constructor(out: NodeJS.WriteStream, env: NodeJS.ProcessEnv) {
    this.#out = out;
    this.#colour = out.isTTY === true && (env.NO_COLOR ?? '') === '';
    // A reader that closes its end early (`steward log | head`) has seen enough: that is no error.
    out.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') process.exit();
      throw error;
    });
  }

  json(value: unknown): void {
    // JSON leaves some control characters as they are; escaped they mean the same, and do nothing to a terminal.
    const escaped = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
    const text = JSON.stringify(value, null, 2).replace(/[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, escaped);
    this.#out.write(`${text}\n`);
  }

  line(text = ''): void {
    this.#out.write(`${text}\n`);
  }

  /** A line of somebody else's text, with nothing in it that a terminal would obey. */
  plain(text: string): void {
    this.line(clean(text));
  }

  /** What is being done just now, for whoever is watching. */
  progress(text: string): void {
    if (this.#out.isTTY === true) this.line(this.#style('dim', clean(text)));
  }

  /** A title with an empty line before it. */
  heading(text: string): void {
    this.#title(clean(text));
  }

  /** Rows in columns, as wide as their widest cell. */
  rows(rows: readonly (readonly string[])[]): void {
    this.#table(rows.map((row) => row.map(clean)));
  }

  /** A line that stands out, or steps back. */
  styled(style: 'bold' | 'dim', text: string): void {
    this.line(this.#style(style, clean(text)));
  }

  /** A trouble: where, what, the line with its caret, what to do. */
  trouble(one: Diagnostic): void {
    const where = whereOf(one);
    this.line(
      `${where === '' ? '' : `${this.#style('bold', clean(where))}  `}${clean(one.message)} ${this.#style('dim', `(${one.code})`)}`,
    );
    for (const line of one.excerpt?.split('\n') ?? []) this.line(`    ${clean(line)}`);
    this.line(`  ${this.#style('dim', clean(one.hint))}`);
  }

  status(status: Status): void {
    this.#heading(status);
    this.#schedules(status);
    this.#proposals(status);
    this.#gates(status);
    this.#sources(status);
    this.#streams(status);
    this.#kept(status);
    this.#troubles(status.trouble);
  }

  #heading({ vault, daemon, mode, evaluator, extractor }: Status): void {
    const since = daemon.since === null ? '' : ` since ${local(daemon.since)} (pid ${daemon.pid})`;
    this.line(
      `${this.#style('bold', clean(vault.path))}  ${vault.state === 'away' ? this.#style('red', `away: ${clean(vault.reason ?? '')}`) : `${vault.notes} notes`}`,
    );
    this.line(
      `daemon ${this.#style(daemon.state === 'running' ? 'green' : 'yellow', daemon.state)}${since}, mode ${mode.effective}${modeNote(mode)}, judged by ${evaluator}${extractor === evaluator ? '' : `, mail read by ${extractor}`}`,
    );
  }

  #schedules({ schedules, vault }: Status): void {
    this.#title('Schedules');
    if (schedules.length === 0)
      this.line(vault.state === 'away' ? '  none known' : '  none: no open matter in the vault');
    this.#table(schedules.map((one) => [clean(one.name), clean(one.reason), clean(lastOf(one)), nextOf(one)]));
  }

  #proposals({ proposals }: Status): void {
    if (proposals.length === 0) return;
    this.#title('Waiting for you');
    this.#table(
      proposals.map((one) => [clean(one.event), clean(one.decision), figure(one.confidence), `${age(one.age)} old`]),
    );
    for (const { event, reason } of proposals) {
      if ((reason ?? null) !== null)
        this.line(`  ${clean(event)}: ${clean(reason ?? '')}; judged again at the next tick`);
    }
    this.line(this.#style('dim', '  steward confirm EVENT, steward dismiss EVENT, or tick the box in the note'));
  }

  #gates({ gates, costs }: Status): void {
    const used = Object.entries(gates.rateGuard).map(([window, { used, cap }]) => `${window} ${used}/${cap}`);
    this.#title('Gates');
    if (used.length > 0) this.line(`  rate guard: ${used.join(', ')}`);
    if (gates.backoffUntil !== null) this.line(`  the provider asked us to wait until ${local(gates.backoffUntil)}`);
    for (const line of [...budgetLines(gates.budget), ...costLines(costs)]) this.line(`  ${clean(line)}`);
    this.line(
      `  act from ${gates.thresholds.confidence} (live), ${gates.thresholds.highConfidence} (high confidence only)`,
    );
  }

  #sources({ sources }: Status): void {
    if (sources.length === 0) return;
    this.#title('Sources');
    this.#table(
      sources.map((one) => [
        clean(one.source),
        figure(one.confidence),
        `needs ${one.threshold}`,
        `${one.observations} right`,
        one.status,
      ]),
    );
  }

  #streams({ streams }: Status): void {
    if (streams.seen === 0) return;
    this.#title('Streams');
    this.line(
      `  ${streams.seen} files, ${streams.read} read: ${streams.signals} signals, ${streams.skipped} with nothing for the vault, ${streams.refused.length} refused`,
    );
    for (const { file, reason } of streams.refused) this.line(`  ${clean(file)}: ${clean(reason)}`);
    if (streams.waiting.length > 0)
      this.line(`  ${count(streams.waiting.length, 'file')} to be read when a model can be asked:`);
    for (const { file, reason } of streams.waiting.slice(0, 10)) this.line(`  ${clean(file)}: ${clean(reason)}`);
  }

  #kept({ kept }: Status): void {
    if (kept.length === 0) return;
    this.#title('Kept for you: written beside the steward at the same instant');
    this.#table(kept.map((one) => [clean(one.note), clean(one.file), local(one.at)]));
  }

  #troubles(troubles: readonly Diagnostic[]): void {
    if (troubles.length === 0) return;
    this.#title(`Trouble (${troubles.length})`);
    for (const one of troubles) this.trouble(one);
  }

  /** The verdict of `doctor`. */
  doctor(troubles: readonly Diagnostic[], checks: readonly { readonly name: string; readonly found: string }[]): void {
    this.#table(checks.map(({ name, found }) => [name, clean(found)]));
    if (troubles.length === 0) this.line(this.#style('green', 'Nothing is wrong.'));
    this.#troubles(troubles);
  }

  log(events: readonly LoggedEvent[]): void {
    if (events.length === 0) this.line('Nothing has happened yet.');
    for (const one of events) {
      this.line(
        `${this.#style('dim', local(one.time))}  ${this.#style(outcomeStyle(one.outcome), clean(one.outcome))}${closedWords(one)}  ${clean(one.target ?? '')}  ${clean(one.decision)} ${figure(one.confidence)}`,
      );
      for (const change of changeLines(one.changes)) this.line(`    ${change}`);
      this.line(`    ${this.#style('dim', clean(one.event))}`);
    }
  }

  explain(explanation: Explanation): void {
    this.line(this.#style('bold', clean(explanation.sentence)));
    for (const { title, lines } of explanation.sections) {
      this.#title(title);
      for (const line of lines) this.line(`  ${clean(line)}`);
    }
  }

  answers(answers: readonly Answer[], dryRun: boolean): void {
    for (const one of answers) {
      this.line(
        `${this.#style(outcomeStyle(one.outcome), dryRun && isDone(one) ? `would be ${one.outcome}` : one.outcome)}  ${clean(one.event)}`,
      );
      this.line(`  ${clean(one.message)}`);
      for (const change of changeLines(one.changes)) this.line(`  ${clean(one.target ?? '')}  ${change}`);
      for (const [source, moved] of Object.entries(one.calibration)) this.line(`  ${clean(source)} ${clean(moved)}`);
      if (one.note !== null) this.line(this.#style('dim', `  ${clean(one.note)}`));
    }
  }

  ticks(results: readonly TickResult[]): void {
    for (const one of results) {
      this.line(`${clean(one.matter)}: ${count(one.targets, 'note')} looked at, ${count(one.events.length, 'event')}`);
      for (const event of one.events) this.line(`  ${clean(event)}`);
      if (one.retryAt !== null) this.line('  a note is being edited just now; it is judged when it has been quiet');
    }
    if (results.length === 0) this.line('There is no open matter to look at.');
  }

  imported(files: readonly Imported[]): void {
    for (const one of files) {
      this.line(
        `${clean(one.file)}: ${one.signals.length === 0 ? `no signal (${clean(one.reason ?? 'nothing new')})` : count(one.signals.length, 'signal')}`,
      );
      for (const signal of one.signals) this.line(`  ${clean(signal)}`);
    }
  }

  /** One line for one thing that happened. */
  event(one: DaemonEvent): void {
    this.line(this.eventText(one));
  }

  eventText(one: DaemonEvent): string {
    switch (one.what) {
      case 'started':
        return `${this.#style('green', 'started')} on ${clean(one.vault)}: ${count(one.matters, 'matter')}, mode ${one.mode}`;
      case 'stopped':
        return 'stopped';
      case 'recovered':
        return `recovered: ${one.finished} finished, ${one.withdrawn} withdrawn after a crash`;
      case 'schedule-provisioned':
        return `schedule ${clean(one.name)} provisioned, ${clean(one.cadence)}, next ${one.next === 0 ? 'never' : local(new Date(one.next).toISOString())}`;
      case 'schedule-removed':
        return `schedule ${clean(one.name)} removed: ${clean(one.reason)}`;
      case 'ticked':
        return `tick ${clean(one.name)}: ${count(one.targets, 'note')} looked at, ${one.skipped === null ? count(one.events, 'event') : clean(one.skipped)}`;
      case 'skipped':
        return `tick ${clean(one.name)} skipped: ${clean(one.reason)}`;
      case 'stream-read':
        return `read ${clean(one.file)}: ${one.signals > 0 ? count(one.signals, 'signal') : `no signal (${clean(one.reason ?? '')})`}`;
      case 'signal-written':
        return `${this.#style('cyan', 'signal')} ${clean(one.signal)} for ${one.candidates.length === 0 ? clean(one.target) : `one of ${one.candidates.map(clean).join(', ')} (ambiguous: never acted upon)`}: ${clean(one.headline)}`;
      case 'acted':
      case 'confirmed':
        return `${this.#style('green', one.what)} ${clean(one.target)}: ${changeLines(one.changes).join('; ')} (${clean(one.decision)} ${figure(one.confidence)}) ${this.#style('dim', clean(one.event))}`;
      case 'proposed':
      case 'recorded':
        return `${this.#style('yellow', one.what)} ${clean(one.target)}: ${changeLines(one.changes).join('; ') || 'no change'} (${clean(one.decision)} ${figure(one.confidence)}; ${clean(one.reason).replace(/\.$/, '')}) ${this.#style('dim', clean(one.event))}`;
      case 'dismissed':
        return `dismissed ${clean(one.target)} ${this.#style('dim', clean(one.event))}`;
      case 'closed':
        return `closed ${clean(one.target)}: ${clean(one.reason)} ${this.#style('dim', clean(one.event))}`;
      case 'refused':
        return `${this.#style('red', clean(one.outcome))} ${clean(one.file)}: ${clean(one.reason)}`;
      case 'reversed':
        return `${one.outcome === 'reversed' ? this.#style('magenta', 'reversed') : `undo: ${one.outcome}`} ${clean(one.target)} ${moves(one.calibration)} ${this.#style('dim', clean(one.event))}`;
      case 'roundtable-round':
        return `roundtable ${clean(one.id)}: round ${one.round} closed${one.converged ? ', converged' : ''}`;
      case 'deliberated':
        return `deliberated: ${one.converged ? 'they agree' : 'they do not agree'}, in ${clean(one.folder)}, about ${clean(one.event)}`;
      case 'settings':
        return one.troubles === 0
          ? 'settings read again'
          : `settings read again: ${count(one.troubles, 'value')} kept as before`;
      case 'away':
        return `${this.#style('red', 'the vault is away')}: ${clean(one.reason)}; nothing is removed, nothing is written`;
      case 'back':
        return 'the vault is back';
      case 'trouble':
        return `${this.#style('red', 'trouble')} ${one.trouble.file === null ? '' : `${clean(whereOf(one.trouble))}: `}${clean(one.trouble.message)} ${clean(one.trouble.hint)}`;
    }
  }

  #title(text: string): void {
    this.line();
    this.line(this.#style('bold', text));
  }

  #table(rows: readonly (readonly string[])[]): void {
    const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
    for (const row of rows)
      this.line(
        `  ${row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd()}`,
      );
  }

  #style(style: Style, text: string): string {
    return this.#colour ? styleText(style, text, { validateStream: false }) : text;
  }
}

// What stands in a vault may hold escape sequences; none of them reaches the terminal.
export function clean(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out
  return text.replace(/[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, ' ');
}

function whereOf({ file, line, column }: Diagnostic): string {
  return [file, line, column].filter((part) => part !== null).join(':');
}

// What closed a proposal, or holds it up.
function closedWords({ outcome, by, reason }: LoggedEvent): string {
  if (outcome === 'superseded' && by !== null) return ` by ${clean(by)}`;
  return reason === null ? '' : ` (${clean(reason)})`;
}

function changeLines(changes: Changes): string[] {
  return Object.entries(changes).map(
    ([field, { before, after }]) => `${clean(field)} ${value(before)} → ${value(after)}`,
  );
}

function value(one: Yaml): string {
  if (one === null) return '(none)';
  const text = clean(typeof one === 'string' ? one : JSON.stringify(one));
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

function moves(calibration: Readonly<Record<string, string>>): string {
  const moved = Object.entries(calibration).map(([source, text]) => `${clean(source)} ${clean(text)}`);
  return moved.length === 0 ? '' : `(${moved.join(', ')})`;
}

function modeNote(mode: Status['mode']): string {
  if (mode.effective === mode.ceiling && mode.vault === null) return '';
  if (mode.effective !== mode.ceiling) return ' (steward.md allows no more)';
  return mode.vault === mode.ceiling ? '' : ' (the environment allows no more)';
}

function lastOf(one: ScheduleStatus): string {
  if (one.last === null) return one.skipped === null ? 'not ticked yet' : `skipped: ${one.skipped}`;
  return `last ${local(one.last)}${one.skipped === null ? '' : ` (${one.skipped})`}`;
}

function nextOf(one: ScheduleStatus): string {
  if (one.state === 'running') return 'ticking now';
  return one.next === null ? 'never' : `next ${local(one.next)}`;
}

export function local(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return clean(iso);
  const pad = (part: number) => String(part).padStart(2, '0');
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())} ${pad(date.getHours())}:${pad(date.getMinutes())}:${pad(date.getSeconds())}`;
}

export function figure(one: number): string {
  return one.toFixed(2);
}

function age(seconds: number): string {
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  return seconds < 48 * 3600 ? `${Math.floor(seconds / 3600)} h` : `${Math.floor(seconds / 86_400)} days`;
}

export function count(figure: number, noun: string): string {
  return `${figure} ${noun}${figure === 1 ? '' : 's'}`;
}

function outcomeStyle(outcome: string): Style {
  if (['applied', 'confirmed', 'reversed'].includes(outcome)) return 'green';
  return ['proposed', 'recorded', 'settling', 'dismissed'].includes(outcome) ? 'yellow' : 'red';
}
