import fs from 'node:fs';
import path from 'node:path';
import { EXIT, type ExitCode } from '../../../vault/errors.ts';
import type { ServiceState } from '../../print/daemon-log/print-service.ts';
import type { Printer } from '../../print/printer.ts';
import {
  DROP_IN_ADVICE,
  printKeptDropIn,
  printMoved,
  printNotInstalled,
  printRemoved,
  printServiceFile,
  printStillNeeded,
  printUnitRunning,
  SERVICE_HINTS,
} from '../../print/setup/service-words.ts';
import { readText, writeServiceFile } from './service-file.ts';
import { demandSystemctl, runSystem, systemctl } from './systemctl.ts';
import type { Unit } from './systemd-unit.ts';

/** Writes the unit, starts it, and has it started at each boot or login. Ends once the steward says that it works. */
export function installUnit(unit: Unit, root: string, out: Printer): ExitCode {
  const served = servedVault(unit);
  for (const file of [unit.unit, ...(unit.dropIn === null ? [] : [unit.dropIn])]) {
    const { before, kept } = writeServiceFile(file);
    printServiceFile(out, { file: file.file, isSame: before === 'same', kept }, DROP_IN_ADVICE);
  }
  for (const dropIn of dropInsOf(unit)) printKeptDropIn(out, dropIn);
  if (served !== null && served !== root) printMoved(out, root, served);
  demandSystemctl(unit, 'daemon-reload');
  demandSystemctl(unit, 'enable', unit.name);
  // Not only started: one that runs already has to take up what is new.
  demandSystemctl(unit, 'restart', unit.name);
  const { properties, status } = shown(unit);
  const [, mode = 'shadow'] = /\bSTEWARD_LIVE_MODE=(\w+)/.exec(properties.get('Environment') ?? '') ?? [];
  printUnitRunning(out, unit.name, status, mode, editWords(unit));
  for (const line of hints(unit)) out.plain(line);
  return EXIT.done;
}

/** Stops the unit and removes all that an install wrote. What a person wrote stays, and is named. */
export function uninstallUnit(unit: Unit, out: Printer): ExitCode {
  if (!fs.existsSync(unit.unit.file)) {
    printNotInstalled(out, unit.unit.file);
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
  if (others.length > 0) printStillNeeded(out, unit.unit.file, others);
  return EXIT.done;
}

/** Returns how the unit is, as systemd sees it. */
export function unitState(unit: Unit): ServiceState {
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

/** The drop-ins that a person wrote. */
function dropInsOf({ unit, name, dropIn }: Unit): string[] {
  const folders = new Set([`${unit.file}.d`, path.join(path.dirname(unit.file), `${name}.d`)]);
  return [...folders]
    .filter((folder) => fs.existsSync(folder))
    .flatMap((folder) => fs.readdirSync(folder).map((name) => path.join(folder, name)))
    .filter((file) => file.endsWith('.conf') && file !== dropIn?.file);
}

/** The vault of a person's own service as it was; null where there was none, or where the unit's name tells. */
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

// Its folder goes with it where nothing else lies there.
function removeFile(file: string): void {
  fs.rmSync(file, { force: true });
  const folder = path.dirname(file);
  if (folder.endsWith('.d') && fs.existsSync(folder) && fs.readdirSync(folder).length === 0) fs.rmdirSync(folder);
}

function editWords({ manager, name }: Unit): string {
  return `\`${['systemctl', ...manager, 'edit', `'${name}'`].join(' ')}\``;
}

function hints({ owner, dropIn }: Unit): string[] {
  if (owner === 'system') {
    return dropIn === null || !/^User=/m.test(dropIn.text) ? [SERVICE_HINTS.root] : [];
  }
  const lingering = runSystem('loginctl', ['show-user', '--property=Linger', '--value', `${process.getuid?.() ?? 0}`]);
  return lingering === null || lingering.stdout.trim() === 'yes' ? [] : [SERVICE_HINTS.linger];
}
