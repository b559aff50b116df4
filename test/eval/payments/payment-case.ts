import fs from 'node:fs';
import path from 'node:path';
import { CORE_SCHEMA, load } from 'js-yaml';
import { z } from 'zod';
import { type TargetCandidate, TargetIndex } from '../../../src/reading/targets.ts';
import type { Meaning, StreamEvent } from '../../../src/steward/types.ts';
import { readPayment } from '../../../src/streams/payments.ts';
import { task as taskFields } from '../../../src/vault/record.ts';
import { candidate, eventWith } from '../../support/events.ts';

const KINDS = [
  ...['exact', 'awaited', 'direction', 'tolerance', 'part', 'returned', 'pending', 'several', 'weak', 'trap'],
] as const;

const task = z.strictObject({
  name: z.string(),
  state: z.string().default('open'),
  due: z.string().optional(),
  amount: z.string().optional(),
  reference: z.string().optional(),
  iban: z.string().optional(),
  counterparty: z.string().optional(),
  aliases: z.array(z.string()).default([]),
  keywords: z.array(z.string()).default([]),
  summary: z.string().default(''),
});

const line = z.strictObject({
  amount: z.string(),
  currency: z.string().default('EUR'),
  status: z.enum(['booked', 'pending']).default('booked'),
  day: z.string().default('2026-11-20'),
  to: z.string(),
  iban: z.string().nullable().default(null),
  references: z.array(z.string()).default([]),
  purpose: z.string(),
});

const expected = z.union([
  z.literal('nothing').transform(() => ({ what: 'nothing' as const, tasks: [], sure: false })),
  z
    .strictObject({ done: z.string(), and: z.string().optional(), sure: z.boolean() })
    .transform(({ done, and, sure }) => {
      return { what: 'done' as const, tasks: and === undefined ? [done] : [done, and], sure };
    }),
  z.strictObject({ ask: z.string() }).transform(({ ask }) => ({ what: 'ask' as const, tasks: [ask], sure: false })),
  z
    .strictObject({ reopen: z.string() })
    .transform(({ reopen }) => ({ what: 'reopen' as const, tasks: [reopen], sure: false })),
  z
    .strictObject({ ambiguous: z.array(z.string()) })
    .transform(({ ambiguous }) => ({ what: 'ambiguous' as const, tasks: ambiguous, sure: false })),
]);

const matter = z.strictObject({
  name: z.string(),
  senders: z.array(z.string()).default([]),
  keywords: z.array(z.string()).default([]),
});

const paymentCase = z.strictObject({
  id: z.string(),
  lang: z.enum(['en', 'de', 'fr', 'es', 'nl', 'it']),
  kind: z.enum(KINDS),
  matter: matter.optional(),
  tasks: z.array(task),
  line,
  expect: expected,
});
export type PaymentCase = z.infer<typeof paymentCase>;

/** Tasks of the same person that no line of the cases is about. */
const BYSTANDERS = [
  ...[
    'Pay the window cleaner 37.50 EUR',
    'Renew the passport',
    'Book a table for Friday',
    'Pay the school trip £18.00',
  ],
  ...['Steuererklärung 2026 abgeben', 'Paketannahme', 'Pay invoice 99120 Stone & Son 2,310.00 EUR', 'Call the bank'],
  ...['Réserver le train', 'Payer la cantine 61,20 €', 'Pagar el seguro del coche 388 €', 'Pagare il bollo 174,00 €'],
];

/** Reads the cases of a file beside this one. */
export function paymentCases(name: string): readonly PaymentCase[] {
  const text = fs.readFileSync(path.join(import.meta.dirname, name), 'utf8');
  const { cases } = z.strictObject({ cases: z.array(paymentCase) }).parse(load(text, { schema: CORE_SCHEMA }));
  return cases;
}

/** What was made of a case, beside what was expected. */
export interface PaymentAnswer {
  readonly asked: PaymentCase;
  readonly meanings: readonly Meaning[];
  /** The right note and the right outcome. */
  readonly isMeant: boolean;
  /** As sure as the case asks for as well. */
  readonly isRight: boolean;
  /** The gates could let it act where the counterparty is named, and it should not have been so sure. */
  readonly isWronglySure: boolean;
  readonly got: string;
}

/** Reads the line of a case among its tasks and those of the bystanders. */
export function answered(asked: PaymentCase): PaymentAnswer {
  const { meanings, skipped } = readPayment(eventOf(asked), indexFor(asked));
  const got = [...meanings.map(told), ...(skipped === null ? [] : [`nothing (${skipped})`])].join(' · ');
  const isSure = meanings.some((meaning) => maySuffice(meaning));
  const right = isExpected(asked, meanings);
  return {
    asked,
    meanings,
    isMeant: right,
    isRight: right && isSure === asked.expect.sure,
    isWronglySure: isSure && !(right && asked.expect.sure),
    got,
  };
}

function isExpected({ expect: { what, tasks } }: PaymentCase, meanings: readonly Meaning[]): boolean {
  if (what === 'nothing') return meanings.length === 0;
  if (what === 'ambiguous') {
    const [only, another] = meanings;
    const paths = only?.candidates.map(nameOf) ?? [];
    return another === undefined && only?.ambiguous === true && sameNames(paths, tasks);
  }
  return (
    meanings.every((one) => !one.ambiguous && outcomeOf(one) === what) &&
    sameNames(
      meanings.map(({ target }) => nameOf(target)),
      tasks,
    )
  );
}

function sameNames(some: readonly string[], others: readonly string[]): boolean {
  return some.toSorted().join('\n') === others.toSorted().join('\n');
}

function outcomeOf({ proposal }: Meaning): 'ask' | 'reopen' | 'done' {
  if (proposal === null) return 'ask';
  return proposal.set.state === 'open' ? 'reopen' : 'done';
}

/** Whether the gates of reading and target would hold, as for a counterparty that is named and vouched for. */
export function maySuffice({
  ambiguous,
  effectConfidence,
  targetConfidence,
  targetEvidence,
  proposal,
  targetNear,
}: Meaning): boolean {
  const isFoundTwice = targetEvidence.includes('reference') || targetEvidence.length > 1;
  const isSure = effectConfidence >= 0.85 && targetConfidence >= 0.85;
  return proposal?.set.state === 'done' && !ambiguous && isSure && isFoundTwice && targetNear;
}

function told(meaning: Meaning): string {
  const what = meaning.ambiguous ? 'ambiguous' : outcomeOf(meaning);
  return `${what} ${meaning.candidates.map(nameOf).join(' | ')} (target ${meaning.targetConfidence}, effect ${meaning.effectConfidence})`;
}

function nameOf(file: string): string {
  return file.replace(/^task\//, '').replace(/\.md$/, '');
}

function eventOf({ line: { to, day, status, amount, currency, iban, references, purpose } }: PaymentCase): StreamEvent {
  return eventWith({
    path: 'stream/bank/november.csv#0123456789ab',
    ...{ sourceType: 'bank', originAt: `${day}T12:00:00Z`, from: iban ?? to, fromName: to, to: [] },
    ...{ subject: `${amount} ${currency} ${to}`, text: purpose },
    payment: {
      account: 'DE02120300000000202051',
      ...{ status, day, amount, currency, counterparty: to, iban, references, purpose },
    },
  });
}

function indexFor({ matter: above, tasks }: PaymentCase): TargetIndex {
  const index = new TargetIndex();
  const matterPath = above === undefined ? null : `matter/${above.name}.md`;
  if (above !== undefined && matterPath !== null)
    index.add(candidate({ path: matterPath, senders: above.senders, keywords: above.keywords }));
  for (const one of tasks) index.add(taskNote(one, matterPath));
  for (const name of BYSTANDERS) index.add(candidate({ path: `task/${name}.md` }));
  return index;
}

function taskNote({ name, ...fields }: PaymentCase['tasks'][number], matterPath: string | null): TargetCandidate {
  const { payment, due } = taskFields.parse({ ...fields, state_field: 'state' });
  const { aliases, keywords, summary, state } = fields;
  return {
    ...candidate({ path: `task/${name}.md`, matterPath, aliases, keywords, summary, state }),
    name,
    due,
    payment,
  };
}
