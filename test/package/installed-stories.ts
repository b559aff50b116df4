import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { play, storiesIn } from '../stories/story.ts';
import type { Installation } from './installation.ts';

const PROJECT = path.resolve(import.meta.dirname, '..', '..');
const STORIES = path.join(PROJECT, 'test/stories');

/** The stories that use a command which none before them does: the others are told with the same bytes in `npm test`. */
export function describeStories(installed: () => Installation): void {
  test('what is installed is, byte for byte, what `npm test` tells its stories with', () => {
    const { place } = installed();
    const files = ['bin', 'data', 'dist', 'template'].flatMap((folder) =>
      fs.globSync(`${folder}/**/*`, { cwd: place }).filter((file) => fs.statSync(path.join(place, file)).isFile()),
    );
    expect(files.length).toBeGreaterThan(20);
    expect(files.filter((file) => !isSame(path.join(place, file), path.join(PROJECT, file)))).toEqual([]);
  });

  describe.concurrent('stories', () => {
    for (const [name, story] of storiesWithNewCommands()) {
      test(name, async () => {
        await using sandbox = installed().sandbox('example');
        expect(await play(story, sandbox)).toBe(story);
      });
    }
  });
}

function storiesWithNewCommands(): [string, string][] {
  const used = new Set<string>();
  return [...storiesIn(STORIES)].filter(([, story]) => {
    const commands = [...story.matchAll(/\bsteward ((?:licence |source |service )?[a-z]+)/g)].map(
      ([, command = '']) => command,
    );
    const fresh = commands.filter((command) => !used.has(command));
    for (const command of fresh) used.add(command);
    return fresh.length > 0;
  });
}

function isSame(one: string, other: string): boolean {
  return fs.existsSync(other) && fs.readFileSync(one).equals(fs.readFileSync(other));
}
