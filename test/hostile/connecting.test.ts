import fs from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { Sandbox } from '../stories/support.ts';
import { attack } from './attack.ts';

const PEER = { attacker: 'a sync peer' } as const;
const NOTE = '---\nkind: imap\nhost: imap.home.example\nuser: anna@home.example\n---\n';
const ADD =
  'steward source add inbox --vault vault --no-test --kind imap --host imap.home.example --user anna@home.example';

function grants({ folder }: Sandbox): string {
  const place = path.join(folder, '.state', 'vault-steward', 'sources');
  return fs.existsSync(place)
    ? fs
        .readdirSync(place)
        .map((name) => fs.readFileSync(path.join(place, name), 'utf8'))
        .join('')
    : '';
}

attack(
  {
    ...PEER,
    means: 'a source note of their own that leads to a server of theirs',
    loss: 'the password of the mailbox is sent there by the next test or doctor',
    defence: 'what leads elsewhere than a person allowed on this machine is shown, and asked nothing',
  },
  async () => {
    await using sandbox = new Sandbox('example');
    const marker = path.join(sandbox.folder, 'asked');
    const command = `--password-command "touch ${marker}"`;
    await sandbox.sh(`${ADD} ${command}`);
    sandbox.write('source/inbox.md', NOTE.replace('imap.home', '127.0.0.1 #').replace('#.example', ''));
    sandbox.write('source/other.md', NOTE);
    for (const name of ['inbox', 'other']) {
      const { exit, stderr } = await sandbox.sh(`steward source test ${name} --vault vault`);
      expect([exit, stderr]).toEqual([1, expect.stringContaining('sends no request')]);
    }
    const { stdout } = await sandbox.sh('steward doctor --vault vault');
    expect(stdout.match(/not allowed here/g)).toHaveLength(2);
    expect(fs.existsSync(marker)).toBe(false);
  },
);

attack(
  {
    ...PEER,
    means: 'a source note of the kind command, with a program in it',
    loss: 'a program of theirs is run',
    defence: 'which program is run stands outside the vault, and only a person at this machine says it',
  },
  async () => {
    await using sandbox = new Sandbox('example');
    const marker = path.join(sandbox.folder, 'run');
    sandbox.write('source/tool.md', `---\nkind: command\nrun: [touch, ${marker}]\ncommand: touch ${marker}\n---\n`);
    for (const line of ['source test tool --yes', 'doctor', 'status', 'source list'])
      await sandbox.sh(`steward ${line} --vault vault`);
    expect(fs.existsSync(marker)).toBe(false);
    expect(grants(sandbox)).toBe('');
  },
);

attack(
  {
    ...PEER,
    means: 'terminal codes and line breaks in the user, the server and the name of a source note',
    loss: 'the screen shows another server than the one that is allowed',
    defence: 'text of notes is cleaned before it is shown, and a server has a name of plain letters',
  },
  async () => {
    await using sandbox = new Sandbox('example');
    sandbox.write(
      'source/inbox.md',
      NOTE.replace('anna@', '"anna\\e[2K\\e[1A\\r\\u202Eexample"').replace('"home.example', '"'),
    );
    sandbox.write('source/odd.md', NOTE.replace('imap.home.example', '"imap.home.example\\e[2Kx"'));
    sandbox.write('source/a\u001b[2Kb.md', NOTE);
    for (const line of [
      'source list',
      'source list --json',
      'source test inbox',
      'source test odd',
      'status',
      'doctor',
    ]) {
      const { stdout, stderr } = await sandbox.sh(`steward ${line} --vault vault`);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
      expect(`${stdout}${stderr}`).not.toMatch(/[\u001b\u202e\r]/);
    }
  },
);

attack(
  {
    ...PEER,
    means: 'a link in the place of the folder source/, or of the new note, that leads out of the vault',
    loss: 'a file outside the vault is written or replaced',
    defence: 'a new note is made only inside the vault, and never over what is there',
  },
  async () => {
    await using sandbox = new Sandbox('example');
    const outside = path.join(sandbox.folder, 'outside');
    fs.mkdirSync(outside);
    fs.writeFileSync(path.join(outside, 'precious'), 'as it was');
    fs.mkdirSync(path.join(sandbox.vault, 'source'), { recursive: true });
    fs.symlinkSync(path.join(outside, 'precious'), path.join(sandbox.vault, 'source', 'inbox.md'));
    expect((await sandbox.sh(ADD)).exit).not.toBe(0);
    fs.rmSync(path.join(sandbox.vault, 'source'), { recursive: true });
    fs.symlinkSync(outside, path.join(sandbox.vault, 'source'));
    expect((await sandbox.sh(ADD)).exit).not.toBe(0);
    expect(fs.readdirSync(outside)).toEqual(['precious']);
    expect(fs.readFileSync(path.join(outside, 'precious'), 'utf8')).toBe('as it was');
  },
);

attack(
  {
    attacker: 'another local user',
    means: 'reading what the command line leaves behind',
    loss: 'they learn a password, or which program prints it',
    defence: 'what was allowed can be read by its owner alone, and a password is never an argument nor in a file',
  },
  async () => {
    await using sandbox = new Sandbox('example');
    const secret = 'a-secret-of-anna';
    await sandbox.sh(ADD, { STEWARD_SOURCE_INBOX_PASSWORD: secret });
    const { stdout } = await sandbox.sh('steward source list --json --vault vault', {
      STEWARD_SOURCE_INBOX_PASSWORD: secret,
    });
    expect(stdout).toContain('"password": "set"');
    expect(stdout).not.toContain(secret);
    const place = path.join(sandbox.folder, '.state', 'vault-steward', 'sources');
    for (const name of fs.readdirSync(place)) expect(fs.statSync(path.join(place, name)).mode & 0o077).toBe(0);
    expect(grants(sandbox)).not.toContain(secret);
    expect(sandbox.read('source/inbox.md')).not.toContain(secret);
    const help = await sandbox.sh('steward source add --help');
    expect(help.stdout).not.toMatch(/--password[ =<]/);
  },
);

attack(
  {
    ...PEER,
    means: 'a second note of a source, that differs only in how its ending is written',
    loss: '`source pause` ticks that one, and the source goes on being asked',
    defence: 'the one spelled plainly speaks for the name; the other is said and not read',
  },
  async () => {
    await using sandbox = new Sandbox('example');
    await sandbox.sh(ADD);
    sandbox.write('source/inbox.MD', NOTE.replace('anna@', 'eve@'));
    const { stdout } = await sandbox.sh('steward source list --json --vault vault');
    expect(JSON.parse(stdout)).toMatchObject({
      sources: [
        { name: 'inbox.MD', state: 'unreadable', allowed: null },
        { name: 'inbox', leads: { user: 'anna@home.example' } },
      ],
    });
    await sandbox.sh('steward source pause inbox --vault vault');
    expect(sandbox.read('source/inbox.md')).toContain('paused: true');
    expect(sandbox.read('source/inbox.MD')).not.toContain('paused');
  },
);

attack(
  {
    ...PEER,
    means: 'source notes that are called as what every object of the language has',
    loss: 'a command ends in an error of the program, or takes one of them for allowed',
    defence: 'what was allowed is looked up among what was really said',
  },
  async () => {
    await using sandbox = new Sandbox('example');
    for (const name of ['constructor', '__proto__', 'toString'])
      sandbox.write(`source/${name}.md`, '---\nkind: webhook\n---\n');
    const { stdout } = await sandbox.sh('steward source list --vault vault');
    expect(stdout).toContain("The source constructor isn't allowed on this machine");
    for (const line of ['source test constructor', 'source add x --kind constructor', 'doctor']) {
      const { exit, stderr } = await sandbox.sh(`steward ${line} --vault vault`);
      expect([1, 2]).toContain(exit);
      expect(stderr).not.toContain('should not');
    }
  },
);
