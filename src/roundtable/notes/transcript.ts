import { readNote } from '../../vault/frontmatter/parse.ts';
import type { Message } from '../claims/citations.ts';
import { evidenceText } from '../claims/evidence-text.ts';
import type { Source } from '../claims/source.ts';
import { entriesOf, type Phase, type RoundtableLog, type Said } from '../log/log.ts';
import type { Briefing } from './briefing.ts';
import type { Folder } from './folder.ts';
import { bodyOf } from './note-body.ts';

/** A message and when it was said. In an opening its text is the agent's file, followed by its reply. */
export interface Utterance extends Message {
  readonly round: number;
  readonly phase: Phase;
}

/** The phases in which agents speak. */
const HEARD: readonly Phase[] = ['opening', 'speaking', 'rebuttal'];

/** Returns what the agents have said, in order. The judge's messages are left out. */
export function transcriptOf(log: RoundtableLog, folder: Folder): Utterance[] {
  const order = log.agents.map(({ name }) => name);
  return (
    entriesOf(log, 'said')
      .filter(({ phase }) => HEARD.includes(phase))
      // Openings are written in parallel, so they follow the order of the agents, not the order in which they finished.
      .toSorted((one, other) =>
        one.round === other.round && one.phase === 'opening' && other.phase === 'opening'
          ? order.indexOf(one.who) - order.indexOf(other.who)
          : 0,
      )
      .flatMap((said): Utterance[] => {
        const text = textOf(log, said, folder);
        return text === null ? [] : [{ agent: said.who, round: said.round, phase: said.phase, text }];
      })
  );
}

// A file that was written from the reply repeats it. One that somebody has changed since is no longer the agent's word.
function textOf(log: RoundtableLog, { text, file }: Said, folder: Folder): string | null {
  if (file === null || file.state === 'missing' || file.state === 'fallback') return text;
  // The note holds escapes, so that nothing in it runs where it is opened. What was said had none.
  const written = readBody(folder.ownBytes(log, file.path))?.replace(/\\([!-/:-@[-`{-~])/g, '$1') ?? null;
  return written === null ? text : `${written}\n\n${text ?? ''}`.trim();
}

/** Returns the body of a note's bytes; null where there are none, or where they are not a note. */
export function readBody(bytes: Buffer | null): string | null {
  const read = bytes === null ? null : readNote('', bytes);
  return read?.ok === true ? bodyOf(read.note) : null;
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
