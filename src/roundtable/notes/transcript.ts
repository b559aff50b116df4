import { readNote } from '../../vault/frontmatter/parse.ts';
import { type Checked, checkCitations, type Message } from '../claims/citations.ts';
import { evidenceText } from '../claims/evidence-text.ts';
import type { Source } from '../claims/source.ts';
import { entriesOf, type Phase, type Said, type TableLog } from '../log/log.ts';
import type { Briefing } from './briefing.ts';
import type { Folder } from './folder.ts';

/** A message with where it was said, as the table hears it: of an opening, the agent's file and its reply. */
export interface Uttered extends Message {
  readonly round: number;
  readonly phase: Phase;
}

const HEARD: readonly Phase[] = ['opening', 'speaking', 'rebuttal'];

/** What the agents have said, in the order it was heard. The judge's words are not among it. */
export function transcriptOf(log: TableLog, folder: Folder): Uttered[] {
  const seats = log.agents.map(({ name }) => name);
  return (
    entriesOf(log, 'said')
      .filter(({ phase }) => HEARD.includes(phase))
      // Openings are written at once: none was before another, whoever ended first.
      .toSorted((one, other) =>
        one.round === other.round && one.phase === 'opening' && other.phase === 'opening'
          ? seats.indexOf(one.who) - seats.indexOf(other.who)
          : 0,
      )
      .flatMap((said): Uttered[] => {
        const text = textOf(said, folder);
        return text === null ? [] : [{ agent: said.who, round: said.round, phase: said.phase, text }];
      })
  );
}

// A file that came from the reply says the same as the reply.
function textOf({ text, file }: Said, folder: Folder): string | null {
  if (file === null || file.state === 'missing' || file.state === 'fallback') return text;
  // The note holds escapes, so that nothing in it does anything where it is opened; what was said had none.
  const written = bodyOf(folder.read(file.path))?.replace(/\\([!-/:-@[-`{-~])/g, '$1') ?? null;
  return written === null ? text : `${written}\n\n${text ?? ''}`.trim();
}

/** A note's text without its frontmatter. */
export function bodyOf(bytes: Buffer | null): string | null {
  if (bytes === null) return null;
  const read = readNote('', bytes);
  if (!read.ok) return null;
  const { text, block } = read.note;
  return (block === null ? text : text.slice(block.end).replace(/^[^\n]*\n?/, '')).trim();
}

/** What the figures said so far rest on: the briefing, and whatever a lookup has found. What found nothing bears out nothing. */
export function sourcesOf(log: TableLog, briefing: Briefing): Source[] {
  const found = entriesOf(log, 'result').filter(({ ok, standing }) => ok && standing === 'taken');
  const asked = new Map(entriesOf(log, 'asked').map(({ id, text }) => [id, text]));
  const grounds = found.flatMap(({ id, text }) => evidenceText(asked.get(id) ?? '', text));
  return [{ file: briefing.file, text: briefing.text }, ...grounds];
}

/** A figure that was said, what became of looking for it, and when it was said. */
interface Cited extends Checked {
  readonly round: number;
  readonly phase: Phase;
}

/** Every figure that was said, looked up; each with the round and part it was said in. */
export function citationsOf(log: TableLog, briefing: Briefing, folder: Folder): Cited[] {
  const uttered = transcriptOf(log, folder);
  return checkCitations(uttered, sourcesOf(log, briefing)).flatMap((checked) => {
    const where = uttered[checked.message];
    return where === undefined ? [] : [{ ...checked, round: where.round, phase: where.phase }];
  });
}
