/**
 * What a language has to say for its mails to be read without a model. `docs/languages.md` has an example of each.
 *
 * A *pattern* is the source of a regular expression over whole words in any case, in which a blank stands for any white
 * space. *Words* is a list with blanks between.
 */

/** Something that a mail says has happened; the last two only of a whole matter. */
export type TopicName =
  | 'payment'
  | 'signature'
  | 'delivery'
  | 'completion'
  | 'approval'
  | 'booking'
  | 'renewal'
  | 'cancellation'
  | 'ending'
  | 'withdrawal';

/** What people say in a chat that they have done. */
export const DEED_NAMES = ['payment', 'sending', 'signature', 'booking', 'call'] as const;
export type DeedName = (typeof DEED_NAMES)[number];

/** A language's words, each kind in its place. */
export interface LanguageTable {
  /** ISO 639-1. */
  readonly code: string;
  /** How a sentence says that something has happened, around the form of a topic. */
  readonly frames: readonly Frame[];
  readonly topics: Readonly<Record<TopicName, TopicWords>>;
  readonly affairs: AffairWords;
  /** The words before a date that becomes `due`. */
  readonly dates: readonly TriggerPhrase[];
  /** Words that ask the reader to do something. */
  readonly requests: readonly TriggerPhrase[];
  readonly cues: CueWords;
  readonly spoken: SpokenWords;
  readonly names: NamingWords;
  readonly quoting: QuotingWords;
}

/** In the pattern, `W` stands for the form of a topic. */
interface Frame {
  readonly id: string;
  readonly pattern: string;
  readonly confidence: number;
  /** The frame has no helping verb, so a negation anywhere before it in the sentence counts, not only one in its clause. */
  readonly bare?: boolean;
}

/** A word for what has happened, to be put into the frames. */
interface Form {
  readonly words: string;
  /** The highest confidence that a finding in these words can have. */
  readonly ceiling: number;
  /** It counts only for a task that asks for it: "shipped" ends "Order the lamp", not "Lamp". */
  readonly onlyAsked?: boolean;
}

export interface TopicWords {
  /** Words that tasks use for it: "Pay the deposit" is done when the deposit is paid. */
  readonly verbs: string;
  readonly forms: readonly Form[];
  /** Whole phrases that no frame produces. */
  readonly phrases: readonly FixedPhrase[];
  /** Pattern: in the same sentence, the words mean something else. */
  readonly spoiltBy: string;
  /** Pattern: in the same sentence, these words leave open whether all of it is done. */
  readonly doubtedBy: string;
  /** Pattern: anywhere in the mail, these words cast doubt on the topic. */
  readonly contradictedBy: string;
}

interface TriggerPhrase {
  readonly id: string;
  readonly pattern: string;
  readonly confidence: number;
}

export interface FixedPhrase extends TriggerPhrase {
  /** The phrase is itself a negation ("no longer needed"), so its own "no" does not defeat it. */
  readonly negative?: boolean;
  /** See `Form.onlyAsked`. */
  readonly onlyAsked?: boolean;
}

/** Patterns that tell whether a whole affair has ended. */
interface AffairWords {
  /**
   * Of the forms that say that something was completed or called off, those that can be said of a whole affair. A tax
   * return is filed and a form handed in, which ends no affair.
   */
  readonly ended: string;
  /** What a whole affair is called beside its name: "the purchase of 14 Alder Lane". */
  readonly affair: string;
  /** An affair that begins when it is concluded: only words of an end, a notice or a withdrawal end it. */
  readonly contract: string;
  /** What may be said of a contract that begins as well as of one that ends. */
  readonly contractMade: string;
  /** What is left of an affair that has ended otherwise. */
  readonly excepted: string;
}

/** Patterns that tell how a phrase is meant in its sentence: as it stands, with doubts, or not at all. */
interface CueWords {
  /** At the beginning of a sentence they make it a question without a mark. */
  readonly questionOpeners: string;
  /** Before the phrase they make it a question. */
  readonly inverted: string;
  /** Common words that look like a negation or a request and never concern the phrase. */
  readonly neutral: string;
  readonly negation: string;
  readonly condition: string;
  /** A condition that may also stand behind the phrase. */
  readonly conditionBehind: string;
  /** A condition for a planned date, which "before" and "until" are not. */
  readonly conditionForDates: string;
  /** "If" right behind a request: only a figure of speech. */
  readonly ifs: string;
  /** It is still to be, or wished. */
  readonly future: string;
  /** A planned date that is only a suggestion. */
  readonly futureForDates: string;
  /** A helping verb behind the participle: "sobald die Rechnung bezahlt wird". */
  readonly futureBehind: string;
  readonly request: string;
  readonly partial: string;
  readonly stillOpen: string;
  /** It is believed, said by others, or meant as a joke. */
  readonly hedge: string;
  /** It may have happened earlier. */
  readonly past: string;
  /** It happened long ago. */
  readonly longAgo: string;
  /** Money came back. */
  readonly moneyBack: string;
  /** Something else has taken the place of what was called off. */
  readonly replaced: string;
  /** The date is one on which something ends to be valid, and nothing is due. */
  readonly notDue: string;
  /** Machines are spoken of, not the affairs of people: "HTTP check recovered". */
  readonly machine: string;
  /** It happened, but not as it should. */
  readonly goneWrong: string;
  /** The word that opens what somebody says: "that". */
  readonly that: string;
  /** Before "that", they announce; without them it is hearsay. */
  readonly announced: string;
  /** It was done for or by somebody who has nothing to do with the reader. */
  readonly somebodyElse: string;
  /** What follows takes something away from it. */
  readonly turns: string;
  /** "The bill that was paid" says which bill is meant. */
  readonly relative: string;
  /** They begin another clause without a comma. */
  readonly clauseBreaks: string;
  readonly and: string;
  /** With "and" before it, another statement begins: "… is paid, and we". */
  readonly subjects: string;
  /** The mail takes back what it says, or says that it is not meant. */
  readonly takenBack: string;
}

/** How people say in a chat that they have done something, and ask for it: without a helping verb, and as friends. */
interface SpokenWords {
  /** What an answer begins with. */
  readonly yes: string;
  /** What a message may begin with besides. */
  readonly opening: string;
  /** The participle of each deed, and the words that tasks use for it. */
  readonly deeds: Readonly<Record<DeedName, { readonly verbs: string; readonly words: string }>>;
  /** Around the participle, `~`, says who did it. */
  readonly frame: string;
  /** The frame has no word of its own to begin with, so it counts only at the beginning of a clause. */
  readonly frameOpensClause: boolean;
  /** "Done." What was done stands beside it, or in what is answered. */
  readonly allDone: string;
  readonly requests: readonly TriggerPhrase[];
}

/** What names nothing in a mail. */
interface NamingWords {
  /** Words: articles, pronouns, helping verbs, thanks, days, months. None says "until" or "except". */
  readonly small: string;
  /** Words that do not tell one name from another. */
  readonly stop: string;
  /** Words for what any sender has sent: "parcel", "invoice". They tell no thing from another. */
  readonly generic: string;
  /** Words: a name may begin with them and is meant without them. */
  readonly articles: string;
  /** Pattern: how a mail addresses its reader, before the name. */
  readonly salutation: string;
  /** Pattern: they join two things. */
  readonly several: string;
  /** Pattern: a point behind them ends no sentence. */
  readonly abbreviations: string;
}

/** Patterns that tell an author's own words from what a mail carries along. */
interface QuotingWords {
  /** Between lines of dashes. */
  readonly originalMessage: string;
  /** A line by itself. */
  readonly beginForwarded: string;
  /** The first word of "On Monday … wrote:". */
  readonly attributionOpens: string;
  readonly wrote: string;
  /** The first field of a header that was copied into the text. */
  readonly from: string;
  /** The fields that follow it. */
  readonly headers: string;
  /** "Sent from my phone." */
  readonly sentFrom: string;
  /** The marks before the subject of a reply or a forwarded mail. */
  readonly replyMarks: string;
}
