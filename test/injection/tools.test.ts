import { expect, test } from 'vitest';
import { lookup } from '../../src/cli/commands/lookup.ts';
import { KEY, MessagesServer, type Script } from '../providers/messages-server.ts';
import { type Attack, loadAttacks } from './attack.ts';
import { bytesUnder } from './invariant.ts';
import { plant, SECRET } from './scene.ts';
import { contextFor } from './shell.ts';

/** Words in no file, so that what an agent makes up can be recognised. */
const MADE_UP = 'made-up-words';
const attacks = loadAttacks().filter(({ at }) => at === 'tool_result');

/** An agent that reads the file, does what it says, and returns what it was told to. */
function obeyingFile({ calls, wants, answer }: Attack): Script {
  const turns = [{ name: 'Read', input: { path: 'data/figures.md' } }, ...calls];
  return (_, index) => {
    const call = turns[index];
    if (call !== undefined) return { do: 'say', text: '', calls: [call] };
    return { do: 'say', text: answer ?? JSON.stringify({ extracts: [], ...wants }) };
  };
}

test.for(attacks.map((attack) => [attack.name, attack] as const))(
  'an agent that obeys a file reads no other, writes none, and hands out nothing made up: %s',
  async ([, attack]) => {
    const server = await MessagesServer.start(obeyingFile(attack));
    const scene = plant({ ...attack, at: 'note_body' });
    scene.vault.write('data/figures.md', attack.text.replaceAll(MADE_UP, 'other words'));
    const before = bytesUnder(scene.vault.root);
    const said: string[] = [];
    await lookup('which floor holds for strict gates?', { files: ['data/*'] }, contextFor(scene, server, said));
    const after = bytesUnder(scene.vault.root);
    const changed = [...after].filter(([file, text]) => before.get(file) !== text && !file.startsWith('.steward/'));
    expect(changed).toEqual([]);
    expect([...before.keys()].filter((file) => !after.has(file))).toEqual([]);
    expect(server.requests.length).toBeGreaterThan(attack.calls.length + 1);
    // Each request repeats what the agent said before; everything else comes from the program.
    expect(JSON.stringify(server.requests)).not.toContain(SECRET);
    expect(JSON.stringify(server.requests)).not.toMatch(/root:x:0:0|BEGIN OPENSSH/);
    const output = said.join('');
    expect(output).not.toContain(MADE_UP);
    expect(output).not.toMatch(/[\p{Cc}--\n]|[\u202a-\u202e\u2066-\u2069]/v);
    expect(`${output}${[...after.values()].join('')}`).not.toContain(KEY);
  },
);
