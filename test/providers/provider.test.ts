import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ApiKey } from '../../src/daemon/api-key.ts';
import { ask, TokenTally } from '../../src/providers/messages.ts';
import { Provider, ProviderError } from '../../src/providers/provider.ts';
import { NOW } from '../steward/samples.ts';
import { type Act, KEY, MessagesServer } from './messages-server.ts';
import { OPEN_DOOR } from './open-door.ts';

const never = new AbortController().signal;

const asking = {
  model: 'some-model',
  system: ['Answer.'],
  question: ['Yes?'],
  name: 'answer',
  schema: z.object({ yes: z.boolean() }),
  maxTokens: 100,
  now: NOW,
};

async function failureOf(provider: Provider, model = 'some-model', abort = never): Promise<ProviderError> {
  const error = await ask(provider, { ...asking, model }, new TokenTally(), abort).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ProviderError)) throw new Error(`not a provider's failure: ${String(error)}`);
  return error;
}

async function facing(act: Act, patienceMs = 20_000): Promise<ProviderError> {
  const server = await MessagesServer.start(() => act);
  return failureOf(new Provider(server.access, OPEN_DOOR, patienceMs));
}

describe('a reply is whole or none', () => {
  test('one that drips for ever: the patience holds to its last byte', async () => {
    const error = await facing({ do: 'drip' }, 300);
    expect(error).toMatchObject({ failure: 'unavailable', sent: true });
    expect(error.message).toContain('no whole reply within 0.3 s');
  });

  test('one that does not end is not read to its end', async () => {
    const error = await facing({ do: 'flood' });
    expect(error).toMatchObject({ failure: 'unavailable', sent: true });
    expect(error.message).toContain('4 MiB');
  });

  test('a connection that breaks off in the middle may have cost something; one that was never made has not', async () => {
    expect(await facing({ do: 'half' })).toMatchObject({ failure: 'unavailable', sent: true });
    expect(await facing({ do: 'drop' })).toMatchObject({ failure: 'unavailable', sent: false });
  });

  test('a long reply within bounds is read', async () => {
    const server = await MessagesServer.start(() => ({ do: 'say', text: `${' '.repeat(900_000)}{"yes":true}` }));
    const read = await ask(new Provider(server.access, OPEN_DOOR), asking, new TokenTally(), never);
    expect(read).toEqual({ ok: true, value: { yes: true } });
  });
});

describe('a page in place of an answer', () => {
  test.each([
    [502, 'unavailable'],
    [503, 'unavailable'],
    [401, 'key-refused'],
    [404, 'unknown-model'],
    [200, 'unavailable'],
  ])('%i', async (status, failure) => {
    expect((await facing({ do: 'page', status, bytes: 100 })).failure).toBe(failure);
  });

  test('a refusal counts as what it is, however long its page, and however slowly it comes', async () => {
    const headers = { 'retry-after': '30' };
    for (const bytes of ['endless', 'begun'] as const) {
      const error = await facing({ do: 'page', status: 429, bytes, headers }, 1000);
      expect(error).toMatchObject({ failure: 'rate-limited', retryAfter: 30, sent: false });
    }
    const long = await facing({ do: 'page', status: 401, bytes: 3_000_000 });
    expect(long.failure).toBe('key-refused');
  });
});

test('a wait until a date is reckoned from the clock of the server', async () => {
  const headers = { date: 'Mon, 04 Jan 2021 10:00:00 GMT', 'retry-after': 'Mon, 04 Jan 2021 10:02:00 GMT' };
  expect(await facing({ do: 'fail', status: 429, headers })).toMatchObject({
    failure: 'rate-limited',
    retryAfter: 120,
  });
});

test('whoever sends the request on to another address is not followed: the key would go with it', async () => {
  const other = await MessagesServer.start(() => ({ do: 'say', text: '{"yes":true}' }));
  expect((await facing({ do: 'send-on', to: `${other.url}/v1/messages` })).failure).toBe('unavailable');
  expect(other.requests).toEqual([]);
});

describe('what is said of a server of one’s own', () => {
  test('that is not there: where it was looked for, and nothing else of its address', async () => {
    const gone = await MessagesServer.start(() => ({ do: 'drop' }));
    const { url } = gone;
    await gone.close();
    const baseUrl = `${url}/path?token=secret-word`;
    const error = await failureOf(new Provider({ key: new ApiKey(KEY), baseUrl }, OPEN_DOOR));
    expect(error.message).toContain(`no connection to ${url}`);
    expect(JSON.stringify([error, error.trouble])).not.toContain('secret-word');
  });

  test('that knows no such model', async () => {
    const server = await MessagesServer.start(() => ({ do: 'fail', status: 404 }));
    const { trouble } = await failureOf(new Provider(server.access, OPEN_DOOR));
    expect(trouble).toMatchObject({ code: 'model-unknown-model', hint: expect.stringContaining(server.url) });
  });
});

test.each([
  'prompt is too long: 250000 tokens > 200000 maximum',
  'request (9000 tokens) exceeds the available context size (8192 tokens), try increasing it',
  "This model's maximum context length is 8192 tokens.",
])('a question that is too long, as servers say it: %s', async (message) => {
  expect((await facing({ do: 'fail', status: 400, message })).failure).toBe('too-long');
});

test('an account without credit is not a refused question: no other output mode helps', async () => {
  const message = 'Your credit balance is too low to access the API.';
  const server = await MessagesServer.start(() => ({ do: 'fail', status: 400, message }));
  expect((await failureOf(new Provider(server.access, OPEN_DOOR))).failure).toBe('unpaid');
  expect(server.requests).toHaveLength(1);
});

test('a refusal that repeats the question is not read as a complaint about its length', async () => {
  const message = `Extra inputs are not permitted, input: ${JSON.stringify(asking.question)} ${'x'.repeat(300)} too long`;
  expect((await facing({ do: 'fail', status: 400, message })).failure).toBe('rejected');
});

test('a model that was retired: its 404 names the successor', async () => {
  const server = await MessagesServer.start(() => ({ do: 'fail', status: 404 }));
  const { trouble } = await failureOf(new Provider(server.access, OPEN_DOOR), 'claude-sonnet-4-20250514');
  expect(trouble.hint).toContain('claude-sonnet-4-6');
});

test.each(['drip', 'flood', 'half-hang', 'hang'] as const)('stopped at once, whatever is running (%s)', async (act) => {
  const server = await MessagesServer.start(() => ({ do: act }));
  const abort = new AbortController();
  const failed = failureOf(new Provider(server.access, OPEN_DOOR), 'some-model', abort.signal);
  await server.asked(1);
  abort.abort();
  expect(['stopped', 'unavailable']).toContain((await failed).failure);
});
