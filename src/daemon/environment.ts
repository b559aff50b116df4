import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { badNtfyToken, type NotifyAccess, notifyAccess } from '../channels/channel.ts';
import type { Ground } from '../evidence/files.ts';
import { passwordCredential, passwordVariable } from '../sources/source.ts';
import { parseMode } from '../steward/gates.ts';
import type { Ceilings, DecisionEvent } from '../steward/workspace.ts';
import type { ItemCounts } from '../streams/state.ts';
import { type Diagnostic, diagnostic, EXIT, errorReason, StewardError, systemCode } from '../vault/errors.ts';
import { fileError, readBytes, writeState } from '../vault/files.ts';
import { sha256 } from '../vault/note-text.ts';
import { Seal } from '../vault/seal.ts';
import { ApiKey, type ProviderAccess } from './api-key.ts';
import { lockMemories, stateFolder } from './runtime-paths.ts';

const KEY_BYTES = 32;

/** The key of the program's mark, and what is wrong if it could not be kept. */
interface SealKey {
  readonly key: Uint8Array;
  readonly trouble: Diagnostic | null;
}

/** Returns where this user's key lies: in their state folder, outside every vault. */
export function sealKeyFile(env: NodeJS.ProcessEnv): string {
  return path.join(stateFolder(env), 'seal-key');
}

/**
 * Returns the seal of one vault: its key is derived from the user's key and the vault's identity, so that what the
 * program writes in one vault counts as a stranger's in another (contract, section 10). `make`: whether what is missing may be made.
 */
export function vaultSeal(places: KeyPlaces, stateFolder: string, make: boolean): VaultSeal {
  const { key, trouble } = originalKey(places, make);
  const id = storedIdentity(stateFolder)?.id ?? randomUUID();
  const own = createHmac('sha256', key).update(`vault ${id}`).digest();
  return { seal: new Seal(own), id, trouble };
}

/** The least number of characters: a short secret could be guessed from any mark. */
const LEAST_SECRET = 32;

// The file is for programs that keep many vaults without systemd. It comes first, as a variable does before a credential.
function sealSecretIn(env: Variables): string | null {
  const file = env[SEAL_FILE] ?? '';
  const place = file === '' ? `The credential ${SEAL_CREDENTIAL}` : `The file that ${SEAL_FILE} names`;
  const bad = (why: string) =>
    new StewardError(
      {
        code: 'settings-seal-key',
        message: `${place} ${why}.`,
        hint: 'Put the output of `openssl rand -hex 32` into it, or remove it.',
      },
      EXIT.settings,
    );
  const secret = file === '' ? credential(env, SEAL_CREDENTIAL, bad) : secretAt(path.resolve(file), bad);
  if (secret === '' && file === '') return null;
  if (secret.length < LEAST_SECRET) throw bad(`has fewer than ${LEAST_SECRET} characters`);
  return secret;
}

function secretAt(file: string, bad: (why: string) => StewardError): string {
  try {
    // Not a pipe, which might be waited for, nor a device without an end.
    const { bytes, mode, uid } = readBytes(file, MAX_SECRET_BYTES);
    // As with ssh: a secret that a container mounts belongs to root, and only root can change its mode.
    const isOpen = (mode & 0o022) !== 0 || (uid === process.getuid?.() && (mode & 0o077) !== 0);
    if (isOpen) throw openToOthers(file);
    return bytes.toString('utf8').trim();
  } catch (error) {
    if (error instanceof StewardError && error.trouble.code === 'settings-seal-key') throw error;
    throw bad(`can't be read (${systemCode(error) ?? errorReason(error)})`);
  }
}

function openToOthers(file: string): StewardError {
  const message = `The file that ${SEAL_FILE} names is open to other users.`;
  return new StewardError({ code: 'settings-seal-key', message, hint: `Run \`chmod 600 ${file}\`.` }, EXIT.settings);
}

const MAX_SECRET_BYTES = 64 * 1024;

interface KeyPlaces {
  readonly sealKey?: string | null;
  readonly sealSecret?: string | null;
}

/** Returns the key from which those of the vaults are derived: the operator's, else this machine's, as `sealKeyAt` does. */
export function originalKey({ sealKey = null, sealSecret = null }: KeyPlaces, make: boolean): SealKey {
  return sealSecret === null ? sealKeyAt(sealKey, make) : { key: secretKey(sealSecret), trouble: null };
}

function secretKey(secret: string): Uint8Array {
  return createHmac('sha256', secret).update('seal key').digest();
}

/** Returns what the memory of the vaults that a key has met is named after: for another secret it is another memory. */
export function keyMemory({ sealKey = null, sealSecret = null }: KeyPlaces): string | null {
  if (sealKey === null || sealSecret === null) return sealKey;
  return `${sealKey}-${Buffer.from(secretKey(sealSecret)).toString('hex').slice(0, 8)}`;
}

/** The seal of one vault, and the identity that it is derived from; to be stored if the vault has no identity yet. */
interface VaultSeal {
  readonly seal: Seal;
  readonly id: string;
  readonly trouble: Diagnostic | null;
}

const identity = z.object({ id: z.string().min(1), met: z.string().nullish() });

/** Returns the identity of a vault, which moves along with it; null if not stored yet. */
function storedIdentity(stateFolder: string): z.infer<typeof identity> | null {
  try {
    const stored = fs.readFileSync(path.join(stateFolder, IDENTITY_FILE), 'utf8');
    return identity.parse(JSON.parse(stored));
  } catch {
    return null; // the state itself says what is wrong with its files
  }
}

const IDENTITY_FILE = 'identity.json';

/** By whose key a vault was kept last, as the vault remembers it. */
type KeptBy = 'this key' | 'another key' | 'no key';

/**
 * Returns by whose key a vault was kept last. Anyone who shares the vault can delete that, or restore it, but not forge
 * it.
 */
export function keptBy(stateFolder: string, seal: Seal): KeptBy {
  const met = storedIdentity(stateFolder)?.met ?? null;
  if (met === null) return 'no key';
  return met === metMark(seal) ? 'this key' : 'another key';
}

/** Returns the mark by which a vault remembers that it was kept by this key. */
export function metMark(seal: Seal): string {
  return seal.of('met');
}

/** Stores a vault's identity unless it has one, for work that loads no other state. */
export function keepIdentity(stateFolder: string, id: string): void {
  if (storedIdentity(stateFolder) !== null) return;
  fs.mkdirSync(stateFolder, { recursive: true });
  writeState(path.join(stateFolder, IDENTITY_FILE), JSON.stringify({ id }));
}

/**
 * Returns the key in a file, making it if there isn't one and `make` allows it. Without a file that can be read there
 * is a key for this run alone: then nothing of before counts as the program's own, which is safe.
 */
export function sealKeyAt(file: string | null, make: boolean): SealKey {
  if (file === null) return { key: randomBytes(KEY_BYTES), trouble: null };
  try {
    return { key: make ? keptKey(file) : readKey(file), trouble: null };
  } catch (error) {
    const isMissing = systemCode(error) === 'ENOENT' && !make;
    return { key: randomBytes(KEY_BYTES), trouble: isMissing ? null : notKept(file, error) };
  }
}

function keptKey(file: string): Uint8Array {
  try {
    return readKey(file);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
  }
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  // Written under another name and linked into place: a second process finds the first one's key, and never half of it.
  const part = `${file}.${process.pid}`;
  fs.writeFileSync(part, randomBytes(KEY_BYTES).toString('hex'), { mode: 0o600 });
  try {
    fs.linkSync(part, file);
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
  } finally {
    fs.rmSync(part, { force: true });
  }
  return readKey(file);
}

function readKey(file: string): Uint8Array {
  const key = Buffer.from(fs.readFileSync(file, 'utf8').trim(), 'hex');
  if (key.length !== KEY_BYTES) throw new Error("it doesn't contain a key");
  return key;
}

function notKept(file: string, error: unknown): Diagnostic {
  return diagnostic({
    code: 'seal-key',
    file: null,
    message: `The key by which the program knows its own notes cannot be kept in ${file}: ${errorReason(error)}.`,
    hint: 'Make the folder writable. Until then, notes from before this start count as somebody else’s.',
  });
}

/** A vault, by where it lies and by what it remembers of itself: it may be moved, or lose its memory, but not both. */
export interface VaultIdentity {
  readonly root: string;
  readonly id: string;
}

/** Whether this key has never been used on a vault. */
export function isFirstMeeting(file: string, vault: VaultIdentity): boolean {
  return !meetingFiles(file, vault).some((met) => fs.existsSync(met));
}

/**
 * Remembers, outside the vault, that this key has been used on it. If the disk refuses that, the key is not kept
 * either.
 */
export function rememberMeeting(file: string, vault: VaultIdentity): void {
  for (const met of meetingFiles(file, vault).filter((one) => !fs.existsSync(one))) remember(met);
}

function remember(file: string): void {
  try {
    fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    fs.writeFileSync(file, '', { mode: 0o600 });
  } catch (error) {
    if (systemCode(error) === null) throw error;
  }
}

/** Forgets that this key has been used on a vault at `root`: another one has taken its place. */
export function forgetMeeting(file: string, root: string): void {
  const met = meetingFile(file, path.resolve(root));
  for (const one of [met, `${met}.settings`, `${met}.asked`, `${met}.agreed`, `${met}.ended`])
    fs.rmSync(one, { force: true });
}

/** Whether the settings of the vault at `root` were taken up on this machine before. False without a key. */
export function hasMetSettings(file: string | null, root: string): boolean {
  return file !== null && fs.existsSync(`${meetingFile(file, path.resolve(root))}.settings`);
}

/** Remembers, outside the vault, that its settings were taken up. */
export function rememberSettings(file: string | null, root: string): void {
  if (file === null || hasMetSettings(file, root)) return;
  remember(`${meetingFile(file, path.resolve(root))}.settings`);
}

/**
 * The licences of a vault that have ended, as remembered outside of it: anyone who shares the vault can delete or
 * restore what is remembered inside. Without a key of this machine every licence counts as foreign anyway.
 */
export class EndedLicences {
  readonly #file: string | null;
  #known: Set<string> | null = null;

  /** `file`: that of this machine's key; null without one. `root`: the vault's. */
  constructor(file: string | null, root: string) {
    this.#file = file === null ? null : `${meetingFile(file, path.resolve(root))}.ended`;
  }

  /** Returns why what is remembered can't be read; null if it can. */
  get trouble(): Diagnostic | null {
    try {
      this.#load();
      return null;
    } catch (error) {
      return fileError(error, this.#file ?? '').trouble;
    }
  }

  /** Whether a licence has ended; true for all if what is remembered can't be read. */
  has(key: string): boolean {
    return this.trouble !== null || this.#load().has(sha256(key));
  }

  /** Remembers one, lastingly. If the disk refuses, the vault and the note still remember it. */
  add(key: string): void {
    if (this.#file === null || this.has(key)) return;
    const line = sha256(key);
    this.#load().add(line);
    try {
      fs.mkdirSync(path.dirname(this.#file), { recursive: true, mode: 0o700 });
      const handle = fs.openSync(this.#file, 'a', 0o600);
      try {
        // Begins a line of its own also behind one that a power cut has torn.
        fs.writeSync(handle, `\n${line}\n`);
        fs.fsyncSync(handle);
      } finally {
        fs.closeSync(handle);
      }
    } catch (error) {
      if (systemCode(error) === null) throw error;
    }
  }

  #load(): Set<string> {
    this.#known ??= new Set(this.#read().split('\n'));
    return this.#known;
  }

  #read(): string {
    try {
      return this.#file === null ? '' : fs.readFileSync(this.#file, 'utf8');
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return '';
      throw error;
    }
  }
}

function meetingFiles(file: string, { root, id }: VaultIdentity): string[] {
  return [meetingFile(file, path.resolve(root)), meetingFile(file, id)];
}

/** Returns the file, outside every vault, that marks a vault as one which this key has met. */
export function meetingFile(file: string, name: string): string {
  return path.join(`${file}.vaults`, sha256(name).slice(0, 16));
}

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
      /** Why the check was skipped; null if it wasn't. */
      readonly skipped: string | null;
    }
  | { readonly what: 'skipped'; readonly name: string; readonly reason: string }
  /** A file that contains many events was read, to its end or until too many of them waited. */
  | {
      readonly what: 'items-read';
      readonly file: string;
      readonly signals: number;
      readonly items: ItemCounts;
      readonly reason: string | null;
    }
  /** `about`: the event as a person names it, by its sender and subject; null if that isn't known, or leaves no trace. */
  | {
      readonly what: 'stream-read';
      readonly file: string;
      readonly about: string | null;
      readonly signals: number;
      readonly reason: string | null;
    }
  /** The first file of a kind that is not read. */
  | { readonly what: 'kind-unread'; readonly file: string; readonly kind: string }
  | {
      readonly what: 'signal-written';
      readonly signal: string;
      readonly target: string;
      readonly headline: string;
      /** The notes it may mean; empty if only its target can be meant. */
      readonly candidates: readonly string[];
    }
  /** Edits by hand of which no signal was made: too many came at once, or a whole vault was set back. */
  | { readonly what: 'edits-passed'; readonly edits: number; readonly reason: string }
  | DecisionEvent
  | { readonly what: 'roundtable-round'; readonly id: string; readonly round: number; readonly converged: boolean }
  /** A roundtable about a proposal is over; the proposal links to its outcome as advice. */
  | { readonly what: 'deliberated'; readonly event: string; readonly folder: string; readonly converged: boolean }
  /** A source brought something, and this many files were made of it. */
  | { readonly what: 'fetched'; readonly source: string; readonly seen: number; readonly taken: number }
  /** Plane was told of an event, or it was taken back there; `remark`: what of it could not be done. */
  | {
      readonly what: 'plane';
      readonly event: string;
      readonly wants: 'said' | 'unsaid';
      readonly remark: string | null;
    }
  /** A message went out. `things`: how many things it reported; 0 for a digest. */
  | { readonly what: 'notified'; readonly channel: string; readonly things: number }
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
  /** Lines that `run` could not write since a moment (epoch ms), and why not. */
  | { readonly what: 'unsaid'; readonly lines: number; readonly since: number; readonly reason: string }
  /** An error that no code foresaw, in a component of the program. */
  | {
      readonly what: 'fault';
      readonly component: string;
      readonly stack: string;
      readonly continued: boolean;
      readonly trouble: Diagnostic;
    };

/** The servers that may be asked. A vault can't name a server. */
interface Servers {
  /** How a model is reached; absent or null if no key is given. */
  readonly provider?: ProviderAccess | null;
  /** The channels for messages; absent or null if no channel is named. */
  readonly notify?: NotifyAccess | null;
}

/** The limits and other values that only the environment sets. */
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
  /** A secret of the operator's from which the key is derived instead; absent or null: none. */
  readonly sealSecret?: string | null;
  /** The folder where this machine keeps what it knows of the locks of vaults; absent: it is known to this run alone. */
  readonly lockMemories?: string;
  /** The folder where this machine keeps what a person allowed the sources of vaults; absent: nothing is allowed. */
  readonly sourceGrants?: string;
  /** Returns the password of a source, null if unset; absent: no source has a password. */
  readonly sourcePassword?: (name: string) => string | null;
  /** The variables of this process, for capabilities and for the programs that they run; absent: none. */
  readonly variables?: Variables;
}

const CREDENTIAL = 'anthropic_api_key';
const NTFY_CREDENTIAL = 'ntfy_token';
const SEAL_CREDENTIAL = 'seal_key';
const SEAL_FILE = 'STEWARD_SEAL_KEY_FILE';

export type Variables = Readonly<Record<string, string | undefined>>;

/** Returns the settings of the process environment. Throws (exit 78) where a value is not valid. */
export function readEnvironment(env: NodeJS.ProcessEnv): Environment {
  return {
    ceiling: parseMode(env.STEWARD_LIVE_MODE),
    confidenceThreshold: threshold(env, 'STEWARD_CONFIDENCE_THRESHOLD'),
    highConfidenceThreshold: threshold(env, 'STEWARD_HIGH_CONFIDENCE_THRESHOLD'),
    budgetUsdPerDay: budget(env.STEWARD_BUDGET_USD_PER_DAY),
    provider: providerAccess(env),
    recorded: folderOf(env.STEWARD_RECORDED_REPLIES),
    evidenceRoots: evidenceRoots(env.STEWARD_EVIDENCE_ROOTS ?? ''),
    notify: notifyAccess(env, () => credential(env, NTFY_CREDENTIAL, badNtfyToken)),
    sealKey: sealKeyFile(env),
    sealSecret: sealSecretIn(env),
    lockMemories: lockMemories(env),
    sourceGrants: path.join(stateFolder(env), 'sources'),
    sourcePassword: sourcePasswords(env),
    variables: env,
  };
}

/** Returns where notes of a vault may have files read: itself, the environment's folders, and those that a command adds. */
export function evidenceGround(
  vault: string,
  { evidenceRoots = [] }: Environment,
  added: readonly string[] = [],
): Ground {
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
  if (!/^[\x21-\x7e]+$/.test(key)) throw badKey('contains a space or another forbidden character');
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
      message: `STEWARD_EVIDENCE_ROOTS holds ${JSON.stringify(unfit)}, which isn't the absolute path of a folder, or is the whole disk.`,
      hint: 'Give the whole path of each folder, as in /home/you/code:/srv/data, or unset it.',
    },
    EXIT.settings,
  );
}

/** Returns a credential of the service, '' if unset. Throws what `bad` makes of the reason if it can't be read. */
export function credential(env: Variables, name: string, bad: (why: string) => StewardError): string {
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

function badKey(why: string): StewardError {
  return new StewardError(
    {
      code: 'settings-key',
      message: `The key for the model ${why}.`,
      hint: `Correct ANTHROPIC_API_KEY or the credential ${CREDENTIAL}, or remove it.`,
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
