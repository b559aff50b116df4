import type { Email } from 'postal-mime';
import type { Forms } from '../../steward/ports/stream-event.ts';
import { formsIn } from '../forms/html-forms.ts';
import { documentOf } from '../html/document.ts';
import { readTree } from '../html/html-text.ts';
import { cutAt, plainText } from './plain-text.ts';
import { wordsOf } from './word.ts';

/** The text of a mail that is read, as a reader sees it. */
export interface Body {
  readonly text: string;
  /** Whether its plain text and its HTML say different things. */
  readonly contradicts: boolean;
  /** What every reader of the HTML sees; null where that is all of the text. */
  readonly shown: string | null;
  /** Why a reader may not see it so, in a few words each. */
  readonly doubts: readonly string[];
  /** What the HTML says beside its text; null where it says nothing. */
  readonly forms: Forms | null;
}

/** How much of a body is read before its quoted history is removed. */
const MAX_RAW_BODY = 1_000_000;
/** Parts with fewer different words are too short to be compared. */
const FEW_WORDS = 4;
/** Parts that share no more of the words of the shorter one say different things. */
const HARDLY_ANY = 0.2;

/**
 * Returns the body of a mail: its plain part, or what its HTML shows where there is none. Of a plain part beside HTML, the
 * lines are left out that the HTML has only where nobody sees them.
 */
export function bodyOf({ text = '', html = '' }: Pick<Email, 'text' | 'html'>): Body {
  const plain = plainText(cutAt(text, MAX_RAW_BODY));
  if (html.trim() === '') return { text: plain, contradicts: false, shown: null, doubts: [], forms: null };
  const whole = cutAt(html, MAX_RAW_BODY);
  const root = documentOf(whole);
  const { seen, surelySeen, unseen, doubts } = readTree(root);
  const forms = formsIn(whole, root);
  const shown = plainText(seen);
  if (plain.trim() === '')
    return {
      text: shown,
      contradicts: false,
      shown: surelySeen === seen ? null : plainText(surelySeen),
      doubts,
      forms,
    };
  const read = withoutUnseen(plain, shown, plainText(unseen));
  return { text: read, contradicts: contradict(plain, shown), shown: plainText(surelySeen), doubts, forms };
}

function withoutUnseen(plain: string, seen: string, unseen: string): string {
  const [shown, hidden] = [phrasesOf(seen), phrasesOf(unseen)];
  if (hidden.size === 0) return plain;
  const isHidden = (line: string) => {
    const phrases = [...phrasesOf(line)];
    return (
      phrases.length > 0 && phrases.every((phrase) => hidden.has(phrase)) && phrases.some((one) => !shown.has(one))
    );
  };
  const lines = plain.split('\n');
  return lines.filter((line) => !isHidden(line)).join('\n');
}

/** Returns every three words in a row, every two, and every word: what a line has of another text shows at once. */
function phrasesOf(text: string): ReadonlySet<string> {
  const words = wordsOf(text);
  const runs = words.map((word, at) => [word, words[at + 1], words[at + 2]]);
  return new Set(
    runs.flatMap(([one, two, three]) =>
      [`${one}`, `${one} ${two}`, `${one} ${two} ${three}`].slice(
        0,
        1 + Number(two !== undefined) + Number(three !== undefined),
      ),
    ),
  );
}

function contradict(plain: string, shown: string): boolean {
  const [one, other] = [new Set(wordsOf(plain)), new Set(wordsOf(shown))];
  const least = Math.min(one.size, other.size);
  return least >= FEW_WORDS && one.intersection(other).size <= least * HARDLY_ANY;
}
