import fs from 'node:fs';
import { relative } from 'node:path';
import { editFields } from '../../src/vault/edit.ts';
import type { Frontmatter, Yaml } from '../../src/vault/frontmatter.ts';
import { DAY } from '../support/clock.ts';
import { matter, reversal, settings, signal, task } from '../support/notes.ts';
import { fieldsOf } from './burst.ts';
import { isRecord, type Ledger } from './ledger.ts';
import type { Random } from './random.ts';
import type { World } from './world.ts';

const SOURCES = ['mail', 'slack', 'bank', 'gcal', 'other'] as const;
const WORDS = [
  'paid',
  'signed',
  'waiting',
  'called back',
  'sent: see mail',
  '12:30',
  'yes',
  '# not a comment',
] as const;
const SCHEDULES = ['every 30m', 'every 45m', 'every 2h', '*/20 * * * *'] as const;

/** Random acts of a person, their mail and their sync tool on a vault. Each act is synchronous. */
export class Person {
  readonly signals = new Set<string>();
  /** How far a person moved each source's confidence by hand. */
  readonly moved = new Map<string, number>();
  /** What a person last set each source's confidence to. */
  readonly set = new Map<string, number>();
  /** What a person wrote into each instinct note. */
  readonly scribbles = new Map<string, readonly string[]>();
  readonly #world: World;
  readonly #random: Random;
  readonly #ledger: Ledger;
  #count = 0;

  constructor(world: World, random: Random, ledger: Ledger) {
    this.#world = world;
    this.#random = random;
    this.#ledger = ledger;
  }

  /** Writes the notes that the vault begins with. */
  settle(): void {
    this.#world.write('steward.md', settings({ default_schedule: 'every 30m' }));
    for (let index = 0; index < 6; index += 1) this.#newMatter();
    for (let index = 0; index < 16; index += 1) this.#newTask();
  }

  /** Does one random act. */
  act(): void {
    this.#random.weighted<() => void>([
      [30, () => this.#signal(this.#strength(), this.#target())],
      [8, () => this.#contradiction()],
      [16, () => this.#editField()],
      [8, () => this.#editBody()],
      [3, () => this.#newMatter()],
      [5, () => this.#newTask()],
      [2, () => this.#remove()],
      [3, () => this.#rename()],
      [6, () => this.#tick('undo')],
      [5, () => this.#dropReversal()],
      [8, () => this.#tick('confirm')],
      [5, () => this.#tick('dismiss')],
      [3, () => this.#editSettings()],
      [3, () => this.#editInstinct()],
      [2, () => this.#forgetSignal()],
    ])?.();
  }

  /** Gives a random order on the command line. */
  async order(): Promise<void> {
    const proposal = this.#openProposal();
    if (proposal !== null && this.#random.chance(0.5)) {
      const kind = this.#random.chance(0.6) ? 'confirm' : 'dismiss';
      await this.#world.ask({ op: 'answer', kind, events: [proposal], dryRun: false });
      return;
    }
    const event = this.#reversible();
    if (event === null) return;
    const force = this.#random.chance(0.2);
    await this.#world.ask({ op: 'undo', events: [event], last: null, reason: 'so asked', force, dryRun: false });
  }

  /** Restores settings that let everything through. */
  calm(): void {
    this.#world.write('steward.md', settings({ default_schedule: 'every 30m' }));
  }

  #name(kind: string): string {
    this.#count += 1;
    return `${kind} ${this.#count}`;
  }

  #write(path: string, text: string): void {
    this.#world.write(path, text);
    this.#ledger.wrote(path, text);
  }

  #newMatter(): void {
    const name = this.#name('matter');
    const fields = this.#random.chance(0.4) ? { discretion_threshold: 0.5 } : {};
    this.#write(`matter/${name}.md`, matter({ summary: name, ...fields }, `About ${name}.`));
  }

  #newTask(): void {
    const parent = this.#random.pick(this.#notesIn('matter'));
    const name = this.#name('task');
    const link = parent === null ? {} : { parent_matter: `[[${nameOf(parent)}]]` };
    const folder = this.#random.chance(0.2) ? 'task/deep' : 'task';
    this.#write(`${folder}/${name}.md`, task({ due: '2035-12-01', ...link }, `# ${name}\n\n- [ ] do it`));
  }

  #remove(): void {
    const path = this.#random.pick(this.#ledger.notes);
    if (path === null || this.#notesIn(path.startsWith('matter/') ? 'matter' : 'task').length < 5) return;
    fs.rmSync(this.#world.at(path));
    this.#ledger.gone(path);
  }

  #rename(): void {
    const from = this.#random.pick(this.#ledger.notes);
    if (from === null) return;
    const folder = from.startsWith('matter/') ? 'matter' : 'task';
    const to = this.#random.chance(0.4) ? `${folder}/moved/${nameOf(from)}.md` : `${folder}/${this.#name(folder)}.md`;
    if (to === from) return;
    fs.mkdirSync(this.#world.at(`${folder}/moved`), { recursive: true });
    fs.renameSync(this.#world.at(from), this.#world.at(to));
    this.#ledger.moved(from, to);
  }

  #editField(): void {
    const path = this.#random.pick(this.#ledger.notes);
    const field = this.#random.pick(['summary', 'owner', 'due', 'current_state', 'state', 'priority', 'notes to self']);
    if (path === null || field === null) return;
    const value = field === 'state' ? this.#state() : field === 'due' ? this.#date() : this.#random.pick(WORDS);
    this.#write(path, editFields(path, this.#world.read(path), [{ op: 'set', field, value }]).text);
  }

  #editBody(): void {
    const path = this.#random.pick(this.#ledger.notes);
    if (path !== null) this.#write(path, `${this.#world.read(path)}\nA line on ${this.#random.pick(WORDS)}.\n`);
  }

  #strength(): number {
    return this.#random.chance(0.5) ? 0.97 : this.#random.whole(50, 90) / 100;
  }

  #target(): string | null {
    return this.#random.pick(this.#ledger.notes);
  }

  #contradiction(): void {
    const target = this.#target();
    const strength = this.#random.chance(0.3) ? 0.97 : 0.8;
    this.#signal(strength, target, { class: 'context_edit', set: { owner: 'Ada' } });
    this.#signal(strength, target, { class: 'context_edit', set: { owner: 'Bob' } });
  }

  #signal(strength: number, target: string | null, proposal: Yaml = this.#proposal(target)): void {
    if (target === null) return;
    const name = this.#name('signal').replace(' ', '-');
    const fields = {
      created: new Date(this.#world.clock.now()).toISOString(),
      origin_at: new Date(this.#world.clock.now()).toISOString(),
      source_type: this.#random.pick(SOURCES),
      source_event_path: `stream/${name}.eml`,
      target_kind: target.startsWith('matter/') ? 'matter' : 'task',
      target_path: this.#random.chance(0.2) ? `[[${nameOf(target)}]]` : target,
      effect_confidence: strength,
      mutation_proposal: proposal,
    };
    this.#world.write(`signal/${name}.md`, signal(fields));
    this.signals.add(name);
  }

  #proposal(target: string | null): Yaml {
    const related = this.#random.pick(this.#notesIn('matter'));
    const link = related === null ? [] : [`[[${nameOf(related)}]]`];
    const isTask = target?.startsWith('task/') ?? false;
    return this.#random.weighted<Yaml>([
      [4, { class: 'state_change', set: { state: this.#state() } }],
      [3, { class: 'context_edit', set: { due: this.#date() } }],
      [3, { class: 'context_edit', set: { current_state: this.#random.pick(WORDS) } }],
      [3, { class: 'context_edit', set: { summary: this.#random.pick(WORDS), owner: 'Cleo' } }],
      [3, { class: 'related', add: { related_to: link } }],
      [1, { class: 'related', remove: { related_to: link } }],
      [isTask ? 2 : 0, { class: 'parent_matter', set: { parent_matter: link[0] ?? null } }],
      [1, { class: 'context_edit', set: { tags: 'not allowed' } }],
    ]);
  }

  #state(): string | null {
    return this.#random.weighted([
      [3, 'done'],
      [3, 'open'],
      [1, 'snoozed'],
      [1, 'archived'],
    ]);
  }

  #date(): string {
    return new Date(this.#world.clock.now() + this.#random.whole(-3, 30) * DAY).toISOString().slice(0, 10);
  }

  #tick(box: 'undo' | 'confirm' | 'dismiss'): void {
    const event = box === 'undo' ? this.#reversible() : this.#openProposal();
    const place = this.#world.at(`event/${event}.md`);
    if (event === null || !fs.existsSync(place)) return;
    const path = relative(this.#world.root, place);
    this.#world.write(path, this.#world.read(path).replace(new RegExp(`^${box}: false$`, 'm'), `${box}: true`));
  }

  #dropReversal(): void {
    const event = this.#reversible();
    if (event === null) return;
    const name = `event/steward-action-reversed-${this.#name('by-hand').replace(' ', '-')}.md`;
    const bare = `event/${event.replace(/^(steward|signal)-action-/, '$1-action-reversed-')}.md`;
    if (this.#random.chance(0.3) && !fs.existsSync(this.#world.at(bare))) this.#world.write(bare, '');
    else this.#world.write(name, reversal(`[[${event}]]`, this.#random.chance(0.3) ? { force: true } : {}));
  }

  /** The name of a proposal that waits. */
  #openProposal(): string | null {
    return this.#random.pick(this.#world.daemon.status().proposals)?.event ?? null;
  }

  /** The name of an event that changed something, a reversal or one taken back already among them. */
  #reversible(): string | null {
    const made = [...this.#ledger.events].filter(([, fields]) => isRecord(fields.undo_recipe));
    const recent = this.#random.chance(0.8) ? made.slice(-12) : made;
    const [path] = this.#random.pick(recent) ?? [];
    return path === undefined ? null : nameOf(path);
  }

  #editSettings(): void {
    const quiet = this.#random.chance(0.2) ? { quiet_hours: '22:00-06:00' } : {};
    const mode = this.#random.weighted<Frontmatter>([
      [6, {}],
      [1, { mode: 'shadow' }],
      [1, { mode: 'live_high_confidence_only' }],
      [1, { mode: 'whatever' }],
    ]);
    const fields = { default_schedule: this.#random.pick(SCHEDULES), settle_seconds: this.#random.whole(0, 10) };
    this.#world.write('steward.md', settings({ ...fields, ...mode, ...quiet }));
  }

  #editInstinct(): void {
    const path = this.#random.pick(this.#world.files('instinct'));
    if (path === null) return;
    this.#random.weighted<() => void>([
      [4, () => this.#setConfidence(path)],
      [2, () => this.#set(path, 'pinned', this.#random.chance(0.5))],
      [1, () => this.#set(path, 'prior', this.#random.whole(50, 100) / 100)],
      [2, () => this.#scribble(path)],
    ])?.();
  }

  #setConfidence(path: string): void {
    const { source_type: source, confidence } = fieldsOf(this.#world, path);
    if (typeof source !== 'string' || typeof confidence !== 'number') return;
    const value = this.#random.whole(70, 100) / 100;
    this.#set(path, 'confidence', value);
    this.set.set(source, value);
    this.moved.set(source, (this.moved.get(source) ?? 0) + value - confidence);
  }

  #set(path: string, field: string, value: Yaml): void {
    this.#world.write(path, editFields(path, this.#world.read(path), [{ op: 'set', field, value }]).text);
  }

  // Adds a line anywhere below the frontmatter, even between the program's own lines.
  #scribble(path: string): void {
    const line = `${this.#name('thought')} on ${this.#random.pick(WORDS)}`;
    const lines = this.#world.read(path).split('\n');
    const fence = lines.indexOf('---', 1);
    lines.splice(this.#random.whole(fence + 1, lines.length), 0, line);
    this.#world.write(path, lines.join('\n'));
    this.scribbles.set(path, [...(this.scribbles.get(path) ?? []), line]);
  }

  // Deletes an old signal, as a person does who cleans up the folder.
  #forgetSignal(): void {
    const name = this.#random.pick([...this.signals].slice(0, 10));
    if (name === null || this.#world.files('signal').length < 5) return;
    fs.rmSync(this.#world.at(`signal/${name}.md`));
    this.signals.delete(name);
  }

  #notesIn(folder: string): string[] {
    return this.#ledger.notes.filter((path) => path.startsWith(`${folder}/`));
  }
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/, '');
}
