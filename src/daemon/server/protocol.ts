import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { grant } from '../../source/grant.ts';
import { sourceFields } from '../../source/source-fields.ts';
import { MODES } from '../../steward/gates/mode.ts';
import { usage } from '../../steward/ports/evaluator.ts';
import { agentProposal } from '../../stream/agents/proposal.ts';
import type { Diagnostic } from '../../vault/errors.ts';
import { MUTATION_CLASSES } from '../../vault/records/mutation-class.ts';

/** What the daemon answers to a request. */
export type Reply =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly trouble: Diagnostic; readonly exit: number };

const proposalFilter = z.lazy(() =>
  z.object({
    matter: z.string().nullable(),
    class: z.enum(MUTATION_CLASSES).nullable(),
    minConfidence: z.number().nullable(),
    source: z.string().nullable(),
  }),
);

/** What is said on the way to a reply, where it was asked for; null: the work goes on. */
export interface OnTheWay {
  readonly progress: unknown;
}

/** What a command says beside its request. */
export const envelope = z.object({
  /** Which vault it means, as a path without links: the socket may be that of another. */
  vault: z.string().optional(),
  /** Whether it wants lines about the progress before the reply. */
  progress: z.boolean().optional(),
});

/** What a command may ask of a running daemon: one line of JSON for the request, one for the reply. */
export const request = z.lazy(() =>
  z.discriminatedUnion('op', [
    /** Whether it answers at all: costs the same in any vault. */
    z.object({ op: z.literal('alive') }),
    z.object({ op: z.literal('status') }),
    z.object({ op: z.literal('log'), count: z.number().int().min(1), matter: z.string().nullable() }),
    z.object({ op: z.literal('import'), files: z.array(z.string()) }),
    z.object({
      op: z.literal('tick'),
      matters: z.array(z.string()),
      force: z.boolean(),
      mode: z.enum(MODES).nullable(),
    }),
    z.object({
      op: z.literal('undo'),
      events: z.array(z.string()),
      last: z.number().int().min(1).nullable(),
      reason: z.string().nullable(),
      force: z.boolean(),
      dryRun: z.boolean(),
    }),
    z.object({
      op: z.literal('answer'),
      kind: z.enum(['confirm', 'dismiss']),
      events: z.array(z.string()),
      filter: proposalFilter.optional(),
      choose: z.string().nullable().optional(),
      dryRun: z.boolean(),
    }),
    agentProposal.unwrap().extend({ op: z.literal('propose') }),
    z.object({ op: z.literal('reserve'), estimate: usage }),
    z.object({ op: z.literal('question'), questions: z.number().int().min(0) }),
    z.object({
      op: z.literal('record'),
      id: z.number().int().nullable(),
      cost: z.object({ tokens: z.number().min(0), usd: z.number().min(0) }).nullable(),
      usage: usage.optional(),
      retryAfter: z.number().nullable().optional(),
    }),
    z.object({
      op: z.literal('roundtable'),
      briefing: z.string(),
      recorded: z.boolean(),
      /** The folders outside the vault that this command allows to be read. */
      roots: z.array(z.string().refine(isAbsolute)).optional(),
    }),
    z.object({
      op: z.literal('source-test'),
      name: z.string(),
      /** What the person allows it, where that is new. */
      allow: grant.nullable(),
    }),
    z.object({ op: z.literal('sources') }),
    /** Connects once and brings nothing; without `fields` and `allow` as the note and the grant of that name say. */
    z.object({
      op: z.literal('source-try'),
      name: z.string(),
      fields: sourceFields.nullable(),
      allow: grant.nullable(),
    }),
    z.object({ op: z.literal('source-add'), name: z.string(), fields: sourceFields, allow: grant }),
    z.object({ op: z.literal('source-pause'), name: z.string(), paused: z.boolean() }),
    z.object({ op: z.literal('bank-format'), line: z.string().max(10_000) }),
    z.object({ op: z.literal('notify-test') }),
    z.object({ op: z.literal('report'), since: z.number().nullable(), matter: z.string().nullable() }),
  ]),
);

export type Request = z.infer<typeof request>;
