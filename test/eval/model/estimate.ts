import { TaskBook } from '../../../src/reading/learnt.ts';
import type { ExtractionQuestion, Extractor } from '../../../src/steward/types.ts';
import type { Price } from '../../../src/vault/data.ts';
import { LEARNT } from '../../support/learnt.ts';
import type { CaseSet } from '../case.ts';
import { eventOf, indexOf, readAt } from '../case-event.ts';
import { questionAbout } from '../reader.ts';

/** What it may take to ask about every mail of a set, before anything is asked. */
export interface Estimate {
  readonly questions: number;
  /** Tokens read and written: the likely figure, and the most, if no question is asked twice. */
  readonly likely: Tokens;
  readonly most: Tokens;
}

interface Tokens {
  readonly read: number;
  readonly written: number;
}

/** Tokens of a reply with one signal; most replies have none or one. */
const LIKELY_REPLY = 150;

/** Estimates what `extractor` would take for the mails of some vaults, without asking it. */
export async function estimate(sets: readonly CaseSet[], extractor: Extractor): Promise<Estimate> {
  const most = { read: 0, written: 0 };
  let questions = 0;
  for (const question of (await Promise.all(sets.map(questionsIn))).flat()) {
    const usage = extractor.estimate?.(question);
    if (usage === undefined) continue;
    questions += 1;
    most.read += usage.tokens_in;
    most.written += usage.tokens_out;
  }
  // The most assumes a token for every three bytes; in most languages it is four.
  const likely = { read: Math.round((most.read * 3) / 4), written: questions * LIKELY_REPLY };
  return { questions, likely, most };
}

async function questionsIn({ vault, mails }: CaseSet): Promise<readonly ExtractionQuestion[]> {
  const known = { index: indexOf(vault), learnt: LEARNT, book: new TaskBook(LEARNT) };
  const all = await Promise.all(mails.map(async (mail) => questionAbout(await eventOf(mail), known, readAt(mail))));
  return all.filter((question) => question !== null);
}

/** Returns `311 questions: about 0.77 million tokens read and 0.05 written …`, with the cost where it is known. */
export function estimateWords({ questions, likely, most }: Estimate, price: Price | null): string {
  const money = ({ read, written }: Tokens) =>
    price === null ? '' : ` (${((read * price.read + written * price.written) / 1e6).toFixed(2)} US dollars)`;
  const words = (tokens: Tokens) =>
    `${millions(tokens.read)} million tokens read and ${millions(tokens.written)} written${money(tokens)}`;
  return `${questions} questions: about ${words(likely)}, at most ${words(most)}.`;
}

function millions(tokens: number): string {
  return (tokens / 1e6).toFixed(2);
}
