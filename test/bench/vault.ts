import fs from 'node:fs';
import path from 'node:path';
import { type EventNote, eventNoteText } from '../../src/steward/event-note.ts';
import { AgreedSettings, DEFAULT_SETTINGS } from '../../src/steward/settings.ts';
import { noteText, sha256 } from '../../src/vault/note-text.ts';
import { utc } from '../../src/vault/time.ts';
import { ANNA, ownLicence, ownSignal, testSeal } from '../support/own-signal.ts';
import { withTestIdentity } from '../support/temp-vault.ts';

const SEAL = testSeal();

/** Of all that lies behind a vault the newest. What was done then can be taken back no more. */
const NEWEST = Date.UTC(2026, 9, 14, 10, 5, 41);
const WEEK_MS = 7 * 24 * 60 * 60_000;

/** Anna may do everything wherever a matter names her. */
const LICENCE = 'licence/anna.md';
const MAIL_SERVER = 'mx.notary.example';

/** How many notes of each kind a vault of `size` notes holds; 20 tasks for each matter at any size. */
export interface Make {
  readonly matters: number;
  readonly tasks: number;
  readonly signals: number;
  readonly events: number;
  readonly others: number;
}

/**
 * A vault for measuring: the same notes in every run, shaped and sized like real ones. `nth`: of several such vaults, whose
 * matters and tasks have names of their own, so that they are not all looked at in the same second.
 */
export function makeVault(root: string, size: number | Make, nth = 0): Make {
  const make = typeof size === 'number' ? makeOf(size) : size;
  const [firstMatter, firstTask] = [nth * make.matters, nth * make.matters * 20];
  const words = new Words(make.matters * 40);
  write(
    root,
    'steward.md',
    `---\ntype: steward\nsettle_seconds: 0\ntrusted_mail_servers: [${MAIL_SERVER}]\n---\nA vault for measuring.\n`,
  );
  for (const folder of ['instinct', 'stream']) fs.mkdirSync(path.join(root, folder), { recursive: true });
  write(root, 'instinct/mail.md', INSTINCT);
  write(root, LICENCE, ownLicence(LICENCE, { matter: null }));
  withTestIdentity(root);
  write(root, '.steward/state/licences.json', JSON.stringify(agreedSettings()));
  for (let index = firstMatter; index < firstMatter + make.matters; index += 1)
    write(root, matterPath(index), matter(index, words));
  for (let index = firstTask; index < firstTask + make.tasks; index += 1)
    write(root, taskPath(index), task(index, words));
  for (let index = 0; index < make.signals; index += 1)
    write(root, signalPath(index), signal(index, firstTask + index, make, words));
  for (let index = 0; index < make.events; index += 1)
    write(root, eventPath(index), event(index, firstTask + index, words));
  for (let index = 0; index < make.others; index += 1) write(root, otherPath(index), other(index, words));
  return make;
}

/** What the user has agreed to: the server that authenticates Anna. */
function agreedSettings(): Record<string, number> {
  const agreed: Record<string, number> = {};
  const settings = { ...DEFAULT_SETTINGS, trusted_mail_servers: [MAIL_SERVER] };
  const own = new AgreedSettings(
    settings,
    () => agreed,
    (name) => SEAL.of(`agreed ${name}`),
  );
  own.begin(true, NEWEST);
  return agreed;
}

function makeOf(size: number): Make {
  const matters = Math.round(size / 40);
  const [tasks, signals, events] = [matters * 20, matters * 10, matters * 5];
  return { matters, tasks, signals, events, others: Math.max(0, size - matters - tasks - signals - events) };
}

/** A mutation signal that passes its gates by itself: it moves a task's due date. */
/**
 * A signal note at a path that passes its gates by itself: an authenticated mail of a sender with a licence moves a task's
 * due date.
 */
export function strongSignal(path: string, taskFile: string, due: string, quote: string): string {
  return ownSignal(path, {
    ...{ target_path: taskFile, raw_quote: quote, headline: quote },
    mutation_proposal: { class: 'context_edit', set: { due } },
  });
}

export const taskPath = (index: number): string => `task/${pad(Math.floor(index / 200))}/${slug('task', index)}.md`;
export const matterPath = (index: number) =>
  index % 3 === 0 ? `matter/2026/${slug('matter', index)}.md` : `matter/${slug('matter', index)}.md`;
const signalPath = (index: number) => `signal/${momentOf(index).slice(0, 7)}/${signalName(index)}.md`;
const eventPath = (index: number) => `event/${momentOf(index).slice(0, 7)}/${eventName(index)}.md`;
const otherPath = (index: number) => `notes/${pad(index % 20)}/${slug('note', index)}.md`;
const signalName = (index: number) => `${inName(momentOf(index))}-${sha256(String(index)).slice(0, 8)}`;
const eventName = (index: number) => `signal-action-${inName(momentOf(index))}-${slug('task', index)}`;
/** The moment of a signal and of its event: one every seven minutes, the first the newest. A million signals fill 13 years. */
const momentOf = (index: number) => utc(NEWEST - index * 7 * 60_000);
const inName = (moment: string) => moment.replaceAll(':', '-');

const INSTINCT = `---
type: instinct
source_type: mail
prior: 0.9
confidence: 0.9
observations: 60
reversals: 1
calibration_status: live
learns_from: outcomes
pinned: false
last_negative_at: null
---
What has been learnt of \`mail\`.
`;

function matter(index: number, words: Words): string {
  return `---
type: matter
state: ${index % 12 === 11 ? 'snoozed' : 'open'}
surface_class: ${index % 10 === 0 ? 'high' : 'normal'}
${index % 4 === 0 ? 'steward_schedule: every 2h\n' : ''}summary: ${words.take(9)}
description: "${words.take(14)}"
owner: Robin Sample
aliases:
  - ${words.take(2)} ${index}
related_orgs: ["[[${words.take(1)} Partners]]"]
senders:
  - desk-${index}@${words.take(1)}.example
  - "*@office-${index}.example"
  - ${ANNA}
keywords: [${words.take(1)}-${index}, ${words.take(1)}] # found in mails
created: 2026-0${1 + (index % 9)}-12
tags: [matter, ${words.take(1)}]
---
${words.body()}`;
}

function task(index: number, words: Words): string {
  const parent = slug('matter', Math.floor(index / 20));
  const done = index % 5 === 4;
  return `---
type: task
state: ${done ? 'done' : 'open'}
${done ? 'completedDate: "2026-09-02"\n' : ''}parent_matter: "[[${parent}${index % 3 === 0 ? `|${words.take(2)}` : ''}]]"
due: 2026-12-${pad(1 + (index % 28))}      # agreed on the phone
scheduled: 2026-11-${pad(1 + (index % 28))}
blocked_on: ${index % 7 === 0 ? words.take(3) : ''}
current_state: ${words.take(10)}
priority: ${index % 3}
contexts: ["@${words.take(1)}"]
timeEstimate: ${15 * (1 + (index % 8))}
related_to:
  - "[[${slug('note', index % 1000)}]]"
dateCreated: 2026-08-${pad(1 + (index % 28))}T09:30:00
tags: [task]
---
${words.body()}`;
}

function signalFrontmatter(target: string, quote: string): Record<string, unknown> {
  return {
    type: 'signal',
    created: '2026-10-14T10:05:41Z',
    origin_at: '2026-10-14T10:05:00Z',
    source_type: 'mail',
    source_event_path: 'stream/2026-10-14-moved.eml',
    raw_quote: quote.slice(0, 50),
    target_kind: 'task',
    target_path: target,
    target_confidence: 0.97,
    target_candidates: [],
    target_ambiguous: false,
    reasoning: 'The sender belongs to the matter and the subject names the task.',
    headline: quote,
  };
}

// One signal for each event was acted on; the rest asks for no change. None waits.
function signal(index: number, about: number, { events }: Make, words: Words): string {
  const applied = index < events;
  const frontmatter = {
    ...signalFrontmatter(taskPath(about), words.take(6)),
    created: momentOf(index),
    origin_at: momentOf(index),
    effect: applied ? 'mutation' : 'none',
    effect_confidence: 0.9409,
    effect_confidence_raw: 0.98,
    mutation_proposal: applied ? { class: 'context_edit', set: { due: '2026-12-01' } } : null,
    status: applied ? 'applied' : 'skipped',
    applied_at: applied ? momentOf(index) : null,
    audit_record_path: applied ? eventPath(index) : null,
  };
  return noteText(frontmatter, words.body(0.5));
}

function event(index: number, about: number, words: Words): string {
  const target = taskPath(about);
  const quote = words.take(6);
  const due = { before: '2026-11-20', after: '2026-12-01' };
  const note: EventNote = {
    type: 'signal-action',
    now: Date.parse(momentOf(index)),
    target,
    decision: 'context_edit',
    confidence: 0.9409,
    mode: 'live',
    outcome: 'act',
    priorState: 'open',
    prior: {
      type: 'task',
      state: 'open',
      parent_matter: `[[${slug('matter', Math.floor(about / 20))}]]`,
      due: '2026-11-20',
      current_state: words.take(10),
      related_to: [`[[${slug('note', index % 1000)}]]`],
      tags: ['task'],
    },
    changes: { due },
    evidence: [{ source: 'mail', ref: 'stream/2026-10-14-moved.eml', note: quote }],
    contributions: { mail: 0.9409 },
    signals: [signalPath(index)],
    signalsSummary: quote,
    evaluator: 'none: one signal passed its gates alone',
    reasoning: `One signal passed all gates alone. ${words.take(20)}.`,
    gates: [
      { name: 'discretion', held: true, figure: 0.94, threshold: 0.75, sentence: 'mail has 0.94 where 0.75 is asked.' },
    ],
    refusal: null,
    person: null,
    cleared: false,
    noteSha: sha256(`after ${index}`),
    pendingPatch: null,
    recipe: {
      expires_at: utc(Date.parse(momentOf(index)) + WEEK_MS),
      vault_patch: {
        target,
        before_sha256: sha256(`before ${index}`),
        after_sha256: sha256(`after ${index}`),
        fields: { due: { ...due, before_source: 'due: 2026-11-20     # at the town hall\n' } },
      },
      plane_revert: null,
    },
  };
  return eventNoteText(note, eventPath(index), SEAL);
}

function other(index: number, words: Words): string {
  return `# ${slug('note', index)}\n\n${words.body()}`;
}

function write(root: string, file: string, text: string): void {
  const place = path.join(root, file);
  fs.mkdirSync(path.dirname(place), { recursive: true });
  fs.writeFileSync(place, text);
}

function slug(kind: string, index: number): string {
  return `${kind}-${VOCABULARY[(index * 7) % VOCABULARY.length]}-${index}`;
}

function pad(figure: number): string {
  return String(figure).padStart(2, '0');
}

const VOCABULARY =
  'contract notary survey invoice kitchen passport insurance lisbon garden school deposit tenant heating boiler tile offer letter signed office phone promised Monday answer still waiting copy original certificate Grüße München naïve price agreed quarter river harbour plumber estimate window schedule'.split(
    ' ',
  );

/** Prose made from a fixed vocabulary by a seeded generator. */
class Words {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  take(count: number): string {
    return Array.from({ length: count }, () => VOCABULARY[this.#next() % VOCABULARY.length]).join(' ');
  }

  /** Returns paragraphs of 0.5 to 3 kB in total, times `scale`. */
  body(scale = 1): string {
    const wanted = (500 + (this.#next() % 2500)) * scale;
    const paragraphs: string[] = [];
    for (let length = 0; length < wanted; length += paragraphs.at(-1)?.length ?? 0) {
      paragraphs.push(`${this.take(30 + (this.#next() % 40))}.`);
    }
    return `${paragraphs.join('\n\n')}\n`;
  }

  // The linear congruential generator of Numerical Recipes; its high bits are random enough for words.
  #next(): number {
    this.#state = (Math.imul(this.#state, 1664525) + 1013904223) >>> 0;
    return this.#state >>> 8;
  }
}
