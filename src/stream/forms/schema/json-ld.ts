import { z } from 'zod';
import { localName, saidText, type Thing } from './thing.ts';

const object = z.record(z.string(), z.unknown());
const list = z.array(z.unknown());

const MOST_CHARACTERS = 64 * 1024;
const MOST_DEPTH = 8;
/** No mail says so much of a thing. */
const MOST_VALUES = 2000;

/** How much of a text may still be read. */
interface Room {
  left: number;
}

/** Returns the things that a text in JSON-LD tells of; nothing where it cannot be read, or is too large. */
export function thingsInJson(text: string): readonly Thing[] {
  if (text.length > MOST_CHARACTERS) return [];
  try {
    return thingsIn(JSON.parse(text), 0, { left: MOST_VALUES });
  } catch {
    return []; // it is no JSON, or nests without end
  }
}

function thingsIn(value: unknown, depth: number, room: Room): readonly Thing[] {
  return saidBy(value, depth, room).flatMap((said) => (typeof said === 'string' ? [] : graphOf(said)));
}

/** A thing may only be there to hold others. */
function graphOf(thing: Thing): readonly Thing[] {
  const held = (thing.said.get('@graph') ?? []).filter((one) => typeof one !== 'string');
  return thing.types.length > 0 ? [thing, ...held] : held;
}

function saidBy(value: unknown, depth: number, room: Room): readonly (string | Thing)[] {
  room.left -= 1;
  if (depth > MOST_DEPTH || room.left < 0) return [];
  if (typeof value === 'string') return value.trim() === '' ? [] : [saidText(value)];
  if (typeof value === 'number' && Number.isSafeInteger(value)) return [String(value)];
  const several = list.safeParse(value);
  if (several.success) return several.data.flatMap((one) => saidBy(one, depth + 1, room));
  const one = object.safeParse(value);
  return one.success ? [thingOf(one.data, depth, room)] : [];
}

function thingOf(fields: Readonly<Record<string, unknown>>, depth: number, room: Room): Thing {
  const said = new Map(
    Object.entries(fields).map(([name, value]) => [localName(name), saidBy(value, depth + 1, room)]),
  );
  const types = (said.get('@type') ?? []).filter((one) => typeof one === 'string').map(localName);
  return { types, said };
}
