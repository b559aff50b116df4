import { expect, it } from 'vitest';
import { makeReader } from '../../src/reading/learnt.ts';
import { rankedApart } from '../../train/fit-training.ts';
import { foldOf } from '../../train/folds.ts';
import { learnReader } from '../../train/learning.ts';
import type { Material } from '../../train/material.ts';
import { tinyMaterial } from './tiny-material.ts';

const learn = (material: Material) => learnReader(material, () => undefined);
const learnt = learn(tinyMaterial());

it('the same material gives the same file, to the byte', async () => {
  const again = await learn(tinyMaterial());
  expect(JSON.stringify(again.file)).toBe(JSON.stringify((await learnt).file));
});

it('another material gives another file, and each can be read', async () => {
  const material = tinyMaterial();
  const [first, ...rest] = material.sentences;
  if (first === undefined) throw new Error('the material is empty');
  const other = await learn({ ...material, sentences: [{ ...first, effect: 'none' }, ...rest] });
  expect(other.file).not.toEqual((await learnt).file);
  for (const { file } of [await learnt, other]) expect(makeReader(file).effects.weights.length).toBeGreaterThan(0);
});

it('all that is known of a change has a weight, and the trees look at nothing else', async () => {
  const { file, mails } = await learnt;
  const [change] = mails.flatMap(({ changes }) => changes);
  if (change === undefined) throw new Error('no mail may mean a change');
  expect(file.fit.weights.length).toBe(change.values.length + change.deeds.length);
  const [ranked] = rankedApart(mails).flatMap(({ changes }) => changes);
  const looked = file.fit.trees.trees.flatMap((tree) => tree.map(([value]) => value));
  expect(Math.max(...looked)).toBeLessThan(ranked?.values.length ?? 0);
});

it('the groups are spread over all runs, and each is left out of one', () => {
  const groups = Array.from({ length: 500 }, (_, nth) => `de ${nth}`);
  const sizes = [...Map.groupBy(groups, foldOf).values()].map(({ length }) => length);
  expect(sizes.length).toBe(5);
  expect(Math.min(...sizes)).toBeGreaterThan(50);
});
