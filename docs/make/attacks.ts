import fs from 'node:fs';
import path from 'node:path';
import { CORE_SCHEMA, load } from 'js-yaml';
import { z } from 'zod';

const PROJECT = path.resolve(import.meta.dirname, '../..');

const attack = z.strictObject({
  /** What is tried. */
  attack: z.string().min(1),
  /** What would be lost if it succeeded. */
  loss: z.string().min(1),
  /** What comes of it at most, and why. */
  result: z.string().min(1),
  tests: z.array(z.string()).min(1),
});

/** Returns the attacks that the tests make, by the heading in SECURITY.md that says who makes them. */
export function loadAttacks(): Readonly<Record<string, readonly z.infer<typeof attack>[]>> {
  const text = fs.readFileSync(path.join(PROJECT, 'test/hostile/attacks.yaml'), 'utf8');
  return z.record(z.string(), z.array(attack).min(1)).parse(load(text, { schema: CORE_SCHEMA }));
}

/** Returns SECURITY.md with its tables of attacks as they are in `test/hostile/attacks.yaml`. Throws if a heading has no table. */
export function securityPage(page = fs.readFileSync(path.join(PROJECT, 'SECURITY.md'), 'utf8')): string {
  return Object.entries(loadAttacks()).reduce((text, [attacker, attacks]) => {
    const [before, ...others] = text.split(`\n## ${attacker}\n`);
    const [section, rest] = cutSection(others.join(`\n## ${attacker}\n`));
    const table = section.match(/^(?:\|.*\|\n)+/m)?.[0];
    if (table === undefined) throw new Error(`SECURITY.md has no table under "${attacker}"`);
    return `${before}\n## ${attacker}\n${section.replace(table, () => tableOf(attacks))}${rest}`;
  }, page);
}

function cutSection(text: string): [string, string] {
  const end = text.indexOf('\n## ');
  return end === -1 ? [text, ''] : [text.slice(0, end), text.slice(end)];
}

function tableOf(attacks: readonly z.infer<typeof attack>[]): string {
  const rows = attacks.map(({ attack: means, loss, result, tests }) => {
    return `| ${means} | ${loss} | ${result} | ${tests.map((name) => `\`${name}\``).join(', ')} |\n`;
  });
  return `| attack | what would be lost | result at most | tests |\n|---|---|---|---|\n${rows.join('')}`;
}
