import type { Waiting } from '../../steward/attention/waiting.ts';
import { type Digest, type DueTask, lastDueDay } from '../../steward/notify/digest-text.ts';
import { parseLocalTime } from '../../steward/schedule/local-time.ts';
import { localDate } from '../../vault/time.ts';
import type { ModelAccess, WriteAccess } from '../context/ports.ts';
import { problemsOf } from '../status/problems.ts';
import { waitingNow as allWaiting } from '../status/waiting-now.ts';
import { madeSince } from './deeds.ts';

/** Returns the list of what waits, without what is wrong with messages themselves: nobody is told of that by a message. */
export function waitingNow(space: ModelAccess & WriteAccess): Waiting[] {
  const trouble = problemsOf(space).filter(({ code }) => !code.startsWith('notify-'));
  return allWaiting(space, trouble);
}

/** Returns what a digest tells, of what was done since a moment (epoch ms). */
export function digestNow(space: ModelAccess & WriteAccess, since: number): Digest {
  const now = space.context.now();
  return { now, since, waiting: waitingNow(space), done: madeSince(space, since), due: dueTasks(space, now) };
}

function dueTasks({ vault }: ModelAccess, now: number): DueTask[] {
  const last = lastDueDay(now);
  return vault.catalogue.agenda
    .dueBy(last)
    .flatMap(({ path, fields: { due } }) => {
      const at = due === null ? null : parseLocalTime(due);
      return at === null ? [] : [{ path, day: localDate(at) }];
    })
    .filter(({ day }) => day <= last)
    .toSorted((one, other) => (`${one.day} ${one.path}` < `${other.day} ${other.path}` ? -1 : 1));
}
