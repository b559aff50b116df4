// `node test/bench/table-tokens.ts [--program DIR]… [--reads N]`: what a roundtable of six agents and three rounds sends to
// its models, in tokens, over real HTTP. Each DIR is a built copy of the program, so that two can be compared. The agents
// write six hundred words each, speak a hundred and fifty, and look up a function each round; where they can open files,
// one of N speaking turns opens one, and so does the judge twice a round.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { countTokens } from '../../src/evidence/researcher.ts';
import { json, message, type Saying } from '../providers/messages-responses.ts';

const AGENTS = ['ada', 'ben', 'cleo', 'dan', 'eve', 'finn'];
const ROUNDS = 3;

const { values: options } = parseArgs({
  options: { program: { type: 'string', multiple: true }, reads: { type: 'string', default: '3' } },
});
const READS = Number(options.reads);

const block = z.looseObject({ type: z.string(), text: z.string().optional(), content: z.string().optional() });
const request = z.object({
  model: z.string(),
  system: z.array(z.object({ text: z.string() })),
  messages: z.array(z.object({ role: z.string(), content: z.array(block) })),
  tools: z.array(z.looseObject({ name: z.string() })).default([]),
});
type Asked = z.infer<typeof request>;

const WORDS =
  'the offer holds where nobody can say what late delivery costs and a wall without tiles waits for its fitters while each of us looks at another side of one choice that has to be made before spring so we should name what would change our minds'.split(
    ' ',
  );

/** So many words, the same each time for the same seed. */
function prose(count: number, seed: number): string {
  const at = (nth: number) => WORDS[(nth * 7 + seed * 13 + ((nth * nth) % 11)) % WORDS.length] ?? '';
  return Array.from({ length: count }, (_, nth) => `${at(nth)}${nth % 17 === 16 ? '.' : ''}`).join(' ');
}

const addressOf = (asked: Asked) =>
  /^Round \d+, .*$/m.exec(asked.messages[0]?.content.map(({ text }) => text ?? '').join('\n') ?? '')?.[0] ?? '';

/** What a model says: as much as agents at a real table do. */
function reply(asked: Asked, nth: number): Saying {
  const [, round = '1', part = '', who = '', turn = '1'] =
    /^Round (\d+), (\w+), (\w+)(?:, turn (\d+))?/.exec(addressOf(asked)) ?? [];
  const isAnswered = asked.messages.length > 1;
  const canRead = asked.tools.some(({ name }) => name === 'Read') && !isAnswered;
  const seed = AGENTS.indexOf(who) + 10 * Number(round);
  const own = `roundtable/tiles/round-${round}/${who}.md`;
  const call = (name: string, file: string, more = {}) => ({ name, input: { file_path: file, ...more } });
  const opened = (count: number) =>
    AGENTS.slice(0, count).map((name) => call('Read', `roundtable/tiles/round-${round}/${name}.md`));
  if (part === 'opening') {
    if (isAnswered) return { text: fiveLines(own, seed) };
    return { text: '', calls: [call('Write', own, { content: `# ${who}\n\nP01 [cost first] ${prose(600, seed)}` })] };
  }
  if (part === 'speaking') {
    if (canRead && nth % READS === 0) return { text: '', calls: opened(1) };
    const asks = turn === '1' ? ` [[request: show gate${AGENTS.indexOf(who) + 1} in rules.ts]]` : '';
    const cited = turn === '1' ? '' : ` It is decided in rules.ts:${lineOf(AGENTS.indexOf(who)) + 2}.`;
    return { text: `${prose(150, seed)}.${cited}${asks}` };
  }
  if (part === 'rebuttal') return { text: prose(120, seed) };
  if (part === 'review') return canRead ? { text: '', calls: opened(2) } : { text: prose(100, seed) };
  if (isAnswered) return { text: 'Convergence: no' };
  const lists = AGENTS.map((name) => `- ${name}: ${prose(25, seed)}`).join('\n');
  return {
    text: '',
    calls: [
      call('Write', 'roundtable/tiles/scoreboard.md', { content: lists }),
      call('Write', 'roundtable/tiles/tensions.md', { content: `- T01 [price vs. time] ${prose(30, seed)}` }),
      call('Write', `roundtable/tiles/round-${round}.summary.md`, {
        content: `## Established\n- ${prose(20, seed)}\n## Live positions\n${lists}\n## Open questions\n- ${prose(15, seed)}`,
      }),
    ],
  };
}

function fiveLines(file: string, seed: number): string {
  return `FILE_WRITTEN: ${file}\nPerspectives: P01 [cost first] ${prose(20, seed)} P02 [time] ${prose(20, seed + 1)}\nTensions: T01 [price vs. time] ${prose(18, seed)}\nMoves: ${prose(12, seed)}\nClaim: ${prose(18, seed)}`;
}

const GATE = 34;
const lineOf = (nth: number) => nth * (GATE + 2) + 1;

/** A file of functions, each as long as those that agents ask for. */
function rules(): string {
  const body = (nth: number) =>
    Array.from({ length: GATE - 1 }, (_, at) => `  if (offer.field${at} < limit${nth}) return offer.reason${at};`);
  return AGENTS.map((_, nth) => [`export function gate${nth + 1}(offer) {`, ...body(nth), '}', ''].join('\n')).join(
    '\n',
  );
}

function briefing(): string {
  const agents = AGENTS.map((name) => `  - name: ${name}\n    role: looks at one side\n`).join('');
  return `---\nquestion: Which offer?\nagents:\n${agents}max_rounds: ${ROUNDS}\n---\n\n${prose(400, 3)}\n\n## Steward-Registered Files\n\n- rules.ts\n`;
}

/** Holds the roundtable by the command of a program; returns what each part sent: requests and tokens. */
async function measure(program: string): Promise<Map<string, { requests: number; tokens: number }>> {
  const sums = new Map<string, { requests: number; tokens: number }>();
  let nth = 0;
  const server = http.createServer(async (asked, answer) => {
    const chunks: Buffer[] = [];
    for await (const chunk of asked) chunks.push(chunk);
    const body = request.parse(JSON.parse(Buffer.concat(chunks).toString('utf8')));
    const part = /, (\w+),/.exec(addressOf(body))?.[1] ?? 'evidence';
    const { requests, tokens } = sums.get(part) ?? { requests: 0, tokens: 0 };
    sums.set(part, { requests: requests + 1, tokens: tokens + tokensOf(body) });
    nth += 1;
    json(answer, 200, message(body.model, reply(body, nth)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'table-'));
  try {
    fs.mkdirSync(path.join(home, 'vault/roundtable/tiles'), { recursive: true });
    fs.writeFileSync(path.join(home, 'vault/steward.md'), '---\ntype: steward\n---\n');
    fs.writeFileSync(path.join(home, 'vault/roundtable/tiles/briefing.md'), briefing());
    fs.writeFileSync(path.join(home, 'vault/rules.ts'), rules());
    await hold(program, home, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    return sums;
  } finally {
    server.closeAllConnections();
    server.close();
    fs.rmSync(home, { recursive: true, force: true });
  }
}

async function hold(program: string, home: string, url: string): Promise<void> {
  const words = [
    path.join(program, 'bin/steward.js'),
    'roundtable',
    '--vault',
    path.join(home, 'vault'),
    'tiles',
    '--json',
  ];
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    XDG_RUNTIME_DIR: home,
    XDG_STATE_HOME: home,
    ANTHROPIC_API_KEY: 'sk-ant-plainly-made-up',
    ANTHROPIC_BASE_URL: url,
  };
  const child = spawn(process.execPath, words, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`the roundtable ended with ${code}`);
}

function tokensOf({ system, messages, tools }: Asked): number {
  const said = messages.flatMap(({ content }) =>
    content.map((one) => one.text ?? one.content ?? JSON.stringify(one.input ?? '')),
  );
  return countTokens(
    [...system.map(({ text }) => text), ...said, ...tools.map((tool) => JSON.stringify(tool))].join('\n'),
  );
}

for (const program of options.program ?? [path.resolve(import.meta.dirname, '../..')]) {
  const sums = await measure(program);
  const all = [...sums.values()];
  const total = { requests: sum(all.map(({ requests }) => requests)), tokens: sum(all.map(({ tokens }) => tokens)) };
  console.log(program);
  for (const [part, { requests, tokens }] of [...sums, ['together', total] as const])
    console.log(`  ${part.padEnd(10)} ${String(requests).padStart(4)} requests ${String(tokens).padStart(8)} tokens`);
}

function sum(figures: readonly number[]): number {
  return figures.reduce((total, one) => total + one, 0);
}
