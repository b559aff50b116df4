import fs from 'node:fs';
import path from 'node:path';
import { evidenceGround, readEnvironment } from '../../daemon/environment.ts';
import { readSettings } from '../../daemon/settings.ts';
import { type Ground, namedFiles, type RegisteredFiles, registeredFiles } from '../../evidence/files.ts';
import { Allowance, Researcher } from '../../evidence/researcher.ts';
import { agentFor } from '../../providers/agent.ts';
import { Provider } from '../../providers/provider.ts';
import { UNKNOWN_SETTINGS } from '../../steward/settings.ts';
import { EXIT, StewardError } from '../../vault/errors.ts';
import { fileError, readBytes, readInside } from '../../vault/files.ts';
import { readNote } from '../../vault/frontmatter.ts';
import { MAX_NOTE_BYTES } from '../../vault/layout.ts';
import { namedRoots, presentVaultDir } from '../client.ts';
import { type CommandContext, type CommandResult, type CommonOptions, clean } from '../terminal.ts';
import { VaultBudget } from '../vault-budget.ts';

interface LookupOptions extends CommonOptions {
  readonly briefing?: string;
  readonly files?: readonly string[];
  readonly root?: readonly string[];
}

/** `steward lookup "REQUEST"`: prints evidence from files that a briefing registers or the options name. Changes no note. */
export async function lookup(
  written: string | undefined,
  given: LookupOptions,
  context: CommandContext,
): CommandResult {
  const { request, options } = requestIn(written, given);
  const root = fs.realpathSync.native(presentVaultDir(options, context));
  const { settings } = readSettings(root, UNKNOWN_SETTINGS);
  const env = readEnvironment(context.env);
  const { provider } = env;
  const ground = evidenceGround(root, env, namedRoots(options.root ?? [], context.cwd));
  const registered = registeredBy(options, ground, context.cwd);
  const budget = new VaultBudget(context, root);
  const researcher = new Researcher({
    registered,
    agent: agentFor(provider ? new Provider(provider, budget) : null, settings, budget),
    limits: settings,
    now: Date.now,
    say: (step) => context.err.progress(step),
  });
  const asker = { agent: 'you', allowance: new Allowance(1) };
  const evidence = await researcher.answer(request, asker, new AbortController().signal);
  if (options.json === true) context.out.json({ schemaVersion: 1, ...evidence, notRead: registered.troubles });
  else {
    for (const trouble of registered.troubles) context.err.trouble(trouble);
    for (const line of evidence.text.split('\n')) context.out.line(clean(line));
  }
  return evidence.ok ? EXIT.done : EXIT.refused;
}

/**
 * Returns the request, also if it is behind `--files`, which takes all words that follow.
 */
function requestIn(
  written: string | undefined,
  options: LookupOptions,
): { readonly request: string; readonly options: LookupOptions } {
  if (written !== undefined) return { request: written, options };
  const { files = [] } = options;
  const last = files.at(-1);
  if (files.length < 2 || last === undefined || NAMES_FILES.test(last)) throw nothingAsked();
  return { request: last, options: { ...options, files: files.slice(0, -1) } };
}

/** A glob, a path, or a name with an ending. */
const NAMES_FILES = /^\S*[*{}[\]/]\S*$|^\S+\.\w{1,8}$/;

function nothingAsked(): StewardError {
  return new StewardError(
    {
      code: 'lookup-what',
      message: 'Say what to look up.',
      hint: 'Write it before --files, in quotation marks.',
    },
    EXIT.usage,
  );
}

function registeredBy({ briefing, files = [] }: LookupOptions, ground: Ground, cwd: string): RegisteredFiles {
  if ((briefing === undefined) === (files.length === 0)) throw whereUnclear();
  if (briefing !== undefined) return fromBriefing(briefing, ground, cwd);
  return namedFiles(
    files.map((file) => vaultPath(file, ground.vault, cwd)),
    ground.vault,
  );
}

/** Returns a path relative to the vault, or an absolute one. Only `./` means `cwd` (contract, 12.2). */
function vaultPath(file: string, root: string, cwd: string): string {
  const absolute = file.startsWith('./') ? path.resolve(cwd, file) : file;
  return absolute.startsWith(`${root}/`) ? path.relative(root, absolute) : absolute;
}

function fromBriefing(named: string, ground: Ground, cwd: string): RegisteredFiles {
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
      message: 'Name the files to search, or a briefing that lists them.',
      hint: 'Give either --briefing NOTE or --files GLOB…',
    },
    EXIT.usage,
  );
}
