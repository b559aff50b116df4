// Over 5 s: each setting and field is changed in a vault with a daemon.
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { choosePolicy } from '../../src/channels/outbox.ts';
import { ApiKey } from '../../src/daemon/api-key.ts';
import type { Environment } from '../../src/daemon/environment.ts';
import { ownSchedule, taskCheck } from '../../src/daemon/schedule.ts';
import { SETTING_KEYS } from '../../src/daemon/settings.ts';
import { skipNow } from '../../src/daemon/ticker.ts';
import { leavingNow } from '../../src/features/retention.ts';
import { refusalFor } from '../../src/steward/spending.ts';
import { readStream } from '../../src/streams/read-stream.ts';
import { STREAMS } from '../../src/streams/state.ts';
import { FOLDER_KINDS } from '../../src/vault/layout.ts';
import { matterFields, taskFields } from '../../src/vault/record.ts';
import { ACCOUNT, bankLine, readLine, TO_PAY } from '../streams/bank-line.ts';
import { Clock, DAY, quietHoursAround } from '../support/clock.ts';
import { HOUSE, instinct, matter, PAID_MAIL, settings, signal, task, weak } from '../support/notes.ts';
import { type Files, TempVault } from '../support/temp-vault.ts';
import { Bench, LIVE } from '../support/workspace.ts';

// Every key that the contract names changes what is done or said: the same vault with the key and without it ends
// otherwise. The keys are read from the contract itself, so that one without a line here is a failure.

const PROJECT = path.resolve(import.meta.dirname, '../..');
const PAGE = fs.readFileSync(path.join(PROJECT, 'docs/contract.md'), 'utf8');
const PAY = 'task/pay.md';

/** The keys in the table under a heading of the contract. */
function documented(heading: string): string[] {
  const section = PAGE.split(/^### /m).find((one) => one.startsWith(`${heading}\n`)) ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('| '));
  return rows.flatMap((row) => [...row.matchAll(/`([a-zA-Z_]+)`/g)].map(([, key = '']) => key));
}

type Fields = Readonly<Record<string, unknown>>;
/** What is tried with a key: its value, and what comes of it in a vault where the key has this value or is missing. */
type Trial = readonly [value: unknown, outcome: (fields: Fields) => Promise<unknown>];

async function open(
  files: Files,
  env: Environment = LIVE,
  clock = new Clock(),
): Promise<{ vault: TempVault; bench: Bench }> {
  const vault = new TempVault({ ...HOUSE, 'steward.md': settings({ settle_seconds: 0 }), ...files });
  return { vault, bench: await Bench.open(vault, { env, clock }) };
}

/** What a round of ticks makes of a vault with one signal: the note, what waits, how many records were written. */
async function ticked(files: Files, proposal: object, note = PAY): Promise<unknown> {
  const about = {
    target_path: note,
    target_kind: note.startsWith('matter') ? 'matter' : 'task',
    mutation_proposal: proposal,
  };
  const { vault, bench } = await open({ 'signal/s.md': signal(about), ...files });
  const before = vault.read(note);
  await bench.tick();
  return [vault.read(note) !== before, bench.waiting().length, vault.events().length];
}

const DONE = { class: 'state_change', set: { state: 'done' } };

/** A change to a field is made where the note holds something else, and is none where it holds just that. */
function held(kind: 'matter' | 'task', field: string, value: string, list = false): Trial {
  const note = kind === 'matter' ? 'matter/house.md' : PAY;
  const proposal = list
    ? { class: 'related', add: { [field]: [value] } }
    : { class: 'context_edit', set: { [field]: value } };
  return [list ? [value] : value, (fields) => ticked({ [note]: noteOf(kind, fields) }, proposal, note)];
}

function noteOf(kind: 'matter' | 'task', fields: Fields): string {
  return kind === 'matter' ? matter(fields) : task(fields);
}

/** What a mail leads to that names none of the notes but by what the key says. */
function found(kind: 'matter' | 'task', value: unknown, words: string): Trial {
  return [
    value,
    async (fields) => {
      const note = kind === 'matter' ? 'matter/house.md' : PAY;
      const mail = PAID_MAIL.replaceAll('[[pay]]', words);
      const { vault, bench } = await open({ [PAY]: task(), [note]: noteOf(kind, fields), 'stream/mail/a.eml': mail });
      await readStream(bench.ports, 'stream/mail/a.eml', new AbortController().signal);
      return vault.names('signal').map((name) => {
        const { target_path, target_evidence, target_confidence, sender_known } = vault.fields(`signal/${name}`);
        return [target_path, target_evidence, target_confidence, sender_known];
      });
    },
  ];
}

/** What `status` names as trouble. */
function named(kind: 'matter' | 'task', value: unknown, more: Fields = {}): Trial {
  const note = kind === 'matter' ? 'matter/house.md' : PAY;
  return [
    value,
    async (fields) => (await open({ [note]: noteOf(kind, { ...more, ...fields }) })).bench.status().trouble,
  ];
}

/** Why a note would not be judged now, or when it is looked at next. */
function checked(kind: 'matter' | 'task', value: unknown, more: Fields = {}): Trial {
  const note = kind === 'matter' ? 'matter/house.md' : PAY;
  return [
    value,
    async (fields) => {
      const { bench } = await open({ [note]: noteOf(kind, { ...more, ...fields }) }, LIVE, Clock.atNoon());
      const record = bench.catalogue.get(note);
      const context = bench.ports.context;
      if (record?.kind === 'task') return taskCheck(context.state, record, 'house', context.now()).reason;
      return (
        record?.kind === 'matter' && [
          ownSchedule(context.state, record, 'every 30m').cadence,
          skipNow(bench.ports, record),
        ]
      );
    },
  ];
}

const FLAG = (kind: 'matter' | 'task'): Trial => [
  true,
  async (fields) => {
    const note = kind === 'matter' ? 'matter/house.md' : PAY;
    const { bench } = await open({ [note]: noteOf(kind, fields) });
    const record = bench.catalogue.get(note);
    return (record?.kind === 'task' || record?.kind === 'matter') && record.fields.pending_confirmation;
  },
];

const MATTER: Readonly<Record<string, Trial>> = {
  type: named('matter', 'task'),
  state: checked('matter', 'done'),
  surface_class: checked('matter', 'none'),
  steward_schedule: checked('matter', 'every 1d'),
  next_check_after: checked('matter', '2099-01-01'),
  pending_confirmation: FLAG('matter'),
  discretion_threshold: [1, (fields) => ticked({ 'matter/house.md': matter(fields) }, DONE)],
  summary: held('matter', 'summary', 'A house in Ghent'),
  description: held('matter', 'description', 'A house in Ghent'),
  owner: held('matter', 'owner', 'Robin'),
  aliases: found('matter', ['The Old Mill'], 'For The Old Mill:'),
  related_orgs: held('matter', 'related_orgs', '[[pay]]', true),
  related_projects: held('matter', 'related_projects', '[[pay]]', true),
  related_to: held('matter', 'related_to', '[[pay]]', true),
  senders: found('matter', ['billing@roof.example'], 'The house:'),
  keywords: found('matter', ['gutter repair'], 'The gutter repair:'),
  signal_sources: [['bank'], (fields) => ticked({ 'matter/house.md': matter(fields) }, DONE)],
  steward: [false, (fields) => ticked({ 'matter/house.md': matter(fields) }, DONE)],
};

/** What a bank line of 1 250.00 EUR to the roofer, for invoice 4711, comes to. */
const pays = (value: unknown): Trial => [
  value,
  async (fields) => {
    const { vault, bench } = await open({ [PAY]: task(fields) });
    await readLine(bench, bankLine());
    return vault.names('signal').length;
  },
];

const TASK: Readonly<Record<string, Trial>> = {
  amount: pays('1.250,00 €'),
  reference: pays(4711),
  invoice: pays('RE-4711'),
  iban: pays('DE89 3704 0044 0532 0130 00'),
  counterparty: pays('Roof & Sons'),
  type: named('task', 'matter'),
  state: checked('task', 'done'),
  surface_class: checked('task', 'high'),
  parent_matter: [
    '[[boat]]',
    async (fields) => {
      const { bench } = await open({ 'matter/boat.md': matter(), [PAY]: task(fields) });
      const record = bench.catalogue.get(PAY);
      return record?.kind === 'task' && bench.catalogue.matterOf(record)?.name;
    },
  ],
  due: checked('task', '2020-01-01'),
  scheduled: named('task', 'some day'),
  snoozed_until: checked('task', '2099-01-01', { state: 'snoozed' }),
  blocked_on: held('task', 'blocked_on', '[[house]]'),
  current_state: held('task', 'current_state', 'The plumber is asked'),
  completedDate: [
    '2020-01-01',
    async (fields) => {
      const { vault, bench } = await open({ [PAY]: task(fields), 'signal/s.md': signal() });
      await bench.tick();
      return Object.keys(vault.fields(PAY));
    },
  ],
  related_to: held('task', 'related_to', '[[house]]', true),
  next_check_after: checked('task', '2099-01-01'),
  pending_confirmation: FLAG('task'),
};

/** An instinct note's figures, as the threshold and the word of its source show them. */
const FIGURE = (value: unknown, more: Fields = {}): Trial => [
  value,
  async (fields) =>
    (await open({ 'instinct/mail.md': instinct('mail', { ...more, ...fields }) })).bench.status().sources,
];
const INSTINCT: Readonly<Record<string, Trial>> = {
  pinned: FIGURE(true),
  prior: FIGURE(0.5, { confidence: null }),
  confidence: FIGURE(0.3),
  observations: FIGURE(50),
};

const WITH_KEY: Environment = { ...LIVE, provider: { key: new ApiKey('not-a-key'), baseUrl: 'http://127.0.0.1:1' } };

/** What comes of settings in a vault with some files. */
function set(
  value: unknown,
  outcome: (there: { vault: TempVault; bench: Bench }) => unknown,
  files: Files = {},
  base: Fields = {},
  env = LIVE,
): Trial {
  return [
    value,
    async (fields) =>
      outcome(await open({ ...files, 'steward.md': settings({ settle_seconds: 0, ...base, ...fields }) }, env)),
  ];
}

async function afterTick({ vault, bench }: { vault: TempVault; bench: Bench }): Promise<unknown> {
  await bench.tick();
  const { state, due, room } = vault.fields(PAY);
  return [state, due, room, bench.waiting().length];
}

const acts = (value: unknown, proposal: object = DONE, base: Fields = {}) =>
  set(value, afterTick, { 'signal/s.md': signal({ mutation_proposal: proposal }) }, base);
const asks = (value: unknown, base: Fields = {}) =>
  set(value, ({ bench }) => [bench.evaluator.name, bench.extractor.name], {}, base, WITH_KEY);
const prices = (value: unknown, model: Fields) =>
  set(value, ({ bench }) => bench.status().trouble, {}, { budget_usd_per_day: 1, ...model }, WITH_KEY);
const caps = (value: unknown) =>
  set(
    value,
    ({ bench }) => {
      const note = bench.catalogue.get(PAY);
      return note?.kind === 'task' && refusalFor(bench.ports, note, [])?.code;
    },
    {},
    {},
    WITH_KEY,
  );

async function read({ vault, bench }: { vault: TempVault; bench: Bench }): Promise<unknown> {
  await readStream(bench.ports, 'stream/mail/a.eml', new AbortController().signal);
  return vault.names('signal').map((name) => vault.fields(`signal/${name}`).authenticated);
}

async function leaves({ bench }: { vault: TempVault; bench: Bench }): Promise<unknown> {
  const entry = {
    size: 1,
    mtimeMs: 1,
    sha256: 'a',
    at: Date.now() - 100 * DAY,
    signals: 0,
    skipped: null,
    refused: null,
    tried: null,
    items: null,
  };
  bench.remember(STREAMS, { 'stream/mail/a.eml': entry });
  return (await leavingNow(bench.ports)).streams;
}

/** What holds of messages on a machine that names a channel. */
const messages = (value: unknown) => set(value, ({ bench }) => choosePolicy(bench.settings, true));

/** A mail that may mean that the task is done: a limit of likelihood decides what becomes of it. */
const likely = (value: number) =>
  set(
    value,
    async (there) => {
      await read(there);
      const { vault } = there;
      return vault.names('signal').map((name) => vault.fields(`signal/${name}`).target_ambiguous);
    },
    {
      'task/Repair the garden fence.md': task(),
      'stream/mail/a.eml': PAID_MAIL.replace('[[pay]] your payment', 'Garden').replace(
        '[[pay]] has been paid. Thank you.',
        'the garden fence is in good shape again, all the boards are back.',
      ),
    },
  );

const SETTINGS: Readonly<Record<string, Trial>> = {
  mode: acts('shadow'),
  default_schedule: set('every 1d', ({ bench }) => {
    const house = bench.catalogue.get('matter/house.md');
    const { state, settings: now } = bench.ports.context;
    return house?.kind === 'matter' && ownSchedule(state, house, now.default_schedule).cadence;
  }),
  settle_seconds: set(
    3600 * 0.99,
    async (there) => {
      there.vault.write(PAY, task(), 60_000);
      return afterTick(there);
    },
    { 'signal/s.md': signal() },
  ),
  evaluator: asks('rules'),
  evaluator_fallback: set('rules', ({ bench }) => bench.evaluator.name, {}, { evaluator: 'anthropic' }),
  model_evaluation: asks('another-model'),
  model_price_in: prices(1, { model_evaluation: 'another-model', model_price_out: 1 }),
  model_price_out: prices(1, { model_evaluation: 'another-model', model_price_in: 1 }),
  model_extraction: asks('another-model'),
  model_extraction_price_in: prices(1, { model_extraction: 'another-model', model_extraction_price_out: 1 }),
  model_extraction_price_out: prices(1, { model_extraction: 'another-model', model_extraction_price_in: 1 }),
  confidence_threshold: acts(0.99),
  high_confidence_threshold: acts(0.99, DONE, { mode: 'live_high_confidence_only' }),
  propose_from: likely(0.01),
  ask_from: likely(0.01),
  budget_tokens_per_day: caps(0),
  budget_usd_per_day: caps(0),
  budget_tokens_per_matter_per_day: caps(0),
  budget_usd_per_matter_per_day: caps(0),
  editable_fields: acts(['room'], { class: 'context_edit', set: { room: 'kitchen' } }),
  protected_fields: acts(['due'], { class: 'context_edit', set: { due: '2035-12-24' } }),
  field_mapping: set(
    ['deadline = due'],
    ({ bench }) => {
      const note = bench.catalogue.get(PAY);
      return note?.kind === 'task' && note.fields.due;
    },
    { [PAY]: task({ deadline: '2035-12-01' }) },
  ),
  status_values: set(
    ['erledigt = done'],
    ({ bench }) => {
      const note = bench.catalogue.get(PAY);
      return note?.kind === 'task' && note.fields.state;
    },
    { [PAY]: task({ state: undefined, status: 'erledigt' }) },
  ),
  matter_notes: set('folder_notes', ({ bench }) => bench.catalogue.count('matter'), {
    'matter/Bathroom/Bathroom.md': matter(),
    'matter/Bathroom/tiles.md': matter(),
  }),
  trusted_mail_servers: set(['mx.other.example'], read, { 'stream/mail/a.eml': PAID_MAIL }),
  trusted_bank_accounts: set(
    [ACCOUNT],
    async ({ vault, bench }) => {
      await readLine(bench, bankLine());
      return vault.names('signal').map((name) => vault.fields(`signal/${name}`).authenticated);
    },
    TO_PAY,
  ),
  trusted_signal_sources: acts(['bank']),
  own_names: set(
    ['Sam Miller'],
    async ({ vault, bench }) => {
      await readStream(bench.ports, 'stream/mail/a.eml', new AbortController().signal);
      return vault.names('signal').map((name) => vault.fields(`signal/${name}`));
    },
    { 'stream/mail/a.eml': PAID_MAIL.replace('Hello Robin,', 'Dear Mr Miller,\r\n\r\n') },
  ),
  bank_formats: set(
    ['Date | Description | Amount => order = dmy, sign = turned'],
    async ({ bench }) => {
      await readStream(bench.ports, 'stream/card.csv', new AbortController().signal);
      return bench.status().streams.refused;
    },
    { 'stream/card.csv': 'Date,Description,Amount\n01/02/2035,Roof,3.00\n' },
  ),
  quiet_hours: set(
    quietHoursAround(Date.now()),
    ({ bench }) => {
      const note = bench.catalogue.get(PAY);
      return note?.kind === 'task' && skipNow(bench.ports, note)?.code;
    },
    { 'signal/s.md': weak() },
  ),
  notify: messages('digest'),
  notify_digest_at: messages('12:00'),
  notify_quiet_hours: messages('none'),
  notify_at_most: messages(1),
  keep_stream_days: set(30, leaves, { 'stream/mail/a.eml': PAID_MAIL }),
  keep_event_days: set(30, ({ bench }) => bench.status().retention),
  ...Object.fromEntries(
    FOLDER_KINDS.map((kind) => [
      `folder_${kind}`,
      set('elsewhere', ({ bench }) =>
        bench.ports.vault.layout.kindOf(`elsewhere/a.${kind === 'stream' ? 'eml' : 'md'}`),
      ),
    ]),
  ),
  folder_roundtable: set('elsewhere', ({ bench }) => bench.ports.vault.layout.folderKindOf('elsewhere/a.md')),
};

/** Keys of which it takes a model, or a server, to see a difference: the test that has one names them. */
const SHOWN_IN: Readonly<Record<string, string>> = {
  budget_per_agent: 'test/roundtable/session.test.ts',
  timeout_seconds: 'test/roundtable/session.test.ts',
  max_response_tokens: 'test/cli/commands/lookup.test.ts',
  haiku_model: 'test/cli/commands/lookup.test.ts',
  sonnet_model: 'test/evidence/researcher.test.ts',
  plane_project_id: 'test/daemon/plane/plane-sender.test.ts',
  plane_issue_id: 'test/daemon/plane/plane-sender.test.ts',
  autonomy: 'test/steward/licence.test.ts',
};

/** What is not a key, but stands in the list: the same field under the name that TaskNotes has. */
function untried(kind: string, trials: Readonly<Record<string, Trial>>): string[] {
  return documented(kind).filter((key) => trials[key] === undefined && SHOWN_IN[key] === undefined);
}

describe.each([
  ['Matter', MATTER],
  ['Task', TASK],
  ['Settings', SETTINGS],
])('the keys under %s', (kind, trials) => {
  test('are all tried, and none that the contract does not name', () => {
    expect(documented(kind).length).toBeGreaterThan(10);
    expect(untried(kind, trials)).toEqual([]);
    expect(Object.keys(trials).filter((key) => !documented(kind).includes(key))).toEqual([]);
  });
});

test('the contract names every key that is read, and no other', () => {
  const OURS = ['state_field', 'unexplained', 'set_aside', 'numbers', 'open_boxes', 'parent_matter', 'type'];
  expect(SETTING_KEYS.filter((key) => !documented('Settings').includes(key))).toEqual([]);
  expect(documented('Settings').filter((key) => !SETTING_KEYS.includes(key))).toEqual([]);
  const matterKeys = Object.keys(matterFields.shape).filter((key) => !OURS.includes(key));
  expect(matterKeys.filter((key) => !documented('Matter').includes(key))).toEqual([]);
  const both = [...documented('Task'), ...documented('Matter')];
  expect(Object.keys(taskFields.shape).filter((key) => !OURS.includes(key) && !both.includes(key))).toEqual([]);
});

describe.each([
  ['matter', MATTER],
  ['task', TASK],
  ['instinct', INSTINCT],
  ['steward.md', SETTINGS],
])('with a key of %s it ends otherwise than without', (_, trials) => {
  test.each(Object.entries(trials))('%s', async (key, [value, outcome]) => {
    const [without, otherwise] = [await outcome({}), await outcome({ [key]: value })];
    expect(otherwise).not.toEqual(without);
  });
});

test.each(Object.entries(SHOWN_IN))('%s is shown in %s', (key, file) => {
  expect(fs.readFileSync(path.join(PROJECT, file), 'utf8')).toContain(key);
});
