import { dayIn, type Language, spelt } from './days.ts';
import type { Named, NoteWord } from './household.ts';

/** What is true after a mail: the task is done, has become pointless, is due on another day, or nothing has changed. */
export type Truth =
  | { readonly is: 'done' | 'archived' | 'unchanged' }
  /** `day`: as a note has it. */
  | { readonly is: 'moved'; readonly day: string };

/** A mail that a known sender really sent, as the household's own server vouches. */
export interface HonestMail {
  readonly id: string;
  readonly language: Language;
  readonly from: Named;
  readonly about: NoteWord;
  readonly truth: Truth;
  readonly subject: string;
  readonly text: string;
}

type Rest = Pick<HonestMail, 'subject' | 'text'>;
type Write = (id: string, about: NoteWord, subject: string, text: string) => HonestMail;
type WriteMoved = (id: string, about: NoteWord, days: number, rest: (day: string) => Rest) => HonestMail;

/** Returns the four ways in which one sender writes, one for each truth. */
export function writer(
  from: Named,
  language: Language,
): { readonly done: Write; readonly archived: Write; readonly unchanged: Write; readonly moved: WriteMoved } {
  const write =
    (is: 'done' | 'archived' | 'unchanged'): Write =>
    (id, about, subject, text) => ({ ...{ id, language, from, about, subject, text }, truth: { is } });
  return {
    done: write('done'),
    archived: write('archived'),
    unchanged: write('unchanged'),
    moved: (id, about, days, rest) => ({
      ...{ id, language, from, about, truth: { is: 'moved', day: dayIn(days) } },
      ...rest(spelt(language, days)),
    }),
  };
}
