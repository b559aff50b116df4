import { EventEmitter, once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import PostalMime from 'postal-mime';
import { ask } from '../../daemon/client.ts';
import { Daemon } from '../../daemon/daemon.ts';
import { type DaemonEvent, forgetMeeting, readEnvironment, sealKeyFile } from '../../daemon/environment.ts';
import { runtimePaths } from '../../daemon/runtime-paths.ts';
import { rules } from '../../providers/substitutes.ts';
import type { Evaluator, Verdict } from '../../steward/types.ts';
import { EXIT, StewardError } from '../../vault/errors.ts';
import { ownPlaces, stem } from '../../vault/layout.ts';
import { lockHolder } from '../../vault/lock.ts';
import { shellWord } from '../../vault/note-text.ts';
import { localDate } from '../../vault/time.ts';
import { eventText } from '../daemon-log.ts';
import { changeLines } from '../print.ts';
import {
  type CommandContext,
  type CommandResult,
  clean,
  figure,
  formatShift,
  PACKAGE,
  type Printer,
  withTitles,
} from '../terminal.ts';

/**
 * Shows Steward at work on a copy of the example vault: the daemon runs live on it, and real mails arrive in its stream
 * one after the other. Each event is printed with the place to look at. `dir`: the place of the copy, relative to the
 * working directory; a former copy is removed. `program`: how this program is called here. `once`: ends after the last
 * mail, without waiting for Ctrl-C. Throws `vault-locked` (75) if another demo runs there.
 */
export async function demo(
  context: CommandContext,
  options: { readonly once: boolean; readonly dir: string; readonly program: string },
): CommandResult {
  const root = path.resolve(context.cwd, options.dir);
  freshCopy(root);
  const events = new EventEmitter();
  const proposals = new Map<string, string>();
  let isOpened = false;
  const before: (string | null)[] = [];
  const emit = (event: DaemonEvent) => {
    // Only two questions have a recorded reply; the rules evaluate the others, as the copy's settings say.
    if (event.what === 'trouble' && event.trouble.code === UNRECORDED) return;
    if (!isOpened && event.what === 'stream-read') before.push(event.reason);
    else printEvent(context.out, event, options, root);
    if (event.what === 'proposed') proposals.set(event.target, event.event);
    events.emit(event.what);
    if (event.what === 'stream-read') events.emit(event.file);
  };
  const stop = new Promise<void>((resolve) => {
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
  });
  const { STATE_DIRECTORY, XDG_STATE_HOME } = context.env;
  const env = readEnvironment({
    STEWARD_LIVE_MODE: 'live',
    STEWARD_RECORDED_REPLIES: REPLIES,
    STATE_DIRECTORY,
    XDG_STATE_HOME,
  });
  // Each copy is a new vault: what waits in it is taken as the program's own, as at any first start.
  forgetMeeting(sealKeyFile(context.env), root);
  printOpening(context.out, options);
  const outside = runtimePaths(root, context.env);
  const around = (evaluator: Evaluator) => withRulesVerdict(evaluator, context.out);
  const daemon = await Daemon.start({ root, env, now: Date.now, emit, around }, outside);
  const check = (matter: string) =>
    ask(outside.socket, { op: 'tick', matters: [matter], force: true, mode: null }, TICK_MS);
  await allRead(daemon, events);
  isOpened = true;
  printOlder(context.out, before);
  printLicence(context.out);
  await ask(
    outside.socket,
    { op: 'licence-sign', sender: LICENSED, matter: 'house-purchase', kinds: [], until: null },
    TICK_MS,
  );
  for (const name of sampleMails()) {
    await dropMail(context, daemon, root, events, name);
    const matter = WAITING_MAILS[name];
    if (matter !== undefined) await check(matter);
    const proposal = name === OFFERED.mail ? proposals.get(OFFERED.task) : undefined;
    if (proposal !== undefined) await tickAlways(context, root, events, proposal);
  }
  await dropWeakMail(context, daemon, root, events);
  await check(WEAK_MAIL.matter);
  printClosing(context.out, options);
  if (!options.once) await stop;
  await daemon[Symbol.asyncDispose]();
  return EXIT.done;
}

interface Called {
  readonly dir: string;
  readonly program: string;
}

function printOpening(out: Printer, { dir }: Called): void {
  out.plain(`The demo works on a copy of vault-example in ${dir}/. Open it in Obsidian and watch.`);
  out.line();
}

function printOlder(out: Printer, reasons: readonly (string | null)[]): void {
  const why = [...new Set(reasons)].filter((reason) => reason !== null).join('; ');
  out.plain(`  ${reasons.length} mails were in the vault before, without a signal: ${clean(why)}`);
}

/** Prints that the example's licence is agreed to, as a user agrees to a licence that came with a vault. */
function printLicence(out: Printer): void {
  out.line();
  out.plain(
    'A sender changes a note without asking only if you signed a licence for it. The example has one for Anna, the notary.',
  );
  out.plain(`It came with the copy, so it counts after your yes:  steward licence sign ${LICENSED}`);
}

function printAlways(out: Printer): void {
  out.plain('    The demo ticks `always`: make the change, and let Jürgen make such changes from now on.');
}

async function printArrival(out: Printer, mail: string): Promise<void> {
  const { from, subject } = await PostalMime.parse(mail);
  const sender = [from?.name ?? '', `<${from?.address ?? ''}>`].filter((part) => part !== '').join(' ');
  out.line();
  out.plain(`→ a mail arrives: “${subject ?? ''}” from ${sender}`);
}

function printUnknownSender(out: Printer): void {
  out.plain(
    '  Its sender has no licence, so it waits until a model evaluates it at the next check. The reply is recorded.',
  );
}

function printVerdicts(out: Printer, rules: string, model: string, name: string, reasoning: string): void {
  out.plain(`    the rules would say: ${rules}`);
  out.plain(`    ${name} says: ${model}`);
  out.plain(`    “${reasoning}”`);
}

/** What a first look needn't show: `steward run` prints all of it. */
const HIDDEN: ReadonlySet<DaemonEvent['what']> = new Set<DaemonEvent['what']>([
  'schedule-provisioned',
  'schedule-removed',
  'ticked',
  'skipped',
  'signal-written',
  'settings',
  'stopped',
]);

function printEvent(out: Printer, event: DaemonEvent, called: Called, root: string): void {
  const [first, ...more] = eventLines(out, event, called, root);
  if (first === undefined) return;
  for (const line of out.folded(`  ${first}`)) out.line(line);
  for (const line of more) out.plain(`    ${line}`);
}

function eventLines(out: Printer, event: DaemonEvent, called: Called, root: string): string[] {
  if (HIDDEN.has(event.what)) return [];
  switch (event.what) {
    case 'started':
      return [`${out.paint('green', 'started')} with ${event.matters} matters, in mode ${event.mode}`];
    case 'stream-read':
      return event.signals > 0 ? [] : [`no signal: ${clean(event.reason ?? 'known already')}`];
    case 'asked':
      return [`${out.paint('yellow', 'asked')} which note is meant: ${event.candidates.map(clean).join(' or ')}`];
    case 'acted':
      return [changeText(out, { ...event, outcome: 'applied' }), ...undoLines(event, called)];
    case 'confirmed':
      return [changeText(out, { ...event, outcome: 'confirmed' })];
    case 'recorded':
    case 'proposed':
      return [
        changeText(out, { ...event, outcome: event.what }),
        event.reason,
        ...(event.what === 'proposed' ? answerLines(event, called, root) : []),
      ];
    case 'learned':
      return [`learned ${learnedText(event)}: confidence ${formatShift(event.before, event.after)}`];
    case 'licence':
      return [
        `${out.paint('yellow', `licence ${event.change}`)} for ${clean(event.sender)}: ${withTitles(clean(event.reason))}`,
      ];
    case 'reversed':
      return event.outcome === 'reversed'
        ? [`${out.paint('green', 'undone')} ${stem(event.target)}: each field is as it was before`]
        : [eventText(out, event, 'whole')];
    case 'perceived':
      return [`${out.paint('yellow', 'noticed')} ${stem(event.target)}: ${clean(event.sentence)}`];
    default:
      return [eventText(out, event, 'whole')];
  }
}

function learnedText({ source, outcome }: Extract<DaemonEvent, { readonly what: 'learned' }>): string {
  return outcome === 'reversed' ? `from an undo, about ${clean(source)}` : `that ${clean(source)} was ${outcome}`;
}

type ChangeEvent = Extract<DaemonEvent, { readonly confidence: number }>;

function changeText(
  out: Printer,
  {
    outcome,
    target,
    changes,
    confidence,
  }: Pick<ChangeEvent, 'target' | 'changes' | 'confidence'> & { outcome: string },
): string {
  const style = ['applied', 'confirmed'].includes(outcome) ? 'green' : 'yellow';
  const made = changeLines(changes).join('; ') || 'no change';
  return `${out.paint(style, outcome)} ${stem(target)}: ${made} (confidence ${figure(confidence)})`;
}

function undoLines({ target }: Pick<ChangeEvent, 'target'>, { dir, program }: Called): string[] {
  return [
    `look: ${dir}/${target}, and its event note in ${dir}/event/`,
    'undo: tick `undo` in the event note, or run',
    `  ${program} --vault ${shellWord(dir)} undo ${shellWord(stem(target))}`,
  ];
}

function answerLines({ event }: { readonly event: string }, { dir, program }: Called, root: string): string[] {
  const note = fs.readFileSync(path.join(root, event), 'utf8');
  const boxes = ['confirm', 'always', 'dismiss', 'later'].filter((box) => note.includes(`\n${box}: false`));
  const ticks = boxes.map((box) => `\`${box}\``).join(', ');
  return [`answer: tick ${ticks} in its event note, or run`, `  ${program} --vault ${shellWord(dir)} inbox`];
}

function printClosing(out: Printer, { dir, program }: Called): void {
  out.line(`
All mails are read. Now try it yourself, in another terminal:
  ${program} --vault ${shellWord(dir)} status
  ${program} --vault ${shellWord(dir)} log
  ${program} --vault ${shellWord(dir)} licence
  ${program} --vault ${shellWord(dir)} explain pay-notary-deposit
  ${program} --vault ${shellWord(dir)} undo --last 1
  ${program} --vault ${shellWord(dir)} confirm compare-tile-offers
or edit a note, tick a box in an event note, or drop a mail into ${dir}/stream/.
Ctrl-C ends the demo.
`);
}

/** The last day for which the example vault is written: on the next one its first open task is due. */
const LAST_DAY = '2026-11-26';

const ISO_DAY = /\b(\d{4})(-\d\d-\d\d)\b/g;

/** A day as a sample mail writes it out. The month is in the future of the example. */
const WRITTEN_DAY = /\b(\d{1,2} (?:December|January|February|March)) (\d{4})\b/g;

/**
 * Returns by how many whole years the example is to be moved for a local day, so that its future stays in the future.
 */
export function yearsTo(today: string): number {
  const years = Number(today.slice(0, 4)) - Number(LAST_DAY.slice(0, 4));
  return Math.max(0, today.slice(4) > LAST_DAY.slice(4) ? years + 1 : years);
}

/**
 * Returns a text of the example with its future days moved by `years`. Past days stay, and since only the year moves,
 * “the keys come in January” stays true.
 */
export function daysMoved(text: string, years: number): string {
  const later = (year: string) => String(Number(year) + years);
  return text
    .replace(ISO_DAY, (day, year: string, rest: string) => (day > LAST_DAY ? `${later(year)}${rest}` : day))
    .replace(WRITTEN_DAY, (_, day: string, year: string) => `${day} ${later(year)}`);
}

/** Wraps an evaluator so that each verdict of a model, which still counts, is printed next to the one of the rules. */
function withRulesVerdict(evaluator: Evaluator, out: Printer): Evaluator {
  return {
    name: evaluator.name,
    asksModel: evaluator.asksModel,
    async evaluate(question, abort) {
      const verdict = await evaluator.evaluate(question, abort);
      // The rules treat what a note shows by itself differently.
      if (verdict.evaluator === undefined || question.signals.length === 0) return verdict;
      const ofRules = await rules.evaluate(question, abort);
      printVerdicts(out, verdictText(ofRules), verdictText(verdict), verdict.evaluator, verdict.reasoning);
      return verdict;
    },
  };
}

function verdictText({ decision, confidence, changes }: Verdict): string {
  const made = changes.map(({ field, value }) => `${field} ${JSON.stringify(value)}`).join(', ');
  return `${decision} at ${figure(confidence)}, ${made === '' ? 'no change' : made}`;
}

const REPLIES = path.join(PACKAGE, 'vault-example', 'recorded-replies');

const WEAK_MAIL = {
  mail: 'gmail/08-another-van.eml',
  file: 'stream/gmail/08-another-van.eml',
  matter: 'house-purchase',
};

/** Says that a folder is a demo's. */
const MARK = '.steward-demo';

const SCHEDULE = 'every 15s';

/** The code of the trouble that a question has no recorded reply. */
const UNRECORDED = 'model-unrecorded';

const TICK_MS = 60_000;

const HOUR = 3_600_000;

const LICENSED = 'anna@northgate-notary.example';

/** Whose mail is answered by `always`. */
const OFFERED = { mail: '02-appointment-moved.eml', task: 'task/kitchen-measuring-appointment.md' };

/** The mails that no licence lets act: each waits for a check of its matter, which the demo asks for. */
const WAITING_MAILS: Readonly<Record<string, string>> = {
  [OFFERED.mail]: 'kitchen-renovation',
  '05-contract-signed.eml': 'allotment-garden',
  '09-forged-notary.eml': 'house-purchase',
};

const MAILS = path.join(PACKAGE, 'vault-example', 'sample-mails');

function sampleMails(): string[] {
  return fs
    .readdirSync(MAILS)
    .filter((file) => file.endsWith('.eml'))
    .sort();
}

async function dropMail(
  context: CommandContext,
  daemon: Daemon,
  root: string,
  events: EventEmitter,
  name: string,
): Promise<void> {
  const mail = dated(fs.readFileSync(path.join(MAILS, name), 'utf8'));
  await printArrival(context.out, mail);
  fs.writeFileSync(path.join(root, 'stream', name), mail);
  await once(events, `stream/${name}`);
  await daemon.idle();
}

// As a person ticks a box in an editor.
async function tickAlways(
  { out }: CommandContext,
  root: string,
  events: EventEmitter,
  proposal: string,
): Promise<void> {
  printAlways(out);
  const file = path.join(root, proposal);
  const answered = Promise.all([once(events, 'confirmed'), once(events, 'licence')]);
  fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace(/^always: false$/m, 'always: true'));
  await answered;
}

/** A mail from an unknown sender: it waits for the check, which weighs it against what the note says. */
async function dropWeakMail(
  context: CommandContext,
  daemon: Daemon,
  root: string,
  events: EventEmitter,
): Promise<void> {
  const mail = dated(fs.readFileSync(path.join(MAILS, WEAK_MAIL.mail), 'utf8'));
  await printArrival(context.out, mail);
  printUnknownSender(context.out);
  fs.mkdirSync(path.dirname(path.join(root, WEAK_MAIL.file)), { recursive: true });
  fs.writeFileSync(path.join(root, WEAK_MAIL.file), mail);
  await once(events, WEAK_MAIL.file);
  await daemon.idle();
}

// The example's stream already holds mails; the daemon reads them first.
async function allRead(daemon: Daemon, events: EventEmitter): Promise<void> {
  for (;;) {
    const { seen, read } = daemon.status().streams;
    if (read >= seen) return;
    await once(events, 'stream-read');
  }
}

// The sample mails carry fixed dates, and Steward leaves old mail alone: each gets the time of its arrival.
function dated(mail: string): string {
  const moved = daysMoved(mail, yearsTo(localDate(Date.now())));
  return moved.replace(/^Date: .*$/m, `Date: ${new Date().toUTCString().replace('GMT', '+0000')}`);
}

function freshCopy(root: string): void {
  const holder = lockHolder(ownPlaces(root).lock, Date.now());
  if (holder !== null) {
    throw new StewardError(
      {
        code: 'vault-locked',
        message: `Another demo is running on ${root} (pid ${holder.pid}).`,
        hint: 'Stop that one first.',
      },
      EXIT.tryAgain,
    );
  }
  demandOwn(root);
  fs.rmSync(root, { recursive: true, force: true });
  fs.cpSync(path.join(PACKAGE, 'vault-example'), root, { recursive: true });
  fs.writeFileSync(path.join(root, MARK), 'The next demo removes this folder and all its files.\n');
  bringUpToDate(root, Date.now());
  const settings = path.join(root, 'steward.md');
  const text = fs.readFileSync(settings, 'utf8');
  const short = text.replace(/^default_schedule: .*$/m, `default_schedule: ${SCHEDULE}`);
  const quick = short.replace(/^settle_seconds: \d+/m, 'settle_seconds: 1');
  // The recorded replies fit only the example's own questions; the rules judge whatever else is dropped in.
  fs.writeFileSync(settings, quick.replace(/^evaluator: auto.*$/m, '$&\nevaluator_fallback: rules'));
}

// A person who names a vault of their own must not lose it.
function demandOwn(root: string): void {
  const isFree = !fs.existsSync(root) || fs.existsSync(path.join(root, MARK));
  if (isFree || (fs.statSync(root).isDirectory() && fs.readdirSync(root).length === 0)) return;
  const hint = 'Name another folder with --dir, or remove this one yourself.';
  throw new StewardError(
    { code: 'demo-folder', message: `${root} exists already, and isn't a demo.`, hint },
    EXIT.usage,
  );
}

// On a later day the example would only show overdue tasks. The notes count as untouched for an hour.
function bringUpToDate(root: string, now: number): void {
  const years = yearsTo(localDate(now));
  const quiet = new Date(now - HOUR);
  for (const item of fs.readdirSync(root, { recursive: true, withFileTypes: true })) {
    if (!item.isFile()) continue;
    const file = path.join(item.parentPath, item.name);
    const name = path.relative(root, file);
    const text = (): string => fs.readFileSync(file, 'utf8');
    if (/^(matter|task|event|signal|stream)\//.test(name)) fs.writeFileSync(file, daysMoved(text(), years));
    // The words of a licence are the program's: it writes the new day into them when the licence is signed.
    if (name.startsWith('licence/')) {
      fs.writeFileSync(
        file,
        text().replace(/^until: .*$/m, (line) => daysMoved(line, years)),
      );
    }
    fs.utimesSync(file, quiet, quiet);
  }
}
