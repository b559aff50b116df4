import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { draw } from './browser.ts';
import { chartsIn, chartsPage, notePage, terminalPage } from './pages.ts';
import { Terminal } from './terminal.ts';

// Draws the pictures of the pages: the screens of a real run of the demo, notes that it wrote, charts. `npm run pictures`.
// Needs tmux, and Chromium where CHROMIUM says or as /usr/bin/chromium.

const PICTURES = path.resolve(import.meta.dirname, '..');
const PROJECT = path.resolve(PICTURES, '../..');
const LIBRARY = path.join(import.meta.dirname, 'node_modules/mermaid/dist/mermaid.min.js');
const WIDTH = 920;

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'steward-pictures-'));
// The commands of this very checkout, whatever else is installed.
const commands = path.join(folder, 'bin');
fs.mkdirSync(commands);
fs.writeFileSync(
  path.join(commands, 'steward'),
  `#!/bin/sh\nexec '${process.execPath}' '${PROJECT}/bin/steward.js' "$@"\n`,
  { mode: 0o755 },
);
const env = {
  XDG_STATE_HOME: path.join(folder, 'state'),
  PATH: `${commands}:${path.dirname(process.execPath)}:${process.env.PATH}`,
};
const terminals = ['demo', 'own'].map((name) => new Terminal(`${path.basename(folder)}-${name}`, folder, env));
try {
  const [demo, own] = terminals;
  if (demo === undefined || own === undefined) throw new Error('No terminal could be opened.');
  await save('demo', await demo.shows('npm run demo', `node ${PROJECT}/bin/demo.js`, /Ctrl-C ends the demo/));
  await save('status', await own.shows('npx steward status', 'steward --vault demo-vault status; echo end', /^end/m));
  await save('inbox', await own.shows('npx steward inbox', 'steward --vault demo-vault inbox', /skip/));
  own.press('q');
  await own.shows('npx steward report', 'steward --vault demo-vault report > report.txt; echo end', /^end/m);
  await note('event', newest('event', /^signal-action-2.*pay-notary-deposit\.md$/));
  await note('proposal', newest('event', /^steward-action-2.*order-land-registry-extract\.md$/));
  const report = path.join(folder, 'demo-vault/Steward report.md');
  const charts = fs.existsSync(report) ? chartsIn(read(report)) : [];
  if (charts.length > 0) await draw(chartsPage(charts, LIBRARY), picture('report'), WIDTH, folder);
} finally {
  for (const terminal of terminals) terminal.close();
  fs.rmSync(folder, { recursive: true, force: true });
}

function save(name: string, screen: string): Promise<void> {
  // Where this ran is of no interest.
  const told = screen.replaceAll(folder, '~').replaceAll(PROJECT, '~/vault-steward');
  return draw(terminalPage(told.replace(/\s*\n?end\s*\n?\$?\s*$/, '')), picture(name), WIDTH, folder);
}

function note(name: string, file: string): Promise<void> {
  const sheet = path.join(PROJECT, 'template/steward-event.css');
  const html = notePage(path.basename(file, '.md'), read(file), fs.existsSync(sheet) ? read(sheet) : '');
  return draw(html, picture(name), WIDTH, folder);
}

function newest(kind: string, name: RegExp): string {
  const all = fs.readdirSync(path.join(folder, 'demo-vault', kind), { recursive: true, encoding: 'utf8' });
  const found = all
    .filter((file) => name.test(path.basename(file)))
    .sort((one, other) => path.basename(one).localeCompare(path.basename(other)));
  return path.join(folder, 'demo-vault', kind, found.at(-1) ?? '');
}

function picture(name: string): string {
  return path.join(PICTURES, `${name}.png`);
}

function read(file: string): string {
  return fs.readFileSync(file, 'utf8');
}
