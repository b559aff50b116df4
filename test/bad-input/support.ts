import { expect } from 'vitest';
import { Sandbox } from '../stories/support.ts';

/** A trouble as `status --json` and `doctor --json` list it. */
export interface Listed {
  readonly code: string;
  readonly file: string | null;
  readonly line: number | null;
  readonly column: number | null;
  readonly message: string;
  readonly hint: string;
  readonly excerpt?: string;
}

const MATTER = '---\ntype: matter\nstate: open\n---\nThe roof has to be mended before the winter.\n';
const TASK = '---\ntype: task\nstate: open   # by Friday\nparent_matter: "[[roof]]"\n---\n';
const DONE = TASK.replace('open  ', 'done  ');
const INSTINCT =
  '---\ntype: instinct\nsource_type: mail\nprior: 0.9\nconfidence: 1\nobservations: 60\ncalibration_status: live\nlearns_from: outcomes\n---\n';

/** A signal note of its own making: strong enough to be acted upon at once, but for what `changed` says. */
export function signal(target: string, changed: Record<string, unknown> = {}): string {
  const fields = {
    type: 'signal',
    created: new Date().toISOString(),
    source_type: 'mail',
    source_event_path: 'stream/gone.eml',
    raw_quote: 'It has been paid.',
    target_kind: 'task',
    target_path: target,
    target_confidence: 1,
    effect: 'mutation',
    effect_confidence: 0.97,
    mutation_proposal: { class: 'state_change', set: { state: 'done' } },
    headline: 'It has been paid',
    status: 'unrouted',
    ...changed,
  };
  return `---\n${Object.entries(fields)
    .map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
    .join('\n')}\n---\n`;
}

/** A small vault in good order: one matter, a task, a trusted source. */
export async function smallVault(): Promise<Sandbox> {
  const sandbox = new Sandbox('none');
  const made = await sandbox.sh('steward init vault --yes');
  if (made.exit !== 0) {
    await sandbox[Symbol.asyncDispose]();
    throw new Error(`No vault could be made: ${made.stderr}`);
  }
  // Behind the other settings, whose lines the tests name.
  sandbox.write('steward.md', sandbox.read('steward.md').replace('\n---\n', '\ntrusted_signal_sources: [mail]\n---\n'));
  sandbox.write('matter/roof.md', MATTER);
  sandbox.write('task/pay-roofer.md', TASK);
  sandbox.write('instinct/mail.md', INSTINCT);
  return sandbox;
}

/** The rest of the vault carries on: a good signal that comes now is acted upon, by exactly one field. */
export async function carriesOn(sandbox: Sandbox): Promise<void> {
  sandbox.write('signal/good.md', signal('task/pay-roofer.md'));
  const ticked = await sandbox.steward(['tick', '--vault', 'vault'], { STEWARD_LIVE_MODE: 'live' });
  expect(ticked, ticked.stderr).toMatchObject({ exit: 0 });
  expect(sandbox.read('task/pay-roofer.md')).toBe(DONE);
}

/** What `status` and `doctor` say, which must be the same, and must not shake either of them. */
export async function troubles(sandbox: Sandbox): Promise<Listed[]> {
  const status = await sandbox.steward(['status', '--vault', 'vault', '--json']);
  expect(status, status.stderr).toMatchObject({ exit: 0 });
  const doctor = await sandbox.steward(['doctor', '--vault', 'vault', '--json']);
  const { trouble }: { trouble: Listed[] } = JSON.parse(status.stdout);
  expect(doctor.exit).toBe(trouble.length === 0 ? 0 : 1);
  expect(JSON.parse(doctor.stdout).trouble).toEqual(trouble);
  return trouble;
}
