import { Allowance } from '../../evidence/allowance.ts';
import { type Registered, registeredFiles } from '../../evidence/files/registered.ts';
import { Researcher } from '../../evidence/researcher.ts';
import { RecordedAgent } from '../../model/agent/recorded-agent.ts';
import { Provider } from '../../model/provider/provider.ts';
import type { RoundtableLog } from '../../roundtable/log/log.ts';
import { type Outcome, outcomeOf } from '../../roundtable/log/outcome.ts';
import { type Briefing, MOST_AGENTS, readBriefing } from '../../roundtable/notes/briefing.ts';
import { Folder } from '../../roundtable/notes/folder.ts';
import { holdRoundtable } from '../../roundtable/session/roundtable.ts';
import type { Evidence, Progress } from '../../roundtable/session/session.ts';
import type { Agent } from '../../steward/ports/agent.ts';
import { Unanswered } from '../../steward/ports/evaluator.ts';
import { type Diagnostic, EXIT, StewardError, systemCode } from '../../vault/errors.ts';
import { insideVault, readBytes, staysInside } from '../../vault/files.ts';
import { MAX_NOTE_BYTES, readNote } from '../../vault/frontmatter/parse.ts';
import type { ParsedNote } from '../../vault/frontmatter/parsed-note.ts';
import { linkTarget } from '../../vault/links.ts';
import { fold } from '../../vault/note-names.ts';
import type { Vault } from '../../vault/watch/vault.ts';
import { agentFor } from '../budget/budgeted-agent.ts';
import { recordErrand, reserveErrand } from '../budget/errand-budget.ts';
import type { Context, IndexAccess } from '../context/ports.ts';
import type { Settings } from '../context/settings.ts';
import { noModel } from './errors.ts';

/** What is asked for: the briefing's id, path or link, and whether its recorded replies are played back. */
export interface RoundtableRequest {
  readonly briefing: string;
  readonly recorded: boolean;
}

/** The outcome of a roundtable, and the folder that it lies in. */
export interface RoundtableResult extends Outcome {
  readonly folder: string;
  /** Registered files that cannot be read. */
  readonly trouble: readonly Diagnostic[];
}

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
 * cannot be used, `roundtable-no-model` where no model can be asked, and (75) `roundtable-held-up` where the provider
 * asks to wait or the budget is used up: what was said is kept, and the same command continues there.
 */
export async function convene(
  space: IndexAccess,
  request: RoundtableRequest,
  holding: Holding,
): Promise<RoundtableResult> {
  const { file, note } = readBriefingNote(space.vault, request.briefing);
  const briefing = readBriefing(file, note);
  const registered = registeredFiles(note, file, space.vault.root);
  const { root } = space.vault;
  const folder = new Folder({ root, tmp: space.vault.places.tmp, folder: briefing.folder });
  const resultOf = (log: RoundtableLog) => ({
    ...outcomeOf(log),
    folder: briefing.folder,
    trouble: registered.troubles,
  });
  const before = folder.readLog(briefing.id);
  if (before !== null && before.ended_at !== null) return resultOf(before);
  const agent = agentOf(space, briefing, request.recorded, holding.matter);
  const noEvidence = evidenceTrouble(registered);
  try {
    const log = await holdRoundtable({
      briefing,
      folder,
      agent,
      evidence: noEvidence === null ? evidenceOf(space.context, registered, request.recorded ? null : agent) : null,
      settings: {
        noEvidence,
        recorded: request.recorded,
        models: { agents: space.context.settings.sonnet_model, judge: space.context.settings.sonnet_model },
        limits: { ...limitsOf(space.context.settings), patience_seconds: PATIENCE_SECONDS },
      },
      now: space.context.now,
      ...holding,
    });
    return resultOf(log);
  } catch (error) {
    throw error instanceof Unanswered ? heldUp(briefing, error) : error;
  }
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

function readBriefingNote(vault: Vault, written: string): { readonly file: string; readonly note: ParsedNote } {
  const home = vault.layout.folders.roundtable;
  const file = briefingFile(home, written);
  try {
    const read = readNote(file, readBytes(insideVault(vault.root, file), MAX_NOTE_BYTES).bytes);
    if (!read.ok) throw new StewardError(read.trouble);
    return { file, note: read.note };
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '')) throw unknown(written, home);
    throw error;
  }
}

function agentOf(space: IndexAccess, briefing: Briefing, recorded: boolean, matter: string | null): Agent {
  if (recorded) return recordedAgent(space.vault, briefing);
  const {
    context: { env, settings },
  } = space;
  // A provider of its own, wide enough to ask all agents of the opening at once.
  const provider = env.provider ? new Provider(env.provider, undefined, MOST_AGENTS) : null;
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
    const { bytes } = readBytes(insideVault(vault.root, file), MAX_NOTE_BYTES);
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
