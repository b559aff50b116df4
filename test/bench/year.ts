// `node test/bench/year.ts [--days N] [--mails N]`: what a year of mails leaves in a vault, through the real pieces, with and
// without retention. The figures stand in docs/clutter.md.
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { compose } from '../../src/daemon/compose.ts';
import type { Environment } from '../../src/daemon/environment.ts';
import { prepare } from '../../src/daemon/lease.ts';
import { tickAll } from '../../src/daemon/ticker.ts';
import { retireOld } from '../../src/features/retention.ts';
import { readStream } from '../../src/streams/read-stream.ts';
import { readNote } from '../../src/vault/frontmatter.ts';
import { ownPlaces } from '../../src/vault/layout.ts';
import { noteText } from '../../src/vault/note-text.ts';
import { localDate } from '../../src/vault/time.ts';
import { withFolder } from './processes/folder.ts';

const DAY = 86_400_000;
const MATTERS = 20;
const TASKS_EACH = 5;
/** Of the mails of a day, so many say something of a task whose senders the vault names, and so many come from strangers. */
const ABOUT_TASKS = 3;
const OF_STRANGERS = 1;

/** What lies in one folder of the vault. */
interface Counted {
  files: number;
  bytes: number;
  folders: number;
  largest: number;
}

const { values } = parseArgs({
  options: { days: { type: 'string', default: '365' }, mails: { type: 'string', default: '40' } },
});
const [days, mails] = [Number(values.days), Number(values.mails)];
const never = new AbortController().signal;

for (const keep of [{}, { keep_stream_days: 30, keep_event_days: 90 }]) {
  await withFolder(async (home) => {
    const root = path.join(home, 'vault');
    const began = Date.now();
    await liveThrough(root, home, keep);
    const settings = Object.entries(keep).map(([key, value]) => `${key}: ${value}`);
    console.log(
      `\n${days} days of ${mails} mails, ${settings.join(', ') || 'everything kept'} (${Math.round((Date.now() - began) / 1000)} s)`,
    );
    show(root);
  });
}

async function liveThrough(root: string, home: string, keep: object): Promise<void> {
  makeHome(root, keep);
  let ahead = 0;
  const now = () => Date.now() + ahead;
  const env: Environment = {
    ceiling: 'live',
    confidenceThreshold: null,
    highConfidenceThreshold: null,
    sealKey: path.join(home, 'seal-key'),
  };
  prepare(ownPlaces(root));
  const { space } = await compose({ root, env, now, emit: () => {} });
  const order = { matters: [], force: false, mode: null };
  for (let day = 0; day < days; day += 1) {
    for (let nth = 0; nth < mails; nth += 1) {
      ahead += DAY / mails;
      const file = `stream/day-${day}-${nth}.eml`;
      write(root, file, mail(day, nth, now()));
      space.vault.look([file]);
      await readStream(space, file, never);
    }
    await tickAll(space, order, never);
    await retireOld(space);
  }
  space.context.state.flush();
}

function makeHome(root: string, keep: object): void {
  write(
    root,
    'steward.md',
    noteText({ type: 'steward', settle_seconds: 0, trusted_mail_servers: ['mx.sample.example'], ...keep }, ''),
  );
  for (let matter = 0; matter < MATTERS; matter += 1) {
    const senders = [`desk@firm${matter}.example`];
    write(root, `matter/affair-${matter}.md`, noteText({ type: 'matter', state: 'open', senders }, ''));
    for (let task = 0; task < TASKS_EACH; task += 1) {
      const fields = { type: 'task', state: 'open', parent_matter: `[[affair-${matter}]]` };
      write(root, `task/${taskName(matter, task)}.md`, noteText(fields, ''));
    }
  }
}

function taskName(matter: number, task: number): string {
  return `errand-${matter}-${task}`;
}

function mail(day: number, nth: number, at: number): string {
  const matter = (day * 7 + nth) % MATTERS;
  const name = taskName(matter, day % TASKS_EACH);
  const isAbout = nth < ABOUT_TASKS + OF_STRANGERS;
  const domain = isAbout && nth < ABOUT_TASKS ? `firm${matter}.example` : `post${nth}.example`;
  const due = localDate(at + (20 + (day % 40)) * DAY);
  const said = isAbout
    ? `[[${name}]] has been moved to ${due}.`
    : 'Thank you for your visit. Here is what is new with us.';
  return [
    `Authentication-Results: mx.sample.example; dmarc=pass header.from=${domain}`,
    `From: The desk <desk@${domain}>`,
    'To: robin@sample.example',
    `Subject: ${isAbout ? `[[${name}]]` : `News of day ${day}`}`,
    `Date: ${new Date(at).toUTCString()}`,
    `Message-ID: <${day}-${nth}@${domain}>`,
    '',
    `Hello Robin,\r\n\r\n${said}\r\n${'The rest is what mails end in. '.repeat(40)}`,
    '',
  ].join('\r\n');
}

function write(root: string, file: string, text: string): void {
  const place = path.join(root, file);
  fs.mkdirSync(path.dirname(place), { recursive: true });
  fs.writeFileSync(place, text);
  const old = new Date(Date.now() - DAY);
  fs.utimesSync(place, old, old);
}

function show(root: string): void {
  const kinds = ['matter', 'task', 'signal', 'event', 'instinct', 'stream', '.steward'];
  console.log('folder      files     MB  folders  largest folder');
  for (const kind of kinds) {
    const { files, bytes, folders, largest } = counted(path.join(root, kind));
    console.log(
      `${kind.padEnd(10)}${String(files).padStart(7)}${(bytes / 1e6).toFixed(1).padStart(7)}${String(folders).padStart(9)}${String(largest).padStart(9)}`,
    );
  }
  const notes = notesIn(root);
  const links = notes.reduce((sum, text) => sum + (text.match(/\[\[[^\]]+\]\]/g)?.length ?? 0), 0);
  const properties = new Set(notes.flatMap((text) => propertiesOf(text)));
  console.log(`Obsidian indexes ${notes.length} notes with ${links} links; ${properties.size} names of properties.`);
  const own = notesIn(root, /^(?!signal|event)/);
  console.log(`Without signal and event: ${own.length} notes.`);
}

function counted(folder: string): Counted {
  const total: Counted = { files: 0, bytes: 0, folders: 0, largest: 0 };
  if (!fs.existsSync(folder)) return total;
  const items = fs.readdirSync(folder, { withFileTypes: true });
  total.largest = items.length;
  for (const item of items) {
    const place = path.join(folder, item.name);
    if (!item.isDirectory()) {
      total.files += 1;
      total.bytes += fs.statSync(place).size;
      continue;
    }
    const below = counted(place);
    total.files += below.files;
    total.bytes += below.bytes;
    total.folders += 1 + below.folders;
    total.largest = Math.max(total.largest, below.largest);
  }
  return total;
}

function notesIn(root: string, fits = /./): string[] {
  const names = fs.readdirSync(root, { recursive: true, encoding: 'utf8' });
  const own = names.filter((name) => name.endsWith('.md') && !name.startsWith('.') && fits.test(name));
  return own.map((name) => fs.readFileSync(path.join(root, name), 'utf8'));
}

function propertiesOf(text: string): string[] {
  const read = readNote('note.md', Buffer.from(text));
  return read.ok ? Object.keys(read.note.data) : [];
}
