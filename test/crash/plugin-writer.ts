// A plugin of Obsidian, as a separate process that knows nothing of Steward: it rewrites each note of a vault after each change.
// "type note token wait" on stdin appends a line, as a person who types; "look" has it finish and print how often it wrote.
import fs from 'node:fs';
import path from 'node:path';
import readline from 'node:readline';
import { parseDocument, stringify } from 'yaml';

const [plugin = '', root = ''] = process.argv.slice(2);
const FOLDERS = ['task', 'event'];
/** The text of each note as the plugin left it: its own writes are no news to it. */
const known = new Map<string, string>();
const isNew = new Set<string>();
let writes = 0;

for (const file of notes()) known.set(file, read(file) ?? '');
fs.watch(root, { recursive: true }, () => visitAll());
process.stdout.write('ready\n');

readline.createInterface({ input: process.stdin }).on('line', (line) => {
  const [what = '', note = '', token = '', wait = '0'] = line.split('\t');
  if (what === 'type') {
    pause(Number(wait));
    const file = path.join(root, note);
    fs.writeFileSync(file, `${read(file) ?? ''}${token}\n`);
  }
  visitAll();
  process.stdout.write(`${writes}\n`);
});

function notes(): string[] {
  return FOLDERS.flatMap((folder) => {
    const place = path.join(root, folder);
    if (!fs.existsSync(place)) return [];
    const names = fs.readdirSync(place, { recursive: true, encoding: 'utf8' });
    return names.filter((name) => name.endsWith('.md') && !name.startsWith('.')).map((name) => path.join(place, name));
  });
}

function read(file: string): string | null {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return null; // between two names
  }
}

function visitAll(): void {
  for (const file of notes()) visit(file);
}

function visit(file: string): void {
  const text = read(file);
  if (text === null || text === '' || text === known.get(file)) return;
  if (!known.has(file)) isNew.add(file);
  // The time between reading and writing is when another program's write can come in.
  pause(Math.random() * 1500);
  const made = rewritten(file, text);
  known.set(file, made ?? text);
  if (made === null) return;
  fs.writeFileSync(file, made);
  writes += 1;
}

/** Returns the note as the plugin would have it; null if it doesn't write. */
function rewritten(file: string, text: string): string | null {
  if (plugin === 'templater') {
    // It writes each new note once, whether the note has a command or not.
    return isNew.delete(file) ? text.replaceAll(/<%.*?%>/g, '') : null;
  }
  if (plugin === 'updated') {
    const stamp = `updated: ${new Date().toISOString()}`;
    return /^updated: .*$/m.test(text)
      ? text.replace(/^updated: .*$/m, stamp)
      : text.replace(/^---\n/, `---\n${stamp}\n`);
  }
  const made = linted(text);
  return made === text ? null : made;
}

/** Obsidian Linter: keys in order, one style of quotes and lists, a blank line behind the properties, no spaces at line ends. */
function linted(text: string): string {
  const [, block, body = ''] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text.replaceAll('\r\n', '\n')) ?? [];
  if (block === undefined) return text;
  const fields: unknown = parseDocument(block).toJS();
  if (typeof fields !== 'object' || fields === null) return text;
  const sorted = Object.fromEntries(Object.entries(fields).sort(([one], [other]) => (one < other ? -1 : 1)));
  const yaml = stringify(sorted, { defaultStringType: 'QUOTE_DOUBLE', defaultKeyType: 'PLAIN', lineWidth: 0 });
  return `---\n${yaml}---\n\n${body.trim().replaceAll(/[ \t]+$/gm, '')}\n`;
}

function pause(microseconds: number): void {
  const until = process.hrtime.bigint() + BigInt(Math.floor(microseconds)) * 1000n;
  while (process.hrtime.bigint() < until);
}
