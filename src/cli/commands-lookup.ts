import fs from 'node:fs';
import path from 'node:path';
import { agentFor } from '../daemon/budget.ts';
import { readSettings, UNKNOWN_SETTINGS } from '../daemon/context.ts';
import { groundOf, readEnvironment } from '../daemon/environment.ts';
import { Allowance } from '../evidence/allowance.ts';
import { type Ground, namedFiles, type Registered, registeredFiles } from '../evidence/files.ts';
import { Researcher } from '../evidence/researcher.ts';
import { Provider } from '../model/provider.ts';
import { EXIT, StewardError } from '../vault/errors.ts';
import { fileError, readBytes } from '../vault/files.ts';
import { MAX_NOTE_BYTES, readNote } from '../vault/frontmatter-parse.ts';
import type { WorkerAhead } from '../vault/process.ts';
import { readInside } from '../vault/slices.ts';
import { VaultBudget } from './base/vault-budget.ts';
import type { CommandContext, CommandResult, CommonOptions } from './base.ts';
import { namedRoots, presentVaultDir } from './daemon-client.ts';

export interface LookupOptions extends CommonOptions {
  readonly briefing?: string;
  readonly files?: readonly string[];
  readonly root?: readonly string[];
}

/**
 * Prints evidence from files that a briefing registers or the options name. Changes no note. `ahead`: the process that looks,
 * already started.
 */
export async function lookUpEvidence(
  request: string,
  options: LookupOptions,
  context: CommandContext,
  ahead: WorkerAhead,
): CommandResult {
  const root = fs.realpathSync.native(presentVaultDir(options, context));
  const { settings } = readSettings(root, UNKNOWN_SETTINGS);
  const env = readEnvironment(context.env);
  const { provider } = env;
  const ground = groundOf(root, env, namedRoots(options.root ?? [], context.cwd));
  const registered = registeredBy(options, ground, context.cwd);
  const budget = new VaultBudget(context, root);
  const researcher = new Researcher({
    registered,
    agent: agentFor(provider ? new Provider(provider, budget) : null, settings, budget),
    limits: settings,
    now: Date.now,
    say: (step) => context.err.progress(step),
    ahead,
  });
  const asker = { agent: 'you', allowance: new Allowance(1) };
  const evidence = await researcher.answer(request, asker, new AbortController().signal);
  if (options.json === true) context.out.json({ schemaVersion: 1, ...evidence, notRead: registered.troubles });
  else {
    for (const trouble of registered.troubles) context.err.trouble(trouble);
    for (const line of evidence.text.split('\n')) context.out.plain(line);
  }
  return evidence.ok ? EXIT.done : EXIT.refused;
}

function registeredBy({ briefing, files = [] }: LookupOptions, ground: Ground, cwd: string): Registered {
  if ((briefing === undefined) === (files.length === 0)) throw whereUnclear();
  if (briefing !== undefined) return fromBriefing(briefing, ground, cwd);
  return namedFiles(
    files.map((file) => vaultPath(file, ground.vault, cwd)),
    ground.vault,
  );
}

/** Returns a path relative to the vault, or an absolute one. Only `./` stands for `cwd` (contract, section 16). */
function vaultPath(file: string, root: string, cwd: string): string {
  const absolute = file.startsWith('./commands/lookup') ? path.resolve(cwd, file) : file;
  return absolute.startsWith(`${root}/`) ? path.relative(root, absolute) : absolute;
}

function fromBriefing(named: string, ground: Ground, cwd: string): Registered {
  const written = vaultPath(named.replace(/^\[\[(.*)\]\]$/, '$1'), ground.vault, cwd);
  const file = /\.md$/i.test(written) ? written : `${written}.md`;
  const read = readNote(file, bytesOf(file, ground.vault));
  if (!read.ok) throw new StewardError(read.trouble);
  return registeredFiles(read.note, file, ground);
}

function bytesOf(file: string, root: string): Buffer {
  try {
    const read = path.isAbsolute(file) ? readBytes(file, MAX_NOTE_BYTES) : readInside(root, file, MAX_NOTE_BYTES);
    return read.bytes;
  } catch (error) {
    throw fileError(error, file);
  }
}

function whereUnclear(): StewardError {
  return new StewardError(
    {
      code: 'lookup-where',
      message: 'Say where to look: in the files of a briefing, or in files that you name.',
      hint: 'Give either --briefing NOTE or --files GLOB…',
    },
    EXIT.usage,
  );
}
