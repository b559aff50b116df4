import { parsePattern, sourceName, unverified } from '../../../src/vault/source-names.ts';
import { DAYS } from './assumed.ts';
import { OUTSIDERS } from './cast.ts';
import type { Happening, LicenceHappening, Life } from './life.ts';

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

const MONTHS = 24;

/** Returns the figures of each of the 24 months. */
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

// What is changed when a mail comes may rest on an earlier one of somebody else.
function isOutside({ sender, sources }: Happening): boolean {
  const isOwn = sources.includes(sourceName(sender.channel, sender.from));
  const isUnverified = sources.some((source) => parsePattern(source)?.startsWith(unverified('')));
  return isUnverified || (isOwn && OUTSIDERS.includes(sender.kind));
}

/** Returns the share of the true changes that the program made without the person. */
export function aloneShare({ acts, wrong, news }: Figures): number {
  return news === 0 ? 0 : (acts - wrong) / news;
}

/** Returns how many proposals were put to the person for each hundred mails. */
export function askedPerHundred({ asked, mails }: Figures): number {
  return mails === 0 ? 0 : (100 * asked) / mails;
}

/** How long it begins by asking. */
const BEGINNING_DAYS = 91;

/** The figures of a person's years. */
export interface Summary {
  readonly all: Figures;
  /** Until a licence is offered for the first time; null where none is. */
  readonly daysToFirstOffer: number | null;
  /** Proposals and licences on offer for each hundred mails: in the first three months, and later. */
  readonly asked: { readonly first: number; readonly later: number };
  readonly licences: Readonly<Record<LicenceHappening['what'], number>>;
  readonly lessons: number;
}

/** Returns the figures of a person's years. */
export function summaryOf({ happened, licences, lessons }: Life): Summary {
  const askedWhile = (isThen: (day: number) => boolean) => {
    const figures = figuresOf(happened.filter(({ day }) => isThen(day)));
    const offered = licences.filter(({ what, day }) => what === 'offered' && isThen(day)).length;
    return askedPerHundred({ ...figures, asked: figures.asked + offered });
  };
  const count = (what: LicenceHappening['what']) =>
    new Set(licences.filter((one) => one.what === what).map(({ licence }) => licence)).size;
  return {
    all: figuresOf(happened),
    daysToFirstOffer: licences.find(({ what }) => what === 'offered')?.day ?? null,
    asked: {
      first: askedWhile((day) => day < BEGINNING_DAYS),
      later: askedWhile((day) => day >= BEGINNING_DAYS),
    },
    licences: { offered: count('offered'), signed: count('signed'), refused: count('refused'), ended: count('ended') },
    lessons,
  };
}

/** Returns the figures of several spans as one. */
export function together(spans: readonly Figures[]): Figures {
  const sum = (key: keyof Figures) => spans.reduce((total, span) => total + span[key], 0);
  return {
    mails: sum('mails'),
    news: sum('news'),
    acts: sum('acts'),
    wrong: sum('wrong'),
    misread: sum('misread'),
    byOutsiders: sum('byOutsiders'),
    asked: sum('asked'),
  };
}
