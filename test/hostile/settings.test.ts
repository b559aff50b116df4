import { describe, expect, onTestFinished } from 'vitest';
import { Sandbox } from '../stories/support.ts';
import { matter, settings, task } from '../support/notes.ts';
import { ownSignal } from '../support/own-signal.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench, LIVE, only } from '../support/workspace.ts';
import { attack } from './attack.ts';

// What somebody who can write `steward.md`, and nothing outside the vault, can make the program do.

type Fields = Readonly<Record<string, unknown>>;

const PEER = { attacker: 'a sync peer' } as const;

/** What `status` says of a vault with these settings, asked at its door. */
async function statusWith(fields: Fields, env = LIVE): Promise<string> {
  const vault = new TempVault({ 'steward.md': settings(fields), 'matter/house.md': matter(), 'task/pay.md': task() });
  const bench = await Bench.open(vault, { env });
  await bench.tick();
  return JSON.stringify(bench.status());
}

describe('record folders', () => {
  for (const folder of [
    ...['.steward/state', '.steward', 'task/../.steward/state', 'x/.hidden', '../other', '/etc', 'C:x', 'a\\b'],
    ...['a//b', './task', 'a/./b', 'file:task', 'x.tmp', 'task\u2028'],
  ]) {
    attack(
      {
        ...PEER,
        means: `folder_task: ${JSON.stringify(folder)}`,
        loss: 'the program’s own state, or files outside the vault, are taken for notes and written',
        defence: 'a folder is a plain name inside the vault',
      },
      async () => {
        expect(await statusWith({ folder_task: folder })).toContain('folder_task must be the name of a folder inside');
      },
    );
  }

  for (const [means, fields] of [
    ['tasks in the folder of the matters', { folder_task: 'matter' }],
    ['the same in other letters', { folder_task: 'Matter' }],
    ['the same in decomposed letters', { folder_task: 'arch\u00edv', folder_matter: 'archi\u0301v' }],
    ['the streams inside the tasks', { folder_stream: 'task/stream' }],
    ['the events in the folder of the streams', { folder_event: 'stream' }],
  ] as const) {
    attack(
      {
        ...PEER,
        means,
        loss: 'a mail is read as a task, or a task as a matter',
        defence: 'each folder has a place of its own',
      },
      async () => expect(await statusWith(fields)).toContain('must each have their own place, not inside one another'),
    );
  }
});

describe('names of fields', () => {
  for (const line of [
    'tags = parent_matter',
    'deadline = steward',
    'steward = x',
    'Type = parent_matter',
    'x = pinned',
  ]) {
    attack(
      {
        ...PEER,
        means: `field_mapping: ${line}`,
        loss: 'a protected field is written, or hands off no longer said, under another name',
        defence: 'protected fields have no other name',
      },
      async () =>
        expect(await statusWith({ field_mapping: [line] })).toContain('can give a protected field no other name'),
    );
  }

  attack(
    {
      ...PEER,
      means: 'field_mapping: iban = parent_matter, where the settings protect iban',
      loss: 'a change of the matter is written into the iban',
      defence: 'a field is protected under the name that the note has for it',
    },
    async () => {
      const proposal = { class: 'parent_matter', set: { parent_matter: '[[garden]]' } };
      const vault = new TempVault({
        'steward.md': settings({
          settle_seconds: 0,
          field_mapping: ['iban = parent_matter'],
          protected_fields: ['iban'],
        }),
        'matter/house.md': matter(),
        'matter/garden.md': matter(),
        'task/pay.md': task({ parent_matter: undefined, iban: '[[house]]' }).replace(/^parent_matter:.*\n/m, ''),
        'signal/s.md': ownSignal('signal/s.md', { mutation_proposal: proposal, effect_confidence: 0.8 }),
      });
      const bench = await Bench.open(vault);
      await bench.tick();
      const event = only(vault.events());
      await bench.confirm(event).catch(() => {});
      expect(vault.fields('task/pay.md')).toMatchObject({ iban: '[[house]]' });
      expect(JSON.stringify(vault.fields(event).gates)).toContain('iban is protected');
    },
  );
});

describe('what no setting says', () => {
  attack(
    {
      ...PEER,
      means: 'mode: live, where the environment allows shadow',
      loss: 'notes are changed without a person',
      defence: 'the environment is the ceiling',
    },
    async () => {
      const box = new Sandbox('none');
      onTestFinished(() => box[Symbol.asyncDispose]());
      box.write('steward.md', settings({ mode: 'live', folder_task: '.steward/state' }));
      const { stdout } = await box.steward(['status', '--all', '--vault', box.vault]);
      expect(stdout).toContain('mode shadow (STEWARD_LIVE_MODE limits it)');
      expect(stdout).toContain('folder_task must be the name of a folder inside the vault');
    },
  );

  for (const key of ['anthropic_base_url', 'base_url', 'api_key', 'evidence_roots', 'anthropic_api_key', 'seal_key']) {
    attack(
      {
        ...PEER,
        means: `${key} in steward.md`,
        loss: 'notes, or the key, go to somebody else’s server',
        defence: 'addresses, keys and roots come from the environment alone',
      },
      async () => expect(await statusWith({ [key]: 'https://evil.example' })).toContain(`Unknown setting \\"${key}\\"`),
    );
  }

  for (const [means, fields, says] of [
    ['a tick every second', { default_schedule: 'every 1s' }, 'default_schedule'],
    ['an evaluator of their own', { evaluator: 'https://evil.example' }, 'evaluator must be'],
    ['a model’s id with a line break', { model_evaluation: 'a\nb' }, 'must be the id of a model'],
    ['a budget below nothing', { budget_usd_per_day: -1 }, 'budget_usd_per_day must be'],
    ['a threshold of nothing at all', { confidence_threshold: -1 }, 'confidence_threshold must be'],
  ] as const) {
    attack(
      { ...PEER, means, loss: 'the program is worn out, or asks somebody else', defence: 'each setting is parsed' },
      async () => expect(await statusWith(fields)).toContain(says),
    );
  }
});
