import { parseRequests } from '../../evidence/request.ts';
import { reasonOf } from '../../vault/errors.ts';
import { type Said, saidIn } from '../log/log.ts';
import type { Participant } from '../notes/briefing.ts';
import type { Folder } from '../notes/folder.ts';
import { parseReply } from '../notes/reply.ts';
import { readBody } from '../notes/transcript.ts';
import { isSame, writeTool } from '../notes/write-tool.ts';
import { AGENT_ASKS } from '../prompts/agent.ts';
import { hearAgent } from './agent-turn.ts';
import { agentNote } from './judge-notes.ts';
import { requestEntries } from './requests.ts';
import { roundFile } from './round-files.ts';
import type { Heard, Session } from './session.ts';

/** `written_by` of a file that the program wrote from an agent's reply. */
const FALLBACK = 'judge-fallback';

/** All agents write at once, each its own file. Those who wrote theirs before a crash are not asked again. */
export async function openRound(session: Session, round: number): Promise<void> {
  const done = new Set(saidIn(session.log, round, 'opening').map(({ who }) => who));
  const waiting = session.parts.briefing.agents.filter(({ name }) => !done.has(name));
  const ended = await Promise.allSettled(waiting.map((agent) => open(session, round, agent)));
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
}

async function open(session: Session, round: number, { name }: Participant): Promise<void> {
  const { folder } = session.parts;
  const file = roundFile(session, round, name);
  const write = (_: string, content: string) =>
    folder.write(session.log, file, agentNote(session.log.id, round, name, name, content));
  const tools = [writeTool({ root: folder.root, files: [file], write })];
  const ask = AGENT_ASKS.opening(file);
  const heard = await hearAgent(session, { round, phase: 'opening', name, ask, tools, flagged: [], unchecked: null });
  const checked = checkFile(session, round, name, file, heard);
  const texts = parseRequests(heard.text ?? '');
  const refused = requestEntries(session.log, round, name, texts, () => 'no requests before all have opened');
  session.add({ what: 'said', round, phase: 'opening', who: name, ...heard, request: null, file: checked }, ...refused);
}

/**
 * Compares what an agent says about its file with the disk (contract, section 14), and writes it from the reply where
 * it is missing.
 */
function checkFile(session: Session, round: number, name: string, file: string, { text }: Heard): Said['file'] {
  const { folder } = session.parts;
  const claimed = text === null ? null : parseReply(text).file;
  const isThere = (readBody(folder.ownBytes(session.log, file)) ?? '') !== '';
  if (isThere && claimed !== null && isClaimed(folder, file, claimed)) {
    return { path: file, state: 'written', reason: null };
  }
  const reason =
    claimed === null ? 'its reply names no file' : `its reply names ${JSON.stringify(claimed.slice(0, 200))}`;
  if (isThere) return { path: file, state: 'found', reason };
  if (text === null) return { path: file, state: 'missing', reason: 'it wrote no file and said nothing' };
  try {
    folder.write(session.log, file, agentNote(session.log.id, round, name, FALLBACK, text));
    return {
      path: file,
      state: 'fallback',
      reason: claimed === null ? 'it wrote no file' : `${reason}, which it did not write`,
    };
  } catch (error) {
    return { path: file, state: 'missing', reason: reasonOf(error) };
  }
}

// The path may be the one it was told, or relative to the roundtable's folder.
function isClaimed(folder: Folder, file: string, claimed: string): boolean {
  return isSame(folder.root, file, claimed) || isSame(folder.root, file, folder.at(claimed.replace(/^\.\//, '')));
}
