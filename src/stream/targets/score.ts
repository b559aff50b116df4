/** Below this score, no note is taken to be meant. */
export const TARGET_FLOOR = 0.5;
/** Two notes whose scores are this close cannot be told apart. */
export const AMBIGUITY_BAND = 0.05;
/** The highest confidence of something that must not be acted on by itself. */
export const NOT_ALONE = 0.55;

/**
 * All scores in one place. A link names the note outright. A sender's address with a name or keyword is next best; an
 * address alone tells the matter but not which of its affairs; words alone tell less, the fewer they are.
 */
export const SCORE = {
  link: 0.99,
  linkElsewhere: 0.9,
  linkInHistory: 0.85,
  senderAndPhrase: 0.97,
  domainAndPhrase: 0.92,
  sender: 0.9,
  domain: 0.75,
  /** For a phrase of one word, and of more. */
  name: [0.7, 0.88],
  keyword: [0.65, 0.82],
  /** What a task gains over its matter when the mail has every word of its name. */
  coverageGain: 0.05,
  coverageCap: 0.97,
  searchCap: 0.85,
  /** A task's share of its matter's score without any word of its own; with half of them it is still too little to act on. */
  leastReach: 0.25,
  /** A single word occurs in many mails. */
  searchCapForOneWord: 0.6,
  /** No single mail closes a whole matter. */
  matterChangeCap: NOT_ALONE,
  /** The task asks for something else than what was done: "Sign the deed" when the deed was paid for. */
  otherDeed: 0.5,
  /** The task has one number and the sentence another: invoice 114 is not invoice 141. */
  otherNumber: 0.7,
  /** The sentence names something, and nothing of the task. */
  otherThing: 0.5,
  /** It was done years before the mail. */
  longAgo: 0.5,
  /** The sender belongs to other notes, and one word speaks for this one. */
  strayWord: 0.6,
  /** The sender's matter has one open task alone, and the mail says that done what it asks for; or does not say what. */
  onlyTaskAsked: 0.75,
  onlyTask: 0.6,
} as const;

/** Returns whether `score` is so close below `best` that the two cannot be told apart. */
export function isNear(best: number, score: number): boolean {
  return best - score <= AMBIGUITY_BAND + 1e-9;
}
