import { readNote } from '../../vault/frontmatter/parse.ts';
import type { Message } from '../claims/citations.ts';
import { evidenceText } from '../claims/evidence-text.ts';
import type { Source } from '../claims/source.ts';
import { entriesOf, type Phase, type RoundtableLog, type Said } from '../log/log.ts';
import { spokenIn } from '../log/log-fold.ts';
import type { Briefing } from './briefing.ts';
import type { Folder } from './folder.ts';
import { bodyOf } from './note-body.ts';

/** A message and when it was said. In an opening its text is the agent's file, followed by its reply. */
interface Utterance extends Message {
  readonly round: number;
  readonly phase: Phase;
}

/** Returns what the agents have said, in order, each opening with the whole of its file: what their figures are checked in. */
export function transcriptOf(log: RoundtableLog, folder: Folder): Utterance[] {
  return spokenIn(log).flatMap((said): Utterance[] => {
    const text = textOf(log, said, folder);
    return text === null ? [] : [{ agent: said.who, round: said.round, phase: said.phase, text }];
  });
}

// A file that was written from the reply repeats it. One that somebody has changed since is no longer the agent's word.
function textOf(log: RoundtableLog, { text, file }: Said, folder: Folder): string | null {
  if (file === null || file.state === 'missing' || file.state === 'fallback') return text;
  const written = readWords(folder.ownBytes(log, file.path));
  return written === null ? text : `${written}\n\n${text ?? ''}`.trim();
}

/** Returns the body of a note's bytes; null where there are none, or where they are not a note. */
export function readBody(bytes: Buffer | null): string | null {
  const read = bytes === null ? null : readNote('', bytes);
  return read?.ok === true ? bodyOf(read.note) : null;
}

/** Returns the body of a note's bytes as its author wrote it; null as `readBody` does. */
export function readWords(bytes: Buffer | null): string | null {
  // The note holds escapes, so that nothing in it runs where it is opened. What was said had none.
  return readBody(bytes)?.replace(/\\([!-/:-@[-`{-~])/g, '$1') ?? null;
}

/**
 * Returns what the figures so far may rest on: the briefing, and the results of lookups that found something in time.
 */
export function sourcesOf(log: RoundtableLog, briefing: Briefing): Source[] {
  const found = entriesOf(log, 'result').filter(({ ok, standing }) => ok && standing === 'taken');
  const asked = new Map(entriesOf(log, 'asked').map(({ id, text }) => [id, text]));
  const evidence = found.flatMap(({ id, text }) => evidenceText(asked.get(id) ?? '', text));
  return [{ file: briefing.file, text: briefing.text }, ...evidence];
}
