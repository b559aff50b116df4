import { type DateOrigin, originIn } from '../dates/origin.ts';
import { readDate } from '../dates/read-date.ts';
import { LANGUAGES } from '../languages/languages.ts';
import { plannedPhrase } from './cues.ts';
import { assessedFinding, type Claim, type Finding } from './finding.ts';
import type { Passage } from './passage.ts';
import { firstMatches, type PhrasePattern, phrasePatterns } from './pattern.ts';

const TRIGGERS: readonly PhrasePattern[] = phrasePatterns(LANGUAGES.flatMap(({ dates }) => dates));
const FILLERS = /^(?: |:|,|(?:on|the|to|le|au|al|el|den|dem|am|auf|a|para|es|is)(?= ))*/iu;
const MAX_DATE_CHARACTERS = 120;
/** A weekday's name is less certain than a date. */
const WEEKDAY_FACTOR = 0.9;

/** Words of a sentence behind which a new day may stand: "is now due". */
interface DayTrigger {
  readonly trigger: PhrasePattern;
  readonly match: RegExpExecArray;
}

/** Returns the words of a sentence behind which a new day may stand. */
export function dayTriggersIn(view: string): readonly DayTrigger[] {
  return TRIGGERS.flatMap((trigger) => firstMatches(view, trigger.pattern).map((match) => ({ trigger, match })));
}

/** Returns what a sentence says is due on another day. `origin`: when and in which language the mail was written. */
export function datesIn(passage: Passage, triggers: readonly DayTrigger[], origin: DateOrigin): Finding[] {
  if (triggers.length === 0) return [];
  const here = originIn(passage.view, origin);
  return triggers.flatMap(({ trigger, match }) => dateFinding(trigger, match, passage, here));
}

function dateFinding(trigger: PhrasePattern, match: RegExpExecArray, passage: Passage, origin: DateOrigin): Finding[] {
  const triggerEnd = match.index + match[0].length;
  const behind = passage.view.slice(triggerEnd);
  const filler = FILLERS.exec(behind)?.[0].length ?? 0;
  // The date must follow "due" directly; any other word between them may change what is due.
  const date = readDate(behind.slice(filler, filler + MAX_DATE_CHARACTERS), origin);
  if (date === null) return [];
  const phrase = plannedPhrase(passage.view, match.index, triggerEnd + filler + date.length);
  const confidence = date.kind === 'weekday' ? trigger.confidence * WEEKDAY_FACTOR : trigger.confidence;
  const claim: Claim = {
    effect: 'mutation',
    class: 'context_edit',
    set: { due: date.day },
    ...(date.time === null ? {} : { time: date.time }),
    phraseId: `date: ${trigger.id}`,
    verbs: [],
    otherVerbs: [],
  };
  const finding = assessedFinding(claim, confidence, phrase, passage);
  const isPast = origin.at !== null && date.day < origin.at.slice(0, 10);
  return [isPast && finding.defeatedBy === null ? { ...finding, defeatedBy: 'the day lies before the mail' } : finding];
}
