import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { play, storiesIn } from './story.ts';
import { Sandbox } from './support.ts';

const FOLDER = import.meta.dirname;
/** A line that starts a program and leaves it running. */
const STARTS_DAEMON = /^& /m;

/** Runs the stories that start a daemon, or all others. With UPDATE_STORIES=1 it writes down what happened instead. */
export function tellStories({ withDaemon }: { readonly withDaemon: boolean }): void {
  for (const [name, story] of storiesIn(FOLDER).filter(([, text]) => STARTS_DAEMON.test(text) === withDaemon)) {
    test(`story: ${name}`, async () => {
      await using sandbox = new Sandbox('example');
      const told = await play(story, sandbox);
      if (process.env.UPDATE_STORIES === '1') fs.writeFileSync(path.join(FOLDER, name), told);
      else expect(told).toBe(story);
    });
  }
}
