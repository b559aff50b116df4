// What the simulation takes for granted of senders, of the reader and of the person. All of these are assumptions; none
// was chosen by its result. The rules that are under test are in `src`, and none of their numbers stands here.

/** The years that `npm run test:night` holds, and docs/trust.md shows. */
export const SEED = 1;
export const DAYS = 3 * 365;
export const MAILS = 5_000;
export const MATTERS = 12;
export const TASKS_PER_MATTER = 5;

/** Where a sender of whom nothing else is said is wrong, once in so many statements. */
export const WRONG_ONCE_IN = { honest: 500, sloppy: 25, newcomer: 500, stranger: 2 } as const;
/** How often one is wrong who has turned bad. */
export const TURNED_WRONG = 0.6;
/** The days on which the three that turn bad do so. */
export const TURNS = [400, 520, 650] as const;
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
/** Days until an answer to a proposal: at least, at most. */
export const ANSWER_DAYS = [0.1, 5] as const;
/** Days until a wrong change that was made without her is seen, and until it is seen late. */
export const SEEN_DAYS = [0.05, 1] as const;
export const SEEN_LATE_DAYS = [2, 6] as const;
/** Days after which a task that was done begins anew, by the person's hand. */
export const ANEW_DAYS = [9, 20] as const;
