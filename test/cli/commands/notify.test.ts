import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { NtfyServer } from '../../servers/ntfy-server.ts';
import { Sandbox } from '../../stories/support.ts';

const TOKEN = 'tk_plainly-made-up';
const TOPIC = 'a-topic-4711';
let ntfy: NtfyServer;

beforeEach(async () => {
  ntfy = await NtfyServer.start();
  onTestFinished(() => ntfy.close());
});

const WORDS = ['notify', 'test', '--vault', 'vault'];

test('sends one message to each channel and says what came of it, without the topic and the token', async () => {
  await using sandbox = new Sandbox('example');
  ntfy.token = TOKEN;
  const env = { STEWARD_NOTIFY_NTFY: `${ntfy.url}/${TOPIC}`, STEWARD_NOTIFY_NTFY_TOKEN: TOKEN };
  const well = await sandbox.steward(WORDS, env);
  expect(well).toMatchObject({ exit: 0, stdout: 'ntfy (127.0.0.1): the message is sent.\n' });
  expect(ntfy.messages).toMatchObject([{ topic: TOPIC, title: 'A test message from Steward' }]);
  ntfy.token = 'another';
  const refused = await sandbox.steward([...WORDS, '--json'], env);
  expect(refused.exit).toBe(1);
  expect(JSON.parse(refused.stdout)).toMatchObject({
    schemaVersion: 1,
    channels: [{ channel: 'ntfy', place: '127.0.0.1', ok: false }],
  });
  expect(JSON.stringify([well, refused])).not.toMatch(new RegExp(`${TOPIC}|${TOKEN}`));
});

test('where no channel is named it says how to name one', async () => {
  await using sandbox = new Sandbox('example');
  const ended = await sandbox.steward(WORDS, {});
  expect(ended.exit).toBe(1);
  expect(ended.stdout).toContain('No channel is named on this machine');
});

test('what cannot be used is exit 78, and is not repeated', async () => {
  await using sandbox = new Sandbox('example');
  const ended = await sandbox.steward(WORDS, { STEWARD_NOTIFY_NTFY: 'http://ada:hunter2@ntfy.example/t' });
  expect(ended.exit).toBe(78);
  expect(ended.stderr).not.toContain('hunter2');
});
