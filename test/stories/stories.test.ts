import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { play, storiesIn } from './story.ts';
import { Sandbox } from './support.ts';

const FOLDER = import.meta.dirname;

for (const [name, story] of storiesIn(FOLDER)) {
  test(`story: ${name}`, async () => {
    await using sandbox = new Sandbox('example');
    const told = await play(story, sandbox);
    if (process.env.UPDATE_STORIES === '1') fs.writeFileSync(path.join(FOLDER, name), told);
    else expect(told).toBe(story);
  });
}
