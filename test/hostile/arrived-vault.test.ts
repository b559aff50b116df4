import fs from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { stem } from '../../src/vault/layout.ts';
import { noteText } from '../../src/vault/note-text.ts';
import { Clock } from '../support/clock.ts';
import { HOUSE, settings, task } from '../support/notes.ts';
import { ANNA, ownLicence, ownSignal } from '../support/own-signal.ts';
import { Running } from '../support/running.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench, LIVE, only } from '../support/workspace.ts';
import { attack } from './attack.ts';

// A vault that comes from a stranger, or from another machine of the user's own: its notes bear the marks of another key.

const STRANGER = { attacker: 'a sync peer' } as const;
const ASKS = 'the user says on this machine that the vault is theirs';
const TARGET = 'task/pay.md';
const LICENCE = 'licence/anna.md';
const TRUSTING = {
  settle_seconds: 0,
  trusted_signal_sources: [],
  trusted_mail_servers: ['mx.notary.example', 'mx.evil.example'],
};

/**
 * A vault on which the program ran elsewhere: with a proposal that waits, an action under a licence, and settings that give
 * rights. Everything comes along, also what that machine kept in `.steward`.
 */
async function arrived() {
  const other = new TempVault({
    ...HOUSE,
    'steward.md': settings({ ...TRUSTING, autonomy: 'by_count' }),
    [TARGET]: task({ senders: [ANNA] }),
    'task/fee.md': task(),
    [LICENCE]: ownLicence(LICENCE),
    'signal/acted.md': ownSignal('signal/acted.md'),
    'signal/proposed.md': ownSignal('signal/proposed.md', {
      target_path: 'task/fee.md',
      pattern: 'ben@notary.example',
    }),
  });
  const there = await Bench.open(other);
  await there.tick();
  there.close();
  const [acted, proposed] = [only(other.events('signal-action-')), only(other.events('steward-action-'))];
  expect(other.fields(TARGET).state).toBe('done');
  const vault = new TempVault({});
  fs.cpSync(other.root, vault.root, { recursive: true, preserveTimestamps: true });
  const env = { ...LIVE, sealKey: path.join(vault.home, 'this-machine', 'seal-key') };
  return { vault, env, acted, proposed };
}

const waitingFor = (bench: Bench) => {
  const { warnings, waiting } = bench.status();
  return [...warnings, ...waiting].map(({ kind, event }) => `${kind} ${event}`);
};

describe('a vault with another key’s marks', () => {
  attack(
    {
      ...STRANGER,
      means: 'his own marks, a licence that he signed, settings that trust his server, and all that his program kept',
      loss: 'a sender of his acts here',
      defence: ASKS,
    },
    async () => {
      const { vault, env } = await arrived();
      const bench = await Bench.open(vault, { env });
      expect(bench.settings).toMatchObject({ trusted_mail_servers: [], autonomy: 'ask' });
      const before = vault.read('task/fee.md');
      vault.write('signal/more.md', ownSignal('signal/more.md', { target_path: 'task/fee.md', raw_quote: 'more' }));
      await bench.tick();
      expect(vault.read('task/fee.md').replace(/^pending_confirmation: true\n/m, '')).toBe(
        before.replace(/^pending_confirmation: true\n/m, ''),
      );
      expect(waitingFor(bench)).toEqual(
        expect.arrayContaining([
          'arrival this-vault',
          'licence anna',
          'setting setting-trusted_mail_servers-mx.notary.example',
          'setting setting-trusted_mail_servers-mx.evil.example',
          'setting setting-autonomy-by_count',
        ]),
      );
      expect(bench.status().trouble).toMatchObject([{ code: 'vault-from-elsewhere' }]);
    },
  );

  attack(
    { ...STRANGER, means: 'boxes that come ticked', loss: 'what he laid there is carried out', defence: ASKS },
    async () => {
      const { vault, env, acted, proposed } = await arrived();
      vault.edit(acted, 'undo: false', 'undo: true');
      vault.edit(proposed, 'confirm: false', 'confirm: true');
      const before = [vault.read(TARGET), vault.read('task/fee.md')];
      const running = await Running.start(vault, { env });
      await running.sync();
      expect([vault.read(TARGET), vault.read('task/fee.md')]).toEqual(before);
      expect(running.daemon.status().waiting).toContainEqual(
        expect.objectContaining({ kind: 'arrival', event: 'this-vault' }),
      );
    },
  );

  attack(
    {
      ...STRANGER,
      means: 'an event note that is laid there between the question and the yes',
      loss: 'the yes counts for it, too',
      defence: 'a yes counts for what lay there when it was asked',
    },
    async () => {
      const { vault, env, acted } = await arrived();
      const bench = await Bench.open(vault, { env });
      const later = acted.replace(/Z-pay\.md$/, 'Z-later.md');
      vault.write(later, vault.read(acted));
      vault.edit(acted, 'confidence: 0.', 'confidence: 0.1');
      await bench.answerNamed('confirm', 'this-vault');
      for (const event of [later, acted]) expect(vault.fields(event).adopted ?? null, event).toBeNull();
    },
  );

  attack(
    {
      ...STRANGER,
      means: 'a state that says another key kept the vault since, and an event note, between the question and the yes',
      loss: 'the vault is asked about anew, and the yes counts for the note',
      defence: 'a question that waits stays as it was asked',
    },
    async () => {
      const { vault, env, acted } = await arrived();
      (await Bench.open(vault, { env })).close();
      const later = acted.replace(/Z-pay\.md$/, 'Z-later.md');
      vault.write(later, vault.read(acted));
      const place = '.steward/state/identity.json';
      vault.write(place, JSON.stringify({ ...JSON.parse(vault.read(place)), met: 'x' }));
      const bench = await Bench.open(vault, { env });
      await bench.answerNamed('confirm', 'this-vault');
      expect(vault.fields(later).adopted ?? null).toBeNull();
    },
  );

  attack(
    {
      ...STRANGER,
      means: 'a yes to the vault',
      loss: 'his licence, or his settings, count with it',
      defence: 'a licence and a setting are asked about one by one',
    },
    async () => {
      const { vault, env } = await arrived();
      const bench = await Bench.open(vault, { env });
      await bench.answerNamed('confirm', 'this-vault');
      expect(bench.settings).toMatchObject({ trusted_mail_servers: [], autonomy: 'ask' });
      expect(waitingFor(bench)).toContain('licence anna');
      bench.close();
      const again = await Bench.open(vault, { env });
      expect(again.settings).toMatchObject({ trusted_mail_servers: [], autonomy: 'ask' });
      expect(again.status().waiting.some(({ kind }) => kind === 'arrival')).toBe(false);
    },
  );

  attack(
    {
      attacker: 'a sync peer',
      means:
        'the program’s memory in `.steward/state`, deleted or written by hand, and a server of his in the settings',
      loss: 'the settings are taken as the user’s own once more',
      defence: 'a yes bears a mark of this machine, and that it was asked is remembered outside the vault',
    },
    async () => {
      const own = settings({ settle_seconds: 0 });
      const vault = new TempVault({ ...HOUSE, 'steward.md': own });
      (await Bench.open(vault)).close();
      const name = 'setting-trusted_mail_servers-mx.evil.example';
      for (const memory of [null, { settings: 1, [name]: 1 }]) {
        for (const file of fs.readdirSync(path.join(vault.root, '.steward/state'))) {
          if (file.startsWith('licences'))
            fs.rmSync(path.join(vault.root, '.steward/state', file), { recursive: true });
        }
        if (memory !== null) vault.write('.steward/state/licences.json', JSON.stringify(memory));
        vault.write('steward.md', settings({ settle_seconds: 0, trusted_mail_servers: ['mx.evil.example'] }));
        const bench = await Bench.open(vault);
        expect(bench.settings.trusted_mail_servers).toEqual([]);
        expect(waitingFor(bench)).toContain(`setting ${name}`);
        bench.close();
      }
    },
  );
});

describe('the user’s own vault on another machine', () => {
  attack(
    {
      attacker: 'the surroundings',
      means: 'a yes to it',
      loss: 'its older event notes can never be answered',
      defence: 'they are adopted as they were when it was asked, also after a crash',
    },
    async () => {
      const { vault, env, acted, proposed } = await arrived();
      const clock = new Clock();
      const bench = await Bench.open(vault, { env, clock });
      expect(await bench.answerNamed('confirm', 'this-vault')).toMatchObject({ outcome: 'confirmed' });
      expect(waitingFor(bench)).not.toContain('arrival this-vault');
      bench.close();
      const running = await Running.start(vault, { env, clock });
      vault.edit(acted, 'undo: false', 'undo: true');
      vault.edit(proposed, 'confirm: false', 'confirm: true');
      await running.sync();
      expect(vault.fields(TARGET).state).toBe('open');
      expect(vault.fields('task/fee.md').state).toBe('done');
      expect(vault.fields(only(vault.events('signal-action-reversed-')))).toMatchObject({
        reverses: `[[${stem(acted)}]]`,
        outcome: 'reversed',
      });
    },
  );

  attack(
    {
      attacker: 'the surroundings',
      means: 'a vault that the operator moves between machines with one secret',
      loss: 'each of them takes the notes and the yes of the others for a stranger’s',
      defence: 'the key is derived from the secret',
    },
    async () => {
      const secret = { sealSecret: 'x'.repeat(32) };
      const { vault } = await arrived();
      const machine = (name: string) => ({ ...LIVE, ...secret, sealKey: path.join(vault.home, name, 'seal-key') });
      const one = await Bench.open(vault, { env: machine('one') });
      await one.answerNamed('confirm', 'setting-trusted_mail_servers-mx.notary.example');
      await one.answerNamed('dismiss', 'this-vault');
      await one.tick();
      one.close();
      const other = await Bench.open(vault, { env: machine('other') });
      expect(other.settings.trusted_mail_servers).toEqual(['mx.notary.example']);
      const strange = await Bench.open(vault, {
        env: { ...machine('other'), sealSecret: 'y'.repeat(32) },
      });
      expect(strange.settings.trusted_mail_servers).toEqual([]);
      expect(waitingFor(strange)).toContain('arrival this-vault');
    },
  );

  attack(
    {
      attacker: 'the surroundings',
      means: 'a way back to the first machine, after the second one has changed a note',
      loss: 'an undo of that change is ignored without a word',
      defence: 'the vault remembers by whose key it was kept last, and the first machine asks again',
    },
    async () => {
      const { vault, env: second, proposed } = await arrived();
      const first = { ...LIVE, sealKey: path.join(vault.home, 'first', 'seal-key') };
      const there = await Bench.open(vault, { env: first });
      await there.answerNamed('confirm', 'this-vault');
      there.close();
      const fee = vault.read('task/fee.md');
      const bench = await Bench.open(vault, { env: second });
      await bench.answerNamed('confirm', 'this-vault');
      await bench.answerNamed('confirm', stem(proposed));
      bench.close();
      expect(vault.fields('task/fee.md').state).toBe('done');

      const back = await Bench.open(vault, { env: first });
      expect(waitingFor(back)).toContain('arrival this-vault');
      await back.answerNamed('confirm', 'this-vault');
      expect(waitingFor(back)).not.toContain('arrival this-vault');
      back.close();
      const running = await Running.start(vault, { env: first });
      vault.edit(only(vault.events('steward-action-confirmed-')), 'undo: false', 'undo: true');
      await running.sync();
      expect(vault.read('task/fee.md')).toBe(fee);
    },
  );

  attack(
    {
      attacker: 'a sync peer',
      means: 'an event note without a mark, laid there before a host with the same key takes the vault over',
      loss: 'the new host adopts it as a note from before marks',
      defence: 'the vault is known to the key, and only the first meeting of all adopts',
    },
    async () => {
      const secret = { sealSecret: 'x'.repeat(32) };
      const machine = (vault: TempVault, name: string) => ({
        ...LIVE,
        ...secret,
        sealKey: path.join(vault.home, name, 'seal-key'),
      });
      const forged = {
        'event/forged.md': noteText(
          {
            type: 'steward-action-dismissed',
            timestamp: new Date().toISOString(),
            dismisses: '[[an-event]]',
            outcome: 'dismissed',
            target_path: TARGET,
            decision: 'x',
            mode: 'live',
            changes: {},
            signals: [],
          },
          'By somebody else.',
        ),
      };
      const vault = new TempVault({ ...HOUSE, 'steward.md': settings({ settle_seconds: 0 }) });
      (await Bench.open(vault, { env: machine(vault, 'one') })).close();
      for (const [file, text] of Object.entries(forged)) vault.write(file, text);
      (await Bench.open(vault, { env: machine(vault, 'other') })).close();
      expect(vault.fields('event/forged.md').adopted ?? null).toBeNull();
      const anew = new TempVault({ ...HOUSE, 'steward.md': settings({ settle_seconds: 0 }), ...forged });
      (await Bench.open(anew, { env: machine(anew, 'one') })).close();
      expect(anew.fields('event/forged.md').adopted ?? null).toHaveLength(1);
    },
  );

  attack(
    {
      attacker: 'the surroundings',
      means: 'a no to it, or a crash right after the yes',
      loss: 'it is asked again and again, or the yes is lost',
      defence: 'both are remembered outside the vault',
    },
    async () => {
      const { vault, env, proposed } = await arrived();
      const bench = await Bench.open(vault, { env });
      await bench.answerNamed('dismiss', 'this-vault');
      bench.close();
      const again = await Bench.open(vault, { env });
      expect(waitingFor(again)).not.toContain('arrival this-vault');
      expect(vault.fields(proposed).adopted ?? null).toBeNull();
      again.close();

      const other = await arrived();
      (await Bench.open(other.vault, { env: other.env })).close();
      const folder = `${other.env.sealKey}.vaults`;
      const [asked = ''] = fs.readdirSync(folder).filter((name) => name.endsWith('.asked'));
      fs.renameSync(path.join(folder, asked), path.join(folder, asked.replace('.asked', '.agreed')));
      await Bench.open(other.vault, { env: other.env });
      expect(other.vault.fields(other.proposed).adopted).toHaveLength(1);
    },
  );

  attack(
    {
      attacker: 'the surroundings',
      means: 'a crash that leaves half of the file of what was asked about',
      loss: 'the question is gone, as if nothing had been asked',
      defence: 'it is still asked; a yes adopts nothing that nobody can read',
    },
    async () => {
      const { vault, env, proposed } = await arrived();
      (await Bench.open(vault, { env })).close();
      const folder = `${env.sealKey}.vaults`;
      for (const name of fs.readdirSync(folder).filter((one) => one.endsWith('.asked')))
        fs.writeFileSync(path.join(folder, name), '["half');
      const bench = await Bench.open(vault, { env });
      expect(waitingFor(bench)).toContain('arrival this-vault');
      await bench.answerNamed('confirm', 'this-vault');
      expect(waitingFor(bench)).not.toContain('arrival this-vault');
      expect(vault.fields(proposed).adopted ?? null).toBeNull();
    },
  );
});
