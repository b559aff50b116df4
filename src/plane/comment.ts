/** What a comment tells: the change in one line, who spoke, and in which words. */
interface Told {
  readonly change: string;
  readonly from: string | null;
  readonly quote: string | null;
}

const MAX_TEXT = 1000;
const LIVE: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Returns the HTML of a comment. Plane stores what it is sent as it is, so that no text of a note may be markup. */
export function commentHtml({ change, from, quote }: Told): string {
  const by = from === null ? '' : ` From ${escaped(from)}.`;
  const said = quote === null ? '' : `<blockquote>${escaped(quote)}</blockquote>`;
  return `<p>${escaped(change)}.${by} Noted by vault-steward.</p>${said}`;
}

function escaped(text: string): string {
  return text
    .slice(0, MAX_TEXT)
    .replace(/\p{Cc}+/gu, ' ')
    .replace(/[&<>"']/g, (one) => LIVE[one] ?? '');
}
