import { onTestFinished } from 'vitest';
import { RetryQueue } from '../../src/daemon/queue.ts';
import { Timers } from '../../src/daemon/timers.ts';
import { type Grant, pinned, sourceSettings } from '../../src/sources/source.ts';
import { type LoadSource, SourceWork } from '../../src/sources/source-work.ts';
import { Streams } from '../../src/streams/streams.ts';
import type { Bench } from '../support/workspace.ts';

type Fields = Readonly<Record<string, string | number>>;

/** The note of a source with these fields. */
export function sourceNote(fields: Fields): string {
  return ['---', ...Object.entries(fields).map(([key, value]) => `${key}: ${value}`), '---', ''].join('\n');
}

/** What a person allows who finds such a note right. */
export function grantFor(fields: Fields): Grant {
  const at = new Date().toISOString();
  return { pinned: { ...pinned(sourceSettings.parse(fields)) }, passwordCommand: null, run: null, at };
}

/** The work on the sources of a vault, which ends with the test: `follow` looks at the notes, `drained` waits for the reading. */
export function askedSources(
  { ports: space }: Bench,
  connect: LoadSource,
  unexpected: (error: unknown) => void = () => {},
) {
  const [retries, timers] = [new RetryQueue(space), new Timers(space.context.now)];
  const streams = new Streams(space, timers);
  const work = new SourceWork({
    space,
    streams,
    retries,
    timers,
    connect,
    chance: () => 0,
    demand: () => {},
    unexpected,
  });
  onTestFinished(async () => {
    await work.close();
    timers.close();
  });
  const follow = async () => {
    work.follow();
    await retries.idle();
  };
  return { work, follow, drained: () => streams.idle() };
}
