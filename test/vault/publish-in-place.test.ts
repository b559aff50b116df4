import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { type Exchange, type SystemCalls, systemExchange } from '../../src/vault/files.ts';
import { sha256 } from '../../src/vault/note-text.ts';
import { Publisher } from '../../src/vault/publish.ts';
import { TempVault } from '../support/temp-vault.ts';

/*
 * A note that has something which cannot be given to a new file: the new bytes are written into the file itself, while a
 * file with the same bytes has its name.
 */

const NOTE = 'task/pay.md';
const BEFORE = '---\nstate: open\n---\nbefore, and rather long\n';
const AFTER = '---\nstate: done\n---\nafter\n';
const THEIRS = '---\nstate: open\n---\nwhat was just typed\n';
const HISTORY = '.steward/history';

/** `at`: what happens before the nth swap. */
function made(at: Readonly<Record<number, (vault: TempVault) => void>> = {}) {
  const vault = new TempVault({ [NOTE]: BEFORE });
  for (const folder of [vault.places.tmp, vault.places.history]) fs.mkdirSync(folder, { recursive: true });
  const { ino } = fs.statSync(vault.at(NOTE));
  const real = systemExchange();
  let swaps = 0;
  const exchange: Exchange = (one, other) => {
    swaps += 1;
    at[swaps]?.(vault);
    real?.(one, other);
  };
  const { tmp, history } = vault.places;
  const publisher = new Publisher({ root: vault.root, tmp, history, exchange, system: labelled(ino) });
  const edition = {
    path: NOTE,
    beforeSha256: sha256(BEFORE),
    bytes: Buffer.from(AFTER),
    keepAs: 'event-1',
    keptBefore: 0,
  };
  return { vault, ino, publisher, edition };
}

/** The file of this inode has a label that no user may give. */
function labelled(ino: number): SystemCalls {
  const refuse = () => {
    throw Object.assign(new Error('EPERM'), { code: 'EPERM' });
  };
  return {
    attributes: (file) => new Map(fs.statSync(file).ino === ino ? [['trusted.label', Buffer.from('x')]] : []),
    setAttribute: refuse,
    removeAttribute: refuse,
    isBeingWritten: () => null,
    returnMemory: () => {},
  };
}

function historyTexts(vault: TempVault): string[] {
  return vault.names(HISTORY).map((name) => vault.read(`${HISTORY}/${name}`));
}

test.skipIf(systemExchange() === null)('the file stays the same one, and its former bytes are kept', () => {
  const { vault, ino, publisher, edition } = made();
  expect(publisher.publish(edition)).toEqual({
    done: true,
    displaced: path.join(vault.places.history, 'event-1.1.md'),
  });
  expect(vault.read(NOTE)).toBe(AFTER);
  expect(fs.statSync(vault.at(NOTE)).ino).toBe(ino);
  expect(historyTexts(vault)).toContain(BEFORE);
  expect(vault.names('.steward/tmp')).toEqual([]);
});

test.skipIf(systemExchange() === null)('what somebody writes by rename meanwhile stays in the note', () => {
  const theirs = (vault: TempVault) => vault.write(NOTE, THEIRS);
  const { vault, publisher, edition } = made({ 2: theirs });
  expect(publisher.publish(edition).done).toBe(true);
  expect(vault.read(NOTE)).toBe(THEIRS);
  expect(historyTexts(vault)).toContain(BEFORE);
  expect(vault.names('.steward/tmp')).toEqual([]);
});

test.skipIf(systemExchange() === null)('a note that is deleted meanwhile stays deleted', () => {
  const { vault, publisher, edition } = made({ 2: (vault) => vault.remove(NOTE) });
  expect(publisher.publish(edition).done).toBe(true);
  expect(vault.has(NOTE)).toBe(false);
  expect(historyTexts(vault)).toContain(BEFORE);
  expect(vault.names('.steward/tmp')).toEqual([]);
});

test.skipIf(systemExchange() === null)('a line that an open writer adds after the edit lands in the note', () => {
  const { vault, publisher, edition } = made();
  const handle = fs.openSync(vault.at(NOTE), 'a');
  publisher.publish(edition);
  fs.writeSync(handle, 'late\n');
  fs.closeSync(handle);
  expect(vault.read(NOTE)).toBe(`${AFTER}late\n`);
});

test.skipIf(systemExchange() === null)('without a way to swap the edit is refused, and nothing is changed', () => {
  const { vault, ino, edition } = made();
  const { tmp, history } = vault.places;
  const publisher = new Publisher({ root: vault.root, tmp, history, exchange: null, system: labelled(ino) });
  expect(() => publisher.publish(edition)).toThrow(/owner or attributes/);
  expect(vault.read(NOTE)).toBe(BEFORE);
  expect(vault.names('.steward/tmp')).toEqual([]);
});

// What lies in the part file at the moment of a crash, from the first swap on.
const TORN = AFTER.slice(0, 9) + BEFORE.slice(9);
const MOMENTS: readonly (readonly [string, string, boolean])[] = [
  ['before the former bytes were copied', BEFORE, false],
  ['before the file was written into', BEFORE, true],
  ['while it was written into', TORN, true],
  ['before the second swap', AFTER, true],
];

test.each(MOMENTS)('killed %s: the edit is made, and the former bytes are kept', (_, inPart, isCopied) => {
  const { vault, publisher, edition } = made();
  const part = path.join(vault.places.tmp, `event-1.${sha256(NOTE).slice(0, 8)}.part`);
  fs.writeFileSync(part, inPart);
  vault.write(NOTE, AFTER);
  if (isCopied) vault.write(`${HISTORY}/event-1.1.md`, BEFORE);
  expect(publisher.resolve(edition, true).published).toBe(true);
  expect(vault.read(NOTE)).toBe(AFTER);
  expect(historyTexts(vault)).toContain(BEFORE);
  expect(vault.names('.steward/tmp')).toEqual([]);
  expect(publisher.resolve(edition, true).published).toBe(true);
});
