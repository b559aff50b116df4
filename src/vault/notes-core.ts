import { z } from 'zod';
import { staysInside } from './files.ts';
import { readNote } from './frontmatter-parse.ts';
import { linkTarget } from './links.ts';
import { stem } from './note-names.ts';
import { streamFileOf } from './notes/stream-path.ts';

/** How many signals of an event are asked; one that has more says the same of fewer people. */
const MOST_SIGNALS = 50;

const link = z.string().nullable().catch(null);
const about = z.object({
  target_path: link,
  source_event_path: link,
  signals: z.array(z.string()).catch([]),
  target_candidates: z.array(z.string()).catch([]),
});

/**
 * Returns the vault-relative paths of what a note of the program's is about, as its text names them: its target, the
 * stream file it comes from, its signals. `signalsNamed` returns where signals of a name may lie.
 */
export function sourcesOf(file: string, text: string, signalsNamed: (name: string) => readonly string[]): string[] {
  const read = readNote(file, Buffer.from(text));
  const { data: fields } = about.safeParse(read.ok ? read.note.data : {});
  if (fields === undefined) return [];
  const { source_event_path: event } = fields;
  const notes = [fields.target_path, ...fields.target_candidates].flatMap((one) => one ?? []);
  const named = fields.signals.slice(0, MOST_SIGNALS).flatMap((one) => signalsNamed(stem(linkTarget(one))));
  const found = [
    ...notes.map((one) => `${linkTarget(one)}.md`),
    // A file may have a name that reads like that of an event in another.
    ...(event === null ? [] : new Set([event, streamFileOf(event)])),
    ...named,
  ];
  return found.filter(staysInside);
}
