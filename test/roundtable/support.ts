import { prepare } from '../../src/daemon/lease.ts';
import type { RoundtableLog } from '../../src/roundtable/log.ts';
import { type Briefing, Folder, readBriefing } from '../../src/roundtable/notes.ts';
import {
  type Evidence,
  holdRoundtable,
  type SessionAnswer,
  type SessionLimits,
  type SessionProgress,
} from '../../src/roundtable/session.ts';
import type { Agent, AgentReport, Errand } from '../../src/steward/types.ts';
import { readNote } from '../../src/vault/frontmatter.ts';
import { Seal } from '../../src/vault/seal.ts';
import { TempVault } from '../support/temp-vault.ts';

/** By which the program knows its own logs in these tests. */
export const SEAL = new Seal(Buffer.alloc(32, 7));

export const FILE = 'roundtable/tiles/briefing.md';

/** Returns a briefing, by default of two agents and one round, about a price that it names itself. */
export function briefingText({ agents = ['ada', 'ben'], rounds = 1, body = 'The offer is 1,200 EUR.' } = {}): string {
  const list = agents.map((name) => `  - name: ${name}\n    role: looks at ${name}\n`).join('');
  return `---\nquestion: Which tiles?\nagents:\n${list}max_rounds: ${rounds}\n---\n\n${body}\n`;
}

/** What an agent in a test does with an errand. `to`: the address, such as `Round 1, opening, ada.` */
export type Act = (errand: Errand, to: string, abort: AbortSignal) => Promise<string> | string;

export const write = (errand: Errand, path: string, content: string) =>
  errand.tools[0]?.run({ file_path: path, content }) ?? Promise.reject(new Error('no tool'));

/** Writes as a model does: it carries on after a refusal. */
const tryWrite: typeof write = (...asked) => write(...asked).catch((error: Error) => error.message);

/** Behaves well, except for the given acts: each key is the beginning of the addresses that it handles. */
export class Actors implements Agent {
  readonly heard: { readonly to: string; readonly errand: Errand }[] = [];
  readonly #acts: Readonly<Record<string, Act>>;

  constructor(acts: Readonly<Record<string, Act>> = {}) {
    this.#acts = acts;
  }

  async send(errand: Errand, abort: AbortSignal): Promise<AgentReport> {
    const to = errand.task.at(-1)?.split('\n', 1)[0] ?? '';
    this.heard.push({ to, errand });
    const act = Object.entries(this.#acts).find(([begins]) => to.startsWith(begins))?.[1] ?? behave;
    const text = await act(errand, to, abort);
    return { text, finished: true, usage: { model: errand.model, tokens_in: 10, tokens_out: 5, usd: null } };
  }

  /** Returns the whole task that an agent was given. */
  asked(to: string): string {
    const found = this.heard.find((one) => one.to.startsWith(to));
    if (found === undefined) throw new Error(`nobody was asked ${to}: ${this.heard.map((one) => one.to).join(' ')}`);
    return found.errand.task.join('\n');
  }
}

/** A good agent and a good judge. */
export const behave: Act = async (errand, to) => {
  const [, round = '1', part = '', who = ''] = /^Round (\d+), (\w+), ([\w-]+)/.exec(to) ?? [];
  if (part === 'opening') {
    const file = `roundtable/tiles/round-${round}/${who}.md`;
    await tryWrite(errand, file, `# ${who}\n\nP01 I hold.`);
    return fiveLines(file, who);
  }
  if (part === 'review') return 'Well spoken.';
  if (part !== 'verdict') return `${who} says so.`;
  await tryWrite(errand, 'roundtable/tiles/scoreboard.md', '# Scores');
  await tryWrite(errand, 'roundtable/tiles/tensions.md', '# Tensions');
  await tryWrite(
    errand,
    `roundtable/tiles/round-${round}.summary.md`,
    `# Round ${round}\n\n## Established\n- All agree.\n`,
  );
  return 'Convergence: no';
};

export const fiveLines = (file: string, who: string) =>
  `FILE_WRITTEN: ${file}\nPerspectives: P01 [${who}] so\nTensions: none\nMoves: none\nClaim: ${who} is right`;

interface Setting {
  readonly agent: Agent;
  readonly evidence?: Evidence | null;
  readonly limits?: Partial<SessionLimits>;
  readonly abort?: AbortSignal;
  readonly say?: (progress: SessionProgress) => void;
}

/** A roundtable in a vault of its own. */
export class Hall {
  readonly vault: TempVault;
  readonly folder: Folder;
  readonly progress: SessionProgress[] = [];

  constructor(briefing: string, files: Readonly<Record<string, string>> = {}) {
    this.vault = new TempVault({ [FILE]: briefing, ...files });
    prepare(this.vault.places);
    this.folder = new Folder({
      root: this.vault.root,
      tmp: this.vault.places.tmp,
      home: 'roundtable',
      folder: 'roundtable/tiles',
      seal: SEAL,
      demand: () => {},
      replace: (file, before, text) => {
        if (this.vault.read(file) !== before) return false;
        this.vault.write(file, text);
        return true;
      },
    });
  }

  get briefing(): Briefing {
    const read = readNote(FILE, this.vault.bytes(FILE));
    if (!read.ok) throw new Error(read.trouble.message);
    return readBriefing(FILE, read.note);
  }

  hold({
    agent,
    evidence = null,
    limits = {},
    abort = new AbortController().signal,
    say,
  }: Setting): Promise<RoundtableLog> {
    return holdRoundtable({
      briefing: this.briefing,
      folder: this.folder,
      agent,
      evidence,
      settings: {
        noEvidence: evidence === null ? 'no file is registered' : null,
        recorded: false,
        models: { agents: 'model-a', judge: 'model-j' },
        limits: { budget_per_agent: 3, timeout_seconds: 120, patience_seconds: 60, ...limits },
      },
      now: Date.now,
      say: (progress) => {
        this.progress.push(progress);
        say?.(progress);
      },
      abort,
    });
  }

  log(): RoundtableLog {
    const log = this.folder.readLog('tiles');
    if (log === null) throw new Error('there is no log');
    return log;
  }
}

/** Returns evidence that answers each request with its given text. */
export function answering(
  answers: Readonly<Record<string, string | Promise<string>>>,
  files: Evidence['files'] = [],
): Evidence {
  return {
    files,
    async answer(request, agent): Promise<SessionAnswer> {
      const text = await answers[request];
      if (text === undefined) return { ok: false, text: 'Not found.', by: 'deterministic', seconds: 0, usage: null };
      return {
        ok: true,
        text: `[Research result for ${agent} | deterministic | 0.0s]:\n${text}`,
        by: 'deterministic',
        seconds: 0,
        usage: null,
      };
    },
  };
}
