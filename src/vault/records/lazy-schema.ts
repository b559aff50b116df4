import { z } from 'zod';

/** From so many notes on it pays to compile their schema, which takes as long as reading some hundred of them. */
const MANY = 200;

/** What records of one kind must hold. LAW: compiled or not, a schema says the same; only how fast changes with use. */
export class Shape<Fields> {
  #schema: z.ZodType<Fields>;
  #reads = 0;

  constructor(schema: z.ZodType<Fields>) {
    this.#schema = schema;
  }

  /** The fields of a note, with what is missing filled in, or what is wrong with them. */
  read(data: unknown): z.ZodSafeParseResult<Fields> {
    this.#reads += 1;
    if (this.#reads === MANY) this.#schema = z.compile(this.#schema);
    return this.#schema.safeParse(data);
  }
}
