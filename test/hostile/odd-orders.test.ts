import fs from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { HOUSE, instinct, PAID_MAIL, settings, signal, task, weak } from '../support/notes.ts';
import { attack } from './attack.ts';
import { Attacked, CAN_PROTECT, protect } from './support.ts';

const SELDOM = '0 0 29 2 *';
const FILES = {
  ...HOUSE,
  'task/one.md': task(),
  'steward.md': settings({ settle_seconds: 0, default_schedule: SELDOM }),
  'instinct/mail.md': instinct('mail', { observations: 60 }),
};

/** A strong signal says that a task is done. */
function arrives(vault: Attacked, name: string): void {
  vault.sandbox.write(`signal/${name}.md`, signal({ target_path: `task/${name}.md`, raw_quote: `${name} is paid` }));
}

describe.skipIf(!CAN_PROTECT)('orders about an action that is half finished (needs root and chattr)', () => {
  attack(
    {
      attacker: 'the surroundings',
      means: 'a signal note is write-protected, and a person sets its task otherwise while its stamp waits',
      loss: 'the lesson takes the waiting stamp’s place in the journal, and the stamp is forgotten',
      defence: 'no intent takes the name of one that is in progress',
    },
    async () => {
      const vault = new Attacked(FILES);
      arrives(vault, 'one');
      const { again } = protect(vault.at('signal/one.md'));
      await vault.start();
      await vault.says('applied one');
      expect(await vault.troubled()).toContain('signal/one.md');
      const event = vault.names('event').find((name) => name.endsWith('-one.md')) ?? '';
      fs.writeFileSync(vault.at('task/one.md'), task({ state: 'snoozed' }));
      await expect.poll(() => vault.read(`event/${event}`)).toContain('"taught":"wrong"');
      expect(await vault.troubled()).toContain('signal/one.md');
      again();
      await vault.restart();
      await expect.poll(() => vault.read('signal/one.md')).toContain('status: applied');
    },
  );
});

// Nobody has been right here before: what is weak is proposed.
const UNTAUGHT = { ...HOUSE, 'task/one.md': task() };
/** Sets the clock of a process forty years ahead. */
const AHEAD = `
const Real = Date;
const now = () => Real.now() + 40 * 365.25 * 86_400_000;
globalThis.Date = class extends Real {
  constructor(...said) { if (said.length > 0) super(...said); else super(now()); }
  static now() { return now(); }
};`;

/** The settings note with this in it, which has long been quiet. */
const page = (text: string) => settings({ settle_seconds: 0, default_schedule: SELDOM }).replace('Settings.', text);

attack(
  {
    attacker: 'the surroundings',
    means:
      'two notes whose names differ in case alone, or in how an accent is written, as a sync from another system leaves them',
    loss: 'what is said of the one is done to the other',
    defence: 'a path leads to the note that is spelled just so; a mail that names both asks which is meant',
  },
  async () => {
    const [composed, decomposed] = ['caf\u00e9', 'cafe\u0301'];
    const names = ['Pay', 'pay', composed, decomposed];
    const tasks = Object.fromEntries(names.map((name) => [`task/${name}.md`, task()]));
    const vault = new Attacked({ ...FILES, ...tasks });
    await vault.start();
    for (const [at, name] of ['pay', decomposed].entries()) {
      vault.sandbox.write(`signal/s${at}.md`, signal({ target_path: `task/${name}.md`, raw_quote: `paid ${at}` }));
      await vault.says(`applied ${name}`);
    }
    const states = () => names.map((name) => /state: (\w+)/.exec(vault.read(`task/${name}.md`))?.[1]);
    expect(states()).toEqual(['open', 'done', 'open', 'done']);
    vault.sandbox.write('signal/upper.md', signal({ target_path: 'task/Pay.md', raw_quote: 'the other is paid' }));
    await vault.says('applied Pay');
    expect(await vault.steward('undo', '--last', '3')).toMatchObject({ exit: 0 });
    expect(states()).toEqual(['open', 'open', 'open', 'open']);
    vault.sandbox.write('stream/paid.eml', PAID_MAIL);
    await expect.poll(() => vault.names('signal').length).toBe(4);
    expect(states()).toEqual(['open', 'open', 'open', 'open']);
  },
);

attack(
  {
    attacker: 'another program',
    means: 'makes tasks by copying one with its times (cp -p, unzip, git), and deletes the first one',
    loss: 'the program takes one of the copies for the deleted note, and closes it by what is said of that',
    defence: 'where several alike could be meant, none is; the two halves of a move come soon after each other',
  },
  async () => {
    const vault = new Attacked({ ...FILES, 'task/two.md': task({ due: '2036-01-01' }) });
    await vault.start();
    const copies = ['b', 'c', 'd'].map((name) => vault.at(`task/${name}.md`));
    for (const copy of copies) fs.cpSync(vault.at('task/one.md'), copy, { preserveTimestamps: true });
    vault.sandbox.write('signal/two.md', signal({ target_path: 'task/b.md', raw_quote: 'b is paid' }));
    await vault.says('applied b'); // the copies are known
    fs.rmSync(vault.at('task/one.md'));
    arrives(vault, 'one');
    await expect.poll(() => vault.troubled()).toContain('signal/one.md');
    for (const copy of copies.slice(1)) expect(fs.readFileSync(copy, 'utf8')).toBe(task());
    expect(vault.names('event')).toHaveLength(1);
  },
);

attack(
  {
    attacker: 'the surroundings',
    means:
      'a crash in the instant of an edit of steward.md, and a journal that cannot be read any more, since the key was lost',
    loss: 'the former note, with what somebody typed in that instant, is swept away with .steward/tmp',
    defence: 'what may be a part of a note goes to the history, whatever it is called',
  },
  async () => {
    const vault = new Attacked(FILES);
    await vault.start();
    vault.daemon.kill('SIGKILL');
    await vault.daemon.ended;
    const id = 'attention-2026-11-21T20-19-54-123Z-front-page';
    vault.sandbox.write(`.steward/journal/${id}.json`, '{"of": "another key"}\nno mark of ours');
    vault.sandbox.write(`.steward/tmp/${id}.0123abcd.part`, page('Typed in the last instant.'));
    await vault.start();
    const texts = vault.names('.steward/history').map((name) => vault.read(`.steward/history/${name}`));
    expect(texts).toContain(page('Typed in the last instant.'));
    expect(await vault.troubled()).toContain(`.steward/journal/${id}.json`);
  },
);

attack(
  {
    attacker: 'the surroundings',
    means:
      'the cache of records is lost, in a vault with a moved note, an undo, a choice, forged, empty and broken notes',
    loss: 'the daemon knows other things of the vault than it did before',
    defence: 'the cache holds what the notes say, and nothing else',
  },
  async () => {
    const odd = [
      'changes: {state: {before: .inf, after: .nan}}',
      '__proto__: {outcome: acted, waiting: true}',
      'constructor: 1',
    ];
    const both = {
      target_path: null,
      target_ambiguous: true,
      target_candidates: ['[[one]]', '[[two]]'],
      raw_quote: 'either',
    };
    const vault = new Attacked({
      ...FILES,
      'task/two.md': task(),
      'signal/either.md': signal(both),
      'signal/broken.md': '---\nx: [\n---\n',
      'event/steward-action-forged.md': `---\ntype: steward-action\ntimestamp: 2026-11-20T00:00:00Z\ntarget_path: task/two.md\n${odd.join('\n')}\n---\n`,
      'event/steward-action-reversed-nothing.md': '',
    });
    await vault.start();
    for (const name of ['one', 'two']) {
      arrives(vault, name);
      await vault.says(`applied ${name}`);
    }
    expect(await vault.steward('undo', 'two')).toMatchObject({ exit: 0 });
    fs.mkdirSync(vault.at('task/sub'));
    fs.renameSync(vault.at('task/one.md'), vault.at('task/sub/one.md'));
    const seen = async (...words: string[]) => (await vault.steward(...words, '--json')).said.replace(/"at": .*/, '');
    const troubles = async () => (await vault.status()).trouble;
    const all = async () =>
      Promise.all([seen('inbox'), troubles(), seen('log', '-n', '99'), seen('explain', 'task/sub/one.md')]);
    await expect.poll(() => seen('explain', 'task/sub/one.md')).toContain('state_change');
    const again = async () => {
      vault.daemon.kill('SIGTERM');
      await vault.daemon.ended;
      await vault.start();
      await expect.poll(() => vault.troubled()).toContain('event/steward-action-reversed-nothing.md');
      return all();
    };
    const cached = await again();
    vault.daemon.kill('SIGTERM');
    await vault.daemon.ended;
    fs.rmSync(vault.at('.steward/cache'), { recursive: true });
    await vault.start();
    await expect.poll(all).toEqual(cached);
  },
);

attack(
  {
    attacker: 'the surroundings',
    means: 'the clock is forty years ahead for a while: the daemon acts, and is started again with the true time',
    loss: 'nothing is acted upon for forty years, or what was done can never be taken back',
    defence: 'what is dated in the future holds nothing back, and is taken back like the rest',
  },
  async () => {
    const vault = new Attacked(FILES);
    const ahead = path.join(vault.sandbox.folder, 'ahead.cjs');
    fs.writeFileSync(ahead, AHEAD);
    const due = (day: string) => ({
      target_path: 'task/one.md',
      mutation_proposal: { class: 'context_edit', set: { due: day } },
    });
    vault.sandbox.write('signal/s1.md', signal(due('2036-01-01')));
    await vault.start('steward run --vault vault', { NODE_OPTIONS: `--require ${ahead}` });
    await vault.says('applied one');
    vault.daemon.kill('SIGTERM');
    await vault.daemon.ended;
    vault.sandbox.write('signal/s2.md', signal({ ...due('2036-02-02'), raw_quote: 'later, says the clock' }));
    await vault.start();
    await vault.says('applied one');
    expect(vault.read('task/one.md')).toContain('2036-02-02');
    const [now, then] = vault.names('event').sort();
    for (const event of [now, then]) expect(await vault.steward('undo', event ?? '')).toMatchObject({ exit: 0 });
    expect(vault.read('task/one.md')).toBe(task());
  },
);

attack(
  {
    attacker: 'another program',
    means: 'a confirmation and a dismissal of one proposal dropped in the same instant, and both boxes ticked',
    loss: 'a change made and dismissed at once, or made twice',
    defence: 'one answer counts, the other says which; two boxes mean nothing, and the note says so',
  },
  async () => {
    const vault = new Attacked({ ...UNTAUGHT, 'signal/weak.md': weak({ target_path: 'task/one.md' }) });
    await vault.start();
    await vault.steward('tick', 'house', '--force');
    await vault.says('proposed');
    const event = vault.names('event')[0] ?? '';
    const ticked = vault.read(`event/${event}`).replace(/^(confirm|dismiss): false$/gm, '$1: true');
    vault.sandbox.write(path.relative(vault.sandbox.vault, vault.at(`event/${event}`)), ticked);
    await expect.poll(() => vault.read(`event/${event}`)).toContain('Both confirm and dismiss');
    expect(vault.names('event')).toEqual([event]);
    const link = `[[${event.slice(0, -'.md'.length)}]]`;
    const [yes, no] = ['event/steward-action-confirmed-x.md', 'event/steward-action-dismissed-x.md'];
    vault.sandbox.write(yes, `---\nconfirms: "${link}"\n---\n`);
    vault.sandbox.write(no, `---\ndismisses: "${link}"\n---\n`);
    const outcomes = () => [yes, no].map((file) => /^outcome: (.*)$/m.exec(vault.read(file))?.[1]).sort();
    await expect.poll(outcomes).toContain('not-a-proposal');
    await expect.poll(outcomes).not.toContain(undefined);
    const isConfirmed = outcomes().includes('confirmed');
    expect(vault.read('task/one.md')).toContain(isConfirmed ? 'state: done' : 'state: open');
  },
);
