import { parseArgs } from 'node:util';
import { MEASURES } from './measures.ts';

/** What a person asks of a run. */
export interface Options {
  readonly isQuick: boolean;
  readonly isJson: boolean;
  readonly isList: boolean;
  /** The names of the measures; null: all. */
  readonly only: readonly string[] | null;
  readonly size: number | null;
  /** The pages whose marked part is written anew. */
  readonly write: readonly string[];
}

export const HELP = `npm run bench -- [--quick] [--only NAME,…] [--size N] [--json] [--write FILE] [--list]
  --quick       few rounds and small vaults: it works, no more
  --only NAME   one measure, or several with commas between
  --size N      one size more, for measures that grow with the vault; for years, how many events and signals
  --json        for programs
  --write FILE  writes a whole run into the marked part of a page; may be given several times
  --list        what can be measured`;

const SMALLEST = 100;

/** Reads what was asked for. Throws a sentence about what it cannot make out. */
export function optionsOf(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      ...{ quick: { type: 'boolean' }, json: { type: 'boolean' }, list: { type: 'boolean' } },
      ...{ only: { type: 'string' }, size: { type: 'string' }, write: { type: 'string', multiple: true } },
    },
  });
  const only = values.only?.split(',') ?? null;
  const unknown = only?.find((name) => MEASURES.every((measure) => measure.name !== name));
  if (unknown !== undefined) throw new Error(`there is no measure ${unknown}: see --list`);
  const size = values.size === undefined ? null : Number(values.size);
  if (size !== null && !(Number.isInteger(size) && size >= SMALLEST)) {
    throw new Error(`--size takes a whole number of ${SMALLEST} or more, and not ${values.size}`);
  }
  if (only !== null && values.write !== undefined)
    throw new Error('--write takes a whole run, and --only is a part of one');
  return {
    ...{ isQuick: values.quick === true, isJson: values.json === true, isList: values.list === true },
    ...{ only, size, write: values.write ?? [] },
  };
}
