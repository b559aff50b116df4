import fs from 'node:fs';
import path from 'node:path';
import { run } from './driver.ts';
import { differences, holdsToken, ledgerProblems, problemsOf, type Shape, sameShape, shapeOf } from './invariant.ts';
import type { Job, Report } from './job.ts';
import { copyOf, jobOn, type Stage } from './scenes.ts';
import { Driver, type Injection, type Point, pointsOf } from './strace.ts';

export interface Finding {
  readonly at: string;
  readonly problems: readonly string[];
}

export interface Walked {
  tried: number;
  /** Points at which the process really was stopped, or the call really failed. */
  hit: number;
  /** Failures that were told in the program's own words, and those that came out raw. */
  clear: number;
  raw: number;
  readonly findings: Finding[];
}

export type Choice = Pick<Job, 'exchange' | 'meddle' | 'again'> & {
  /** Every how manieth point is tried; 1 is all of them. */
  readonly every?: number;
  readonly from?: number;
  readonly errors?: readonly string[];
  readonly lasting?: boolean;
};

/** Kills the stage's work before each of its calls, starts again, and looks. */
export async function walkKills(stage: Stage, choice: Choice, lanes = 2): Promise<Walked> {
  const shapes = await shapesOf(stage, choice);
  const { changing } = await pointsOf(jobOn(stage, freshRoot(stage, 'record'), choice));
  const injections = chosen(changing, choice).map((point) => ({ point, error: null }));
  return inLanes(lanes, injections, async (injection, lane, walked) => {
    const root = freshRoot(stage, `lane-${lane.number}`);
    const answer = await lane.driver().run(jobOn(stage, root, choice), injection);
    if (answer === null) walked.hit += 1;
    lane.next(); // one that has answered may be killed yet
    await judge(stage, choice, root, injection, shapes, walked);
  });
}

/** Lets each call of the stage's work fail once (or from then on), and looks after a healthy start. */
export async function walkErrors(stage: Stage, choice: Choice, lanes = 2): Promise<Walked> {
  const shapes = await shapesOf(stage, choice);
  const points = await pointsOf(jobOn(stage, freshRoot(stage, 'record'), choice));
  const errors = choice.errors ?? ['EIO'];
  const some = chosen([...points.changing, ...points.reading], choice);
  const injections = some.flatMap((point) =>
    errors.map((error) => ({ point, error, lasting: choice.lasting === true })),
  );
  return inLanes(lanes, injections, async (injection, lane, walked) => {
    const root = freshRoot(stage, `lane-${lane.number}`);
    const answer = await lane.driver().run(jobOn(stage, root, choice), injection);
    count(walked, answer);
    // A lock that could not be given back is held by a living process: only its end sets it free.
    if (answer === null || fs.existsSync(path.join(root, '.steward/lock'))) await lane.end();
    await judge(stage, choice, root, injection, shapes, walked);
  });
}

/** Kills the recovery of every state that a kill of the stage's work leaves behind. */
export async function walkRecoveries(stage: Stage, choice: Choice, lanes = 2): Promise<Walked> {
  const { changing } = await pointsOf(jobOn(stage, freshRoot(stage, 'record'), choice));
  const total = nothing();
  for (const point of changing) {
    const dead = freshRoot(stage, 'dead');
    const driver = new Driver();
    const answer = await driver.run(jobOn(stage, dead, choice), { point, error: null });
    await driver.close();
    if (answer !== null || fs.readdirSync(path.join(dead, '.steward/journal')).length === 0) continue;
    const after: Stage = { ...stage, root: dead };
    const walked = await walkRecovery(stage, after, choice, lanes);
    add(total, walked, point.about);
  }
  return total;
}

async function walkRecovery(stage: Stage, dead: Stage, choice: Choice, lanes: number): Promise<Walked> {
  const shapes = await shapesOf(stage, choice);
  const job = (root: string): Job => ({ root, op: 'recover', exchange: choice.exchange });
  const { changing } = await pointsOf(job(freshRoot(dead, 'record')));
  const injections = chosen(changing, choice).map((point) => ({ point, error: null }));
  return inLanes(lanes, injections, async (injection, lane, walked) => {
    const root = freshRoot(dead, `lane-${lane.number}`);
    const answer = await lane.driver().run(job(root), injection);
    if (answer === null) walked.hit += 1;
    lane.next(); // one that has answered may be killed yet
    await judge(stage, choice, root, injection, shapes, walked);
  });
}

interface Shapes {
  readonly before: Shape;
  readonly after: Shape;
}

async function shapesOf(stage: Stage, choice: Choice): Promise<Shapes> {
  const root = freshRoot(stage, 'clean');
  const { meddle: _, ...undisturbed } = choice;
  await run(jobOn(stage, root, undisturbed));
  return { before: shapeOf(stage.root), after: shapeOf(root) };
}

// Starts again, looks, does the work that was not done, and looks again. After a kill the vault is as before or as
// after, and nothing in between; a call that failed may have led to another decision, which must be whole as well.
async function judge(
  stage: Stage,
  choice: Choice,
  root: string,
  injection: Injection,
  shapes: Shapes,
  walked: Walked,
): Promise<void> {
  walked.tried += 1;
  const { exchange } = choice;
  const problems: string[] = [];
  const report = await run({ root, op: 'recover', exchange });
  if (!report.ok) problems.push(`the start failed: ${report.message}`);
  problems.push(...looked(root, choice), ...(injection.error === null ? between(root, choice, shapes) : []));
  if (!isDone(root, choice, shapes)) {
    const again = await run(jobOn(stage, root, { exchange }));
    if (!again.ok) problems.push(`doing it again failed: ${again.message}`);
  }
  const tick = await run({ root, op: stage.scene.op === 'tick' ? 'tick' : 'recover', exchange });
  if (!tick.ok) problems.push(`the next tick failed: ${tick.message}`);
  problems.push(...looked(root, choice).map((one) => `later: ${one}`));
  if (choice.meddle === undefined && injection.error === null && !sameShape(shapeOf(root), shapes.after)) {
    problems.push(`in the end not as it should be: ${differences(shapeOf(root), shapes.after).join(', ')}`);
  }
  const { call, nth, about } = injection.point;
  const what = `${injection.error ?? 'KILL'} ${call}#${nth} ${about}`;
  if (problems.length > 0) walked.findings.push({ at: what, problems: [...new Set(problems)] });
}

function looked(root: string, choice: Choice): string[] {
  const { meddle } = choice;
  const typed = meddle !== undefined && meddle.how !== 'delete' && wasTyped(root) && !holdsToken(root, meddle.note);
  return [...problemsOf(root), ...ledgerProblems(root), ...(typed ? ['what a person typed is lost'] : [])];
}

// The other writer leaves a mark outside the vault once it has written.
function wasTyped(root: string): boolean {
  return fs.existsSync(`${root}.typed`);
}

function between(root: string, { meddle }: Choice, shapes: Shapes): string[] {
  if (meddle !== undefined) return [];
  const now = shapeOf(root);
  if (sameShape(now, shapes.before) || sameShape(now, shapes.after)) return [];
  return [
    `half done: not as before in ${differences(now, shapes.before)}; not as after in ${differences(now, shapes.after)}`,
  ];
}

function isDone(root: string, { meddle }: Choice, shapes: Shapes): boolean {
  return meddle === undefined && sameShape(shapeOf(root), shapes.after);
}

function count(walked: Walked, answer: Report | null): void {
  if (answer === null) return;
  if (answer.ok) return;
  walked.hit += 1;
  if (answer.code === null) walked.raw += 1;
  else walked.clear += 1;
}

function chosen(points: readonly Point[], { every = 1, from = 0 }: Choice): Point[] {
  return points.filter((_, index) => index % every === from % every);
}

function freshRoot(stage: Stage, name: string): string {
  const root = `${stage.root}.${name}`;
  fs.rmSync(`${root}.typed`, { force: true });
  copyOf(stage, root);
  return root;
}

/** One of several drivers at work at the same time, each with the next one already loading. */
class Lane {
  readonly number: number;
  #now: Driver | null = null;
  #then: Driver | null = null;

  constructor(number: number) {
    this.number = number;
  }

  driver(): Driver {
    this.#now ??= new Driver();
    return this.#now;
  }

  next(): void {
    void this.#now?.close();
    this.#now = this.#then;
    this.#then = new Driver();
  }

  async end(): Promise<void> {
    await Promise.all([this.#now?.close(), this.#then?.close()]);
    this.#now = null;
    this.#then = null;
  }
}

async function inLanes(
  count: number,
  injections: readonly Injection[],
  work: (injection: Injection, lane: Lane, walked: Walked) => Promise<void>,
): Promise<Walked> {
  const walked = nothing();
  const queue = [...injections];
  const lanes = Array.from({ length: count }, (_, number) => new Lane(number));
  await Promise.all(
    lanes.map(async (lane) => {
      for (let injection = queue.shift(); injection !== undefined; injection = queue.shift()) {
        await work(injection, lane, walked);
      }
      await lane.end();
    }),
  );
  return walked;
}

export function nothing(): Walked {
  return { tried: 0, hit: 0, clear: 0, raw: 0, findings: [] };
}

export function add(total: Walked, more: Walked, at = ''): void {
  total.tried += more.tried;
  total.hit += more.hit;
  total.clear += more.clear;
  total.raw += more.raw;
  for (const found of more.findings)
    total.findings.push({ ...found, at: at === '' ? found.at : `${at} → ${found.at}` });
}
