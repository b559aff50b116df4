import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { materialHash } from '../../train/material.ts';

const FILE = path.join(import.meta.dirname, '../../data/reader.json');
/** A mail is read in a moment, and whoever installs the program loads it. */
const MOST_BYTES = 600_000;

it('the stored reader is made from the data and the code that lie here', () => {
  const { made_from: madeFrom } = JSON.parse(fs.readFileSync(FILE, 'utf8'));
  expect(madeFrom, 'the data or the code have changed: run `npm run train`, and commit reader.json with them').toBe(
    materialHash(),
  );
});

it('the stored reader is small', () => {
  expect(fs.statSync(FILE).size).toBeLessThan(MOST_BYTES);
});
