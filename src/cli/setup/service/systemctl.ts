import { spawnSync } from 'node:child_process';
import { StewardError } from '../../../vault/errors.ts';
import type { Unit } from './systemd-unit.ts';

/** How a program of the system ended, and what it said. */
interface Said {
  readonly ok: boolean;
  readonly stdout: string;
  /** Why it failed, in its own words; '' where it did not say. */
  readonly why: string;
}

/** Runs a program of the system to its end; null where there is none of that name here. */
export function runSystem(program: string, words: readonly string[]): Said | null {
  const { status, error, stdout, stderr } = spawnSync(program, words, { encoding: 'utf8' });
  if (error !== undefined) return null;
  return { ok: status === 0, stdout, why: stderr.trim().split('\n')[0] ?? '' };
}

/** Runs systemctl with the right manager. Throws `no-systemd` where there is none. */
export function systemctl({ manager }: Unit, ...words: string[]): Said {
  const said = runSystem('systemctl', [...manager, ...words]);
  if (said === null) throw noSystemd();
  return said;
}

/** Runs systemctl, and throws `service-refused` with its words where it fails. */
export function demandSystemctl(unit: Unit, ...words: string[]): void {
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
