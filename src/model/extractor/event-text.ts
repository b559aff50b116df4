import type { CandidateNote, ExtractionQuestion } from '../../steward/ports/extractor.ts';
import { clipped } from '../../vault/notes/note-text.ts';
import { quoted } from '../quoted-data.ts';

/** How much of an event is shown, in characters: in full, and in brief. */
const FULL = { text: 16_000, earlier: 2000 } as const;
const BRIEF = { text: 3000, earlier: 0 } as const;
const MAX_FIELD = 500;
const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** Returns what a question and its reply call a candidate: a name made from its position, since its own name is data. */
export function candidateName(index: number): string {
  return `c${index + 1}`;
}

/**
 * Returns an event as a model is asked about it: the event and the notes it may be about, as JSON between marks that the
 * data cannot close. `brief`: for a provider that found the full question too long.
 */
export function eventText({ event, candidates, now }: ExtractionQuestion, brief = false): string {
  const limits = brief ? BRIEF : FULL;
  const { sourceType: source, from, originAt, subject, text, quoted: earlier } = event;
  const shown = {
    ...{ source, from, written: originAt === null ? null : dayAndTime(Date.parse(originAt)) },
    subject: clipped(subject, MAX_FIELD),
    text: clipped(text, limits.text),
    earlier: clipped(earlier, limits.earlier),
  };
  const lines = candidates.map((candidate, index) => quoted(noteData(candidate, index), MAX_FIELD));
  return [
    `It is ${dayAndTime(now)}.`,
    `<event>\n${quoted(shown, limits.text)}\n</event>`,
    `<notes>\n${lines.join('\n')}\n</notes>`,
    'Say what the event means for these notes.',
  ].join('\n\n');
}

function noteData({ kind, name, matter, state, summary, why }: CandidateNote, index: number) {
  return { note: candidateName(index), kind, name, matter, state, summary, found_by: why };
}

/** Such as `Friday 2026-11-20T08:15Z`, with the weekday because people write "by Friday". */
function dayAndTime(at: number): string {
  const time = new Date(at);
  return `${DAYS[time.getUTCDay()]} ${time.toISOString().slice(0, 16)}Z`;
}
