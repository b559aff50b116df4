import { clipped } from '../vault/notes/note-text.ts';

/**
 * Returns data as JSON on one line, each text clipped to `max` characters. Whatever could close a mark around it, is
 * invisible, or cannot be sent is escaped: invisible text is a common way to inject instructions.
 */
export function quoted(data: Readonly<Record<string, unknown>>, max: number): string {
  const clip = (_key: string, value: unknown) => (typeof value === 'string' ? clipped(value, max) : value);
  return JSON.stringify(data, clip).replace(/[<>&\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Cn}\p{Zl}\p{Zp}]/gu, asEscape);
}

function asEscape(character: string): string {
  const units = character.split('').map((unit) => unit.charCodeAt(0).toString(16).padStart(4, '0'));
  return units.map((unit) => `\\u${unit}`).join('');
}
