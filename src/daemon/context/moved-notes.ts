import { scheduleName } from '../../steward/schedule/schedule.ts';
import type { Move } from '../../vault/index/renames.ts';
import type { Vault } from '../../vault/watch/vault.ts';
import type { State } from './state.ts';

/** Carries what is remembered about a note over to its new path, and keeps links to the old path working. */
export function carryOver(vault: Vault, state: State, [from, to]: Move): void {
  for (const former of vault.catalogue.moves.remember(from.path, to.path)) rememberMove(vault, state, former);
  carryCursor(state, from.path, to.path);
  carryPerceived(state, from.path, to.path);
  carrySpent(state, from.path, to.path);
  if (from.kind !== 'matter' || to.kind !== 'matter') return;
  const schedules = state.get('schedules');
  const known = schedules[scheduleName(from)];
  if (known === undefined) return;
  schedules[scheduleName(to)] = { ...known, path: to.path };
  state.touch('schedules', scheduleName(to));
}

function rememberMove({ catalogue: { moves } }: Vault, state: State, former: string): void {
  const [known, now] = [state.get('moves'), moves.whereTo(former)];
  if (now === null) delete known[former];
  else known[former] = now;
  state.touch('moves', former);
}

/** Restores the moves of earlier runs, and carries over those made while no daemon ran. */
export function takeUpMoves(vault: Vault, state: State): void {
  for (const [from, to] of Object.entries(state.get('moves'))) vault.catalogue.moves.remember(from, to);
  for (const move of vault.movedMeanwhile) carryOver(vault, state, move);
}

function carryCursor(state: State, from: string, to: string): void {
  const cursors = state.get('cursors');
  const known = cursors[from];
  if (known === undefined) return;
  cursors[to] = known;
  state.touch('cursors', to);
}

// Else it would be found once more under its new path.
function carryPerceived(state: State, from: string, to: string): void {
  for (const name of ['perceived', 'touched'] as const) {
    rename(state.get(name), from, to);
    for (const path of [from, to]) state.touch(name, path);
  }
}

function rename(remembered: Record<string, unknown>, from: string, to: string): void {
  const known = remembered[from];
  if (known === undefined) return;
  remembered[to] = known;
  delete remembered[from];
}

// What was spent on a note counts under its new path.
function carrySpent(state: State, from: string, to: string): void {
  const there = (path: string | null) => (path === from ? to : path);
  const guard = state.get('rate-guard');
  if (guard.entries.some(({ task, matter }) => task === from || matter === from)) {
    const entries = guard.entries.map((one) => ({ ...one, task: there(one.task), matter: there(one.matter) }));
    state.set('rate-guard', { ...guard, entries });
  }
  const budget = state.get('budget');
  if (budget.entries.some(({ matter }) => matter === from)) {
    state.set('budget', { ...budget, entries: budget.entries.map((one) => ({ ...one, matter: there(one.matter) })) });
  }
  const { rows } = state.get('ledger');
  if (!rows.some(({ matter }) => matter === from)) return;
  state.set('ledger', { rows: rows.map((one) => ({ ...one, matter: there(one.matter) })) });
}
