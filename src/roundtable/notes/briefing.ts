import path from 'node:path';
import { z } from 'zod';
import { diagnostic, StewardError } from '../../vault/errors.ts';
import { fieldPosition, type ParsedNote } from '../../vault/frontmatter/parsed-note.ts';
import { fold } from '../../vault/note-names.ts';
import { optionalText } from '../../vault/records/values.ts';
import { bodyOf } from './note-body.ts';

/** An agent that takes part. Its name is also the name of its file. */
export interface Participant {
  readonly name: string;
  /** Its role in the briefing's words; may be empty. */
  readonly role: string;
  /** The id of its model; null for the one from the settings. */
  readonly model: string | null;
}

/** The briefing of a roundtable, from `roundtable/<id>/briefing.md`. */
export interface Briefing {
  /** The name of its folder. */
  readonly id: string;
  /** Vault-relative path of the note. */
  readonly file: string;
  /** Vault-relative path of its folder. */
  readonly folder: string;
  readonly question: string;
  readonly agents: readonly Participant[];
  readonly maxRounds: number;
  /** How the debate is to be held, in the briefing's words; null where it does not say. */
  readonly format: string | null;
  /** The text below the frontmatter: the background and the registered files. */
  readonly body: string;
  /** The whole note as it is on disk, so that its line numbers can be cited. */
  readonly text: string;
}

const DEFAULT_ROUNDS = 3;
const MOST_ROUNDS = 10;
/** The most agents that one roundtable may have. */
export const MOST_AGENTS = 12;
const NAME = /^[\p{L}\p{N}][\p{L}\p{N}_-]{0,39}$/u;
/** Names that mean somebody else in a roundtable. */
const RESERVED = ['judge', 'steward', 'all', 'everyone'];

const name = z.union([z.string(), z.number()], { error: 'must be a name' }).transform(String);
const participant = z.union([z.object({ name, role: optionalText, model: optionalText }), z.string().transform(flat)], {
  error: 'must be a list of agents, each with a name, a role and a model, or as "name | role | model"',
});

const fields = z.object({
  question: z
    .string({ error: 'must be the question, as text' })
    .trim()
    .min(1, { error: 'must be the question, as text' }),
  agents: z
    .array(participant, { error: 'must be the list of those who take part' })
    .min(2, { error: 'must name two agents at least' })
    .max(MOST_AGENTS, { error: `must name ${MOST_AGENTS} agents at most` }),
  max_rounds: z
    .number({ error: `must be a number from 1 to ${MOST_ROUNDS}` })
    .int()
    .min(1, { error: `must be a number from 1 to ${MOST_ROUNDS}` })
    .max(MOST_ROUNDS, { error: `must be a number from 1 to ${MOST_ROUNDS}` })
    .nullish()
    .transform((value) => value ?? DEFAULT_ROUNDS),
  format: optionalText,
});

// Obsidian's property editor does not show nested values, so an agent may also be one line of text.
function flat(line: string): { name: string; role: string | null; model: string | null } {
  const [first = '', role = '', model = ''] = line.split('|').map((part) => part.trim());
  return { name: first, role: role || null, model: model || null };
}

/**
 * Reads a briefing. `file`: its vault-relative path. Throws `briefing-invalid` with the position of the invalid field.
 */
export function readBriefing(file: string, note: ParsedNote): Briefing {
  const parsed = fields.safeParse(note.data);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw invalid(file, note, String(issue?.path[0] ?? 'question'), issue?.message ?? 'is not valid');
  }
  const { question, agents, max_rounds, format } = parsed.data;
  const wrong = wrongNames(agents.map((agent) => agent.name));
  if (wrong !== null) throw invalid(file, note, 'agents', wrong);
  const folder = path.posix.dirname(file);
  return {
    id: path.posix.basename(folder),
    file,
    folder,
    question,
    agents: agents.map((agent) => ({ name: agent.name, role: agent.role ?? '', model: agent.model })),
    maxRounds: max_rounds,
    format,
    body: bodyOf(note),
    text: note.text,
  };
}

// Names become file names, also on disks that ignore case.
function wrongNames(names: readonly string[]): string | null {
  const unfit = names.find((one) => !NAME.test(one));
  if (unfit !== undefined) {
    return `holds the name ${JSON.stringify(unfit.slice(0, 60))}; a name has letters, digits, - and _ only, 40 at most`;
  }
  const reserved = names.find((one) => RESERVED.includes(fold(one)));
  if (reserved !== undefined) return `holds the name ${reserved}, which is somebody else's at the table`;
  const folded = names.map(fold);
  const twice = names.find((one, at) => folded.indexOf(fold(one)) !== at);
  return twice === undefined ? null : `holds the name ${twice} twice; each agent writes a file of its own name`;
}

function invalid(file: string, note: ParsedNote, field: string, message: string): StewardError {
  return new StewardError(
    diagnostic({
      code: 'briefing-invalid',
      file,
      ...fieldPosition(note, field),
      message: `${field} ${message}.`,
      hint: 'A briefing has a question, agents (name, role, model) and, if you like, max_rounds and format.',
    }),
  );
}
