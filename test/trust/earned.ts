import fs from 'node:fs';
import path from 'node:path';
import { readStream } from '../../src/daemon/read-stream.ts';
import { Clock, DAY, HOUR } from '../support/clock.ts';
import { task } from '../support/notes.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench, LIVE } from '../support/workspace.ts';
import { person } from './corpus/claims.ts';
import { AFFAIR_OF, household, NAMED, type Named, nameOf } from './corpus/household.ts';
import { fromLine, rawMail, vouched } from './corpus/letter.ts';

/** The vault after a time in which the person confirmed what each named sender's mails had led to. */
export interface Earned {
  /** How many right outcomes each named sender has. */
  readonly outcomes: number;
  /** The folder that the whole vault was copied into, to be copied from. */
  readonly folder: string;
}

/** So high that nothing is done without the person, who then confirms it. */
const ONLY_PROPOSE = { ...LIVE, confidenceThreshold: 1 };
/** How many mails of one sender come on one day: what the rate guard lets through for one matter. */
const A_DAY = 5;

/**
 * Leaves a copy of the vault in a folder after each of these numbers of right outcomes, which rise. Each outcome is a
 * proposal that was confirmed.
 */
export async function earnedBy(levels: readonly number[], into: string): Promise<readonly Earned[]> {
  const vault = new TempVault(household());
  const days = Math.max(...levels) / A_DAY;
  const earned: Earned[] = [];
  let day = 0;
  for (const outcomes of levels) {
    for (; day * A_DAY < outcomes; day += 1) await oneDay(vault, day, days - day);
    const folder = path.join(into, String(outcomes));
    copyVault(vault.root, folder);
    // The former bytes of what was confirmed: half of all files, and nothing is taken back here.
    fs.rmSync(path.join(folder, '.steward/history'), { recursive: true, force: true });
    earned.push({ outcomes, folder });
  }
  return earned;
}

/** Every named sender writes about a few old bills; the person confirms all that is proposed. */
async function oneDay(vault: TempVault, day: number, daysAgo: number): Promise<void> {
  const clock = new Clock();
  clock.move(-daysAgo * DAY);
  const mails = (Object.keys(NAMED) as Named[]).flatMap((named) =>
    Array.from({ length: A_DAY }, (_, nth) => oldMail(vault, named, day * A_DAY + nth + 1, daysAgo)),
  );
  const bench = await Bench.open(vault, { env: ONLY_PROPOSE, clock });
  await bench.sweep();
  for (const mail of mails) await readStream(bench.ports, mail, new AbortController().signal);
  await bench.tick();
  const open = bench.openProposals().map(({ event }) => event.name);
  for (const event of open) await bench.confirm(event);
  bench.close();
  if (open.length !== mails.length) throw new Error(`${mails.length} mails led to ${open.length} proposals`);
}

function oldMail(vault: TempVault, named: Named, nth: number, daysAgo: number): string {
  const name = `Earlier bill ${named} ${nth}`;
  const who = person(named);
  const age = daysAgo * DAY + HOUR;
  vault.write(`task/${name}.md`, task({ parent_matter: `[[${nameOf(AFFAIR_OF[named])}]]` }), age);
  const letter = {
    ...{ head: [...vouched(who.address), fromLine(who.name, who.address)], daysAgo: age / DAY },
    ...{ subject: `Your bill ${nth}`, text: `Thank you, [[${name}]] has been paid in full.` },
  };
  vault.write(`stream/earlier-${named}-${nth}.eml`, rawMail(letter), age);
  return `stream/earlier-${named}-${nth}.eml`;
}

/** Copies a vault whole, the times of its notes and the program's own files included. */
export function copyVault(from: string, to: string): void {
  fs.cpSync(from, to, { recursive: true, preserveTimestamps: true });
}
