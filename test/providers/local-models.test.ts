import { describe, expect, onTestFinished, test } from 'vitest';
import { ApiKey } from '../../src/daemon/api-key.ts';
import { AnthropicExtractor } from '../../src/providers/extractor.ts';
import { Provider } from '../../src/providers/provider.ts';
import { LEARNT } from '../support/learnt.ts';
import { LocalServer, type Mind } from './local-server.ts';
import { OPEN_DOOR } from './open-door.ts';
import { readSamples, sampleIndex } from './sample-mails.ts';
import { sampleReader } from './sample-reader.ts';

const NOW = Date.parse('2026-11-20T09:00:00Z');
const FENCED = (signals: readonly object[]) =>
  `Here is what I found:\n\`\`\`json\n${JSON.stringify({ signals })}\n\`\`\``;
const LISTED = (signals: readonly object[]) => (signals.length === 0 ? '{"signals": []}' : JSON.stringify(signals));
const known = { index: sampleIndex(), learnt: LEARNT };

async function reading(setup: Parameters<typeof LocalServer.start>[0]) {
  const server = await LocalServer.start(setup);
  onTestFinished(() => server.close());
  const provider = new Provider({ key: new ApiKey('note'), baseUrl: server.url }, OPEN_DOOR);
  const extractor = new AnthropicExtractor(provider, { model: 'pretend:4b', price: { read: 0, written: 0 } });
  const read = await readSamples(extractor, known, NOW);
  return { server, read, mode: provider.outputModes.of('pretend:4b') };
}

const ALL_RIGHT = { right: 13, wrong: [], missed: 0, unusable: 0 };

describe('the built-in mails, read by a model at home that writes as small models do', () => {
  test.each([
    ['Ollama, a model that answers in a fence', { kind: 'ollama', writes: FENCED }, 'JSON in the text'],
    ['Ollama, a model that answers with a bare list', { kind: 'ollama', writes: LISTED }, 'structured output'],
    ['llama.cpp, which answers in a fence', { kind: 'llama.cpp', writes: FENCED }, 'JSON in the text'],
    ['a gateway that knows nothing besides', { kind: 'gateway', writes: FENCED }, 'JSON in the text'],
  ] as const)('%s', async (_, { kind, writes }, mode) => {
    const found = await reading({ kind, mind: sampleReader({ writes }) });
    expect(found.read).toMatchObject(ALL_RIGHT);
    expect(found.mode).toBe(mode);
    const tokens = found.read.usage.reduce((sum, { tokens_in }) => sum + tokens_in, 0);
    expect(tokens).toBeGreaterThan(20 * 1500);
    expect(found.read.usage.every(({ usd }) => usd === 0)).toBe(true);
  });

  test('where a model answers in prose it is made to call a tool, if the server can make it', async () => {
    const careful = sampleReader({ writes: (signals) => JSON.stringify({ signals }) });
    const mind: Mind = (shown, isForced) => (isForced ? careful(shown, isForced) : 'It seems to be done.');
    const found = await reading({ kind: 'llama.cpp', mind });
    expect(found).toMatchObject({ read: ALL_RIGHT, mode: 'a forced tool' });
    expect(found.server.bodies).toHaveLength(21);
  });

  test('a question is put in two requests at most, and from then on in one', async () => {
    const { server } = await reading({ kind: 'gateway', mind: sampleReader({ writes: FENCED }) });
    expect(server.bodies.map((body) => Object.keys(body).includes('cache_control'))).not.toContain(true);
    expect(server.bodies).toHaveLength(22); // refused twice, then twenty in plain words
  });

  test.each(['llama.cpp', 'ollama'] as const)(
    'where the context of %s is too small the question is put in brief, whether it refuses or cuts it off',
    async (kind) => {
      const { read, server } = await reading({ kind, context: 4096, mind: sampleReader({ writes: FENCED }) });
      expect(read).toMatchObject(ALL_RIGHT);
      expect(server.bodies).toHaveLength(21);
    },
  );

  test('a context too small for the rules themselves: no reply is used', async () => {
    const { read } = await reading({ kind: 'ollama', context: 1000, mind: () => FENCED([{ note: 'c1' }]) });
    expect(read).toMatchObject({ right: 0, wrong: [], unusable: 20 });
  });

  test('what it gets wrong is found', async () => {
    const mind = sampleReader({ writes: FENCED, misreads: ['en-not-yet', 'de-bedingung'] });
    const { read } = await reading({ kind: 'ollama', mind });
    expect(read).toMatchObject({ right: 13, wrong: ['en-not-yet', 'de-bedingung'] });
  });

  test('a model that keeps to no form is measured as one that reads nothing', async () => {
    const { read } = await reading({ kind: 'ollama', mind: () => 'I would say that it is all done!' });
    expect(read).toMatchObject({ right: 0, wrong: [], missed: 13, unusable: 20 });
  });

  test('a model that the server does not have is asked about once', async () => {
    const server = await LocalServer.start({ kind: 'ollama', mind: () => '{}' });
    onTestFinished(() => server.close());
    const provider = new Provider({ key: new ApiKey('any-word'), baseUrl: server.url }, OPEN_DOOR);
    const extractor = new AnthropicExtractor(provider, { model: 'never-pulled', price: null });
    await expect(readSamples(extractor, known, NOW)).rejects.toThrow("doesn't know the model");
    expect(server.bodies).toHaveLength(1);
  });
});
