import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import puppeteer from 'puppeteer-core';

const BROWSER = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** Draws a page, whole and twice as fine as a plain screen, into a PNG file. `width` in CSS pixels. */
export async function draw(html: string, picture: string, width: number, folder: string): Promise<void> {
  const file = path.join(folder, `${path.basename(picture, '.png')}.html`);
  fs.writeFileSync(file, html);
  const browser = await puppeteer.launch({
    executablePath: BROWSER,
    args: ['--no-sandbox', '--allow-file-access-from-files'],
    defaultViewport: { width, height: 100, deviceScaleFactor: 2 },
  });
  try {
    const page = await browser.newPage();
    await page.goto(pathToFileURL(file).href);
    await page.waitForSelector('html[data-drawn]'); // charts draw themselves
    fs.writeFileSync(picture, await page.screenshot({ fullPage: true }));
  } finally {
    await browser.close();
  }
}
