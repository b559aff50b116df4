import { sentenceBounds } from './sentence.ts';

const CHOICE =
  'propose|suggest|recommend|set|raise|lower|cut|wait|try|aim|offer|cap|ask|allow|settle|put|take|go|pick|choose|give|keep|make|start|use|accept|spend|stop|move|run|test|count|plan|want|like|prefer|vote|agree|live|begin|reserve|limit|add|leave|hold|stay|say|do|have|get|shorten|extend|bring|drop|buy|pay|order|book';
/** What nobody decides, even with *would* before it. */
const OUTCOME = '(?:gain|lose|save|see|find|expect|get|have|reach|earn|miss|need|spend|be)\\b';
/** Somebody's wish: with a word that says so, or one who would, could, should. */
const PROPOSES = new RegExp(
  String.raw`\b(?:(?:I|we)(?:'d| would| could| should| might)?\s(?:propose|suggest|recommend|set|raise|lower|cut|wait|try|aim|offer|cap|ask|allow|settle|vote|want|prefer)|(?:I|we|you|they)(?:['’]d| would| could| should| might)\s(?!${OUTCOME})\w+|(?:I|we|you|they) (?:can|may)\s(?:\w{1,12}\s){0,2}?(?:${CHOICE})|let (?:it|them|that|this|there)\s|let us|let['’]s|(?:should|might|could|ought to)\s(?:be|wait|set|cap|aim|start|stay|go|have|get|take|do)|my (?:own )?(?:proposal|suggestion|vote|offer|preference)|suppose|supposing|imagine|assume|assuming|what if|hypothetically|say,|(?:would be|am|['’]m) (?:happy|content|fine) with|enough for me)\b[^.;:?!]{0,100}$`,
  'i',
);
/** An instruction to the others, as in `Set it to 30`. */
const INSTRUCTS =
  /^[\s\-*>"“]{0,6}(?:(?:so|then|and|but|please|rather|better|first|now),?\s)?(?:set|give|try|wait|raise|lower|cut|cap|keep|start|use|make|take|stop|put|move|ask|allow|limit|leave|begin|reserve|call)\s[^.;:?!]{0,100}$/i;
/** A condition up to its comma: what is in it is supposed. */
const SUPPOSES = /\b(?:if|unless|even at|whether|were (?:we|it|the)|should (?:we|it|the))\s[^.;:?!,]{0,100}$/i;

/** The condition of something that would follow from it: `At 0.85 half of these would go`. */
const CONDITION = /^[\s\-*>"“]{0,6}(?:at|with|under|by|from)\s[^.;:?!,]{0,40}$/i;

/** Whether the words before an offset, in its sentence, propose or suppose what stands there. */
export function isProposedAt(text: string, at: number): boolean {
  const { start, end } = sentenceBounds(text, at);
  const before = text.slice(start, at);
  const isCondition = CONDITION.test(before) && /\b(?:would|could|might)\b/.test(text.slice(at, end));
  const proposes = isCondition || PROPOSES.test(before) || INSTRUCTS.test(before) || SUPPOSES.test(before);
  return proposes && !STATES.test(before);
}

/** Words that turn what follows them into a statement of fact, even beside a proposal. */
const STATES =
  /\b(?:because|since|as|given|shows?|showed|found|measured|says?|said|already|of the|than the|like the)\b/i;

/** What is only planned: `a new file x.md`, `we'd need`, `could go into`. */
const PLANNED =
  /\b(?:an? new|create|add|adding|write|introduce|propose|suggest|rename|(?:I|we|you|they|it)(?:'d|’d)|would (?:need|be|go|want|like|help|have)|could (?:be|go|live|sit|add)|should (?:not )?(?:create|add|be|live|go|sit)|if (?:we|there) (?:had|have|add|write|were)|let us|let(?:'|’)s|needs? an?|wish)\b(?:[^.;:?!]|\.(?=\S)){0,120}$/i;
/** What is said not to be there. */
const DENIED_BEFORE =
  /(?:\b(?:no such|no|without an?|lacks an?)\s(?:[\w-]{1,20}\s){0,3}[`"'“]?|\b(?:cannot|can(?:'|’)t|could not|couldn(?:'|’)t|did not|didn(?:'|’)t|do not|don(?:'|’)t|nowhere|never) (?:find|found|see|saw|seen)\b[^.,;:?!]{0,40})$/i;
const DENIED_AFTER =
  /^[^.;:?!]{0,60}\b(?:(?:I|we) (?:cannot|can(?:'|’)t|do not|don(?:'|’)t|did not|didn(?:'|’)t|could not) (?:see|find)|(?:is|are|was) (?:missing|not (?:there|registered|listed|found|shown|given|among|in)|nowhere|unknown)|(?:does|do|did) not exist|(?:doesn|isn|wasn)(?:'|’)t (?:exist|there|registered|listed|found|in))\b/i;

/** Whether what begins at an offset is something that somebody would like to make. */
export function isPlannedAt(text: string, at: number): boolean {
  return PLANNED.test(text.slice(sentenceBounds(text, at).start, at));
}

/** Whether what stands between two offsets is said not to be there. */
export function isDenied(text: string, start: number, end: number): boolean {
  const sentence = sentenceBounds(text, start);
  return (
    DENIED_BEFORE.test(text.slice(sentence.start, start)) ||
    DENIED_AFTER.test(text.slice(end, Math.max(end, sentence.end)))
  );
}
