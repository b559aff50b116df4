import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { MAY_MOUNT, smallDisk } from '../support/small-disk.ts';
import { run } from './driver.ts';
import { holdsToken, keptLines, ledgerProblems, problemsOf } from './invariant.ts';
import { type Meddle, TOKEN } from './job.ts';
import { copyOf, jobOn, prepareStage, SCENES, type Stage } from './scenes.ts';

// Another writer writes at one exact moment of an edit; nothing is killed.
const home = fs.mkdtempSync(path.join(os.tmpdir(), 'vs-moments-'));
afterAll(() => fs.rmSync(home, { recursive: true, force: true }));
const NOTE = 'task/pay.md';

async function stageOf(name: string): Promise<Stage> {
  const scene = SCENES.find((one) => one.name === name);
  if (scene === undefined) throw new Error(`there is no scene ${name}`);
  return prepareStage(scene, path.join(fs.mkdtempSync(path.join(home, 'stage-')), 'vault'));
}

function vaultOf(stage: Stage): string {
  const root = `${stage.root}.now`;
  copyOf(stage, root);
  return root;
}

const moments: readonly Pick<Meddle, 'when' | 'how'>[] = [
  { when: 'before', how: 'rewrite' },
  { when: 'before', how: 'rename' },
  { when: 'before', how: 'append' },
  { when: 'after', how: 'rewrite' },
  { when: 'after', how: 'rename' },
  { when: 'after', how: 'append' },
  { when: 'late', how: 'append' },
];
const all = ['apply', 'undo', 'confirm'].flatMap((name) =>
  [true, false].flatMap((exchange) => moments.map((moment) => [name, exchange, moment] as const)),
);

test.each(all)(
  '%s (exchange: %s), %o: what was typed is found, and the books are right',
  async (name, exchange, moment) => {
    const stage = await stageOf(name);
    const root = vaultOf(stage);
    expect(await run(jobOn(stage, root, { exchange, meddle: { note: NOTE, ...moment } }))).toEqual({ ok: true });
    expect(holdsToken(root, NOTE)).toBe(true);
    expect([...problemsOf(root), ...ledgerProblems(root)]).toEqual([]);
  },
);

test.each([true, false])('a note deleted in those moments stays deleted (exchange: %s)', async (exchange) => {
  const stage = await stageOf('apply');
  const root = vaultOf(stage);
  await run(jobOn(stage, root, { exchange, meddle: { note: NOTE, when: 'before', how: 'delete' } }));
  expect(fs.existsSync(path.join(root, NOTE))).toBe(false);
  expect(problemsOf(root)).toEqual([]);
});

describe('a program that held the note open', () => {
  test.each([true, false])(
    'writes when we have long ended: the next start says so (exchange: %s)',
    async (exchange) => {
      const stage = await stageOf('apply');
      const root = vaultOf(stage);
      const handle = fs.openSync(path.join(root, NOTE), 'a');
      expect(await run(jobOn(stage, root, { exchange }))).toEqual({ ok: true });
      fs.writeSync(handle, TOKEN);
      fs.closeSync(handle);
      expect(keptLines(root)).toEqual([]);
      await run({ root, op: 'recover', exchange });
      expect(keptLines(root)).toMatchObject([{ note: NOTE }]);
      expect(holdsToken(root, NOTE)).toBe(true);
    },
  );
});

// The displaced file cannot be moved to the history on another disk, so it stays next to the note until it is quiet.
test.runIf(MAY_MOUNT)(
  'a note on another disk than .steward: what is written into it late is found, and nothing is left beside it (needs leave to mount)',
  async () => {
    const stage = await stageOf('apply');
    const root = vaultOf(stage);
    const own = path.join(root, '.steward');
    fs.renameSync(own, `${root}.own`);
    fs.mkdirSync(own);
    smallDisk(own);
    fs.cpSync(`${root}.own`, own, { recursive: true });
    const former = fs.readFileSync(path.join(root, NOTE), 'utf8');
    const handle = fs.openSync(path.join(root, NOTE), 'a');
    expect(await run(jobOn(stage, root))).toEqual({ ok: true });
    expect(fs.readFileSync(path.join(root, NOTE), 'utf8')).toBe(former.replace("'open'", "'done'"));
    fs.writeSync(handle, TOKEN);
    fs.closeSync(handle);
    await run({ root, op: 'recover', exchange: true });
    expect(keptLines(root)).toMatchObject([{ note: NOTE }]);
    expect(holdsToken(root, NOTE)).toBe(true);
    const list = path.join(own, 'state/displaced.jsonl');
    fs.writeFileSync(list, fs.readFileSync(list, 'utf8').replace(/"at":\d+/g, `"at":${Date.now() - 31_000}`));
    await run({ root, op: 'recover', exchange: true });
    expect(fs.readdirSync(path.join(root, 'task'))).toEqual(['pay.md']);
    expect(holdsToken(root, NOTE)).toBe(true);
    expect(ledgerProblems(root)).toEqual([]);
  },
);

test.each([true, false])(
  'a note with a second name: the edit is refused, and both names are as they were (exchange: %s)',
  async (exchange) => {
    const stage = await stageOf('apply');
    const root = vaultOf(stage);
    const former = fs.readFileSync(path.join(root, NOTE), 'utf8');
    fs.linkSync(path.join(root, NOTE), path.join(root, 'second.txt'));
    expect(await run(jobOn(stage, root, { exchange }))).toEqual({ ok: true }); // recorded, with the reason
    expect(fs.readFileSync(path.join(root, 'second.txt'), 'utf8')).toBe(former);
    expect(fs.readFileSync(path.join(root, NOTE), 'utf8')).toBe(former);
    expect(fs.statSync(path.join(root, NOTE)).nlink).toBe(2);
  },
);
