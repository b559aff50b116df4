import fs from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { isList, Link, Moment, ObjectValue, type Value, VaultFile } from './values.ts';

const typesFile = z.object({ types: z.record(z.string(), z.string()) });
/** The types of properties by name, as Obsidian is told them. */
export type PropertyTypes = Readonly<Record<string, string>>;

/** Reads the types of properties of a vault. */
export function propertyTypes(root: string): PropertyTypes {
  return typesFile.parse(JSON.parse(fs.readFileSync(path.join(root, '.obsidian/types.json'), 'utf8'))).types;
}

/** Reads all files of a vault as a base sees them: dot-files are none. */
export function filesOf(root: string): VaultFile[] {
  const types = propertyTypes(root);
  return fs
    .readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((name) => name.split(path.sep).join('/'))
    .filter((name) => !name.split('/').some((part) => part.startsWith('.')))
    .filter((name) => fs.statSync(path.join(root, name)).isFile())
    .map((name) => fileOf(root, name, types));
}

function fileOf(root: string, name: string, types: PropertyTypes): VaultFile {
  const { size, mtimeMs } = fs.statSync(path.join(root, name));
  const properties = name.endsWith('.md') ? propertiesIn(fs.readFileSync(path.join(root, name), 'utf8')) : {};
  const typed = Object.entries(properties).map(([key, value]) => [key, typedValue(value, types[key])]);
  return new VaultFile(name, size, new Moment(mtimeMs), Object.fromEntries(typed));
}

const fields = z.record(z.string(), z.unknown()).catch({});

function propertiesIn(text: string): Readonly<Record<string, unknown>> {
  const yaml = /^\uFEFF?---\r?\n([\s\S]*?)^---\s*$/m.exec(text)?.[1];
  try {
    return yaml === undefined ? {} : fields.parse(parse(yaml));
  } catch {
    return {}; // Obsidian shows no properties of what it cannot read
  }
}

function typedValue(written: unknown, type: string | undefined): Value {
  const value = readValue(written);
  const isDate = (type === 'date' || type === 'datetime') && typeof value === 'string';
  return isDate && /^\d{4}-\d\d-\d\d/.test(value) ? Moment.of(value.slice(0, 19)) : value;
}

function readValue(written: unknown): Value {
  if (written === null || written === undefined) return null;
  if (Array.isArray(written)) return written.map(readValue);
  if (typeof written === 'string') return linkIn(written) ?? written;
  if (typeof written === 'number' || typeof written === 'boolean') return written;
  const entries = fields.parse(written);
  return new ObjectValue(Object.fromEntries(Object.entries(entries).map(([key, value]) => [key, readValue(value)])));
}

function linkIn(text: string): Link | null {
  const [, target, shown] = /^\[\[([^[\]|]+)(?:\|([^[\]]+))?\]\]$/.exec(text) ?? [];
  return target === undefined ? null : new Link(target, shown ?? null);
}

/** Whether a value has a part that a person could not read in a cell. */
export function isNested(value: Value): boolean {
  return isList(value) ? value.some(isNested) : value instanceof ObjectValue;
}
