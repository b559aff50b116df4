import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { Sandbox } from '../stories/support.ts';
import { attack } from './attack.ts';

const HAS_SYSTEMD = spawnSync('systemd-analyze', ['--version']).error === undefined;

/** A sandbox with a vault of this name. */
function named(name: string): Sandbox {
  const sandbox = new Sandbox('none');
  fs.mkdirSync(path.join(sandbox.folder, name), { recursive: true });
  return sandbox;
}

async function installed(sandbox: Sandbox, name: string, kind: '--user' | '--system') {
  return sandbox.steward(['--vault', path.join(sandbox.folder, name), 'service', 'install', '--print', kind]);
}

describe('service install', () => {
  for (const kind of ['--user', '--system'] as const) {
    for (const [what, name] of [
      ['a line break and a setting of its own', 'notes\nExecStartPre=/bin/touch /tmp/pwned'],
      ['a carriage return', 'notes\rEnvironment=STEWARD_LIVE_MODE=live'],
      ['a control character', 'notes\u0001'],
      ['a line separator', 'notes\u2028more'],
    ] as const) {
      attack(
        {
          attacker: 'another program',
          means: `service install ${kind} for a folder whose name has ${what}`,
          loss: 'commands of its own would run at every start',
          defence: 'a path that no unit file can hold is refused, and nothing is written',
        },
        async () => {
          await using sandbox = named(name);
          const { exit, stdout, stderr } = await installed(sandbox, name, kind);
          expect({ exit, stdout }).toEqual({ exit: 1, stdout: '' });
          expect(stderr).toContain('service-path');
          expect(stderr.split('\n')).not.toContainEqual(expect.stringMatching(/^ExecStartPre/));
        },
      );
    }
  }

  attack(
    {
      attacker: 'another program',
      means: 'service install for a folder named with %h, variables, quotes and backslashes',
      loss: 'the daemon would work on another folder than the one that was named',
      defence: 'each is written so that systemd reads it back as it is',
    },
    async () => {
      const name = 'a %h $HOME \u0024{HOME} "q" \'s\' b\\n c;d';
      await using sandbox = named(name);
      const { exit, stdout } = await installed(sandbox, name, '--user');
      expect(exit).toBe(0);
      expect(environmentOf(stdout)).toBe(`STEWARD_VAULT=${path.join(sandbox.folder, name)}`);
      const system = (await installed(sandbox, name, '--system')).stdout;
      // With the colon nothing in the command line begins a variable.
      expect(system).toMatch(/^ExecStart=:"[^"]+" "[^"]+" run --vault %f$/m);
    },
  );

  test.skipIf(!HAS_SYSTEMD)(
    'what is written for such a folder is a unit to systemd (needs systemd-analyze)',
    async () => {
      const name = 'a %h $HOME "q" \'s\' b\\n c;d';
      await using sandbox = named(name);
      for (const kind of ['--user', '--system'] as const) {
        const unit = path.join(sandbox.folder, kind === '--user' ? 'steward.service' : 'steward@.service');
        fs.writeFileSync(unit, (await installed(sandbox, name, kind)).stdout);
        const asked = kind === '--user' ? unit : path.join(sandbox.folder, 'steward@srv-a\\x24HOME.service');
        const { status, stderr } = spawnSync('systemd-analyze', ['verify', asked], { encoding: 'utf8' });
        expect(stderr.split('\n').filter((line) => line.includes(sandbox.folder))).toEqual([]);
        expect(status).toBe(0);
      }
    },
  );

  attack(
    {
      attacker: 'the surroundings',
      means: 'service install --system for a vault whose escaped path is longer than a unit’s name may be',
      loss: 'systemctl would fail with a word nobody understands, after the template was written',
      defence: 'it is refused before anything is written, and the hint says what to do',
    },
    async () => {
      const name = `${'ä-'.repeat(40)}/${'b-'.repeat(40)}`;
      await using sandbox = named(name);
      expect(await installed(sandbox, name, '--system')).toMatchObject({ exit: 1, stdout: '' });
      expect(await installed(sandbox, name, '--user')).toMatchObject({ exit: 0 });
    },
  );
});

/** Reads the first quoted Environment= as systemd does: backslashes escape, a doubled percent sign is one. */
function environmentOf(unit: string): string {
  const [, written = ''] = /^Environment="((?:[^"\\]|\\.)*)"$/m.exec(unit) ?? [];
  return written.replaceAll(/\\(.)/g, '$1').replaceAll('%%', '%');
}
