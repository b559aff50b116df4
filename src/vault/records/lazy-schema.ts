import { z } from 'zod';

/** From this many notes on, compiling their schema pays off; compiling takes as long as reading some hundred notes. */
const MANY = 200;

/** The schema of one kind of record, compiled once it is used often. LAW: compiled or not, its results are the same. */
export class Shape<Fields> {
  #schema: z.ZodType<Fields>;
  #reads = 0;

  constructor(schema: z.ZodType<Fields>) {
    this.#schema = schema;
  }

  /** Returns the fields of a note with defaults for what is missing, or what is wrong with them. */
  read(data: unknown): z.ZodSafeParseResult<Fields> {
    this.#reads += 1;
    if (this.#reads === MANY) this.#schema = z.compile(this.#schema);
    return this.#schema.safeParse(data);
  }
}
