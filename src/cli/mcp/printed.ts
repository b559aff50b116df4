import { Printer } from '../print/printer.ts';

/** How much text a model is given: what it reads costs it room. The structured content holds more. */
const MOST = 20_000;

/** Returns what a screen prints, without colour and no longer than a model should be given. */
export function printed(print: (out: Printer) => void): string {
  const parts: string[] = [];
  print(new Printer({ isTTY: false, write: (text) => void parts.push(text) }, { NO_COLOR: '1' }));
  return shortened(parts.join('').trim());
}

/** Returns a text no longer than a model should be given; where it was cut, it says so. */
export function shortened(text: string): string {
  if (text.length <= MOST) return text;
  const cut = text.slice(0, MOST);
  return `${cut.slice(0, Math.max(0, cut.lastIndexOf('\n')))}\n[cut here: there is more]`;
}
