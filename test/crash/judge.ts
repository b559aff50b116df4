import fs from 'node:fs';
import path from 'node:path';
import { arrive } from './arrive.ts';
import { run } from './driver.ts';
import { differences, holdsToken, ledgerProblems, problemsOf, type Shape, sameShape, shapeOf } from './invariant.ts';
import type { Job, Report } from './job.ts';
import { markProblems } from './marks.ts';
import { copyOf, jobOn, type Stage } from './scenes.ts';
import { type Injection, PATIENCE_MS } from './strace.ts';

/** What a stage's work leads to when nothing disturbs it. */
export interface Shapes {
  /** What a vault may look like after a kill: as before, as before with what has arrived since, or as in the end. */
  readonly whole: readonly Shape[];
  readonly after: Shape;
}

/** What is done once more in the end, though nothing is left to do: it must change nothing. */
const AGAIN: Partial<Record<Job['op'], Job['op']>> = { tick: 'tick', fetch: 'fetch', 'fetch to read': 'fetch to read' };

export type Judged = Pick<Job, 'exchange' | 'meddle'>;

/** Makes a copy of a vault to work on. */
export function freshRoot(stage: { readonly root: string }, name: string): string {
  const root = `${stage.root}.${name}`;
  fs.rmSync(`${root}.typed`, { force: true });
  copyOf(stage, root);
  return root;
}

export async function shapesOf(stage: Stage, exchange: boolean): Promise<Shapes> {
  const root = freshRoot(stage, 'clean');
  const before = stage.scene.killedAt === undefined ? [shapeOf(root)] : [];
  for (const arrival of stage.scene.arrivals ?? []) {
    arrive(root, arrival);
    before.push(shapeOf(root));
  }
  copyOf(stage, root);
  const report = await run(jobOn(stage, root, { exchange }));
  if (!report.ok) throw new Error(`${stage.scene.name} fails undisturbed: ${report.message}`);
  const after = shapeOf(root);
  return { whole: [...before, after], after };
}

/** Whether the work of a stage was finished. */
export function isDone(root: string, shapes: Shapes): boolean {
  return sameShape(shapeOf(root), shapes.after);
}

/**
 * Starts again, checks, does the work that was left undone, and checks again. Returns what is wrong. After a kill the
 * vault must look as before or as after, never in between; a failed call may have led to another decision, which must
 * be complete too.
 */
export async function judge(
  stage: Stage,
  choice: Judged,
  root: string,
  error: Injection['error'],
  shapes: Shapes,
): Promise<readonly string[]> {
  const exact = error === null && choice.meddle === undefined;
  const problems: string[] = [];
  const start = async (what: string, job: Job) => {
    const report = await inPatience(run(job));
    if (!report.ok) problems.push(`${what} failed: ${report.message}`);
  };
  const { exchange } = choice;
  await start('the start', { root, op: 'recover', exchange });
  problems.push(...looked(root, choice), ...(exact ? between(root, shapes) : []));
  if (choice.meddle !== undefined || !isDone(root, shapes))
    await start('doing it again', jobAgain(stage, root, exchange));
  await start('the next tick', { root, op: AGAIN[stage.scene.op] ?? 'recover', exchange });
  problems.push(...looked(root, choice).map((one) => `later: ${one}`));
  if (exact && !isDone(root, shapes)) {
    problems.push(`in the end not as it should be: ${differences(shapeOf(root), shapes.after).join(', ')}`);
  }
  return [...new Set(problems)];
}

// Work in this very process cannot be killed: after the timeout it is abandoned and reported.
async function inPatience(work: Promise<Report>): Promise<Report> {
  let overdue: NodeJS.Timeout | undefined;
  const standstill = new Promise<Report>((resolve) => {
    const message = `nothing was done any more after ${PATIENCE_MS / 1000} s`;
    overdue = setTimeout(() => resolve({ ok: false, code: null, message }), PATIENCE_MS);
  });
  try {
    return await Promise.race([work, standstill]);
  } finally {
    clearTimeout(overdue);
  }
}

// Leaves out the files that have already arrived.
function jobAgain(stage: Stage, root: string, exchange: boolean): Job {
  const { files, arrivals = [] } = stage.scene;
  const left = arrivals.filter(({ file, text }) => {
    const now = fs.existsSync(path.join(root, file)) ? fs.readFileSync(path.join(root, file), 'utf8') : null;
    return now === (files[file] ?? null) && now !== text;
  });
  return { ...jobOn(stage, root, { exchange }), arrivals: left };
}

function looked(root: string, { meddle }: Judged): string[] {
  const typed = meddle !== undefined && meddle.how !== 'delete' && wasTyped(root) && !holdsToken(root, meddle.note);
  return [
    ...problemsOf(root),
    ...ledgerProblems(root),
    ...markProblems(root),
    ...(typed ? ['what a person typed is lost'] : []),
  ];
}

// The other writer leaves a mark outside the vault once it has written.
function wasTyped(root: string): boolean {
  return fs.existsSync(`${root}.typed`);
}

function between(root: string, { whole, after }: Shapes): string[] {
  const now = shapeOf(root);
  if (whole.some((shape) => sameShape(now, shape))) return [];
  const [before = after] = whole;
  return [`half done: not as before in ${differences(now, before)}; not as after in ${differences(now, after)}`];
}
