import { z } from 'zod';
import { plainPath } from './note-path.ts';
import {
  checkbox,
  type Frontmatter,
  optionalPath,
  optionalText,
  optionalUnit,
  orNull,
  stewardSwitch,
  surfaceClass,
  text,
  textList,
} from './records/values.ts';
import { answeredFields, isSiblingType, SIBLING_TYPES } from './records.ts';

/** Says of a value that its schema is to be asked what it means. */
const ASK = Symbol('ask');

/** What a value of one field means, or `ASK`. */
type PlainValue = (value: unknown) => unknown;

/*
 * Nearly all fields are texts, lists of texts and boxes, written as one writes them. What such a value means is told here
 * in a fraction of the time that a schema takes. LAW: whatever is told is what the schema says.
 */
const TOLD: ReadonlyMap<z.ZodType, PlainValue> = new Map<z.ZodType, PlainValue>([
  [optionalText, told],
  [text, (value) => (typeof value === 'string' ? value : ASK)],
  [
    optionalPath,
    (value) => (typeof value === 'string' && value !== '' ? plainPath(value) : value === null ? null : ASK),
  ],
  [textList, toldList],
  [checkbox, (value) => (typeof value === 'boolean' ? value : ASK)],
  [stewardSwitch, (value) => value !== false && value !== 'false'],
  [optionalUnit, (value) => (value === null || isUnit(value) ? value : ASK)],
  [surfaceClass, (value) => (value === 'normal' || value === 'high' || value === 'none' ? value : ASK)],
]);

function told(value: unknown): unknown {
  return typeof value === 'string' ? (value === '' ? null : value) : value === null ? null : ASK;
}

function toldList(value: unknown): unknown {
  if (typeof value === 'string') return value === '' ? [] : [value];
  if (!Array.isArray(value)) return value === null ? [] : ASK;
  for (const member of value) if (typeof member !== 'string' || member === '') return ASK;
  return value;
}

function isUnit(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value <= 1;
}

/** Returns who tells what values of a field mean; of a field of no common kind, those that were asked about before. */
function plainValue(schema: z.ZodType): PlainValue {
  return TOLD.get(schema) ?? new Answers(schema).plainValue;
}

/** No more different answers are kept than a field with words of its own has. */
const MOST_ANSWERS = 40;
/** From this many questions on, compiling a field's schema pays off. */
const MANY = 60;

/** What a schema said of short texts and other single values: one value always has the same meaning. */
class Answers {
  #schema: z.ZodType;
  #asked = 0;
  readonly #known = new Map<unknown, unknown>();

  constructor(schema: z.ZodType) {
    this.#schema = schema;
  }

  readonly plainValue = (value: unknown): unknown => {
    const known = this.#known.get(value);
    return known === undefined ? this.#ask(value) : known;
  };

  #ask(value: unknown): unknown {
    this.#asked += 1;
    if (this.#asked === MANY) this.#schema = z.compile(this.#schema);
    const read = this.#schema.safeParse(value);
    if (!read.success || read.data === undefined) return ASK;
    if (this.#known.size < MOST_ANSWERS && isSingle(value) && isSingle(read.data)) this.#known.set(value, read.data);
    return read.data;
  }
}

function isSingle(value: unknown): boolean {
  return value === null || (typeof value !== 'object' && (typeof value !== 'string' || value.length < 100));
}

/** From this many notes on, compiling their schema pays off; compiling takes as long as reading some hundred notes. */
const MANY_LAZY_SCHEMA = 200;

type Raw = Readonly<Record<string, unknown>>;

/**
 * The schema of one kind of record. Its fields are read one by one, and those that a note lacks not at all; the schema as
 * a whole is asked where that is not certain, and says what is wrong with a note. It is compiled once it is used often.
 * LAW: however a note is read, the results are the same.
 */
export class Shape<Fields> {
  readonly #object: z.ZodObject;
  readonly #finished: (fields: Raw) => Fields;
  #schema: z.ZodType<Fields>;
  #reads = 0;
  readonly #values = new Map<string, PlainValue>();
  #empty: Raw | null = null;
  #required: readonly string[] = [];

  private constructor(object: z.ZodObject, schema: z.ZodType<Fields>, finished: (fields: Raw) => Fields) {
    this.#object = object;
    this.#schema = schema;
    this.#finished = finished;
  }

  /** Returns the shape of records whose fields are those of a schema. */
  static of<Fields>(object: z.ZodObject & z.ZodType<Fields>): Shape<Fields> {
    return new Shape(object, object, (fields) => fields as Fields); // each is what the schema makes of it
  }

  /** Returns the shape of records of which `made` makes something more. */
  static made<Parts, Fields>(object: z.ZodObject & z.ZodType<Parts>, made: (fields: Parts) => Fields): Shape<Fields> {
    return new Shape(object, object.transform(made), (fields) => made(fields as Parts)); // as above
  }

  /** Returns the fields of a note with defaults for what is missing, or what is wrong with them. */
  read(data: Raw): z.ZodSafeParseResult<Fields> {
    const fields = this.#plain(data);
    if (fields !== null) return { success: true, data: this.#finished(fields) };
    this.#reads += 1;
    if (this.#reads === MANY_LAZY_SCHEMA) this.#schema = z.compile(this.#schema);
    return this.#schema.safeParse(data);
  }

  #plain(data: Raw): Raw | null {
    const fields: Record<string, unknown> = { ...(this.#empty ?? this.#prepared()) };
    for (const name in data) {
      const told = this.#values.get(name);
      const value = data[name];
      if (told === undefined || value === undefined) continue;
      const meant = told(value);
      if (meant === ASK) return null;
      fields[name] = meant;
    }
    for (const name of this.#required) if (data[name] === undefined) return null;
    return fields;
  }

  // The fields of a note that says nothing: all notes share them.
  #prepared(): Raw {
    const [empty, required]: [[string, unknown][], string[]] = [[], []];
    for (const [name, schema] of Object.entries(this.#object.shape)) {
      this.#values.set(name, plainValue(schema));
      const read = schema.safeParse(undefined);
      empty.push([name, read.success ? read.data : null]);
      if (!read.success) required.push(name);
    }
    this.#required = required;
    // Through JSON, which makes an object that is quick to copy: one that is filled field by field becomes a slow table.
    this.#empty = JSON.parse(JSON.stringify(Object.fromEntries(empty)));
    for (const value of Object.values(this.#empty ?? {})) Object.freeze(value);
    return this.#empty ?? {};
  }
}

export const ORDER_OUTCOMES = ['confirmed', 'dismissed', 'conflict', 'not-a-proposal', 'refused'] as const;
export type OrderOutcome = (typeof ORDER_OUTCOMES)[number];

/**
 * `event/…-action-confirmed-….md` or `…-dismissed-…` as a person drops it: it needs only `confirms` or `dismisses`, or
 * only its name. Once carried out, it becomes the sibling note itself, an event; otherwise the program says why not.
 */
export const orderFields = z.object({
  type: orNull(z.enum(SIBLING_TYPES)),
  confirms: optionalText,
  dismisses: optionalText,
  reason: optionalText,
  /** Which of the notes that could be meant is meant. */
  choose: optionalText,
  outcome: orNull(z.enum(ORDER_OUTCOMES)),
  ...answeredFields,
});
export type OrderFields = z.infer<typeof orderFields>;

const ORDER_NAME = /^(steward|signal)-action-(confirmed|dismissed)-/i;

/** Whether an event note's name says that it confirms or dismisses a proposal. */
export function isOrderName(name: string): boolean {
  return ORDER_NAME.test(name);
}

/** Whether an event note is a person's order that has not been carried out, rather than the record of one that was. */
export function isOrder(name: string, data: Frontmatter): boolean {
  const { type } = data;
  const isSibling = type === undefined || type === null ? isOrderName(name) : isSiblingType(type);
  return isSibling && !isCarriedOut(data);
}

// The first version wrote no outcome into its own siblings; a person's file names no `target_path`.
function isCarriedOut({ outcome, timestamp, target_path: path }: Frontmatter): boolean {
  if (outcome === undefined || outcome === null) return typeof timestamp === 'string' && typeof path === 'string';
  return outcome === 'confirmed' || outcome === 'dismissed';
}
