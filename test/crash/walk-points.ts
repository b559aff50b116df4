import fs from 'node:fs';
import path from 'node:path';
import type { DriverProgram } from './bundle.ts';
import { diskState } from './disk-state.ts';
import type { Job, Report } from './job.ts';
import { freshRoot, isDone, judge, shapesOf } from './judge.ts';
import { inLanes, type Lane } from './lanes.ts';
import { copyOf, jobOn, type Stage } from './scenes.ts';
import { type Injection, type Point, pointsOf } from './strace.ts';

export interface Finding {
  readonly at: string;
  readonly problems: readonly string[];
}

export interface Walked {
  tried: number;
  /** Points at which the process really was killed, or at which the failing call was reported. */
  hit: number;
  /** How many different states of the disk the kills left. */
  states: number;
  /** How many failures the program reported in its own words. */
  clear: number;
  /** The failures that came out raw, as they did. */
  readonly raw: string[];
  readonly findings: Finding[];
}

export type Choice = Pick<Job, 'exchange' | 'meddle' | 'again'> & {
  /** Every n-th point is tried; 1 is all of them. */
  readonly every?: number;
  readonly from?: number;
  /** Whether calls that only read are points too; a kill there leaves what a kill at the next change leaves. */
  readonly reading?: boolean;
  readonly errors?: readonly string[];
  readonly lasting?: boolean;
};

/** How far the number of the call that was meant may be off: a thread more or less was woken. */
const SHIFTS = [0, 1, -1, 2, -2, 3];
/** The errors that a call that only reads may fail with; the others are for writing. */
const OF_READING = ['EIO', 'EACCES', 'EMFILE'];

/** Kills the stage's work before each of its calls, starts again, and checks. */
export async function walkKills(bundle: DriverProgram, stage: Stage, choice: Choice): Promise<Walked> {
  const { exchange } = choice;
  const [walked, shapes, states] = [nothing(), await shapesOf(stage, exchange), new Set<string>()];
  await inLanes(bundle, await pointsToKill(bundle, stage, choice), async (point, lane) => {
    const root = freshRoot(stage, `lane-${lane.number}`);
    if (await kill(jobOn(stage, root, choice), point, lane)) walked.hit += 1;
    walked.tried += 1;
    states.add(diskState(root));
    note(walked, `KILL ${nameOf(point)}`, await judge(stage, choice, root, null, shapes));
  });
  return { ...walked, states: states.size };
}

/**
 * Kills the work before each of its calls, and then the recovery before each of its own. A recovery depends only on the
 * disk: kills that leave the same bytes under the same names have the same recovery. So one recovery is walked, call by
 * call, for each state of the disk; what it leaves is judged once for each state, too.
 */
export async function walkRecoveries(bundle: DriverProgram, stage: Stage, choice: Choice): Promise<Walked> {
  const { exchange } = choice;
  const [walked, shapes, judged] = [nothing(), await shapesOf(stage, exchange), new Set<string>()];
  const dead = await deadStates(bundle, stage, choice);
  const pairs: [Dead, Point][] = [];
  await inLanes(bundle, dead, async (one) => {
    const job: Job = { root: freshRoot(one, 'record'), op: 'recover', exchange };
    for (const point of (await pointsOf(bundle, job)).changing) pairs.push([one, point]);
  });
  await inLanes(bundle, chosen(pairs, choice), async ([one, point], lane) => {
    const root = freshRoot(one, `lane-${lane.number}`);
    if (await kill({ root, op: 'recover', exchange }, point, lane)) walked.hit += 1;
    walked.tried += 1;
    const state = diskState(root);
    if (judged.has(state)) return;
    judged.add(state);
    note(walked, `KILL ${one.at} → KILL ${nameOf(point)}`, await judge(stage, choice, root, null, shapes));
  });
  return { ...walked, states: dead.length };
}

/** A vault in the state that a kill left it in. */
interface Dead {
  readonly root: string;
  readonly at: string;
}

async function deadStates(bundle: DriverProgram, stage: Stage, choice: Choice): Promise<Dead[]> {
  const dead = new Map<string, Dead>();
  const points = await pointsToKill(bundle, stage, { exchange: choice.exchange });
  await inLanes(bundle, points, async (point, lane) => {
    const root = freshRoot(stage, `lane-${lane.number}`);
    if (!(await kill(jobOn(stage, root, choice), point, lane))) return;
    const state = diskState(root);
    if (dead.has(state)) return;
    const one = { root: `${stage.root}.dead-${dead.size}`, at: nameOf(point) };
    dead.set(state, one);
    copyOf({ root }, one.root);
  });
  return [...dead.values()];
}

export async function pointsToKill(bundle: DriverProgram, stage: Stage, choice: Choice): Promise<Point[]> {
  const { changing, reading } = await pointsOf(bundle, jobOn(stage, freshRoot(stage, 'record'), choice));
  return chosen(choice.reading === true ? [...changing, ...reading] : changing, choice);
}

// Whether the process was killed. Now and then it works in another order and never reaches the point.
export async function kill(job: Job, point: Point, lane: Lane): Promise<boolean> {
  const driver = lane.driver();
  const answer = await driver.run(job, { point, error: null });
  lane.next(); // a driver that has answered may still be killed
  return answer === null && !driver.hung;
}

/**
 * Lets each call of the stage's work fail once (or from then on), and checks the vault after a healthy start. A daemon
 * must stay alive, and finish its work by itself.
 */
export async function walkErrors(bundle: DriverProgram, stage: Stage, choice: Choice): Promise<Walked> {
  const [walked, shapes] = [nothing(), await shapesOf(stage, choice.exchange)];
  const injections = await injectionsOf(bundle, stage, choice);
  await inLanes(bundle, injections, async (injection, lane) => {
    const root = `${stage.root}.lane-${lane.number}`;
    const answer = await failing(stage, choice, injection, lane);
    if (answer === undefined) return;
    count(walked, answer);
    const byItself = outcomeOf(stage, answer, isDone(root, shapes));
    // A lock that could not be released is held by a living process, so that process is ended.
    if (answer === null || leavesLock(root)) await lane.end();
    const problems = await judge(stage, choice, root, injection.error, shapes);
    note(walked, `${injection.error} ${nameOf(injection.point)}`, [...byItself, ...problems]);
  });
  return walked;
}

// Also one that was moved aside, and could not be deleted there.
function leavesLock(root: string): boolean {
  return fs.readdirSync(path.join(root, '.steward')).some((name) => name.startsWith('lock'));
}

// Returns undefined where every attempt hit a call of the runtime instead. Once in ten thousand times, a tracer that
// detaches leaves its process stopped, so only a process that hangs twice counts as ended by the failure.
async function failing(
  stage: Stage,
  choice: Choice,
  failure: Injection,
  lane: Lane,
): Promise<Report | null | undefined> {
  let hung = 0;
  for (const shift of failure.lasting === true ? [0, 0] : SHIFTS) {
    const point = { ...failure.point, nth: Math.max(1, failure.point.nth + shift) };
    const root = freshRoot(stage, `lane-${lane.number}`);
    const driver = lane.driver();
    const answer = await driver.run(jobOn(stage, root, choice), { ...failure, point });
    if (driver.hung) hung += 1;
    if (answer !== null || hung > 1 || !(driver.gaveUp || driver.hung)) return answer;
    await lane.end();
  }
  return undefined;
}

async function injectionsOf(bundle: DriverProgram, stage: Stage, choice: Choice): Promise<Injection[]> {
  const points = await pointsOf(bundle, jobOn(stage, freshRoot(stage, 'record'), choice));
  const { errors = ['EIO'], lasting = false } = choice;
  const each = (some: readonly Point[], those: readonly string[]) =>
    some.flatMap((point) => those.map((error) => ({ point, error, lasting })));
  const reading = errors.filter((error) => OF_READING.includes(error));
  return chosen([...each(points.changing, errors), ...each(points.reading, reading)], choice);
}

function outcomeOf({ scene }: Stage, answer: Report | null, done: boolean): string[] {
  if (answer === null) return ['the process died of it, or did nothing any more'];
  const mustBeDone = scene.op === 'daemon' && answer.ok;
  return mustBeDone && !done ? ['the daemon lived on, but did not do its work'] : [];
}

function count(walked: Walked, answer: Report | null): void {
  walked.tried += 1;
  if (answer === null || answer.ok) return;
  walked.hit += 1;
  if (answer.code === null) walked.raw.push(answer.message);
  else walked.clear += 1;
}

export function note(walked: Walked, at: string, problems: readonly string[]): void {
  if (problems.length > 0) walked.findings.push({ at, problems });
}

export function nameOf({ call, nth, about }: Point): string {
  return `${call}#${nth} ${about}`;
}

function chosen<Item>(points: readonly Item[], { every = 1, from = 0 }: Choice): Item[] {
  return points.filter((_, index) => index % every === from % every);
}

export function nothing(): Walked {
  return { tried: 0, hit: 0, states: 0, clear: 0, raw: [], findings: [] };
}
