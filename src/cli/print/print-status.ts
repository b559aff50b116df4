import type { Status } from '../../daemon/status.ts';
import type { Diagnostic } from '../../vault/errors.ts';
import { printTroubles } from '../print.ts';
import { screenEntries } from '../print-attention.ts';
import { stateWords } from '../print-sources.ts';
import { ago, headline, printSchedules, printSections, unusualLines } from '../print-status.ts';
import { clean, count, local, whereOf } from './plain-text.ts';
import type { Printer } from './printer.ts';

/** What of a status is printed beside the one screen. */
export interface Shown {
  readonly schedules?: boolean;
  /** Every section, and all that is wrong. */
  readonly all?: boolean;
}

/** How many entries and troubles a screen names at least, however small it is. */
const FEWEST = 2;
/** How many lines stay free below: for the prompt. */
const BELOW = 1;
/** How many connected sources have a line of their own. */
const CONNECTED = 3;
/** How many channels are named. */
const CHANNELS = 6;

/** Prints a status on one screen: what waits for a person, what is wrong, who looks after the vault; then what was asked for besides. */
export function printStatus(out: Printer, status: Status, { schedules = false, all = false }: Shown = {}): void {
  for (const line of statusScreen(out, status, all)) out.line(line);
  if (all) printSections(out, status);
  else if (schedules) printSchedules(out, status);
  if (all) printTroubles(out, status.trouble);
}

/** Returns the last line of a status that is watched. */
export function watchFooter(out: Printer, { at }: Status): string {
  return out.paint('dim', `q ends · as of ${local(at).slice(-8)}`);
}

/** Returns the one screen as lines that fit the terminal; what has no room on it is counted. */
function statusScreen(out: Printer, status: Status, withoutTrouble = false): string[] {
  const below = [
    ...(withoutTrouble ? [] : troubleLines(out, status.trouble)),
    '',
    ...vaultLines(out, status),
    ...unusualLines(status).map(clean),
    ...sourceLines(status),
    ...scheduleLine(status),
  ];
  const top = out.paint('bold', headline(status));
  const waiting = status.waiting.filter(({ kind }) => kind !== 'trouble');
  const entries = screenEntries(out, waiting, Math.max(out.height - BELOW - below.length - 2, 2 * FEWEST + 1));
  return [top, ...(entries.length === 0 ? [] : ['', ...entries]), ...below].map((line) => out.fitted(line));
}

function troubleLines(out: Printer, trouble: readonly Diagnostic[]): string[] {
  if (trouble.length === 0) return [];
  const more = trouble.length - FEWEST;
  // While settings cannot be read, those of before hold for everything.
  const sorted = trouble.toSorted((one, other) => Number(isOfSettings(other)) - Number(isOfSettings(one)));
  return [
    '',
    out.paint('bold', `Trouble (${trouble.length})`),
    ...sorted.slice(0, FEWEST).flatMap((one) => troubleText(out, one)),
    ...(more > 0 ? [out.paint('dim', `  … and ${more} more: steward status --all`)] : []),
  ];
}

function isOfSettings({ file }: Diagnostic): boolean {
  return file === 'steward.md';
}

function troubleText(out: Printer, trouble: Diagnostic): string[] {
  const where = whereOf(trouble);
  const place = where === '' ? '' : `${clean(where)}  `;
  const what = `${place}${clean(trouble.message)} ${out.paint('dim', `(${trouble.code})`)}`;
  return [what, out.paint('dim', `  ${clean(trouble.hint)}`)];
}

function vaultLines(out: Printer, { vault, daemon, mode, evaluator, extractor }: Status): string[] {
  const since = daemon.since === null ? '' : ` since ${local(daemon.since)} (pid ${daemon.pid})`;
  const notes =
    vault.state === 'away' ? out.paint('red', `away: ${clean(vault.reason ?? '')}`) : count(vault.notes, 'note');
  const state = out.paint(daemon.state === 'running' ? 'green' : 'yellow', daemon.state);
  const reader = extractor === evaluator ? '' : `, mail read by ${extractor}`;
  return [
    `${out.paint('bold', clean(vault.path))}  ${notes}`,
    `daemon ${state}${since}, mode ${mode.effective}${modeNote(mode)}, judged by ${evaluator}${reader}`,
  ];
}

function modeNote(mode: Status['mode']): string {
  if (mode.effective === mode.ceiling && mode.vault === null) return '';
  if (mode.effective !== mode.ceiling) return ' (as steward.md limits it)';
  return mode.vault === mode.ceiling ? '' : ' (as the environment limits it)';
}

// What is connected first: where it fails, nothing comes.
function sourceLines({ sourceNotes, sources, at }: Status): string[] {
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
    ...(heard.length === 0
      ? []
      : [`trust: ${heard.join(' · ')}${others > 0 ? ` · and ${others} more: steward status --all` : ''}`]),
  ];
}

function scheduleLine({ schedules, vault }: Status): string[] {
  if (vault.state === 'away') return [];
  if (schedules.length === 0) return ['no open matter in the vault'];
  const [next] = schedules.flatMap(({ next: at }) => at ?? []).toSorted();
  const when = next === undefined ? 'no matter is due' : `next matter due ${local(next)}`;
  return [`${when} (steward status --schedules)`];
}
