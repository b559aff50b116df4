import { execFile, execFileSync } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { genericEvent } from '../../src/streams/generic-event.ts';
import { Hook, TOKEN } from './hook.ts';
import { MemoryInlet } from './memory-inlet.ts';
import { opened, program, programFolder } from './programs.ts';

const PAGE = fs.readFileSync(path.resolve(import.meta.dirname, '../../docs/programs.md'), 'utf8');
const run = promisify(execFile);

/** The example of the page that holds some words, as it stands there. */
function example(words: string): string {
  const all = [...PAGE.matchAll(/```\w*\n([\s\S]*?)```/g)].map(([, text = '']) => text);
  const found = all.filter((text) => text.includes(words));
  if (found.length !== 1) throw new Error(`${found.length} examples hold ${words}`);
  return found[0] ?? '';
}

/** Whether all of these lines of a shell do what they say. */
function works(...lines: readonly string[]): boolean {
  try {
    for (const line of lines) execFileSync('/bin/sh', ['-c', line], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

function eventsOf(inlet: MemoryInlet) {
  return inlet.arrivals.flatMap(({ content }) => (content?.kind === 'event' ? [content.event] : []));
}

/** A reverse proxy as the page describes it: it listens elsewhere, and puts the own name of this machine into the request. */
async function proxyTo(hook: Hook): Promise<number> {
  const server = http.createServer((request, response) => {
    const headers = { ...request.headers, host: `127.0.0.1:${hook.port}` };
    const onward = http.request(hook.url, { method: request.method ?? 'GET', headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500);
      answer.pipe(response);
    });
    request.pipe(onward);
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return address !== null && typeof address === 'object' ? address.port : 0;
}

describe('the examples of docs/programs.md', () => {
  test('an event is one', () => {
    expect(genericEvent.parse(JSON.parse(example('"ticket-17"')))).toMatchObject({ from: 'Anna' });
  });

  test.skipIf(!works('jq --version', 'curl --version', 'openssl version'))(
    'a backup tells of its end, once a day',
    async () => {
      const home = programFolder();
      const env = { ...process.env, HOME: home };
      await run('/bin/sh', ['-c', example('openssl rand -hex 24 >')], { env });
      const token = fs.readFileSync(`${home}/.config/steward/hook.token`, 'utf8').trim();
      const inlet = new MemoryInlet();
      const hook = await Hook.open(inlet, { reveal: async () => token });
      const line = example('Back up the photos').replace('127.0.0.1:8377', `127.0.0.1:${hook.port}`);
      expect(JSON.parse((await run('/bin/sh', ['-c', line], { env })).stdout)).toMatchObject({ taken: 1 });
      expect(JSON.parse((await run('/bin/sh', ['-c', line], { env })).stdout)).toMatchObject({ taken: 0, known: 1 });
      expect(eventsOf(inlet)).toMatchObject([{ text: 'The backup of the photos is done.' }]);
      expect(fs.statSync(`${home}/.config/steward/hook.token`).mode & 0o077).toBe(0);
    },
  );

  test('a phone sends what it asks for, through a proxy in a private network', async () => {
    const inlet = new MemoryInlet();
    const hook = await Hook.open(inlet);
    const port = await proxyTo(hook);
    const id = '6f1c2f5e-0b5c-4c1e-9d2f-0a1b2c3d4e5f';
    const body = example('{words}').replace('{id}', id).replaceAll('{words}', 'The parcel has arrived.');
    const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json; charset=utf-8' };
    const answer = await fetch(`http://127.0.0.1:${port}/events`, { method: 'POST', body, headers });
    expect(answer.status).toBe(202);
    expect(eventsOf(inlet)).toMatchObject([{ id, title: 'The parcel has arrived.' }]);
  });

  test.skipIf(!works('jq --version'))('todo.txt: what is done is an event, and the rest is none', async () => {
    const home = programFolder();
    fs.mkdirSync(`${home}/todo`);
    const done = ['x 2026-11-22 2026-11-01 Pay the roof "now" +house', 'x 2026-11-23 Call Anna', 'not done', ''];
    fs.writeFileSync(`${home}/todo/done.txt`, done.join('\n'));
    const file = program(example('#!/bin/sh\n# Each task'));
    const { session, inlet } = await opened([file], { environment: { PATH: process.env.PATH, HOME: home } });
    expect(await session.poll()).toEqual([]);
    expect(eventsOf(inlet)).toMatchObject([
      { time: '2026-11-22T12:00:00Z', text: 'Pay the roof "now" +house is done.' },
      { title: 'Call Anna' },
    ]);
    await session.poll();
    expect(inlet.arrivals).toHaveLength(2);
  });

  test.skipIf(!works('python3 --version'))('orders of a shop: each that has changed, by its cursor', async () => {
    const home = programFolder();
    const orders = path.join(home, 'shop', 'orders');
    fs.mkdirSync(orders, { recursive: true });
    const put = (number: number, status: string, at: number) => {
      const order = { number, status, shop: 'Lamps & Sons', what: 'a lamp' };
      fs.writeFileSync(`${orders}/${number}.json`, JSON.stringify(order));
      fs.utimesSync(`${orders}/${number}.json`, at, at);
    };
    put(1, 'sent', 1000);
    const file = program(example('#!/usr/bin/env python3'));
    const environment = { PATH: process.env.PATH, HOME: home };
    const { session, inlet } = await opened([file], { environment });
    expect(await session.poll()).toEqual([]);
    expect(inlet.at).toEqual({ cursor: '1000000000000' });
    put(2, 'paid', 1001);
    expect(await session.poll()).toEqual([]);
    expect(eventsOf(inlet).map(({ text }) => text)).toEqual(['Order 1 (a lamp) is sent.', 'Order 2 (a lamp) is paid.']);
    expect(inlet.at).toEqual({ cursor: '1001000000000' });
  });
});
