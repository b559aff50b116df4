// The full walk: every system call of every kind of work, killed and failing, and ten thousand races of each kind.
// Prints a table; exits 1 where anything was lost. `node test/crash/walk.ts [kills|recoveries|errors|races…]`
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Meddle } from './job.ts';
import { KINDS, race } from './race.ts';
import { prepareStage, SCENES, type Scene } from './scenes.ts';
import { canTrace } from './strace.ts';
import { type Choice, type Walked, walkErrors, walkKills, walkRecoveries } from './walk-points.ts';

const home = fs.mkdtempSync(path.join(fs.existsSync('/dev/shm') ? '/dev/shm' : os.tmpdir(), 'vs-walk-'));
const asked = process.argv.slice(2);
const wanted = (part: string) => asked.length === 0 || asked.includes(part);
const RACES = Number(process.env.RACES ?? 10_000);
/** 1 walks every point; a larger number every so manieth, for a look in between. */
const EVERY = Number(process.env.EVERY ?? 1);
const ERRORS = ['ENOSPC', 'EIO', 'EACCES', 'EROFS', 'EMFILE', 'EXDEV'];
const PATHS = [true, false];
let bad = 0;

const MEDDLES: readonly Pick<Meddle, 'when' | 'how'>[] = (['before', 'after'] as const)
  .flatMap((when) => (['rewrite', 'rename', 'append', 'delete'] as const).map((how) => ({ when, how }) as const))
  .concat([{ when: 'late', how: 'append' } as never]);

async function stageOf(scene: Scene) {
  return prepareStage(scene, path.join(fs.mkdtempSync(path.join(home, 'stage-')), 'vault'));
}

async function line(what: string, walk: () => Promise<Walked>): Promise<void> {
  const start = Date.now();
  const { tried, hit, clear, raw, findings } = await walk();
  bad += findings.length;
  const told = clear + raw === 0 ? '' : `, told ${clear} plainly and ${raw} raw`;
  console.log(
    `${what.padEnd(58)} ${String(tried).padStart(5)} points, ${String(hit).padStart(5)} hit${told}, ${findings.length} bad, ${Math.round((Date.now() - start) / 1000)} s`,
  );
  for (const { at, problems } of findings.slice(0, 10)) console.log(`    ${at}\n      ${problems.join('\n      ')}`);
}

function pathName(exchange: boolean): string {
  return exchange ? 'exchange' : 'rename';
}

async function kills(): Promise<void> {
  for (const scene of SCENES)
    for (const exchange of PATHS) {
      const choice: Choice = { exchange, every: EVERY };
      await line(`killed: ${scene.name}, by ${pathName(exchange)}`, async () =>
        walkKills(await stageOf(scene), choice),
      );
    }
}

async function meddled(): Promise<void> {
  const names = ['apply', 'undo'];
  for (const scene of SCENES.filter(({ name }) => names.includes(name)))
    for (const exchange of PATHS)
      for (const how of MEDDLES) {
        const choice: Choice = { exchange, every: EVERY, meddle: { note: 'task/pay.md', ...how } };
        const what = `killed: ${scene.name}, by ${pathName(exchange)}, ${how.how} ${how.when}`;
        await line(what, async () => walkKills(await stageOf(scene), choice));
      }
}

async function recoveries(): Promise<void> {
  for (const scene of SCENES)
    for (const exchange of PATHS) {
      const choice: Choice = { exchange, every: EVERY };
      const what = `killed twice: ${scene.name}, by ${pathName(exchange)}`;
      await line(what, async () => walkRecoveries(await stageOf(scene), choice));
    }
}

async function errors(): Promise<void> {
  for (const scene of SCENES)
    for (const exchange of PATHS)
      for (const error of ERRORS)
        for (const [how, more] of [
          ['once', {}],
          ['once, tried again', { again: 2 }],
          ['from then on', { lasting: true }],
        ] as const) {
          const choice: Choice = { exchange, every: EVERY, errors: [error], ...more };
          const what = `${error} ${how}: ${scene.name}, by ${pathName(exchange)}`;
          await line(what, async () => walkErrors(await stageOf(scene), choice));
        }
}

async function races(): Promise<void> {
  for (const exchange of PATHS)
    for (const kind of KINDS) {
      const start = Date.now();
      const { yielded, inNote, kept, lost, problems } = await race(kind, exchange, RACES, 7);
      bad += lost.length + problems.length;
      console.log(
        `${`raced: ${kind}, by ${pathName(exchange)}`.padEnd(58)} ${RACES} races, ${yielded} yielded, ${inNote} in the note, ${kept} kept, ${lost.length} lost, ${problems.length} bad, ${Math.round((Date.now() - start) / 1000)} s`,
      );
      for (const problem of problems.slice(0, 5)) console.log(`    ${problem}`);
    }
}

if (wanted('races')) await races();
if (!canTrace()) console.log('Without strace, or without leave to trace, no call can be killed or made to fail.');
else {
  if (wanted('kills')) await kills();
  if (wanted('meddled')) await meddled();
  if (wanted('recoveries')) await recoveries();
  if (wanted('errors')) await errors();
}
fs.rmSync(home, { recursive: true, force: true });
console.log(bad === 0 ? 'Nothing was lost.' : `${bad} places where something went wrong.`);
process.exitCode = bad === 0 ? 0 : 1;
