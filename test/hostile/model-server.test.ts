import fs from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { KEY, MessagesServer, type Request, type Script, sound, textOf } from '../providers/messages-server.ts';
import { HOUSE, signal, task } from '../support/notes.ts';
import { attack } from './attack.ts';
import { Attacked } from './support.ts';

const SERVER = { attacker: 'a model' } as const;
const MOST = Number.MAX_SAFE_INTEGER;

/** What it says of a note; whatever else it is asked, it is ready. */
function judging(say: (asked: Request, index: number) => ReturnType<Script>): Script {
  return (asked, index) =>
    textOf(asked).includes('<note>') ? say(asked, index) : { do: 'say', text: '{"ready":true}' };
}

function vaultWithSignal(): Attacked {
  const vault = new Attacked({ ...HOUSE, 'task/pay.md': task(), 'signal/one.md': signal({ effect_confidence: 0.7 }) });
  return vault;
}

/** One round of the real program, judged by this server. */
async function round(vault: Attacked, script: Script, words: readonly string[] = ['tick', '--force']) {
  const server = await MessagesServer.start(script);
  const env = { ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: server.url, STEWARD_LIVE_MODE: 'live' };
  const { exit, stdout, stderr } = await vault.sandbox.steward([...words, '--vault', 'vault'], env);
  return { exit, said: stdout + stderr, requests: server.requests.length };
}

function everything(folder: string): string {
  const names = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const files = names.map((name) => path.join(folder, name)).filter((file) => fs.lstatSync(file).isFile());
  return files.map((file) => fs.readFileSync(file, 'latin1')).join('\n');
}

attack(
  {
    ...SERVER,
    means: 'the key that it was asked with, repeated in what it says of a note',
    loss: 'whoever shares the vault reads the key',
    defence: 'an answer that holds the key is no answer',
  },
  async () => {
    const vault = vaultWithSignal();
    const reasoning = `x-api-key: ${KEY}`;
    const { said } = await round(
      vault,
      judging((asked) => ({ do: 'say', text: sound(asked, { reasoning, evidence: [{ signal: 's1', says: KEY }] }) })),
    );
    expect(said).not.toContain(KEY);
    expect(said).toContain('its answer repeats the key');
    expect(everything(vault.sandbox.folder).includes(KEY)).toBe(false);
    expect(vault.names('event')).toEqual([]);
  },
);

attack(
  {
    ...SERVER,
    means: 'more tokens used than a number can say, twice',
    loss: 'a state or an event note that nobody can read again; the next start fails',
    defence: 'a count, however large, is read again as it was written',
  },
  async () => {
    const vault = vaultWithSignal();
    const first = await round(
      vault,
      judging((asked, index) => ({ do: 'say', text: index === 0 ? 'no' : sound(asked), tokens: MOST })),
    );
    expect(first).toMatchObject({ exit: 0, requests: 2 });
    const sane = judging((asked) => ({ do: 'say', text: sound(asked) }));
    for (const words of [['status'], ['log'], ['tick', '--force'], ['doctor']])
      expect((await round(vault, sane, words)).exit).toBe(0);
    const [event = ''] = vault.names('event');
    expect((await round(vault, sane, ['dismiss', event])).exit).toBe(0);
    expect((await round(vault, sane, ['log'])).said).toContain('dismissed');
  },
);

attack(
  {
    ...SERVER,
    means: 'terminal orders, links, embeds, tags, a fence of frontmatter and turned letters in what it says of a note',
    loss: 'a screen is taken over; a note shows or does what nobody wrote',
    defence: 'what a model says is one line of plain words wherever it goes',
  },
  async () => {
    const vault = vaultWithSignal();
    const reasoning =
      '\u001b]0;gone\u0007\u001b[2Jpaid\n---\nsteward: false\n---\n![[diary]] [[diary]] #urgent <img src=x onerror=1> `= this` \u202eevil $= dv';
    const script = judging((asked) => ({
      do: 'say',
      text: sound(asked, { reasoning, evidence: [{ signal: 's1', says: reasoning }] }),
    }));
    const { said } = await round(vault, script);
    const { said: log } = await round(vault, script, ['log']);
    const { said: why } = await round(vault, script, ['explain', 'pay']);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they must not be there
    for (const text of [said, log, why]) expect(text).not.toMatch(/[\u0007\u001b\u202e]/);
    const [event = ''] = vault.names('event');
    const note = vault.read(`event/${event}`);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they must not be there
    expect(note).not.toMatch(/[\u0007\u001b\u202e]|!\[\[diary|\[\[diary|<img|^steward: false/m);
  },
);

attack(
  {
    ...SERVER,
    means: 'another note, other fields, a field of the program, dots and a link out of the vault, as what to change',
    loss: 'a note is written that nobody asked about, or a field that nobody may write',
    defence: 'only the note under judgement, and of it what a decision may write',
  },
  async () => {
    const vault = vaultWithSignal();
    vault.sandbox.write('task/other.md', task());
    const before = vault.read('task/other.md');
    const field = (name: string, value: unknown) => ({ field: name, op: 'set', value });
    const answers = [
      { note: 'task/other.md' },
      { note: '../task/other.md' },
      { changes: [field('steward', false)] },
      { changes: [field('__proto__', { state: 'done' }), field('constructor', 'x')] },
      { changes: [field('tags', ['x']), field('type', 'matter'), field('discretion_threshold', 0)] },
      { changes: [field('parent_matter', '[[../../etc/passwd]]')] },
      { changes: [field('summary', '![[diary]]'), field('summary', '`= this`')] },
      { changes: Array.from({ length: 40 }, () => field('state', 'done')) },
    ];
    for (const parts of answers) {
      vault.sandbox.write('task/pay.md', task());
      const { exit } = await round(
        vault,
        judging((asked) => ({ do: 'say', text: sound(asked, parts) })),
      );
      expect(exit).toBe(0);
      expect(vault.read('task/other.md')).toBe(before);
      expect(vault.read('task/pay.md').replace(/^pending_confirmation: true\n/m, '')).toBe(task());
    }
  },
);
