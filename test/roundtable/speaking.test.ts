import { once } from 'node:events';
import http from 'node:http';
import type net from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { ApiKey } from '../../src/daemon/api-key.ts';
import { ToolAgent } from '../../src/providers/agent.ts';
import { Provider } from '../../src/providers/provider.ts';
import { listEntries } from '../../src/roundtable/log.ts';
import { MOST_AGENTS } from '../../src/roundtable/notes.ts';
import { OPEN_DOOR } from '../providers/open-door.ts';
import { briefingText, fiveLines, Hall } from './support.ts';

const LATENCY_MS = 1000;

/** A provider that takes equally long for each reply of an opening, and no time for others. */
async function evenServer(): Promise<string> {
  const server = http.createServer((asked, answer) => void serve(asked, answer));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as net.AddressInfo).port}`;
}

async function serve(asked: http.IncomingMessage, answer: http.ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of asked) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString('utf8');
  const who = /Round 1, opening, (\w+)\./.exec(text)?.[1];
  if (who !== undefined) await wait(LATENCY_MS);
  const file = `roundtable/tiles/round-1/${who}.md`;
  const input = { file_path: file, content: `# ${who}\n\nP01 I hold.` };
  const content =
    who === undefined
      ? [{ type: 'text', text: 'Convergence: yes' }]
      : text.includes('tool_result')
        ? [{ type: 'text', text: fiveLines(file, who) }]
        : [{ type: 'tool_use', id: `toolu_${who}`, name: 'Write', input }];
  const stop_reason = content[0]?.type === 'tool_use' ? 'tool_use' : 'end_turn';
  const usage = { input_tokens: 10, output_tokens: 5 };
  answer.setHeader('content-type', 'application/json');
  answer.end(
    JSON.stringify({ id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content, stop_reason, usage }),
  );
}

test('six agents over the wire take less than 1.3 times as long as one', async () => {
  const access = { key: new ApiKey('sk-ant-plainly-made-up'), baseUrl: await evenServer() };
  const agent = new ToolAgent(new Provider(access, OPEN_DOOR, 60_000, MOST_AGENTS), () => null);
  const hall = new Hall(briefingText({ agents: ['ada', 'ben', 'cleo', 'dan', 'eve', 'finn'] }));
  const log = await hall.hold({ agent });
  const opening = listEntries(log, 'ran').find(({ phase }) => phase === 'opening');
  const each = (opening?.agents_seconds ?? 0) / 6;
  expect(listEntries(log, 'said').flatMap(({ file }) => file?.state ?? [])).toEqual(Array(6).fill('written'));
  expect(each).toBeGreaterThan((2 * LATENCY_MS) / 1000 - 0.1);
  expect((opening?.wall_seconds ?? 0) / each).toBeLessThan(1.3);
});
