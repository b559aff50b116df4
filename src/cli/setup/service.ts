import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { EXIT, type ExitCode, StewardError } from '../../vault/errors.ts';
import type { CommandContext, CommandResult, CommonOptions } from '../base/context.ts';
import { PACKAGE } from '../base/package-dir.ts';
import { usageError } from '../base/usage-error.ts';
import { vaultDir } from '../base/vault-dir.ts';

/** systemd.unit(5). */
const MAX_UNIT_NAME = 255;

interface ServiceOptions extends CommonOptions {
  readonly user?: boolean;
  readonly system?: boolean;
  readonly print?: boolean;
}

/** A systemd unit: its file, its name for systemctl, and its text for this vault and this Node. */
interface Unit {
  readonly file: string;
  readonly name: string;
  readonly text: string;
  /** The arguments that point systemctl at the right manager. */
  readonly manager: readonly string[];
}

/** `steward service install|uninstall|status`: the systemd unit of one vault, the user's own or the system's. */
export async function service(what: string, options: ServiceOptions, context: CommandContext): CommandResult {
  const unit = unitFor(vaultDir(options, context), options, context.env);
  if (options.print === true) {
    context.out.line(unit.text.trimEnd());
    return EXIT.done;
  }
  switch (what) {
    case 'install':
      return install(unit, context);
    case 'uninstall':
      return uninstall(unit, context);
    case 'status':
      return systemctl(unit, ['status', '--no-pager', unit.name]) === 0 ? EXIT.done : EXIT.refused;
    default:
      throw usageError(`service does not know "${what}".`, 'It is install, uninstall or status.');
  }
}

function install(unit: Unit, context: CommandContext): ExitCode {
  fs.mkdirSync(path.dirname(unit.file), { recursive: true });
  fs.writeFileSync(unit.file, unit.text);
  context.out.line(`wrote ${unit.file}`);
  systemctl(unit, ['daemon-reload']);
  if (systemctl(unit, ['enable', '--now', unit.name]) !== 0) return EXIT.refused;
  context.out.line(`${unit.name} is running. It starts in shadow: change STEWARD_LIVE_MODE with systemctl edit.`);
  return EXIT.done;
}

function uninstall(unit: Unit, context: CommandContext): ExitCode {
  if (!fs.existsSync(unit.file)) {
    context.out.line(`There is no ${unit.file}.`);
    return EXIT.refused;
  }
  systemctl(unit, ['disable', '--now', unit.name]);
  // The system's unit file is a template that other vaults may be using.
  if (unit.manager.length > 0) fs.rmSync(unit.file);
  systemctl(unit, ['daemon-reload']);
  context.out.line(`${unit.name} is stopped and disabled; the vault is as it was`);
  return EXIT.done;
}

function unitFor(root: string, options: ServiceOptions, env: NodeJS.ProcessEnv): Unit {
  const system = options.system === true;
  const template = fs.readFileSync(
    path.join(PACKAGE, 'systemd', system ? 'steward@.service' : 'steward.service'),
    'utf8',
  );
  // The Node that runs this command, since the one on the service's PATH may be too old.
  const program = [process.execPath, path.join(PACKAGE, 'bin', 'steward.js')];
  if (system) {
    // The colon: nothing here begins a variable, whatever %f becomes.
    const exec = `:${program.map(quoted).join(' ')} run --vault %f`;
    const text = template.replace(/^ExecStart=.*$/m, () => `ExecStart=${exec}`);
    const name = instanceName(root);
    return { file: '/etc/systemd/system/steward@.service', name, text, manager: [] };
  }
  const text = template
    .replace(/^ExecStart=.*$/m, () => `ExecStart=${program.map(argument).join(' ')} run`)
    .replace(/^Environment=STEWARD_VAULT=.*$/m, () => `Environment=${quoted(`STEWARD_VAULT=${root}`)}`);
  const config = env.XDG_CONFIG_HOME ?? path.join(os.homedir(), '.config');
  const file = path.join(config, 'systemd', 'user', 'steward.service');
  return { file, name: 'steward.service', text, manager: ['--user'] };
}

function systemctl(unit: Unit, args: readonly string[]): number {
  const { status, error } = spawnSync('systemctl', [...unit.manager, ...args], { stdio: 'inherit' });
  if (error === undefined) return status ?? 1;
  throw new StewardError({
    code: 'no-systemd',
    message: 'systemctl cannot be run here.',
    hint: 'Use --print and install the unit by hand, or let another supervisor run `steward run`.',
  });
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
    message: `A unit file cannot hold this path: ${JSON.stringify(text)} has a line break, a control character or bytes that are no text.`,
    hint: 'Rename the folder, or start `steward run` by another supervisor.',
  });
}

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
