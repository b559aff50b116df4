import { z } from 'zod';
import type { Settings } from '../steward/settings.ts';
import type { ExternalSystem } from '../steward/types.ts';
import type { Diagnostic } from '../vault/errors.ts';
import type { VaultRecord } from '../vault/record.ts';
import type { RecordChange } from '../vault/vault.ts';
import type { IndexAccess, StreamReader, Workspace } from './context.ts';
import type { Environment } from './environment.ts';
import type { Component } from './faults.ts';
import type { Awaiting, RetryQueue } from './queue.ts';
import type { Schedules } from './schedule.ts';
import type { Slice } from './state.ts';
import type { Timers } from './timers.ts';

/**
 * A part of the daemon with a lifecycle of its own: it reads streams, polls sources, notifies a person. To add one, write a
 * file that exports it, and add it to the list in `compose.ts`.
 */
export interface Capability extends Component {
  /** Its parts of the stored state. */
  readonly state?: readonly Slice<unknown>[];
  /** The kinds of records of which it is told a change; all, if absent. */
  readonly follows?: readonly VaultRecord['kind'][];
  /** The stream files that it writes itself, and how they are read. */
  readonly readers?: (space: IndexAccess) => readonly StreamReader[];
  /**
   * Returns the system outside the vault that it connects; null if the environment names no such system. Throws (exit
   * 78).
   */
  readonly external?: (space: ExternalAccess) => ExternalSystem | null;
  /** Returns its part of `status --json`, from memory, also if no daemon runs. */
  readonly status?: (space: Workspace) => object;
  /** Returns what is wrong with it, from memory, also if no daemon runs. */
  readonly problems?: (space: Workspace) => readonly Diagnostic[];
  /** Starts it; null if it has no work here. Work begins with `Running.begin`. */
  start(own: Own): Running | null | Promise<Running | null>;
}

export interface ExternalAccess {
  readonly env: Environment;
  readonly vault: Workspace['vault'];
}

export interface Own {
  readonly space: Workspace;
  /** Work that is tried again after a failure that passes. */
  readonly retries: RetryQueue;
  readonly timers: Timers;
  readonly schedules: Pick<Schedules, 'follow'>;
  readonly streams: StreamIntake;
  /** Resolves when the streams are read and the checks that are due now are done. */
  readonly caughtUp: () => Promise<void>;
  /** Returns a capability that was started before; null if it isn't in the list. */
  readonly find: <Found extends Running>(capability: { start(own: Own): Found }) => Found | null;
  /** Throws if the vault no longer belongs to this process. */
  readonly demand: () => void;
  /** A number from 0 to 1, another one each time. */
  readonly chance: () => number;
  /** Reports an unexpected error that the capability has dealt with. */
  readonly reportFault: (error: unknown) => void;
  /** To be called when a stream file has been read. */
  readonly streamRead: () => void;
}

/** Reads stream files, if there is a capability that does. */
export interface StreamIntake {
  /** Queues a file of the stream folder, unless it is queued already. */
  add(file: string): void;
  /** Resolves when all queued files are read, or wait for a model. */
  idle(): Promise<void>;
}

/** A capability at work in one daemon. It reports its own errors: only unexpected ones leave its methods. */
export interface Running {
  readonly requests?: Requests;
  /** Takes up what came while the program was away. Called once, when the daemon listens to the vault. */
  begin?(): void | Promise<void>;
  changed?(changes: readonly RecordChange[]): void;
  /** Stream files are new, or changed. */
  streamed?(files: readonly string[]): void;
  streamRead?(): void;
  /** A file in the folder of source notes, or what a person allowed, changed. */
  sourcesChanged?(): void;
  /** The settings are other ones; `before`: the former ones. */
  settingsChanged?(before: Settings): void;
  /** A minute has passed, the machine woke up, or the vault is back: time to retry and to do what is due. */
  check?(): void;
  /** Forgets what is over, once an hour, with pauses. Throws what the disk refuses. */
  prune?(): Generator<void>;
  /** Whether it still needs a note as it was before its last change: until then the saved record stays the old one. */
  needsBefore?(path: string): boolean;
  /** The piece of work that has run for longest, to notice work that hangs; null without such work. */
  readonly oldest?: number | null;
  /** When it next has work (epoch ms): now while work is under way, null for never. */
  next?(awaiting: Awaiting): number | null;
  /** Resolves when everything that it has taken up is done. */
  idle?(): Promise<void>;
  /** Takes up nothing more; resolves when work under way has ended. */
  close?(): Promise<void>;
}

/** A capability, and what runs of it. */
export interface StartedCapability {
  readonly capability: Capability;
  readonly running: Running;
}

/** The client behind a request, while it waits for its reply. */
export interface Caller {
  /** The vault it means; undefined if it names no vault. */
  readonly vault: string | undefined;
  /** Tells it how far the work is, if it wants to know. */
  readonly tell: (progress: unknown) => void;
  /** Aborted once it waits no longer. */
  readonly gone: AbortSignal;
}

interface RequestHandler<Fields = unknown> {
  readonly schema: z.ZodType<Fields>;
  /** False if the vault need not be listed first: the work doesn't depend on what others just wrote. */
  readonly needsSweep?: boolean;
  handle(asked: Fields, caller: Caller): unknown;
}
export type Requests = Readonly<Record<string, RequestHandler>>;

/** Describes a request: its fields beside `op`, and what to do. */
export function request<Shape extends z.ZodRawShape>(
  shape: Shape,
  handle: (asked: z.infer<z.ZodObject<Shape>>, caller: Caller) => unknown,
): RequestHandler<z.infer<z.ZodObject<Shape>>> {
  return { schema: z.object(shape), handle };
}

type Flat<Fields> = { readonly [Name in keyof Fields]: Fields[Name] };
// Without fields, zod infers a record of any name.
type Sent<Op, Fields> = string extends keyof Fields ? { readonly op: Op } : Flat<{ op: Op } & Fields>;

/** The requests that a record of handlers answers, as a command sends them. */
export type RequestOf<Handlers> = {
  [Op in keyof Handlers]: Handlers[Op] extends RequestHandler<infer Fields> ? Sent<Op, Fields> : never;
}[keyof Handlers];
