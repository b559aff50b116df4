import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Channel, Message } from '../../src/channels/channel.ts';
import { commandChannel, desktopChannel } from '../../src/channels/command.ts';
import { obsidianLink } from '../../src/channels/message.ts';
import { ntfyChannel } from '../../src/channels/ntfy.ts';
import { NtfyServer } from '../servers/ntfy-server.ts';

const MESSAGE: Message = {
  title: '-t <b>Pay</b>',
  text: 'due 9 Dec → 16 Dec?\n$(touch x) & <i>',
  link: obsidianLink('My vault', 'task/Pay it.md'),
  actions: [],
  events: ['steward-action-1'],
};

function sent(channel: Channel, message = MESSAGE) {
  return channel.send(message, new AbortController().signal);
}

function folder(): string {
  const made = fs.mkdtempSync(path.join(os.tmpdir(), 'vs-tell-'));
  onTestFinished(() => fs.rmSync(made, { recursive: true, force: true }));
  return made;
}

/** A program that is a shell script of these lines. */
function program(lines: string, name = 'tell'): { readonly file: string; readonly out: string } {
  const at = folder();
  const [file, out] = [path.join(at, name), path.join(at, 'out')];
  fs.writeFileSync(file, `#!/bin/sh\n${lines.replaceAll('OUT', out)}\n`, { mode: 0o755 });
  return { file, out };
}

describe('a program of one’s own', () => {
  test('is told by its input, its variables and its arguments, without a shell and without our keys', async () => {
    const { file, out } = program('{ cat; echo "$STEWARD_MESSAGE_TITLE"; echo "$1"; env; } > OUT');
    const own = { PATH: process.env.PATH, ANTHROPIC_API_KEY: 'sk-secret', STEWARD_NOTIFY_NTFY: 'https://x' };
    expect(await sent(commandChannel([file, '; $HOME'], own))).toEqual({ ok: true });
    const [json = '', title, argument, ...rest] = fs.readFileSync(out, 'utf8').split('\n');
    expect(JSON.parse(json)).toEqual(MESSAGE);
    expect([title, argument]).toEqual([MESSAGE.title, '; $HOME']);
    expect(rest.join('\n')).not.toMatch(/sk-secret|STEWARD_NOTIFY/);
    expect(rest.join('\n')).toContain('STEWARD_MESSAGE_LINK=obsidian://open?vault=My%20vault&file=task%2FPay%20it');
  });

  test.each([
    ['exit 75', 'away'],
    ['exit 3', 'uncertain'],
    ['kill -9 $$', 'uncertain'],
  ])('that ends with %s: %s', async (lines, kind) => {
    expect(await sent(commandChannel([program(lines).file], process.env))).toMatchObject({ ok: false, kind });
  });

  test('that is not there is missing', async () => {
    expect(await sent(commandChannel(['/nowhere/tell'], process.env))).toMatchObject({ ok: false, kind: 'missing' });
  });

  test('that reads nothing has been told all the same', async () => {
    const long = { ...MESSAGE, text: 'x'.repeat(50_000) };
    expect(await sent(commandChannel([program('exit 0').file], process.env), long)).toEqual({ ok: true });
  });
});

describe('the desktop', () => {
  test('shows a title and a text, of which nothing is an option or a mark', async () => {
    const { file, out } = program('for word; do echo "$word"; done > OUT', 'notify-send');
    const PATH = `${path.dirname(file)}:${process.env.PATH}`;
    expect(await sent(desktopChannel({ PATH }))).toEqual({ ok: true });
    expect(fs.readFileSync(out, 'utf8')).toBe(
      '--app-name=steward\n--\n-t <b>Pay</b>\ndue 9 Dec → 16 Dec?\n$(touch x) &amp; &lt;i&gt;\n',
    );
  });

  test('without notify-send says how to have it', async () => {
    const said = await sent(desktopChannel({ PATH: '/bin-that-is-not' }));
    expect(said).toMatchObject({ ok: false, kind: 'missing', hint: expect.stringContaining('libnotify') });
  });
});

describe('ntfy', () => {
  async function server(): Promise<NtfyServer> {
    const started = await NtfyServer.start();
    onTestFinished(() => started.close());
    return started;
  }
  const channel = (url: string, token: string | null = null) =>
    ntfyChannel({ server: `${url}/`, topic: 'ada', token: token === null ? null : { reveal: () => token } });

  test('is given the message as JSON, with the token, and at most three buttons', async () => {
    const ntfy = await server();
    ntfy.token = 'tk_1';
    const actions = ['a', 'b', 'c', 'd'].map((label) => ({ label, url: `http://127.0.0.1:1/${label}` }));
    expect(await sent(channel(ntfy.url, 'tk_1'), { ...MESSAGE, actions })).toEqual({ ok: true });
    expect(ntfy.messages).toMatchObject([
      { topic: 'ada', title: MESSAGE.title, message: MESSAGE.text, click: MESSAGE.link },
    ]);
    expect(ntfy.messages[0]?.actions).toHaveLength(3);
    expect(ntfy.messages[0]?.actions?.[0]).toEqual({
      ...{ action: 'http', label: 'a', url: 'http://127.0.0.1:1/a', method: 'POST', clear: true },
    });
  });

  test('a text that is too long for a message is cut at a letter', async () => {
    const ntfy = await server();
    await sent(channel(ntfy.url), { ...MESSAGE, text: 'ü'.repeat(5000) });
    const text = ntfy.messages[0]?.message ?? '';
    expect(Buffer.byteLength(text)).toBeLessThan(4096);
    expect(text).toMatch(/^ü+…$/);
  });

  test.each([
    [
      { status: 429, headers: { 'retry-after': '60' } },
      { kind: 'busy', waitMs: 60_000 },
    ],
    [{ status: 503 }, { kind: 'away' }],
    [{ status: 502 }, { kind: 'away' }],
    [{ status: 504 }, { kind: 'uncertain' }],
    [{ status: 401 }, { kind: 'refused' }],
    [{ status: 413 }, { kind: 'strange' }],
    ['cuts' as const, { kind: 'uncertain' }],
  ])('that answers with %j', async (mood, like) => {
    const ntfy = await server();
    ntfy.mood = mood;
    const said = await sent(channel(ntfy.url, 'tk_secret'));
    expect(said).toMatchObject({ ok: false, ...like });
    expect(JSON.stringify(said)).not.toContain('tk_secret');
  });

  test('that hangs is not waited for, and one that is off is away', async () => {
    const ntfy = await server();
    ntfy.mood = 'hangs';
    expect(await sent(channel(ntfy.url))).toMatchObject({ kind: 'uncertain', message: expect.stringContaining('15') });
    await ntfy.close();
    expect(await sent(channel(ntfy.url))).toMatchObject({ kind: 'away' });
  });
});
