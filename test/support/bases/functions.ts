import {
  Duration,
  isList,
  isTruthy,
  Link,
  Moment,
  ObjectValue,
  textOf,
  typeOf,
  type Value,
  VaultFile,
} from './values.ts';

// The functions of the published reference, those left out that make pictures, HTML, or walk through lists and links.

type Method = (of: Value, given: readonly Value[], files: readonly VaultFile[]) => Value;

/** The properties of `file`, as they are published. */
export const FILE_PROPERTIES: ReadonlySet<string> = new Set(
  ['backlinks', 'basename', 'ctime', 'embeds', 'ext', 'file', 'folder', 'links', 'mtime', 'name', 'path'].concat(
    ...['properties', 'size', 'tags'],
  ),
);

const ANY: Readonly<Record<string, Method>> = {
  isTruthy: (of) => isTruthy(of),
  isType: (of, [type]) => typeOf(of) === type,
  toString: (of: Value) => textOf(of),
};

const METHODS: Readonly<Record<string, Readonly<Record<string, Method>>>> = {
  string: {
    contains: (of, [part]) => text(of).includes(text(part)),
    containsAll: (of, parts) => parts.every((part) => text(of).includes(text(part))),
    containsAny: (of, parts) => parts.some((part) => text(of).includes(text(part))),
    startsWith: (of, [part]) => text(of).startsWith(text(part)),
    endsWith: (of, [part]) => text(of).endsWith(text(part)),
    isEmpty: (of) => of === '',
    lower: (of) => text(of).toLowerCase(),
    replace: (of, [from, to]) => text(of).replaceAll(text(from), () => text(to)),
    slice: (of, [from, to]) => text(of).slice(count(from), to === undefined ? undefined : count(to)),
    split: (of, [at]) => text(of).split(text(at)),
    trim: (of) => text(of).trim(),
  },
  number: {
    abs: (of) => Math.abs(count(of)),
    ceil: (of) => Math.ceil(count(of)),
    floor: (of) => Math.floor(count(of)),
    isEmpty: () => false,
    round: (of, [digits = 0]) => Number(count(of).toFixed(count(digits))),
    toFixed: (of, [digits]) => count(of).toFixed(count(digits)),
  },
  date: {
    date: (of) => Moment.of(moment(of).iso.slice(0, 10)),
    format: (of, [pattern]) => formatted(moment(of), text(pattern)),
    time: (of) => moment(of).iso.slice(11, 19),
    isEmpty: () => false,
  },
  list: {
    contains: (of, [item = null]) => items(of).some((one) => isSame(one, item)),
    isEmpty: (of) => items(of).length === 0,
    join: (of, [between]) => items(of).map(textOf).join(text(between)),
    reverse: (of) => items(of).toReversed(),
    slice: (of, [from, to]) => items(of).slice(count(from), to === undefined ? undefined : count(to)),
  },
  file: {
    asLink: (of, [shown]) => new Link(file(of).path, shown === undefined ? null : text(shown)),
    hasProperty: (of, [name]) => Object.hasOwn(file(of).properties, text(name)),
    inFolder: (of, [folder]) => `${file(of).folder}/`.startsWith(`${text(folder)}/`),
  },
  object: {
    isEmpty: (of) => Object.keys(object(of).entries).length === 0,
    keys: (of) => Object.keys(object(of).entries),
    values: (of) => Object.values(object(of).entries),
  },
  link: { asFile: (of, _, files) => (of instanceof Link ? fileAt(of, files) : null) },
  boolean: {},
  // What a note does not have answers nothing but that.
  null: { isEmpty: () => true },
};

/** The names of all functions that some type has. */
export const METHOD_NAMES: ReadonlySet<string> = new Set([ANY, ...Object.values(METHODS)].flatMap(Object.keys));

const GLOBALS: Readonly<Record<string, (given: readonly Value[], now: Moment) => Value>> = {
  date: ([value = null]) => (value instanceof Moment ? value : Moment.of(text(value))),
  duration: ([value]) => Duration.of(text(value)),
  link: ([target, shown]) => new Link(text(target), shown === undefined ? null : textOf(shown)),
  list: ([value = null]) => (isList(value) ? value : [value]),
  max: (given) => Math.max(...given.map(count)),
  min: (given) => Math.min(...given.map(count)),
  now: (_, now) => now,
  number: ([value = null]) => (value instanceof Moment ? value.wall : Number(value)),
  today: (_, now) => Moment.of(now.iso.slice(0, 10)),
};

/** The names of all functions that stand alone. `if` looks at one of its results only, and is evaluated elsewhere. */
export const GLOBAL_NAMES: ReadonlySet<string> = new Set(['if', ...Object.keys(GLOBALS)]);

/** Calls a function that stands alone. */
export function callGlobal(name: string, given: readonly Value[], now: Moment): Value {
  const found = own(GLOBALS, name);
  if (found === undefined) throw new Error(`no function ${name}()`);
  return found(given, now);
}

/** Calls a function of a value. Throws where its type has none of this name. */
export function callMethod(of: Value, name: string, given: readonly Value[], files: readonly VaultFile[]): Value {
  const found = own(METHODS[typeOf(of)] ?? {}, name) ?? own(ANY, name);
  if (found === undefined) throw new Error(`a ${typeOf(of)} has no function ${name}()`);
  return found(of, given, files);
}

// Every object has a `toString` of its own, which is none of the published ones.
function own<Entry>(entries: Readonly<Record<string, Entry>>, name: string): Entry | undefined {
  return Object.hasOwn(entries, name) ? entries[name] : undefined;
}

/** Returns a field of a value. Throws where its type has none of this name. */
export function fieldOf(of: Value, name: Value): Value {
  if (of === null) return null;
  if (isList(of)) return name === 'length' ? of.length : (of[count(name)] ?? null);
  if (of instanceof ObjectValue) return of.entries[text(name)] ?? null;
  if (of instanceof VaultFile) return fileField(of, text(name));
  if (typeof of === 'string' && name === 'length') return of.length;
  throw new Error(`a ${typeOf(of)} has no field ${textOf(name)}`);
}

// By its path, or by its name alone.
function fileAt({ path }: Link, files: readonly VaultFile[]): VaultFile | null {
  const known = files.filter((one) => one.ext === 'md');
  return known.find((one) => one.path === `${path}.md`) ?? known.find((one) => one.basename === path) ?? null;
}

function fileField(of: VaultFile, name: string): Value {
  switch (name) {
    case 'name':
    case 'basename':
    case 'path':
    case 'folder':
    case 'ext':
    case 'size':
    case 'mtime':
      return of[name];
    case 'properties':
      return new ObjectValue(of.properties);
    default:
      throw new Error(`file.${name} is not evaluated here`);
  }
}

/** Whether two values are equal: links by where they lead, dates by the moment. */
export function isSame(one: Value, other: Value): boolean {
  if (one instanceof Link && other instanceof Link) return one.path === other.path;
  if (one instanceof Moment && other instanceof Moment) return one.wall === other.wall;
  return one === other;
}

/** Returns the order of two values of one type. Throws where they have none. */
export function compared(one: Value, other: Value): number {
  const [left, right] = [orderOf(one), orderOf(other)];
  if (typeof left !== typeof right) throw new Error(`a ${typeOf(one)} and a ${typeOf(other)} have no order`);
  return left < right ? -1 : left > right ? 1 : 0;
}

function orderOf(value: Value): number | string {
  if (value instanceof Moment) return value.wall;
  if (value instanceof Duration) return value.ms;
  return typeof value === 'number' || typeof value === 'boolean' ? Number(value) : textOf(value);
}

const TOKENS: readonly (readonly [token: string, from: number, to: number])[] = [
  ['YYYY', 0, 4],
  ['MM', 5, 7],
  ['DD', 8, 10],
  ['HH', 11, 13],
  ['mm', 14, 16],
  ['ss', 17, 19],
];

function formatted({ iso }: Moment, pattern: string): string {
  return pattern.replaceAll(/[A-Za-z]+/g, (word) => {
    const token = TOKENS.find(([name]) => name === word);
    if (token === undefined) throw new Error(`format() knows no ${word} here`);
    return iso.slice(token[1], token[2]);
  });
}

function text(value: Value | undefined): string {
  if (typeof value !== 'string') throw new Error(`text is asked for, not ${typeOf(value ?? null)}`);
  return value;
}

function count(value: Value | undefined): number {
  if (typeof value !== 'number') throw new Error(`a number is asked for, not ${typeOf(value ?? null)}`);
  return value;
}

function items(value: Value): readonly Value[] {
  if (!isList(value)) throw new Error('a list is asked for');
  return value;
}

function moment(value: Value): Moment {
  if (!(value instanceof Moment)) throw new Error('a date is asked for');
  return value;
}

function file(value: Value): VaultFile {
  if (!(value instanceof VaultFile)) throw new Error('a file is asked for');
  return value;
}

function object(value: Value): ObjectValue {
  if (!(value instanceof ObjectValue)) throw new Error('an object is asked for');
  return value;
}
