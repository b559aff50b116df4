import { isFiller, type Standing, standingOf } from '../../forms/labels/table.ts';

const MOST_WORDS = 5;
const MOST_BEHIND = 60;
/** What makes a status mean less than it says. */
const LESS =
  /(?<!\p{L})(?:not|nicht|pas|no|non|niet|part\p{L}*|teil\p{L}*|deels|parc\p{L}*|parz\p{L}*|except|außer|sauf|salvo|tranne|behalve|if|wenn|si|se|als|until|bis|after|once|refund\p{L}*|erstatt\p{L}*|rembours\p{L}*|reembols\p{L}*|rimbors\p{L}*|terugbet\p{L}*)(?!\p{L})/iu;

/**
 * Returns how something stands by the value of a status line: `Delivered`, `Paid on 3 December`. Null where the value says
 * anything else besides, or `isBare` and there is more than that word.
 */
export function statusIn(value: string, isBare: boolean): Standing | null {
  if (/[?？]/u.test(value)) return null;
  const words = value.match(/\S+/g) ?? [];
  for (let length = Math.min(MOST_WORDS, words.length); length > 0; length -= 1) {
    const standing = standingOf(words.slice(0, length).join(' '));
    if (standing === null) continue;
    const rest = words.slice(length).join(' ');
    return mayFollow(rest, words[length - 1] ?? '', isBare) ? standing : null;
  }
  return null;
}

/** Whether what stands behind the word leaves it as it is: nothing, a day, what is bracketed. */
function mayFollow(rest: string, last: string, isBare: boolean): boolean {
  if (!/[\p{L}\p{N}]/u.test(rest)) return true;
  if (isBare || rest.length > MOST_BEHIND || LESS.test(rest)) return false;
  const first = rest.split(' ', 1)[0] ?? '';
  return /[,;.)]$/u.test(last) || /^(?:[([–—\-|·,;]|\d)/u.test(first) || isFiller(first);
}
