import fs from 'node:fs';
import path from 'node:path';
import type { DriverProgram } from './bundle.ts';
import { run } from './driver.ts';
import { ledgerProblems, problemsOf } from './invariant.ts';
import type { Job, Report } from './job.ts';
import { freshRoot } from './judge.ts';
import { inLanes } from './lanes.ts';
import { jobOn, prepareStage, type Scene, type Stage } from './scenes.ts';
import { Driver } from './strace.ts';
import { type Choice, kill, nameOf, note, nothing, pointsToKill, type Walked } from './walk-points.ts';

/** The note that the scenes change, and the name that an undoable change of it begins with. */
const NOTE = 'task/pay.md';

/** The scenes that the previous release knows, too. */
export const UPDATED = ['apply', 'propose', 'undo', 'confirm', 'dismiss', 'dropped reversal'];

/** Prepares a vault as the previous release leaves it. */
export async function prepareUpdate(previous: DriverProgram, scene: Scene, root: string): Promise<Stage> {
  return await prepareStage(scene, root, previous, (job) => runOnce(previous, job));
}

async function runOnce(program: DriverProgram, job: Job): Promise<Report> {
  const driver = new Driver(program);
  const report = await driver.run(job, null);
  await driver.close();
  return report ?? { ok: false, code: null, message: 'the previous release died' };
}

/**
 * Kills the previous release before each of its calls, starts this version on what is left, and checks that the vault is
 * explained: the note is as before and no event note claims a change, or it is changed, with an event note whose undo
 * works.
 */
export async function walkUpdates(previous: DriverProgram, stage: Stage, choice: Choice): Promise<Walked> {
  const walked = nothing();
  const before = noteIn(stage.root);
  await inLanes(previous, await pointsToKill(previous, stage, choice), async (point, lane) => {
    const root = freshRoot(stage, `lane-${lane.number}`);
    if (await kill(jobOn(stage, root, choice), point, lane)) walked.hit += 1;
    walked.tried += 1;
    note(walked, `UPDATE, KILL ${nameOf(point)}`, await explained(stage, root, before, choice));
  });
  return walked;
}

async function explained(stage: Stage, root: string, before: string | null, { exchange }: Choice): Promise<string[]> {
  const problems: string[] = [];
  const start = async (what: string, job: Omit<Job, 'root' | 'exchange'>) => {
    const report = await run({ ...job, root, exchange });
    if (!report.ok) problems.push(`${what} failed: ${report.message}`);
  };
  // Its lock doesn't tell this version that its process is dead. It is taken over after 90 seconds, which nobody waits here.
  const own = path.join(root, '.steward');
  const locks = fs.existsSync(own) ? fs.readdirSync(own).filter((name) => name.startsWith('lock')) : [];
  for (const name of locks) fs.rmSync(path.join(own, name));
  await start('the start', { op: 'recover' });
  problems.push(...problemsOf(root), ...ledgerProblems(root));
  if (stage.scene.name === 'apply') {
    const event = undoableEvent(root);
    if (event !== null) await start('the undo', { op: 'undo', event });
    if (noteIn(root) !== before) problems.push(`${NOTE} cannot be taken back`);
    problems.push(...problemsOf(root), ...ledgerProblems(root));
  }
  return [...new Set(problems)];
}

function undoableEvent(root: string): string | null {
  const names = fs.existsSync(path.join(root, 'event'))
    ? fs.readdirSync(path.join(root, 'event'), { recursive: true, encoding: 'utf8' })
    : [];
  const found = names.find((name) => /signal-action-2[^/]*\.md$/.test(name));
  return found === undefined ? null : path.basename(found, '.md');
}

function noteIn(root: string): string | null {
  const file = path.join(root, NOTE);
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : null;
}
