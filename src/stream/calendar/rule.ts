import { RRuleTemporal } from 'rrule-temporal';
import { Temporal } from 'temporal-polyfill';
import { readWritten, type Written } from './wall.ts';

/** How something comes again, by the clock on the wall (`wall.ts`). */
export interface Rule {
  /** Returns the first time at or after another; null where none comes any more. Throws where that cannot be worked out. */
  readonly from: (wall: number) => number | null;
  /** Returns those between two times. */
  readonly between: (first: number, last: number) => readonly number[];
}

const MOST_CHARACTERS = 2000;
/** How many years, months, … a rule is followed before it counts as one that cannot be worked out. */
const MOST_STEPS: ReadonlyMap<string, number> = new Map([
  ['YEARLY', 500],
  ['MONTHLY', 5000],
]);
const MOST_OTHER_STEPS = 10_000;
const PART = /^([A-Z-]{1,20})=([^;=]{1,2000})$/;
const DAY_END = 86_399_000;

/**
 * Returns the rule that an RRULE gives; null where it is none. It is followed by the clock on the wall, so that nine o'clock
 * stays nine o'clock. `wallOf`: what that clock shows at a moment, for an end that is given as one.
 */
export function ruleOf(
  written: string,
  start: Pick<Written, 'wall' | 'isDay'>,
  wallOf: (moment: number) => number,
): Rule | null {
  const parts = partsOf(written);
  if (parts === null) return null;
  const until = parts.get('UNTIL');
  const end = until === undefined ? undefined : readWritten(until);
  if (end === null) return null;
  if (end !== undefined) parts.set('UNTIL', inRule(endOf(end, start.isDay, wallOf)));
  const rule = [...parts].map(([name, value]) => `${name}=${value}`).join(';');
  return following(rule, start.wall, MOST_STEPS.get(parts.get('FREQ') ?? '') ?? MOST_OTHER_STEPS);
}

function following(rule: string, start: number, maxIterations: number): Rule | null {
  try {
    const known = new RRuleTemporal({ rruleString: rule, dtstart: zoned(start), maxIterations });
    return {
      from: (wall) => known.next(zoned(wall), true)?.epochMilliseconds ?? null,
      between: (first, last) => known.between(zoned(first), zoned(last), true).map((each) => each.epochMilliseconds),
    };
  } catch {
    return null;
  }
}

function partsOf(written: string): Map<string, string> | null {
  const text = written.replace(/\s/g, '').toUpperCase().replace(/;$/, '');
  if (text.length > MOST_CHARACTERS) return null;
  const parts = text.split(';').map((part) => PART.exec(part));
  if (parts.includes(null)) return null;
  return new Map(parts.map((part) => [part?.[1] ?? '', part?.[2] ?? '']));
}

/** An end that is a day counts in as a whole. */
function endOf({ wall, isDay, isUtc }: Written, isOfDays: boolean, wallOf: (moment: number) => number): number {
  if (isDay) return isOfDays ? wall : wall + DAY_END;
  return isUtc && !isOfDays ? wallOf(wall) : wall;
}

function inRule(wall: number): string {
  return `${new Date(wall).toISOString().replace(/[-:]|\.\d+/g, '')}`;
}

function zoned(wall: number): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(wall).toZonedDateTimeISO('UTC');
}
