/** A line that says who speaks: `Anna Weber: I have paid it.` */
export interface SpokenLine {
  readonly speaker: string;
  readonly text: string;
}

const NAMED = /^[ ]{0,8}(?:\*\*|__)?([\p{Lu}\p{Lo}][^:\n\t]{0,60}?)(?:\*\*|__)?[ ]?:(?:\*\*|__)?[ \t]{1,8}(?=\S)/u;
/** `[Anna Weber] I have paid it.`, `(Anna Weber)` on a line of its own: as some write transcripts of recordings. */
const BRACKETED = /^(?:\[([^[\]\n]{1,60})\]:?[ \t\n]{1,8}(?=\S)|\(([^()\n]{1,60})\)[ \t]{0,8}\n)/;
const MOST_NAME_WORDS = 5;
/** Words that stand before a colon and are nobody's name. */
const NO_NAME =
  /^(?:note|notes|date|time|when|where|subject|title|topic|agenda|attendees?|participants?|present|location|duration|summary|action(?: item)?s?|todo|to do|next steps?|question|answer|important|warning|example|https?|from|to|cc|meeting(?: id)?|recorded|language|kind|datum|zeit|ort|thema|betreff|teilnehmer(?:innen)?|hinweis|beispiel|frage|antwort|music|applause|laugh(?:s|ter|ing)?|inaudible|crosstalk|silence|noise|musik|applaus|gelächter|rires|musique|aplausos|música|risas)$/i;

/** Returns who speaks in a cue, where a name in brackets stands before the words; null where none does. */
export function bracketedSpeaker(text: string): SpokenLine | null {
  const found = BRACKETED.exec(text.slice(0, 100));
  const speaker = (found?.[1] ?? found?.[2] ?? '').trim();
  return found === null || !isName(speaker) ? null : { speaker, text: text.slice(found[0].length).trim() };
}

/** Returns who speaks in a line and what; null where it does not begin with a name. */
export function spokenLine(line: string): SpokenLine | null {
  const found = NAMED.exec(line.slice(0, 100));
  const speaker = found?.[1]?.trim() ?? '';
  if (found === null || !isName(speaker)) return null;
  return { speaker, text: line.slice(found[0].length).trim() };
}

/** What stands before a colon at the beginning of a line, whoever or whatever it is: `krithika S`, `the plan is this`. */
const LABEL = /^([^:\n\t.!?]{1,60}):[ \t]{1,8}(?=\S)/;

/** Returns what stands before the colon that a line begins with, and the rest; null where there is none. */
export function labelledLine(line: string): SpokenLine | null {
  const found = LABEL.exec(line.slice(0, 100));
  const speaker = found?.[1]?.trim() ?? '';
  if (found === null || speaker.split(/\s+/).length > MOST_NAME_WORDS || NO_NAME.test(speaker)) return null;
  return { speaker, text: line.slice(found[0].length).trim() };
}

/** Whether a text can be the name of somebody who speaks. */
export function isName(text: string): boolean {
  if (
    text === '' ||
    text.length > 60 ||
    NO_NAME.test(text) ||
    /[.!?;"“”<>[\]{}|=/\\]$|[!?;"“”<>[\]{}|=]|\. \p{Ll}/u.test(text)
  )
    return false;
  const words = text.split(/\s+/);
  return (
    words.length <= MOST_NAME_WORDS &&
    words.every((word) =>
      /^[\p{Lu}\p{Lo}\p{N}(&+'’-]|^(?:von|van|de|der|den|da|di|el|la|le|du|dos|bin|al|and|und|et|y|e)$/u.test(word),
    )
  );
}
