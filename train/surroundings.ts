import type { MailCase } from '../test/eval/case.ts';
import { titleOf } from '../test/eval/case.ts';
import { linesOf, oneOf, tablesIn } from './data-file.ts';
import { sequence } from './linear-training.ts';

/** A line that stands in mails beside what they say: a greeting, a sum, help, a signature, small talk. */
export interface Line {
  readonly language: string;
  readonly style: (typeof STYLES)[number];
  readonly place: (typeof PLACES)[number];
  readonly text: string;
}

const STYLES = ['notification', 'person'] as const;
const PLACES = ['before', 'after'] as const;
/** How many lines are put around a mail at most. */
const MOST = {
  notification: { before: 3, after: 7 },
  person: { before: 2, after: 4 },
} as const;
/** Of so many mails, one is left as it is. */
const LEFT_ALONE = 4;

/** Reads the lines of every language. Throws an Error with file and line where a line is not as the README says. */
export function loadLines(folder: string): readonly Line[] {
  return tablesIn(folder, /^clutter-([a-z]{2})\.tsv$/).flatMap(({ language, file }) =>
    linesOf(file).flatMap(({ line, where }) => {
      if (line.trim() === '' || line.startsWith('#')) return [];
      const [style, place, text, more] = line.split('\t');
      if (text === undefined || more !== undefined) throw new Error(`${where}: a line has three parts`);
      return [{ language, style: oneOf(STYLES, style, where), place: oneOf(PLACES, place, where), text }];
    }),
  );
}

/** Returns a mail with lines around its text, as mails have them. The same mail gets the same lines. */
export function surrounded(mail: MailCase, lines: readonly Line[]): MailCase {
  const random = sequence(seedOf(titleOf(mail)));
  if (mail.html !== '' || mail.ics !== '' || random() * LEFT_ALONE < 1) return mail;
  const own = lines.filter(({ language, style }) => language === mail.lang && style === mail.style);
  const some = (place: Line['place']) => {
    const fitting = own.filter((line) => line.place === place);
    const count = Math.floor(random() * (MOST[mail.style][place] + 1));
    return Array.from({ length: count }, () => fitting[Math.floor(random() * fitting.length)]?.text ?? '');
  };
  const text = [...some('before'), mail.text.trim(), ...some('after')].filter((part) => part !== '').join('\n');
  return { ...mail, text };
}

function seedOf(text: string): number {
  let hash = 7;
  for (let at = 0; at < text.length; at += 1) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
  return hash;
}
