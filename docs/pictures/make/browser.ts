import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

const BROWSER = process.env.CHROMIUM ?? 'chromium';
const COMMON = [
  '--headless=new',
  '--no-sandbox',
  '--hide-scrollbars',
  '--allow-file-access-from-files',
  '--disable-gpu',
];
/** Charts draw themselves: that much virtual time is given to a page. */
const PATIENCE = '--virtual-time-budget=20000';

/** Draws a page, whole and twice as fine as a plain screen, into a PNG file. `width` in CSS pixels. */
export function draw(html: string, picture: string, width: number, folder: string): void {
  const page = path.join(folder, `${path.basename(picture, '.png')}.html`);
  fs.writeFileSync(page, html);
  const height = heightOf(page, width);
  browse([`--window-size=${width},${height}`, '--force-device-scale-factor=2', `--screenshot=${picture}`, page]);
}

function heightOf(page: string, width: number): number {
  const dom = browse([`--window-size=${width},600`, '--dump-dom', page]);
  const height = Number(/data-height="(\d+)"/.exec(dom)?.[1]);
  if (!(height > 0)) throw new Error(`${page} did not say how high it is.`);
  return height;
}

function browse(args: readonly string[]): string {
  return execFileSync(BROWSER, [...COMMON, PATIENCE, ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}
