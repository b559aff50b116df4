import { parseRequests } from '../../evidence/request.ts';
import { reasonOf } from '../../vault/errors.ts';
import { noteText } from '../../vault/notes/note-text.ts';
import { type Said, saidIn } from '../log/log.ts';
import { nextRequest } from '../log/log-fold.ts';
import type { Participant } from '../notes/briefing.ts';
import { parseReply } from '../notes/reply.ts';
import { sanitize } from '../notes/sanitize.ts';
import { bodyOf } from '../notes/transcript.ts';
import { isSame, writeTool } from '../notes/write-tool.ts';
import { AGENT_ASKS } from '../prompts/agent.ts';
import { hearAgent } from './agent-turn.ts';
import { asking } from './requests.ts';
import type { Heard, Session } from './session.ts';

/** Who wrote a file: its agent, or, where it did not, the program from what it said. */
const FALLBACK = 'judge-fallback';

/** All agents write at once, each its own file. Those who have done so before a crash are not asked again. */
export async function openRound(table: Session, round: number): Promise<void> {
  const done = new Set(saidIn(table.log, round, 'opening').map(({ who }) => who));
  const waiting = table.parts.briefing.agents.filter(({ name }) => !done.has(name));
  const ended = await Promise.allSettled(waiting.map((agent) => open(table, round, agent)));
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
}

async function open(table: Session, round: number, { name }: Participant): Promise<void> {
  const { folder, root } = table.parts;
  const file = folder.at(`round-${round}/${name}.md`);
  const write = (_: string, content: string) =>
    folder.write(table.log, file, contribution(table, round, name, name, content));
  const tools = [writeTool({ root, files: [file], write })];
  const heard = await hearAgent(table, { round, phase: 'opening', name, ask: AGENT_ASKS.opening(file), tools });
  const settled = checkFile(table, round, name, file, heard);
  const first = nextRequest(table.log);
  const refused = parseRequests(heard.text ?? '').map((text, at) =>
    asking(round, first + at, name, text, 'no requests before all have opened'),
  );
  table.add({ what: 'said', round, phase: 'opening', who: name, ...heard, request: null, file: settled }, ...refused);
}

/** What an agent claims of its file, against the disk (contract, section 14). */
function checkFile(table: Session, round: number, name: string, file: string, { text }: Heard): Said['file'] {
  const { folder, root } = table.parts;
  const claimed = text === null ? null : parseReply(text).file;
  const isThere = folder.isOurs(table.log, file) && (bodyOf(folder.read(file)) ?? '') !== '';
  if (isThere && claimed !== null && isClaimed(root, folder.at(''), file, claimed)) {
    return { path: file, state: 'written', reason: null };
  }
  const reason =
    claimed === null ? 'its reply names no file' : `its reply names ${JSON.stringify(claimed.slice(0, 200))}`;
  if (isThere) return { path: file, state: 'found', reason };
  if (text === null) return { path: file, state: 'missing', reason: 'it wrote no file and said nothing' };
  try {
    folder.write(table.log, file, contribution(table, round, name, FALLBACK, text));
    return {
      path: file,
      state: 'fallback',
      reason: claimed === null ? 'it wrote no file' : `${reason}, which it did not write`,
    };
  } catch (error) {
    return { path: file, state: 'missing', reason: reasonOf(error) };
  }
}

// As it was told, or relative to the roundtable's folder.
function isClaimed(root: string, folder: string, file: string, claimed: string): boolean {
  return isSame(root, file, claimed) || isSame(root, file, `${folder}${claimed.replace(/^\.\//, '')}`);
}

function contribution(table: Session, round: number, agent: string, writtenBy: string, content: string): string {
  return noteText({ roundtable: table.log.id, round, agent, written_by: writtenBy }, sanitize(content));
}
