import type { Diagnostic } from '../../vault/errors.ts';

/** Returns `text` with spaces for control characters: a vault may hold escape sequences that a terminal would obey. */
export function clean(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out
  return text.replace(/[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, ' ');
}

/** Returns an ISO time as local time, `2026-09-01 14:05:00`; text that is no time is only cleaned. */
export function local(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return clean(iso);
  const pad = (part: number) => String(part).padStart(2, '0');
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())} ${pad(date.getHours())}:${pad(date.getMinutes())}:${pad(date.getSeconds())}`;
}

/** Returns a confidence with two decimals. */
export function figure(confidence: number): string {
  return confidence.toFixed(2);
}

/** Returns `1 note`, `2 notes`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** Returns `file:line:column`, as far as they are known. Not cleaned. */
export function whereOf({ file, line, column }: Diagnostic): string {
  return [file, line, column].filter((part) => part !== null).join(':');
}
