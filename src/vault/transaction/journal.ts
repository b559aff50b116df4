import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { type Diagnostic, diagnostic, reasonOf, systemCode } from '../errors.ts';
import { isFileName, readBytes, writeState } from '../files.ts';
import { historyRow } from '../notes/history-block.ts';
import { removeFile } from '../part-file.ts';
import { yamlValue } from '../records/values.ts';
import type { Seal } from '../seal.ts';

const fieldEdit = z.lazy(() =>
  z.union([
    z.object({ op: z.literal('set'), field: z.string(), value: yamlValue }),
    z.object({ op: z.enum(['add', 'remove']), field: z.string(), members: z.array(z.string()) }),
    z.object({ op: z.literal('delete'), field: z.string() }),
  ]),
);

const stepPart = z.object({ marks: z.object({ begin: z.string(), end: z.string() }), text: z.string() });
export type StepPart = z.infer<typeof stepPart>;

const editStep = z.lazy(() =>
  z.object({
    do: z.literal('edit'),
    path: z.string(),
    before_sha256: z.string(),
    after_sha256: z.string(),
    /** The note's whole new text, exactly as it will be. */
    text: z.string(),
    /** How to make the edit again on a note that a person has changed meanwhile; absent where it is then left out. */
    again: z.array(fieldEdit).optional(),
    /** The same for fields that are added at the end, nested ones too. */
    append: z.record(z.string(), z.unknown()).optional(),
    /** What the edit adds to the history in an instinct's note. */
    history: z.array(historyRow).optional(),
    /** What the edit writes into a part of the body that the program keeps, where nobody has edited that. */
    part: stepPart.optional(),
    /** What the history says first; absent where it stays as it is. */
    opening: z.array(z.string()).optional(),
    /** The fields' values when the edit was decided: a field with another value by now belongs to the person. */
    expects: z.record(z.string(), yamlValue).optional(),
  }),
);
export type EditStep = z.infer<typeof editStep>;

const createStep = z.lazy(() => z.object({ do: z.literal('create'), path: z.string(), text: z.string() }));
/**
 * One action, written down before it is carried out. The first step decides: if it did not happen, nothing did and the
 * intent is withdrawn; if it did, the others follow, after a crash too. The disk shows for each step whether it is
 * done, so carrying out an intent twice has the effect of carrying it out once.
 */
const intent = z.lazy(() =>
  z.object({
    schemaVersion: z.literal(1),
    /** The name of the event note it leads to: also the name of its journal file and of the history kept. */
    id: z.string().refine(isFileName),
    at: z.string(),
    /** How many files an earlier attempt of the same name had left in the history: they say nothing about this one. */
    kept_before: z.number().int().optional(),
    /** Set once the deciding step is known to have happened: `steps` then holds it and what is left to do. */
    decided: z.literal(true).optional(),
    steps: z.array(z.discriminatedUnion('do', [editStep, createStep])).min(1),
  }),
);
export type Intent = z.infer<typeof intent>;
export type Step = Intent['steps'][number];

/** No action is larger: notes have at most 1 MiB, and an action touches a few. */
const MAX_INTENT_BYTES = 64 * 1024 * 1024;

/**
 * The intents in progress, one file each under `.steward/journal`: a line of JSON, and a line with the program's mark on
 * it. What has no mark of this key was put there by somebody else, or by a steward on another machine with whom the
 * folder is shared, who finishes it: it is reported, and not carried out.
 */
export class Journal {
  readonly #folder: string;
  readonly #seal: Seal;

  constructor(folder: string, seal: Seal) {
    this.#folder = folder;
    this.#seal = seal;
  }

  /** Writes an intent down durably. Throws with the file's name where the disk refuses. */
  open(pending: Intent): void {
    const line = JSON.stringify(pending);
    writeState(this.#file(pending.id), `${line}\n${this.#seal.of(marked(`${pending.id}.json`, line))}\n`);
  }

  /** Deletes an intent that was carried out or withdrawn. */
  close(id: string): void {
    removeFile(this.#file(id));
  }

  /** Returns the intents that are still in progress, in order of their names, and the files that cannot be read. */
  pending(): { intents: Intent[]; bad: Diagnostic[] } {
    const intents: Intent[] = [];
    const bad: Diagnostic[] = [];
    for (const name of namesIn(this.#folder)) {
      if (!name.endsWith('.json')) continue;
      try {
        const { bytes } = readBytes(path.join(this.#folder, name), MAX_INTENT_BYTES);
        const [line = '', mark = ''] = bytes.toString('utf8').split('\n');
        if (this.#seal.holds(marked(name, line), mark)) intents.push(intent.parse(JSON.parse(line)));
        else bad.push(foreign(name));
      } catch (error) {
        bad.push(unreadable(name, reasonOf(error)));
      }
    }
    return { intents, bad };
  }

  #file(id: string): string {
    return path.join(this.#folder, `${id}.json`);
  }
}

function namesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder).sort();
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return []; // a vault that nobody has worked on yet
    throw error;
  }
}

/** What the mark covers: under another name an old intent is not the program's. */
function marked(name: string, line: string): string {
  return `intent ${name}\n${line}`;
}

function foreign(name: string): Diagnostic {
  return diagnostic({
    code: 'journal-foreign',
    file: `.steward/journal/${name}`,
    message: 'Another program wrote an entry of the journal, so it is left undone.',
    hint: 'Keep .steward out of the sync. Delete the entry unless another steward works on this vault.',
  });
}

function unreadable(name: string, reason: string): Diagnostic {
  return diagnostic({
    code: 'journal-unreadable',
    file: `.steward/journal/${name}`,
    message: `An entry of the journal cannot be read (${reason.split('\n')[0]}).`,
    hint: 'The notes are whole; look at the newest event notes, then delete the entry.',
  });
}
