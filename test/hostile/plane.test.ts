import fs from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { heardText } from '../../src/features/plane-work.ts';
import { stem } from '../../src/vault/layout.ts';
import { Seal } from '../../src/vault/seal.ts';
import { comments, type PlaneHouse, paid, planeHouse } from '../daemon/plane/house.ts';
import { PLANE_KEY, PlaneServer } from '../plane/plane-server.ts';
import { matter, settings, signal, task } from '../support/notes.ts';
import { Running } from '../support/running.ts';
import { TempVault } from '../support/temp-vault.ts';
import { LIVE, only } from '../support/workspace.ts';
import { attack } from './attack.ts';

const PEER = { attacker: 'a sync peer' } as const;
const SERVER = { attacker: 'another program' } as const;
const ROBIN = '5f0c1a52-1111-4222-8333-444455556666';

function everything(vault: TempVault): string {
  const names = fs.readdirSync(vault.home, { recursive: true, encoding: 'utf8' });
  const files = names.map((name) => path.join(vault.home, name)).filter((file) => fs.lstatSync(file).isFile());
  return files.map((file) => fs.readFileSync(file, 'latin1')).join('\n');
}

function forged({ server, item }: PlaneHouse, file: string, seal: Seal): string {
  const news = { what: 'state', value: 'done', says: 'moved to Done' } as const;
  const place = { project: server.project, item, name: 'Pay', task: 'task/pay.md', host: 'plane.example' };
  return heardText({ ...place, ...news, actor: ROBIN, at: new Date().toISOString() }, file, seal);
}

attack(
  {
    ...PEER,
    means: 'a file in stream/plane that says that the work item was completed, with a seal of their own',
    loss: 'a task is closed in the name of somebody whom the matter names',
    defence: 'only what the program wrote itself, under this very name, speaks for Plane',
  },
  async () => {
    const house = await planeHouse([ROBIN]);
    const file = 'stream/plane/2026-11-23T01-00-00Z-0123456789ab.json';
    house.vault.write(file, forged(house, file, new Seal(Buffer.from('a key of their own'))));
    house.vault.write('stream/plane/bare.json', '{"what":"state","value":"done"}');
    const running = await house.start();
    await expect.poll(() => running.daemon.status().streams.refused.length).toBe(2);
    await running.ask({ op: 'tick', matters: [], force: true, mode: null });
    expect(house.vault.names('signal')).toEqual([]);
    expect(house.vault.fields('task/pay.md').state).toBe('open');
  },
);

attack(
  {
    ...PEER,
    means: 'a copy, under another name, of what was truly heard from Plane long ago',
    loss: 'what a person has taken back is done again',
    defence: 'the name is part of the mark',
  },
  async () => {
    const house = await planeHouse([ROBIN]);
    const first = await house.start();
    await first.saved('plane-seen', { [house.server.project]: { items: { [house.item]: {} } } });
    await first.stop();
    house.server.change(house.item, { state: house.server.states.completed }, ROBIN);
    const running = await house.start();
    await running.heard('signal-written');
    const name = only(house.vault.names('stream/plane'));
    house.vault.write('stream/plane/copy.json', `${house.vault.read(`stream/plane/${name}`)} `);
    await expect.poll(() => running.daemon.status().streams.refused.length).toBe(1);
    expect(house.vault.names('signal')).toHaveLength(1);
  },
);

attack(
  {
    ...PEER,
    means: 'an event note with a plane_action of their own, and a true one whose plane_action they have changed',
    loss: "comments in the key's name on any work item",
    defence: 'only notes with the mark of the program order anything, and plane_action is under the mark',
  },
  async () => {
    const house = await planeHouse();
    const other = house.server.item('Not theirs');
    const running = await house.start();
    paid(house.vault);
    await comments(house.server, 1);
    await running.stop();
    const event = only(house.events());
    const text = house.vault.read(event).replace(/(plane_action:\n.*\n {2}issue_id: ).*/, `$1${other}`);
    expect(text).toContain(`issue_id: ${other}\n  state: done`);
    house.vault.resetState('plane');
    house.server.comments = [];
    house.vault.write(event, text);
    house.vault.write('event/steward-action-2026-11-23T00-00-00Z-pay.md', text);
    const again = await house.start();
    await again.sync();
    expect(house.server.own).toEqual([]);
  },
);

attack(
  {
    ...PEER,
    means: 'a plane_issue_id and a plane_project_id that lead elsewhere: ../, a slash, a query, another host',
    loss: 'the key asks any address of the server, or of another',
    defence: 'only a UUID comes into an address, and the host comes from the environment alone',
  },
  async () => {
    const server = await PlaneServer.start();
    const item = server.item();
    const wrong = ['../../../users/me', `${item}/../x`, `${item}?x=1`, 'https://evil.example/x', `${item}\n`];
    const files = Object.fromEntries(wrong.map((id, nth) => [`task/t${nth}.md`, task({ plane_issue_id: id })]));
    const vault = new TempVault({
      'steward.md': settings({
        settle_seconds: 0,
        PLANE_BASE_URL: 'http://evil.example',
        plane_base_url: 'http://evil.example',
      }),
      'matter/house.md': matter({ plane_project_id: server.project }),
      'matter/odd.md': matter({ plane_project_id: '../../..' }),
      'task/odd.md': task({ parent_matter: '[[odd]]', plane_issue_id: item }),
      ...files,
    });
    const running = await Running.start(vault, { env: { ...LIVE, variables: server.env } });
    for (const target of [...Object.keys(files), 'task/odd.md'])
      vault.write(`signal/${stem(target)}.md`, signal({ target_path: target, raw_quote: target }));
    await expect.poll(() => running.count('acted')).toBe(wrong.length + 1);
    await running.sync();
    expect(server.asked).toEqual([]);
    expect(running.daemon.status().trouble.filter(({ code }) => code === 'plane-id')).toHaveLength(wrong.length + 1);
  },
);

attack(
  {
    ...SERVER,
    means: 'a Plane that sends on, answers without end, with a page of a million levels, with the key, or with scripts',
    loss: 'the key, the memory, or what a script does in Obsidian',
    defence:
      'nothing is followed, read beyond 8 MiB, or taken up that is not of the form; no word of it gets into a note',
  },
  async () => {
    const house = await planeHouse();
    const running = await house.start();
    const bodies = [
      '['.repeat(1_000_000),
      `{"id":"${PLANE_KEY}"}`,
      '<script>from Plane</script>',
      'x'.repeat(9 * 1024 * 1024),
    ];
    let nth = 0;
    house.server.mischief = () => {
      nth += 1;
      const body = bodies[nth % (bodies.length + 1)];
      return body === undefined ? { do: 'send-on', to: 'http://127.0.0.1:9/' } : { do: 'say', body };
    };
    for (const name of ['one', 'two', 'three', 'four', 'five', 'six']) paid(house.vault, name);
    await running.heard('acted');
    await expect.poll(() => nth).toBeGreaterThan(0);
    await running.sync();
    expect(running.daemon.status().trouble.map(({ code }) => code)).toContain('plane-strange');
    await running.stop();
    expect(everything(house.vault).includes(PLANE_KEY)).toBe(false);
    expect(everything(house.vault).includes('from Plane')).toBe(false);
  },
);

attack(
  {
    ...SERVER,
    means: 'a comment in Plane with links, hidden words and live Markdown, by somebody whom nobody names',
    loss: 'another note is changed, or code runs in Obsidian',
    defence: 'it is about the task of its work item alone, hidden words are not read, and it is proposed at most',
  },
  async () => {
    const house = await planeHouse();
    house.vault.write('task/other.md', task());
    const first = await house.start();
    await first.saved('plane-seen', { [house.server.project]: { items: { [house.item]: {} } } });
    await first.stop();
    const html =
      '<p>[[other]] has been paid. <img src=x onerror=alert(1)> `=dv.pages()` <b style="display:none">cancelled</b></p>';
    house.server.says(house.item, html, ROBIN);
    const running = await house.start();
    await running.heard('signal-written');
    await running.ask({ op: 'tick', matters: [], force: true, mode: null });
    expect(house.vault.fields('task/other.md').state).toBe('open');
    expect(house.vault.fields('task/pay.md').state).toBe('open');
    const note = house.vault.read(`signal/${only(house.vault.names('signal'))}`);
    expect(note).not.toMatch(/<img|`=dv/);
  },
);

attack(
  {
    attacker: 'another program',
    means:
      'somebody in Plane writes a comment of a quarter of a million letters, and a work item gets a date of the year 9999',
    loss: 'the program is deaf for all that is done in Plane from then on',
    defence: 'a long text is cut, not refused, and what lies in the future is not taken for the newest',
  },
  async () => {
    const house = await planeHouse([ROBIN]);
    const other = house.server.item('Other');
    house.server.here(other).updated_at = '9999-01-01T00:00:00Z';
    const first = await house.start();
    await first.saved('plane-seen', { [house.server.project]: { items: { [house.item]: {} } } });
    await first.stop();
    house.server.says(house.item, `<p>${'x'.repeat(250_000)}</p>`, ROBIN);
    house.server.change(house.item, { target_date: '2030-05-06' }, ROBIN);
    const running = await house.start();
    await expect.poll(() => house.vault.names('stream/plane').length).toBe(2);
    expect(running.daemon.status().trouble).toEqual([]);
    await running.stop();
    house.server.mischief = ({ path }) =>
      path.includes('/comments/') ? { do: 'say', body: 'x'.repeat(9 * 1024 * 1024) } : null;
    house.server.change(house.item, { target_date: '2031-05-06' }, ROBIN);
    await house.start();
    await expect.poll(() => house.vault.names('stream/plane').length).toBe(3);
  },
);
