import path from 'node:path';
import process from 'node:process';
import type { Workspace } from '../../daemon/context.ts';
import { cacheFolder, stateFolder } from '../../daemon/runtime-paths.ts';
import { inert } from '../../features/ledger-sample-work.ts';
import type { AcceptedOffers } from '../../features/rehearsal-accepted.ts';
import {
  casesOfLines,
  countedCases,
  FEWEST_CASES,
  type RehearsedCase,
  type TallyRow,
} from '../../features/rehearsal-evaluation.ts';
import type { LicenceOffer, OutcomesOffer } from '../../features/rehearsal-offers.ts';
import { DeclinedOffers } from '../../features/rehearsal-progress.ts';
import type { AcceptResult } from '../../features/rehearsal-yes.ts';
import type { PaidPlan, PastKnown, Rehearsal, RehearsalOrder } from '../../features/rehearse.ts';
import { computeShare, shareWords } from '../../features/report.ts';
import { senderWords } from '../../steward/inbox-words.ts';
import { EXIT, type ExitCode, StewardError } from '../../vault/errors.ts';
import { stem } from '../../vault/layout.ts';
import { noteText, shellWord } from '../../vault/note-text.ts';
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
import { demandAddress, Interrupt, namedFiles, ProgressLine } from './import.ts';

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
  using interrupt = new Interrupt(ended);
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
      abort: interrupt.signal,
    });
  } finally {
    line.end();
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

const MOST_ROWS = 12;
const MAX_NAME = 56;

function planLines({ name, events, questions, mostUsd, spentUsd }: PaidPlan, budget: number): string[] {
  const before = spentUsd === 0 ? '' : `, of which earlier runs have used ${dollars(spentUsd)}`;
  return [
    `${clean(name)} would be asked ${count(questions, 'question')} about ${count(events, 'event')}, for ${dollars(mostUsd)} at most. Most cost less.`,
    `The budget is ${dollars(budget)}${before}. Steward sends no question that the rest doesn't pay for.`,
    "Each question also counts in the vault's budget of a day, and its limits.",
  ];
}

function endedLines({ ended, events: { left } }: Rehearsal): string[] {
  if (ended === null) return [];
  const rest = `${count(left, 'event')} ${left === 1 ? 'is' : 'are'} left. These are the figures of the events before that.`;
  const how = ended.why === 'budget' ? 'With a larger budget, the' : 'The';
  return [`${ended.reason} ${rest}`, `${how} same command goes on from there.`, ''];
}

function dollars(usd: number): string {
  return `$${usd.toFixed(2)}`;
}

function printRehearsal(out: Printer, rehearsal: Rehearsal): void {
  const { tally, offers, cases, past, events, troubles } = rehearsal;
  for (const line of endedLines(rehearsal)) printWrapped(out, line, 0);
  out.styled('bold', titleWords(rehearsal));
  if (events.evaluated > 0) out.plain(`  = ${wouldWords(rehearsal)}`);
  for (const line of [...leftOutWords(rehearsal), ...modelWords(rehearsal)]) out.styled('dim', line);
  for (const { file, place, reason } of troubles) printWrapped(out, `${placeWords({ file, place })}: ${reason}`, 2);
  if (events.evaluated === 0) return;
  out.line();
  printTable(out, 'Steward would have', tally.byWould);
  out.line();
  for (const line of unknownWords(rehearsal)) printWrapped(out, line, 0);
  printWrapped(out, foundWords(rehearsal), 0);
  for (const line of pastWords(past)) printWrapped(out, line, 0);
  for (const [title, rows, words] of [
    ['By sender', tally.bySender, senderWords],
    ['By matter', tally.byMatter, undefined],
    ['By kind', tally.byKind, undefined],
  ] as const) {
    if (rows.length === 0) continue;
    out.line();
    printTable(out, title, rows, words);
  }
  const instructive = instructiveCases(cases);
  if (instructive.length > 0) out.heading('The most instructive');
  for (const one of instructive) printCase(out, one);
  printLines(out, casesOfLines(cases));
  printLicences(out, offers.licences);
  for (const line of licenceWords(rehearsal)) {
    out.line();
    printWrapped(out, line, 0);
  }
  const { senders, keywords, references } = offers;
  printNames(
    out,
    'Senders that a note should name',
    senders.map(({ sender: name, ...rest }) => ({ name, field: 'senders', ...rest })),
  );
  printNames(
    out,
    'Keywords that a note should have',
    keywords.map(({ keyword: name, ...rest }) => ({ name, field: 'keywords', ...rest })),
  );
  printNames(
    out,
    'Numbers that a note should have among its keywords',
    references.map(({ reference: name, ...rest }) => ({ name, field: 'keywords', ...rest })),
  );
  printOutcomes(out, offers.outcomes);
}

function printWrapped(out: Printer, text: string, indent: number): void {
  for (const line of out.wrapped(text, indent)) out.line(line);
}

function printTable(
  out: Printer,
  title: string,
  rows: readonly TallyRow[],
  words: (name: string) => string = (one) => one,
): void {
  if (rows.length === 0) {
    out.plain('No change of a task or matter was read in them.');
    return;
  }
  out.rows([
    [title, 'right', 'wrong', 'missed', 'unknown', 'share right'],
    ...rows.slice(0, MOST_ROWS).map((row) => {
      const { right, wrong, missed, unknown } = row;
      return [cut(words(row.name)), `${right}`, `${wrong}`, `${missed}`, `${unknown}`, shareOfRow(row)];
    }),
  ]);
  if (rows.length > MOST_ROWS) out.styled('dim', `  and ${rows.length - MOST_ROWS} more (--json shows all)`);
}

function cut(name: string): string {
  return name.length > MAX_NAME ? `${name.slice(0, MAX_NAME - 1)}…` : name;
}

function printCase(out: Printer, one: RehearsedCase): void {
  const { verdict, at, source, notes, words, quote, reason, would, why } = one;
  const colour = verdict === 'missed' ? 'yellow' : 'red';
  out.line();
  const said = `  ${out.paint(colour, verdict)}  ${at.slice(0, 10)}  ${clean(senderWords(source))}: “${clean(quote)}”`;
  for (const line of out.folded(said)) out.line(line);
  const done = would === 'missed' ? `nothing (${why[0] ?? ''})` : `${would} ${stem(notes[0] ?? '')} ${words}`;
  printWrapped(out, `Steward: ${done}. You: ${yourWords(one, reason)}.`, 4);
  out.styled('dim', `    ${placeWords(one)}`);
}

function printLines(out: Printer, cases: readonly RehearsedCase[]): void {
  if (cases.length === 0) return;
  out.heading('About lines of notes, which Steward never edits');
  for (const { at, source, notes, words } of cases.slice(0, MOST_ROWS))
    printWrapped(out, `${at.slice(0, 10)}  ${clean(senderWords(source))}, ${stem(notes[0] ?? '')}: ${clean(words)}`, 2);
  if (cases.length > MOST_ROWS) out.styled('dim', `  and ${cases.length - MOST_ROWS} more (--json shows all)`);
}

function yourWords({ would, notes }: RehearsedCase, reason: string): string {
  const words = reason.replace(/^you /, '');
  return would === 'missed' ? `${words} (${stem(notes[0] ?? '')})` : words;
}

function printLicences(out: Printer, offers: readonly LicenceOffer[]): void {
  if (offers.length === 0) return;
  out.heading('Licences that your past supports; Steward signs one only after your yes');
  for (const { sender, matter, kinds, evidence, applied, right } of offers) {
    out.plain(`  ${senderWords(sender)} on ${matter}: ${kinds.join(', ')}; ${evidence}`);
    if (applied > 0)
      out.plain(`    after that it would have applied ${count(applied, 'change')}, ${right} of them right`);
    const options = kinds.map((kind) => `--kind ${kind}`).join(' ');
    out.styled('dim', `    steward licence sign ${shellWord(sender)} --matter ${shellWord(matter)} ${options}`);
  }
}

/** A name that a note should have, and what that would have found. */
interface ShownName {
  readonly name: string;
  readonly field: 'senders' | 'keywords';
  readonly note: string;
  readonly found: number;
  readonly wrong: number;
}

function printNames(out: Printer, title: string, offers: readonly ShownName[]): void {
  if (offers.length === 0) return;
  out.heading(`${title}; Steward adds one only after your yes`);
  for (const { name, field, note, found, wrong } of offers) {
    out.plain(`  ${field}: [${name}]  in ${stem(note)}`);
    out.plain(`    would have found ${count(found, 'more closed task')}, with ${wrong} more wrong`);
  }
}

function printOutcomes(out: Printer, offers: readonly OutcomesOffer[]): void {
  if (offers.length === 0) return;
  out.heading('Past outcomes that may count as observations, after your yes');
  for (const { sender, outcomes, before, after } of offers) {
    const days = count(new Set(outcomes.map(({ at }) => at.slice(0, 10))).size, 'day');
    const moved = `confidence ${before.toFixed(2)} → ${after.toFixed(2)}`;
    out.plain(`  ${senderWords(sender)}: right ${count(outcomes.length, 'time')} on ${days}; ${moved}`);
  }
}

/** Prints what came of a yes. */
export function printAccepted(out: Printer, { licences, names, learnt, refused }: AcceptResult): void {
  for (const note of licences) out.line(`${out.paint('green', 'signed')}  ${clean(stem(note))}`);
  for (const { field, name, note } of names)
    out.line(`${out.paint('green', 'added')}  ${clean(name)} to the ${field} of ${clean(stem(note))}`);
  for (const { sender, before, after, observations } of learnt) {
    const moved = `${before.toFixed(2)} → ${after.toFixed(2)}, ${count(observations, 'observation')}`;
    out.line(`${out.paint('green', 'learnt')}  ${clean(senderWords(sender))}: ${moved}`);
  }
  for (const why of refused) out.line(`${out.paint('red', 'not written')}  ${clean(why)}`);
}

const NOTE_TITLES = { would: 'Steward would have', instructive: 'The most instructive' } as const;

function titleWords({ events: { evaluated }, from, to, evaluator }: Rehearsal): string {
  if (from === null || to === null) return 'No event was rehearsed.';
  const days = from === to ? `of ${from}` : `from ${from} to ${to}`;
  const reader = evaluator === 'rules' ? 'the rules' : clean(evaluator);
  return `${evaluated.toLocaleString('en')} ${evaluated === 1 ? 'event' : 'events'} ${days}, read by ${reader}`;
}

const WOULD = {
  applied: 'applied',
  proposed: 'proposed',
  asked: 'asked',
  setAside: 'set aside',
  notRead: 'not read',
} as const;

/** Returns what Steward would have done with the events; the numbers add up to all of them. */
function wouldWords({ would }: Rehearsal): string {
  const parts = Object.entries(WOULD) as [keyof Rehearsal['would'], string][];
  return parts.map(([key, name]) => `${would[key].toLocaleString('en')} ${name}`).join(' + ');
}

/** Returns what else the files held; none if there was nothing else. */
function leftOutWords({ events: { copies, earlier, undated, refused } }: Rehearsal): string[] {
  const parts = [
    ...(copies > 0 ? [`${copies} ${copies === 1 ? 'copy' : 'copies'}`] : []),
    ...(earlier > 0 ? [`${earlier} earlier`] : []),
    ...(undated > 0 ? [`${undated} without a time that can be believed`] : []),
    ...(refused > 0 ? [`${refused} unreadable`] : []),
  ];
  return parts.length === 0 ? [] : [`Not counted: ${parts.join(', ')}.`];
}

function modelWords({ model }: Rehearsal): string[] {
  return model === null ? [] : [`The model answered ${count(model.questions, 'question')}, for ${dollars(model.usd)}.`];
}

/** Returns how often some cases were right; says so if they are too few for a figure. */
function shareOfRow({ right, wrong, share }: TallyRow): string {
  return share === null ? 'too few' : shareWords(share, right + wrong);
}

/** Returns why what the user did isn't known, the most frequent reason first; none if all of it is. */
function unknownWords({ cases }: Rehearsal): string[] {
  const unknown = countedCases(cases).filter(({ verdict }) => verdict === 'unknown');
  const reasons = [...Map.groupBy(unknown, ({ reason }) => reason)]
    .toSorted(([, one], [, other]) => other.length - one.length)
    .map(([reason, own]) => `${own.length} × ${reason}`);
  return reasons.length === 0 ? [] : [`Unknown: ${reasons.join('; ')}.`];
}

/** Returns how many of the ends that an event had named would have been found. */
function foundWords({ found: { found, missed } }: Rehearsal): string {
  const all = found + missed;
  if (all === 0) return 'No task is known that you closed within 14 days after an event that names it.';
  const share = all < FEWEST_CASES ? 'too few for a figure' : shareWords(computeShare(found, all), all);
  const closed = `You closed ${all} ${all === 1 ? 'task' : 'tasks'} within 14 days after an event that names ${all === 1 ? 'it' : 'them'}`;
  const rest =
    missed === 0
      ? ''
      : ` The other ${missed} ${missed === 1 ? 'counts' : 'count'} as missed, although the event may have been about something else.`;
  return `${closed}; Steward would have found ${found} (${share}).${rest}`;
}

function pastWords({ ends, created, hasGit }: PastKnown): string[] {
  const dated = [
    ...(ends.completedDate > 0 ? [`${ends.completedDate} from completedDate`] : []),
    ...(ends.steward > 0 ? [`${ends.steward} from Steward's event notes`] : []),
    ...(ends.git > 0 ? [`${ends.git} from git`] : []),
    ...(ends.file > 0 ? [`${ends.file} from the last edit of the file, which may be later`] : []),
  ];
  const known = created.created + created.git + created.file;
  return [
    ...(dated.length === 0 ? [] : [`Dates on which tasks were closed: ${dated.join(', ')}.`]),
    `${created.unknown} of ${known + created.unknown} tasks and matters have no date of creation, and count as existing from the beginning.`,
    ...(hasGit ? [] : ["Without git, earlier due dates aren't known."]),
  ];
}

/** Returns why no licence is offered although senders were right; none if there is no such reason. */
function licenceWords({ cases, offers: { licences } }: Rehearsal): string[] {
  const right = cases.filter(({ verdict }) => verdict === 'right');
  if (licences.length > 0 || right.length === 0 || right.some(({ authenticated }) => authenticated === 'pass'))
    return [];
  return [
    "No licence is offered, because no sender here is authenticated. A mailbox file (mbox) can't authenticate senders. Mails in a Maildir need `trusted_mail_servers` in steward.md, and a connected mailbox needs `mail_server` in its note.",
  ];
}

const MOST_INSTRUCTIVE = 10;
const MOST_OF_A_KIND = 5;

/** Returns the ten cases that teach most: the surest errors, and the clearest misses. */
function instructiveCases(cases: readonly RehearsedCase[]): readonly RehearsedCase[] {
  const surest = (verdict: RehearsedCase['verdict']) =>
    cases
      .filter((one) => one.verdict === verdict && !one.isRepeat)
      .toSorted((one, other) => rankOf(one) - rankOf(other) || other.confidence - one.confidence);
  const [wrong, missed] = [surest('wrong'), surest('missed')];
  const first = [...wrong.slice(0, MOST_OF_A_KIND), ...missed.slice(0, MOST_OF_A_KIND)];
  const rest = [...wrong.slice(MOST_OF_A_KIND), ...missed.slice(MOST_OF_A_KIND)];
  return [...first, ...rest].slice(0, MOST_INSTRUCTIVE);
}

// A wrong change is worse than a wrong proposal, and that is worse than a question.
function rankOf({ would }: RehearsedCase): number {
  return ['applied', 'proposed', 'asked', 'missed'].indexOf(would);
}

function placeWords({ file, place }: Pick<RehearsedCase, 'file' | 'place'>): string {
  return place === null ? file : `${file}, ${place}`;
}

const MOST_NOTE_ROWS = 40;

/** Returns the text of the note of a rehearsal. Text from outside is in code, so that its Markdown has no effect. */
export function rehearsalNote(rehearsal: Rehearsal): string {
  const { tally, would, from, to, past, cases } = rehearsal;
  const frontmatter = {
    type: 'steward-rehearsal',
    from,
    to,
    ...{ applied: would.applied, proposed: would.proposed, asked: would.asked },
    ...{ right: tally.total.right, wrong: tally.total.wrong, missed: tally.total.missed, unknown: tally.total.unknown },
    cssclasses: ['steward-event'],
  };
  const parts = [
    `# Rehearsal${from === null ? '' : ` from ${from} to ${to ?? from}`}`,
    `${titleWords(rehearsal)} = ${wouldWords(rehearsal)}.`,
    ...leftOutWords(rehearsal),
    ...modelWords(rehearsal),
    tableOf(NOTE_TITLES.would, tally.byWould),
    ...unknownWords(rehearsal),
    foundWords(rehearsal),
    pastWords(past).join(' '),
    ...section('By sender', tableOf('sender', tally.bySender, senderWords)),
    ...section('By matter', tableOf('matter', tally.byMatter)),
    ...section('By kind', tableOf('kind', tally.byKind)),
    ...section(NOTE_TITLES.instructive, instructiveCases(cases).map(caseLine).join('\n')),
  ];
  return noteText(frontmatter, `${parts.filter((part) => part !== '').join('\n\n')}\n`);
}

function section(title: string, text: string): string[] {
  return text === '' ? [] : [`## ${title}`, text];
}

function tableOf(name: string, rows: readonly TallyRow[], words: (name: string) => string = (one) => one): string {
  if (rows.length === 0) return '';
  const lines = rows.slice(0, MOST_NOTE_ROWS).map((row) => {
    const { right, wrong, missed, unknown } = row;
    return `| ${code(words(row.name))} | ${right} | ${wrong} | ${missed} | ${unknown} | ${shareOfRow(row)} |`;
  });
  return [`| ${name} | right | wrong | missed | unknown | share right |`, '|-|-|-|-|-|-|', ...lines].join('\n');
}

// The vault may be on other machines, too: the path of the file on this one is no use there.
function caseLine(one: RehearsedCase): string {
  const { verdict, at, source, notes, words, quote, reason, place } = one;
  const file = placeWords({ file: path.basename(one.file), place });
  const what = [senderWords(source), `“${inert(quote)}”`, stem(notes[0] ?? ''), words, file].map(code).join(' · ');
  return `- **${verdict}** ${at.slice(0, 10)} · ${what} · ${reason}`;
}

function code(text: string): string {
  return `\`${inert(text)}\``;
}
