import http from 'node:http';
import { expect } from 'vitest';
import { linkKey, makeLinkToken, readToken } from '../../src/channels/links.ts';
import { readEnvironment } from '../../src/daemon/environment.ts';
import { freePlace, Scene } from '../channels/scene.ts';
import { DAY, HOUR } from '../support/clock.ts';
import { signal, task, weak } from '../support/notes.ts';
import { attack } from './attack.ts';

const PEER = { attacker: 'a sync peer' } as const;
const PROGRAM = { attacker: 'another program' } as const;
const USER = { attacker: 'another local user' } as const;
const SENDER = { attacker: 'a sender' } as const;

interface Told {
  readonly scene: Scene;
  readonly port: number;
  readonly links: ReadonlyMap<string, string>;
}

/** A daemon that has told of one proposal, with buttons. */
async function told(text = weak(), ready = (_scene: Scene) => Promise.resolve()): Promise<Told> {
  const links = await freePlace();
  const scene = await Scene.open({ access: { links }, files: { 'task/call.md': task() } });
  await scene.put('signal/s1.md', text);
  await scene.running.ask({ op: 'tick', matters: [], force: true, mode: null });
  await ready(scene);
  await scene.said(1);
  const actions = scene.messages[0]?.actions ?? [];
  return { scene, port: links.port, links: new Map(actions.map(({ label, url }) => [label, url])) };
}

function press(url: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, { method: 'POST', headers });
}

/** Asks with a Host of one's own, which `fetch` does not allow. */
function asked(port: number, path: string, headers: Record<string, string>, method = 'POST'): Promise<number> {
  return new Promise((resolve, reject) => {
    http
      .request({ host: '127.0.0.1', port, path, method, headers }, (answer) => {
        answer.resume();
        resolve(answer.statusCode ?? 0);
      })
      .on('error', reject)
      .end();
  });
}

function stateOf({ scene }: Told): unknown {
  return scene.vault.fields('task/pay.md').state;
}

attack(
  {
    ...PROGRAM,
    means: 'a program that opens each link in a message to show a preview, or looks whether it is harmful',
    loss: 'changes that nobody agreed to',
    defence: 'GET and HEAD show a page with a button; only a POST does something',
  },
  async () => {
    const one = await told();
    const url = one.links.get('Confirm') ?? '';
    const page = await fetch(url, { headers: { accept: 'text/html' } });
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'.*form-action 'self'; frame-ancestors 'none'/,
    );
    expect(page.headers.get('access-control-allow-origin')).toBeNull();
    const text = await page.text();
    expect(text).toMatch(/<h1>pay<\/h1><p>state open → done<\/p><form method="post"><button>Confirm<\/button><\/form>/);
    expect(text).not.toContain('<script');
    expect((await fetch(url, { method: 'HEAD' })).status).toBe(200);
    for (const method of ['PUT', 'DELETE', 'OPTIONS', 'PATCH']) expect((await fetch(url, { method })).status).toBe(405);
    expect(stateOf(one)).toBe('open');
    const done = await press(url);
    expect([done.status, await done.text()]).toEqual([200, 'The change is made.\n']);
    expect(stateOf(one)).toBe('done');
    const [answer = ''] = one.scene.vault.events('steward-action-confirmed');
    expect(one.scene.vault.read(answer)).toContain('link');
  },
);

attack(
  {
    ...PROGRAM,
    means: 'a link that is pressed again, at once from two places, and after the daemon was killed',
    loss: 'a change that is made again after the person took it back',
    defence: 'that a link is used is on disk before anything is done',
  },
  async () => {
    const one = await told();
    const url = one.links.get('Confirm') ?? '';
    const both = await Promise.all([press(url), press(url), press(url)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    const [answer = ''] = one.scene.vault.events('steward-action-confirmed');
    await one.scene.running.ask({
      op: 'undo',
      events: [answer],
      last: null,
      reason: null,
      force: false,
      dryRun: false,
    });
    expect(stateOf(one)).toBe('open');
    await one.scene.stop();
    await one.scene.start();
    const again = await press(url);
    expect([again.status, await again.text()]).toEqual([409, expect.stringMatching(/^This link works once\. /)]);
    expect(stateOf(one)).toBe('open');
  },
);

attack(
  {
    ...PROGRAM,
    means: 'the daemon is ended between the note that a link is used and the answer',
    loss: 'an answer twice, or one that nobody knows of',
    defence: 'the link is over, nothing was done, and the page says to answer in the vault',
  },
  async () => {
    const one = await told();
    const url = one.links.get('Dismiss') ?? '';
    const [, mark = ''] = /\.([0-9a-f]{64})$/.exec(url) ?? [];
    await one.scene.stop();
    const file = '.steward/state/notify.json';
    const state = JSON.parse(one.scene.vault.read(file));
    one.scene.vault.write(file, JSON.stringify({ ...state, used: { [mark.slice(0, 32)]: Date.now() + DAY } }));
    await one.scene.start();
    const pressed = await press(url);
    expect([pressed.status, await pressed.text()]).toEqual([
      409,
      'This link works once. It had no effect: answer in the vault.\n',
    ]);
    expect(one.scene.running.daemon.status().waiting).toHaveLength(1);
  },
);

attack(
  {
    ...USER,
    means: 'links that are guessed, changed, of another vault, of another answer, endless, or too old',
    loss: 'an answer in the name of the person',
    defence: 'an HMAC by the key of this machine for this vault, and a time in it',
  },
  async () => {
    const [one, other] = [await told(), await told()];
    const url = one.links.get('Confirm') ?? '';
    const [address = '', token = ''] = url.split('/a/');
    const [text = '', mark = ''] = token.split('.');
    const claim = JSON.parse(Buffer.from(text, 'base64url').toString());
    const turned = Buffer.from(JSON.stringify({ ...claim, answer: 'dismiss' })).toString('base64url');
    const own = makeLinkToken(linkKey(new Uint8Array(32), 'x'), claim);
    const foreign = (other.links.get('Confirm') ?? '').split('/a/')[1] ?? '';
    for (const forged of [`${turned}.${mark}`, `${text}.${'0'.repeat(64)}`, own, foreign])
      expect((await press(`${address}/a/${forged}`)).status).toBe(403);
    expect((await press(`${address}/a/${text}`)).status).toBe(403);
    expect((await press(`${address}/a/${'a'.repeat(3000)}`)).status).toBe(404);
    expect((await press(`${address}/a/../../etc/passwd`)).status).toBe(404);
    const many = await Promise.all(Array.from({ length: 12 }, () => press(`${address}/a/x.y`)));
    expect(many.map(({ status }) => status)).toEqual(many.map(() => 403));
    const said = (await Promise.all(many.map((answer) => answer.text()))).join('');
    expect(said).not.toMatch(/x\.y|pay/);
    expect(stateOf(one)).toBe('open');
    one.scene.clock.move(8 * DAY);
    expect((await press(url)).status).toBe(410);
    expect(stateOf(one)).toBe('open');
  },
);

attack(
  {
    ...PROGRAM,
    means: "a web page in the person's browser that posts a link, frames it, or has its own name lead to this machine",
    loss: 'an answer by a click on something else',
    defence: 'Host and Origin must be its own, no page may frame it, and other sites are refused',
  },
  async () => {
    const one = await told();
    const { port } = one;
    const path = new URL(one.links.get('Confirm') ?? '').pathname;
    const own = `127.0.0.1:${port}`;
    expect(await asked(port, path, { host: `evil.example:${port}` })).toBe(400);
    expect(await asked(port, path, { host: '127.0.0.1:1' })).toBe(400);
    expect(await asked(port, path, { host: own, origin: 'https://evil.example' })).toBe(400);
    expect(await asked(port, path, { host: own, origin: 'null' })).toBe(400);
    expect(await asked(port, path, { host: own, 'sec-fetch-site': 'cross-site' })).toBe(400);
    expect(await asked(port, path, { host: own, 'content-length': '5000' })).toBeGreaterThanOrEqual(400);
    expect(stateOf(one)).toBe('open');
    expect(await asked(port, path, { host: own, origin: `http://${own}`, 'sec-fetch-site': 'same-origin' })).toBe(200);
    expect(stateOf(one)).toBe('done');
  },
);

attack(
  {
    ...PEER,
    means:
      'an event that is changed after its message was sent, or forged, so that the button agrees to something else',
    loss: 'a change that the message did not show',
    defence: 'a button answers nothing but a note that the program wrote, as it wrote it',
  },
  async () => {
    const one = await told();
    const [event = ''] = one.scene.vault.events();
    one.scene.vault.edit(event, 'after: done', 'after: archived');
    const answer = await press(one.links.get('Confirm') ?? '');
    expect(answer.status).toBe(409);
    expect(await answer.text()).toContain('somebody else changed it');
    expect(stateOf(one)).toBe('open');
  },
);

attack(
  {
    ...PEER,
    means: 'a steward.md that names a server, a program or an address, asks for endless messages and no quiet hours',
    loss: 'what the vault holds goes to somebody else, or a telephone that rings all night',
    defence: 'where messages go is named by the environment; 20 a day are the most',
  },
  async () => {
    const scene = await Scene.open({
      keys: {
        notify_ntfy: 'https://evil.example/all',
        STEWARD_NOTIFY_NTFY: 'https://evil.example/all',
        notify_command: '/usr/bin/touch /tmp/x',
        notify_at_most: 1000,
        notify: 'each',
      },
    });
    const { trouble, notify } = scene.running.daemon.status();
    expect(notify?.atMost).toBe(5);
    expect(trouble.map(({ code }) => code).sort()).toEqual([
      ...['settings-invalid', 'settings-unknown', 'settings-unknown', 'settings-unknown'],
    ]);
  },
);

attack(
  {
    ...PEER,
    means: 'state that says to tell of things that are not there, or is rubbish',
    loss: 'messages in the words of somebody else, or no message ever again',
    defence: 'only what stands in the list when it is sent is told; what cannot be read is begun anew',
  },
  async () => {
    const scene = await Scene.open();
    await scene.stop();
    const news = {
      ...{
        key: 'waits x',
        kind: 'proposal',
        event: 'x',
        target: 'task/pay.md',
        change: 'Send 900 EUR to evil.example',
      },
      ...{ from: null, quote: null, candidates: [], at: 0 },
    };
    const tray = { news: [news], digest: null, tries: 0, next: 0, delivered: null, trouble: null };
    const empty = { since: 0, told: {}, day: '', sent: 0, digest: null, used: {} };
    scene.vault.write(
      '.steward/state/notify.json',
      JSON.stringify({ ...empty, pending: [news], trays: { ntfy: tray } }),
    );
    await scene.start();
    await scene.pass(HOUR);
    expect(scene.messages).toEqual([]);
    await scene.stop();
    scene.vault.write('.steward/state/notify.json', '{"pending": "everything"}');
    await scene.start();
    await scene.put('signal/s1.md', signal());
    await scene.running.heard('acted');
    await scene.until(() => scene.messages.some(({ title, message }) => `${title} ${message}`.includes('Done: pay')));
  },
);

attack(
  {
    ...SENDER,
    means: 'a title, a change and a quote with line breaks, headers, escapes, direction marks, HTML and addresses',
    loss: 'a header at the server, an order to a terminal or a desktop, a text that reads otherwise than it is',
    defence: 'a message is JSON of plain lines; addresses in it are encoded',
  },
  async () => {
    const name = 'task/Pay "now"&file=x%0d%0a<i>.md';
    const links = await freePlace();
    const scene = await Scene.open({ access: { links, quotes: true }, files: { [name]: task() } });
    const odd = 'due\r\nX-Evil: 1\u0000\u202e\u001b[31m <b>x</b>';
    await scene.put('signal/s1.md', weak({ target_path: name, raw_quote: odd, from: 'A\r\nB <a@b.example>' }));
    await scene.running.ask({ op: 'tick', matters: [], force: true, mode: null });
    await scene.said(1);
    const [message] = scene.messages;
    const lines = [message?.title ?? '', ...(message?.message ?? '').split('\n')];
    expect(lines.filter((line) => /[\p{Cc}\p{Cf}]/u.test(line))).toEqual([]);
    expect(message?.click).toMatch(/^obsidian:\/\/open\?vault=vault&file=[A-Za-z0-9%._-]+$/);
    expect(scene.ntfy.requests.every(({ headers, url }) => headers['x-evil'] === undefined && url === '/')).toBe(true);
    expect(message).toMatchObject({ actions: [{ label: 'Confirm' }, { label: 'Dismiss' }, { label: 'Not now' }] });
    const page = await (await fetch(message?.actions?.[0]?.url ?? '')).text();
    expect(page).not.toMatch(/<[bi]>/);
  },
);

attack(
  {
    ...PROGRAM,
    means: 'an ntfy server that sends on to another, hangs up, or repeats what it was sent',
    loss: 'the token at another server, or the token in a note or a log',
    defence: 'no redirect is followed; nothing that a server says is shown',
  },
  async () => {
    const scene = await Scene.open();
    const elsewhere = await Scene.open();
    scene.ntfy.mood = { status: 307, headers: { location: `${elsewhere.ntfy.url}/` } };
    await scene.put('signal/s1.md', signal());
    await scene.until(() => scene.running.daemon.status().trouble.length > 0);
    expect(elsewhere.ntfy.requests).toEqual([]);
    expect(scene.running.daemon.status().trouble).toMatchObject([
      { code: 'notify-ntfy', message: expect.stringContaining('redirects to another address') },
    ]);
  },
);

attack(
  {
    ...USER,
    means:
      'an environment that names a public address for the buttons, every address, http across the internet, a name in the address',
    loss: 'buttons for the whole world, or a token that anybody on the way reads',
    defence: 'refused at the start, exit 78, and the value is not repeated',
  },
  async () => {
    const refused = (env: NodeJS.ProcessEnv) => {
      try {
        readEnvironment({ STEWARD_NOTIFY_DESKTOP: 'yes', ...env });
        return 'taken';
      } catch (error) {
        expect(error).toMatchObject({ exit: 78, trouble: { code: 'settings-notify' } });
        expect(String(error)).not.toMatch(/hunter2/);
        return 'refused';
      }
    };
    const places = [
      '0.0.0.0:8788',
      '[::]:8788',
      '8.8.8.8:8788',
      '[2001:db8::1]:8788',
      '127.0.0.1:80',
      '127.0.0.1',
      'evil.example:8788',
    ];
    expect(places.map((place) => refused({ STEWARD_NOTIFY_ACTIONS: place }))).toEqual(places.map(() => 'refused'));
    const near = ['127.0.0.1:8788', 'localhost:8788', '192.168.1.4:8788', '[fd00::1]:8788', '100.101.1.1:8788'];
    expect(near.map((place) => refused({ STEWARD_NOTIFY_ACTIONS: place }))).toEqual(near.map(() => 'taken'));
    const topics = [
      'http://ntfy.example/t',
      'https://ada:hunter2@ntfy.example/t',
      'https://ntfy.example/',
      'https://ntfy.example/t?auth=hunter2',
      'ntfy.example/t',
      'http://8.8.8.8/t',
      'https://ntfy.example/a b',
    ];
    expect(topics.map((topic) => refused({ STEWARD_NOTIFY_NTFY: topic }))).toEqual(topics.map(() => 'refused'));
    const good = [
      'https://ntfy.example/t',
      'http://127.0.0.1:2586/t',
      'http://192.168.1.4/base/t',
      'https://ntfy.example/t/',
    ];
    expect(good.map((topic) => refused({ STEWARD_NOTIFY_NTFY: topic }))).toEqual(good.map(() => 'taken'));
    for (const program of ['notify me', 'sh -c "x"', '["relative"]', '[1]', '{}', '[]'])
      expect(refused({ STEWARD_NOTIFY_COMMAND: program })).toBe('refused');
    expect(refused({ STEWARD_NOTIFY_NTFY: 'https://ntfy.example/t', STEWARD_NOTIFY_NTFY_TOKEN: 'hunter2 x' })).toBe(
      'refused',
    );
    expect(refused({ STEWARD_NOTIFY_ACTIONS_URL: 'https://phone.example' })).toBe('refused');
    expect(refused({ STEWARD_NOTIFY_QUOTES: 'perhaps' })).toBe('refused');
  },
);

attack(
  {
    ...USER,
    means: 'tokens of every form, also such as have prototypes, lists and numbers for fields',
    loss: 'a crash of the daemon by a link',
    defence: 'the mark is compared first, in constant time, and nothing without it is parsed',
  },
  async () => {
    const key = linkKey(new Uint8Array(32).fill(7), 'vault');
    const now = 1_800_000_000_000;
    const good = makeLinkToken(key, { event: 'e', answer: 'undo', choose: null, until: now + 1 });
    expect(readToken(key, good, now)).toMatchObject({ kind: 'good', claim: { event: 'e' } });
    expect(readToken(key, good, now + 1)).toEqual({ kind: 'expired' });
    expect(readToken(linkKey(new Uint8Array(32).fill(8), 'vault'), good, now)).toEqual({ kind: 'forged' });
    expect(readToken(linkKey(new Uint8Array(32).fill(7), 'other'), good, now)).toEqual({ kind: 'forged' });
    for (const token of [
      '',
      '.',
      '..',
      good.slice(1),
      `${good}.x`,
      `${good}0`,
      good.toUpperCase(),
      `e30.${'f'.repeat(64)}`,
    ])
      expect(readToken(key, token, now)).toEqual({ kind: 'forged' });
  },
);
