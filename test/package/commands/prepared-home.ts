import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { daysMoved } from '../../../src/cli/commands/demo.ts';

const execute = promisify(execFile);
const PROJECT = path.resolve(import.meta.dirname, '../../..');
const EXAMPLE = path.join(PROJECT, 'vault-example');
const LONG_AGO = new Date('2020-01-01T00:00:00Z');
/** The days of the example are moved ahead, so that nothing in it depends on the day of the run. */
const YEARS = 8;

const COPY = { recursive: true, preserveTimestamps: true, verbatimSymlinks: true };

/** Names that exist in a prepared home: shell variables of its environment. */
const EVENTS = {
  PROPOSAL: /-compare-tile-offers\.md$/,
  ACTION: /-pay-notary-deposit\.md$/,
  CHOICE: /-undecided\.md$/,
};

/**
 * A home folder as commands in docs and messages presume it: `~/Vault` is the example vault with fresh mails read, a
 * proposal and a choice waiting, a licence, a change applied, and a source; there are other vaults, and a clone of the project.
 * `reset` makes it as it was.
 */
export class PreparedHome {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  readonly #kept: string;

  constructor(root: string, env: NodeJS.ProcessEnv) {
    this.folder = path.join(root, 'home');
    this.#kept = path.join(root, 'kept');
    fs.mkdirSync(this.folder, { recursive: true });
    this.env = {
      ...env,
      PATH: `${path.join(this.folder, 'bin')}:${env.PATH}`,
      HOME: this.folder,
      XDG_RUNTIME_DIR: path.join(this.folder, '.run'),
      TZ: 'UTC',
      LC_ALL: 'C.UTF-8',
      NO_COLOR: '1',
      SHELL: '/bin/sh',
      USER: 'robin',
      npm_config_prefer_offline: 'true',
      STEWARD_SOURCE_CALENDAR_PASSWORD: 'not-a-password',
      ...SAMPLE_NAMES,
    };
  }

  /** Makes what is to be found there. */
  async prepare(): Promise<void> {
    this.#writeFiles();
    const mails = fs.readdirSync(path.join(this.folder, 'mails')).map((name) => `../mails/${name}`);
    await this.#run('licence', 'sign', 'anna@northgate-notary.example');
    await this.#run('import', ...mails);
    await this.#run('tick', '--force');
    await this.#run('source', 'add', 'tickets', '--kind', 'command', '--yes', '--', `${this.folder}/bin/tickets`);
    const account = ['--kind', 'imap', '--user', 'anna@example.org', '--host', 'imap.example.org'];
    const password = ['--password-command', 'pass mail/inbox'];
    await this.#run('source', 'add', 'inbox', ...account, ...password, '--no-test', '--yes');
    await this.#run('source', 'pause', 'inbox'); // its server does not exist
    Object.assign(this.env, this.#findEvents());
    fs.cpSync(this.folder, this.#kept, COPY);
  }

  /** Where a command is typed. */
  get vault(): string {
    return path.join(this.folder, 'Vault');
  }

  /** Puts back what a command has changed, and nothing else: a whole copy takes longer than most commands. */
  reset(): void {
    const kept = readTree(this.#kept);
    const found = readTree(this.folder);
    const added = [...found.keys()].filter((file) => !kept.has(file));
    for (const file of added) fs.rmSync(path.join(this.folder, file), { recursive: true, force: true });
    const changed = [...kept].filter(([file, state]) => found.get(file) !== state);
    for (const [file] of changed) {
      fs.rmSync(path.join(this.folder, file), { recursive: true, force: true });
      fs.cpSync(path.join(this.#kept, file), path.join(this.folder, file), COPY);
    }
  }

  #writeFiles(): void {
    for (const folder of ['.run', 'New']) fs.mkdirSync(path.join(this.folder, folder), { mode: 0o700 });
    for (const [name, script] of Object.entries(PROGRAMS)) this.#write(`bin/${name}`, `#!/bin/sh\n${script}\n`, 0o755);
    for (const [file, text] of Object.entries(FILES)) this.#write(file, text);
    copyExample(this.vault);
    for (const vault of ['Notes', 'Home', 'Work', 'vaults/home', 'vaults/work']) {
      this.#write(`${vault}/task/one.md`, '---\ntype: task\nstate: open\n---\n');
      this.#write(`${vault}/steward.md`, '---\n---\n');
    }
    this.#clone();
    const mails = fs.readdirSync(path.join(EXAMPLE, 'sample-mails')).filter((name) => name.endsWith('.eml'));
    for (const name of mails) this.#write(`mails/${name}`, readFresh(path.join(EXAMPLE, 'sample-mails', name)));
  }

  /** A clone whose programs are those of this project; npm may write into it without harm. */
  #clone(): void {
    const clone = path.join(this.folder, 'vault-steward');
    const linked = ['bin', 'data', 'dist', 'docs', 'src', 'template', 'test', 'vault-example', 'systemd', 'fleet'];
    fs.mkdirSync(path.join(clone, 'node_modules', '.bin'), { recursive: true });
    for (const name of linked) fs.symlinkSync(path.join(PROJECT, name), path.join(clone, name));
    for (const file of ['package.json', 'package-lock.json', '.npmrc'])
      fs.copyFileSync(path.join(PROJECT, file), path.join(clone, file));
    fs.symlinkSync('../../bin/steward.js', path.join(clone, 'node_modules', '.bin', 'steward'));
  }

  #findEvents(): Record<string, string> {
    const files = fs.readdirSync(path.join(this.vault, 'event'), { recursive: true, encoding: 'utf8' }).toSorted();
    return Object.fromEntries(
      Object.entries(EVENTS).map(([name, pattern]) => {
        const file = files.findLast((one) => pattern.test(one));
        if (file === undefined) throw new Error(`No event for ${name} among:\n${files.join('\n')}`);
        return [name, path.basename(file, '.md')];
      }),
    );
  }

  #write(file: string, text: string, mode = 0o600): void {
    const place = path.join(this.folder, file);
    fs.mkdirSync(path.dirname(place), { recursive: true });
    fs.writeFileSync(place, text, { mode });
    fs.utimesSync(place, LONG_AGO, LONG_AGO);
  }

  async #run(...words: string[]): Promise<void> {
    await execute('steward', words, { cwd: this.vault, env: { ...this.env, STEWARD_LIVE_MODE: 'live' } });
  }
}

const SAMPLE_NAMES = {
  SOURCE: 'tickets',
  NOTE: 'pay-notary-deposit',
  MATTER: 'house-purchase',
  TARGET: 'marlow-invoice-042',
  STREAM_FILE: 'stream/01-payment-received.eml',
  BRIEFING: 'kitchen-tiles',
};

/** Programs of others that print a password or events; here they print a made-up one. */
const PROGRAMS = {
  tickets: `echo '{"id":"1","title":"A ticket","text":"It is open."}'`,
  pass: 'echo not-a-password',
  op: 'echo not-a-password',
  oama: 'echo not-a-token',
  'secret-tool': 'echo not-a-password',
  notify: 'cat > /dev/null',
};

const FILES = {
  'letter.eml': 'From: Anna Placeholder <anna@northgate-notary.example>\nSubject: Hello\n\nIt is open.\n',
  '.config/steward/hook.token': 'a-token-of-no-value-at-all-in-this-test\n',
  '.config/steward/source_inbox': 'not-a-password\n',
  'Vault/lib/merger.dart': `${'// Merges.\n'.repeat(160)}double relevanceGate(double a) {\n  return a;\n}\n${'// More.\n'.repeat(9)}`,
  'Vault/lib/tuning.dart': 'const vectorFloorStrict = 0.5;\n',
  'Vault/data/results.json': '[{"score": 0.75, "gateReason": "dualSignal"}]\n',
  'Vault/data/runs.csv': 'run,status\n1,failed\n2,done\n',
  'Vault/plan.md': '# Plan\n\n## Risks\n\nRain.\n',
  'Vault/roundtable/house/briefing.md':
    '---\ntype: briefing\n---\n# House\n\n## Steward-Registered Files\n\n- plan.md\n',
};

/** Returns the files, links and folders below a folder, each with what shows that it was changed. */
function readTree(folder: string): ReadonlyMap<string, string> {
  const entries = fs.readdirSync(folder, { recursive: true, withFileTypes: true }); // it follows no links
  const files = entries.map((entry) => path.join(entry.parentPath, entry.name)).toSorted();
  return new Map(
    files.map((file) => {
      const stats = fs.lstatSync(file);
      const content = stats.isDirectory() ? '' : ` ${stats.size} ${Math.trunc(stats.mtimeMs)}`;
      return [path.relative(folder, file), `${stats.mode}${content}`];
    }),
  );
}

function copyExample(to: string): void {
  fs.cpSync(EXAMPLE, to, { recursive: true });
  for (const entry of fs.readdirSync(to, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    if (/^(matter|task|event|signal|stream)\//.test(path.relative(to, file)))
      fs.writeFileSync(file, daysMoved(fs.readFileSync(file, 'utf8'), YEARS));
    fs.utimesSync(file, LONG_AGO, LONG_AGO);
  }
}

/** Returns a sample mail as one that was sent just now: older ones are not read. */
function readFresh(file: string): string {
  return fs
    .readFileSync(file, 'utf8')
    .replace(/^Date: .*$/m, `Date: ${new Date().toUTCString().replace('GMT', '+0000')}`)
    .replaceAll('December 2026', `December ${2026 + YEARS}`);
}
