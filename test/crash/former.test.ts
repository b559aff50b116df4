import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { TempVault } from '../support/temp-vault.ts';
import { run } from './driver.ts';
import { ledgerProblems, problemsOf } from './invariant.ts';
import { markKeyOf } from './marks.ts';

/** A vault as the previous release left it when it was killed, and the key of that machine. */
const left = z.object({ key: z.string(), files: z.record(z.string(), z.string()) });
const CASES = path.join(import.meta.dirname, 'former');

/** What has become of `task/pay.md`, and of how many event notes there are. */
const ENDS: Readonly<Record<string, readonly [state: string, events: number]>> = {
  journalled: ['open', 0],
  'moved-aside': ['open', 0],
  edited: ['done', 1],
  stamped: ['done', 1],
  confirmed: ['done', 2],
  reversed: ['open', 2],
};

function killedVault(name: string): TempVault {
  const { key, files } = left.parse(JSON.parse(fs.readFileSync(path.join(CASES, `${name}.json`), 'utf8')));
  const vault = new TempVault(files);
  fs.mkdirSync(vault.at('task'), { recursive: true }); // empty, where the note was just being moved
  fs.writeFileSync(markKeyOf(vault.root), key, { mode: 0o600 });
  return vault;
}

function eventsIn(vault: TempVault): string[] {
  return vault.names('').includes('event') ? vault.names('event') : [];
}

describe('an action of a version whose journal had no mark', () => {
  test.each(Object.entries(ENDS))('%s: is completed or withdrawn at the first start', async (name, [state, events]) => {
    const vault = killedVault(name);
    expect(await run({ root: vault.root, op: 'recover', exchange: true })).toEqual({ ok: true });
    expect(vault.read('task/pay.md')).toMatch(new RegExp(`state: +'${state}'`));
    expect(eventsIn(vault)).toHaveLength(events);
    expect([...problemsOf(vault.root), ...ledgerProblems(vault.root)]).toEqual([]);
  });

  test('is not carried out under a key that did not write it, and waits', async () => {
    const vault = killedVault('edited');
    fs.writeFileSync(markKeyOf(vault.root), 'ab'.repeat(32), { mode: 0o600 });
    await run({ root: vault.root, op: 'recover', exchange: true });
    expect(vault.names('.steward/journal')).toHaveLength(1);
    expect(eventsIn(vault)).toEqual([]);
  });

  test.each([
    ['the note', 'task/pay.md', 'matter/house.md'],
    ['the event note', 'decision: state_change', 'decision: nothing'],
  ])('is not carried out where somebody has changed %s in it', async (_, from, to) => {
    const vault = killedVault('edited');
    const [entry = ''] = vault.names('.steward/journal');
    vault.write(`.steward/journal/${entry}`, vault.read(`.steward/journal/${entry}`).replaceAll(from, to));
    await run({ root: vault.root, op: 'recover', exchange: true });
    expect(vault.names('.steward/journal')).toEqual([entry]);
    expect(eventsIn(vault)).toEqual([]);
  });

  test('takes no lesson and no other field of a signal over', async () => {
    const vault = killedVault('confirmed');
    const [entry = ''] = vault.names('.steward/journal');
    const lesson = vault.read('instinct/mail.md');
    const planted = vault.read(`.steward/journal/${entry}`).replaceAll('"field":"status"', '"field":"steward"');
    vault.write(`.steward/journal/${entry}`, planted);
    await run({ root: vault.root, op: 'recover', exchange: true });
    expect(vault.read('instinct/mail.md')).toBe(lesson);
    expect(vault.read('signal/w1.md')).not.toContain('steward:');
  });
});
