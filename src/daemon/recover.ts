import fs from 'node:fs';
import path from 'node:path';
import { insideVault, readBytes, syncFolder } from '../vault/files.ts';
import { MAX_NOTE_BYTES } from '../vault/frontmatter.ts';
import { sha256 } from '../vault/hash.ts';
import type { EditStep, Intent } from '../vault/journal.ts';
import { partName } from '../vault/publish.ts';
import { systemCode, type Trouble } from '../vault/trouble.ts';
import { finishIntent } from './apply.ts';
import type { Workspace } from './workspace.ts';

export interface Recovery {
  readonly finished: readonly string[];
  readonly withdrawn: readonly string[];
  readonly bad: readonly Trouble[];
}

/**
 * Settles what a crash left under way: each journalled intent is finished if its deciding step happened, withdrawn
 * if not. Then `.steward/tmp` is empty. May itself be killed at any point and run again.
 */
export function recover(space: Workspace): Recovery {
  const { intents, bad } = space.journal.pending();
  const finished: string[] = [];
  const withdrawn: string[] = [];
  for (const work of intents) {
    const decided = wasDecided(space, work);
    settleParts(space, work);
    if (decided) {
      finishIntent(space, work);
      finished.push(work.id);
    } else {
      space.journal.close(work.id);
      withdrawn.push(work.id);
    }
  }
  sweepTemporary(space);
  return { finished, withdrawn, bad };
}

// A later edit may have been cut off in the middle of its swap as well: what it displaced is kept, or goes back.
function settleParts(space: Workspace, work: Intent): void {
  for (const step of work.steps.slice(1)) if (step.do === 'edit') wasPublished(space, work, step);
}

function wasDecided(space: Workspace, work: Intent): boolean {
  const [first] = work.steps;
  if (first === undefined) return false;
  if (first.do === 'create') return fs.existsSync(path.join(space.vault.root, first.path));
  return wasPublished(space, work, first);
}

/**
 * Whether an edit reached its note. The swap is one step, so the part files tell: after it, a part holds what the
 * note was; before it, what the note was to become.
 */
function wasPublished(space: Workspace, work: Intent, step: EditStep): boolean {
  const note = shaOf(noteFile(space, step.path));
  const displaced = displacedPart(space, work, step);
  if (displaced === null) return note === step.after_sha256 || keptBefore(space, work, step);
  if (displaced.sha === step.before_sha256) {
    keep(space, work, displaced.file);
    return true;
  }
  // A write had slipped in before the swap and was not yet put back: it goes back now, and the edit is withdrawn.
  const file = noteFile(space, step.path);
  if (file !== null && note === step.after_sha256) {
    fs.renameSync(displaced.file, file);
    syncFolder(path.dirname(file));
    return false;
  }
  space.displaced.report(step.path, keep(space, work, displaced.file));
  return false;
}

function keptBefore(space: Workspace, work: Intent, step: EditStep): boolean {
  return fs.readdirSync(space.places.history).some((name) => {
    if (!name.startsWith(`${work.id}.`)) return false;
    return shaOf(path.join(space.places.history, name)) === step.before_sha256 && !isNoteItself(space, name, step);
  });
}

// Where there is no exchange, a hard link of the note is made before the rename: until then it is the note itself.
function isNoteItself(space: Workspace, name: string, step: EditStep): boolean {
  const note = noteFile(space, step.path);
  if (note === null) return false;
  return fs.statSync(note).ino === fs.statSync(path.join(space.places.history, name)).ino;
}

// A part that is neither our new text nor a beginning of it is the file that was displaced.
function displacedPart(space: Workspace, work: Intent, step: EditStep): { file: string; sha: string } | null {
  const name = partName(work.id, step.path);
  const beside = path.join(space.vault.root, path.dirname(step.path), `.${name}`);
  const file = [path.join(space.places.tmp, name), beside].find((place) => fs.existsSync(place));
  if (file === undefined) return null;
  const bytes = readBytes(file, 8 * MAX_NOTE_BYTES).bytes;
  const ours = Buffer.from(step.text);
  if (bytes.length <= ours.length && ours.subarray(0, bytes.length).equals(bytes)) {
    fs.rmSync(file, { force: true });
    return null;
  }
  return { file, sha: sha256(bytes) };
}

function keep(space: Workspace, work: Intent, part: string): string {
  for (let count = 1; ; count += 1) {
    const file = path.join(space.places.history, `${work.id}.${count}.md`);
    if (fs.existsSync(file)) continue;
    fs.renameSync(part, file);
    syncFolder(space.places.history);
    return file;
  }
}

function sweepTemporary(space: Workspace): void {
  for (const file of entries(space.places.tmp)) fs.rmSync(file, { force: true, recursive: true });
  const leftovers = [...entries(space.places.state), ...entries(space.places.journal), ...entries(space.places.cache)];
  for (const file of leftovers) if (/\.\d{6,}$|\.part$/.test(file)) fs.rmSync(file, { force: true });
}

function entries(folder: string): string[] {
  try {
    return fs.readdirSync(folder).map((name) => path.join(folder, name));
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  }
}

function noteFile(space: Workspace, file: string): string | null {
  try {
    return insideVault(space.vault.root, file);
  } catch {
    return null;
  }
}

function shaOf(file: string | null): string | null {
  try {
    return file === null ? null : sha256(readBytes(file, MAX_NOTE_BYTES).bytes);
  } catch {
    return null;
  }
}
