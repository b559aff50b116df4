import path from 'node:path';
import { evidenceGround } from '../daemon/environment.ts';
import { type RegisteredFiles, registeredFiles } from '../evidence/files.ts';
import { Allowance, Researcher } from '../evidence/researcher.ts';
import { agentFor } from '../providers/agent.ts';
import { Provider } from '../providers/provider.ts';
import { RecordedAgent } from '../providers/substitutes.ts';
import type { Settings } from '../steward/settings.ts';
import { type Agent, UnansweredError } from '../steward/types.ts';
import { type Diagnostic, EXIT, StewardError, systemCode } from '../vault/errors.ts';
import { readInside } from '../vault/files.ts';
import { type ParsedNote, readNote } from '../vault/frontmatter.ts';
import { fold, MAX_NOTE_BYTES, staysInside } from '../vault/layout.ts';
import { linkTarget } from '../vault/links.ts';
import { sha256, shellWord } from '../vault/note-text.ts';
import { type RoundtableLog, type RoundtableOutcome, readOutcome } from './log.ts';
import { type Briefing, Folder, MOST_AGENTS, readBriefing } from './notes.ts';
import { HeldTable, noModel, type Publishing, type TableGround } from './place.ts';
import {
  type Evidence,
  holdRoundtable,
  newLog,
  otherBriefing,
  type SessionProgress,
  type SessionSettings,
} from './session.ts';

/** The briefing that the daemon writes for a roundtable which it convenes itself, and the event note it is about. */
interface ConvenedBriefing {
  /** The name of the event note. */
  readonly event: string;
  readonly text: string;
}

/**
 * Returns the log of a roundtable that the daemon convenes: its own from before, or `fresh`, in a folder that it then
 * makes, next to the briefing that it writes. Throws `deliberate-folder-taken` (75) if the folder contains anything
 * that its own log does not list. A briefing names files, agents and models, so a stranger's is not used.
 */
function convenedLog(folder: Folder, briefing: Briefing, fresh: RoundtableLog): RoundtableLog {
  const known = ownLog(folder, briefing);
  if (known === null ? !folder.isFree() : known.convened_for !== fresh.convened_for) throw taken(briefing);
  const isMade = known !== null && (known.entries.length > 0 || folder.read(briefing.file) !== null);
  if (isMade) return known;
  // The log first: it is by the log that the briefing is known, also after a crash in between.
  folder.save(fresh);
  if (!folder.create(briefing.file, briefing.text)) throw taken(briefing);
  return fresh;
}

function ownLog(folder: Folder, briefing: Briefing): RoundtableLog | null {
  try {
    return folder.readLog(briefing.id);
  } catch (error) {
    if (error instanceof StewardError && /^roundtable-log/.test(error.trouble.code)) throw taken(briefing);
    throw error;
  }
}

function taken({ folder }: Briefing): StewardError {
  return new StewardError(
    {
      code: 'deliberate-folder-taken',
      file: folder,
      message: `The contents of ${folder} weren't written by Steward on this machine, so it starts no roundtable there and doesn't use them.`,
      hint: 'Look at it, then move it elsewhere or delete it: the roundtable is convened within a minute. Or untick deliberate.',
    },
    EXIT.tryAgain,
  );
}

/**
 * The request for a roundtable: the briefing's id, path or link, and whether its recorded replies are played back.
 * `roots`: folders outside the vault (absolute) that this request allows to be read. `convened`: the briefing that the
 * daemon makes itself, which then is the only one that is believed.
 */
export interface RoundtableRequest {
  readonly briefing: string;
  readonly recorded: boolean;
  readonly roots?: readonly string[] | undefined;
  readonly convened?: ConvenedBriefing;
}

/** The outcome of a roundtable, and the folder that it lies in. */
export interface RoundtableResult extends RoundtableOutcome {
  readonly folder: string;
  /** Registered files that cannot be read. */
  readonly trouble: readonly Diagnostic[];
}

/** How a roundtable is watched and stopped. */
export interface Holding {
  readonly say: (progress: SessionProgress) => void;
  readonly abort: AbortSignal;
}

/** The longest that an agent may take for one errand. */
const PATIENCE_SECONDS = 300;
const RECORDING = 'recorded.yaml';

/**
 * Holds the roundtable of a briefing, or continues it, and returns its outcome. Throws `briefing-…` for a briefing that
 * cannot be used, and `roundtable-no-model` if no model can be asked. Throws `roundtable-log-foreign` for a log that
 * the program did not make itself, and `deliberate-folder-taken` (75) for such a folder. Throws `roundtable-busy` (75)
 * if it is under way already. Throws `roundtable-held-up` (75) if the provider asks to wait, the budget is used up, or
 * the process that has the vault does not let it reserve. The messages are kept then, and the same command continues
 * there.
 */
export async function convene(
  ground: TableGround,
  request: RoundtableRequest,
  holding: Holding,
): Promise<RoundtableResult> {
  const file = briefingFile(ground.home, request.briefing);
  const place = path.posix.dirname(file);
  // A roundtable that has ended is only read, whichever process has it.
  const ended = request.convened === undefined ? endedAt(ground, request, file) : null;
  if (ended !== null) return ended;
  using held = HeldTable.take(ground, place);
  const publishing = ground.publishing(held);
  try {
    return await holdAt(ground, request, holding, folderOf(ground, place, held, publishing));
  } finally {
    await publishing.close();
  }
}

function endedAt(ground: TableGround, request: RoundtableRequest, file: string): RoundtableResult | null {
  const table = tableOf(ground, request, file, readBriefingNote(ground, file, request.briefing));
  const log = folderOf(ground, table.briefing.folder, null, null).readLog(table.briefing.id);
  return log === null || log.ended_at === null ? null : resultOf(log, table);
}

async function holdAt(
  ground: TableGround,
  request: RoundtableRequest,
  holding: Holding,
  folder: Folder,
): Promise<RoundtableResult> {
  const file = folder.at('briefing.md');
  const own = request.convened === undefined ? null : readLog(ground, request, folder, request.convened);
  const table = tableOf(ground, request, file, readBriefingNote(ground, file, request.briefing));
  const { briefing, registered, settings } = table;
  const before = own ?? folder.readLog(briefing.id);
  if (before !== null && before.ended_at !== null) return resultOf(before, table);
  if (before !== null && before.briefing_sha256 !== sha256(briefing.text)) throw otherBriefing(briefing);
  const agent = agentOf(ground, briefing, request.recorded);
  const evidence =
    settings.noEvidence === null ? evidenceOf(ground, registered, request.recorded ? null : agent) : null;
  try {
    const log = await holdRoundtable({ briefing, folder, agent, evidence, settings, now: ground.now, ...holding });
    return resultOf(log, table);
  } catch (error) {
    throw mayPass(error) ? heldUp(briefing, error) : error;
  }
}

function resultOf(log: RoundtableLog, { briefing, registered }: Table): RoundtableResult {
  return { ...readOutcome(log), folder: briefing.folder, trouble: registered.troubles };
}

/** Whether the roundtable can go on later: the provider, the budget, or who holds the vault just now asks it to wait. */
function mayPass(error: unknown): error is UnansweredError | StewardError {
  if (error instanceof UnansweredError) return true;
  return error instanceof StewardError && ['vault-locked', 'daemon-stalled'].includes(error.trouble.code);
}

/** A briefing as it is understood here: who takes part, which files may be read, and within which limits. */
interface Table {
  readonly briefing: Briefing;
  readonly registered: RegisteredFiles;
  readonly settings: SessionSettings;
}

function tableOf(ground: TableGround, request: RoundtableRequest, file: string, note: ParsedNote): Table {
  const registered = registeredFiles(note, file, evidenceGround(ground.root, ground.env, request.roots));
  const { sonnet_model: model } = ground.settings;
  const settings = {
    noEvidence: evidenceTrouble(registered),
    recorded: request.recorded,
    models: { agents: model, judge: model },
    limits: { ...limitsOf(ground.settings), patience_seconds: PATIENCE_SECONDS },
  };
  return { briefing: readBriefing(file, note), registered, settings };
}

function readLog(
  ground: TableGround,
  request: RoundtableRequest,
  folder: Folder,
  { event, text }: ConvenedBriefing,
): RoundtableLog {
  const file = folder.at('briefing.md');
  const table = tableOf(ground, request, file, noteIn(file, Buffer.from(text)));
  return convenedLog(folder, table.briefing, newLog({ ...table, now: ground.now }, event));
}

// Without its place it is only read.
function folderOf(
  { root, home, seal }: TableGround,
  folder: string,
  held: HeldTable | null,
  publishing: Publishing | null,
): Folder {
  const tmp = held?.places.tmp ?? '';
  return new Folder({
    root,
    tmp,
    home,
    folder,
    seal,
    replace: (...asked) => publishing?.replace(...asked) ?? false,
    demand: () => publishing?.demand(),
  });
}

/**
 * Returns the path of the briefing that an id, a path or a link means: in a folder of its own below `home`, the folder
 * of the roundtables. Throws `briefing-unknown` if it means no briefing.
 */
export function briefingFile(home: string, written: string): string {
  const target = linkTarget(written).replace(/(?<!\/)\/+$/, '');
  const isInHome = fold(target).startsWith(`${fold(home)}/`);
  const folder = (isInHome ? target.slice(home.length + 1) : target).replace(/\/briefing$/i, '');
  if (folder === '' || !staysInside(folder) || folder.startsWith('.')) throw unknown(written, home);
  return `${home}/${folder}/briefing.md`;
}

function readBriefingNote({ root, home }: TableGround, file: string, written: string): ParsedNote {
  try {
    return noteIn(file, readInside(root, file, MAX_NOTE_BYTES).bytes);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '')) throw unknown(written, home);
    throw error;
  }
}

function noteIn(file: string, bytes: Buffer): ParsedNote {
  const read = readNote(file, bytes);
  if (!read.ok) throw new StewardError(read.trouble);
  return read.note;
}

function agentOf({ root, env, settings, budget }: TableGround, briefing: Briefing, recorded: boolean): Agent {
  if (recorded) return recordedAgent(root, briefing);
  // A provider of its own, wide enough to ask all agents of the opening at once.
  const provider = env.provider ? new Provider(env.provider, budget, undefined, MOST_AGENTS) : null;
  const agent = agentFor(provider, settings, budget);
  if (agent === null) throw noModel(provider !== null);
  return agent;
}

function recordedAgent(root: string, { folder }: Briefing): Agent {
  const file = `${folder}/${RECORDING}`;
  try {
    const { bytes } = readInside(root, file, MAX_NOTE_BYTES);
    return RecordedAgent.read(file, bytes.toString('utf8'));
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
    throw new StewardError({
      code: 'recording-missing',
      file,
      message: 'This roundtable has no recorded replies.',
      hint: 'Leave out --recorded to ask a model.',
    });
  }
}

function evidenceTrouble({ listed, files }: RegisteredFiles): string | null {
  if (!listed) return 'the briefing has no section "Steward-Registered Files"';
  return files.length === 0 ? "the registered files can't be read" : null;
}

// Each request gets an allowance of one: the roundtable itself counts how many an agent has left, also after a crash.
function evidenceOf({ settings, now }: TableGround, registered: RegisteredFiles, agent: Agent | null): Evidence {
  const researcher = new Researcher({
    registered,
    agent,
    limits: limitsOf(settings),
    now,
  });
  return {
    files: registered.files,
    answer: (request, asker, abort) => researcher.answer(request, { agent: asker, allowance: new Allowance(1) }, abort),
  };
}

function limitsOf(settings: Settings) {
  const { budget_per_agent, timeout_seconds, max_response_tokens, haiku_model, sonnet_model } = settings;
  return { budget_per_agent, timeout_seconds, max_response_tokens, haiku_model, sonnet_model };
}

function heldUp({ id, file }: Briefing, { message }: Error): StewardError {
  return new StewardError(
    {
      code: 'roundtable-held-up',
      file,
      message: `The roundtable has to wait: ${message.replace(/\.$/, '')}.`,
      hint: `All replies are kept; \`steward roundtable ${shellWord(id)}\` continues.`,
    },
    EXIT.tryAgain,
  );
}

function unknown(written: string, home: string): StewardError {
  return new StewardError({
    code: 'briefing-unknown',
    message: `There is no briefing "${written}".`,
    hint: `A briefing is in its own folder, as ${home}/<id>/briefing.md; name it by its id or its path.`,
  });
}
