import { patternOf, sourceName, unverified } from '../../../src/vault/source-names.ts';
import { DAYS } from './assumed.ts';
import { OUTSIDERS } from './cast.ts';
import type { Happening } from './life.ts';

/** The figures of some span of time. */
export interface Figures {
  readonly mails: number;
  /** True changes that a mail told of and that the note did not hold yet. */
  readonly news: number;
  readonly acts: number;
  readonly wrong: number;
  /** Those of the wrong acts whose sender had said what is so: the reader alone is to blame. */
  readonly misread: number;
  /** Acts that a stranger, a look-alike, a forger or anybody whom no server vouches for had a part in. */
  readonly byOutsiders: number;
  /** Proposals put to the person. */
  readonly asked: number;
}

/** A source that turned bad: what it did from then on. */
export interface Turned {
  readonly from: string;
  /** Its acts before it turned. */
  readonly before: number;
  /** Its wrong acts since. */
  readonly wrong: number;
  /** How often the person has taken back, or set otherwise, what it led to since. */
  readonly reversals: number;
  /** How often she found it right between the third of these and its next act; null where it never acted again. */
  readonly earnedAgain: number | null;
}

export const MONTHS = 36;

/** Returns the figures of each of the 36 months. */
export function byMonth(happened: readonly Happening[]): readonly Figures[] {
  const months = Map.groupBy(happened, ({ day }) => Math.min(MONTHS - 1, Math.floor((day / DAYS) * MONTHS)));
  return Array.from({ length: MONTHS }, (_, nth) => figuresOf(months.get(nth) ?? []));
}

/** Returns the figures of all that happened. */
export function figuresOf(happened: readonly Happening[]): Figures {
  const of = (what: Happening['what']) => happened.filter((one) => one.what === what);
  const acts = of('acted');
  return {
    mails: of('mail').length,
    news: of('news').filter(({ right }) => right).length,
    acts: acts.length,
    wrong: acts.filter(({ right }) => !right).length,
    misread: acts.filter(({ right, sincere }) => !right && sincere).length,
    byOutsiders: acts.filter(isOutside).length,
    asked: of('proposed').length,
  };
}

function isOutside({ sender, sources }: Happening): boolean {
  const own = sourceName(sender.channel, sender.from);
  // A decision rests on what came with the mail, unless something else was weighed with it.
  const isForeign = sources.some((source) => source !== own || patternOf(source)?.startsWith(unverified('')));
  return OUTSIDERS.includes(sender.kind) || isForeign;
}

/** Returns the share of the acts that were right; null where there were none. */
export function precision({ acts, wrong }: Figures): number | null {
  return acts === 0 ? null : (acts - wrong) / acts;
}

/** Returns the share of the true changes that the program made without the person. */
export function aloneShare({ acts, wrong, news }: Figures): number {
  return news === 0 ? 0 : (acts - wrong) / news;
}

/** Returns how many proposals were put to the person for each hundred mails. */
export function askedPerHundred({ asked, mails }: Figures): number {
  return mails === 0 ? 0 : (100 * asked) / mails;
}

/** Returns what became of each source that turned bad. */
export function turnedOf(happened: readonly Happening[]): readonly Turned[] {
  const own = Map.groupBy(
    happened.filter(({ sender }) => sender.turnsOn !== null),
    ({ sender }) => sender.from,
  );
  return [...own].map(([from, all]) => {
    const since = all.filter(({ day, sender }) => day >= (sender.turnsOn ?? 0));
    const acts = since.filter(({ what }) => what === 'acted');
    const before = all.filter(({ what }) => what === 'acted').length - acts.length;
    const reversals = since.filter(({ what }) => TAKEN_BACK.includes(what)).length;
    return {
      from,
      before,
      wrong: acts.filter(({ right }) => !right).length,
      reversals,
      earnedAgain: earnedAgain(since),
    };
  });
}

const TAKEN_BACK: readonly Happening['what'][] = ['reversed', 'contradicted'];

function earnedAgain(since: readonly Happening[]): number | null {
  const third = since.filter(({ what }) => TAKEN_BACK.includes(what))[2];
  const rest = third === undefined ? [] : since.slice(since.indexOf(third) + 1);
  const next = rest.findIndex(({ what }) => what === 'acted');
  return next < 0 ? null : rest.slice(0, next).filter(({ what }) => what === 'confirmed').length;
}
