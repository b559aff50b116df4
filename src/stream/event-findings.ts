import { isMail, type StreamEvent } from '../steward/ports.ts';
import { type Passage, passagesOf } from './cues.ts';
import { type DateOrigin, originIn, originOf } from './dates.ts';
import { LanguageMemory, languageName, SentenceMemory, writtenIn } from './language.ts';
import { datesIn, dayTriggersIn, endingsIn, type Finding, requestsIn, statesIn, weighed } from './rules.ts';
import { formsOf, withForms } from './rules-forms.ts';
import { spokenIn } from './rules-spoken.ts';

/** What the phrase table finds in one event. */
interface EventFindings {
  /** One for each distinct proposal, surest first. */
  readonly findings: readonly Finding[];
  /** What is said to have come to its end: of use only where that is a whole matter. */
  readonly endings: readonly Finding[];
  /** All that was found, meant or not, before it was weighed. */
  readonly read: readonly Finding[];
  /** Phrases that the event contains but does not mean. */
  readonly defeated: readonly Finding[];
  /** When it was written, and in which language. */
  readonly origin: DateOrigin;
  /** The language that it is in, where its words are not read: "Polish". Else null. */
  readonly notRead: string | null;
}

const MAX_FINDINGS = 12;
const MOST_LOOKED_AT = 40;
/** A finding that is more likely wrong than right is not worth a signal. */
const LEAST_CONFIDENCE = 0.5;

/** The sentences in which no phrase was found, on whatever day they are written. */
export type Silence = SentenceMemory<true>;

/**
 * Returns what an event's subject and text say was done, called off, moved to another day, or asked for. `silence` and
 * `languages`: what is remembered of other mails.
 */
export function readFindings(
  event: StreamEvent,
  silence: Silence = new SentenceMemory(),
  languages = new LanguageMemory(),
): EventFindings {
  const written = writtenIn(`${event.text}\n${event.subject}`, languages);
  const origin = originOf(event, written, languages);
  const passages = passagesOf(event);
  const phrases = passages.map((passage) => phrasesIn(passage, origin, silence));
  const sentences = passages.flatMap((passage, at) => [
    ...(phrases[at]?.said ?? []),
    ...(event.spoken === undefined ? [] : spokenIn(passage)),
  ]);
  const all = isMail(event) ? withForms(sentences, formsOf(event, origin)) : sentences;
  const read = inReadLanguage(all, origin);
  const ends = inReadLanguage(
    phrases.flatMap(({ ended }) => ended),
    origin,
  );
  return {
    ...{ findings: meant(read, event), endings: meant(ends, event), read, origin, defeated: read.filter(isDefeated) },
    notRead: written.kind === 'other' ? languageName(written.code) : null,
  };
}

/** What the phrases of one sentence say. */
interface PhrasesSaid {
  readonly said: readonly Finding[];
  /** What has come to its end. */
  readonly ended: readonly Finding[];
}

const NOTHING: PhrasesSaid = { said: [], ended: [] };

function phrasesIn(passage: Passage, origin: DateOrigin, silence: Silence): PhrasesSaid {
  const { view } = passage;
  if (silence.get(view) === true) return NOTHING;
  const [states, triggers, ended] = [statesIn(passage), dayTriggersIn(view), endingsIn(passage)];
  const requests = requestsIn(passage);
  if (states.length + triggers.length + requests.length + ended.length === 0) silence.put(view, true);
  return { said: [...states, ...datesIn(passage, triggers, origin), ...requests], ended };
}

/** In a language that is not read, words that look known mean something else. A sentence may be in one that is. */
function inReadLanguage(findings: readonly Finding[], origin: DateOrigin): readonly Finding[] {
  if (origin.language !== 'other') return findings;
  return findings.slice(0, MOST_LOOKED_AT).filter(({ sentence }) => originIn(sentence, origin).language !== 'other');
}

function meant(all: readonly Finding[], event: StreamEvent): readonly Finding[] {
  const asserted = all.filter((finding) => !isDefeated(finding));
  const findings = weighed(asserted, all.filter(isDefeated), event);
  return findings.filter((each) => each.rawConfidence >= LEAST_CONFIDENCE).slice(0, MAX_FINDINGS);
}

function isDefeated({ defeatedBy }: Finding): boolean {
  return defeatedBy !== null;
}
