import path from 'node:path';
import process from 'node:process';
import type { Workspace } from '../../daemon/context.ts';
import { cacheFolder, stateFolder } from '../../daemon/runtime-paths.ts';
import type { AcceptedOffers } from '../../features/rehearsal-accepted.ts';
import { DeclinedOffers } from '../../features/rehearsal-progress.ts';
import type { AcceptResult } from '../../features/rehearsal-yes.ts';
import type { PaidPlan, Rehearsal, RehearsalOrder } from '../../features/rehearse.ts';
import { EXIT, type ExitCode, StewardError } from '../../vault/errors.ts';
import { localDate } from '../../vault/time.ts';
import { handOver, presentVaultDir } from '../client.ts';
import {
  type CommandContext,
  type CommandResult,
  type CommonOptions,
  clean,
  count,
  type Printer,
  version,
} from '../terminal.ts';
import { readVault } from '../vault.ts';
import { demandAddress, namedFiles, ProgressLine } from './import.ts';
import { planLines, printAccepted, printRehearsal, rehearsalNote } from './rehearse-view.ts';

interface RehearseOptions extends CommonOptions {
  /** Epoch milliseconds. */
  readonly since?: number;
  readonly note?: boolean;
  /** The addresses of the user, who says that they sent the mails from these. */
  readonly sentBy?: readonly string[];
  /** A connected mailbox, by its name. */
  readonly source?: string;
  /** `rules`, `model`, or the id of a model. */
  readonly evaluator?: string;
  /** The most that a model may cost, in US dollars. */
  readonly budget?: number;
  /** Asks a model without a question. */
  readonly yes?: boolean;
  /** Starts over, and asks again about what was answered before. */
  readonly fresh?: boolean;
}

/**
 * `steward rehearse PATH… | --source NAME [--since DAY] [--sent-by ADDRESS] [--note]`: what Steward would have done
 * with past events, compared with what the user did. Doesn't write before a yes, except the note that is asked for.
 * Ctrl-C prints what is known by then (130).
 */
export async function rehearseCommand(
  paths: readonly string[],
  options: RehearseOptions,
  context: CommandContext,
): CommandResult {
  const root = presentVaultDir(options, context);
  if (paths.length === 0 && options.source === undefined) throw nothingNamed();
  const files = namedFiles(paths, root, context.cwd);
  const rehearsal = await rehearseHere(context, root, files, options);
  const note = options.note === true ? await keepNote(context, root, rehearsal) : null;
  if (options.json === true) context.out.json({ schemaVersion: 1, ...rehearsal, note });
  else {
    printRehearsal(context.out, rehearsal);
    if (note !== null) context.out.line(`\nThe note is ${note}.`);
    if (rehearsal.ended === null || rehearsal.ended.why === 'budget') await offer(context, root, rehearsal, options);
  }
  return exitOf(rehearsal);
}

function nothingNamed(): StewardError {
  const message = 'Name what to rehearse.';
  const hint = 'Name a mailbox file, or a connected mailbox: `--source NAME --since DAY`.';
  return new StewardError({ code: 'usage', message, hint }, EXIT.usage);
}

function exitOf({ ended, events }: Rehearsal): ExitCode {
  if (ended?.why === 'interrupted') return EXIT.interrupted;
  if (ended?.why === 'waits') return EXIT.tryAgain;
  return events.evaluated === 0 && events.refused > 0 ? EXIT.refused : EXIT.done;
}

const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

async function rehearseHere(
  context: CommandContext,
  root: string,
  files: readonly string[],
  options: RehearseOptions,
): Promise<Rehearsal> {
  const { rehearse } = await import('../../features/rehearse.ts');
  const space = await readVault(context, root);
  const order = {
    files,
    own: (options.sentBy ?? []).map(demandAddress),
    since: options.since ?? null,
    env: context.env,
    keep: {
      folder: path.join(cacheFolder(context.env), 'rehearsals'),
      version: version(),
      isFresh: options.fresh === true,
    },
    ...(await sourceOf(options)),
    ...(await readerOf(context, root, space, options)),
  };
  const isSilent = options.json === true;
  const abort = new AbortController();
  // Once: the second one ends the process as it would any other.
  const stop = () => abort.abort(ended());
  for (const signal of ENDING) process.once(signal, stop);
  const line = new ProgressLine(context.err, isSilent);
  try {
    return await rehearse(space, order, {
      reading: (progress) => line.show(progress),
      fetching: (progress) => {
        if (!isSilent) showFetching(context.err, progress);
      },
      evaluating: (progress) => {
        if (!isSilent) showEvaluating(context.err, progress);
      },
      agree: (plan) => agreed(context, plan, options),
      abort: abort.signal,
    });
  } finally {
    line.end();
    for (const signal of ENDING) process.off(signal, stop);
  }
}

async function sourceOf({ source: name }: RehearseOptions): Promise<Pick<RehearsalOrder, 'source'>> {
  return name === undefined
    ? {}
    : { source: { name, connect: (await import('../../sources/source-work.ts')).loadSource } };
}

async function readerOf(
  context: CommandContext,
  root: string,
  { context: { settings } }: Workspace,
  { evaluator: named = 'rules', budget: budgetUsd }: RehearseOptions,
): Promise<Pick<RehearsalOrder, 'reader'>> {
  if (named === 'rules') return {};
  if (budgetUsd === undefined) throw noBudget();
  const { modelReader } = await import('./rehearse-model.ts');
  return { reader: modelReader(context, root, settings, { named, budgetUsd }) };
}

function noBudget(): StewardError {
  const message = 'A model needs a budget.';
  const hint = 'Add it in US dollars, such as `--budget 2`. Steward says what it may cost before it asks.';
  return new StewardError({ code: 'rehearsal-budget', message, hint }, EXIT.usage);
}

/** Says what a model would be asked, and what that may cost; returns whether the person agrees. */
async function agreed({ err }: CommandContext, plan: PaidPlan, { budget = 0, yes }: RehearseOptions): Promise<boolean> {
  err.renew('');
  for (const words of planLines(plan, budget)) err.plain(words);
  if (yes === true) return true;
  const { terminalAsking } = await import('./source.ts');
  const asking = await terminalAsking();
  if (asking === null) throw noYes();
  return (await asking.agree(`Ask ${clean(plan.name)}?`)) === true;
}

function noYes(): StewardError {
  const message = "A model is asked only after a yes, and this isn't a terminal.";
  return new StewardError({ code: 'rehearsal-yes', message, hint: 'Add `--yes` to agree to these costs.' }, EXIT.usage);
}

const SHOWN_EVERY = 50;

function showFetching(err: Printer, { name, mails }: { name: string; mails: number }): void {
  if (mails % SHOWN_EVERY === 0) err.renew(`reading ${clean(name)}: ${count(mails, 'mail')}`);
}

function showEvaluating(err: Printer, { done, of, at }: { done: number; of: number; at: number }): void {
  if (done % SHOWN_EVERY !== 0) return;
  const day = new Date(at).toISOString().slice(0, 10);
  err.renew(`comparing: ${done.toLocaleString('en')} of ${of.toLocaleString('en')} events, ${day}`);
}

function ended(): StewardError {
  return new StewardError(
    {
      code: 'interrupted',
      message: 'You stopped it while the files were being read. No comparison was made, and no file was written.',
      hint: 'The same command begins again.',
    },
    EXIT.interrupted,
  );
}

async function keepNote(context: CommandContext, root: string, rehearsal: Rehearsal): Promise<string> {
  const text = rehearsalNote(rehearsal);
  const { note } = await handOver(context, root, { op: 'rehearsal-note' as const, text }, async (space) => {
    const { keepRehearsal } = await import('../../features/rehearsal-yes.ts');
    return keepRehearsal(space, text);
  });
  return note;
}

/** Something that a rehearsal offers, and what a yes to it writes. */
interface Offer {
  readonly id: string;
  readonly label: string;
  readonly accepted: Partial<AcceptedOffers>;
}

interface OfferGroup {
  /** With the offers as its object: `Sign`. */
  readonly verb: string;
  readonly noun: string;
  readonly offers: readonly Offer[];
}

function groupsOf({ licences, senders, keywords, references, outcomes }: Rehearsal['offers']): readonly OfferGroup[] {
  const nameOffer = (kind: string, name: string, note: string, accepted: Partial<AcceptedOffers>) => {
    return { id: `${kind} ${name} ${note}`, label: `${name} in ${note}`, accepted };
  };
  return [
    {
      ...{ verb: 'Sign', noun: 'licence' },
      offers: licences.map(({ sender, matterPath, matter, kinds, evidence }) => ({
        id: `licence ${sender} ${matterPath} ${kinds.join(' ')}`,
        label: `${sender} on ${matter}: ${kinds.join(', ')}`,
        accepted: { licences: [{ sender, matterPath, kinds: [...kinds], evidence }] },
      })),
    },
    {
      ...{ verb: 'Add', noun: 'sender' },
      offers: senders.map(({ sender, note }) => nameOffer('sender', sender, note, { senders: [{ sender, note }] })),
    },
    {
      ...{ verb: 'Add', noun: 'keyword' },
      offers: keywords.map(({ keyword, note }) =>
        nameOffer('keyword', keyword, note, { keywords: [{ keyword, note }] }),
      ),
    },
    {
      ...{ verb: 'Add', noun: 'reference' },
      offers: references.map(({ reference, note }) =>
        nameOffer('reference', reference, note, { references: [{ reference, note }] }),
      ),
    },
    {
      ...{ verb: 'Count the past of', noun: 'sender' },
      offers: outcomes.map(({ sender, outcomes: past }) => ({
        id: `outcomes ${sender}`,
        label: `${sender}: ${count(past.length, 'right outcome')}`,
        accepted: { outcomes: [{ sender, outcomes: [...past] }] },
      })),
    },
  ];
}

/** Asks on a terminal about each offer once, and writes what the person says yes to. A no is remembered on this machine. */
async function offer(
  context: CommandContext,
  root: string,
  { offers }: Rehearsal,
  { fresh }: RehearseOptions,
): Promise<void> {
  if (process.stdin.isTTY !== true || process.stdout.isTTY !== true) return;
  const declined = new DeclinedOffers(path.join(stateFolder(context.env), 'rehearsals'), root, fresh === true);
  const accepted: AcceptedOffers = { licences: [], senders: [], keywords: [], references: [], outcomes: [] };
  for (const group of groupsOf(offers)) {
    const asked = group.offers.filter(({ id }) => declined.dayOf(id) === null);
    const before = group.offers.length - asked.length;
    if (before > 0)
      context.out.styled('dim', `You said no to ${these(before, group.noun)} before. --fresh asks again.`);
    const chosen = asked.length === 0 ? [] : await chooseOffers(group, asked);
    if (chosen === null) break;
    for (const one of chosen) addTo(accepted, one.accepted);
    declined.add(
      asked.filter((one) => !chosen.includes(one)).map(({ id }) => id),
      localDate(Date.now()),
    );
  }
  if (Object.values(accepted).every((some) => some.length === 0)) return;
  const done: AcceptResult = await handOver(
    context,
    root,
    { op: 'rehearsal-accept' as const, ...accepted },
    async (space) => {
      const { acceptOffers } = await import('../../features/rehearsal-yes.ts');
      return acceptOffers(space, accepted);
    },
  );
  printAccepted(context.out, done);
}

function addTo(all: AcceptedOffers, { licences, senders, keywords, references, outcomes }: Offer['accepted']): void {
  all.licences.push(...(licences ?? []));
  all.senders.push(...(senders ?? []));
  all.keywords.push(...(keywords ?? []));
  all.references.push(...(references ?? []));
  all.outcomes.push(...(outcomes ?? []));
}

/** Returns the offers that a person says yes to; null if they break it off. */
async function chooseOffers({ verb, noun }: OfferGroup, offers: readonly Offer[]): Promise<readonly Offer[] | null> {
  const { confirm, isCancel, multiselect } = await import('@clack/prompts');
  if (offers.length === 1) {
    const answer = await confirm({ message: `${verb} this ${noun}?`, initialValue: false });
    return isCancel(answer) ? null : answer ? offers : [];
  }
  const options = offers.map(({ label }, value) => ({ value, label: clean(label) }));
  const message = `${verb} which ${noun}s? Space selects, Enter continues.`;
  const answer = await multiselect({ message, options, required: false });
  return isCancel(answer) ? null : answer.flatMap((nth) => offers[nth] ?? []);
}

function these(many: number, noun: string): string {
  return many === 1 ? `this ${noun}` : `${many} ${noun}s`;
}
