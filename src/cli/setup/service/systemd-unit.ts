import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { StewardError } from '../../../vault/errors.ts';
import { PACKAGE } from '../../base/package-dir.ts';
import { countFiles, limitLines, limitsFor, withLimits } from './limits.ts';
import { type ServiceFile, sealedText, UNSEALED } from './service-file.ts';

/** systemd.unit(5). */
const MAX_UNIT_NAME = 255;
const SYSTEM_UNITS = '/etc/systemd/system';

/** Whose service it is: a person's own, which runs in their name, or one of the system's. */
type Owner = 'user' | 'system';

/** A systemd unit: its name for systemctl, and what tells systemd of it. */
export interface Unit {
  readonly owner: Owner;
  readonly name: string;
  readonly unit: ServiceFile;
  /** Says in whose name an instance of the system runs, and what it may take; null where there is no such vault. */
  readonly dropIn: ServiceFile | null;
  /** The arguments that point systemctl and journalctl at the right manager. */
  readonly manager: readonly string[];
}

/** Returns the unit of a vault for this very Node. Throws `service-path` where a unit cannot hold a path. */
export function systemdUnit(root: string, owner: Owner, env: NodeJS.ProcessEnv): Unit {
  return owner === 'system' ? systemUnit(root) : userUnit(root, env);
}

/** Returns what a unit says, file by file, as `systemctl cat` shows it. */
export function unitText({ unit, dropIn }: Unit): string {
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

// What is written into the vault belongs to whom the vault belongs to. Without powers, root could not write there either.
function ownerDropIn(root: string, file: string): ServiceFile | null {
  if (!fs.existsSync(root)) return null;
  const { uid, gid } = fs.statSync(root);
  const owner = uid === 0 ? '' : `# In the name of whom the vault belongs to.\nUser=${uid}\nGroup=${gid}\n`;
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
    message: `A unit file cannot hold this path: ${JSON.stringify(text)} has a line break, a control character or bytes that are no text.`,
    hint: 'Rename the folder, or start `steward run` by another supervisor.',
  });
}

/** Returns the name of the instance that works on a vault. Throws `service-path` where systemd allows no such name. */
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
