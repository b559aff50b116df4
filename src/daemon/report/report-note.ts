import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { noteText } from '../../vault/notes/note-text.ts';
import { nameTimeExact } from '../../vault/time.ts';
import type { Step } from '../../vault/transaction/journal.ts';
import { textStep } from '../../vault/transaction/steps.ts';
import type { Vault } from '../../vault/watch/vault.ts';
import type { Workspace, WriteAccess } from '../context/ports.ts';
import { type Report, reportOf } from './report.ts';
import { reportText } from './report-text.ts';

/** The note that holds the scorecard: in the root, where it is no record. */
export const REPORT_NOTE = 'Steward report.md';

const BEGINS = '%% steward: report %%';
const ENDS = '%% /steward %%';
const BUSY = 'It is being edited just now; the next report writes it.';
/** Longer than this nobody waits for a report until a note has been quiet. */
const LONG_MS = 15_000;

/** What became of the note that holds the report. `left`: somebody is typing in it, or it cannot be written into. */
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
 * The report that is asked for; the note in the vault is brought up to date with all there is. What a person wrote
 * around the program's part of it stays byte for byte. Waits for a note that is being edited, but not for ever.
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
  const kept = await space.transactions.attemptAsync(async (): Promise<KeptNote | null> => {
    const note = space.notes.fresh(REPORT_NOTE);
    if (note === null && isThere(space.vault)) return left('It cannot be read as a note, so it was left as it is.');
    const after = note === null ? newNote(text) : withBlock(note.text, text);
    if (after === null) return left('Its marks are not as the program wrote them, so it was left as it is.');
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
  // Named as actions are: what a crash leaves of it is kept as theirs is.
  const id = `report-action-${nameTimeExact(now)}`;
  return space.transactions.commit(id, [step]);
}

function newNote(text: string): string {
  const opening = 'What you write above or below the part that the steward keeps up to date stays as it is.';
  return noteText({ steward: false }, `${opening}\n\n${block(text)}`);
}

/** The note with the program's part written anew; behind all else where there is none. Null where the marks are unclear. */
function withBlock(note: string, text: string): string | null {
  const [begins, ends] = [placesOf(note, BEGINS), placesOf(note, ENDS)];
  const [from] = begins;
  const [to] = ends;
  if (from === undefined && to === undefined) return `${note}${note.endsWith('\n') ? '\n' : '\n\n'}${block(text)}\n`;
  if (from === undefined || to === undefined || begins.length + ends.length > 2 || to < from) return null;
  return `${note.slice(0, from)}${block(text)}${note.slice(to + ENDS.length)}`;
}

function placesOf(note: string, mark: string): number[] {
  const places: number[] = [];
  for (let at = note.indexOf(mark); at >= 0; at = note.indexOf(mark, at + 1)) places.push(at);
  return places;
}

function block(text: string): string {
  return `${BEGINS}\n\n${text}\n\n${ENDS}`;
}

function left(reason: string): KeptNote {
  return { path: REPORT_NOTE, state: 'left', reason };
}
