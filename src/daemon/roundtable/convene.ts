import path from 'node:path';
import { Allowance } from '../../evidence/allowance.ts';
import { type Registered, registeredFiles } from '../../evidence/files/registered.ts';
import { Researcher } from '../../evidence/researcher.ts';
import { RecordedAgent } from '../../model/agent/recorded-agent.ts';
import { Provider } from '../../model/provider/provider.ts';
import type { RoundtableLog } from '../../roundtable/log/log.ts';
import { type Outcome, outcomeOf } from '../../roundtable/log/outcome.ts';
import { type Briefing, MOST_AGENTS, readBriefing } from '../../roundtable/notes/briefing.ts';
import { Folder } from '../../roundtable/notes/folder.ts';
import { holdRoundtable, newLog, otherBriefing } from '../../roundtable/session/roundtable.ts';
import type { Evidence, Progress, SessionSettings } from '../../roundtable/session/session.ts';
import type { Agent } from '../../steward/ports/agent.ts';
import { Unanswered } from '../../steward/ports/evaluator.ts';
import { readInside } from '../../vault/disk/read-inside.ts';
import { type Diagnostic, EXIT, StewardError, systemCode } from '../../vault/errors.ts';
import { staysInside } from '../../vault/files.ts';
import { MAX_NOTE_BYTES, readNote } from '../../vault/frontmatter/parse.ts';
import type { ParsedNote } from '../../vault/frontmatter/parsed-note.ts';
import { sha256 } from '../../vault/hash.ts';
import { linkTarget } from '../../vault/links.ts';
import { fold } from '../../vault/note-names.ts';
import { nameTimeExact } from '../../vault/time.ts';
import { textStep } from '../../vault/transaction/steps.ts';
import type { Vault } from '../../vault/watch/vault.ts';
import { agentFor } from '../budget/budgeted-agent.ts';
import { recordErrand, reserveErrand } from '../budget/errand-budget.ts';
import { questionDoor } from '../budget/question-door.ts';
import { groundOf } from '../context/environment.ts';
import type { Context, IndexAccess, Workspace } from '../context/ports.ts';
import type { Settings } from '../context/settings.ts';
import { type ConvenedBriefing, convenedLog } from './convened.ts';
import { noModel } from './errors.ts';

/**
 * What is asked for: the briefing's id, path or link, and whether its recorded replies are played back. `roots`: folders
 * outside the vault (absolute) that this request allows to be read. `convened`: the briefing that the daemon makes
 * itself, which then is the only one that is believed.
 */
export interface RoundtableRequest {
  readonly briefing: string;
  readonly recorded: boolean;
  readonly roots?: readonly string[] | undefined;
  readonly convened?: ConvenedBriefing;
}

/** The outcome of a roundtable, and the folder that it lies in. */
export interface RoundtableResult extends Outcome {
  readonly folder: string;
  /** Registered files that cannot be read. */
  readonly trouble: readonly Diagnostic[];
}

/** Reading, and publishing what a person may be typing into. */
type RoundtableAccess = IndexAccess & Pick<Workspace, 'transactions'>;

/** How a roundtable is watched and stopped. `matter`: the matter whose budget it also counts against, or null. */
interface Holding {
  readonly say: (progress: Progress) => void;
  readonly abort: AbortSignal;
  readonly matter: string | null;
}

/** The longest that an agent may take for one errand. */
const PATIENCE_SECONDS = 300;
const RECORDING = 'recorded.yaml';

/**
 * Holds the roundtable of a briefing, or continues it, and returns its outcome. Throws `briefing-…` for a briefing that
 * cannot be used, `roundtable-log-foreign` for a log, and `deliberate-folder-taken` (75) for a folder, that the program did
 * not make itself, `roundtable-no-model` where no model can be asked, and (75) `roundtable-held-up` where the provider
 * asks to wait or the budget is used up: what was said is kept, and the same command continues there.
 */
export async function convene(
  space: RoundtableAccess,
  request: RoundtableRequest,
  holding: Holding,
): Promise<RoundtableResult> {
  const { vault, context } = space;
  const file = briefingFile(vault.layout.folders.roundtable, request.briefing);
  const folder = folderOf(space, path.posix.dirname(file));
  const own = request.convened === undefined ? null : ownLog(space, request, folder, request.convened);
  const table = tableOf(space, request, file, readBriefingNote(vault, file, request.briefing));
  const { briefing, registered, settings } = table;
  const resultOf = (log: RoundtableLog) => ({
    ...outcomeOf(log),
    folder: briefing.folder,
    trouble: registered.troubles,
  });
  const before = own ?? folder.readLog(briefing.id);
  if (before !== null && before.ended_at !== null) return resultOf(before);
  if (before !== null && before.briefing_sha256 !== sha256(briefing.text)) throw otherBriefing(briefing);
  const agent = agentOf(space, briefing, request.recorded, holding.matter);
  const evidence =
    settings.noEvidence === null ? evidenceOf(context, registered, request.recorded ? null : agent) : null;
  try {
    return resultOf(
      await holdRoundtable({ briefing, folder, agent, evidence, settings, now: context.now, ...holding }),
    );
  } catch (error) {
    throw error instanceof Unanswered ? heldUp(briefing, error) : error;
  }
}

/** A briefing as it is understood here: who takes part, which files may be read, and within which limits. */
interface Table {
  readonly briefing: Briefing;
  readonly registered: Registered;
  readonly settings: SessionSettings;
}

function tableOf({ vault, context }: IndexAccess, request: RoundtableRequest, file: string, note: ParsedNote): Table {
  const registered = registeredFiles(note, file, groundOf(vault.root, context.env, request.roots));
  const { sonnet_model: model } = context.settings;
  const settings = {
    noEvidence: evidenceTrouble(registered),
    recorded: request.recorded,
    models: { agents: model, judge: model },
    limits: { ...limitsOf(context.settings), patience_seconds: PATIENCE_SECONDS },
  };
  return { briefing: readBriefing(file, note), registered, settings };
}

function ownLog(
  space: IndexAccess,
  request: RoundtableRequest,
  folder: Folder,
  { event, text }: ConvenedBriefing,
): RoundtableLog {
  const file = folder.at('briefing.md');
  const table = tableOf(space, request, file, noteIn(file, Buffer.from(text)));
  return convenedLog(folder, table.briefing, newLog({ ...table, now: space.context.now }, event));
}

function folderOf({ vault, context, transactions }: RoundtableAccess, folder: string): Folder {
  const { root, places, layout } = vault;
  const replace = (file: string, before: string, text: string) =>
    transactions.commit(`roundtable-action-${nameTimeExact(context.now())}-${sha256(file).slice(0, 8)}`, [
      textStep(file, before, text),
    ]);
  return new Folder({ root, tmp: places.tmp, home: layout.folders.roundtable, folder, seal: context.seal, replace });
}

/**
 * Returns the path of the briefing that an id, a path or a link means: in a folder of its own below `home`, the folder
 * of the roundtables. Throws `briefing-unknown` where it can mean none.
 */
export function briefingFile(home: string, written: string): string {
  const target = linkTarget(written).replace(/(?<!\/)\/+$/, '');
  const isInHome = fold(target).startsWith(`${fold(home)}/`);
  const folder = (isInHome ? target.slice(home.length + 1) : target).replace(/\/briefing$/i, '');
  if (folder === '' || !staysInside(folder) || folder.startsWith('.')) throw unknown(written, home);
  return `${home}/${folder}/briefing.md`;
}

function readBriefingNote(vault: Vault, file: string, written: string): ParsedNote {
  try {
    return noteIn(file, readInside(vault.root, file, MAX_NOTE_BYTES).bytes);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? ''))
      throw unknown(written, vault.layout.folders.roundtable);
    throw error;
  }
}

function noteIn(file: string, bytes: Buffer): ParsedNote {
  const read = readNote(file, bytes);
  if (!read.ok) throw new StewardError(read.trouble);
  return read.note;
}

function agentOf(space: IndexAccess, briefing: Briefing, recorded: boolean, matter: string | null): Agent {
  if (recorded) return recordedAgent(space.vault, briefing);
  const {
    context: { env, settings },
  } = space;
  // A provider of its own, wide enough to ask all agents of the opening at once.
  const provider = env.provider
    ? new Provider(env.provider, questionDoor(space.context), undefined, MOST_AGENTS)
    : null;
  const agent = agentFor(provider, settings, {
    reserve: async (cost) => reserveErrand(space.context, cost, matter),
    record: async (settlement) => recordErrand(space.context, settlement),
  });
  if (agent === null) throw noModel(provider !== null);
  return agent;
}

function recordedAgent(vault: Vault, { folder }: Briefing): Agent {
  const file = `${folder}/${RECORDING}`;
  try {
    const { bytes } = readInside(vault.root, file, MAX_NOTE_BYTES);
    return RecordedAgent.read(file, bytes.toString('utf8'));
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
    throw new StewardError({
      code: 'recording-missing',
      file,
      message: 'There are no recorded replies for this roundtable.',
      hint: 'Leave --recorded out to ask a model.',
    });
  }
}

function evidenceTrouble({ listed, files }: Registered): string | null {
  if (!listed) return 'the briefing has no section "Steward-Registered Files"';
  return files.length === 0 ? 'none of the registered files can be read' : null;
}

// Each request gets an allowance of one: the roundtable itself counts how many an agent has left, also after a crash.
function evidenceOf(context: Context, registered: Registered, agent: Agent | null): Evidence {
  const researcher = new Researcher({
    registered,
    agent,
    limits: limitsOf(context.settings),
    now: context.now,
  });
  return {
    answer: (request, asker, abort) => researcher.answer(request, { agent: asker, allowance: new Allowance(1) }, abort),
  };
}

function limitsOf(settings: Settings) {
  const { budget_per_agent, timeout_seconds, max_response_tokens, haiku_model, sonnet_model } = settings;
  return { budget_per_agent, timeout_seconds, max_response_tokens, haiku_model, sonnet_model };
}

function heldUp({ id, file }: Briefing, { message }: Unanswered): StewardError {
  return new StewardError(
    {
      code: 'roundtable-held-up',
      file,
      message: `The roundtable cannot go on just now: ${message.replace(/\.$/, '')}.`,
      hint: `What was said is kept; \`steward roundtable ${id}\` goes on where it stopped.`,
    },
    EXIT.tryAgain,
  );
}

function unknown(written: string, home: string): StewardError {
  return new StewardError({
    code: 'briefing-unknown',
    message: `There is no briefing "${written}".`,
    hint: `A briefing lies in a folder of its own, as ${home}/<id>/briefing.md; name it by its id or its path.`,
  });
}
