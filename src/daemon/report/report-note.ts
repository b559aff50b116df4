import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { findPart, keptPart } from '../../vault/notes/kept-part.ts';
import { noteText } from '../../vault/notes/note-text.ts';
import { nameTimeExact } from '../../vault/time.ts';
import type { Step } from '../../vault/transaction/journal.ts';
import { textStep } from '../../vault/transaction/steps.ts';
import type { Vault } from '../../vault/watch/vault.ts';
import type { Workspace, WriteAccess } from '../context/ports.ts';
import { type Report, reportOf } from './report.ts';
import { reportText } from './report-text.ts';

/** The note that holds the scorecard. It lies in the root, where no note is a record. */
export const REPORT_NOTE = 'Steward report.md';

const PART = { begin: '%% steward: report %%', end: '%% /steward %%' };
const MARKS = 'Its marks are not as the program wrote them, so it was left as it is.';
const TYPED =
  'Somebody has written between its marks, so it was left as it is: move those words above or below the marks, and delete what is between them.';
const BUSY = 'It is being edited just now; the next report writes it.';
/** A report waits at most this long for its note to be quiet. */
const LONG_MS = 15_000;

/** What became of the note that holds the report. `left`: somebody is typing in it, or it cannot be edited. */
export interface KeptNote {
  readonly path: string;
  readonly state: 'made' | 'changed' | 'unchanged' | 'left';
  readonly reason: string | null;
}

/** What `steward report` asks for; `since` in epoch ms. */
interface ReportRequest {
  readonly since: number | null;
  readonly matter: string | null;
}

/**
 * Returns the report that is asked for, and updates the note in the vault, which always covers the whole vault. What a
 * person wrote around the program's part of the note stays byte for byte. Waits for a note that is being edited, but
 * not for ever. Throws `matter-unknown`.
 */
export async function report(
  space: Workspace,
  { since, matter }: ReportRequest,
): Promise<{ readonly report: Report; readonly note: KeptNote }> {
  const asked = await reportOf(space, since, matter);
  const whole = since === null && matter === null ? asked : await reportOf(space, null, null);
  const note = await space.transactions.inTurn(REPORT_NOTE, () => keep(space, reportText(whole)));
  return { report: asked, note };
}

async function keep(space: WriteAccess, text: string): Promise<KeptNote> {
  const kept = await space.transactions.attemptAsync([REPORT_NOTE], async (): Promise<KeptNote | null> => {
    const note = space.notes.fresh(REPORT_NOTE);
    if (note === null && isThere(space.vault)) return left('It cannot be read as a note, so it was left as it is.');
    const after = note === null ? newNote(text) : withBlock(note.text, text);
    if (after === null) return left(MARKS);
    if (note !== null && isTypedInto(note.text)) return left(TYPED);
    if (after === note?.text) return { path: REPORT_NOTE, state: 'unchanged', reason: null };
    const quietIn = (note?.settledAt ?? 0) - space.context.now();
    if (quietIn > LONG_MS) return left(BUSY);
    if (quietIn > 0) {
      await wait(quietIn);
      return null;
    }
    const step = note === null ? created(after) : textStep(REPORT_NOTE, note.text, after);
    return written(space, step) ? { path: REPORT_NOTE, state: note === null ? 'made' : 'changed', reason: null } : null;
  });
  return kept ?? left(BUSY);
}

function isThere(vault: Vault): boolean {
  return fs.lstatSync(path.join(vault.root, REPORT_NOTE), { throwIfNoEntry: false }) !== undefined;
}

function created(text: string): Step {
  return { do: 'create', path: REPORT_NOTE, text };
}

function written(space: WriteAccess, step: Step): boolean {
  const now = space.context.now();
  // Named like an action, so that what a crash leaves of it is kept in the same way.
  const id = `report-action-${nameTimeExact(now)}`;
  return space.transactions.commit(id, [step]);
}

function newNote(text: string): string {
  const opening = 'What you write above or below the part that the steward keeps up to date stays as it is.';
  return noteText({ steward: false }, `${opening}\n\n${keptPart(PART, text)}`);
}

/**
 * Returns the note with the program's part replaced, or appended where there is none; null where its marks are unclear.
 */
function withBlock(note: string, text: string): string | null {
  const part = findPart(note, PART);
  const block = keptPart(PART, text);
  if (part.kind === 'absent') return `${note}${note.endsWith('\n') ? '\n' : '\n\n'}${block}\n`;
  return part.kind === 'found' ? `${note.slice(0, part.start)}${block}${note.slice(part.end)}` : null;
}

// Where the line that tells is gone, a version before it made the part, or somebody has deleted it.
function isTypedInto(note: string): boolean {
  const part = findPart(note, PART);
  return part.kind === 'found' && part.isOwn === false;
}

function left(reason: string): KeptNote {
  return { path: REPORT_NOTE, state: 'left', reason };
}
