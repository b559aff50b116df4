import { onTestFinished } from 'vitest';
import { Streams } from '../../../src/daemon/ingest-queue.ts';
import { RetryQueue } from '../../../src/daemon/queues.ts';
import { SourceWork } from '../../../src/daemon/source-work.ts';
import type { Connect } from '../../../src/daemon/sources/connectors.ts';
import { Timers } from '../../../src/daemon/timers.ts';
import { type Grant, pinned, sourceSettings } from '../../../src/source/source.ts';
import type { Bench } from '../../support/workspace.ts';

type Fields = Readonly<Record<string, string | number>>;

/** The note of a source with these fields. */
export function sourceNote(fields: Fields): string {
  return ['---', ...Object.entries(fields).map(([key, value]) => `${key}: ${value}`), '---', ''].join('\n');
}

/** What a person allows who finds such a note right. */
export function grantFor(fields: Fields): Grant {
  const at = '2026-11-01T00:00:00Z';
  return { pinned: { ...pinned(sourceSettings.parse(fields)) }, passwordCommand: null, run: null, at };
}

/** The work on the sources of a vault, which ends with the test: `follow` looks at the notes, `drained` waits for the reading. */
export function askedSources(
  { ports: space }: Bench,
  connect: Connect,
  unexpected: (error: unknown) => void = () => {},
) {
  const [retries, timers] = [new RetryQueue(space), new Timers(space.context.now)];
  const streams = new Streams(space, timers);
  const work = new SourceWork({ space, streams, retries, connect, chance: () => 0, demand: () => {}, unexpected });
  onTestFinished(async () => {
    await work.close();
    timers.close();
  });
  const follow = async () => {
    work.follow();
    await retries.drained();
  };
  return { work, follow, drained: () => streams.drained() };
}
