import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { importCommand } from '../../src/cli/commands/import.ts';
import { status } from '../../src/cli/commands/status.ts';
import { tick } from '../../src/cli/commands/tick.ts';
import { MessagesServer } from '../providers/messages-server.ts';
import { Clock, DAY } from '../support/clock.ts';
import { Running } from '../support/running.ts';
import { LIVE } from '../support/workspace.ts';
import { loadAttacks, PLACES } from './attack.ts';
import { breaches, bytesUnder, type Course } from './invariant.ts';
import { isAboutEvent, obeying, obeyingMail } from './obedience.ts';
import { plant, type Scene } from './scene.ts';
import { contextFor } from './shell.ts';

const all = loadAttacks();
/** The results of an agent's tools have a test of their own: see tools.test.ts. */
const attacks = all.filter(({ at }) => at !== 'tool_result');

test('the corpus covers every place in several languages', () => {
  expect(all.length).toBeGreaterThanOrEqual(120);
  expect(PLACES.filter((place) => !all.some(({ at }) => at === place))).toEqual([]);
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
    // No model is asked about what looks like a template with open blanks.
    expect(course.requests.some(isAboutEvent)).toBe(!attack.text.includes('<<'));
    expect(server.malformed).toEqual([]);
    expect(breaches(course)).toEqual([]);
  });
});

describe('the same holds where the daemon runs, and the text comes in while it does', () => {
  const places = PLACES.flatMap((place) => attacks.find(({ at, asked }) => at === place && asked) ?? []);
  test.for(places.map((attack) => [attack.at, attack] as const))('%s', async ([, attack]) => {
    const server = await MessagesServer.start(obeyingMail(attack));
    const course = await livedThrough(plant(attack), server);
    expect(course.requests.length).toBeGreaterThan(0);
    expect(server.malformed).toEqual([]);
    expect(breaches(course)).toEqual([]);
  });
});

/** Runs a daemon in live mode that sees the mail arrive, reads it, and ticks a day later. */
async function livedThrough(scene: Scene, server: MessagesServer): Promise<Course> {
  const { vault } = scene;
  const before = bytesUnder(vault.home);
  const clock = new Clock();
  const running = await Running.start(vault, { env: { ...LIVE, provider: server.access }, clock });
  for (const mail of scene.mails) {
    fs.mkdirSync(vault.at('stream'), { recursive: true });
    fs.copyFileSync(mail, vault.at(`stream/${path.basename(mail)}`));
    await running.heard('stream-read');
  }
  await running.sync();
  clock.move(DAY);
  await running.daemon.wake();
  await running.daemon.idle();
  const output = JSON.stringify([running.happenings, running.daemon.status()]);
  await running.stop();
  return { scene, before, after: bytesUnder(vault.home), requests: server.requests, output };
}

/** Runs the commands that a person without a daemon would run in live mode. Returns what they left. */
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
