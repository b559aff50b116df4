import type { TargetIndex } from '../../../src/reading/targets.ts';
import type { SignalDraft } from '../../../src/streams/signal.ts';
import type { Expected, MailCase } from '../case.ts';
import { type Reader, type Reading, readingOf } from '../reader.ts';
import { actedUpon } from './acting.ts';
import { type Change, changeIn, changeOf, isAbout, nameOf, overlaps, saysSo, textsOf } from './changes.ts';

/**
 * What a signal is worth. `left`: it is left to a person, and neither right nor wrong: it may mean several notes, or shows
 * the words of a change without proposing it.
 */
export type Worth = 'right' | 'wrong' | 'left';

/** Strict: note, field, value and quote are as expected. Loose: the same change of the same note, whatever is quoted. */
export const SCORINGS = ['strict', 'loose'] as const;

/** One of the two ways to score. */
export type Scoring = (typeof SCORINGS)[number];

/** One signal beside what was expected of its mail. */
export interface Guess {
  readonly draft: SignalDraft;
  readonly change: Change;
  readonly worth: Readonly<Record<Scoring, Worth>>;
  /** min(target, effect): how sure the reader is. */
  readonly confidence: number;
  /** The gates would have let it act without a person. */
  readonly acts: boolean;
  /** It asks a person; `asksRightly`: one of the answers that it offers is right. */
  readonly asks: boolean;
  readonly asksRightly: boolean;
}

/** What became of one expected change, or request. */
export interface Outcome {
  readonly expected: Expected;
  readonly change: Change;
  readonly found: Readonly<Record<Scoring, boolean>>;
  /** It was noticed that something of this kind happened, whichever note it may mean. */
  readonly isHeard: boolean;
  /** Such a change was laid to the right note, if only as the likeliest of several, and whatever it is set to. */
  readonly isPlaced: boolean;
  /** The right change was acted upon. */
  readonly isActed: boolean;
  /** A question offers the right change of the right note. */
  readonly isAsked: boolean;
}

/** The result of one mail. */
export interface MailAnswer {
  readonly mail: MailCase;
  /** Some note lists its sender, or the sender's domain. */
  readonly knowsSender: boolean;
  /** What was noticed in it, whichever note it may mean. */
  readonly heard: ReadonlySet<Change>;
  readonly guesses: readonly Guess[];
  readonly outcomes: readonly Outcome[];
}

/** Reads one mail and compares the signals with what is expected. */
export async function answer(mail: MailCase, index: TargetIndex, reader: Reader): Promise<MailAnswer> {
  const reading = await readingOf(mail, index, reader);
  const acting = actedUpon(reading.drafts);
  const found = { strict: matched(mail, reading, index, 'strict'), loose: matched(mail, reading, index, 'loose') };
  return {
    mail,
    heard: new Set(reading.heard.map(changeOf)),
    knowsSender: index.listing(mail.from).length > 0,
    guesses: reading.drafts.map((draft) => guessOf(draft, mail, reading, found, acting.has(draft), index)),
    outcomes: mail.expect.map((expected) => outcomeOf(expected, reading, found, acting, index)),
  };
}

/** `state: done → Pay the deposit (target 0.97, effect 0.96) by “has been paid”`. */
export function told(draft: SignalDraft): string {
  const set = Object.entries(draft.mutation_proposal?.set ?? { asks: 'of you' });
  const what = set.map(([field, value]) => `${field}: ${value}`).join(', ');
  const doubt = draft.target_ambiguous ? ', ambiguous' : '';
  const figures = `target ${draft.target_confidence}${doubt}, effect ${draft.effect_confidence_raw}`;
  return `${what} → ${nameOf(draft.target_path)} (${figures}) by “${draft.raw_quote}”`;
}

/** Each expectation with the signal that meets it. */
type Matched = ReadonlyMap<Expected, SignalDraft>;

function matched(mail: MailCase, { drafts, text }: Reading, index: TargetIndex, scoring: Scoring): Matched {
  const texts = textsOf(mail, text);
  const met = new Map<Expected, SignalDraft>();
  for (const draft of drafts) {
    if (draft.target_ambiguous) continue;
    const isMet = (each: Expected) =>
      saysSo(draft, each, index) && (scoring === 'loose' || overlaps(draft.raw_quote, each.quote, texts));
    const one = mail.expect.find((each) => !met.has(each) && isMet(each));
    if (one !== undefined) met.set(one, draft);
  }
  return met;
}

function guessOf(
  draft: SignalDraft,
  mail: MailCase,
  { text }: Reading,
  found: Readonly<Record<Scoring, Matched>>,
  acts: boolean,
  index: TargetIndex,
): Guess {
  const isLeft = draft.target_ambiguous || points(draft, mail, text);
  const worthBy = (scoring: Scoring): Worth =>
    [...found[scoring].values()].includes(draft) ? 'right' : isLeft ? 'left' : 'wrong';
  return {
    draft,
    change: changeIn(draft),
    worth: { strict: worthBy('strict'), loose: worthBy('loose') },
    confidence: Math.min(draft.target_confidence, draft.effect_confidence_raw),
    acts,
    asks: draft.target_ambiguous && draft.effect === 'mutation',
    asksRightly: mail.expect.some((expected) => offers(draft, expected, index)),
  };
}

/** Whether a question offers what is expected as one of its answers. */
function offers(draft: SignalDraft, expected: Expected, index: TargetIndex): boolean {
  if (!draft.target_ambiguous || expected.set === null) return false;
  return draft.target_candidates.some((path) => saysSo({ ...draft, target_path: path }, expected, index));
}

/** Whether a signal proposes no change but shows the words of one. */
function points(draft: SignalDraft, mail: MailCase, read: string): boolean {
  const changes = mail.expect.filter(({ set }) => set !== null);
  return (
    draft.effect === 'action' && changes.some(({ quote }) => overlaps(draft.raw_quote, quote, textsOf(mail, read)))
  );
}

function outcomeOf(
  expected: Expected,
  { drafts, heard }: Reading,
  { strict, loose }: Readonly<Record<Scoring, Matched>>,
  acting: ReadonlySet<SignalDraft>,
  index: TargetIndex,
): Outcome {
  const change = changeOf(expected.set);
  const meant = loose.get(expected);
  return {
    expected,
    change,
    found: { strict: strict.has(expected), loose: meant !== undefined },
    isHeard: heard.some((set) => isHeardAs(changeOf(set), change)),
    isPlaced: drafts.some((draft) => changeIn(draft) === change && isAbout(draft, expected)),
    isActed: meant !== undefined && acting.has(meant),
    isAsked: drafts.some((draft) => offers(draft, expected, index)),
  };
}

/** Before it is known which note is meant, an end may be a deed: "Cancel the broadband" is done once it is cancelled. */
function isHeardAs(heard: Change, change: Change): boolean {
  return heard === change || (heard === 'archived' && change === 'done');
}
