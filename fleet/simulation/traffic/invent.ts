import { type OwnPace, parseSchedule, type TaskTimes } from '../../../src/steward/schedule.ts';
import { Chance } from './chance.ts';
import { writtenDay } from './dates.ts';
import type { InventedMatter, InventedTask, InventedVault, Span } from './invented-vault.ts';
import type { Liveliness } from './mix.ts';
import * as mix from './mix.ts';
import { nudgesOf } from './nudges.ts';
import type { Past } from './past.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const DEFAULT_SCHEDULE = 'every 30m';

/** `steward_schedule` as the steward reads it, once for all. */
const PACES = mix.SCHEDULES.map(([weight, written]) => [weight, writtenPace(written)] as const);

/** Returns the vault of a number. The same seed and number give the same vault. */
export function inventVault(seed: number, id: number, span: Span, past: Past): InventedVault {
  const chance = new Chance(seed, id);
  const liveliness = chance.pick(mix.LIVELINESS);
  const [least, most] = chance.pick(mix.MATTERS);
  const count = chance.whole(least, most);
  const matters = Array.from({ length: count }, (_, nth) =>
    new MatterMaker({ chance, past, span }).make(id, nth, quietMs(chance, liveliness, count)),
  );
  const minutes = chance.pick(mix.POLLS);
  return {
    liveliness: liveliness.name,
    matters,
    isQuietAtNight: chance.happens(mix.QUIET_SHARE),
    digestAt: chance.pick(mix.DIGESTS),
    poll: minutes === null ? null : { every: minutes * MINUTE, first: chance.figure() * minutes * MINUTE },
    nudges: nudgesOf(chance, liveliness, matters, span),
  };
}

/** How long (ms) a matter has heard nothing. */
function quietMs(chance: Chance, { mails }: Liveliness, matters: number): number {
  const signals = (mails * mix.SIGNAL_SHARE) / matters;
  return signals === 0 ? 30 * DAY : chance.wait(DAY / signals);
}

class MatterMaker {
  readonly #chance: Chance;
  readonly #past: Past;
  readonly #now: number;

  constructor({ chance, past, span }: { chance: Chance; past: Past; span: Span }) {
    this.#chance = chance;
    this.#past = past;
    this.#now = span.from;
  }

  make(vault: number, nth: number, quiet: number): InventedMatter {
    const chance = this.#chance;
    const isCommon = chance.happens(mix.COMMON_NAME_SHARE);
    const slug = isCommon ? `common-${commonName(chance)}` : `matter-${vault}-${nth}`;
    const paced = { ...chance.pick(PACES), slug };
    const pace: OwnPace = { ...paced, streak: this.#past.quietTicks(paced, quiet) };
    const last = this.#past.lastTick(pace);
    const [least, most] = chance.pick(mix.TASKS);
    return {
      pace,
      isCommon,
      last,
      times: { surface_class: chance.pick(mix.SURFACES), next_check_after: null },
      cursor: last === null ? null : { at: last, streak: pace.streak },
      tasks: Array.from({ length: chance.whole(least, most) }, (_, task) => this.#task(`task-${task}`, pace, quiet)),
    };
  }

  #task(name: string, pace: OwnPace, quiet: number): InventedTask {
    const chance = this.#chance;
    const state = chance.pick(mix.STATES);
    const times: TaskTimes = {
      state,
      surface_class: chance.pick(mix.SURFACES),
      due: chance.happens(mix.DUE_SHARE) ? this.#day(chance.pick(mix.DUE_DAYS)) : null,
      snoozed_until: state === 'snoozed' ? this.#day(mix.SNOOZE_DAYS) : null,
      next_check_after: chance.happens(mix.PUT_OFF_SHARE) ? this.#day(mix.SNOOZE_DAYS) : null,
    };
    return { name, times, cursor: this.#past.lastLook(times, pace, quiet, chance.figure()) };
  }

  #day([first, last]: readonly [number, number]): string {
    return writtenDay(this.#chance, this.#now, this.#chance.whole(first, last));
  }
}

function writtenPace(written: string | null): Omit<OwnPace, 'slug' | 'streak'> {
  const parsed = parseSchedule(written ?? DEFAULT_SCHEDULE);
  if (!parsed.ok) throw new Error(parsed.reason);
  const source = written === null ? 'default' : 'steward_schedule';
  return { cadence: parsed.cadence, source, backsOff: written === null };
}

/** The rank of a common name: the nth is 1/n times as frequent as the first. */
function commonName(chance: Chance): number {
  return Math.floor(Math.exp(chance.figure() * Math.log(mix.COMMON_NAMES + 1)));
}
