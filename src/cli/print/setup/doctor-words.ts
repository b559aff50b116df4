import type { ModelCheck } from '../../../daemon/decide/model-check.ts';
import type { NearKey } from '../../../daemon/status/near-keys.ts';
import type { BudgetStatus } from '../../../daemon/status/status.ts';
import type { Mode } from '../../../steward/gates/mode.ts';
import { round4 } from '../../../steward/gates/rounding.ts';
import { count } from '../plain-text.ts';
import type { Printer } from '../printer.ts';

/** Said while the sources are asked. */
export const ASKING_SOURCES = 'Asking the sources.';

/** Says that the models are asked now, which takes a while. */
export function printAsking(err: Printer): void {
  err.line('Asking the models; one at home may take minutes.');
}

/** Returns whether the daemon runs. */
export function daemonWords(daemon: 'running' | 'absent' | 'stalled'): string {
  return { running: 'running', absent: 'not running', stalled: 'gives no answer' }[daemon];
}

/** Returns which mode is allowed and which the vault asks for. `isDaemons`: whether the daemon itself was asked. */
export function modeWords(ceiling: Mode, vault: Mode | null, isDaemons: boolean): string {
  const allowed = isDaemons
    ? `the daemon allows ${ceiling}`
    : `this shell allows ${ceiling}; the service may allow another`;
  return `${allowed}; the vault ${vault === null ? 'asks for none' : `asks for ${vault}`}`;
}

/** Returns how the settings were read. */
export function settingsWords(unread: number, unknown: number): string {
  const words = unread === 0 ? 'read' : `${count(unread, 'unusable value')}`;
  return unknown === 0 ? words : `${words}; ${count(unknown, 'unknown key')}`;
}

/** Returns that a field looks like one of the steward's. It may be a person's own, so it is no trouble. */
export function keyWords({ file, key, meant }: NearKey): string {
  return `${key} in ${file} means nothing to the steward; did you mean ${meant}?`;
}

/** Returns who judges. */
export function evaluatorWords(name: string, hasProvider: boolean): string {
  return name === 'rules' ? `rules (built in; ${hasProvider ? 'no network' : 'no key, no network'})` : name;
}

/** Returns whether a model answers. */
export function modelWords(check: ModelCheck): string {
  const { model } = check;
  if (check.outcome === 'failed') return `${model} (gives no usable answer)`;
  if (check.outcome === 'not-asked') return `${model} (not asked: ${check.reason})`;
  const where = check.server === null ? '' : ` at ${check.server}`;
  return `${model}${where} (answered in ${(check.ms / 1000).toFixed(1)} s, held to its form by ${check.way})`;
}

/** Returns what models may cost and did cost. `isLower`: whether the environment lowers what the vault allows. */
export function costLimitWords({ usd, caps }: BudgetStatus, isLower: boolean): string {
  const spent = `${round4(usd)} USD spent in the last 24 hours`;
  if (caps.usd === null) return `unlimited: models may cost any sum; ${spent}`;
  return `models may cost ${caps.usd} USD a day${isLower ? ' (as the environment limits it)' : ''}; ${spent}`;
}

/** Returns how notes are written. Null where that could not be tried yet. */
export function exchangeWords(canExchange: boolean | null): string {
  if (canExchange === null) return 'not tried yet: the first start makes .steward';
  return canExchange ? 'notes are swapped atomically (renameat2)' : 'notes are renamed, with a link to what was there';
}

/** Returns what leaves the vault, and how much of it would leave now. */
export function leavingWords(kept: string, streams: number, events: number, signals: number): string {
  const now = [count(streams, 'stream file'), count(events, 'event'), count(signals, 'signal')];
  return `${kept}; leaving now: ${now.join(', ')}`;
}

/** Returns how many records the vault has. */
export function recordWords(root: string, matters: number, tasks: number, signals: number, events: number): string {
  const all = [count(matters, 'matter'), count(tasks, 'task'), count(signals, 'signal'), count(events, 'event')];
  return `${root}: ${all.join(', ')}`;
}
