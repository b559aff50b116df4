import path from 'node:path';

/** What an expression of a base can be: the published types. */
export type Value =
  | null
  | boolean
  | number
  | string
  | readonly Value[]
  | Link
  | Moment
  | Duration
  | VaultFile
  | ObjectValue;

/** A link: `[[path|display]]`. */
export class Link {
  readonly path: string;
  readonly display: string;

  constructor(target: string, display: string | null = null) {
    this.path = target.replace(/\.md$/i, '');
    this.display = display ?? path.posix.basename(this.path);
  }
}

/** A date, or a date with a time, as the clock on the wall shows it. */
export class Moment {
  /** The reading of the clock, as if it were UTC (epoch ms). */
  readonly wall: number;

  constructor(wall: number) {
    this.wall = wall;
  }

  static of(text: string): Moment {
    const wall = /^\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d)?)?$/.test(text)
      ? Date.parse(`${text.replace(' ', 'T')}${text.length > 10 ? 'Z' : ''}`)
      : Number.NaN;
    if (Number.isNaN(wall)) throw new Error(`date() does not promise to read ${JSON.stringify(text)}`);
    return new Moment(wall);
  }

  get iso(): string {
    return new Date(this.wall).toISOString();
  }
}

const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** A length of time. Months and years, whose length depends on the date, are not needed here. */
export class Duration {
  readonly ms: number;

  constructor(ms: number) {
    this.ms = ms;
  }

  static of(text: string): Duration {
    const [, count = '', unit = ''] =
      /^(\d+)\s*(s|seconds?|m|minutes?|h|hours?|d|days?|w|weeks?)$/.exec(text.trim()) ?? [];
    const ms = UNITS[unit.charAt(0)];
    if (ms === undefined) throw new Error(`${JSON.stringify(text)} is no duration`);
    return new Duration(Number(count) * ms);
  }
}

/** A value with names in it. */
export class ObjectValue {
  readonly entries: Readonly<Record<string, Value>>;

  constructor(entries: Readonly<Record<string, Value>>) {
    this.entries = entries;
  }
}

/** A file of a vault, as a base sees it. */
export class VaultFile {
  readonly path: string;
  readonly size: number;
  readonly mtime: Moment;
  readonly properties: Readonly<Record<string, Value>>;

  constructor(file: string, size: number, mtime: Moment, properties: Readonly<Record<string, Value>>) {
    this.path = file;
    this.size = size;
    this.mtime = mtime;
    this.properties = properties;
  }

  get folder(): string {
    const folder = path.posix.dirname(this.path);
    return folder === '.' ? '' : folder;
  }

  get name(): string {
    return path.posix.basename(this.path);
  }

  get ext(): string {
    return path.posix.extname(this.path).slice(1);
  }

  get basename(): string {
    return path.posix.basename(this.path, path.posix.extname(this.path));
  }
}

/** The name of a value's type. */
export function typeOf(value: Value): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  if (value instanceof Link) return 'link';
  if (value instanceof Moment) return 'date';
  if (value instanceof Duration) return 'duration';
  if (value instanceof VaultFile) return 'file';
  return value instanceof ObjectValue ? 'object' : typeof value;
}

/** Whether a value counts as true. */
export function isTruthy(value: Value): boolean {
  return isList(value) ? value.length > 0 : Boolean(value);
}

export function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value);
}

/** What a cell shows. */
export function textOf(value: Value): string {
  if (value === null) return '';
  if (isList(value)) return value.map(textOf).join(', ');
  if (value instanceof Link) return value.display;
  if (value instanceof Moment) return value.iso.slice(0, 19).replace('T00:00:00', '');
  if (value instanceof Duration) return `${value.ms} ms`;
  if (value instanceof VaultFile) return value.basename;
  return value instanceof ObjectValue ? JSON.stringify(value.entries) : String(value);
}
