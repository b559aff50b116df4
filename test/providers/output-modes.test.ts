import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type Inquiry, Model } from '../../src/providers/messages.ts';
import { Provider } from '../../src/providers/provider.ts';
import { NOW } from '../steward/samples.ts';
import { type Act, MessagesServer, type Request, type Script } from './messages-server.ts';
import { OPEN_DOOR } from './open-door.ts';

const never = new AbortController().signal;
const PRICE = { read: 1, written: 10 };

const weather = z.object({ sky: z.enum(['clear', 'cloudy']), degrees: z.number() });
type Weather = z.infer<typeof weather>;
const FINE: Weather = { sky: 'clear', degrees: 21 };

const inquiry: Inquiry<Weather, Weather> = {
  system: ['You tell the weather.'],
  name: 'weather',
  schema: weather,
  question: (brief) => (brief ? 'Weather?' : 'What is the weather like?'),
  again: (reason) => `A first reply could not be used: ${reason}`,
  conclude: (value) => ({ ok: true, value }),
  maxTokens: 300,
  now: NOW,
};

const says = (text: string): Act => ({ do: 'say', text });
const fine = () => says(JSON.stringify(FINE));

async function serving(script: Script, manners: Partial<Pick<MessagesServer, 'structured' | 'forced'>> = {}) {
  const server = Object.assign(await MessagesServer.start(script), manners);
  const provider = new Provider(server.access, OPEN_DOOR);
  const model = new Model(provider, { model: 'some-model', price: PRICE });
  return { server, provider, model, asking: () => model.inquire(inquiry, never) };
}

/** Returns the output mode that a request asks in. */
function modeOf({ output_config, tool_choice }: Request): string {
  if (output_config !== undefined) return 'structured';
  return tool_choice === undefined ? 'text' : 'forced';
}

describe('the output modes, tried in order', () => {
  test.each([
    ['offers all', 'holds', 'holds', ['structured', 'structured']],
    ['refuses structured output', 'refuses', 'holds', ['structured', 'forced', 'forced']],
    ['ignores structured output', 'ignores', 'holds', ['structured', 'forced', 'forced']],
    ['refuses both', 'refuses', 'refuses', ['structured', 'forced', 'text', 'text']],
    ['ignores either', 'ignores', 'ignores', ['structured', 'forced', 'text', 'text']],
  ] as const)('a server that %s: tried once, and remembered', async (_, structured, forced, modes) => {
    const { server, asking } = await serving(fine, { structured, forced });
    expect((await asking()).read).toEqual({ ok: true, value: FINE });
    expect((await asking()).read).toEqual({ ok: true, value: FINE });
    expect(server.requests.map(modeOf)).toEqual(modes);
    expect(server.malformed).toEqual([]);
  });

  test('unusable replies are counted too', async () => {
    const { asking } = await serving(fine, { structured: 'ignores', forced: 'ignores' });
    const { usage } = await asking();
    expect(usage).toEqual({ model: 'some-model', tokens_in: 4500, tokens_out: 300, usd: 0.0075 });
  });

  test('are learnt for each model and each server separately', async () => {
    const { server, provider, asking } = await serving(fine, { structured: 'refuses' });
    await asking();
    server.structured = 'holds';
    await new Model(provider, { model: 'claude-sonnet-5-5', price: null }).inquire(inquiry, never);
    await new Model(new Provider(server.access, OPEN_DOOR), { model: 'some-model', price: null }).inquire(
      inquiry,
      never,
    );
    await asking();
    expect(server.requests.map(modeOf)).toEqual(['structured', 'forced', 'structured', 'structured', 'forced']);
  });

  test.each([
    ['401', { do: 'fail', status: 401 }, 'key-refused'],
    ['404', { do: 'fail', status: 404 }, 'unknown-model'],
    ['429', { do: 'fail', status: 429 }, 'rate-limited'],
    ['500', { do: 'fail', status: 500 }, 'unavailable'],
    ['529', { do: 'fail', status: 529 }, 'unavailable'],
    ['a dropped connection', { do: 'drop' }, 'unavailable'],
    ['half a reply', { do: 'half' }, 'unavailable'],
    ['another server', { do: 'garbage' }, 'unavailable'],
  ] as [string, Act, string][])('%s is no reason to try another mode', async (_, act, failure) => {
    const { server, asking } = await serving(() => act);
    await expect(asking()).rejects.toMatchObject({ failure });
    expect(server.requests).toHaveLength(1);
  });

  test('a failure after an earlier reply has cost something', async () => {
    const { server, asking } = await serving(() => ({ do: 'fail', status: 429 }), { structured: 'ignores' });
    await expect(asking()).rejects.toMatchObject({ failure: 'rate-limited', sent: true });
    expect(server.requests.map(modeOf)).toEqual(['structured', 'forced']);
  });

  test('a mode that is known to work is not abandoned after a 400', async () => {
    const { server, asking } = await serving((_, index) => (index === 0 ? fine() : { do: 'fail', status: 400 }));
    await asking();
    await expect(asking()).rejects.toMatchObject({ failure: 'rejected' });
    expect(server.requests.map(modeOf)).toEqual(['structured', 'structured']);
  });

  test('a refusal and a reply without end are answers, not the wrong mode', async () => {
    const refusing = await serving(() => ({ do: 'say', text: '', stop: 'refusal' }));
    expect((await refusing.asking()).read).toMatchObject({ ok: false, again: 'never' });
    expect(refusing.server.requests.map(modeOf)).toEqual(['structured']);
    const endless = await serving(() => ({ do: 'say', text: '{"sky":', stop: 'max_tokens' }));
    expect((await endless.asking()).read).toMatchObject({ ok: false, again: 'roomier' });
    expect(endless.server.requests.map(({ max_tokens }) => max_tokens)).toEqual([300, 600]);
  });
});

describe('JSON in the text', () => {
  const plain = (script: Script) => serving(script, { structured: 'refuses', forced: 'refuses' });

  test('the model is told the schema in words', async () => {
    const { server, asking } = await plain(fine);
    await asking();
    const system = server.requests.at(-1)?.system.map(({ text }) => text) ?? [];
    expect(system).toHaveLength(1);
    expect(system[0]).toMatch(/^You tell the weather\./);
    expect(system[0]).toContain('"sky": "clear" | "cloudy"');
  });

  test.each([
    ['bare', JSON.stringify(FINE)],
    ['in a fence', `Here you are:\n\`\`\`json\n${JSON.stringify(FINE, null, 2)}\n\`\`\`\nAnything else?`],
    ['after its thoughts', `<think>Perhaps {"sky":"cloudy","degrees":3}?</think>${JSON.stringify(FINE)}`],
  ])('%s', async (_, text) => {
    const { asking } = await plain(() => says(text));
    expect((await asking()).read).toEqual({ ok: true, value: FINE });
  });

  test('what is wrong is shown once, and both replies are counted', async () => {
    const { server, asking } = await plain((_, index) => (index < 3 ? says('{"sky":"green","degrees":1}') : fine()));
    const { read, usage } = await asking();
    expect(read).toEqual({ ok: true, value: FINE });
    expect(usage).toMatchObject({ tokens_in: 3000, tokens_out: 200 });
    expect(server.requests).toHaveLength(4);
    const added = server.requests.at(-1)?.messages[0]?.content.at(-1);
    expect(added).toMatchObject({ text: expect.stringContaining('sky must be one of clear, cloudy') });
    expect(JSON.stringify(added)).not.toContain('green');
  });

  test('a model that keeps to no schema is asked twice, and the next time in no other mode', async () => {
    const { server, asking } = await plain(() => says('It is fine outside.'));
    expect((await asking()).read).toMatchObject({ ok: false, reason: expect.stringContaining('no JSON object') });
    await asking();
    expect(server.requests.map(modeOf)).toEqual(['structured', 'forced', 'text', 'text', 'text', 'text']);
  });
});

test('the input of a forced tool is data as well', async () => {
  const { server, asking } = await serving(() => says('{"sky":"clear","degrees":"hot"}'), { structured: 'refuses' });
  expect((await asking()).read).toMatchObject({ ok: false, again: 'stricter' });
  expect(server.requests.map(modeOf)).toEqual(['structured', 'forced', 'text', 'text']);
});
