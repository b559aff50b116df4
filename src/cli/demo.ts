import { EventEmitter, once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { Daemon } from '../daemon/daemon.ts';
import { type DaemonEvent, readEnvironment } from '../daemon/environment.ts';
import { forgetMeeting, sealKeyFile } from '../daemon/seal-key.ts';
import { runtimePaths } from '../daemon/server/runtime-paths.ts';
import { ask } from '../daemon/server-runtime-paths.ts';
import { rules } from '../model/evaluators.ts';
import type { Evaluator, Verdict } from '../steward/ports/evaluator.ts';
import { EXIT, StewardError } from '../vault/errors.ts';
import { ownPlaces } from '../vault/layout.ts';
import { lockHolder } from '../vault/lock.ts';
import { localDate } from '../vault/time.ts';
import { PACKAGE } from './base/package-dir.ts';
import type { CommandContext, CommandResult } from './base.ts';
import { figure } from './print/plain-text.ts';
import { printEvent } from './print/print-event.ts';
import type { Printer } from './print/printer.ts';
import {
  printArrival,
  printClosing,
  printHints,
  printOpening,
  printUnknownSender,
  printVerdicts,
} from './print-demo.ts';

/** The last day for which the example vault is written: on the next one its first open task is due. */
const LAST_DAY = '2026-11-26';
const ISO_DAY = /\b(\d{4})(-\d\d-\d\d)\b/g;
/** A day as a sample mail writes it out. The month is one that lies ahead in the example. */
const WRITTEN_DAY = /\b(\d{1,2} (?:December|January|February|March)) (\d{4})\b/g;

/** Returns by how many whole years the example is to be moved for a local day, so that what lies ahead in it still does. */
export function yearsTo(today: string): number {
  const years = Number(today.slice(0, 4)) - Number(LAST_DAY.slice(0, 4));
  return Math.max(0, today.slice(4) > LAST_DAY.slice(4) ? years + 1 : years);
}

/**
 * Returns a text of the example with the days that lie ahead in it moved by so many years. What has happened keeps its
 * day, and since only the year moves, “the keys come in January” stays true.
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
      // What a note shows by itself, the rules see in another way.
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

/**
 * Shows the steward at work on a copy of the example vault: the daemon runs live on it, real mails arrive in its stream
 * one after the other, and each thing that happens is printed with where to look. `dir`: where the copy goes, relative
 * to the working directory; what lies there is removed. `program`: how this program is called here. `once`: ends after the last mail, without waiting for Ctrl-C.
 * Throws `vault-locked` (75) where another demo runs there.
 */
export async function demo(
  context: CommandContext,
  options: { readonly once: boolean; readonly dir: string; readonly program: string },
): CommandResult {
  const root = path.resolve(context.cwd, options.dir);
  freshCopy(root);
  const events = new EventEmitter();
  const emit = (event: DaemonEvent) => {
    // Only two questions have a recorded reply; the rules judge the others, as the copy's settings say.
    if (event.what === 'trouble' && event.trouble.code === UNRECORDED) return;
    printEvent(context.out, event);
    printHints(context.out, event, options);
    events.emit(event.what);
    if (event.what === 'stream-read') events.emit(event.file);
  };
  const stop = new Promise<void>((resolve) => {
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
  });
  const { STATE_DIRECTORY, XDG_STATE_HOME } = context.env;
  const env = readEnvironment({
    ...{ STEWARD_LIVE_MODE: 'live', STEWARD_RECORDED_REPLIES: REPLIES },
    ...{ STATE_DIRECTORY, XDG_STATE_HOME },
  });
  // Each copy is a new vault: what waits in it is taken as the program's own, as at any first start.
  forgetMeeting(sealKeyFile(context.env), root);
  printOpening(context.out, options);
  const outside = runtimePaths(root, context.env);
  const around = (evaluator: Evaluator) => withRulesVerdict(evaluator, context.out);
  const daemon = await Daemon.start({ root, env, now: Date.now, emit, around }, outside);
  await dropMails(context, daemon, root, events);
  await dropWeakMail(context, daemon, root, events);
  await ask(outside.socket, { op: 'tick', matters: [WEAK_MAIL.matter], force: true, mode: null }, TICK_MS);
  printClosing(context.out, options);
  if (!options.once) await stop;
  await daemon[Symbol.asyncDispose]();
  return EXIT.done;
}

async function dropMails(context: CommandContext, daemon: Daemon, root: string, events: EventEmitter): Promise<void> {
  const mails = path.join(PACKAGE, 'vault-example', 'sample-mails');
  await allRead(daemon, events);
  for (const name of fs
    .readdirSync(mails)
    .filter((file) => file.endsWith('.eml'))
    .sort()) {
    printArrival(context.out, `stream/${name}`);
    fs.writeFileSync(path.join(root, 'stream', name), dated(fs.readFileSync(path.join(mails, name), 'utf8')));
    await once(events, `stream/${name}`);
    await daemon.idle();
  }
}

/** A mail from an unknown sender: what it says waits for the tick, where it is weighed against what the note says. */
async function dropWeakMail(
  context: CommandContext,
  daemon: Daemon,
  root: string,
  events: EventEmitter,
): Promise<void> {
  printArrival(context.out, WEAK_MAIL.file);
  printUnknownSender(context.out);
  const mail = fs.readFileSync(path.join(PACKAGE, 'vault-example', 'sample-mails', WEAK_MAIL.mail), 'utf8');
  fs.mkdirSync(path.dirname(path.join(root, WEAK_MAIL.file)), { recursive: true });
  fs.writeFileSync(path.join(root, WEAK_MAIL.file), dated(mail));
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

// The sample mails carry fixed dates, and the steward leaves old mail alone: each gets the time of its arrival.
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
  fs.writeFileSync(path.join(root, MARK), 'The next demo removes this folder and all that lies in it.\n');
  bringUpToDate(root, Date.now());
  const settings = path.join(root, 'steward.md');
  const text = fs.readFileSync(settings, 'utf8');
  const short = text.replace(/^default_schedule: .*$/m, `default_schedule: ${SCHEDULE}`);
  const quick = short.replace(/^settle_seconds: \d+/m, 'settle_seconds: 1');
  // The recorded replies fit only the example's own questions; the rules judge whatever else is dropped in.
  fs.writeFileSync(settings, quick.replace(/^evaluator: auto.*$/m, '$&\nevaluator_fallback: rules'));
}

// Whoever names a vault of their own must not lose it.
function demandOwn(root: string): void {
  const isFree = !fs.existsSync(root) || fs.existsSync(path.join(root, MARK));
  if (isFree || (fs.statSync(root).isDirectory() && fs.readdirSync(root).length === 0)) return;
  const hint = 'Name another folder with --dir, or remove this one yourself.';
  throw new StewardError(
    { code: 'demo-folder', message: `${root} exists already, and no demo made it.`, hint },
    EXIT.usage,
  );
}

// On a later day the example would tell of nothing but overdue tasks. Nobody has touched a note within the last hour.
function bringUpToDate(root: string, now: number): void {
  const years = yearsTo(localDate(now));
  const quiet = new Date(now - HOUR);
  for (const item of fs.readdirSync(root, { recursive: true, withFileTypes: true })) {
    if (!item.isFile()) continue;
    const file = path.join(item.parentPath, item.name);
    if (/^(matter|task|event|signal|stream)\//.test(path.relative(root, file))) {
      fs.writeFileSync(file, daysMoved(fs.readFileSync(file, 'utf8'), years));
    }
    fs.utimesSync(file, quiet, quiet);
  }
}
