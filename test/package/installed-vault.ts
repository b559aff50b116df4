import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Sandbox } from '../stories/support.ts';
import { namesIn, placed } from '../support/placed.ts';
import { dropMail, PAYMENTS, type Payment, startDaemon, taskFile, writeGarden } from './garden.ts';
import type { Installation } from './installation.ts';

/** A new and an existing vault, the daemon on each, and the three ways to answer and to undo. */
export function describeVault(installed: () => Installation): void {
  describe('a vault', () => {
    test('a new one: a dropped mail proposes, and each way confirms and undoes', async () => {
      await using sandbox = installed().sandbox('none');
      expect(await sandbox.steward(['init', 'vault', '--yes'])).toMatchObject({ exit: 0, stderr: '' });
      writeGarden(sandbox);
      // What is dropped and ticked here counts at once, and not only when it has been left alone for ten seconds.
      await sandbox.sh("edit steward.md 's/^settle_seconds: .*/settle_seconds: 0/'");
      const before = new Map(PAYMENTS.map((payment) => [payment, sandbox.read(taskFile(payment))]));
      const daemon = await startDaemon(sandbox);
      for (const payment of PAYMENTS) {
        dropMail(sandbox, payment);
        await daemon.line((line) => line.endsWith(`“Pay ${payment}”: 1 signal`), `read ${payment}`);
      }
      expect(await sandbox.steward(['tick', '--vault', 'vault'])).toMatchObject({ exit: 0, stderr: '' });
      for (const payment of PAYMENTS) {
        const file = taskFile(payment);
        await WAYS[payment].confirm(sandbox, findEvent(sandbox, payment));
        await daemon.line((line) => line.includes(`confirmed pay-${payment}: state open → done`), `confirmed ${file}`);
        expect(sandbox.read(file)).toContain('state: done');
        await WAYS[payment].undo(sandbox, findEvent(sandbox, payment, 'confirmed-'));
        await daemon.line((line) => line.includes(`undone pay-${payment} (`), `undone ${file}`);
        expect(sandbox.read(file)).toBe(before.get(payment));
      }
      daemon.kill('SIGTERM');
      expect(await daemon.ended).toMatchObject({ exit: 0, stderr: '' });
    });

    test('an existing one: `init` changes no note, and the inbox answers a proposal by keys', async () => {
      await using sandbox = installed().sandbox('none');
      writeGarden(sandbox);
      sandbox.write('.obsidian/types.json', '{"types":{"due":"text"}}');
      const notes = readNotes(sandbox.vault);
      expect(await sandbox.steward(['init', 'vault', '--yes'])).toMatchObject({ exit: 0, stderr: '' });
      expect(readNotes(sandbox.vault)).toMatchObject(notes);
      expect(JSON.parse(sandbox.read('.obsidian/types.json'))).toMatchObject({ types: { due: 'text' } });
      const daemon = await startDaemon(sandbox);
      dropMail(sandbox, 'fence', 'Steward/stream');
      await daemon.line((line) => line.endsWith('“Pay fence”: 1 signal'), 'read');
      expect(await sandbox.steward(['tick', '--vault', 'vault'])).toMatchObject({ exit: 0, stderr: '' });
      const answered = await sandbox.sh("printf 'c\\nq\\n' | steward inbox --vault vault --answer");
      expect(answered).toMatchObject({
        exit: 0,
        stderr: '',
        stdout: expect.stringContaining('Done. pay-fence: state open → done'),
      });
      expect(sandbox.read('task/pay-fence.md')).toContain('state: done');
      expect(await sandbox.steward(['undo', '--vault', 'vault', '--last', '1'])).toMatchObject({ exit: 0, stderr: '' });
      expect(sandbox.read('task/pay-fence.md')).toBe(notes['task/pay-fence.md']);
      // The daemon is stopped on the way out.
      expect(await sandbox.steward(['leave', '--vault', 'vault', '--yes'])).toMatchObject({ exit: 0, stderr: '' });
      expect(await daemon.ended).toMatchObject({ exit: 0, stderr: '' });
      expect(readNotes(sandbox.vault)).toMatchObject(notes);
    });
  });
}

/** How a person answers a proposal, and takes that back. `event`: the name of the event note. */
interface Way {
  readonly confirm: (sandbox: Sandbox, event: string) => unknown;
  readonly undo: (sandbox: Sandbox, event: string) => unknown;
}

const WAYS: Readonly<Record<Payment, Way>> = {
  // By a command.
  fence: {
    confirm: (sandbox, event) => order(sandbox, 'confirm', event),
    undo: (sandbox, event) => order(sandbox, 'undo', event),
  },
  // By a note that is dropped into `event/`.
  gate: {
    confirm: (sandbox, event) => dropNote(sandbox, 'steward-action-confirmed-pay-gate', `confirms: "[[${event}]]"`),
    undo: (sandbox, event) => dropNote(sandbox, 'steward-action-reversed-pay-gate', `reverses: "[[${event}]]"`),
  },
  // By a ticked box.
  hedge: {
    confirm: (sandbox, event) => tickBox(sandbox, event, 'confirm'),
    undo: (sandbox, event) => tickBox(sandbox, event, 'undo'),
  },
};

async function order(sandbox: Sandbox, command: 'confirm' | 'undo', event: string): Promise<void> {
  expect(await sandbox.steward([command, '--vault', 'vault', event])).toMatchObject({ exit: 0, stderr: '' });
}

function dropNote(sandbox: Sandbox, name: string, line: string): void {
  fs.writeFileSync(path.join(sandbox.vault, 'event', `${name}.md`), `---\n${line}\n---\n`);
}

function tickBox(sandbox: Sandbox, event: string, box: 'confirm' | 'undo'): void {
  const file = placed(sandbox.vault, `event/${event}.md`);
  const text = fs.readFileSync(file, 'utf8');
  expect(text).toContain(`\n${box}: false\n`);
  fs.writeFileSync(file, text.replace(`\n${box}: false\n`, `\n${box}: true\n`));
}

/** Returns the name of the event note about a payment. `kind`: what stands between `steward-action-` and the rest. */
function findEvent(sandbox: Sandbox, payment: Payment, kind = ''): string {
  const fits = new RegExp(`^steward-action-${kind}(\\d.*-)?pay-${payment}\\.md$`);
  const found = namesIn(sandbox.vault, 'event').filter((name) => fits.test(name));
  expect(found).toHaveLength(1);
  return path.basename(found[0] ?? '', '.md');
}

/** Returns the text of each note of a vault, by its path. */
function readNotes(vault: string): Readonly<Record<string, string>> {
  const files = fs.readdirSync(vault, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));
  return Object.fromEntries(files.map((file) => [file, fs.readFileSync(path.join(vault, file), 'utf8')]));
}
