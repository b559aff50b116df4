import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { play, storiesIn } from '../stories/story.ts';
import type { Installation } from './installation.ts';

const STORIES = path.resolve(import.meta.dirname, '..', 'stories');

/** Every story, told by the installed program. */
export function describeStories(installed: () => Installation): void {
  describe.concurrent('stories', () => {
    for (const [name, story] of storiesIn(STORIES)) {
      test(name, async () => {
        await using sandbox = installed().sandbox('example');
        expect(await play(story, sandbox)).toBe(story);
      });
    }
  });
}
