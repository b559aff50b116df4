import type { Workspace } from '../context/ports.ts';
import { type KeptNote, keepNote } from '../kept/kept-note.ts';
import { type Report, reportOf } from './report.ts';
import { reportText } from './report-text.ts';

/** The note that holds the scorecard. */
export const REPORT_NOTE = 'Steward report.md';

/** What `steward report` asks for; `since` in epoch ms. */
interface ReportRequest {
  readonly since: number | null;
  readonly matter: string | null;
}

/**
 * Returns the report that is asked for, and updates the note in the vault, which always covers the whole vault. Waits for a
 * note that is being edited, but not for ever. Throws `matter-unknown`.
 */
export async function report(
  space: Workspace,
  { since, matter }: ReportRequest,
): Promise<{ readonly report: Report; readonly note: KeptNote }> {
  const asked = await reportOf(space, since, matter);
  const whole = since === null && matter === null ? asked : await reportOf(space, null, null);
  const note = await keepNote(space, { path: REPORT_NOTE, name: 'report' }, reportText(whole));
  return { report: asked, note };
}
