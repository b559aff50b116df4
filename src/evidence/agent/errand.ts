import type { Agent, Report } from '../../steward/ports/agent.ts';
import { filesNamed } from '../files/file-name.ts';
import { type Finding, notFound } from '../files/finding.ts';
import type { Registered } from '../files/registered.ts';
import { type Source, tryRead } from '../files/source.ts';
import { checkClaim, claimsIn, findingOf } from './claim.ts';
import { LOOKUP_SYSTEM, lookupTask } from './prompt.ts';
import { toolsOver } from './tools.ts';

const MAX_TURNS = 16;
const MAX_TOKENS = 8_192;

/** What an agent is asked, with which model, about which files. */
interface LookupErrand {
  readonly request: string;
  readonly registered: Registered;
  readonly model: string;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly say: (step: string) => void;
}

/** What an agent found. */
interface LookupReport {
  readonly finding: Finding;
  /** Whether no other model needs to be asked: the reply had the requested form, and not every claim was rejected. */
  readonly isFinal: boolean;
  readonly report: Report;
}

/** Sends an agent to look something up, and checks every claim it makes. Rejects as the agent does. */
export async function sendToLook(agent: Agent, errand: LookupErrand, abort: AbortSignal): Promise<LookupReport> {
  const { request, registered, model, now, say } = errand;
  const readPaths = new Set<string>();
  const tools = toolsOver({ registered, say, abort, onRead: (path) => readPaths.add(path) });
  const task = lookupTask(request, registered.files);
  const report = await agent.send(
    { model, system: [LOOKUP_SYSTEM], task, tools, maxTurns: MAX_TURNS, maxTokens: MAX_TOKENS, now },
    abort,
  );
  return { ...checkReport(report, registered, [...readPaths].sort()), report };
}

function checkReport({ text, finished }: Report, registered: Registered, paths: readonly string[]) {
  const claims = claimsIn(text);
  if (claims === null) {
    const why = finished ? 'The reply was not of the form that is asked for' : 'The agent came to no end';
    return { finding: notFound([`${why}; nothing of it is handed out.`], paths), isFinal: false };
  }
  const sources = new Map<string, Source | null>();
  const checks = claims.map((claim) => checkClaim(claim, sourceNamed(claim.path, registered, sources)));
  const finding = findingOf(checks, paths);
  return { finding, isFinal: finding.found || claims.length === 0 };
}

/** Reads each file once after the reply, so that the text compared is the text returned. */
function sourceNamed(path: string, { files }: Registered, sources: Map<string, Source | null>): Source | null {
  const [file, ...others] = filesNamed(files, path);
  const known = sources.get(path);
  if (known !== undefined) return known;
  const source = file === undefined || others.length > 0 ? null : tryRead(file);
  sources.set(path, source);
  return source;
}
