import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { answerAll, undoAll } from '../../../src/daemon/answers.ts';
import { type Composition, compose } from '../../../src/daemon/compose.ts';
import type { Workspace } from '../../../src/daemon/context.ts';
import type { DaemonEvent } from '../../../src/daemon/environment.ts';
import { prepare } from '../../../src/daemon/lease.ts';
import { tick } from '../../../src/daemon/ticker.ts';
import { readHeldValue } from '../../../src/steward/change.ts';
import { routeSignal } from '../../../src/steward/decide.ts';
import { rememberFieldEdits } from '../../../src/steward/field-edits.ts';
import { considerOutcome, followLicence, signLicence } from '../../../src/steward/licence.ts';
import { LATE_MS, learnByHand, learningOutcomes } from '../../../src/steward/outcomes.ts';
import { listMatterNotes, trackRecord } from '../../../src/steward/sender.ts';
import type { ExtractorResult, StreamEvent } from '../../../src/steward/types.ts';
import { extract } from '../../../src/streams/extract.ts';
import { knownEvent } from '../../../src/streams/items.ts';
import { writeSignal } from '../../../src/streams/signal.ts';
import { syncTargets } from '../../../src/streams/target-sync.ts';
import { editFields } from '../../../src/vault/edit.ts';
import type { Changes, Yaml } from '../../../src/vault/frontmatter.ts';
import { ownPlaces } from '../../../src/vault/layout.ts';
import { type EventRecord, LICENCE_KINDS, type TargetRecord } from '../../../src/vault/record.ts';
import { sourceName } from '../../../src/vault/source-names.ts';
import { atOnce } from '../../../src/vault/time.ts';
import { DAY, MINUTE } from '../../support/clock.ts';
import { matter, SELDOM, settings, task } from '../../support/notes.ts';
import { type Person, SIGNED_IF_WRONG_AT_MOST, TASKS_PER_MATTER } from './assumed.ts';
import { namedBy, OUTSIDERS, type Sender } from './cast.ts';
import type { Mail, Reading } from './mails.ts';

/** A licence that the program offers, or that was signed or has ended. */
export type LicenceNews = Extract<DaemonEvent, { readonly what: 'licence' }>;

/** What the program made of some mails: it acted, proposed, or only recorded. */
export type Made = Extract<DaemonEvent, { readonly changes: Changes }>;

/** In memory where possible; the system calls are the same. */
const HOMES = fs.existsSync('/dev/shm') ? '/dev/shm' : os.tmpdir();
/** The events that a change by hand may have answered are among the newest on the note. */
const NEWEST = 5;
/** The same on every day that it runs. What is written on disk carries the real time, and must lie in the past. */
const BEGIN = Date.UTC(2036, 0, 1);
const SERVER = 'mx.home.example';
const ACCOUNT = 'DE02120300000000202051';
const STATEMENT = `the statement of account …${ACCOUNT.slice(-4)}`;

/**
 * A real vault on disk with the program at work on it, and a clock that goes only when it is told to. Knows no test
 * runner.
 */
export class Household {
  readonly #home: string;
  readonly #composed: Composition;
  readonly #clock: { at: number };
  readonly #begin: number;
  readonly #made: Made[];
  readonly #licences: LicenceNews[];
  #lessons = 0;
  readonly #reads: Map<string, Reading | null>;

  private constructor(
    home: string,
    composed: Composition,
    clock: { at: number },
    { made, licences, heard }: { made: Made[]; licences: LicenceNews[]; heard: { lesson: () => void } },
  ) {
    this.#licences = licences;
    heard.lesson = () => {
      this.#lessons += 1;
    };
    this.#home = home;
    this.#composed = composed;
    this.#clock = clock;
    this.#begin = clock.at;
    this.#made = made;
    this.#reads = new Map();
    composed.space.models.extractor = {
      name: 'simulated',
      asksModel: false,
      extract: async ({ event }) => this.#read(event),
    };
  }

  static async open(cast: readonly Sender[], { matters }: Pick<Person, 'matters'>): Promise<Household> {
    const home = fs.realpathSync(fs.mkdtempSync(path.join(HOMES, 'vy-')));
    const root = path.join(home, 'vault');
    write(
      root,
      'steward.md',
      settings({
        settle_seconds: 0,
        default_schedule: SELDOM,
        trusted_mail_servers: [SERVER],
        trusted_signal_sources: [],
        trusted_bank_accounts: [ACCOUNT],
      }),
    );
    for (let nth = 0; nth < matters; nth += 1) write(root, matterPath(nth), matter({ senders: namedBy(cast, nth) }));
    for (let nth = 0; nth < matters * TASKS_PER_MATTER; nth += 1) {
      write(
        root,
        taskPath(nth),
        task({ parent_matter: `[[m${Math.floor(nth / TASKS_PER_MATTER)}]]`, due: '2039-01-01' }),
      );
    }
    prepare(ownPlaces(root));
    const clock = { at: BEGIN };
    const made: Made[] = [];
    const licences: LicenceNews[] = [];
    const heard = { lesson: () => {} };
    const emit = (event: DaemonEvent) => {
      if (event.what === 'acted' || event.what === 'proposed' || event.what === 'recorded') made.push(event);
      else if (event.what === 'licence') licences.push(event);
      else if (event.what === 'learned') heard.lesson();
    };
    const env = {
      ceiling: 'live',
      confidenceThreshold: null,
      highConfidenceThreshold: null,
      sealKey: path.join(home, 'key'),
    } as const;
    const composed = await compose({ root, env, now: () => clock.at, emit });
    composed.recovery.run();
    return new Household(home, composed, clock, { made, licences, heard });
  }

  /** The person signs for every sender that isn't an outsider, on all of its matters. */
  signAll(cast: readonly Sender[]): void {
    const kinds = LICENCE_KINDS.filter((kind) => kind !== 'matter');
    for (const { kind, channel, from, matters } of cast) {
      if (OUTSIDERS.includes(kind)) continue;
      for (const nth of matters) {
        const about = this.space.vault.catalogue.get(matterPath(nth));
        if (about?.kind !== 'matter') throw new Error(`there is no matter ${nth}`);
        const terms = { sender: sourceName(channel, from), matter: about, kinds, until: '2099-12-31', evidence: null };
        signLicence(this.space, terms, 'command');
      }
    }
  }

  get space(): Workspace {
    return this.#composed.space;
  }

  /** Lets time pass until a day, at least a moment. */
  until(day: number): void {
    this.#clock.at = Math.max(this.#clock.at + 1, Math.round(this.#begin + day * DAY));
  }

  /** Returns what a task holds in a field. */
  holds(nth: number, field: string): Yaml {
    const note = this.space.notes.fresh(taskPath(nth));
    return note === null ? null : readHeldValue(note.data, field);
  }

  /** A mail arrives, and is read; its signal is routed, or weighed at the tick that follows. Returns what was made of it. */
  async receive(mail: Mail): Promise<readonly Made[]> {
    const { space } = this;
    const event = this.#known(streamEventOf(mail, this.#clock.at), mail.nth);
    this.#reads.set(event.path, mail.reading);
    const abort = new AbortController().signal;
    const understood = await extract(space, event, abort);
    this.#reads.delete(event.path);
    if (understood.kind === 'waits') throw new Error(understood.reason);
    for (const draft of understood.drafts) {
      const written = writeSignal(space, draft);
      const signal = written === null ? undefined : space.vault.catalogue.get(written);
      if (signal?.kind !== 'signal') throw new Error('no signal was written');
      await routeSignal(space, signal, null);
    }
    if (mail.reading !== null && this.#made.length === 0) await this.#tick(mail.reading.task, abort);
    return this.#made.splice(0);
  }

  /** The person writes a value into a field of a task, in their own editor. */
  byHand(nth: number, field: string, value: string): void {
    const file = taskPath(nth);
    const note = this.space.notes.fresh(file);
    if (note === null) throw new Error(`${file} is gone`);
    if (readHeldValue(note.data, field) === value) return;
    const edited = editFields(file, note.text, [{ op: 'set', field, value }]).text;
    write(path.dirname(this.#at('x')), file, edited, this.#clock.at);
    rememberFieldEdits(this.space, this.space.vault.look([file]));
    learnByHand(this.space, this.#target(file));
    this.#consider(this.space.vault.catalogue.eventsAbout(file).slice(0, NEWEST));
  }

  /** The person answers a proposal or an offer, or takes an act back; returns the outcome. */
  async answer(kind: 'confirm' | 'always' | 'dismiss' | 'undo', event: string): Promise<string> {
    const events = [event];
    const [answer] =
      kind === 'undo'
        ? await undoAll(this.space, { events, last: null, reason: null, force: false, dryRun: false })
        : await answerAll(this.space, {
            kind: kind === 'always' ? 'confirm' : kind,
            ...{ events, always: kind === 'always', dryRun: false },
          });
    const note = answer?.note == null ? undefined : this.space.vault.catalogue.get(answer.note);
    if (note?.kind === 'event') this.#consider([note]);
    return answer?.outcome ?? 'refused';
  }

  /** Returns what has become of licences since this was last asked. */
  licenceNews(): readonly LicenceNews[] {
    return this.#licences.splice(0);
  }

  /** How many lessons were learnt so far. */
  get lessons(): number {
    return this.#lessons;
  }

  /** Whether a sender was right so often, on the matter of its licence or of a proposal, that the person signs for it. */
  isReliable(source: string, note: string): boolean {
    const record = this.space.vault.catalogue.get(note);
    if (record?.kind !== 'licence' && record?.kind !== 'event') throw new Error(`${note} is ${record?.kind}`);
    const written = record.kind === 'licence' ? record.fields.matter : record.fields.target_path;
    const about = written === null ? null : this.space.vault.catalogue.resolve(written, ['matter', 'task']);
    if (about?.kind !== 'matter' && about?.kind !== 'task') return false;
    const { right, ...no } = trackRecord(this.space, source, about);
    const wrong = no.wrong - no.doubted; // the person has read the mail
    // What was made without her and that she let be is in the digest and in the offer.
    const alone = listMatterNotes(this.space, about)
      .flatMap(({ path: file }) => this.space.vault.catalogue.eventsAbout(file))
      .filter(({ fields }) => fields.outcome === 'acted' && fields.source_contributions[source] !== undefined);
    return wrong <= SIGNED_IF_WRONG_AT_MOST * (right + wrong + alone.length);
  }

  /** Whether the person has ever signed a licence of the sender of a proposal on its matter. */
  hasSigned(source: string, event: string): boolean {
    const { catalogue } = this.space.vault;
    const record = catalogue.get(event);
    const target = record?.kind === 'event' ? catalogue.get(record.fields.target_path ?? '') : undefined;
    if (target?.kind !== 'task') return false;
    const matter = catalogue.matterOf(target);
    return catalogue
      .licencesOf(source)
      .some(
        ({ fields }) =>
          fields.signed_at !== null &&
          fields.matter !== null &&
          catalogue.resolve(fields.matter, ['matter'])?.path === matter?.path,
      );
  }

  /** What the program does by itself from time to time: learns from weeks that ended. */
  housekeeping(): void {
    atOnce(learningOutcomes(this.space, this.#clock.at - LATE_MS));
    for (const { path: file } of this.space.vault.catalogue.licences()) followLicence(this.space, file);
    this.#composed.displaced.prune();
  }

  /** Returns the sources that bore a decision. */
  sourcesOf(event: string): readonly string[] {
    const found = this.space.vault.catalogue.get(event);
    if (found?.kind !== 'event') throw new Error(`${event} is no event`);
    return Object.keys(found.fields.source_contributions);
  }

  close(): void {
    this.space.context.state.flush();
    this.#composed.displaced.close();
    fs.rmSync(this.#home, { recursive: true, force: true });
  }

  // As the program does with each file in stream/ before it is read.
  #known(event: StreamEvent, nth: number): StreamEvent {
    const { index } = syncTargets(this.space);
    const identity = { key: `mail ${nth}`, version: String(nth), otherwise: 'other' } as const;
    const form = { size: 0, mtimeMs: 0, sha256: '', at: this.#clock.at };
    return knownEvent(index, { kind: 'event', event, form, identity }, { kind: 'new' }).event;
  }

  // As the daemon does when an event note says that a change was right.
  #consider(events: readonly EventRecord[]): void {
    for (const event of events) considerOutcome(this.space, event);
  }

  async #tick(nth: number, abort: AbortSignal): Promise<void> {
    const target = this.#target(taskPath(nth));
    const parent = target.kind === 'task' ? this.space.vault.catalogue.matterOf(target) : target;
    if (parent === null) throw new Error(`${target.path} has no matter`);
    this.#clock.at += 10 * MINUTE;
    await tick(this.space, parent, { force: true, mode: null, abort, at: this.#clock.at });
  }

  #target(file: string): TargetRecord {
    const found = this.space.vault.catalogue.get(file);
    if (found?.kind !== 'task' && found?.kind !== 'matter') throw new Error(`${file} is ${found?.kind}`);
    return found;
  }

  #at(file: string): string {
    return path.join(this.#home, 'vault', file);
  }

  #read(event: StreamEvent): ExtractorResult {
    const reading = this.#reads.get(event.path) ?? null;
    const meanings = reading === null ? [] : [meaningOf(reading, event)];
    return { meanings, skipped: null, rejected: [], unusable: null, extractor: 'simulated', usage: null };
  }
}

/** Returns the path of a task by its number. */
export function taskPath(nth: number): string {
  return `task/t${nth}.md`;
}

/** Returns the number of a task by its path. */
export function taskNumber(file: string): number {
  return Number(/t(\d+)\.md$/.exec(file)?.[1]);
}

function matterPath(nth: number): string {
  return `matter/m${nth}.md`;
}

function meaningOf(
  { task: nth, field, value, ...reading }: Reading,
  { subject }: StreamEvent,
): ExtractorResult['meanings'][number] {
  const target = taskPath(nth);
  return {
    ...{ target, candidates: [target], ambiguous: reading.ambiguous, targetConfidence: reading.targetConfidence },
    ...{ targetEvidence: reading.evidence, targetNear: reading.near, endsMatter: false },
    ...{ quote: subject, effectConfidence: reading.raw, reasoning: 'It says so.' },
    proposal: {
      class: field === 'state' ? 'state_change' : 'context_edit',
      ...{ set: { [field]: value }, add: {}, remove: {} },
    },
  };
}

// A sentence that says nothing beyond the task that it is about: whether a reading is complete is not what is simulated.
function streamEventOf({ nth, sender, vouched, reading }: Mail, now: number): StreamEvent {
  const said = reading === null ? `mail ${nth}` : `t${reading.task}`;
  const server = vouched === 'none' ? null : sender.channel === 'bank' ? STATEMENT : SERVER;
  return {
    ...{
      path: `stream/${nth}.eml`,
      sourceType: sender.channel,
      originAt: `${new Date(now).toISOString().slice(0, 19)}Z`,
    },
    ...{
      from: sender.from,
      fromName: null,
      to: ['robin@home.example'],
      subject: said,
      text: said,
      quoted: '',
    },
    ...{ bulk: false, bulkReason: null, ownNote: false, warnings: [], shown: null, doubts: [] },
    authentication: { result: vouched, server, reason: 'simulated' },
  };
}

/** `at`: when it was written (epoch ms), if that isn't now. */
function write(root: string, file: string, text: string, at: number | null = null): void {
  const [target, part] = [path.join(root, file), path.join(root, '..', 'part')];
  fs.mkdirSync(path.dirname(target), { recursive: true });
  fs.writeFileSync(part, text);
  if (at !== null) fs.utimesSync(part, at / 1000, at / 1000);
  fs.renameSync(part, target);
}
