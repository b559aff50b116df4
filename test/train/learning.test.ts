import { expect, it } from 'vitest';
import { readerOf } from '../../src/stream/trained/trained-reader.ts';
import { rankedApart } from '../../train/fit-training.ts';
import { foldOf } from '../../train/folds.ts';
import { learnReader } from '../../train/learning.ts';
import { tinyMaterial } from './tiny-material.ts';

const quietly = () => undefined;

it('the same material gives the same file, to the byte', async () => {
  const one = await learnReader(tinyMaterial(), quietly);
  const other = await learnReader(tinyMaterial(), quietly);
  expect(JSON.stringify(other.file)).toBe(JSON.stringify(one.file));
});

it('another material gives another file, and each can be read', async () => {
  const material = tinyMaterial();
  const [first, ...rest] = material.sentences;
  if (first === undefined) throw new Error('the material is empty');
  const one = await learnReader(material, quietly);
  const other = await learnReader({ ...material, sentences: [{ ...first, effect: 'none' }, ...rest] }, quietly);
  expect(other.file).not.toEqual(one.file);
  for (const { file } of [one, other]) expect(readerOf(file).effects.weights.length).toBeGreaterThan(0);
});

it('all that is known of a change has a weight, and the trees look at nothing else', async () => {
  const { file, mails } = await learnReader(tinyMaterial(), quietly);
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
