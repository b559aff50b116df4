import path from 'node:path';
import { exchangeFor, systemOnce } from '../../daemon/compose.ts';
import { type Environment, keepIdentity, readEnvironment, vaultSeal } from '../../daemon/environment.ts';
import { prepare, realRoot } from '../../daemon/lease.ts';
import { withLockedState } from '../../daemon/locked-state.ts';
import { demandVault, runtimePaths } from '../../daemon/runtime-paths.ts';
import { readSettings } from '../../daemon/settings.ts';
import { cutOff } from '../../roundtable/capability.ts';
import {
  briefingFile,
  convene,
  type Holding,
  type RoundtableRequest,
  type RoundtableResult,
} from '../../roundtable/convene.ts';
import { logName, MAX_LOG_BYTES, roundtableLog } from '../../roundtable/log.ts';
import { type Publishing, replaceBy, type TableGround, type TablePlace } from '../../roundtable/place.ts';
import type { SessionProgress } from '../../roundtable/session.ts';
import { UNKNOWN_SETTINGS } from '../../steward/settings.ts';
import { EXIT, StewardError } from '../../vault/errors.ts';
import { readInside } from '../../vault/files.ts';
import { Journal } from '../../vault/journal.ts';
import { Layout, ownPlaces } from '../../vault/layout.ts';
import { DisplacedFiles, type KeptBytes, Publisher } from '../../vault/publish.ts';
import { HeldUp, OwnWrites, Recovery, Transactions } from '../../vault/transaction.ts';
import { askDaemon, askOrDo, namedRoots, presentVaultDir } from '../client.ts';
import { type CommandContext, type CommandResult, type CommonOptions, count, type Printer } from '../terminal.ts';
import { VaultBudget } from '../vault-budget.ts';

interface RoundtableOptions extends CommonOptions {
  readonly recorded?: boolean;
  readonly root?: readonly string[];
}

/** `steward roundtable BRIEFING`: holds or resumes it, shows its progress on a terminal, and prints what it came to. */
export async function roundtable(briefing: string, options: RoundtableOptions, context: CommandContext): CommandResult {
  const root = presentVaultDir(options, context);
  const roots = [...namedRoots(options.root ?? [], context.cwd)];
  const request = { op: 'roundtable' as const, briefing, recorded: options.recorded === true, roots };
  const say = (progress: SessionProgress) => {
    const line = progressLine(progress);
    if (line !== null) context.err.progress(line);
  };
  const abort = interruption();
  const alive = await askDaemon(context, root, { op: 'alive' });
  using _ = typeof alive === 'string' ? null : follow(root, briefing, say);
  const held = await askOrDo(context, root, request, () => holdHere(context, root, request, { say, abort }));
  if (options.json === true) context.out.json({ schemaVersion: 1, ...held });
  else printRoundtable(context.out, held);
  return EXIT.done;
}

/** Returns the line that tells a step of the roundtable; null for a step that is not worth a line. */
function progressLine(progress: SessionProgress): string | null {
  const at = `round ${progress.round}`;
  switch (progress.what) {
    case 'turn':
      return `${at}  ${progress.phase}: ${progress.who} (${count(progress.left, progress.who === 'judge' ? 'check' : 'request')} left)`;
    case 'said':
      return progress.text === null ? `${at}  ${progress.who} gave no reply: ${progress.failure ?? ''}` : null;
    case 'asked':
      return progress.refused === null
        ? `${at}  ${progress.by} waits for: ${progress.text}`
        : `${at}  ${progress.by} is refused (${progress.refused}): ${progress.text}`;
    case 'result':
      return `${at}  request ${progress.id}: ${progress.standing === 'taken' ? (progress.ok ? 'found' : 'nothing found') : progress.standing} after ${progress.seconds.toFixed(1)} s`;
    case 'intermission':
      return `${at}  intermission: ${progress.waiting.join(', ')} wait for evidence`;
    case 'flag':
      return `${at}  unsupported: ${progress.figure}, by ${progress.agent}${progress.reason === undefined ? '' : `: ${progress.reason}`}`;
    case 'halt':
      return `${at}  HALT ${progress.agent}: ${progress.reason}`;
    case 'closed':
      return `${at}  closed${progress.converged ? ': they agree' : ''}`;
    case 'note':
      return `${at}  ${progress.text}`;
    case 'ran':
      return null;
  }
}

function printRoundtable(out: Printer, held: RoundtableResult): void {
  const how = held.ended === 'converged' ? 'converged' : held.ended === null ? 'unfinished' : 'all rounds held';
  out.styled('bold', held.question);
  out.plain(`${count(held.rounds, 'round')}, ${how}${held.recorded ? ', from recorded replies' : ''}`);
  const { debate } = held;
  printList(out, 'Established', debate.established);
  printList(
    out,
    'Positions',
    Object.entries(debate.positions).map(([agent, position]) => `${agent}: ${position}`),
  );
  printList(out, 'Open', debate.open);
  printList(out, 'Shifts', debate.shifts);
  out.heading('How it ran');
  for (const line of howItRan(held)) out.plain(`  ${line}`);
  out.rows(held.phases.map((one) => [`  round ${one.round}`, one.phase, count(one.agents, 'agent'), together(one)]));
  for (const trouble of held.trouble) out.trouble(trouble);
  out.line();
  out.styled('dim', `The files are in ${held.folder}; steward-log-${held.id}.json there has everything.`);
}

function printList(out: Printer, title: string, lines: readonly string[]): void {
  if (lines.length === 0) return;
  out.heading(title);
  for (const line of lines) out.plain(`  ${line}`);
}

function howItRan({ files, requests, flagged, halted, silent, noEvidence, notes }: RoundtableResult): string[] {
  const written = `${count(files.own, 'file')} written by their agents, ${files.fallback} from replies, ${files.missing} missing`;
  const evidence =
    noEvidence === null
      ? `${count(requests.asked, 'request')} for evidence: ${requests.answered} answered, ${requests.unanswered} unanswered, ${requests.refused} refused`
      : `no evidence: ${noEvidence}`;
  return [
    written,
    evidence,
    ...flagged.map(
      ({ agent, figure, reason }) => `unsupported: ${figure}, by ${agent}${reason === null ? '' : `: ${reason}`}`,
    ),
    ...halted.map((agent) => `HALT ${agent}: fabricated data`),
    ...silent.map(({ who, round, reason }) => `${who} gave no reply in round ${round}: ${reason}`),
    ...notes,
  ];
}

function together({ wallSeconds, agentsSeconds }: RoundtableResult['phases'][number]): string {
  const ratio = wallSeconds < 0.05 ? '' : `, ${(agentsSeconds / wallSeconds).toFixed(1)} at once`;
  return `${wallSeconds.toFixed(1)} s${ratio}`;
}

const POLL_MS = 500;

/** For how long an agent waits for its share of the budget while another command has the vault. */
const LOCK_PATIENCE_MS = 240_000;

// The vault's lock is free in the meantime: it is taken for the moments in which the budget is reserved and recorded.
async function holdHere(context: CommandContext, root: string, request: RoundtableRequest, holding: Holding) {
  demandVault(root, runtimePaths(root, context.env));
  const budget = new VaultBudget(context, root, LOCK_PATIENCE_MS);
  const ground = composeTable({ root, env: readEnvironment(context.env), now: Date.now, budget });
  return convene(ground, request, holding);
}

function interruption(): AbortSignal {
  const stop = new AbortController();
  const interrupt = () => stop.abort(cutOff('The roundtable was interrupted.'));
  process.once('SIGINT', interrupt);
  process.once('SIGTERM', interrupt);
  return stop.signal;
}

function follow(root: string, briefing: string, say: (progress: SessionProgress) => void): Disposable {
  const { folders } = readSettings(root, UNKNOWN_SETTINGS).settings;
  const folder = path.posix.dirname(briefingFile(folders.roundtable, briefing));
  const file = `${folder}/${logName(path.posix.basename(folder))}`;
  let seen = entriesIn(root, file).length;
  const poll = () => {
    const entries = entriesIn(root, file);
    for (const entry of entries.slice(seen)) say(entry);
    seen = entries.length;
  };
  const timer = setInterval(poll, POLL_MS);
  return {
    [Symbol.dispose]: () => {
      clearInterval(timer);
      poll();
    },
  };
}

/** The entries of a roundtable's log; none while it has not begun, or where something else is in its place. */
function entriesIn(root: string, file: string): readonly SessionProgress[] {
  try {
    const { bytes } = readInside(root, file, MAX_LOG_BYTES);
    return roundtableLog.parse(JSON.parse(bytes.toString('utf8'))).entries;
  } catch {
    return [];
  }
}

interface TableParts {
  readonly root: string;
  readonly env: Environment;
  readonly now: () => number;
  readonly budget: TableGround['budget'];
}

/**
 * Returns the ground of a roundtable if no daemon runs: the vault is not read and its lock stays free. So a daemon or
 * another command may have it in the meantime. Throws `vault-away`, and what the disk refuses of the settings (75).
 */
function composeTable({ root: given, env, now, budget }: TableParts): TableGround {
  const root = realRoot(given);
  prepare(ownPlaces(root));
  const { settings, unread } = readSettings(root, UNKNOWN_SETTINGS);
  if (unread !== null) throw unread;
  const { seal, id } = vaultSeal(env, ownPlaces(root).state, true);
  keepIdentity(ownPlaces(root).state, id);
  const layout = new Layout(settings.folders, settings.matter_notes);
  const publishing = (place: TablePlace) => publishingAt({ root, env, now, layout, seal }, place);
  return { root, home: layout.folders.roundtable, env, settings, seal, now, budget, publishing };
}

interface PublishingParts extends Pick<TableGround, 'root' | 'env' | 'now' | 'seal'> {
  readonly layout: Layout;
}

/**
 * Publishes by the same transactions as notes are, journalled in the place of the table: what a kill left there is put
 * in order first. A displaced file that somebody typed into is listed in the vault's state as soon as that is free. If
 * a daemon has the state, it finds the file by the list of those that were displaced.
 */
function publishingAt({ root, env, now, layout, seal }: PublishingParts, place: TablePlace): Publishing {
  const { places } = place;
  const kept: KeptBytes[] = [];
  const list = {
    get: () => kept,
    set: (lines: KeptBytes[]) => void kept.splice(0, kept.length, ...lines),
    save: () => {},
  };
  const system = systemOnce();
  const demand = () => place.demand();
  const displaced = new DisplacedFiles({ root, history: places.history, kept: list, demand, now, system });
  let exchange: { readonly found: ReturnType<typeof exchangeFor> } | null = null;
  const journal = new Journal(places.journal, seal, demand);
  const transactions = new Transactions({
    vault: { root, layout, tmp: places.tmp, count: () => 0, named: () => [], look: () => {}, sweep: () => {} },
    journal,
    publisher: new Publisher({
      root,
      tmp: places.tmp,
      history: places.history,
      withdrawn: (note, file, sha) => displaced.keepWatch(note, file, sha),
      get exchange() {
        exchange ??= { found: exchangeFor(places.tmp) };
        return exchange.found;
      },
    }),
    displaced,
    own: new OwnWrites(),
    demand,
    heldUp: new HeldUp(),
    listener: () => {},
    system,
    now,
  });
  const recovery = new Recovery({ transactions, journal, displaced, places, now });
  if (recovery.isPending) recovery.run();
  return {
    replace: replaceBy(transactions, now),
    demand,
    async close() {
      displaced.close();
      if (kept.length > 0) await listKept({ root, env, memories: env.lockMemories, now }, kept);
    },
  };
}

// A daemon that has the vault now looks at all displaced files itself, and lists these.
async function listKept(vault: Parameters<typeof withLockedState>[0], kept: readonly KeptBytes[]): Promise<void> {
  try {
    await withLockedState(vault, ({ state }) => {
      const listed = state.get('kept');
      const more = kept.filter(({ file }) => listed.every((one) => one.file !== file));
      state.set('kept', [...listed, ...more]);
      state.save('kept');
    });
  } catch (error) {
    if (!(error instanceof StewardError)) throw error;
  }
}
