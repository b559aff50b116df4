import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { sha256 } from '../../src/vault/note-text.ts';
import { HOUSE, matter, settings, signal, task } from '../support/notes.ts';
import { TempVault } from '../support/temp-vault.ts';
import { suiteCases } from './suite.ts';

/* Everything in a folder that can trip up a program that reads it. */

export const ALIAS_BOMB = `---\na0: &a0 [x, x, x, x, x, x, x, x]\n${Array.from(
  { length: 30 },
  (_, n) => `a${n + 1}: &a${n + 1} [${Array(8).fill(`*a${n}`).join(', ')}]`,
).join('\n')}\n---\n`;
export const PROTO_NAMES = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', 'length'];

/** A proper vault with one matter and one task, next to a folder that must stay as it is. */
export function plainVault(): TempVault {
  // With the product's own schedule, since it is measured how long a start holds the event loop up.
  const vault = new TempVault({ ...HOUSE, 'steward.md': settings() });
  fs.mkdirSync(beside(vault));
  fs.writeFileSync(path.join(beside(vault), 'secret.md'), '---\ntype: task\nstate: open\n---\nNot yours.\n');
  return vault;
}

export function beside(vault: TempVault): string {
  return path.join(vault.home, 'beside');
}

/** Adds notes that are hard or impossible to read. Returns those that must be listed as trouble. */
export function addHostileNotes(vault: TempVault): readonly string[] {
  const deep = (open: string, close: string, depth: number) => `a: ${open.repeat(depth)}1${close.repeat(depth)}`;
  const bad: Record<string, string | Buffer> = {
    'task/bomb.md': ALIAS_BOMB,
    'task/circle.md': '---\na: &a [*a]\n---\n',
    'task/deep-flow.md': `---\n${deep('[', ']', 50_000)}\n---\n`,
    'task/deep-map.md': `---\n${deep('{a: ', '}', 20_000)}\n---\n`,
    'task/deep-block.md': `---\na:\n ${'- '.repeat(60_000)}x\n---\n`,
    'task/deep-quote.md': `---\n${Array.from({ length: 700 }, (_, n) => `${' '.repeat(n)}a:`).join('\n')}\n---\n`,
    'task/many-keys.md': `---\n${Array.from({ length: 26_000 }, (_, n) => `k${n}: 1`).join('\n')}\n---\n`,
    'task/many-anchors.md': `---\n${Array.from({ length: 15_000 }, (_, n) => `k${n}: &a${n} x`).join('\n')}\n---\n`,
    'task/many-members.md': `---\na: [${'1,'.repeat(120_000)}]\n---\n`,
    'task/desert.md': `---\na: 1\n${`${'\n'.repeat(240)}#\n`.repeat(1000)}---\n`,
    'task/blanks.md': `---\na: 1\n${`${' '.repeat(248)}x\n`.repeat(1000)}---\n`,
    'task/long-fence.md': `---\n${'a: 1\n'.repeat(60_000)}---\n`,
    'task/open-quote.md': `---\na: "${'x '.repeat(120_000)}\n---\n`,
    'task/binary.md': Buffer.alloc(500_000, 0),
    'task/latin.md': Buffer.from('---\nsummary: K\xfcche\n---\n', 'latin1'),
    'task/half-a-character.md': Buffer.concat([Buffer.from('---\na: '), Buffer.from([0xf0, 0x9f])]),
    'task/utf16.md': Buffer.from('\uFEFF---\ntype: task\n---\n', 'utf16le'),
    'task/code.md': `---js\n{ get state() { process.exit(3) } }\n---\n`,
    'task/tag.md': '---\na: !!js/function "function () { process.exit(3) }"\n---\n',
    'task/unclosed.md': `---\n${'a: 1\n'.repeat(100_000)}`,
    'task/type.md': '---\ntype: {toString: 1, valueOf: 2}\n---\n',
    'task/state.md': '---\ntype: task\nstate: constructor\n---\n',
    'task/state-proto.md': '---\ntype: task\nstate: __proto__\n---\n',
    'matter/list.md': '---\n- a\n---\n',
  };
  const good: Record<string, string> = {
    'task/body.md': `${task()}${'x'.repeat(900_000)}`,
    'task/long-line.md': task({ summary: 'a very long line, '.repeat(5_000) }),
    'task/proto-keys.md': `---\ntype: task\n${PROTO_NAMES.map((name) => `${name}: {${name}: x}`).join('\n')}\n---\n`,
    'task/proto-lists.md': `---\ntype: task\naliases: [${PROTO_NAMES.join(', ')}]\nrelated_to: [${PROTO_NAMES.join(', ')}]\n---\n`,
  };
  for (const [file, text] of Object.entries({ ...bad, ...good })) vault.write(file, text);
  fs.truncateSync(vault.at('task/body.md'), 900_000);
  return [...Object.keys(bad), addHuge(vault)];
}

/** Adds a sparse file of 200 MB. */
function addHuge(vault: TempVault): string {
  fs.writeFileSync(vault.at('task/huge.md'), '---\ntype: task\n---\n');
  fs.truncateSync(vault.at('task/huge.md'), 200 * 1024 * 1024);
  return 'task/huge.md';
}

/** Adds matters, tasks, signals and sources named after properties that every object has. */
export function addProtoNames(vault: TempVault): void {
  for (const name of PROTO_NAMES) {
    vault.write(`matter/${name}.md`, matter({ steward_schedule: 'every 5m' }));
    vault.write(`task/${name}-task.md`, task({ parent_matter: `[[${name}]]` }));
    vault.write(
      `signal/${name}.md`,
      signal({ source_type: name, target_path: `task/${name}-task.md`, raw_quote: name }),
    );
  }
}

/** Adds a file for every byte that a name can hold, and files with the longest possible names. */
export function addHostileNames(vault: TempVault): { readonly readable: number; readonly unreadable: number } {
  let unreadable = 0;
  for (let byte = 1; byte < 256; byte += 1) {
    if (byte === 0x2f) continue;
    const name = Buffer.concat([Buffer.from('byte-'), Buffer.from([byte]), Buffer.from(`-${byte}.md`)]);
    fs.writeFileSync(inFolder(vault, 'task', name), task({ parent_matter: '[[house]]' }));
    if (byte >= 0x80) unreadable += 1;
  }
  const long = [`${'l'.repeat(252)}.md`, `${'ü'.repeat(126)}.md`, `${'🏠'.repeat(63)}.md`];
  const odd = [
    'newline\n.md',
    '\n.md',
    '"quoted".md',
    "it's.md",
    '-rf.md',
    '$(x).md',
    'a|b.md',
    '[[x]].md',
    'a#b.md',
    ' .md',
    '%00.md',
  ];
  const more = [
    '\u202Eright-to-left.md',
    '\u2028.md',
    'e\u0301.md',
    '..md',
    'CON.md',
    'con\\aux.md',
    '`x`.md',
    '<b>.md',
    '🏠.MD',
  ];
  for (const name of [...long, ...odd, ...more]) fs.writeFileSync(inFolder(vault, 'task', Buffer.from(name)), task());
  fs.mkdirSync(inFolder(vault, 'task', Buffer.from([0x66, 0xff])));
  fs.writeFileSync(Buffer.concat([inFolder(vault, 'task', Buffer.from([0x66, 0xff])), Buffer.from('/in.md')]), task());
  return { readable: 127 - 1 + long.length + odd.length + more.length - 1, unreadable };
}

function inFolder(vault: TempVault, folder: string, name: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${vault.at(folder)}/`), name]);
}

/** Adds entries that are no regular files. Returns those that must be listed as trouble. */
export async function addOddFiles(vault: TempVault): Promise<readonly string[]> {
  const out = beside(vault);
  for (const folder of ['matter', 'task', 'signal', 'event', 'instinct']) {
    fs.mkdirSync(vault.at(folder), { recursive: true });
    execFileSync('mkfifo', [vault.at(`${folder}/pipe.md`)]);
    fs.symlinkSync('circle.md', vault.at(`${folder}/circle.md`));
    fs.symlinkSync(path.join(out, 'secret.md'), vault.at(`${folder}/out.md`));
    fs.symlinkSync('nowhere.md', vault.at(`${folder}/nowhere.md`));
    fs.symlinkSync('../..', vault.at(`${folder}/up.md`));
    fs.symlinkSync('.', vault.at(`${folder}/self`));
    fs.symlinkSync(out, vault.at(`${folder}/beside`));
    fs.mkdirSync(vault.at(`${folder}/folder.md/deeper.md`), { recursive: true });
  }
  fs.symlinkSync('two.md', vault.at('task/one.md'));
  fs.symlinkSync('one.md', vault.at('task/two.md'));
  await addSocket(vault.at('task/socket.md'));
  const device = addDevice(vault.at('task/device.md')) ? ['task/device.md'] : [];
  const each = ['pipe', 'circle', 'out', 'nowhere', 'up'];
  const listed = ['matter', 'task', 'signal', 'event', 'instinct'].flatMap((folder) => [
    ...each.map((name) => `${folder}/${name}.md`),
    `${folder}/self`,
    `${folder}/beside`,
  ]);
  return [...listed, 'task/one.md', 'task/two.md', 'task/socket.md', ...device];
}

async function addSocket(file: string): Promise<void> {
  const server = net.createServer();
  onTestFinished(() => void server.close());
  // The path of a socket may have only a hundred bytes.
  await new Promise<void>((resolve) =>
    server.listen(
      path.relative(process.cwd(), file).length < file.length ? path.relative(process.cwd(), file) : file,
      resolve,
    ),
  );
}

/** Adds a device. Only root can, and not in every container; returns whether it worked. */
function addDevice(file: string): boolean {
  try {
    execFileSync('mknod', [file, 'c', '1', '5'], { stdio: 'ignore' }); // /dev/zero: it never ends
    return true;
  } catch {
    return false;
  }
}

/** Adds each case of the YAML test suite as a task, a matter, a signal, an event and an instinct. */
export function addSuite(vault: TempVault): void {
  for (const { id, yaml } of suiteCases()) {
    const text = `---\n${yaml}\n---\nBody.\n`;
    vault.write(`task/suite-${id}.md`, text);
    vault.write(`signal/suite-${id}.md`, text);
    vault.write(`event/suite-${id}.md`, text);
    vault.write(`instinct/suite-${id}.md`, text);
    vault.write(`matter/suite-${id}.md`, text);
  }
}

/** Returns the state of everything under a folder: modes, times, sizes and, for files, a digest of the bytes. */
export function stateOf(folder: string, leaveOut: readonly string[] = []): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const walk = (at: Buffer, name: string) => {
    for (const item of fs.readdirSync(at, { withFileTypes: true, encoding: 'buffer' })) {
      const place = Buffer.concat([at, Buffer.from('/'), item.name]);
      const shown = `${name}/${item.name.toString('latin1')}`;
      if (leaveOut.some((one) => shown === `/${one}`)) continue;
      const stat = fs.lstatSync(place);
      if (item.isDirectory()) walk(place, shown);
      else
        found.set(
          shown,
          `${stat.mode} ${stat.mtimeMs} ${stat.size} ${stat.ino} ${item.isFile() ? digest(place, stat.size) : ''}`,
        );
    }
  };
  walk(Buffer.from(folder), '');
  return found;
}

function digest(place: Buffer, size: number): string {
  return size > 8_000_000 ? '' : sha256(fs.readFileSync(place));
}
