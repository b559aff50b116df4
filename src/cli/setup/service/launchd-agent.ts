import os from 'node:os';
import path from 'node:path';
import { StewardError } from '../../../vault/errors.ts';
import { PACKAGE } from '../../base/package-dir.ts';
import { type ServiceFile, UNSEALED } from './service-file.ts';

/** The name of the agent for launchctl. */
export const LABEL = 'vault-steward';
/** What a service is told by the shell that installs it. Keys and passwords are no part of it: everybody may read a property list. */
const KEPT = ['STEWARD_LIVE_MODE', 'STEWARD_BUDGET_USD_PER_DAY', 'STEWARD_LOG', 'STEWARD_LOG_LEVEL', 'XDG_STATE_HOME'];

/** A launch agent of macOS: its property list, and where it logs. */
export interface Agent {
  readonly plist: ServiceFile;
  readonly log: string;
}

/** Returns the launch agent of a vault for this very Node. Throws `service-path` where XML cannot hold a path. */
export function launchAgent(root: string, env: NodeJS.ProcessEnv): Agent {
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
  <!-- launchd cannot tell wrong settings, which only a person can mend, from other failures: it tries once a minute. -->
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

// XML 1.0 holds no other control characters, and joins line breaks; bytes that are no UTF-8 have become U+FFFD.
function escaped(text: string): string {
  if (!/[\p{Cc}\u2028\u2029\ufffd-\uffff]|[\ud800-\udfff]/u.test(text)) {
    return text.replace(/[&<>]/g, (char) => ENTITIES[char] ?? char);
  }
  throw new StewardError({
    code: 'service-path',
    message: `A property list cannot hold this text: ${JSON.stringify(text)} has a line break, a control character or bytes that are no text.`,
    hint: 'Rename the folder, or start `steward run` by another supervisor.',
  });
}
