import { type Frontmatter, readNote } from '../../src/vault/frontmatter.ts';
import { MINUTE } from '../support/clock.ts';
import { matter, settings } from '../support/notes.ts';
import { flatFields } from '../support/record.ts';
import { labelSignal } from './signals.ts';
import { World } from './world.ts';

export interface Burst {
  readonly matters: number;
  readonly signals: number;
}

export interface BurstResult {
  /** What is wrong, in sentences; empty where nothing was missed or done twice. */
  readonly wrong: readonly string[];
  readonly events: number;
  readonly guardedNotes: number;
  /** Simulated minutes until the last signal was applied. */
  readonly minutes: number;
  /** Real time, in ms: until all notes were in the catalogue, and until all signals were applied. */
  readonly seenMs: number;
  readonly appliedMs: number;
}

const DAY_MINUTES = 24 * 60;

/**
 * Drops matters and signals all at once into a running daemon's vault. Each signal adds a label of its own to its
 * matter's note, so that the note itself shows what was missed and what was done twice.
 */
export async function burst(size: Burst): Promise<BurstResult> {
  const world = new World();
  try {
    world.write('steward.md', settings({ default_schedule: 'every 30m', editable_fields: ['labels'] }));
    world.write('matter/first.md', matter());
    await world.start();
    const began = performance.now();
    drop(world, size);
    await world.settle();
    const seenMs = performance.now() - began;
    let minutes = 0;
    for (; waiting(world) > 0 && minutes < DAY_MINUTES; minutes += 1) await world.pass(MINUTE, MINUTE);
    const appliedMs = performance.now() - began;
    const events = world.files('event').map((file) => fieldsOf(world, file));
    return {
      wrong: wrongs(world, size, events),
      events: events.length,
      guardedNotes: events.filter((event) => event.decision === 'rate_guarded').length,
      ...{ minutes, seenMs, appliedMs },
    };
  } finally {
    await world.remove();
  }
}

function drop(world: World, { matters, signals }: Burst): void {
  for (let index = 0; index < signals; index += 1) {
    world.write(`signal/s${index}.md`, labelSignal(`m${index % matters}`, `s${index}`));
  }
  for (let index = 0; index < matters; index += 1) world.write(`matter/m${index}.md`, matter());
}

function waiting(world: World): number {
  return world.files('signal').filter((file) => !world.read(file).includes('\nstatus: applied\n')).length;
}

function wrongs(world: World, { matters, signals }: Burst, events: readonly Frontmatter[]): string[] {
  const judged = events.filter((event) => event.decision !== 'rate_guarded').flatMap((event) => listOf(event.signals));
  const labels = Array.from({ length: matters }, (_, index) => labelsOf(world, index));
  const schedules = world.daemon.status().schedules.length;
  return [
    ...(schedules === matters + 1 ? [] : [`${schedules} schedules for ${matters + 1} matters`]),
    ...counted(
      'in an event note',
      judged.map((link) => link.replace(/^\[\[|\]\]$/g, '')),
      signals,
    ),
    ...counted('in a matter', labels.flat(), signals),
    ...labels.flatMap((held, index) => held.filter((one) => Number(one.slice(1)) % matters !== index)),
    ...Array.from({ length: signals }, (_, index) => unstamped(world, index)).flat(),
  ];
}

function labelsOf(world: World, index: number): string[] {
  return listOf(fieldsOf(world, `matter/m${index}.md`).labels);
}

/** Checks that each of s0 … s(n−1) is there exactly once. */
function counted(where: string, found: readonly string[], signals: number): string[] {
  const counts = new Map<string, number>();
  for (const one of found) counts.set(one, (counts.get(one) ?? 0) + 1);
  return Array.from({ length: signals }, (_, index) => `s${index}`)
    .filter((name) => counts.get(name) !== 1)
    .map((name) => `${name} stands ${counts.get(name) ?? 0} times ${where}`);
}

function unstamped(world: World, index: number): string[] {
  const { status, audit_record_path: audit } = fieldsOf(world, `signal/s${index}.md`);
  return status === 'applied' && typeof audit === 'string' ? [] : [`s${index} is ${String(status)}`];
}

export function fieldsOf(world: World, file: string): Frontmatter {
  const read = readNote(file, Buffer.from(world.read(file)));
  if (!read.ok) throw new Error(`${file}: ${read.trouble.message}`);
  return flatFields(read.note.data);
}

export function listOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
