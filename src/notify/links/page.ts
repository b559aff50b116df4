import { createHash } from 'node:crypto';
import type { HttpAnswer } from '../../source/http/http-answer.ts';

const STYLE = [
  ':root{color-scheme:light dark;font:18px/1.5 system-ui,sans-serif}',
  'body{max-width:34rem;margin:12vh auto;padding:0 1.2rem}',
  'h1{font-size:1.3rem;margin:0 0 .4rem;overflow-wrap:anywhere}',
  'p{margin:.4rem 0 1.6rem;overflow-wrap:anywhere}',
  'button{font:inherit;font-weight:600;padding:.7rem 1.6rem;border:0;border-radius:.6rem;background:#5b4bd5;color:#fff}',
  'button:focus-visible{outline:3px solid #5b4bd5;outline-offset:3px}',
].join('');
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** No script, no picture, no frame, nothing from elsewhere; a form leads here alone. */
const POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`;

// The address holds the link itself: no other page is told of it.
const HEADERS = { 'Content-Security-Policy': POLICY, 'Referrer-Policy': 'same-origin' };

/** What a page says; `button` presses. */
interface Page {
  readonly title: string;
  readonly text: string;
  readonly button?: string;
}

/** Returns a small page. */
export function pageAnswer(status: number, page: Page): HttpAnswer {
  return { status, content: { type: 'text/html; charset=utf-8', text: htmlOf(page) }, headers: HEADERS };
}

/** Returns the same as a line of text, for programs. */
export function textAnswer(status: number, text: string, headers: HttpAnswer['headers'] = {}): HttpAnswer {
  return { status, content: { type: 'text/plain; charset=utf-8', text: `${text}\n` }, headers };
}

function htmlOf({ title, text, button }: Page): string {
  const form = button === undefined ? '' : `<form method="post"><button>${escaped(button)}</button></form>`;
  return [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">',
    `<meta name="robots" content="noindex"><title>${escaped(title)}</title><style>${STYLE}</style></head>`,
    `<body><h1>${escaped(title)}</h1><p>${escaped(text)}</p>${form}</body></html>`,
    '',
  ].join('\n');
}

function escaped(text: string): string {
  const marks: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return text.replace(/[&<>"']/g, (mark) => marks[mark] ?? mark);
}
