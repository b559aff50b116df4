import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

// No image can be built everywhere: the steps of the Dockerfile are carried out in a folder that stands for the root of the image,
// with the files alone that .dockerignore lets through.

const PROJECT = path.resolve(import.meta.dirname, '..', '..');
const root = fs.mkdtempSync(path.join(os.tmpdir(), 'steward-image-'));
const { STATE_DIRECTORY: _state, STEWARD_VAULT: _vault, ...env } = process.env;
const NO_NETWORK = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH/;

interface Step {
  readonly word: string;
  readonly rest: string;
}

const steps: Step[] = fs
  .readFileSync(path.join(PROJECT, 'Dockerfile'), 'utf8')
  .replaceAll(/\\\n\s*/g, '')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => ({ word: line.split(' ')[0] ?? '', rest: line.slice(line.indexOf(' ') + 1) }));

/** What .dockerignore lets through: names that begin with `!`. */
const sent = fs
  .readFileSync(path.join(PROJECT, '.dockerignore'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('!'))
  .map((line) => line.slice(1));

let folder = '/';
let isUnreachable = false;
const inside = (place: string) => path.join(root, path.resolve(folder, place));

beforeAll(() => {
  for (const { word, rest } of steps) {
    if (word === 'WORKDIR') folder = rest;
    if (word === 'FROM') folder = '/';
    if (word === 'COPY') copy(rest);
    if (word === 'RUN' && !carriedOut(rest)) return;
  }
});
afterAll(() => fs.rmSync(root, { recursive: true, force: true }));

function copy(words: string): void {
  const all = words.split(' ').filter((word) => !word.startsWith('--'));
  const [to = '', ...from] = all.toReversed();
  for (const name of from) {
    const isOfImage = words.startsWith('--from=build ');
    if (!isOfImage) expect(sent).toContain(name);
    const source = isOfImage ? path.join(root, name) : path.join(PROJECT, name);
    const target = to.endsWith('/') ? path.join(inside(to), path.basename(name)) : inside(to);
    fs.mkdirSync(path.dirname(target), { recursive: true });
    fs.cpSync(source, target, { recursive: true, verbatimSymlinks: true });
  }
}

// Whole paths lead below the folder that stands for the root; who owns what is of the image alone.
function carriedOut(command: string): boolean {
  const here = command.replaceAll(/(^|\s)\/(?=\w)/g, `$1${root}/`).replaceAll(/ -o node -g node/g, '');
  for (const place of ['usr/local/bin', 'run']) fs.mkdirSync(path.join(root, place), { recursive: true });
  const at = inside('.');
  fs.mkdirSync(at, { recursive: true });
  const { status, stderr } = spawnSync('sh', ['-c', here], { cwd: at, env, encoding: 'utf8' });
  isUnreachable = NO_NETWORK.test(stderr);
  if (isUnreachable) console.warn('The registry cannot be reached: the image is not put together; that is left out.');
  else expect({ command, status, stderr: status === 0 ? '' : stderr }).toEqual({ command, status: 0, stderr: '' });
  return status === 0;
}

test('what the image holds runs: the version, a new vault, its state, mailboxes', ({ skip }) => {
  if (isUnreachable) skip();
  const program = path.join(root, 'opt/vault-steward/bin/steward.js');
  const vault = path.join(root, 'vault');
  const state = { ...env, XDG_STATE_HOME: path.join(root, 'state'), XDG_RUNTIME_DIR: path.join(root, 'run/steward') };
  const steward = (...words: string[]) =>
    spawnSync(process.execPath, [program, '--vault', vault, ...words], { env: state, encoding: 'utf8' });
  expect(steward('--version')).toMatchObject({ status: 0, stderr: '' });
  expect(steward('init', '--yes')).toMatchObject({ status: 0, stderr: '' });
  expect(steward('status', '--json')).toMatchObject({ status: 0, stderr: '' });
  const modules = fs.readdirSync(path.join(root, 'opt/vault-steward/node_modules'));
  expect(modules).toEqual(expect.arrayContaining(['imapflow', 'tsdav', 'koffi']));
  expect(modules.filter((name) => ['typescript', 'vitest', 'node'].includes(name))).toEqual([]);
});

test('it runs as nobody special, keeps nothing secret, and ends in order', () => {
  const said = steps.map(({ word, rest }) => `${word} ${rest}`);
  expect(said).toEqual(expect.arrayContaining(['USER node', 'STOPSIGNAL SIGTERM', 'ENTRYPOINT ["steward"]']));
  expect(said.filter((line) => /KEY|TOKEN|PASSWORD|SECRET/i.test(line))).toEqual([]);
});

test('the readers of mailboxes and calendars are of the versions that are tested', () => {
  const manifest = z
    .object({ peerDependencies: z.record(z.string(), z.string()) })
    .parse(JSON.parse(fs.readFileSync(path.join(PROJECT, 'package.json'), 'utf8')));
  const said = steps.map(({ rest }) => rest).join('\n');
  for (const [name, version] of Object.entries(manifest.peerDependencies)) expect(said).toContain(`${name}@${version}`);
});

const compose = z.object({
  services: z.object({
    steward: z.object({
      build: z.literal('.'),
      read_only: z.literal(true),
      cap_drop: z.tuple([z.literal('ALL')]),
      security_opt: z.tuple([z.literal('no-new-privileges:true')]),
      volumes: z.array(z.string()),
      environment: z.record(z.string(), z.string()),
    }),
  }),
});

test('compose starts it read-only, without rights, with the vault as a volume and keys as files', () => {
  const { steward } = compose.parse(parse(fs.readFileSync(path.join(PROJECT, 'compose.yaml'), 'utf8'))).services;
  expect(steward.volumes.some((volume) => volume.endsWith(':/vault'))).toBe(true);
  expect(Object.keys(steward.environment).filter((name) => /KEY|TOKEN|PASSWORD/.test(name))).toEqual([]);
});
