import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { KEY, MessagesServer, sound, textOf } from '../providers/messages-server.ts';
import { Sandbox } from '../stories/support.ts';
import { HOUSE, signal, task } from '../support/notes.ts';

function vaultIn(sandbox: Sandbox): void {
  const notes = { ...HOUSE, 'task/pay.md': task(), 'signal/one.md': signal({ effect_confidence: 0.75 }) };
  for (const [file, text] of Object.entries(notes)) sandbox.write(file, text);
}

function everything(folder: string): string {
  const names = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const files = names.map((name) => path.join(folder, name)).filter((file) => fs.lstatSync(file).isFile());
  return files.map((file) => fs.readFileSync(file, 'latin1')).join('\n');
}

test('the real program asks with the key it is given, and neither prints nor writes it, even when asked to tell all', async () => {
  await using sandbox = new Sandbox('none');
  vaultIn(sandbox);
  const server = await MessagesServer.start((asked) => ({
    do: 'say',
    text: textOf(asked).includes('<note>') ? sound(asked) : '{"ready":true}',
  }));
  const env = {
    ...{ ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: server.url, ANTHROPIC_LOG: 'debug' },
    ...{ ANTHROPIC_OPEN_TELEMETRY_TRACES_CONTENT_MODE: 'content', NODE_DEBUG: '' },
  };
  const commands = [
    ['status'],
    ['tick', '--force'],
    ['status', '--json'],
    ['explain', 'pay'],
    ['doctor'],
    ['log', '--json'],
  ];
  let told = '';
  for (const words of commands) {
    const { stdout, stderr } = await sandbox.steward([...words, '--vault', 'vault'], env);
    told += stdout + stderr;
  }
  expect(server.requests).toHaveLength(3); // one judgement, and doctor asks the two models
  expect(server.malformed).toEqual([]);
  expect(told).toContain('evaluated by claude-sonnet-5-5');
  expect(told).toMatch(/claude-sonnet-5-5 at http:\S+ \(answered in [\d.]+ s, form enforced by structured output\)/);
  server.script = () => ({ do: 'fail', status: 401, message: `invalid x-api-key: ${KEY}` });
  sandbox.write('signal/two.md', signal({ effect_confidence: 0.75 }));
  const failed = await sandbox.steward(['tick', '--force', '--vault', 'vault'], env);
  expect(failed.stderr + failed.stdout).toContain('rejected the key');
  expect(server.requests).toHaveLength(4);
  const doctor = await sandbox.steward(['doctor', '--vault', 'vault'], env);
  expect(doctor.exit).toBe(1);
  expect(doctor.stdout).toContain('rejected the key');
  expect(doctor.stdout).toContain('Correct ANTHROPIC_API_KEY');
  const words = [told, failed.stderr, failed.stdout, doctor.stdout, doctor.stderr, everything(sandbox.folder)];
  for (const text of words) expect(text).not.toContain(KEY);
});

test('the key of a service comes as a credential; one that cannot be meant is not repeated', async () => {
  await using sandbox = new Sandbox('none');
  vaultIn(sandbox);
  const server = await MessagesServer.start((asked) => ({ do: 'say', text: sound(asked) }));
  const credentials = path.join(sandbox.folder, 'credentials');
  fs.mkdirSync(credentials);
  const env = { CREDENTIALS_DIRECTORY: credentials, ANTHROPIC_BASE_URL: server.url };
  const judge = async () => (await sandbox.steward(['status', '--vault', 'vault'], env)).stdout;
  expect(await judge()).toContain('evaluated by rules');
  fs.writeFileSync(path.join(credentials, 'anthropic_api_key'), `${KEY}\n`);
  expect(await judge()).toContain('evaluated by claude-sonnet-5-5');
  await sandbox.steward(['tick', '--force', '--vault', 'vault'], env);
  expect(server.requests).toHaveLength(1);
  const odd = await sandbox.steward(['status', '--vault', 'vault'], { ANTHROPIC_API_KEY: 'sk two words' });
  expect(odd.exit).toBe(78);
  expect(odd.stdout + odd.stderr).not.toContain('two words');
  for (const address of ['localhost:11434', 'file:///etc/passwd', 'http://me:two-words@example.com', 'two-words']) {
    const lost = await sandbox.steward(['status', '--vault', 'vault'], { ...env, ANTHROPIC_BASE_URL: address });
    expect([address, lost.exit]).toEqual([address, 78]);
    expect(lost.stderr).toContain('ANTHROPIC_BASE_URL');
    expect(lost.stdout + lost.stderr).not.toContain('two-words');
  }
});
