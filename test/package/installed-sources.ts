import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Dovecot, dovecotHere } from '../servers/dovecot.ts';
import { PASSWORD, USER } from '../servers/local-server.ts';
import { Radicale, radicaleHere } from '../servers/radicale.ts';
import { freePort } from '../servers/server-process.ts';
import type { Ended, Sandbox } from '../stories/support.ts';
import { namesIn } from '../support/placed.ts';
import { paidMail, startDaemon, writeGarden } from './garden.ts';
import type { Installation } from './installation.ts';

const TOKEN = 'plainly-made-up-0123456789abcdef';
const MAILBOX = `--kind imap --user ${USER} --host 127.0.0.1 --security none --folder INBOX --yes`;
const CALENDAR = `--kind caldav --user ${USER} --yes`;
/** A port at which nothing answers. */
const CLOSED_PORT = 9;

/** Sources on real servers, each with a command that prints its password. */
export function describeSources(installed: () => Installation): void {
  describe('sources', () => {
    test.each([
      ['imapflow', `${MAILBOX} --port ${CLOSED_PORT}`],
      ['tsdav', `${CALENDAR} --url http://127.0.0.1:${CLOSED_PORT}/`],
    ])('the command that it prints installs %s', async (library, options) => {
      await using sandbox = await openVault(installed());
      const missing = await addSource(sandbox, 'first', options, PASSWORD);
      expect(missing.exit).toBe(1);
      const command = /Run: (npm install -g --prefix .*)$/m.exec(missing.stderr)?.[1] ?? missing.stderr;
      expect(installed().run('sh', '-c', command)).toMatchObject({ status: 0 });
      expect(fs.existsSync(path.join(installed().place, '..', library))).toBe(true);
      const closed = await addSource(sandbox, 'first', options, PASSWORD);
      expect(closed).toMatchObject({ exit: 1, stderr: expect.not.stringContaining('npm install') });
    });

    test.skipIf(!dovecotHere())('a mail in a mailbox on Dovecot becomes a proposal', async () => {
      const server = await Dovecot.start();
      onTestFinished(() => server.stop());
      await using sandbox = await openVault(installed());
      const added = await addSource(sandbox, 'inbox', `${MAILBOX} --port ${server.port}`, PASSWORD);
      expect(added).toMatchObject({ exit: 0, stderr: '' });
      const daemon = await startDaemon(sandbox);
      server.maildir().lay([{ bytes: paidMail('fence'), at: Date.now() }]);
      await daemon.line((line) => line.includes('for pay-fence: Pay fence'), 'signal');
      const [mail] = namesIn(sandbox.vault, 'stream/inbox');
      const why = await sandbox.steward(['explain', '--vault', 'vault', `stream/inbox/${mail}`]);
      expect(why).toMatchObject({ exit: 0, stdout: expect.stringContaining('pay-fence') });
      for (const words of [['test', 'inbox'], ['pause', 'inbox'], ['pause', 'inbox', '--off'], ['list']]) {
        expect(await sandbox.steward(['source', ...words, '--vault', 'vault'])).toMatchObject({ exit: 0, stderr: '' });
      }
      daemon.kill('SIGTERM');
      expect(await daemon.ended).toMatchObject({ exit: 0, stderr: '' });
      expect(server.logins().refused).toBe(0);
    });

    test('a mailbox whose password command fails isn’t added', async () => {
      await using sandbox = await openVault(installed());
      const add = `steward source add inbox --vault vault ${MAILBOX} --password-command /bin/false`;
      const refused = await sandbox.sh(add);
      expect(refused).toMatchObject({ exit: 1, stderr: expect.stringContaining('password') });
      expect(fs.existsSync(path.join(sandbox.vault, 'source', 'inbox.md'))).toBe(false);
    });

    test.skipIf(!radicaleHere())('a calendar on Radicale is connected', async () => {
      const server = await Radicale.start();
      onTestFinished(() => server.stop());
      await server.calendar('garden', 'Garden');
      await using sandbox = await openVault(installed());
      const added = await addSource(sandbox, 'calendar', `${CALENDAR} --url ${server.url}`, PASSWORD);
      expect(added).toMatchObject({ exit: 0, stderr: '', stdout: expect.stringContaining('Garden') });
    });

    test('a webhook takes an event with the token, and refuses one without it', async () => {
      await using sandbox = await openVault(installed());
      const port = await freePort();
      const added = await addSource(sandbox, 'hook', `--kind webhook --port ${port}`, TOKEN);
      expect(added).toMatchObject({ exit: 0, stderr: '' });
      const daemon = await startDaemon(sandbox);
      const post = (token: string) => postEvent(port, token);
      await expect.poll(() => post('plainly-wrong')).toBe(401);
      expect(await post(TOKEN)).toBe(202);
      await daemon.line((line) => line.includes('for pay-gate: Pay gate'), 'signal');
      expect(await post(TOKEN)).toBe(200);
      daemon.kill('SIGTERM');
      expect(await daemon.ended).toMatchObject({ exit: 0, stderr: '' });
    });
  });
}

async function openVault(installation: Installation): Promise<Sandbox> {
  const sandbox = installation.sandbox('none');
  expect(await sandbox.steward(['init', 'vault', '--yes'])).toMatchObject({ exit: 0, stderr: '' });
  writeGarden(sandbox);
  return sandbox;
}

/** Adds a source whose password comes from a command. */
async function addSource(sandbox: Sandbox, name: string, options: string, password: string): Promise<Ended> {
  const file = path.join(sandbox.folder, `${name}.password`);
  fs.writeFileSync(file, `${password}\n`, { mode: 0o600 });
  return await sandbox.sh(`steward source add ${name} --vault vault ${options} --password-command "/bin/cat ${file}"`);
}

/** Sends an event to a webhook, and returns the status of the answer; null if nothing listens there yet. */
async function postEvent(port: number, token: string): Promise<number | null> {
  const event = { id: 'gate-1', from: 'Dana', title: 'Pay gate', text: 'We have received your payment.' };
  const request = {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(event),
  };
  try {
    return (await fetch(`http://127.0.0.1:${port}/events`, request)).status;
  } catch {
    return null;
  }
}
