import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { EXIT, type ExitCode, StewardError } from '../../vault/errors.ts';
import { vaultDir } from '../client.ts';
import {
  type CommandContext,
  type CommandResult,
  type CommonOptions,
  count,
  PACKAGE,
  type Printer,
  usageError,
} from '../terminal.ts';

interface ServiceOptions extends CommonOptions {
  readonly user?: boolean;
  readonly system?: boolean;
  readonly print?: boolean;
  /** Which manager of services; absent: this machine's. */
  readonly for?: 'systemd' | 'launchd';
}

/** `steward service install|uninstall|status`: the service of one vault, by systemd or by launchd. */
export async function service(what: string, options: ServiceOptions, context: CommandContext): CommandResult {
  const root = vaultDir(options, context);
  const manager = options.for ?? (process.platform === 'darwin' ? 'launchd' : 'systemd');
  if (manager === 'systemd') {
    return serviceOf(what, options, context, systemdWays(root, options, context));
  }
  if (options.system === true) throw usageError('launchd runs Steward as your own agent.', 'Leave out --system.');
  return serviceOf(what, options, context, launchdWays(launchAgent(root, context.env), context));
}

interface Ways {
  readonly text: string;
  readonly install: () => ExitCode;
  readonly uninstall: () => ExitCode;
  readonly state: () => ServiceState;
}

async function serviceOf(what: string, options: ServiceOptions, context: CommandContext, ways: Ways): CommandResult {
  if (options.print === true) {
    context.out.line(ways.text.trimEnd());
    return EXIT.done;
  }
  if (what === 'install') return ways.install();
  if (what === 'uninstall') return ways.uninstall();
  if (what !== 'status')
    throw usageError(`There is no "steward service ${what}".`, 'Use install, uninstall or status.');
  const state = ways.state();
  if (options.json === true) context.out.json({ schemaVersion: 1, ...state });
  else printService(context.out, state);
  return isRunning(state) ? EXIT.done : EXIT.refused;
}

function systemdWays(root: string, options: ServiceOptions, { env, out }: CommandContext): Ways {
  const unit = systemdUnit(root, options.system === true ? 'system' : 'user', env);
  return {
    text: unitText(unit),
    install: () => installUnit(asRoot(unit), root, out),
    uninstall: () => uninstallUnit(asRoot(unit), out),
    state: () => unitState(unit),
  };
}

function launchdWays(agent: Agent, { out }: CommandContext): Ways {
  return {
    text: sealedText(agent.plist.text),
    install: () => installAgent(agent, out),
    uninstall: () => uninstallAgent(agent, out),
    state: () => agentState(agent),
  };
}

/** A service that looks after a vault on this machine. */
export interface InstalledService {
  readonly name: string;
  /** Stops it, and removes what an install wrote. */
  readonly remove: () => ExitCode;
}

/** Returns the services of a vault that are installed on this machine. */
export function installedServices(root: string, { env, out }: CommandContext): InstalledService[] {
  if (process.platform === 'darwin') {
    const agent = orNone(() => launchAgent(root, env));
    const isOfVault =
      agent !== null && readText(agent.plist.file)?.includes(`<string>${escaped(root)}</string>`) === true;
    return isOfVault ? [{ name: LABEL, remove: () => uninstallAgent(agent, out) }] : [];
  }
  const units = [orNone(() => userUnit(root, env)), orNone(() => systemUnit(root))].filter((unit) => unit !== null);
  return units
    .filter((unit) => (unit.owner === 'user' ? servedVault(unit) === root : isEnabled(unit)))
    .map((unit) => ({ name: unit.name, remove: () => uninstallUnit(asRoot(unit), out) }));
}

// A path that no unit can hold has no service.
function orNone<Result>(find: () => Result): Result | null {
  try {
    return find();
  } catch (error) {
    if (error instanceof StewardError) return null;
    throw error;
  }
}

function isEnabled({ name, unit, dropIn }: Unit): boolean {
  const wants = path.join(SYSTEM_UNITS, 'multi-user.target.wants', name);
  const isLinked = fs.lstatSync(wants, { throwIfNoEntry: false }) !== undefined;
  return fs.existsSync(unit.file) && (isLinked || (dropIn !== null && fs.existsSync(dropIn.file)));
}

// The files of the system's services are root's.
function asRoot(unit: Unit): Unit {
  if (unit.owner === 'user' || process.getuid?.() === 0) return unit;
  throw new StewardError({
    code: 'service-root',
    message: 'Only root may set up a system service.',
    hint: 'Put sudo in front, or leave out --system for your own service.',
  });
}

/** How the service of a vault is, as the system's manager of services sees it. */
interface ServiceState {
  readonly name: string;
  /** The file that defines it for the system; null if not installed. */
  readonly file: string | null;
  /** The manager's own word: active, activating, inactive, failed… */
  readonly state: string;
  readonly starts: boolean;
  /** Since when it is so, in the manager's words. */
  readonly since: string | null;
  readonly pid: number | null;
  readonly status: string | null;
  readonly restarts: number;
  /** The exit code with which it ended last. */
  readonly exit: number;
  /** The Node that the file names, if it is gone. */
  readonly missing: string | null;
  readonly dropIns: readonly string[];
  /** The command that shows what it says. */
  readonly journal: string;
}

function isRunning({ state }: ServiceState): boolean {
  return state === 'active';
}

function printService(out: Printer, service: ServiceState): void {
  if (service.file === null) {
    out.plain('No service is installed. `steward service install` sets one up; --print shows it first.');
    return;
  }
  out.plain(stateText(service));
  out.plain(`  ${service.starts ? 'starts by itself' : 'starts only by hand'}, by ${service.file}`);
  for (const dropIn of service.dropIns) out.plain(`  with your settings in ${dropIn}`);
  if (service.restarts > 0) out.plain(`  started again ${count(service.restarts, 'time')}`);
  if (service.missing !== null) out.plain(`  ${service.missing} is gone: run \`steward service install\` again`);
  out.plain(`  what it says: ${service.journal}`);
}

function stateText(service: ServiceState): string {
  const { name, state, since, pid, status, exit } = service;
  const when = since === null ? '' : ` since ${since}`;
  if (isRunning(service)) {
    return `${name} is running${when}${pid === null ? '' : ` (pid ${pid})`}${status === null ? '' : `: ${status}`}`;
  }
  if (exit === 78) return `${name} has ended${when}: a setting is wrong (78); correct it`;
  if (state === 'activating') return `${name} is starting${when}${exit === 0 ? '' : `; it ended with ${exit} before`}`;
  if (state === 'failed') return `${name} has failed${when}: it ended with ${exit}`;
  return `${name} does not run${when}`;
}

function printRemoved(out: Printer, name: string, kept: readonly string[]): void {
  out.plain(`${name} is stopped and removed; the vault is as it was.`);
  for (const file of kept) out.plain(`Yours, and kept: ${file}`);
}

/** A file that tells the system how to run Steward. `text` holds `UNSEALED` once. */
interface ServiceFile {
  readonly file: string;
  readonly text: string;
}

/** Stands in a text for the hash of that text, so that a later install knows whether a person has changed it. */
const UNSEALED = 'sha256:unsealed';
const SEAL = /sha256:[0-9a-f]{64}/;

/**
 * Writes the file and says so. A file that a person has changed is kept next to it, under a name that the system
 * doesn't read.
 */
function writeServiceFile(out: Printer, { file, text }: ServiceFile, advice = ''): void {
  const known = readText(file);
  const sealed = sealedText(text);
  if (known === sealed) {
    out.plain(`${file} is up to date`);
    return;
  }
  const kept = known === null || isUntouched(known) ? null : `${file}.before`;
  if (kept !== null) fs.copyFileSync(file, kept);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, sealed);
  out.plain(`wrote ${file}`);
  if (kept !== null) out.plain(`  You had changed it: your version is in ${kept}.${advice}`);
}

function sealedText(text: string): string {
  return text.replace(UNSEALED, `sha256:${createHash('sha256').update(text).digest('hex')}`);
}

function readText(file: string): string | null {
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : null;
}

function isUntouched(text: string): boolean {
  return sealedText(text.replace(SEAL, UNSEALED)) === text;
}

/** The name of the agent for launchctl. */
const LABEL = 'vault-steward';
/** What a service is told by the shell that installs it. Keys and passwords are no part of it: everybody may read a property list. */
const KEPT = ['STEWARD_LIVE_MODE', 'STEWARD_BUDGET_USD_PER_DAY', 'STEWARD_LOG', 'STEWARD_LOG_LEVEL', 'XDG_STATE_HOME'];

interface Agent {
  readonly plist: ServiceFile;
  readonly log: string;
}

function launchAgent(root: string, env: NodeJS.ProcessEnv): Agent {
  const home = env.HOME ?? os.homedir();
  const log = path.join(home, 'Library', 'Logs', 'vault-steward', 'steward.log');
  const file = path.join(home, 'Library', 'LaunchAgents', `${LABEL}.plist`);
  return { plist: { file, text: agentText(root, log, env) }, log };
}

function agentText(root: string, log: string, env: NodeJS.ProcessEnv): string {
  const program = [process.execPath, path.join(PACKAGE, 'bin', 'steward.js'), 'run', '--vault', root];
  const told = KEPT.flatMap((name) => {
    const value = env[name]?.trim() ?? '';
    return value === '' ? [] : [[name, value] as const];
  });
  const variables = Object.entries({ STEWARD_LIVE_MODE: 'shadow', ...Object.fromEntries(told) });
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<!-- \`steward service install\` wrote this file (${UNSEALED}). -->
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${LABEL}</string>
  <key>ProgramArguments</key>
  <array>
${program.map((word) => `    <string>${escaped(word)}</string>`).join('\n')}
  </array>
  <key>EnvironmentVariables</key>
  <dict>
${variables.map(([name, value]) => `    <key>${name}</key>\n    <string>${escaped(value)}</string>`).join('\n')}
  </dict>
  <key>RunAtLoad</key>
  <true/>
  <!-- Started again unless it ended in order, as systemd's Restart=on-failure does. -->
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <!-- launchd cannot tell wrong settings, which only a person can correct, from other failures. It tries once a minute. -->
  <key>ThrottleInterval</key>
  <integer>60</integer>
  <key>ExitTimeOut</key>
  <integer>15</integer>
  <key>ProcessType</key>
  <string>Background</string>
  <!-- 077: what it writes outside the vault is for you alone. -->
  <key>Umask</key>
  <integer>63</integer>
  <key>WorkingDirectory</key>
  <string>/</string>
  <key>StandardOutPath</key>
  <string>${escaped(log)}</string>
  <key>StandardErrorPath</key>
  <string>${escaped(log)}</string>
</dict>
</plist>
`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

// XML 1.0 contains no other control characters, and joins line breaks; bytes that are no UTF-8 have become U+FFFD.
function escaped(text: string): string {
  if (!/[\p{Cc}\u2028\u2029\ufffd-\uffff]|[\ud800-\udfff]/u.test(text)) {
    return text.replace(/[&<>]/g, (char) => ENTITIES[char] ?? char);
  }
  throw new StewardError({
    code: 'service-path',
    message: `A property list can't contain this text: ${JSON.stringify(text)} has a line break, a control character or bytes that aren't text.`,
    hint: 'Rename the folder, or start `steward run` by another supervisor.',
  });
}

/** How a program of the system ended, and what it printed. */
interface ProgramResult {
  readonly ok: boolean;
  readonly stdout: string;
  /** Why it failed, in its own words; '' where it did not say. */
  readonly why: string;
}

/** Runs a program of the system to its end; null if it isn't installed here. */
function runSystem(program: string, words: readonly string[]): ProgramResult | null {
  const { status, error, stdout, stderr } = spawnSync(program, words, { encoding: 'utf8' });
  if (error !== undefined) return null;
  return { ok: status === 0, stdout, why: stderr.trim().split('\n')[0] ?? '' };
}

/** Runs systemctl with the right manager. Throws `no-systemd` if there is no systemd. */
function systemctl({ manager }: Unit, ...words: string[]): ProgramResult {
  const said = runSystem('systemctl', [...manager, ...words]);
  if (said === null) throw noSystemd();
  return said;
}

function demandSystemctl(unit: Unit, ...words: string[]): void {
  const { ok, why } = systemctl(unit, ...words);
  if (ok) return;
  throw new StewardError({
    code: 'service-refused',
    message: `systemctl could not do \`${words.join(' ')}\`${why === '' ? '.' : `: ${why}`}`,
    hint:
      unit.owner === 'user'
        ? 'Log in as yourself, not by su or sudo, so that your own systemd runs; `steward service status` says the rest.'
        : '`steward service status --system` and `journalctl -u` with the name of the unit say why.',
  });
}

function noSystemd(): StewardError {
  return new StewardError({
    code: 'no-systemd',
    message: 'systemctl cannot be run here.',
    hint: 'Use --print and install the unit by hand, or let another supervisor run `steward run`.',
  });
}

function installAgent({ plist, log }: Agent, out: Printer): ExitCode {
  fs.mkdirSync(path.dirname(log), { recursive: true, mode: 0o700 });
  writeServiceFile(out, plist);
  launchctl('bootout', target()); // fails if it is not loaded, which is as well
  const { ok, why } = launchctl('bootstrap', domain(), plist.file);
  if (!ok) throw refused(`bootstrap ${domain()}`, why);
  out.plain(`${LABEL} is loaded, and logs to ${log}.`);
  out.plain('It starts in shadow. For another mode: STEWARD_LIVE_MODE=live steward service install.');
  return EXIT.done;
}

function uninstallAgent({ plist, log }: Agent, out: Printer): ExitCode {
  if (!fs.existsSync(plist.file)) {
    out.plain(`There is no ${plist.file}.`);
    return EXIT.refused;
  }
  launchctl('bootout', target());
  fs.rmSync(plist.file);
  const kept = [log, `${plist.file}.before`].filter((file) => fs.existsSync(file));
  printRemoved(out, LABEL, kept);
  return EXIT.done;
}

function agentState({ plist, log }: Agent): ServiceState {
  const text = readText(plist.file);
  const { ok, stdout } = launchctl('print', target());
  const found = (name: string) => new RegExp(`^\\s*${name} = (.*)$`, 'm').exec(stdout)?.[1] ?? null;
  const [, program] = /<array>\s*<string>([^<]*)</.exec(text ?? '') ?? [];
  const isGone = program !== undefined && !program.includes('&') && !fs.existsSync(program);
  return {
    name: LABEL,
    file: text === null ? null : plist.file,
    state: ok && found('state') === 'running' ? 'active' : ok ? 'inactive' : 'unloaded',
    starts: text !== null,
    since: null,
    pid: Number(found('pid') ?? 0) || null,
    status: null,
    restarts: Math.max(0, Number(found('runs') ?? 1) - 1),
    exit: Number(found('last exit code') ?? 0) || 0,
    missing: isGone ? program : null,
    dropIns: [],
    journal: `tail ${log}`,
  };
}

function domain(): string {
  return `gui/${process.getuid?.() ?? 0}`;
}

function target(): string {
  return `${domain()}/${LABEL}`;
}

function launchctl(...words: string[]) {
  const said = runSystem('launchctl', words);
  if (said !== null) return said;
  throw new StewardError({
    code: 'no-launchd',
    message: 'launchctl cannot be run here.',
    hint: 'Use --print to see the property list, or --for systemd if this machine uses systemd.',
  });
}

function refused(what: string, why: string): StewardError {
  return new StewardError({
    code: 'service-refused',
    message: `launchctl could not do \`${what}\`${why === '' ? '.' : `: ${why}`}`,
    hint: 'Log in on the screen of this machine: an agent belongs to a session there.',
  });
}

interface Limits {
  readonly files: number;
  /** MiB: from here on the system takes memory back if it can, and at the end it ends the process. */
  readonly memoryHigh: number;
  readonly memoryMax: number;
  readonly startSeconds: number;
}

/** More than a start without a cache takes at its height; what the program takes by itself is the least. */
const KIB_A_NOTE = 8;
const LEAST_MIB = 768;
/** A lock whose process cannot be seen is watched for 90 s, and 1000 notes are read in a second even by a slow disk. */
const LEAST_START_S = 180;
const NOTES_A_SECOND = 1_000;

/** Returns what a vault of so many files needs, rounded up so that a vault has room to grow. */
export function limitsFor(files: number): Limits {
  const memoryMax = Math.ceil((LEAST_MIB + (files * KIB_A_NOTE) / 1024) / 256) * 256;
  return {
    files,
    memoryHigh: memoryMax - 128,
    memoryMax,
    startSeconds: LEAST_START_S + Math.ceil(files / NOTES_A_SECOND / 60) * 60,
  };
}

function limitLines(limits: Limits): string {
  return [
    `# For the ${limits.files} files of this vault. If it has become much larger, install again.`,
    ...settingsOf(limits),
  ].join('\n');
}

function withLimits(unit: string, limits: Limits): string {
  const known = unit.replace(
    /^# Enough for .*$/m,
    `# For the ${limits.files} files of this vault. If it has become much larger, install again.`,
  );
  return settingsOf(limits).reduce((text, line) => {
    const [name = ''] = line.split('=');
    return text.replace(new RegExp(`^${name}=.*$`, 'm'), line);
  }, known);
}

function settingsOf({ memoryHigh, memoryMax, startSeconds }: Limits): readonly string[] {
  return [`MemoryHigh=${memoryHigh}M`, `MemoryMax=${memoryMax}M`, `TimeoutStartSec=${startSeconds}`];
}

/** Returns how many files are in a folder, without those that are hidden; 0 if it cannot be read. */
export function countFiles(folder: string): number {
  let count = 0;
  for (const item of itemsOf(folder)) {
    if (item.name.startsWith('.')) continue;
    if (item.isDirectory()) count += countFiles(path.join(folder, item.name));
    else count += 1;
  }
  return count;
}

function itemsOf(folder: string): fs.Dirent[] {
  try {
    return fs.readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** Writes the unit, starts it, and has it started at each boot or login. Ends once Steward says that it works. */
function installUnit(unit: Unit, root: string, out: Printer): ExitCode {
  const served = servedVault(unit);
  for (const file of [unit.unit, ...(unit.dropIn === null ? [] : [unit.dropIn])]) {
    writeServiceFile(out, file, ' Put changes into a drop-in: those stay.');
  }
  for (const dropIn of dropInsOf(unit)) out.plain(`kept ${dropIn}`);
  if (served !== null && served !== root) out.plain(`  It works on ${root} from now on, instead of ${served}.`);
  demandSystemctl(unit, 'daemon-reload');
  demandSystemctl(unit, 'enable', unit.name);
  // Not only started: one that runs already has to take up what is new.
  demandSystemctl(unit, 'restart', unit.name);
  const { properties, status } = shown(unit);
  const [, mode = 'shadow'] = /\bSTEWARD_LIVE_MODE=(\w+)/.exec(properties.get('Environment') ?? '') ?? [];
  const edit = `\`${['systemctl', ...unit.manager, 'edit', `'${unit.name}'`].join(' ')}\``;
  out.plain(`${unit.name} is running: ${status}, mode ${mode}. For another mode set STEWARD_LIVE_MODE with ${edit}.`);
  for (const line of hints(unit)) out.plain(line);
  return EXIT.done;
}

/** Stops the unit and removes all that an install wrote. A file that a person wrote stays, and is named. */
function uninstallUnit(unit: Unit, out: Printer): ExitCode {
  if (!fs.existsSync(unit.unit.file)) {
    out.plain(`There is no ${unit.unit.file}.`);
    return EXIT.refused;
  }
  demandSystemctl(unit, 'disable', '--now', unit.name);
  if (unit.dropIn !== null) removeFile(unit.dropIn.file);
  const others = otherInstances(unit);
  if (others.length === 0) removeFile(unit.unit.file);
  demandSystemctl(unit, 'daemon-reload');
  systemctl(unit, 'reset-failed', unit.name);
  const kept = [...dropInsOf(unit), ...[`${unit.unit.file}.before`].filter((file) => fs.existsSync(file))];
  printRemoved(out, unit.name, kept);
  if (others.length > 0)
    out.plain(`${unit.unit.file} stays: ${others.join(', ')} still ${others.length === 1 ? 'needs' : 'need'} it.`);
  return EXIT.done;
}

function unitState(unit: Unit): ServiceState {
  const { properties, status } = shown(unit);
  const text = readText(unit.unit.file);
  const [, program = ''] = /^ExecStart=:?"((?:[^"\\]|\\.)*)"/m.exec(text ?? '') ?? [];
  const named = program.replaceAll(/\\(.)/g, '$1').replaceAll('%%', '%').replaceAll('$$', '$');
  const number = (name: string) => Number(properties.get(name) ?? 0);
  return {
    name: unit.name,
    file: text === null ? null : unit.unit.file,
    state: properties.get('ActiveState') ?? 'unknown',
    starts: properties.get('UnitFileState') === 'enabled',
    since: properties.get('StateChangeTimestamp') || null,
    pid: number('MainPID') || null,
    status: status || null,
    restarts: number('NRestarts'),
    exit: number('ExecMainStatus'),
    missing: text !== null && named !== '' && !fs.existsSync(named) ? named : null,
    dropIns: dropInsOf(unit),
    journal: `journalctl ${[...unit.manager, '-u', unit.name].join(' ')}`,
  };
}

const PROPERTIES = [
  ...['ActiveState', 'UnitFileState', 'StateChangeTimestamp', 'MainPID'],
  ...['NRestarts', 'ExecMainStatus', 'StatusText', 'Environment'],
];

function shown(unit: Unit): { readonly properties: ReadonlyMap<string, string>; readonly status: string } {
  const { stdout } = systemctl(unit, 'show', unit.name, `--property=${PROPERTIES.join(',')}`);
  const lines = stdout
    .split('\n')
    .map((line) => [line.split('=', 1)[0] ?? '', line.slice(line.indexOf('=') + 1)] as const);
  const properties = new Map(lines);
  return { properties, status: properties.get('StatusText') ?? '' };
}

function dropInsOf({ unit, name, dropIn }: Unit): string[] {
  const folders = new Set([`${unit.file}.d`, path.join(path.dirname(unit.file), `${name}.d`)]);
  return [...folders]
    .filter((folder) => fs.existsSync(folder))
    .flatMap((folder) => fs.readdirSync(folder).map((name) => path.join(folder, name)))
    .filter((file) => file.endsWith('.conf') && file !== dropIn?.file);
}

/** The vault of a person's own service as it was; null if there was no service, or if the unit's name tells. */
function servedVault({ owner, unit }: Unit): string | null {
  if (owner === 'system') return null;
  const [, written] = /^Environment="STEWARD_VAULT=((?:[^"\\]|\\.)*)"$/m.exec(readText(unit.file) ?? '') ?? [];
  return written?.replaceAll(/\\(.)/g, '$1').replaceAll('%%', '%') ?? null;
}

// The system's unit file is a template that other vaults may be using.
function otherInstances({ owner, name, unit }: Unit): string[] {
  if (owner === 'user') return [];
  const folder = path.dirname(unit.file);
  const wanted = fs.readdirSync(folder).filter((one) => one.endsWith('.wants') || one.endsWith('.requires'));
  const links = wanted.flatMap((one) => fs.readdirSync(path.join(folder, one)));
  return [...new Set(links)].filter((one) => /^steward@.+\.service$/.test(one) && one !== name);
}

// Its folder goes with it if nothing else is there.
function removeFile(file: string): void {
  fs.rmSync(file, { force: true });
  const folder = path.dirname(file);
  if (folder.endsWith('.d') && fs.existsSync(folder) && fs.readdirSync(folder).length === 0) fs.rmdirSync(folder);
}

function hints({ owner, dropIn }: Unit): string[] {
  if (owner === 'system') {
    return dropIn === null || !/^User=/m.test(dropIn.text)
      ? ['The vault belongs to root, so the service runs as root. Give it to a user if you can, and install again.']
      : [];
  }
  const lingering = runSystem('loginctl', ['show-user', '--property=Linger', '--value', `${process.getuid?.() ?? 0}`]);
  return lingering === null || lingering.stdout.trim() === 'yes'
    ? []
    : ['It stops when you log out; `loginctl enable-linger` keeps it running.'];
}

/** systemd.unit(5). */
const MAX_UNIT_NAME = 255;
const SYSTEM_UNITS = '/etc/systemd/system';

/** Whose service it is: a person's own, which runs in their name, or one of the system's. */
type Owner = 'user' | 'system';

/** A systemd unit: its name for systemctl, and what tells systemd of it. */
interface Unit {
  readonly owner: Owner;
  readonly name: string;
  readonly unit: ServiceFile;
  /** Says in whose name an instance of the system runs, and what it may take; null if there is no such vault. */
  readonly dropIn: ServiceFile | null;
  /** The arguments that point systemctl and journalctl at the right manager. */
  readonly manager: readonly string[];
}

/** Returns the unit of a vault for this very Node. Throws `service-path` if a unit cannot contain a path. */
function systemdUnit(root: string, owner: Owner, env: NodeJS.ProcessEnv): Unit {
  return owner === 'system' ? systemUnit(root) : userUnit(root, env);
}

function unitText({ unit, dropIn }: Unit): string {
  return [unit, ...(dropIn === null ? [] : [dropIn])]
    .map(({ file, text }) => `# ${file}\n${sealedText(text).trimEnd()}`)
    .join('\n\n');
}

function systemUnit(root: string): Unit {
  // The colon: nothing here begins a variable, whatever %f becomes.
  const text = filled('steward@.service').replace(
    /^ExecStart=.*$/m,
    () => `ExecStart=:${program().map(quoted).join(' ')} run --vault %f`,
  );
  const name = instanceName(root);
  const dropIn = ownerDropIn(root, path.join(SYSTEM_UNITS, `${name}.d`, '10-owner.conf'));
  return {
    owner: 'system',
    name,
    unit: { file: path.join(SYSTEM_UNITS, 'steward@.service'), text },
    dropIn,
    manager: [],
  };
}

function userUnit(root: string, env: NodeJS.ProcessEnv): Unit {
  const text = withLimits(filled('steward.service'), limitsFor(countFiles(root)))
    .replace(/^ExecStart=.*$/m, () => `ExecStart=${program().map(argument).join(' ')} run`)
    .replace(/^Environment=STEWARD_VAULT=.*$/m, () => `Environment=${quoted(`STEWARD_VAULT=${root}`)}`);
  const config = env.XDG_CONFIG_HOME ?? path.join(os.homedir(), '.config');
  const file = path.join(config, 'systemd', 'user', 'steward.service');
  return { owner: 'user', name: 'steward.service', unit: { file, text }, dropIn: null, manager: ['--user'] };
}

// Files that it writes into the vault belong to the owner of the vault. Without capabilities, even root could not write
// there.
function ownerDropIn(root: string, file: string): ServiceFile | null {
  if (!fs.existsSync(root)) return null;
  const { uid, gid } = fs.statSync(root);
  const owner = uid === 0 ? '' : `# Run as the owner of the vault.\nUser=${uid}\nGroup=${gid}\n`;
  const limits = limitLines(limitsFor(countFiles(root)));
  return { file, text: `# ${WRITTEN}\n[Service]\n${owner}${limits}\n` };
}

const WRITTEN = `\`steward service install\` wrote this file (${UNSEALED}).`;

// The Node that runs this command, since the one on the service's PATH may be too old.
function program(): readonly string[] {
  return [process.execPath, path.join(PACKAGE, 'bin', 'steward.js')];
}

function filled(template: string): string {
  const text = fs.readFileSync(path.join(PACKAGE, 'systemd', template), 'utf8');
  const page = pathToFileURL(path.join(PACKAGE, 'docs', 'service.md')).href.replaceAll('%', '%%');
  const known = text.replace(/^Documentation=.*$/m, () => `Documentation=${page}`);
  return `# ${WRITTEN} Your own changes go into a drop-in (\`systemctl edit\`), which the next install keeps.\n${known}`;
}

// In a command line a dollar sign begins a variable, also within quotes (systemd.service(5)).
function argument(text: string): string {
  return quoted(text).replaceAll('$', '$$$$');
}

// systemd.syntax(7): double quotes keep spaces. A percent sign would start a specifier, so it is doubled.
function quoted(text: string): string {
  demandQuotable(text);
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('%', '%%')}"`;
}

// A line ends where a line ends, whatever the quotes: what follows would be settings of its own. Bytes that are no UTF-8
// have become U+FFFD on the way here, and would name another file.
function demandQuotable(text: string): void {
  if (!/[\p{Cc}\u2028\u2029\ufffd\ufeff]|[\ud800-\udfff]/u.test(text)) return;
  throw new StewardError({
    code: 'service-path',
    message: `A unit file can't contain this path: ${JSON.stringify(text)} has a line break, a control character or bytes that aren't text.`,
    hint: 'Rename the folder, or start `steward run` by another supervisor.',
  });
}

/** Returns the name of the instance that works on a vault. Throws `service-path` if systemd allows no such name. */
function instanceName(root: string): string {
  demandQuotable(root);
  const name = `steward@${escapePath(root)}.service`;
  if (name.length <= MAX_UNIT_NAME) return name;
  throw new StewardError({
    code: 'service-path',
    message: `The path of the vault is too long for the name of a unit (${name.length} letters; ${MAX_UNIT_NAME} are the most).`,
    hint: 'Give the vault a shorter path, or install the unit with --user.',
  });
}

/** Returns an absolute path as `systemd-escape --path` writes it (systemd.unit(5)). */
export function escapePath(absolute: string): string {
  const bare = absolute
    .split('/')
    .filter((part) => part !== '')
    .join('/');
  if (bare === '') return '-';
  return [...Buffer.from(bare)].map((byte, index) => escapeByte(byte, index === 0)).join('');
}

function escapeByte(byte: number, isFirst: boolean): string {
  const char = String.fromCharCode(byte);
  if (char === '/') return '-';
  const plain = /[A-Za-z0-9:_]/.test(char) || (char === '.' && !isFirst);
  return plain ? char : `\\x${byte.toString(16).padStart(2, '0')}`;
}
