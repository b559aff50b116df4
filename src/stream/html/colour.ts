import { colord, extend } from 'colord';
import hwb from 'colord/plugins/hwb';
import lab from 'colord/plugins/lab';
import lch from 'colord/plugins/lch';
import names from 'colord/plugins/names';
import oklab from 'colord/plugins/oklab';
import oklch from 'colord/plugins/oklch';
import type { Value } from './css.ts';

extend([names, hwb, lab, lch, oklab, oklch]);

/** Red, green and blue from 0 to 255, and alpha from 0 to 1. */
export type Colour = Readonly<Record<'r' | 'g' | 'b' | 'a', number>>;

export const WHITE: Colour = { r: 255, g: 255, b: 255, a: 1 };
export const BLACK: Colour = { r: 0, g: 0, b: 0, a: 1 };
/** Colours of the reader's system, as most have them. */
const SYSTEM: ReadonlyMap<string, Colour> = new Map([
  ...['canvas', 'window', 'field', 'background'].map((name) => [name, WHITE] as const),
  ...['canvastext', 'windowtext', 'fieldtext', 'initial'].map((name) => [name, BLACK] as const),
]);
const FUNCTION = /^(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch)\($/;
const MAX_PARTS = 20;
const MAX_COLOURS = 100;
/** Two colours whose red, green and blue all differ by no more than this are one to a reader. */
const ONE_COLOUR = 32;

/** Returns the colour that a value is as a whole, or null. */
export function colourOf(value: Value): Colour | null {
  if (value.length > MAX_PARTS) return null;
  const text = value.map((part) => part.text).join(' ');
  // Six digits that are no colour to a strict reader are one to a lenient one: `color: ffffff`.
  return SYSTEM.get(text) ?? parsed(text) ?? (/^(?:[\da-f]{3}|[\da-f]{6})$/.test(text) ? parsed(`#${text}`) : null);
}

/** Returns the colours that a value names, in order, those of a gradient too. */
export function coloursIn(value: Value): readonly Colour[] {
  const parts = value.slice(0, MAX_COLOURS);
  return parts.flatMap(({ text }, at) => {
    const end = FUNCTION.test(text) ? parts.findIndex((part, here) => here > at && part.text === ')') : at;
    return colourOf(parts.slice(at, end + 1)) ?? [];
  });
}

function parsed(text: string): Colour | null {
  const colour = colord(text);
  return colour.isValid() ? colour.rgba : null;
}

/** Returns the colour of an attribute such as `bgcolor`, by the lenient rules of HTML: any text but an empty one is one. */
export function attributeColour(text: string): Colour | null {
  const name = text.trim().toLowerCase();
  if (name === '' || name === 'transparent') return null;
  const known = parsed(name);
  if (known !== null && !name.includes('(')) return known;
  const digits = name
    .slice(0, 128)
    .replace(/^#/, '')
    .replace(/[^\da-f]/g, '0');
  const third = Math.max(1, Math.ceil(digits.length / 3));
  const padded = digits.padEnd(third * 3, '0');
  const channels = [0, 1, 2].map((nth) => padded.slice(nth * third, (nth + 1) * third).slice(-8));
  const [r = 0, g = 0, b = 0] = channels.map((channel) => Number.parseInt(channel.slice(0, 2), 16));
  return { r, g, b, a: 1 };
}

/** Returns what is seen where a colour lies on another. */
export function over(top: Colour, below: Colour): Colour {
  const mixed = (one: number, other: number) => one * top.a + other * (1 - top.a);
  return { r: mixed(top.r, below.r), g: mixed(top.g, below.g), b: mixed(top.b, below.b), a: 1 };
}

/** Whether a reader cannot tell two colours apart. `within`: how much red, green and blue may differ. */
export function looksLike(one: Colour, other: Colour, within: number = ONE_COLOUR): boolean {
  return [one.r - other.r, one.g - other.g, one.b - other.b].every((step) => Math.abs(step) <= within);
}
