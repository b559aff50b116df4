import fc from 'fast-check';
import type { Environment } from '../../src/daemon/environment.ts';
import { iso } from '../../src/vault/time.ts';
import { Clock, DAY, HOUR, MINUTE } from './clock.ts';
import { HOUSE, instinct, matter, settings, signal, task } from './notes.ts';
import { writeRoofMail } from './roof-mail.ts';
import { type Files, TempVault } from './temp-vault.ts';
import { Bench, SHADOW } from './workspace.ts';

/** One thing that happens in a week: a signal arrives, a person answers or edits, time passes. */
type Act =
  | {
      readonly do: 'signal';
      readonly task: number;
      readonly says: number;
      readonly source: string;
      readonly sure: number;
    }
  | { readonly do: 'tick' | 'confirm' | 'dismiss' | 'undo' }
  | { readonly do: 'edit'; readonly task: number; readonly says: number }
  | { readonly do: 'wait'; readonly ms: number };

const TASKS = 4;

/** A vault for a week of acts: a matter, a few tasks, and sources trusted to different degrees. */
function weekVault(): Files {
  const tasks = Array.from({ length: TASKS }, (_, nth) => [`task/t${nth}.md`, task({ due: '2035-12-01' })] as const);
  return {
    ...HOUSE,
    ...Object.fromEntries(tasks),
    'steward.md': settings({ settle_seconds: 0 }),
    'matter/house.md': matter(),
    'matter/garden.md': matter(),
    'instinct/mail.md': instinct('mail', { observations: 60 }),
    'instinct/bank.md': instinct('bank', { observations: 4 }),
  };
}

const SAYINGS = [
  { class: 'state_change', set: { state: 'done' } },
  { class: 'state_change', set: { state: 'archived' } },
  { class: 'state_change', set: { state: 'open' } },
  { class: 'context_edit', set: { due: '2035-12-08' } },
  { class: 'context_edit', set: { due: '2035-12-24' } },
  { class: 'related', add: { related_to: ['[[garden]]'] } },
  { class: 'context_edit', set: { color: 'red' } },
  null,
] as const;
const EDITS: readonly (readonly [RegExp, string])[] = [
  [/^state: .*$/m, 'state: done'],
  [/^state: .*$/m, 'state: open'],
  [/^due: .*$/m, 'due: 2035-12-08'],
  [/^due: .*$/m, 'due: 2035-12-31'],
];

/** Returns the signal note of an act that arrives at `now` (epoch ms). */
function signalOf(act: Extract<Act, { do: 'signal' }>, now: number): string {
  const proposal = SAYINGS[act.says % SAYINGS.length] ?? null;
  return signal({
    created: new Date(now).toISOString(),
    origin_at: new Date(now - (act.says > 8 ? 12 * DAY : HOUR)).toISOString(),
    source_type: act.source,
    target_path: `task/t${act.task}.md`,
    target_confidence: 0.99,
    effect: proposal === null ? 'action' : 'mutation',
    effect_confidence: act.sure,
    effect_confidence_raw: Math.min(1, act.sure + 0.05),
    mutation_proposal: proposal,
  });
}

/** Returns a task's text after a person's edit. */
function editedBy(act: Extract<Act, { do: 'edit' }>, text: string): string {
  const [pattern, line] = EDITS[act.says % EDITS.length] ?? [/^$/, ''];
  return text.replace(pattern, line);
}

const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('signal' as const),
      task: fc.nat({ max: TASKS - 1 }),
      says: fc.nat({ max: 12 }),
      source: fc.constantFrom('mail', 'bank', 'slack'),
      sure: fc.constantFrom(0.3, 0.62, 0.78, 0.86, 0.93, 0.97),
    }),
  },
  { weight: 4, arbitrary: fc.constantFrom<Act>({ do: 'tick' }, { do: 'confirm' }, { do: 'dismiss' }, { do: 'undo' }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('edit' as const),
      task: fc.nat({ max: TASKS - 1 }),
      says: fc.nat({ max: 3 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: MINUTE, max: 30 * HOUR }) }),
  },
);

/** Random acts. */
export function acts(size: { readonly minLength: number; readonly maxLength: number }): fc.Arbitrary<Act[]> {
  return fc.array(act, size);
}

/** Plays the acts and returns the vault afterwards. */
export async function liveThrough(acts: readonly Act[], env: Environment): Promise<TempVault> {
  const vault = new TempVault(weekVault());
  const clock = new Clock();
  const bench = await Bench.open(vault, { env, clock });
  for (const [nth, one] of acts.entries()) {
    await happen(vault, bench, clock, one, nth);
    if (one.do === 'edit' || one.do === 'wait') await bench.learn();
  }
  await bench.tick();
  await bench.learn();
  bench.close();
  return vault;
}

/** What a person does about a proposal in shadow. */
export type Answer = 'confirms' | 'does it' | 'does otherwise' | 'dismisses' | 'leaves it';

/** A matter per sender, each with as many tasks as answers, and what the sender says of each of them. */
export const SENDERS = ['billing@roof.example', 'anna@notary.example', 'office@garden.example'] as const;

/**
 * Plays a week in shadow: every few hours a mail of one of three senders says that a task is done, the steward writes
 * down what it would do, and within the day the person answers in her own way. Returns the vault and its clock.
 */
export async function shadowWeek(
  answers: readonly Answer[],
  files: Files = {},
): Promise<{ readonly vault: TempVault; readonly clock: Clock }> {
  const vault = new TempVault({
    ...HOUSE,
    'steward.md': settings({ settle_seconds: 0, trusted_mail_servers: ['mx.home.example'] }),
    ...placesFor(answers),
    ...files,
  });
  const clock = new Clock();
  const bench = await Bench.open(vault, { env: SHADOW, clock });
  for (const [nth, answer] of answers.entries()) {
    clock.move((7 * DAY) / (answers.length + 1));
    writeRoofMail(vault, `signal/m${nth}.md`, {
      ...{ created: iso(clock.now()), origin_at: iso(clock.now()), raw_quote: `paid ${nth}` },
      ...{ from: senderOf(nth), pattern: senderOf(nth), target_path: `task/t${nth}.md`, effect_confidence: 0.85 },
    });
    await bench.tick();
    const task = `task/t${nth}.md`;
    const event = bench.catalogue.eventsAbout(task)[0]?.name;
    if (event === undefined) continue; // its sender is pruned meanwhile: nothing is made of it
    if (answer === 'confirms') await bench.confirm(event);
    if (answer === 'dismisses') await bench.dismiss(event);
    if (answer === 'does it') vault.edit(task, 'state: open', 'state: done');
    if (answer === 'does otherwise') vault.edit(task, 'state: open', 'state: archived');
    await bench.learn();
  }
  bench.close();
  return { vault, clock };
}

function senderOf(nth: number): string {
  return SENDERS[nth % SENDERS.length] ?? '';
}

function placesFor(answers: readonly Answer[]): Files {
  const matters = SENDERS.map((_, nth) => [`matter/m${nth}.md`, matter()] as const);
  const tasks = answers.map((_, nth) => {
    return [`task/t${nth}.md`, task({ parent_matter: `[[m${nth % SENDERS.length}]]` })] as const;
  });
  return Object.fromEntries([...matters, ...tasks]);
}

async function happen(vault: TempVault, bench: Bench, clock: Clock, one: Act, nth: number): Promise<void> {
  clock.move(2000);
  const [proposal] = bench.openProposals();
  if (one.do === 'signal') {
    const name = `signal/2026-11-21T20-19-54Z-${String(nth).padStart(8, '0')}.md`;
    vault.write(name, signalOf(one, clock.now()));
    await bench.route(name);
  } else if (one.do === 'edit') vault.write(`task/t${one.task}.md`, editedBy(one, vault.read(`task/t${one.task}.md`)));
  else if (one.do === 'wait') clock.move(one.ms);
  else if (one.do === 'tick') await bench.tick();
  else if (one.do === 'undo') {
    const acted = bench.catalogue.events().find(({ fields }) => fields.undo_recipe !== null);
    if (acted !== undefined) await bench.undo(acted.name);
  } else if (proposal !== undefined) await bench[one.do](proposal.event.name);
}
