import { sentenceBounds } from './sentence.ts';

const PROPOSES =
  /\b(?:(?:I|we)(?:'d| would| could| should| might)?\s(?:propose|suggest|recommend|set|raise|lower|cut|wait|try|aim|offer|cap|ask|allow|settle)|let us|let's|should\s(?:be|wait|set|cap|aim)|my (?:proposal|suggestion)|suppose|imagine|assume|assuming|what if|hypothetically)\b[^.;:?!]{0,100}$/i;

/** Whether the words before an offset, in its sentence, propose or suppose what stands there. */
export function isProposedAt(text: string, at: number): boolean {
  const before = text.slice(sentenceBounds(text, at).start, at);
  return (
    PROPOSES.test(before) && !/\b(?:because|since|as|shows?|showed|found|measured|says?|already|of the)\b/i.test(before)
  );
}

/** What is only planned: `a new file x.md`, `we'd need`, `could go into`. */
const PLANNED =
  /\b(?:an? new|create|add|adding|write|introduce|propose|suggest|rename|(?:I|we|you|they|it)(?:'d|’d)|would (?:need|be|go|want|like|help|have)|could (?:be|go|live|sit|add)|should (?:not )?(?:create|add|be|live|go|sit)|if (?:we|there) (?:had|have|add|write|were)|let us|let(?:'|’)s|needs? an?|wish)\b(?:[^.;:?!]|\.(?=\S)){0,120}$/i;
/** What is said not to be there. */
const DENIED_BEFORE =
  /(?:\b(?:no such|no|without an?|lacks an?)\s(?:[\w-]{1,20}\s){0,3}|\b(?:cannot|can(?:'|’)t|could not|couldn(?:'|’)t|did not|didn(?:'|’)t|do not|don(?:'|’)t|nowhere|never) (?:find|found|see|saw|seen)\b[^.,;:?!]{0,40})$/i;
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
