import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { matter, settings, signal, task } from '../../../test/support/notes.ts';

const LONG_AGO = new Date('2020-01-01T00:00:00Z');

interface Told {
  readonly name: string;
  readonly event: string;
  readonly code?: string | null;
}

type How = 'daemons' | 'visits';

/** A process with two vaults, `good` and `bad`. */
class Faulty {
  readonly folder = fs.mkdtempSync(path.join(os.tmpdir(), 'faulty-'));
  readonly told: Told[] = [];
  readonly child: ChildProcess;
  #waiting: (() => void)[] = [];

  constructor(how: How) {
    for (const name of ['good', 'bad']) {
      this.write(`${name}/steward.md`, settings({ default_schedule: '0 0 29 2 *' }));
      this.write(`${name}/matter/house.md`, matter());
      this.write(`${name}/task/pay.md`, task());
    }
    const homes = {
      XDG_RUNTIME_DIR: path.join(this.folder, '.run'),
      XDG_STATE_HOME: path.join(this.folder, '.state'),
      STEWARD_LIVE_MODE: 'live',
    };
    fs.mkdirSync(homes.XDG_RUNTIME_DIR, { mode: 0o700 });
    this.child = fork(path.join(import.meta.dirname, 'faulty-child.ts'), [this.folder, how], {
      env: { ...process.env, ...homes },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.child.on('message', (message) => {
      this.told.push(message as Told); // from our own script
      for (const look of this.#waiting.splice(0)) look();
    });
    onTestFinished(() => {
      this.child.kill('SIGKILL');
      fs.rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
    });
  }

  write(file: string, text: string): void {
    const place = path.join(this.folder, file);
    fs.mkdirSync(path.dirname(place), { recursive: true });
    fs.writeFileSync(place, text);
    fs.utimesSync(place, LONG_AGO, LONG_AGO);
  }

  /** Resolves once so many of these events were told of a vault. */
  async heard(name: string, event: string, times = 1): Promise<void> {
    while (this.of(name, event).length < times) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  of(name: string, event: string): Told[] {
    return this.told.filter((one) => one.name === name && one.event === event);
  }
}

describe.each(['daemons', 'visits'] as const)('vaults of one process, kept by %s', (how) => {
  test('an error that no code catches ends the work on its vault alone, which starts again; the other goes on', async () => {
    const faulty = new Faulty(how);
    await faulty.heard('', 'ready');
    await faulty.heard('good', 'started');
    const started = faulty.of('good', 'started').length;
    faulty.write('bad/task/broken.md', '---\ntype: [\n---\n');
    await faulty.heard('bad', 'unkept');
    expect(faulty.of('bad', 'unkept')[0]).toMatchObject({ code: 'vault-fault' });
    fs.rmSync(path.join(faulty.folder, 'bad/task/broken.md'));
    faulty.write('good/signal/paid.md', signal({ target_path: 'task/pay.md' }));
    await faulty.heard('good', 'acted');
    faulty.write('bad/signal/paid.md', signal({ target_path: 'task/pay.md' }));
    await faulty.heard('bad', 'acted');
    expect(faulty.of('good', 'unkept')).toEqual([]);
    if (how === 'daemons') expect(faulty.of('good', 'started')).toHaveLength(started);
    faulty.child.send('end');
    await once(faulty.child, 'exit');
    expect(faulty.child.exitCode).toBe(0);
  });

  test('an error of no vault ends the process', async () => {
    const faulty = new Faulty(how);
    await faulty.heard('', 'ready');
    let said = '';
    faulty.child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    faulty.child.send('fall');
    await once(faulty.child, 'close');
    expect(faulty.child.exitCode).toBe(1);
    expect(said).toContain('Error: of nobody');
  });
});
