import fs from 'node:fs';
import path from 'node:path';
import type { Ground } from '../evidence/files.ts';
import { ApiKey, type ProviderAccess } from '../model/api-key.ts';
import type { NotifyAccess } from '../notify/channel.ts';
import { missingWords, type PlaneAccess, type PlaneWords, planeAccess } from '../plane/access.ts';
import { passwordCredential, passwordVariable } from '../source/password.ts';
import { type Mode, parseMode } from '../steward/gates-rounding.ts';
import type { ItemCounts } from '../stream/items-read.ts';
import type { Reversed } from '../undo/order.ts';
import { type Diagnostic, EXIT, StewardError, systemCode } from '../vault/errors.ts';
import type { Changes } from '../vault/records.ts';
import { badNtfyToken, notifyAccess } from './context-notify.ts';
import { sealKeyFile } from './seal-key.ts';
import { lockMemories, stateFolder } from './server/runtime-paths.ts';

/** One thing that happened in the daemon, as plain data. `run` prints it as a line. */
export type DaemonEvent =
  | { readonly what: 'started'; readonly vault: string; readonly mode: string; readonly matters: number }
  | { readonly what: 'stopped' }
  | { readonly what: 'recovered'; readonly finished: number; readonly withdrawn: number }
  | { readonly what: 'schedule-provisioned'; readonly name: string; readonly cadence: string; readonly next: number }
  | { readonly what: 'schedule-removed'; readonly name: string; readonly reason: string }
  | {
      readonly what: 'ticked';
      readonly name: string;
      readonly targets: number;
      readonly events: number;
      /** Why nothing was judged; null where something was. */
      readonly skipped: string | null;
    }
  | { readonly what: 'skipped'; readonly name: string; readonly reason: string }
  /** A file that holds many events was read, to its end or until too many of them waited. */
  | {
      readonly what: 'items-read';
      readonly file: string;
      readonly signals: number;
      readonly items: ItemCounts;
      readonly reason: string | null;
    }
  | { readonly what: 'stream-read'; readonly file: string; readonly signals: number; readonly reason: string | null }
  /** The first file of a kind that is not read. */
  | { readonly what: 'kind-unread'; readonly file: string; readonly kind: string }
  | {
      readonly what: 'signal-written';
      readonly signal: string;
      readonly target: string;
      readonly headline: string;
      /** The notes it may mean; empty where only its target can be meant. */
      readonly candidates: readonly string[];
    }
  /** Edits by hand of which no signal was made: too many came at once, or a whole vault was set back. */
  | { readonly what: 'edits-passed'; readonly edits: number; readonly reason: string }
  /** A person is asked which of several notes a signal is about. */
  | { readonly what: 'asked'; readonly event: string; readonly signal: string; readonly candidates: readonly string[] }
  | {
      readonly what: 'acted' | 'proposed' | 'recorded' | 'confirmed';
      readonly event: string;
      readonly target: string;
      readonly decision: string;
      readonly confidence: number;
      readonly changes: Changes;
      readonly reason: string;
    }
  /** What the program found by itself is put to a person. */
  | { readonly what: 'perceived'; readonly event: string; readonly target: string; readonly sentence: string }
  | { readonly what: 'dismissed'; readonly event: string; readonly target: string }
  /** The proposals of a note have closed by themselves, and its flag was removed. */
  | { readonly what: 'closed'; readonly event: string; readonly target: string; readonly reason: string }
  /** A file that should confirm or dismiss a proposal, and could not. */
  | { readonly what: 'refused'; readonly file: string; readonly outcome: string; readonly reason: string }
  | Reversed
  | { readonly what: 'roundtable-round'; readonly id: string; readonly round: number; readonly converged: boolean }
  /** A roundtable about a proposal is over; the proposal links to its outcome as advice. */
  | { readonly what: 'deliberated'; readonly event: string; readonly folder: string; readonly converged: boolean }
  /** A source brought something, and so many files were made of it. */
  | { readonly what: 'fetched'; readonly source: string; readonly seen: number; readonly taken: number }
  /** Plane was told of an event, or it was taken back there; `remark`: what of it could not be done. */
  | {
      readonly what: 'plane';
      readonly event: string;
      readonly wants: 'said' | 'unsaid';
      readonly remark: string | null;
    }
  /** A message went out: how many things it told of, none of a digest. */
  | { readonly what: 'notified'; readonly channel: string; readonly things: number }
  /** What has changed in the program since it last ran on this vault. */
  | { readonly what: 'notice'; readonly text: string }
  | { readonly what: 'settings'; readonly troubles: number }
  /** Settled things that are older than these days (null: kept) leave the vault from a moment on (epoch ms). */
  | {
      readonly what: 'retention';
      readonly streamDays: number | null;
      readonly eventDays: number | null;
      readonly from: number;
    }
  /** Settled things that were older than the settings keep them have left the vault. */
  | { readonly what: 'retired'; readonly streams: number; readonly events: number; readonly signals: number }
  | { readonly what: 'away' | 'back'; readonly reason: string }
  /** One of several vaults cannot be kept just now; it is tried again at a moment (epoch ms), or when its folder changes. */
  | { readonly what: 'unkept'; readonly trouble: Diagnostic; readonly again: number }
  /** One of several vaults has left their folder, and is kept no longer. */
  | { readonly what: 'let-go' }
  /** How many vaults one process looks after, and of how many the daemon runs. */
  | { readonly what: 'keeping'; readonly vaults: number; readonly running: number }
  /** Lines that `run` could not write since a moment (epoch ms), and why not. */
  | { readonly what: 'unsaid'; readonly lines: number; readonly since: number; readonly reason: string }
  /** An error that no code foresaw, in a component of the program. */
  | {
      readonly what: 'fault';
      readonly component: string;
      readonly stack: string;
      readonly continued: boolean;
      readonly trouble: Diagnostic;
    }
  | { readonly what: 'trouble'; readonly trouble: Diagnostic };

/** The servers that may be asked. The vault names none. */
interface Servers {
  /** How a model is reached; absent or null where no key is given. */
  readonly provider?: ProviderAccess | null;
  /** How Plane is reached; absent or null where the environment does not say all of it. */
  readonly plane?: PlaneAccess | null;
  /** The variables that are missing for that, where some are set. */
  readonly planeMissing?: readonly string[];
  /** Where messages go; absent or null where no channel is named. */
  readonly notify?: NotifyAccess | null;
}

/** What neither the vault nor a caller can raise. */
interface Ceilings {
  readonly ceiling: Mode;
  /** `STEWARD_CONFIDENCE_THRESHOLD`, or null where it is not set. */
  readonly confidenceThreshold: number | null;
  /** `STEWARD_HIGH_CONFIDENCE_THRESHOLD`, or null where it is not set. */
  readonly highConfidenceThreshold: number | null;
  /**
   * `STEWARD_BUDGET_USD_PER_DAY`: what models may cost in any 24 hours, in US dollars, whatever the vault allows; absent or
   * null where it is not set.
   */
  readonly budgetUsdPerDay?: number | null;
}

/** What the environment allows, and what only the environment says. */
export interface Environment extends Ceilings, Servers {
  /** `STEWARD_RECORDED_REPLIES`: the folder of recorded replies that replace a model's; absent or null for none. */
  readonly recorded?: string | null;
  /**
   * `STEWARD_EVIDENCE_ROOTS`: the folders outside the vault (absolute) below which a note may have files read; absent for
   * none.
   */
  readonly evidenceRoots?: readonly string[];
  /** Where the key lies by which the program marks its own notes; absent: a key for this run alone. */
  readonly sealKey?: string;
  /** The folder where this machine keeps what it knows of the locks of vaults; absent: it is known to this run alone. */
  readonly lockMemories?: string;
  /** The folder where this machine keeps what a person allowed the sources of vaults; absent: nothing is allowed. */
  readonly sourceGrants?: string;
  /** Tells the password of a source, null where none is set; absent: none is. */
  readonly sourcePassword?: (name: string) => string | null;
  /** The variables of this process, of which a program that a source runs is given a few; absent: none. */
  readonly forPrograms?: Readonly<Record<string, string | undefined>>;
}

const CREDENTIAL = 'anthropic_api_key';
const PLANE_CREDENTIAL = 'plane_api_key';
const NTFY_CREDENTIAL = 'ntfy_token';

/** Returns the settings of the process environment. Throws (exit 78) where a value is not valid. */
export function readEnvironment(env: NodeJS.ProcessEnv): Environment {
  const plane = planeWords(env);
  return {
    ceiling: parseMode(env.STEWARD_LIVE_MODE),
    confidenceThreshold: threshold(env, 'STEWARD_CONFIDENCE_THRESHOLD'),
    highConfidenceThreshold: threshold(env, 'STEWARD_HIGH_CONFIDENCE_THRESHOLD'),
    budgetUsdPerDay: budget(env.STEWARD_BUDGET_USD_PER_DAY),
    provider: providerAccess(env),
    recorded: folderOf(env.STEWARD_RECORDED_REPLIES),
    evidenceRoots: evidenceRoots(env.STEWARD_EVIDENCE_ROOTS ?? ''),
    plane: planeAccess(plane, (key) => new ApiKey(key)),
    planeMissing: missingWords(plane),
    notify: notifyAccess(env, () => credential(env, NTFY_CREDENTIAL, badNtfyToken)),
    sealKey: sealKeyFile(env),
    lockMemories: lockMemories(env),
    sourceGrants: path.join(stateFolder(env), 'sources'),
    sourcePassword: sourcePasswords(env),
    forPrograms: env,
  };
}

/** Returns where notes of a vault may have files read: itself, the environment's folders, and those that a command adds. */
export function groundOf(vault: string, { evidenceRoots = [] }: Environment, added: readonly string[] = []): Ground {
  return { vault, roots: [...evidenceRoots, ...added] };
}

// Absolute, since `run` leaves the folder that it was started in.
function folderOf(written: string | undefined): string | null {
  const named = written?.trim() ?? '';
  return named === '' ? null : path.resolve(named);
}

/** The key from `ANTHROPIC_API_KEY` or from the service's credential, never from the vault (contract, section 10). */
function providerAccess(env: NodeJS.ProcessEnv): ProviderAccess | null {
  const key = env.ANTHROPIC_API_KEY?.trim() || credential(env, CREDENTIAL, badKey);
  if (key === '') return null;
  // The error about a key that no header can hold would otherwise repeat the key.
  if (!/^[\x21-\x7e]+$/.test(key)) throw badKey('holds a space or a character that no key has');
  return { key: new ApiKey(key), baseUrl: addressOf(env.ANTHROPIC_BASE_URL?.trim() ?? '') };
}

// The error does not repeat the address: a name or password in it would be a secret.
function addressOf(written: string): string | null {
  if (written === '') return null;
  const address = URL.canParse(written) ? new URL(written) : null;
  if (address !== null && /^https?:$/.test(address.protocol) && address.username + address.password === '')
    return written;
  throw new StewardError(
    {
      code: 'settings-address',
      message: 'ANTHROPIC_BASE_URL is no usable address of a server.',
      hint: 'Set it to one such as http://127.0.0.1:11434, with no name or password in it, or unset it.',
    },
    EXIT.settings,
  );
}

/** Folders as PATH has them, between colons. A relative one would depend on where the daemon was started. */
function evidenceRoots(written: string): readonly string[] {
  const roots = written.split(':').filter((root) => root !== '');
  const unfit = roots.find((root) => !path.isAbsolute(root) || path.resolve(root) === '/');
  if (unfit === undefined) return roots.map((root) => path.resolve(root));
  throw new StewardError(
    {
      code: 'settings-roots',
      message: `STEWARD_EVIDENCE_ROOTS holds ${JSON.stringify(unfit)}, which is no absolute path of a folder, or is the whole disk.`,
      hint: 'Give the whole path of each folder, as in /home/you/code:/srv/data, or unset it.',
    },
    EXIT.settings,
  );
}

function planeWords(env: NodeJS.ProcessEnv): PlaneWords {
  const [baseUrl = '', workspace = ''] = [env.PLANE_BASE_URL?.trim(), env.PLANE_WORKSPACE?.trim()];
  return { key: env.PLANE_API_KEY?.trim() || credential(env, PLANE_CREDENTIAL, badPlaneKey), baseUrl, workspace };
}

function credential(env: NodeJS.ProcessEnv, name: string, bad: (why: string) => StewardError): string {
  if (env.CREDENTIALS_DIRECTORY === undefined) return '';
  try {
    return fs.readFileSync(path.join(env.CREDENTIALS_DIRECTORY, name), 'utf8').trim();
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return '';
    throw bad(`cannot be read (${systemCode(error) ?? 'unknown'})`);
  }
}

// Read each time, since a credential may be renewed. One that cannot be read is none: where it is needed, that is said.
function sourcePasswords(env: NodeJS.ProcessEnv): (name: string) => string | null {
  return (name) => {
    const set = env[passwordVariable(name)] ?? '';
    if (set !== '' || env.CREDENTIALS_DIRECTORY === undefined) return set || null;
    try {
      const file = path.join(env.CREDENTIALS_DIRECTORY, passwordCredential(name));
      return fs.readFileSync(file, 'utf8').replace(/\r?\n$/, '') || null;
    } catch {
      return null;
    }
  };
}

function badPlaneKey(why: string): StewardError {
  return new StewardError(
    {
      code: 'settings-plane',
      message: `The key for Plane ${why}.`,
      hint: `Mend PLANE_API_KEY or the credential ${PLANE_CREDENTIAL}, or take it away.`,
    },
    EXIT.settings,
  );
}

function badKey(why: string): StewardError {
  return new StewardError(
    {
      code: 'settings-key',
      message: `The key for the model ${why}.`,
      hint: `Mend ANTHROPIC_API_KEY or the credential ${CREDENTIAL}, or take it away.`,
    },
    EXIT.settings,
  );
}

function budget(written: string | undefined): number | null {
  if (written === undefined || written.trim() === '') return null;
  const figure = Number(written);
  if (Number.isFinite(figure) && figure >= 0) return figure;
  throw new StewardError(
    {
      code: 'settings-budget',
      message: 'STEWARD_BUDGET_USD_PER_DAY must be a number of US dollars, 0 or more.',
      hint: 'Set it to a figure such as 2.50, or unset it.',
    },
    EXIT.settings,
  );
}

function threshold(env: NodeJS.ProcessEnv, name: string): number | null {
  const written = env[name];
  if (written === undefined || written.trim() === '') return null;
  const figure = Number(written);
  if (Number.isFinite(figure) && figure >= 0 && figure <= 1) return figure;
  throw new StewardError(
    {
      code: 'settings-threshold',
      message: `${name} must be a number from 0 to 1.`,
      hint: `Set it to a figure such as 0.6, or unset it.`,
    },
    EXIT.settings,
  );
}
