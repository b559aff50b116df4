import { giveBack, setAside, settleCost } from '../steward/budget.ts';
import { backoff, backoffUntil } from '../steward/rate-guard.ts';
import type { Agent, Errand, Report } from '../vault/records/agent.ts';
import { Unanswered } from '../vault/records/verdict.ts';
import { utc } from '../vault/time.ts';
import { capsOf } from './reservation.ts';
import type { Workspace } from './workspace.ts';

/** Characters of a text to one token, at least. */
const CHARS_A_TOKEN = 3;

/**
 * An agent within the vault's budget, and at rest while the provider has asked us to wait (contract, section 6): it
 * then rejects with `Unanswered` before anything is sent. `matter`: whose budget it is as well, by the note's path.
 */
export function guarded(space: Workspace, agent: Agent, matter: string | null): Agent {
  return {
    async send(errand, abort) {
      demandRest(space);
      const id = reserve(space, errand, matter);
      try {
        const report = await agent.send(errand, abort);
        settle(space, id, report);
        return report;
      } catch (error) {
        if (error instanceof Unanswered) heed(space, id, error);
        throw error;
      }
    },
  };
}

function demandRest({ state, now }: Workspace): void {
  const until = backoffUntil(state.get('rate-guard'), now());
  if (until === null) return;
  const retryAfter = Math.max(0, (until - now()) / 1000);
  throw new Unanswered(`The provider asked us to wait until ${utc(until)}.`, { sent: false, retryAfter });
}

function reserve({ state, settings, now }: Workspace, errand: Errand, matter: string | null): number {
  const chars = [...errand.system, ...errand.task].reduce((sum, text) => sum + text.length, 0);
  const tokens = Math.ceil(chars / CHARS_A_TOKEN) + errand.maxTokens;
  const { model_price_in: read, model_price_out: written } = settings;
  const usd = ((tokens - errand.maxTokens) * (read ?? 0) + errand.maxTokens * (written ?? 0)) / 1_000_000;
  const asked = setAside(state.get('budget'), { matter, cost: { tokens, usd } }, capsOf(settings), now());
  state.set('budget', asked.state);
  if (!asked.ok) {
    const { window, freeAt } = asked.refusal;
    throw new Unanswered(`The budget is used up (${window}) until ${utc(freeAt)}.`, { sent: false });
  }
  state.save('budget');
  return asked.id;
}

function settle({ state }: Workspace, id: number, { usage }: Report): void {
  const cost = { tokens: usage.tokens_in + usage.tokens_out, usd: usage.usd ?? 0 };
  state.set('budget', settleCost(state.get('budget'), id, cost));
}

function heed({ state, now }: Workspace, id: number, { sent, retryAfter }: Unanswered): void {
  if (!sent || retryAfter !== undefined) state.set('budget', giveBack(state.get('budget'), id));
  if (retryAfter === undefined) return;
  state.set('rate-guard', backoff(state.get('rate-guard'), retryAfter, now()));
  state.save('rate-guard');
}
