import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DriverBundle } from './bundle.ts';
import type { Meddle } from './job.ts';
import { hasPrevious, PreviousBundle } from './previous.ts';
import { prepareStage, SCENES, type Scene, type Stage } from './scenes.ts';
import { canTrace } from './strace.ts';
import { walkTakeovers } from './takeover.ts';
import { prepareUpdate, walkUpdates } from './update.ts';
import { type Choice, walkErrors, walkKills } from './walk-points.ts';

// The quick part, with some of the points; `npm run test:crash` walks all of them.
const home = fs.mkdtempSync(path.join(fs.existsSync('/dev/shm') ? '/dev/shm' : os.tmpdir(), 'vs-crash-'));
let bundle: DriverBundle;
beforeAll(async () => {
  bundle = await DriverBundle.make();
});
afterAll(() => {
  fs.rmSync(home, { recursive: true, force: true });
  bundle[Symbol.dispose]();
});

const traced = canTrace();

function sceneNamed(name: string): Scene {
  const scene = SCENES.find((one) => one.name === name);
  if (scene === undefined) throw new Error(`there is no scene ${name}`);
  return scene;
}

function stageOf(name: string): Promise<Stage> {
  const scene = sceneNamed(name);
  const root = fs.mkdtempSync(path.join(home, 'stage-'));
  return prepareStage(scene, path.join(root, 'vault'), bundle);
}

describe.skipIf(!traced)('killed before a system call, and started again', () => {
  const some: readonly (readonly [string, Choice])[] = [
    ['apply', { exchange: true, every: 17 }],
    ['apply', { exchange: false, every: 17, from: 3 }],
    ['dropped reversal', { exchange: true, every: 21, from: 1 }],
    ['undo', { exchange: true, every: 25, from: 4 }],
    ['confirm', { exchange: true, every: 33, from: 2 }],
    ['undo of a dismissal', { exchange: true, every: 33, from: 3 }],
    ['recovery', { exchange: true, every: 13, from: 1 }],
    ['fetch', { exchange: true, every: 37, from: 3 }],
    ['fetch to read', { exchange: true, every: 33, from: 5 }],
    ['settings reload', { exchange: true, every: 37, from: 4 }],
  ];
  test.each(some)('%s %o: as before or as after, and nothing in between', async (name, choice) => {
    const walked = await walkKills(bundle, await stageOf(name), choice);
    expect(walked.findings).toEqual([]);
    expect(walked.hit).toBeGreaterThan(2);
  });

  const meddles: readonly (readonly [Meddle['when'], Meddle['how'], boolean])[] = [
    ['before', 'rename', false],
    ['late', 'append', true],
  ];
  test.each(meddles)(
    'while somebody writes %s the swap (%s, exchange %s): what was typed is found',
    async (when, how, exchange) => {
      const choice = { exchange, every: 23, from: 5, meddle: { note: 'task/pay.md', when, how } };
      const walked = await walkKills(bundle, await stageOf('apply'), choice);
      expect(walked.findings).toEqual([]);
    },
  );
});

describe.skipIf(!traced)('killed before a system call, and taken over by another machine', () => {
  test.each(['same', 'other'] as const)('with the %s key: nothing was changed, or an undo there works', async (key) => {
    const walked = await walkTakeovers(bundle, await stageOf('apply'), { exchange: true, every: 9, from: 2, key });
    expect(walked.findings).toEqual([]);
    expect(walked.hit).toBeGreaterThan(2);
    expect(walked.undone).toBeGreaterThan(2);
  });
});

describe.skipIf(!traced)('a system call that fails', () => {
  test('in a running daemon: it lives on, and does its work in the end', async () => {
    const choice = { exchange: true, errors: ['EIO', 'EMFILE'], every: 121, from: 7, again: 2 };
    const walked = await walkErrors(bundle, await stageOf('daemon'), choice);
    expect(walked.findings).toEqual([]);
    expect(walked.raw).toEqual([]);
  });

  test.each(['ENOSPC', 'EIO', 'EMFILE'])('%s: nothing half done after a healthy start', async (error) => {
    const walked = await walkErrors(bundle, await stageOf('apply'), { exchange: true, errors: [error], every: 21 });
    expect(walked.findings).toEqual([]);
    expect(walked.hit).toBeGreaterThan(1);
    expect(walked.raw).toEqual([]);
  });
});

// Skipped in a clone without the history; the walk says so.
describe.skipIf(!traced || !hasPrevious())('the previous release, killed by an update', () => {
  const some: readonly (readonly [string, Choice])[] = [
    ['apply', { exchange: true, every: 17, from: 3 }],
    ['apply', { exchange: false, every: 21, from: 5 }],
    ['confirm', { exchange: true, every: 37, from: 7 }],
  ];
  test('each change of a note has its event note and its undo, or was not made', async () => {
    using previous = PreviousBundle.make();
    for (const [name, choice] of some) {
      const root = path.join(fs.mkdtempSync(path.join(home, 'stage-')), 'vault');
      const walked = await walkUpdates(previous, await prepareUpdate(previous, sceneNamed(name), root), choice);
      expect(walked.findings).toEqual([]);
      expect(walked.hit).toBeGreaterThan(2);
    }
  });
});
