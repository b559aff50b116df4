/** Proofs with a real server, real hosts and real vaults: `npm run prove -- NAME [options]`. Exit 1 where an aim is missed. */
import { parseArgs } from 'node:util';
import { drain } from './drain.ts';
import { install } from './install.ts';
import { kills } from './kills.ts';
import { many } from './many.ts';
import { outage } from './outage.ts';
import { pace } from './pace.ts';
import { type Figure, printFigures } from './table.ts';
import { zombie } from './zombie.ts';

const number = { type: 'string' } as const;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    vaults: number,
    rate: number,
    minutes: number,
    kills: number,
    seconds: number,
    lease: number,
    json: { type: 'boolean', default: false },
  },
});

/** Each by its name, at a size that takes a minute or two where no option names another. */
const PROOFS: Readonly<Record<string, () => Promise<Figure[]>>> = {
  install,
  many: () => many(figure('vaults', 100)),
  pace: () => pace(figure('rate', 1), figure('minutes', 1)),
  kills: () => kills(figure('vaults', 4), figure('kills', 2)),
  outage: () => outage(figure('vaults', 6), figure('seconds', 20)),
  zombie: () => zombie(figure('lease', 6)),
  drain: () => drain(figure('vaults', 6)),
};

const names = positionals.length > 0 ? positionals : Object.keys(PROOFS);
for (const name of names) {
  const proof = PROOFS[name];
  if (proof === undefined) throw new Error(`${name} is no proof; there are ${Object.keys(PROOFS).join(', ')}`);
  if (!printFigures(name, await proof(), values.json)) process.exitCode = 1;
}

function figure(option: 'vaults' | 'rate' | 'minutes' | 'kills' | 'seconds' | 'lease', otherwise: number): number {
  const named = Number(values[option] ?? otherwise);
  if (Number.isFinite(named) && named > 0) return named;
  throw new Error(`--${option} takes a figure above 0`);
}
