import fs from 'node:fs';
import { Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import type { CommandContext } from '../../src/cli/context.ts';
import { importCommand } from '../../src/cli/import.ts';
import { Printer } from '../../src/cli/print.ts';
import { status } from '../../src/cli/status.ts';
import { tick } from '../../src/cli/tick.ts';
import { KEY, MessagesServer } from '../model/messages-server.ts';
import { loadAttacks, PLACES } from './attack.ts';
import { breaches, bytesUnder, type Course } from './invariant.ts';
import { isAboutEvent, obeying, obeyingMail } from './obedience.ts';
import { plant, type Scene } from './scene.ts';

const attacks = loadAttacks();

test('the corpus covers every place in several languages', () => {
  expect(attacks.length).toBeGreaterThanOrEqual(80);
  expect(PLACES.filter((place) => !attacks.some(({ at }) => at === place))).toEqual([]);
  expect(new Set(attacks.map(({ lang }) => lang)).size).toBeGreaterThanOrEqual(8);
});

describe('a model that obeys reaches nothing but the editable fields of the note under judgement', () => {
  test.for(attacks.map((attack) => [attack.name, attack] as const))('%s', async ([, attack]) => {
    const server = await MessagesServer.start(obeying(attack));
    const scene = plant(attack);
    const course = await played(scene, server);
    expect(course.requests.some((request) => !isAboutEvent(request))).toBe(attack.asked);
    expect(server.malformed).toEqual([]);
    expect(breaches(course)).toEqual([]);
  });
});

describe('nor does one that reads the mail itself and obeys it', () => {
  const mails = attacks.filter(({ at }) => at.startsWith('mail_') || at === 'stream_name');
  test.for(mails.map((attack) => [attack.name, attack] as const))('%s', async ([, attack]) => {
    const server = await MessagesServer.start(obeyingMail(attack));
    const course = await played(plant(attack), server);
    // What looks like a template with open blanks is read by nobody.
    expect(course.requests.some(isAboutEvent)).toBe(!attack.text.includes('<<'));
    expect(server.malformed).toEqual([]);
    expect(breaches(course)).toEqual([]);
  });
});

/** The commands that a person without a daemon would run, in live mode, and what they left. */
async function played(scene: Scene, server: MessagesServer): Promise<Course> {
  const before = bytesUnder(scene.vault.home);
  const said: string[] = [];
  const context = contextFor(scene, server, said);
  if (scene.mails.length > 0) await importCommand(scene.mails, {}, context);
  await tick([], { force: true }, context);
  await status({}, context);
  await status({ json: true }, context);
  return { scene, before, after: bytesUnder(scene.vault.home), requests: server.requests, output: said.join('') };
}

function contextFor({ vault }: Scene, server: MessagesServer, said: string[]): CommandContext {
  const out = `${vault.home}/out`;
  fs.mkdirSync(out, { recursive: true, mode: 0o700 });
  const env = {
    STEWARD_VAULT: vault.root,
    STEWARD_LIVE_MODE: 'live',
    ANTHROPIC_API_KEY: KEY,
    ANTHROPIC_BASE_URL: server.url,
    XDG_RUNTIME_DIR: out,
    XDG_STATE_HOME: out,
    HOME: out,
  };
  const heard = new Writable({
    write(chunk, _, done) {
      said.push(String(chunk));
      done();
    },
  }) as NodeJS.WriteStream;
  const printer = new Printer(heard, env);
  return { out: printer, err: printer, env, cwd: vault.home };
}
