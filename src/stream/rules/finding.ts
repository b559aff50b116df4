import { round4 } from '../../steward/gates/rounding.ts';
import { saidWords } from '../../vault/words/reading-words.ts';
import { quoteAround } from '../mail/quote.ts';
import { assess, type PhraseInSentence } from './cues.ts';
import { type Passage, shownSentence } from './passage.ts';

/** What one phrase of an event says should become of a matter or task. */
export interface Finding {
  readonly effect: 'mutation' | 'action';
  readonly class: 'state_change' | 'context_edit' | null;
  readonly set: Readonly<Record<string, string>>;
  /** The time of day that goes with a new day, `HH:mm`; absent where none is named. */
  readonly time?: string;
  /** The row of the phrase table, as `topic: frame`. */
  readonly phraseId: string;
  /** The words that tasks use for what was done. */
  readonly verbs: readonly string[];
  /** The words that tasks use for something else: a deed that was paid for is not thereby signed. */
  readonly otherVerbs: readonly string[];
  /** It counts only for a task that has such a verb: "shipped" ends "Order the lamp", not "Lamp". */
  readonly onlyAsked?: boolean;
  /** Verbatim from the subject or the text, on one line, at most 50 characters. */
  readonly quote: string;
  /** The phrase alone, also verbatim. */
  readonly words: string;
  readonly sentence: string;
  readonly rawConfidence: number;
  readonly reason: string;
  /** Why the phrase does not mean what it says; null where it does. */
  readonly defeatedBy: string | null;
  /** The numbers and codes, folded, of what it is about, where a form names them as such; absent of a phrase. */
  readonly references?: readonly string[];
}

/** What a finding proposes, without the place where it was read. */
export type Claim = Pick<
  Finding,
  'effect' | 'class' | 'set' | 'time' | 'phraseId' | 'verbs' | 'otherVerbs' | 'onlyAsked'
>;

/** Returns the finding for a claim, with its confidence lowered by doubts in the sentence, or defeated by them. */
export function assessedFinding(claim: Claim, confidence: number, phrase: PhraseInSentence, passage: Passage): Finding {
  const { defeat, cue, factor, doubts } = assess(phrase);
  const finding = findingOf(claim, confidence, phrase, passage);
  if (defeat !== null) return { ...finding, rawConfidence: 0, defeatedBy: defeatWords(defeat, cue) };
  const reason = [finding.reason, ...doubts].join('; ');
  return { ...finding, rawConfidence: round4(confidence * factor), reason };
}

/** Returns the finding for a claim, whatever the rest of the sentence says. */
export function findingOf(claim: Claim, confidence: number, phrase: PhraseInSentence, passage: Passage): Finding {
  const { sentence, text } = passage;
  const [start, end] = [sentence.start + phrase.start, sentence.start + phrase.end];
  const quote = quoteAround(text, { start, end }, sentence);
  const words = quoteAround(text, { start, end }, { start, end });
  const shown = shownSentence(phrase.sentence);
  const reason = saidWords(words, passage.isSubject);
  return { ...claim, quote, words, sentence: shown, rawConfidence: confidence, reason, defeatedBy: null };
}

/** Returns the finding with this confidence, and with `because` added to its reason. */
export function lowerTo(finding: Finding, confidence: number, because: string): Finding {
  return { ...finding, rawConfidence: round4(confidence), reason: `${finding.reason}; ${because}` };
}

/** Returns the findings, surest first. */
export function surestFirst(findings: readonly Finding[]): Finding[] {
  return findings.toSorted((one, other) => other.rawConfidence - one.rawConfidence);
}

function defeatWords(defeat: string, cue: string): string {
  return cue === '?' ? 'a question' : `${defeat} ("${cue.replace(/ +/g, ' ').slice(0, 40)}")`;
}

const FORM = 'form: ';

/** Returns the topic of the phrase table that a finding was read by. What a form says of it, `form: payment: …`, is of that topic. */
export function topicOf({ phraseId }: Pick<Finding, 'phraseId'>): string {
  const read = phraseId.startsWith(FORM) ? phraseId.slice(FORM.length) : phraseId;
  return read.slice(0, read.indexOf(':'));
}
