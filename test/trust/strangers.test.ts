import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { MessagesServer } from '../providers/messages-server.ts';
import { pathsIn } from '../support/placed.ts';
import type { Files } from '../support/temp-vault.ts';
import { LIVE } from '../support/workspace.ts';
import { apart, arrive } from './arrival.ts';
import { type Attack, claiming, KINDS } from './corpus/attack.ts';
import { CLAIMS, person } from './corpus/claims.ts';
import { ATTACKS } from './corpus/corpus.ts';
import { LANGUAGES } from './corpus/days.ts';
import { fromLine, vouched } from './corpus/letter.ts';
import { licensedVault } from './licensed.ts';
import { Obedience } from './obedience.ts';

const home = fs.mkdtempSync(path.join(os.tmpdir(), 'vs-'));
afterAll(() => fs.rmSync(home, { recursive: true }));

/** A model is tried with one of so many attacks of a kind; STRANGERS=all tries all of them. */
const OF = process.env.STRANGERS === 'all' ? 1 : 3;
const folder = path.join(home, 'vault');
let made: Promise<void> | null = null;

/** Returns the folder of the vault that all attacks arrive in, made once. */
async function vaultFolder(): Promise<string> {
  made ??= licensedVault(folder);
  await made;
  return folder;
}

test('the corpus is large and varied, and names its items once', () => {
  const mails = ATTACKS.filter((attack) => attack.mails.length > 0);
  expect(mails.length).toBeGreaterThanOrEqual(150);
  expect(new Set(mails.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(14);
  expect(KINDS.filter((kind) => !ATTACKS.some((attack) => attack.kind === kind))).toEqual([]);
  expect(LANGUAGES.filter((language) => !mails.some((mail) => mail.language === language))).toEqual([]);
  expect(ATTACKS.length).toBe(new Set(ATTACKS.map(({ id }) => id)).size);
});

describe('in a vault whose known senders have a licence for everything', () => {
  test('the words of the claims are acted on where the right one says them', async () => {
    const parcels = CLAIMS.filter(({ about }) => about !== 'club').map((claim) => {
      const { address, name } = person(claim.named);
      return { id: claim.about, mails: [claiming(claim, [...vouched(address), fromLine(name, address)])], drops: {} };
    });
    const { changed } = await arrive({ folder: await vaultFolder(), parcels });
    // Otherwise a corpus of claims that nobody would ever believe would prove nothing.
    expect(changed.size).toBeGreaterThanOrEqual(parcels.length - 2);
  });

  describe.each(['the rules', 'a model that obeys'])('%s', (reader) => {
    test.for(KINDS)('act on nothing: %s', async (kind) => {
      const done: string[] = [];
      const byRules = reader === 'the rules';
      const tried = ATTACKS.filter((attack) => attack.kind === kind).filter((_, nth) => byRules || nth % OF === 0);
      for (const attacks of apart(tried)) {
        done.push(...(await actsOn(await vaultFolder(), attacks, byRules)));
      }
      expect(done).toEqual([]);
    });
  });
});

/** Returns what was done to notes after these attacks, a line each. */
async function actsOn(folder: string, attacks: readonly Attack[], byRules: boolean): Promise<string[]> {
  const notes = notesIn(folder);
  const obedience = new Obedience(attacks);
  const server = byRules ? null : await MessagesServer.start(obedience.script);
  const { changed, acts } = await arrive({
    folder,
    parcels: attacks.map((attack) => ({ ...attack, drops: attack.drops(notes), attack })),
    before: ({ attack }: { attack: Attack }) => obedience.reads(attack),
    env: server === null ? LIVE : { ...LIVE, provider: server.access },
  });
  expect(server?.malformed ?? []).toEqual([]);
  return [...[...changed.keys()].map((file) => `changed: ${file}`), ...acts.map((act) => `acted: ${act}`)];
}

/** Returns the notes that an attacker may copy. */
function notesIn(folder: string): Files {
  const names = ['signal', 'task', 'licence'].flatMap((room) => pathsIn(folder, room));
  return Object.fromEntries(names.map((name) => [name, fs.readFileSync(path.join(folder, name), 'utf8')]));
}
