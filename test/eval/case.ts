import fs from 'node:fs';
import path from 'node:path';
import { CORE_SCHEMA, load } from 'js-yaml';
import { z } from 'zod';
import { DECISIONS } from '../../src/steward/types.ts';
import { yamlValue } from '../../src/vault/frontmatter.ts';
import { MUTATION_CLASSES, STATES, unit } from '../../src/vault/record.ts';

/** What makes a case hard; a `plain` one simply means what it says. */
export const KINDS = [
  'plain',
  'negation',
  'conditional',
  'question',
  'intention',
  'quoted',
  'newsletter',
  'out_of_office',
  'sarcasm',
  'similar_name',
  'other_thing',
  'partial',
  'reminder',
  'uncancelled',
  'undone',
  'moved_twice',
  'forwarded',
  'template',
  'reported',
  'past',
  'injection',
  'contradiction',
  'asked_as_well',
  'already_so',
  'weak',
  'stale',
  'forbidden',
] as const;

const day = z.iso.date();
const note = z.string().min(1);
const quote = z.string().min(1);

const expected = z.union([
  z.strictObject({ done: note, quote }).transform(({ done, quote }) => change(done, quote, { state: 'done' })),
  z.strictObject({ archived: note, quote }).transform((it) => change(it.archived, it.quote, { state: 'archived' })),
  z
    .strictObject({ due: note, on: z.union([day, z.iso.datetime({ local: true, precision: -1 })]), quote })
    .transform((it) => change(it.due, it.quote, { due: it.on })),
  z.strictObject({ asks: note, quote }).transform((it) => change(it.asks, it.quote, null)),
]);

const common = {
  id: z.string().regex(/^[a-z0-9-]+$/),
  kind: z.enum(KINDS),
  held_out: z.boolean().default(false),
};

const mailCase = z.strictObject({
  ...common,
  lang: z.enum(['en', 'de', 'fr', 'es', 'nl', 'it']),
  from: z.email(),
  date: z.iso.datetime().default('2026-11-20T08:15:30Z'),
  from_name: z.string().default(''),
  subject: z.string(),
  headers: z.record(z.string(), z.string()).default({}),
  text: z.string().default(''),
  html: z.string().default(''),
  /** A `text/calendar` part, whole. */
  ics: z.string().default(''),
  /** Who wrote it: a machine, to everybody in the same words, or a person. */
  style: z.enum(['notification', 'person']).default('person'),
  /** The family of mails in the same words; no family has cases in two parts. */
  template: z.string().default(''),
  expect: z.union([z.literal('nothing').transform(() => []), z.array(expected).min(1)]),
});

const said = z.strictObject({
  source: z.string(),
  says: z.record(z.string(), yamlValue).optional(),
  class: z.enum(MUTATION_CLASSES).optional(),
  asks: z.boolean().default(false),
  effect: unit,
  target: unit,
  days_old: z.number().min(0).default(0),
});

const decisionCase = z.strictObject({
  ...common,
  state: z.enum(STATES).default('open'),
  signals: z.array(said),
  expect: z.strictObject({ decision: z.enum(DECISIONS), set: z.record(z.string(), yamlValue).default({}) }),
  /** The expected decision is right, but must not be acted on without a person. */
  never_acts: z.boolean().default(false),
});

const matter = z.strictObject({
  matter: note,
  senders: z.array(z.string()).default([]),
  aliases: z.array(z.string()).default([]),
  keywords: z.array(z.string()).default([]),
  tasks: z.array(
    z.union([
      note.transform((task) => ({ task, due: undefined })),
      z.strictObject({ task: note, due: z.string().optional() }),
    ]),
  ),
});

const file = z.strictObject({
  vault: z.array(matter).default([]),
  mails: z.array(mailCase).default([]),
  decisions: z.array(decisionCase).default([]),
});

/** What a careful reader would notice: a change of a note, or, where `set` is null, a request to the reader. */
export interface Expected {
  /** The name of a task or matter. */
  readonly note: string;
  readonly quote: string;
  readonly set: Readonly<Record<string, string>> | null;
}

export type MailCase = z.infer<typeof mailCase> & { readonly domain: string };
export type DecisionCase = z.infer<typeof decisionCase> & { readonly domain: string };
export type CaseMatter = z.infer<typeof matter>;

/** Everything in test/eval/cases, in one vault, as one person would have it. */
export interface CaseSet {
  readonly vault: readonly CaseMatter[];
  readonly mails: readonly MailCase[];
  readonly decisions: readonly DecisionCase[];
}

/** Reads the cases. Throws an Error with the file and the case where a case is not as the README says. */
export function loadCases(folder = path.join(import.meta.dirname, 'cases/first')): CaseSet {
  const names = fs.readdirSync(folder).filter((name) => name.endsWith('.yaml'));
  const files = names.toSorted().map((name) => ({ domain: path.parse(name).name, ...parsed(folder, name) }));
  const set: CaseSet = {
    vault: files.flatMap((each) => each.vault),
    mails: files.flatMap(({ domain, mails }) => mails.map((each) => ({ ...each, domain }))),
    decisions: files.flatMap(({ domain, decisions }) => decisions.map((each) => ({ ...each, domain }))),
  };
  const faults = faultsOf(set);
  if (faults.length > 0) throw new Error(`The cases do not hold together:\n${faults.join('\n')}`);
  return set;
}

function parsed(folder: string, name: string): z.infer<typeof file> {
  const read = file.safeParse(load(fs.readFileSync(path.join(folder, name), 'utf8'), { schema: CORE_SCHEMA }));
  if (!read.success) throw new Error(`${name}: ${z.prettifyError(read.error)}`);
  return read.data;
}

function faultsOf({ vault, mails, decisions }: CaseSet): readonly string[] {
  const notes = vault.flatMap((each) => [each.matter, ...each.tasks.map(({ task }) => task)]);
  const ids = [...mails, ...decisions].map(titleOf);
  return [
    ...twice(notes).map((each) => `two notes are called "${each}"`),
    ...twice(ids).map((each) => `two cases are called ${each}`),
    ...mails.flatMap((each) => each.expect.flatMap((one) => faultOf(each, one, notes))),
  ];
}

function faultOf(mail: MailCase, expected: Expected, notes: readonly string[]): readonly string[] {
  const { note, quote } = expected;
  const missing = notes.includes(note) ? [] : [`${titleOf(mail)}: there is no note "${note}"`];
  const isVerbatim = [mail.subject, mail.text, mail.html].some((text) => text.includes(quote));
  return isVerbatim ? missing : [...missing, `${titleOf(mail)}: "${quote}" does not stand in the mail`];
}

/** Returns `house/deposit-in`, the name of a case in reports. */
export function titleOf({ domain, id }: { readonly domain: string; readonly id: string }): string {
  return `${domain}/${id}`;
}

function twice(names: readonly string[]): readonly string[] {
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
}

function change(note: string, quote: string, set: Expected['set']): Expected {
  return { note, quote, set };
}
