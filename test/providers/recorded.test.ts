import { expect, test } from 'vitest';
import { z } from 'zod';
import { RecordedAgent } from '../../src/providers/substitutes.ts';
import { type AgentTool, type Errand, UnansweredError } from '../../src/steward/types.ts';

const RECORDING = `schemaVersion: 1
replies:
  - to: Round 1, opening, ada.
    calls:
      - { tool: Write, input: { path: a.md } }
      - { tool: Write, input: { path: 5 } }
      - { tool: Delete, input: { path: a.md } }
    text: |-
      Done.
      All of it.
`;
const never = new AbortController().signal;

function errand(to: string, tools: readonly AgentTool[] = []): Errand {
  return { model: 'm', system: [], task: ['<data>', `${to}\n\nWrite.`], tools, maxTurns: 1, maxTokens: 10, now: 0 };
}

test('what was recorded is said, and the tools are called with what keeps to their schema', async () => {
  const called: unknown[] = [];
  const input = z.object({ path: z.string() });
  const tool: AgentTool<z.infer<typeof input>> = {
    name: 'Write',
    description: '',
    input,
    async run(given) {
      called.push(given);
      throw new Error('refused');
    },
  };
  const report = await RecordedAgent.read('r.yaml', RECORDING).send(errand('Round 1, opening, ada.', [tool]), never);
  expect(report).toMatchObject({ text: 'Done.\nAll of it.', finished: true, usage: { model: 'm', tokens_out: 0 } });
  expect(called).toEqual([{ path: 'a.md' }]);
});

test('what was not recorded is not answered, and a stop stops', async () => {
  const agent = RecordedAgent.read('r.yaml', RECORDING);
  await expect(agent.send(errand('Round 1, opening, ben.'), never)).rejects.toThrow(UnansweredError);
  await expect(agent.send(errand('x'), AbortSignal.abort(new Error('stop')))).rejects.toThrow('stop');
});

test.each([
  ['no YAML', 'replies: [', /cannot be read/],
  ['another version', 'schemaVersion: 2\nreplies: []', /schemaVersion/],
  ['no text', 'schemaVersion: 1\nreplies:\n  - to: x', /replies\.0\.text/],
  ['nothing', '', /cannot be read/],
])('a recording with %s is refused', (_, text, why) => {
  expect(() => RecordedAgent.read('r.yaml', text)).toThrow(why);
});
