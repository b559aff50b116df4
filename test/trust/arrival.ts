import { z } from 'zod';
import { readStream } from '../../src/streams/read-stream.ts';
import { type Frontmatter, readNote } from '../../src/vault/frontmatter.ts';
import { Clock, DAY } from '../support/clock.ts';
import { flatFields } from '../support/record.ts';
import { Running } from '../support/running.ts';
import { type Files, TempVault } from '../support/temp-vault.ts';
import { Bench, LIVE } from '../support/workspace.ts';
import { type Letter, rawMail } from './corpus/letter.ts';
import { copyVault } from './licensed.ts';

/** What arrives in a vault: mails, and notes that somebody drops into it. */
export interface Parcel {
  readonly id: string;
  readonly mails: readonly Letter[];
  readonly drops: Files;
}

/** What arrives together, and who reads it. */
export interface Arrival<Item extends Parcel> {
  /** The vault as it was before, to be copied from. */
  readonly folder: string;
  readonly parcels: readonly Item[];
  readonly env?: typeof LIVE;
  /** Called before the mails of a parcel are read. */
  readonly before?: (parcel: Item) => void;
}

/** Fields with the values that a note has, or would have. */
export type Fields = Readonly<Record<string, unknown>>;

/** What has become of a vault in the days after something arrived. */
export interface Aftermath {
  /** The matters and tasks that are not as they were, but for the flag of a proposal: what their fields hold now. */
  readonly changed: ReadonlyMap<string, Fields>;
  /** The acts, a line each: the note, what stood behind it, and the event note. */
  readonly acts: readonly string[];
  /** What was proposed, by the path of the note it is about. */
  readonly proposed: ReadonlyMap<string, Fields>;
}

/** After a night, and after the window in which an act can be taken back. */
const LATER_DAYS = [1, 7];

/**
 * Has parcels arrive in a live vault: mails are read and signals weighed, a daemon starts on what lies there if notes
 * were dropped, and the vault is ticked again days later. Returns what has become of it.
 */
export async function arrive<Item extends Parcel>(arrival: Arrival<Item>): Promise<Aftermath> {
  const { folder, parcels, env = LIVE } = arrival;
  const vault = new TempVault();
  copyVault(folder, vault.root);
  // What lies in a vault when the program first meets it is taken as its own; what is dropped later is not.
  (await Bench.open(vault, { env })).close();
  for (const { id, mails, drops } of parcels) {
    for (const [file, text] of Object.entries(drops)) vault.write(file, text);
    for (const [nth, letter] of mails.entries()) vault.write(streamFile(id, nth), rawMail(letter));
  }
  const asPlanted = vault.snapshot();
  await readAll(vault, arrival);
  if (parcels.some(({ drops }) => Object.keys(drops).length > 0)) await withDaemon(vault, env);
  await tickLater(vault, env);
  return differences(vault, asPlanted);
}

async function readAll<Item extends Parcel>(
  vault: TempVault,
  { parcels, env = LIVE, before }: Arrival<Item>,
): Promise<void> {
  const bench = await Bench.open(vault, { env });
  await bench.sweep();
  for (const parcel of parcels) {
    before?.(parcel);
    for (const nth of parcel.mails.keys()) {
      const read = await readStream(bench.ports, streamFile(parcel.id, nth), new AbortController().signal);
      if (read === null || read.kind === 'waits') throw new Error(`${parcel.id} was not read: ${read?.reason}`);
    }
  }
  await bench.tick();
  bench.close();
}

// Ticked boxes and dropped files are the daemon's to hear of.
async function withDaemon(vault: TempVault, env: typeof LIVE): Promise<void> {
  const running = await Running.start(vault, { env });
  await running.sync();
  await running.daemon.idle();
  await running.stop();
}

async function tickLater(vault: TempVault, env: typeof LIVE): Promise<void> {
  const clock = new Clock();
  const bench = await Bench.open(vault, { env, clock });
  for (const days of LATER_DAYS) {
    clock.move(days * DAY);
    await bench.tick();
  }
  bench.close();
}

function differences(vault: TempVault, asPlanted: Readonly<Record<string, string>>): Aftermath {
  const now = vault.snapshot();
  const notes = Object.keys({ ...asPlanted, ...now }).filter((file) => /^(?:matter|task)\//.test(file));
  const moved = notes.filter((file) => unflagged(now[file]) !== unflagged(asPlanted[file]));
  const fresh = Object.keys(now).filter((file) => file.startsWith('event/') && asPlanted[file] === undefined);
  const events = fresh.map((file) => [file, vault.fields(file)] as const);
  const proposals = events.filter(([, { pending_confirmation: pending }]) => pending === true);
  return {
    changed: new Map(moved.map((file) => [file, difference(file, asPlanted[file], now[file])])),
    acts: events
      .filter(([, fields]) => fields.undo_recipe != null)
      .map(([file, fields]) => actLine(vault, file, fields)),
    proposed: new Map(proposals.map(([, fields]) => [String(fields.target_path), wanted(fields)])),
  };
}

/** The fields that a note has got since, without the flag of a proposal. */
function difference(file: string, before = '', after = ''): Fields {
  const [was, is] = [fieldsIn(file, before), fieldsIn(file, after)];
  const names = Object.keys({ ...was, ...is }).filter((name) => name !== 'pending_confirmation');
  const moved = names.filter((name) => JSON.stringify(was[name]) !== JSON.stringify(is[name]));
  return Object.fromEntries(moved.map((name) => [name, is[name]]));
}

function fieldsIn(file: string, text: string): Fields {
  const read = readNote(file, Buffer.from(text));
  return read.ok ? flatFields(read.note.data) : {};
}

const changes = z.record(z.string(), z.object({ after: z.unknown() }));

function wanted(fields: Fields): Fields {
  const read = changes.safeParse(fields.changes ?? {});
  return Object.fromEntries(Object.entries(read.data ?? {}).map(([name, { after }]) => [name, after]));
}

/** Says of an act which note it wrote, and what stood behind it. */
function actLine(vault: TempVault, file: string, { target_path: target, signals }: Frontmatter): string {
  const links = Array.isArray(signals) ? signals.map(String) : [];
  const sources = links.map((link) => sourceOf(vault, link.replaceAll(/\[\[|\]\]/g, '')));
  return `${target} by ${sources.join(', ')} (${file})`;
}

function sourceOf(vault: TempVault, name: string): string {
  const file = `signal/${name}.md`;
  return vault.has(file) ? String(vault.fields(file).source_event_path) : name;
}

function unflagged(text: string | undefined): string | undefined {
  return text?.replace(/^pending_confirmation: (?:true|false)\r?\n/m, '');
}

function streamFile(id: string, nth: number): string {
  return `stream/${id}${nth === 0 ? '' : `-${nth + 1}`}.eml`;
}

/** Returns items in groups, so that no group has two about the same note: what one does hides nothing that another does. */
export function apart<Item extends { readonly about: string }>(items: readonly Item[]): readonly (readonly Item[])[] {
  const groups: Item[][] = [];
  for (const item of items) {
    const free = groups.find((group) => group.every(({ about }) => about !== item.about));
    if (free === undefined) groups.push([item]);
    else free.push(item);
  }
  return groups;
}
