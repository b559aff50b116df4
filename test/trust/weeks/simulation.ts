import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { Status } from '../../../src/daemon/compose.ts';
import type { Explanation } from '../../../src/features/explain.ts';
import { type Frontmatter, readNote } from '../../../src/vault/frontmatter.ts';
import { localDate } from '../../../src/vault/time.ts';
import { World } from '../../endurance/world.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../support/clock.ts';
import { matter, settings, task } from '../../support/notes.ts';
import { encoded, fromLine } from '../corpus/letter.ts';
import {
  type Affair,
  type DroppedFile,
  dateOn,
  type Fact,
  momentOn,
  type Post,
  START,
  type Story,
  type TaskPlan,
} from './affair.ts';

/** The user's own mail server. */
const SERVER = 'mx.sample.example';
const TEMPLATE = path.resolve(import.meta.dirname, '../../../template/steward.md');
/** How exactly it is measured when something becomes visible, and how long it is waited for. */
const STEP_MS = 10 * SECOND;
const PATIENCE_MS = 10 * MINUTE;
/** While nothing happens, time passes in longer steps. */
const LONGEST_STEP_MS = 2 * HOUR;
/** The file of a note that a person has just edited. */
const JUST_NOW_MS = 0;

/** A mail that has arrived. */
export interface Delivered extends Post {
  readonly path: string;
  /** Epoch ms. */
  readonly at: number;
}

/** A vault, a daemon on it, and what happens to it in four weeks. Time passes only when it is told to. */
export class Simulation {
  readonly world = new World();
  readonly delivered: Delivered[] = [];
  readonly story: Story;
  /** When the last file came from outside (epoch ms). */
  lastFileAt = 0;
  readonly #notes = new Map<string, readonly { readonly path: string; readonly fields: Frontmatter }[]>();

  constructor(story: Story) {
    this.story = story;
  }

  async begin(): Promise<void> {
    const { clock } = this.world;
    clock.move(momentOn(0, 0) - clock.now());
    this.world.write('steward.md', this.#frontPage());
    for (const affair of this.story.affairs) this.#writeAffair(affair);
    await this.world.start();
    await this.world.settle();
  }

  /** The day since the start. */
  get day(): number {
    return Math.floor((this.now - START) / DAY);
  }

  get now(): number {
    return this.world.clock.now();
  }

  get status(): Status {
    return this.world.daemon.status();
  }

  /** Lets time pass until a moment, with everything done that is due in between. */
  async until(moment: number): Promise<void> {
    while (this.now < moment) {
      this.world.clock.move(Math.min(LONGEST_STEP_MS, Math.max(SECOND, moment - this.now)));
      await this.world.settle();
    }
  }

  async pass(ms: number): Promise<void> {
    await this.until(this.now + ms);
  }

  /** Delivers a mail. Returns after how many minutes `status` counts it as read. */
  async deliver(post: Post): Promise<{ readonly mail: Delivered; readonly minutes: number }> {
    const nth = String(this.delivered.length + 1).padStart(3, '0');
    const mail = { ...post, path: `stream/mail/${nth}.eml`, at: this.now };
    this.delivered.push(mail);
    const before = this.status.streams;
    this.world.write(mail.path, mailText(mail), JUST_NOW_MS);
    this.lastFileAt = this.now;
    const isVisible = () => {
      const { seen, read } = this.status.streams;
      return seen > before.seen && read > before.read;
    };
    return { mail, minutes: await this.minutesUntil(isVisible) };
  }

  /** Delivers another file, a statement or a calendar. */
  async drop({ file, text }: DroppedFile): Promise<void> {
    this.write(file, text);
    this.lastFileAt = this.now;
    await this.pass(MINUTE);
  }

  /** Returns after how many minutes something is so, checked every ten seconds; infinity if it isn't within ten minutes. */
  async minutesUntil(isSo: () => boolean): Promise<number> {
    const began = this.now;
    await this.world.settle();
    while (!isSo()) {
      if (this.now - began > PATIENCE_MS) return Number.POSITIVE_INFINITY;
      this.world.clock.move(STEP_MS);
      await this.world.settle();
    }
    return (this.now - began) / MINUTE;
  }

  /** A person, or a program of theirs, writes a file. */
  write(file: string, text: string): void {
    this.world.write(file, text, JUST_NOW_MS);
  }

  async explain(note: string): Promise<Explanation> {
    return (await this.world.ask({ op: 'explain', note })) as Explanation;
  }

  /** The frontmatter of a note. */
  fields(file: string): Frontmatter {
    const read = readNote(file, fs.readFileSync(this.world.at(file)));
    if (!read.ok) throw new Error(`${file}: ${read.trouble.message}`);
    return read.note.data;
  }

  /** The notes below a folder, by path, with their frontmatter: as they were when somebody looked first at this moment. */
  notes(folder: string): readonly { readonly path: string; readonly fields: Frontmatter }[] {
    const known = this.#notes.get(folder) ?? this.#readNotes(folder);
    this.#notes.set(folder, known);
    return known;
  }

  /** Looks at the notes anew. */
  lookAnew(): void {
    this.#notes.clear();
  }

  #readNotes(folder: string): readonly { readonly path: string; readonly fields: Frontmatter }[] {
    const files = this.world.files(folder).filter((file) => file.endsWith('.md'));
    return files.map((file) => ({ path: file, fields: this.fields(file) }));
  }

  /** The path of the matter that a task belongs to. */
  matterPath(title: string): string {
    const affair = this.story.affairs.find(({ tasks }) => tasks.some((task) => task.title === title));
    return `matter/${affair?.matter}.md`;
  }

  get tasks(): readonly TaskPlan[] {
    return this.story.affairs.flatMap(({ tasks }) => tasks);
  }

  /** What a task is in the vault now: whether it is open, and its day. */
  taskNow(title: string): { readonly isOpen: boolean; readonly state: string; readonly due: string | null } {
    const { state, status, due } = this.fields(taskPath(title));
    const word = String(state ?? status);
    return { isOpen: word === 'open', state: word, due: due == null ? null : String(due).slice(0, 10) };
  }

  /** Whether a task in the vault is as a mail says. */
  isSo(fact: Fact): boolean {
    const { state, due } = this.taskNow(fact.task);
    if (fact.is === 'moved') return due === dateOn(fact.day);
    if (fact.is === 'done') return state === 'done';
    return fact.is === 'cancelled' ? ['archived', 'cancelled', 'done'].includes(state) : true;
  }

  /** The user makes a change by hand. */
  byHand(fact: Fact): void {
    const file = taskPath(fact.task);
    const text = this.world.read(file);
    const closed = fact.is === 'cancelled' ? 'archived' : 'done';
    const edited =
      fact.is === 'moved'
        ? text.replace(/^due: .*$/m, `due: ${dateOn(fact.day)}`)
        : text.replace(/^(state|status): .*$/m, `$1: ${closed}`);
    this.write(file, edited);
  }

  async end(): Promise<void> {
    await this.world.remove();
  }

  #frontPage(): string {
    const body = fs.readFileSync(TEMPLATE, 'utf8').replace(/^---\n[\s\S]*?\n---\n/, '');
    const { account } = this.story;
    const head = settings({
      ...{ default_schedule: 'every 30m', settle_seconds: 10, notify: 'digest' },
      ...{ trusted_mail_servers: [SERVER], trusted_signal_sources: [] },
      ...(account === null ? {} : { trusted_bank_accounts: [account] }),
    });
    return head.replace('Settings.', () => body);
  }

  #writeAffair({ matter: name, summary, senders, tasks }: Affair): void {
    this.world.write(`matter/${name}.md`, matter({ summary, senders }, `${summary}.`), 3 * DAY);
    for (const { title, due, fields, isElsewhere } of tasks) {
      const day = due === null ? {} : { due: dateOn(due) };
      const text = task({ parent_matter: `[[${name}]]`, ...day, ...fields }, 'To do.');
      const own = isElsewhere === true ? text.replace(/^state: /m, 'status: ') : text;
      this.world.write(taskPath(title), own, 3 * DAY);
    }
  }
}

export function taskPath(title: string): string {
  return `task/${title}.md`;
}

/** Returns a day as people say it on another: `today`, `9 May`. */
export function dayName(at: number, now: number): string {
  if (localDate(at) === localDate(now)) return 'today';
  return new Date(at).toLocaleDateString('en-GB', { day: 'numeric', month: 'long' });
}

function mailText({ from, server, subject, text, head = [], at }: Delivered): string {
  const domain = from.address.slice(from.address.indexOf('@') + 1);
  const sent = new Date(at - MINUTE).toUTCString().replace('GMT', '+0000');
  const said = {
    confirms: `dmarc=pass header.from=${domain}; dkim=pass header.d=${domain}; spf=pass smtp.mailfrom=${from.address}`,
    'is silent': 'dmarc=none; dkim=none; spf=none',
    rejects: `dmarc=fail header.from=${domain}; dkim=none; spf=fail smtp.mailfrom=${from.address}`,
  }[server];
  return [
    `Authentication-Results: ${SERVER}; ${said}`,
    `Received: from out.${domain} (out.${domain} [192.0.2.25]) by ${SERVER} with ESMTPS id 4f2a91; ${sent}`,
    fromLine(from.name, from.address),
    'To: Robin Sample <robin@sample.example>',
    `Subject: ${encoded(subject)}`,
    `Date: ${sent}`,
    `Message-ID: <${at}.${subject.length}@${domain}>`,
    ...head,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: 8bit',
    '',
    ...text.split('\n'),
    '',
  ].join('\r\n');
}

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  z.record(z.string(), z.unknown()).safeParse(value).success;
