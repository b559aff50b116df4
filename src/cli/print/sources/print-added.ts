import type { ListedSource } from '../../../daemon/sources/orders/listed-sources.ts';
import type { Tried } from '../../../daemon/sources/orders/try-source.ts';
import { passwordCredential, passwordVariable } from '../../../source/password-place.ts';
import { shellWord } from '../../../vault/notes/shell-word.ts';
import type { Printer } from '../printer.ts';

/** Prints what was found at a source, or why nothing was. */
export function printTried(out: Printer, err: Printer, name: string, { described, failed }: Tried): void {
  if (described !== null) {
    out.line(out.paint('green', `${name} answers.`));
    for (const line of described.lines) out.plain(`  ${line}`);
  }
  if (failed === null) return;
  err.plain(`${name} cannot be connected. ${failed.message.replace(/\.?$/, '.')}`);
  err.plain(`  ${failed.hint}`);
}

/** Prints what happens next with a source that was connected just now. */
export function printNext(out: Printer, source: ListedSource, isRunning: boolean): void {
  const pace = source.everyMs === null ? '' : `, every ${minutes(source.everyMs)}`;
  const does = source.kind === 'webhook' ? 'listens' : 'asks it';
  out.line(
    isRunning
      ? `The daemon ${does} from now on${pace}; \`steward status\` shows how it stands.`
      : `No daemon runs yet. Once it does (\`steward run\`), it ${does}${pace}; \`steward status\` shows how it stands.`,
  );
  if (source.password === 'none') printPasswordPlaces(out, source);
  else if (source.password === 'set' && !isRunning)
    out.line(`Its ${secretOf(source)} is set in this terminal; a service needs it as well: see docs/sources.md.`);
}

function secretOf({ isOAuth, kind }: Pick<ListedSource, 'isOAuth' | 'kind'>): string {
  return isOAuth || kind === 'webhook' ? 'token' : 'password';
}

function minutes(ms: number): string {
  const whole = Math.round(ms / 60_000);
  if (whole % (24 * 60) === 0) return whole === 24 * 60 ? 'day' : `${whole / 24 / 60} days`;
  if (whole % 60 === 0) return whole === 60 ? 'hour' : `${whole / 60} hours`;
  return whole === 1 ? 'minute' : `${whole} minutes`;
}

/** Prints where the password of a source may come from, with the lines to be written for each way. */
export function printPasswordPlaces(
  out: Printer,
  { name, isOAuth, kind }: Pick<ListedSource, 'name' | 'isOAuth' | 'kind'>,
): void {
  const credential = passwordCredential(name);
  const file = `~/.config/steward/${credential}`;
  const test = `steward source test ${shellWord(name)}`;
  out.heading(`Its ${secretOf({ isOAuth, kind })}`);
  if (isOAuth) {
    out.line('A token holds for an hour or so, so a command must print a new one each time, on its first line:');
    out.line(`  ${test} --password-command "oama access you@example.org"`);
    out.line('docs/sources.md says how to get such a command.');
    return;
  }
  out.line('The steward stores no passwords. Give it to the daemon in one of these ways:');
  out.line();
  out.line('  1. A command prints it, such as secret-tool, pass or op; or cat, of a file that only you can read:');
  out.line(`       ${test} --password-command "secret-tool lookup steward ${shellWord(name)}"`);
  out.line('  2. A credential of the service, in a file that only you can read:');
  out.line(`       mkdir -p ~/.config/steward && (umask 077; systemd-ask-password -n > ${file})`);
  out.line('       systemctl --user edit steward');
  out.line('         [Service]');
  out.line(`         LoadCredential=${credential}:${file.replace('~', '%h')}`);
  out.line('  3. The same, encrypted for this machine (systemd 256 and later):');
  out.line(`       systemd-ask-password -n | systemd-creds --user encrypt --name=${credential} - ${file}.cred`);
  out.line('       systemctl --user edit steward');
  out.line('         [Service]');
  out.line(`         LoadCredentialEncrypted=${credential}:${file.replace('~', '%h')}.cred`);
  out.line(`  4. The variable ${passwordVariable(name)}, for whatever starts the daemon.`);
  out.line();
  out.line(`After 2, 3 and 4 start the daemon anew (a service: systemctl --user restart steward). Then: ${test}`);
}
