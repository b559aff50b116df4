import fs from 'node:fs';
import path from 'node:path';
import { EXIT, type ExitCode, StewardError } from '../../../vault/errors.ts';
import type { ServiceState } from '../../print/daemon-log/print-service.ts';
import type { Printer } from '../../print/printer.ts';
import {
  printAgentLoaded,
  printNotInstalled,
  printRemoved,
  printServiceFile,
} from '../../print/setup/service-words.ts';
import { type Agent, LABEL } from './launchd-agent.ts';
import { readText, writeServiceFile } from './service-file.ts';
import { runSystem } from './systemctl.ts';

/** Writes the launch agent, and has it run now and at each login. */
export function installAgent({ plist, log }: Agent, out: Printer): ExitCode {
  fs.mkdirSync(path.dirname(log), { recursive: true, mode: 0o700 });
  const { before, kept } = writeServiceFile(plist);
  printServiceFile(out, { file: plist.file, isSame: before === 'same', kept }, null);
  launchctl('bootout', target()); // fails where it is not loaded, which is as well
  const { ok, why } = launchctl('bootstrap', domain(), plist.file);
  if (!ok) throw refused(`bootstrap ${domain()}`, why);
  printAgentLoaded(out, LABEL, log);
  return EXIT.done;
}

/** Ends the agent and removes its property list; the log stays. */
export function uninstallAgent({ plist, log }: Agent, out: Printer): ExitCode {
  if (!fs.existsSync(plist.file)) {
    printNotInstalled(out, plist.file);
    return EXIT.refused;
  }
  launchctl('bootout', target());
  fs.rmSync(plist.file);
  const kept = [log, `${plist.file}.before`].filter((file) => fs.existsSync(file));
  printRemoved(out, LABEL, kept);
  return EXIT.done;
}

/** Returns how the agent is, as launchd sees it. */
export function agentState({ plist, log }: Agent): ServiceState {
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
    hint: 'Use --print to see the property list; --for systemd where systemd runs services.',
  });
}

function refused(what: string, why: string): StewardError {
  return new StewardError({
    code: 'service-refused',
    message: `launchctl could not do \`${what}\`${why === '' ? '.' : `: ${why}`}`,
    hint: 'Log in on the screen of this machine: an agent belongs to a session there.',
  });
}
