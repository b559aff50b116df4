import { EXIT, type ExitCode, StewardError } from '../../../vault/errors.ts';
import type { CommandContext, CommandResult, CommonOptions } from '../../base/context.ts';
import { usageError } from '../../base/usage-error.ts';
import { vaultDir } from '../../base/vault-dir.ts';
import { isRunning, printService, type ServiceState } from '../../print/daemon-log/print-service.ts';
import { type Agent, launchAgent } from './launchd-agent.ts';
import { agentState, installAgent, uninstallAgent } from './launchd-service.ts';
import { sealedText } from './service-file.ts';
import { installUnit, uninstallUnit, unitState } from './systemd-service.ts';
import { systemdUnit, type Unit, unitText } from './systemd-unit.ts';

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
  if (options.system === true) throw usageError('launchd runs the steward as your own agent.', 'Leave out --system.');
  return serviceOf(what, options, context, launchdWays(launchAgent(root, context.env), context));
}

/** What can be done with a service. */
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

// The files of the system's services are root's.
function asRoot(unit: Unit): Unit {
  if (unit.owner === 'user' || process.getuid?.() === 0) return unit;
  throw new StewardError({
    code: 'service-root',
    message: 'Only root may set up a system service.',
    hint: 'Put sudo in front, or leave out --system for your own service.',
  });
}
