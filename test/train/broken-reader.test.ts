import { deflateRawSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { parseReader, type ReaderFile } from '../../src/reading/learnt.ts';
import { learnReader } from '../../train/learning.ts';
import { tinyMaterial } from './tiny-material.ts';

type Trees = ReaderFile['fit']['trees'];

let whole: ReaderFile;
beforeAll(async () => {
  whole = (await learnReader(tinyMaterial(), () => undefined)).file;
});

const withTree = (tree: Trees['trees'][number]) => ({
  ...whole,
  fit: { ...whole.fit, trees: { base: 0, trees: [tree] } },
});
const withEffects = (effects: Partial<ReaderFile['effects']>) => ({
  ...whole,
  effects: { ...whole.effects, ...effects },
});
const packed = (length: number) => deflateRawSync(new Uint8Array(length)).toString('base64');

const BROKEN: readonly (readonly [string, () => unknown])[] = [
  ['is nothing', () => null],
  ['lacks a part', () => ({ ...whole, fit: undefined })],
  ['has a part that nobody knows', () => ({ ...whole, more: 1 })],
  ['has a number that is none', () => withEffects({ scale: Number.NaN })],
  ['has a bias without an end', () => withEffects({ bias: [1, 2, 3, 4, Number.POSITIVE_INFINITY] })],
  ['has too few biases', () => withEffects({ bias: [0, 0, 0] })],
  ['has weights that are no base64', () => withEffects({ weights: '?!' })],
  ['has weights that are not packed', () => withEffects({ weights: Buffer.from('abc').toString('base64') })],
  ['has no weights', () => withEffects({ weights: packed(0) })],
  ['has not as many weights for each class', () => withEffects({ weights: packed(101) })],
  ['has far more weights than there are features', () => withEffects({ weights: packed(1 << 26) })],
  ['has an empty tree', () => withTree([])],
  ['has a tree that leads to itself', () => withTree([[0, 0.5, 1], ...[leaf(), leaf()]])],
  ['has a tree that leads back', () => withTree([[0, 0.5, 2], [0, 0.5, 1], leaf()])],
  ['has a tree that leads out of itself', () => withTree([[0, 0.5, 3], leaf(), leaf()])],
  ['has half a node', () => withTree([[0, 0.5, 1.5], leaf(), leaf()])],
  ['looks at a value below the first', () => withTree([[-2, 0.5, 2], leaf(), leaf()])],
  ['is more than sure', () => ({ ...whole, least: 1.2 })],
];

function leaf(): [number] {
  return [0.1];
}

describe('what was learnt', () => {
  it('is read as the trainer wrote it', () => {
    expect(parseReader(JSON.parse(JSON.stringify(whole))).least).toBe(whole.least);
    expect(parseReader(withTree([[0, 0.5, 2], leaf(), leaf()])).fit.trees.trees.length).toBe(1);
  });

  it.each(BROKEN)('is refused where it %s', (_, broken) => {
    expect(() => parseReader(broken())).toThrow(/^what was learnt of mails /);
  });
});
