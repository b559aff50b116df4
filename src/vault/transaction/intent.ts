import { z } from 'zod';
import { isFileName } from '../files.ts';
import { FORMATS } from '../formats.ts';
import { historyRow } from '../history-block.ts';
import { yamlValue } from '../records/values.ts';

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
export const intent = z.lazy(() =>
  z.object({
    schemaVersion: z.literal(FORMATS.journal.version),
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
