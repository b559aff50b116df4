import fs from 'node:fs';
import { expect } from 'vitest';
import { z } from 'zod';
import { Assistant, callOf, sandboxWith, Wire } from '../cli/commands/assistant.ts';
import { matter, settings, task } from '../support/notes.ts';
import { namesIn } from '../support/placed.ts';
import { attack } from './attack.ts';

const FILES = {
  'steward.md': settings({ default_schedule: '17 4 1 1 *' }),
  'matter/house.md': matter(),
  'task/pay.md': task({ due: '2035-12-01' }),
};
const SECRET = 'the word is marzipan';
const ORDER = { note: 'pay', set: { due: '2035-12-16' }, quote: 'the 16th', reason: 'So they say.', confidence: 1 };

/** A proposal as a client of 2026 sends it, which says with each request who it is. */
function modern(id: number, name: string, order: object): object {
  const said = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name, version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { _meta: said, name: 'propose', arguments: order } };
}

/** Everything that the program has ever put into the vault, as one text. */
function written(vault: string): string {
  return ['signal', 'event', 'instinct']
    .map((folder) => `${vault}/${folder}`)
    .filter((folder) => fs.existsSync(folder))
    .flatMap((folder) =>
      fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
    )
    .filter((file) => file.endsWith('.md'))
    .map((file) => fs.readFileSync(file, 'utf8'))
    .join('\n');
}

attack(
  {
    attacker: 'a model',
    means: 'proposes with links, embeds, HTML, templates, fences, escape sequences and hidden letters in every field',
    loss: 'a note runs or fetches what an assistant wrote, or a terminal obeys it',
    defence: 'it is escaped in the body, and one line of plain text in the fields',
  },
  async () => {
    const sandbox = sandboxWith(FILES);
    const live =
      '![x](http://evil.example/a.png) [[steward]] <img src=x onerror=alert(1)> <% tp.file %> ```dataviewjs\nconfirm: true\n``` %%hidden%% \u001b[31m\u202e\u200bend\n---\nconfirm: true\n- [x] confirm';
    const helper = await Assistant.connect(sandbox, { name: live });
    const made = await helper.call('propose', { ...ORDER, quote: live, reason: live, source: live });
    expect(made).toMatchObject({ isError: false, json: { outcome: 'waiting' } });
    const event = sandbox.read(`event/${String(made.json.event)}.md`);
    const body = event.slice(event.indexOf('\n---\n', 4));
    for (const mark of [
      /(?<!\\)!\\?\[x\](?!\\)\(/,
      /(?<!\\)\[\[steward/,
      /(?<!\\)<img/,
      /(?<!\\)<%/,
      /(?<!\\)`{3}/,
      /%%/,
    ])
      expect(body.replaceAll(/^%% (?:\/?steward|[0-9a-f]{16}) %%$/gm, '')).not.toMatch(mark); // but for the program's own marks
    expect(event.match(/^confirm: .*$/gm)).toEqual(['confirm: false']);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
    expect(written(sandbox.vault)).not.toMatch(/[\u001b\u202e\u200b]/);
    const { stdout } = await sandbox.steward(['inbox', '--vault', 'vault']);
    expect(stdout).not.toContain('\u001b');
    expect(namesIn(sandbox.vault, 'signal')).toHaveLength(1);
  },
);

attack(
  {
    attacker: 'a model',
    means: 'names paths out of the vault, hidden files and links as a note, a briefing, an event or an address',
    loss: 'what lies outside is read, or it is told whether it is there',
    defence: 'only records are looked at by name, a briefing lies in a folder of its own, and every answer is the same',
  },
  async () => {
    const sandbox = sandboxWith(FILES);
    const list = `## Steward-Registered Files\n\n- secret.md\n- ../secret.md\n- ${sandbox.folder}/secret.md\n`;
    fs.writeFileSync(`${sandbox.folder}/secret.md`, `---\nroot: ${sandbox.folder}\n---\n${SECRET}\n\n${list}`);
    sandbox.write('.steward/notes.md', `${SECRET}\n\n${list}`);
    sandbox.write('stream/page.md', `${SECRET}\n\n${list}`);
    sandbox.write('matter/list.md', matter({ root: sandbox.folder }, list));
    fs.symlinkSync(`${sandbox.folder}/secret.md`, `${sandbox.vault}/matter/out.md`);
    fs.symlinkSync(`${sandbox.folder}/secret.md`, `${sandbox.vault}/task/out.md`);
    fs.mkdirSync(`${sandbox.vault}/event`);
    fs.symlinkSync(`${sandbox.folder}/secret.md`, `${sandbox.vault}/event/signal-action-2026-01-01T00-00-00Z-out.md`);
    const helper = await Assistant.connect(sandbox);
    const names = [
      ...[`${sandbox.folder}/secret.md`, '../secret.md', '../secret', 'matter/../../secret.md', './../secret.md'],
      ...[
        '.steward/notes.md',
        'matter/../.steward/notes',
        '/etc/passwd',
        'stream/page',
        'out',
        '[[matter/out]]',
        'list',
      ],
      ...['file:///etc/passwd', '\\..\\secret', 'x\0y', '%2e%2e%2fsecret', '__proto__', 'constructor'],
    ];
    const said: string[] = [];
    for (const name of names) {
      const looked = await helper.call('lookup', { request: 'lines 1-9 of secret.md', briefing: name });
      said.push(looked.text, JSON.stringify(looked.json), (await helper.call('explain', { note: name })).text);
      said.push((await helper.call('propose', { ...ORDER, note: name })).text);
      said.push((await helper.call('note', { note: name })).text);
      for (const kind of ['event', 'note'])
        said.push(
          await helper.resource(`steward://${kind}/${encodeURIComponent(name)}`).catch((error) => String(error)),
        );
    }
    for (const uri of ['file:///etc/passwd', 'steward://event/../../secret', 'steward://../x', 'steward://note/%zz'])
      await expect(helper.resource(uri)).rejects.toThrow();
    expect(said.join('\n')).not.toContain('marzipan');
    expect(said.join('\n')).not.toContain('root:x:0');
    const words = (name: string) => helper.call('lookup', { request: 'x', briefing: name }).then(({ text }) => text);
    expect(await words('../secret.md')).toBe(await words('../nothing-there.md'));
  },
);

attack(
  {
    attacker: 'a model',
    means: 'calls itself by the name of a sender, of the program, of a path, or changes its name with each proposal',
    loss: 'it speaks with the weight of another, writes a note elsewhere, or proposes without end',
    defence: 'its name is one token in a channel that never acts, and all agents together have 20 proposals an hour',
  },
  async () => {
    const notes = Object.fromEntries(Array.from({ length: 24 }, (_, at) => [`task/t${at}.md`, task()]));
    const senders = ['anna@notary.example', 'you', 'steward'];
    const sandbox = sandboxWith({ ...FILES, ...notes, 'matter/house.md': matter({ senders }) });
    const given = [
      'anna@notary.example',
      'you',
      '../../matter/house',
      'unverified:nobody',
      'agent:other',
      '',
      '\u0000',
      '.',
    ];
    const wire = new Wire(sandbox);
    const outcomes: unknown[] = [];
    for (let at = 0; at < 24; at += 1) {
      wire.send(modern(at, given[at] ?? `name ${at}`, { ...ORDER, note: `t${at}` }));
      const answer = z.looseObject({ result: z.looseObject({ isError: z.boolean().optional() }) });
      outcomes.push(answer.parse(await wire.answer(at)).result.isError === true);
    }
    expect(outcomes).toEqual([...Array(20).fill(false), ...Array(4).fill(true)]);
    const all = namesIn(sandbox.vault, 'signal').map((name) => sandbox.read(`signal/${name}`));
    expect(all.every((text) => /^source_type: agent$/m.test(text) && /^sender_known: unknown$/m.test(text))).toBe(true);
    const patterns = new Set(all.map((text) => /^pattern: (.*)$/m.exec(text)?.[1]));
    expect([...patterns].every((name) => /^"?[a-z0-9-]+"?$/.test(name ?? ''))).toBe(true);
    for (const at of Array(24).keys()) expect(sandbox.read(`task/t${at}.md`)).not.toContain('due:');
  },
);

attack(
  {
    attacker: 'a model',
    means: 'hands in protected fields, prototypes, thousands of fields and members, and texts without end',
    loss: 'a protected field is written, or the program stalls or falls',
    defence: 'forms and lengths are checked first, and the rules of writing name what is protected',
  },
  async () => {
    const sandbox = sandboxWith(FILES);
    const wire = new Wire(sandbox);
    await wire.greet();
    const many = Object.fromEntries(Array.from({ length: 400 }, (_, at) => [`field${at}`, 'x']));
    const orders = [
      ...[{ steward: false }, { type: 'matter' }, { Tags: 'x' }, { pinned: true }, { discretion_threshold: 0 }].map(
        (set) => ({ set }),
      ),
      ...[{ set: many }, { set: { due: 'x'.repeat(100_000) } }, { add: { related_to: Array(5_000).fill('[[x]]') } }],
      ...[{ set: null }, { set: [] }, { confidence: 7 }, { note: 7 }, { quote: '' }, { reason: 'x'.repeat(60_000) }],
    ].map((parts) => ({ ...ORDER, ...parts }));
    wire.send(...orders.map((order, at) => callOf(at, 'propose', order)));
    const raw = '{"due":"2035-12-16","__proto__":{"state":"done"},"constructor":"x"}';
    wire.send(
      `{"jsonrpc":"2.0","id":"raw","method":"tools/call","params":{"name":"propose","arguments":${JSON.stringify(ORDER).replace('{"due":"2035-12-16"}', raw)}}}`,
    );
    for (const id of [...orders.keys(), 'raw']) {
      const answer = JSON.stringify(await wire.answer(id));
      expect(answer).toMatch(/"isError":true|"error":/);
    }
    expect(sandbox.read('task/pay.md')).toBe(FILES['task/pay.md']);
    expect(fs.existsSync(`${sandbox.vault}/signal`)).toBe(false);
  },
);

attack(
  {
    attacker: 'another program',
    means: 'writes rubbish, half messages, deep nesting, and a message without end into the protocol',
    loss: 'the server falls, fills the memory, or says something that is no message',
    defence: 'what is no message is passed over and said on stderr; one of more than a megabyte ends the connection',
  },
  async () => {
    const sandbox = sandboxWith(FILES);
    const wire = new Wire(sandbox);
    wire.send('rubbish', '{"jsonrpc":"2.0"', '[]', '{}', 'null', '\u0000\u001b[31m', '['.repeat(50_000));
    await wire.greet();
    wire.send({ jsonrpc: '2.0', id: 1, method: 'nothing/such' }, callOf(2, 'no-such-tool'), callOf(3, '__proto__'));
    wire.send({ jsonrpc: '2.0', id: 4, method: 'tools/call' }, callOf(5, 'inbox'));
    for (const id of [1, 2, 3, 4]) expect(JSON.stringify(await wire.answer(id))).toMatch(/"error":|"isError":true/);
    expect(JSON.stringify(await wire.answer(5))).toContain('Nothing waits');
    for (const message of wire.said) expect(message.jsonrpc).toBe('2.0');
    expect(wire.complained).not.toContain('\u001b');
    wire.child.stdin.write('x'.repeat(3 * 1024 * 1024));
    expect(await wire.ended).toBe(0);
  },
);

attack(
  {
    attacker: 'another program',
    means: 'asks without end and reads no answer',
    loss: 'answers pile up until the machine has no memory left',
    defence: 'whoever does not read is not heard further, and so many requests wait at most',
  },
  async () => {
    const sandbox = sandboxWith('example');
    const wire = new Wire(sandbox);
    await wire.greet();
    wire.stopReading();
    let taken = true;
    for (let at = 0; at < 4_000 && taken; at += 1) {
      const message = `${JSON.stringify(callOf(at, 'status'))}\n${JSON.stringify({ jsonrpc: '2.0', id: `l${at}`, method: 'tools/list' })}\n`;
      taken = wire.child.stdin.write(message.repeat(8));
    }
    expect(taken).toBe(false); // the pipe is full: it is not heard further
    const grown = () => Number(/VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${wire.pid}/status`, 'utf8'))?.[1]) / 1024;
    await expect.poll(() => grown()).toBeLessThan(400);
    wire.read();
    wire.child.stdin.end();
    expect(await wire.ended).toBe(0);
    expect(grown).toThrow();
    expect(wire.said.length).toBeGreaterThan(2);
    for (const message of wire.said) expect(message.jsonrpc).toBe('2.0');
  },
);
