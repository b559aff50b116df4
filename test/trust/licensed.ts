import fs from 'node:fs';
import path from 'node:path';
import { readStream } from '../../src/streams/read-stream.ts';
import { Clock, DAY, HOUR } from '../support/clock.ts';
import { instinct, task } from '../support/notes.ts';
import { ownLicence } from '../support/own-signal.ts';
import { type Files, TempVault } from '../support/temp-vault.ts';
import { Bench, LIVE } from '../support/workspace.ts';
import { person } from './corpus/claims.ts';
import { AFFAIR_OF, household, NAMED, type Named, nameOf } from './corpus/household.ts';
import { fromLine, rawMail, vouched } from './corpus/letter.ts';

const SENDERS = Object.keys(NAMED) as Named[];
/** So high that nothing is done without the person, who then confirms it. */
const ONLY_PROPOSE = { ...LIVE, confidenceThreshold: 1 };
const DAYS = 2;
/** How many mails of one sender come on one day: what the rate guard lets through for one matter. */
const A_DAY = 5;

/** Returns a licence for each named sender, for every change on the matters that name them. */
export function licences(): Files {
  const notes = SENDERS.map((named) => {
    const file = `licence/${named}.md`;
    return [file, ownLicence(file, { sender: `mail:${NAMED[named]}`, matter: null })] as const;
  });
  return Object.fromEntries(notes);
}

/** Returns notes by which every named sender was right as often as counts for anything. */
export function bestInstincts(): Files {
  const notes = SENDERS.map((named) => {
    const known = { pattern: NAMED[named], confidence: 1, observations: 60 };
    return [`instinct/mail/${NAMED[named]}.md`, instinct('mail', known)] as const;
  });
  return Object.fromEntries(notes);
}

/**
 * Leaves a copy of a vault in a folder, in which nobody can have more rights than the named senders: each has a licence
 * for everything, and the best of instincts. The person has confirmed earlier mails of theirs, so the program's own notes
 * about them lie in it.
 */
export async function licensedVault(folder: string): Promise<void> {
  const vault = new TempVault(household());
  for (let day = 0; day < DAYS; day += 1) await oneDay(vault, day, DAYS - day);
  for (const [file, text] of Object.entries({ ...licences(), ...bestInstincts() })) vault.write(file, text);
  copyVault(vault.root, folder);
  // The former bytes of what was confirmed: half of all files, and nothing is taken back here.
  fs.rmSync(path.join(folder, '.steward/history'), { recursive: true, force: true });
}

/** Every named sender writes about a few old bills; the person confirms all that is proposed. */
async function oneDay(vault: TempVault, day: number, daysAgo: number): Promise<void> {
  const clock = new Clock();
  clock.move(-daysAgo * DAY);
  const mails = SENDERS.flatMap((named) =>
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
