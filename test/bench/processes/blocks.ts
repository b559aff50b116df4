import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { childEnv, STEWARD, STEWARD_FLEET } from './child.ts';
import { type Started, startNode } from './daemon.ts';

const PROBE = path.join(import.meta.dirname, 'loop-probe.ts');
/** A program that does nothing: how long the machine alone keeps a timer waiting. */
const NOTHING = 'setInterval(() => {}, 1000); console.log("ready")';

const block = z.object({ from: z.number(), ms: z.number(), cpu: z.number() });
/** A time in which the event loop did one thing and nothing else: when it began (epoch ms), how long, and how much of it was computing. */
export type Block = z.infer<typeof block>;

/** A process under the probe. */
export interface Probed extends Started {
  /** The first block: all modules are loaded in it, and the program has begun. */
  loading(): Block;
  /** Returns the longest other block that lay, in part at least, between two moments (epoch ms); null where none was worth telling. */
  longest(from: number, to: number): Block | null;
  /** Returns how much processor time (ms) the block took in which most was computed: on a busy machine, the longest only waited. */
  computed(from: number, to: number): number;
}

/** Starts `steward run` with a timer in its event loop. */
export function probedDaemon(home: string, vault: string): Promise<Probed> {
  const args = [STEWARD, 'run', '--log', 'json', '--vault', vault];
  return probed(home, args, /"code":"started"/);
}

/** Does the same with a folder of vaults, and waits until the first of them is served. */
export function probedSeveral(home: string, folder: string): Promise<Probed> {
  const args = [STEWARD_FLEET, 'run', '--log', 'json', '--vaults', folder];
  return probed(home, args, /"code":"started"/);
}

/** Starts a Node that does nothing, with the same timer. */
export function probedNothing(home: string): Promise<Probed> {
  return probed(home, ['-e', NOTHING], /ready/);
}

/** Returns the block in which `steward run` loads its modules, and nothing else: it finds no vault. */
export function loadingAlone(home: string): Block {
  const file = path.join(fs.mkdtempSync(path.join(home, 'probe-')), 'blocks.jsonl');
  const probe = fs.openSync(file, 'a');
  const args = ['--import', PROBE, STEWARD, 'run', '--vault', path.join(home, 'no-such-vault')];
  spawnSync(process.execPath, args, { env: childEnv(home), stdio: ['ignore', 'ignore', 'ignore', probe] });
  fs.closeSync(probe);
  return firstIn(file);
}

async function probed(home: string, args: readonly string[], ready: RegExp): Promise<Probed> {
  const file = path.join(fs.mkdtempSync(path.join(home, 'probe-')), 'blocks.jsonl');
  const probe = fs.openSync(file, 'a');
  const env = childEnv(home, { STEWARD_LIVE_MODE: 'live' });
  const started = await startNode({ args: ['--import', PROBE, ...args], env, ready, probe });
  fs.closeSync(probe);
  const within = (from: number, to: number) =>
    blocksIn(file).filter((one, nth) => nth > 0 && one.from < to && one.from + one.ms > from);
  return {
    ...started,
    loading: () => firstIn(file),
    longest: (from, to) => longestOf(within(from, to)),
    computed: (from, to) => within(from, to).reduce((most, { cpu }) => Math.max(most, cpu), 0),
  };
}

function firstIn(file: string): Block {
  const [first] = blocksIn(file);
  if (first === undefined) throw new Error('the probe has told of no block');
  return first;
}

function longestOf(blocks: readonly Block[]): Block | null {
  return blocks.reduce<Block | null>((most, one) => (most === null || one.ms > most.ms ? one : most), null);
}

function blocksIn(file: string): Block[] {
  const lines = fs.readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => block.parse(JSON.parse(line)));
}
