import fs from 'node:fs';
import path from 'node:path';
import { readNote } from '../../src/vault/frontmatter.ts';
import { flatFields } from '../support/record.ts';
import { withoutTimes } from './alike.ts';
import { TOKEN } from './job.ts';

/** Returns a vault's notes by path, with placeholders for whatever differs between runs (times, names of events). */
export type Shape = Readonly<Record<string, string>>;

export function shapeOf(root: string): Shape {
  const shape: Record<string, string> = {};
  const seen = new Map<string, number>();
  for (const file of notesOf(root)) {
    const name = alike(file);
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    shape[count === 1 ? name : `${name} (${count})`] = alike(fs.readFileSync(path.join(root, file), 'utf8'));
  }
  return shape;
}

// A reversal note's own hash covers its times, and so does the program's mark; the target's hashes do not.
function alike(text: string): string {
  return withoutTimes(text).replace(/(?<=^seal: |"seal":")[0-9a-f]{32}\b/gm, 'MARK');
}

export function sameShape(one: Shape, other: Shape): boolean {
  return differences(one, other).length === 0;
}

export function differences(one: Shape, other: Shape): string[] {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].filter((name) => one[name] !== other[name]);
}

/** Returns what is wrong with a vault after a start, whatever happened before it; empty where all can be explained. */
export function problemsOf(root: string): string[] {
  return [...leftovers(root), ...brokenNotes(root), ...keptProblems(root), ...linkedNotes(root)];
}

function leftovers(root: string): string[] {
  const inFolder = (folder: string) =>
    fs.readdirSync(path.join(root, '.steward', folder)).map((name) => `left over: .steward/${folder}/${name}`);
  const temporary = allFiles(root)
    .filter((file) => /\.part$|\.\d+$|~$/.test(file))
    .map((file) => `temporary file: ${file}`);
  const lock = fs.existsSync(path.join(root, '.steward/lock')) ? ['the lock is held'] : [];
  return [...new Set([...inFolder('tmp'), ...inFolder('journal'), ...temporary, ...lock])];
}

function brokenNotes(root: string): string[] {
  return notesOf(root).flatMap((file) => {
    const read = readNote(file, fs.readFileSync(path.join(root, file)));
    return read.ok ? [] : [`broken note: ${file}: ${read.trouble.message}`];
  });
}

export function keptLines(root: string): { note: string; file: string }[] {
  const file = path.join(root, '.steward/state/kept.json');
  return fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : [];
}

function keptProblems(root: string): string[] {
  const lost = keptLines(root).filter(({ file }) => !fs.existsSync(path.join(root, file)));
  return lost.map(({ file }) => `kept, but not there: ${file}`);
}

// A note that shares its file with a name in the history would change what the history keeps.
function linkedNotes(root: string): string[] {
  return notesOf(root)
    .filter((file) => fs.statSync(path.join(root, file)).nlink > 1)
    .map((file) => `has a second name: ${file}`);
}

/** Whether what a person typed is in the note, or in a history file that `status` lists. */
export function holdsToken(root: string, note: string, token: string = TOKEN): boolean {
  const places = [note, ...keptLines(root).map(({ file }) => file)];
  return places.some((file) => {
    const place = path.join(root, file);
    return fs.existsSync(place) && fs.readFileSync(place, 'utf8').includes(token);
  });
}

/** Checks that each live change has its event note, each event note its change, and each stamp its note. */
export function ledgerProblems(root: string, target = 'task/pay.md', before = 'open', after = 'done'): string[] {
  const state = fieldsOf(root, target)?.state;
  const events = notesOf(root).filter((file) => file.startsWith('event/'));
  const read = events.map((file) => fieldsOf(root, file) ?? {});
  // A dismissal, and the undo of one, change no field of the note.
  const live = read.filter((fields) => fields.undo_recipe && !('reverses' in fields) && !('dismisses' in fields));
  const reversed = read.filter((fields) => 'reverses' in fields && fields.outcome === 'reversed' && hasChanges(fields));
  const standing = live.length - reversed.length;
  const stamped = notesOf(root).filter((file) => fieldsOf(root, file)?.status === 'applied');
  return [
    ...(state === after && standing !== 1 ? [`${target} is ${after}, with ${standing} standing events`] : []),
    ...(state === before && standing !== 0 ? [`${target} is ${before}, with ${standing} standing events`] : []),
    ...stamped
      .filter((file) => !fs.existsSync(path.join(root, String(fieldsOf(root, file)?.audit_record_path))))
      .map((file) => `${file} is stamped with a note that is not there`),
    ...(live.length > 0 && stamped.length === 0 ? ['an event note without a stamped signal'] : []),
  ];
}

function hasChanges({ changes }: Record<string, unknown>): boolean {
  return typeof changes === 'object' && changes !== null && Object.keys(changes).length > 0;
}

function fieldsOf(root: string, file: string): Record<string, unknown> | null {
  const place = path.join(root, file);
  const read = fs.existsSync(place) ? readNote(file, fs.readFileSync(place)) : null;
  return read?.ok ? { ...flatFields(read.note.data) } : null;
}

function notesOf(root: string): string[] {
  return allFiles(root).filter((file) => !file.startsWith('.steward') && file.endsWith('.md'));
}

function allFiles(root: string): string[] {
  return fs
    .readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => fs.lstatSync(path.join(root, file)).isFile())
    .sort();
}
