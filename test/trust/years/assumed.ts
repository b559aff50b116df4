import type { Kind } from './cast.ts';

// What the simulation takes for granted of senders, of the reader and of the person. All of these are assumptions. None
// was chosen by its result, but for SIGNED_IF_WRONG_AT_MOST (docs/dev/trust.md has the result of both). The rules that are under test are in `src`, and none of their numbers stands here.

/** The years that `npm run test:night` holds, and docs/dev/trust.md shows. */
export const SEED = 1;
export const DAYS = 2 * 365;
export const TASKS_PER_MATTER = 5;

/** Whose years they are. */
export interface Person {
  readonly name: 'private' | 'consultant';
  /** Five affairs, or twelve clients. */
  readonly matters: number;
  readonly mails: number;
  /** How many senders there are of each kind. */
  readonly senders: Readonly<Record<Kind, number>>;
}
export const PEOPLE: readonly Person[] = [
  {
    ...{ name: 'private', matters: 5, mails: 800 },
    senders: { honest: 10, sloppy: 2, turning: 1, newcomer: 2, stranger: 2, 'look-alike': 1, forger: 1 },
  },
  {
    ...{ name: 'consultant', matters: 12, mails: 2_400 },
    senders: { honest: 20, sloppy: 6, turning: 3, newcomer: 4, stranger: 3, 'look-alike': 2, forger: 2 },
  },
];

/** Where a sender of whom nothing else is said is wrong, once in so many statements. */
export const WRONG_ONCE_IN = { honest: 500, sloppy: 25, newcomer: 500, stranger: 2 } as const;
/** How often one is wrong who has turned bad. */
export const TURNED_WRONG = 0.6;
/** The days on which the three that turn bad do so. */
export const TURNS = [300, 400, 500] as const;
/** How often a look-alike or a forger says what is not so. The rest repeats what is publicly known. */
export const HOSTILE_WRONG = 0.8;

/** What a mail is, by the share of all mails. */
export const CHATTER = 0.25;
/** Which fields statements are about. */
export const STATEMENTS = [
  [0.45, 'due'],
  [0.35, 'current_state'],
  [0.2, 'state'],
] as const;

/** How sure the phrases are that the rules know, about as often as in the table of phrases. */
export const SURENESS = [
  [3, 0.97],
  [10, 0.96],
  [14, 0.95],
  [13, 0.94],
  [26, 0.93],
  [19, 0.92],
  [11, 0.91],
  [20, 0.9],
  [4, 0.88],
  [14, 0.85],
] as const;
/** How the reader fares with what was said truly: read well, read with a doubt, misread with a doubt, misread surely. */
export const READINGS = [
  [0.849, 'clear'],
  [0.1, 'doubted'],
  [0.05, 'misread with a doubt'],
  [0.001, 'misread'],
] as const;
/** What a doubt takes from how sure the reader is. */
export const DOUBT = 0.85;

/** How often the server vouches for a mail whose sender is who it says. */
export const VOUCHED = 0.97;
/** How often the server says of a forged mail that it is forged; of the others it says nothing. */
export const FORGERY_DENIED = 0.5;

/** How often the person has made a change by hand before the mail about it came. */
export const BEFOREHAND = 0.1;
/** What the person does with a proposal that is right, and with one that is wrong. */
export const ANSWERS = {
  right: [
    [0.75, 'confirm'],
    [0.13, 'by hand'],
    [0.1, 'ignore'],
    [0.02, 'dismiss'],
  ],
  wrong: [
    [0.75, 'dismiss'],
    [0.08, 'otherwise'],
    [0.15, 'ignore'],
    [0.02, 'confirm'],
  ],
  /** With a wrong change that was made without her. */
  wrongAct: [
    [0.7, 'undo within a day'],
    [0.15, 'undo late'],
    [0.08, 'otherwise'],
    [0.07, 'ignore'],
  ],
} as const;
export type Answer = (typeof ANSWERS)['right' | 'wrong' | 'wrongAct'][number][1];
/** Days until an answer to a proposal or to a licence on offer: at least, at most; and now and then late. */
export const ANSWER_DAYS = [0.1, 5] as const;
export const LATE_DAYS = [7, 21] as const;
export const LATE_SHARE = 0.1;
/** How often a licence on offer is answered at all. */
export const OFFER_ANSWERED = 0.9;
/**
 * The person signs for a sender if at most this share of what it said on the matter was wrong, as far as she answered it or
 * let a change be that was made without her.
 */
export const SIGNED_IF_WRONG_AT_MOST = 0.1;
/**
 * How often the box `always` is ticked on a right proposal in place of `confirm`, if the person has signed a licence of the
 * sender there before and would sign again: it adds this kind of change, or renews a licence that has expired.
 */
export const ALWAYS_SHARE = 0.5;
/** Days until a wrong change that was made without her is seen, and until it is seen late. */
export const SEEN_DAYS = [0.05, 1] as const;
export const SEEN_LATE_DAYS = [2, 6] as const;
/** Days after which a task that was done begins anew, by the person's hand. */
export const ANEW_DAYS = [9, 20] as const;
