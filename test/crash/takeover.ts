import fs from 'node:fs';
import path from 'node:path';
import { reversal } from '../support/notes.ts';
import { namesIn } from '../support/placed.ts';
import type { DriverProgram } from './bundle.ts';
import { run } from './driver.ts';
import { ledgerProblems, problemsOf } from './invariant.ts';
import type { Job } from './job.ts';
import { freshRoot } from './judge.ts';
import { inLanes } from './lanes.ts';
import { makeMarkKey, markKeyOf } from './marks.ts';
import { copyOf, jobOn, type Stage } from './scenes.ts';
import { type Choice, kill, nameOf, note, nothing, pointsToKill, type Walked } from './walk-points.ts';

/** The note that the scene changes. */
const NOTE = 'task/pay.md';
const UNDO = 'event/signal-action-reversed-mine.md';

/** `same`: the machines have one key, as with a credential. `other`: each has its own, and the user answers one question. */
type Key = 'same' | 'other';

/** A walk in which another machine takes the vault over. */
export interface TakenOver extends Walked {
  /** At how many points the change was made, and its undo dropped on the other machine. */
  undone: number;
}

/**
 * Kills the work before each of its calls, moves the vault to a machine that hasn't seen it before, and starts there. Either the
 * note is as before and no event note claims a change, or an undo that is dropped there gives the note its bytes back.
 */
export async function walkTakeovers(
  bundle: DriverProgram,
  stage: Stage,
  { key, ...choice }: Choice & { readonly key: Key },
): Promise<TakenOver> {
  const walked = { ...nothing(), undone: 0 };
  const before = fs.readFileSync(path.join(stage.root, NOTE), 'utf8');
  await inLanes(bundle, await pointsToKill(bundle, stage, choice), async (point, lane) => {
    const root = freshRoot(stage, `lane-${lane.number}`);
    if (await kill(jobOn(stage, root, choice), point, lane)) walked.hit += 1;
    walked.tried += 1;
    const there = moved(root, key);
    const problems: string[] = [];
    const work = async (what: string, job: Omit<Job, 'root' | 'exchange'>) => {
      const report = await run({ ...job, root: there, exchange: choice.exchange });
      if (!report.ok) problems.push(`${what} failed: ${report.message}`);
    };
    await work('the start', { op: 'recover' });
    // Where nothing bears a mark yet there is no question.
    if (key === 'other' && isAsked(there)) await work('the answer', { op: 'confirm', event: 'this-vault' });
    problems.push(...problemsOf(there), ...ledgerProblems(there));
    const event = namesIn(there, 'event').find((name) => /signal-action-2[^/]*$/.test(name));
    if (event !== undefined) {
      fs.writeFileSync(path.join(there, UNDO), reversal(`[[${path.basename(event, '.md')}]]`));
      await work('the undo', { op: 'dropped' });
      walked.undone += 1;
    }
    if (fs.readFileSync(path.join(there, NOTE), 'utf8') !== before) problems.push(`${NOTE} isn't as before`);
    note(walked, `KILL ${nameOf(point)}, then another machine`, [...new Set(problems)]);
  });
  return walked;
}

function moved(root: string, key: Key): string {
  const there = path.join(`${root}.there`, 'vault');
  fs.rmSync(path.dirname(there), { recursive: true, force: true });
  copyOf({ root }, there);
  if (key === 'same') fs.copyFileSync(markKeyOf(root), markKeyOf(there));
  else makeMarkKey(there);
  return there;
}

function isAsked(root: string): boolean {
  const memory = `${markKeyOf(root)}.vaults`;
  return fs.readdirSync(memory).some((name) => name.endsWith('.asked'));
}
