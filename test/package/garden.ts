import fs from 'node:fs';
import path from 'node:path';
import type { Running, Sandbox } from '../stories/support.ts';

/** One payment for each task, so that a mail about it can come in. */
export const PAYMENTS = ['fence', 'gate', 'hedge'] as const;
/** What is paid for. */
export type Payment = (typeof PAYMENTS)[number];

/** Returns the task note of a payment, as a path in the vault. */
export function taskFile(payment: Payment): string {
  return `task/pay-${payment}.md`;
}

/** Writes a matter and a task for each payment into the sandbox's vault. */
export function writeGarden(sandbox: Sandbox): void {
  sandbox.write('matter/garden.md', ['---', 'type: matter', 'state: open', '---', 'My garden.', ''].join('\n'));
  for (const payment of PAYMENTS) {
    const task = ['---', 'type: task', 'state: open', 'parent_matter: "[[garden]]"', '---', 'Mine.', ''];
    sandbox.write(taskFile(payment), task.join('\n'));
  }
}

/** Returns a mail, sent now, that says that something has been paid. */
export function paidMail(payment: Payment): string {
  return [
    'From: Dana Placeholder <dana@fences.example>',
    'To: Robin Sample <robin@sample-household.example>',
    `Subject: Pay ${payment}`,
    `Date: ${new Date().toUTCString()}`,
    `Message-ID: <${payment}@fences.example>`,
    '',
    'Dear Robin Sample,',
    '',
    'We have received your payment.',
    '',
  ].join('\r\n');
}

/** Drops the mail into `stream/`, as a person does: all of it at once. */
export function dropMail(sandbox: Sandbox, payment: Payment, stream = 'stream'): void {
  const hidden = path.join(sandbox.vault, stream, '.incoming');
  fs.writeFileSync(hidden, paidMail(payment));
  fs.renameSync(hidden, path.join(sandbox.vault, stream, `${payment}.eml`));
}

/** Starts the daemon in live mode, and waits until it runs. */
export async function startDaemon(sandbox: Sandbox): Promise<Running> {
  const daemon = sandbox.start('steward run --vault vault', { STEWARD_LIVE_MODE: 'live' });
  await daemon.line((line) => line.includes('started on'), 'started on');
  return daemon;
}
