import { z } from 'zod';
import { ASK, type PlainValue, plainValue } from './plain-values.ts';

/** From this many notes on, compiling their schema pays off; compiling takes as long as reading some hundred notes. */
const MANY = 200;

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
    if (this.#reads === MANY) this.#schema = z.compile(this.#schema);
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
