import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { StateStore } from '../../src/daemon/state.ts';
import { STREAMS } from '../../src/streams/state.ts';
import { TempVault } from '../support/temp-vault.ts';
import { attack } from './attack.ts';

const READ = {
  size: 1,
  mtimeMs: 2,
  sha256: 'x',
  at: 3,
  signals: 0,
  skipped: null,
  refused: null,
  tried: null,
  items: null,
};
const MINE = 'stream/mine.eml';

/** A vault in which one file is remembered, with what somebody else has put beside it. */
function vaultWith(...parts: readonly (readonly [name: string, text: string | Buffer])[]): TempVault {
  const vault = new TempVault({ '.steward/state/streams-00000001.jsonl': `${JSON.stringify([MINE, READ])}\n` });
  for (const [name, text] of parts) fs.writeFileSync(path.join(vault.places.state, name), text);
  return vault;
}

function started(vault: TempVault): StateStore {
  const state = new StateStore(vault.places.state, undefined, [STREAMS]);
  state.load();
  state.flush();
  return state;
}

/** Remembers something more, and returns what the next process finds. */
function carriesOn(vault: TempVault): StateStore {
  const state = started(vault);
  state.get(STREAMS)['stream/new.eml'] = READ;
  state.touch(STREAMS, 'stream/new.eml');
  state.flush();
  const next = new StateStore(vault.places.state, undefined, [STREAMS]);
  next.load();
  expect(next.get(STREAMS)['stream/new.eml']).toEqual(READ);
  return next;
}

describe('a part of what is remembered', () => {
  for (const [means, text] of [
    ['lines that are no JSON', 'x\n{\n[[[[\n'],
    ['lines that are something else', '{}\n7\n[]\n[1,2]\n["a",1,2]\nnull\n'],
    ['values of another shape', `["a",null]\n["b",[]]\n["c",{"size":"1"}]\n["constructor",7]\n`],
    ['bytes that are no text', Buffer.from([0xff, 0xfe, 0, 0x0a, 0x0a, 0x80, 0x0a])],
    ['one line of a million brackets', `${'['.repeat(1_000_000)}\n`],
  ] as const) {
    attack(
      {
        attacker: 'a sync peer',
        means,
        loss: 'the program does not start, or forgets what it has read',
        defence: 'it is passed over, moved aside and said, and the rest is kept',
      },
      () => {
        const vault = vaultWith(['streams-00000002.jsonl', text]);
        expect(started(vault).troubles.length).toBeGreaterThan(0);
        const next = carriesOn(vault);
        expect(Object.keys(next.get(STREAMS)).sort()).toEqual([MINE, 'stream/new.eml']);
        expect(next.troubles).toEqual([]);
      },
    );
  }

  attack(
    {
      attacker: 'a sync peer',
      means: 'keys that every object has',
      loss: 'they change what all objects are, or what no entry is about is taken for one',
      defence: 'nothing that is remembered has a prototype',
    },
    () => {
      const forged = { ...READ, polluted: true };
      const keys = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'];
      const vault = vaultWith([
        'streams-00000002.jsonl',
        keys.map((key) => `${JSON.stringify([key, forged])}\n`).join(''),
      ]);
      const next = carriesOn(vault);
      expect({}).not.toHaveProperty('polluted');
      expect(Object.getPrototypeOf(next.get(STREAMS))).toBeNull();
      expect(Object.keys(next.get(STREAMS)).sort()).toEqual([MINE, 'stream/new.eml', ...keys].sort());
    },
  );

  attack(
    {
      attacker: 'a sync peer',
      means: 'a million lines',
      loss: 'each start and each mail takes as long as all of them',
      defence: 'they are read once and one by one, and saving costs what has changed',
    },
    () => {
      const lines = Array.from(
        { length: 100_000 },
        (_, nth) => `["stream/${nth % 1000}.eml",${JSON.stringify(READ)}]\n`,
      ).join('');
      const vault = vaultWith(
        ...Array.from(
          { length: 10 },
          (_, nth) => [`streams-${String(nth + 2).padStart(8, '0')}.jsonl`, lines] as const,
        ),
      );
      const there = () =>
        fs
          .readdirSync(vault.places.state)
          .reduce((sum, name) => sum + fs.statSync(path.join(vault.places.state, name)).size, 0);
      const state = started(vault);
      for (let nth = 0; nth < 20; nth += 1) {
        state.touch(STREAMS, MINE);
        state.flush();
      }
      expect(there()).toBeLessThan(3 * 1024 * 1024);
      expect(Object.keys(carriesOn(vault).get(STREAMS))).toHaveLength(1002);
    },
  );

  attack(
    {
      attacker: 'a sync peer',
      means: 'a part with the highest number there is',
      loss: 'what is saved from then on is found by nobody',
      defence: "such a number is not the program's: the file is moved aside, and said",
    },
    () => {
      const vault = vaultWith(['streams-99999999.jsonl', '["stream/mine.eml"]\n']);
      expect(started(vault).troubles).toMatchObject([{ file: '.steward/state/streams-99999999.jsonl' }]);
      expect(vault.names('.steward/state')).toContain('streams-99999999.jsonl.bad');
      expect(carriesOn(vault).get(STREAMS)[MINE]).toEqual(READ);
    },
  );

  for (const [means, put] of [
    ['a folder', (file: string) => fs.mkdirSync(file)],
    ['a pipe', (file: string) => execFileSync('mkfifo', [file])],
    ['a link to a file outside', (file: string) => fs.symlinkSync('../../../outside', file)],
    ['a link that leads nowhere', (file: string) => fs.symlinkSync('nowhere', file)],
  ] as const) {
    attack(
      {
        attacker: 'a sync peer',
        means: `puts ${means} in the place of the newest part`,
        loss: 'the program waits for ever, or writes elsewhere',
        defence: 'no link is followed and nobody is waited for; it is moved aside',
      },
      () => {
        const vault = vaultWith();
        const outside = path.join(vault.home, 'outside');
        fs.writeFileSync(outside, 'mine');
        put(path.join(vault.places.state, 'streams-00000002.jsonl'));
        expect(carriesOn(vault).get(STREAMS)[MINE]).toEqual(READ);
        expect(fs.readFileSync(outside, 'utf8')).toBe('mine');
        expect(vault.names('.steward/state')).toContain('streams-00000002.jsonl.bad');
      },
    );
  }
});
