import type { TaskTimes } from '../../../src/steward/schedule.ts';
import type { Chance } from './chance.ts';
import { isWeekend, localDay, writtenDay } from './dates.ts';
import type { InventedMatter, Nudge, Span } from './invented-vault.ts';
import type { Liveliness } from './mix.ts';
import * as mix from './mix.ts';

const HOUR = 3_600_000;

const MAIL_HOURS = mix.MAIL_HOURS.map((weight, hour) => [weight, hour] as const);
const SITTING_HOURS = mix.SITTING_HOURS.map((weight, hour) => [weight, hour] as const);

type Matters = readonly Pick<InventedMatter, 'tasks'>[];
type About = Pick<Nudge, 'matter' | 'task'>;

/** Returns what comes into a vault from outside, day by day of its own zone, in the order of time. */
export function nudgesOf(
  chance: Chance,
  { mails, sittings }: Liveliness,
  matters: Matters,
  { from, to }: Span,
): Nudge[] {
  if (mails + sittings === 0) return [];
  const nudges: Nudge[] = [];
  for (let day = localDay(from, 0), nth = 1; day < to; day = localDay(from, nth), nth += 1) {
    const share = isWeekend(day) ? mix.WEEKEND : { mails: 1, sittings: 1 };
    for (let left = chance.count(mails * share.mails); left > 0; left -= 1) nudges.push(mail(chance, day, matters));
    for (let left = chance.count(sittings * share.sittings); left > 0; left -= 1)
      nudges.push(...sitting(chance, day, matters));
  }
  return nudges.filter(({ at }) => at >= from && at < to).sort((one, other) => one.at - other.at);
}

function mail(chance: Chance, day: number, matters: Matters): Nudge {
  const at = momentIn(chance, day, MAIL_HOURS);
  const about = target(chance, matters);
  const isSignal = chance.happens(mix.SIGNAL_SHARE);
  const isStrong = chance.happens(mix.STRONG_SHARE);
  if (!isSignal) return { at, kind: 'mail', matter: null, task: null, signal: null, change: null };
  return { at, kind: 'mail', ...about, signal: isStrong ? 'strong' : 'weak', change: null };
}

function sitting(chance: Chance, day: number, matters: Matters): Nudge[] {
  const nudges: Nudge[] = [];
  let at = momentIn(chance, day, SITTING_HOURS);
  for (let left = chance.whole(...mix.EDITS); left > 0; left -= 1) {
    const about = target(chance, matters);
    const isNews = chance.happens(mix.NEWS_SHARE);
    const change = about.task === null ? null : changeOf(chance, at);
    nudges.push({ at, kind: 'edit', ...about, signal: isNews ? 'weak' : null, change });
    at += Math.round(chance.wait(mix.EDIT_PAUSE_S * 1000));
  }
  return nudges;
}

function changeOf(chance: Chance, now: number): Pick<TaskTimes, 'state'> | Pick<TaskTimes, 'due'> | null {
  const figure = chance.figure();
  if (figure < mix.CLOSING_SHARE) return { state: 'done' };
  if (figure > mix.CLOSING_SHARE + mix.MOVING_SHARE) return null;
  return { due: writtenDay(chance, now, chance.whole(...chance.pick(mix.DUE_DAYS))) };
}

// One in three is about the matter itself.
function target(chance: Chance, matters: Matters): About {
  const matter = chance.whole(0, matters.length - 1);
  const { length } = matters[matter]?.tasks ?? [];
  const task = length === 0 || chance.happens(1 / 3) ? null : chance.whole(0, length - 1);
  return { matter, task };
}

function momentIn(chance: Chance, day: number, hours: readonly (readonly [number, number])[]): number {
  return day + chance.pick(hours) * HOUR + chance.whole(0, HOUR - 1);
}
