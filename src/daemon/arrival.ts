import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { ArrivedWaiting } from '../steward/inbox.ts';
import type { DecisionIndexAccess } from '../steward/workspace.ts';
import { type Diagnostic, diagnostic } from '../vault/errors.ts';
import { bearsOtherMark, isOwn, type Seal } from '../vault/seal.ts';
import type { Vault } from '../vault/vault.ts';
import { isFirstMeeting, keptBy, meetingFile, type VaultIdentity } from './environment.ts';

/*
 * A vault that arrives with notes which the program did not mark by this machine's key (contract, section 10). If not
 * one of them bears another key's mark, they are from before notes were marked, and may be answered. If some do, the
 * user is asked once, and until a yes no note and no setting of that vault has any authority here. The notes in
 * question are remembered outside the vault, so that no others can be added in the meantime.
 */

/** The name by which the question is answered: `steward confirm this-vault`. */
export const ARRIVAL = 'this-vault';

/** A vault whose notes bear the marks of another key, and that the user has not answered for. */
interface ArrivedVault {
  /** How many event notes and reversals a yes lets be answered and undone. */
  readonly notes: number;
}

/** Returns the vault that the user is to answer for; null if no question is open. */
export function arrivedVault(space: DecisionIndexAccess): ArrivedVault | null {
  const met = findMeeting(space);
  if (met === null) return null;
  const marks = listMarks(met, 'asked');
  if (marks !== null) return { notes: marks.length };
  // Unreadable: the question was asked, and a yes adopts nothing.
  if (fs.existsSync(marksFile(met, 'asked'))) return { notes: 0 };
  // A command that only reads can't store the question: it shows the one that the first writing command will ask.
  const isArrived = isMeeting(space, met) && isFromElsewhere(space.vault, space.context.seal);
  return isArrived ? { notes: 0 } : null;
}

/** Returns the question as an entry of the list of what waits; an empty list without a question. */
export function waitingArrival(space: DecisionIndexAccess): ArrivedWaiting[] {
  const arrived = arrivedVault(space);
  return arrived === null ? [] : [{ event: ARRIVAL, change: arrivalWords(arrived), answers: ['confirm', 'dismiss'] }];
}

/** Returns the question as a problem, for `status` and `doctor`. */
export function arrivalProblems(space: DecisionIndexAccess): Diagnostic[] {
  const arrived = arrivedVault(space);
  if (arrived === null) return [];
  return [
    diagnostic({
      code: 'vault-from-elsewhere',
      message: arrivalWords(arrived),
      hint: `\`steward confirm ${ARRIVAL}\` says yes, \`steward dismiss ${ARRIVAL}\` says no. Licences and settings are asked about one by one.`,
    }),
  ];
}

/** Whether a problem is that question, which is an entry of its own in the list of what waits. */
export function isArrival({ code }: Diagnostic): boolean {
  return code === 'vault-from-elsewhere';
}

/** Returns the question in a sentence or two. */
function arrivalWords({ notes }: ArrivedVault): string {
  const count = notes === 0 ? '' : ` (${notes})`;
  return `Event notes in this vault${count} were written by Steward with another key, as on another machine. Is this vault yours? After a yes you can confirm and undo them here.`;
}

/** Whether this key meets a vault: for the first time, or after another key has kept it in the meantime. */
export function isMeeting({ vault, context }: DecisionIndexAccess, { file, vault: identity }: VaultMeeting): boolean {
  return isFirstMeeting(file, identity) || keptBy(vault.places.state, context.seal) === 'another key';
}

/**
 * Whether this key has kept the vault before, here or on another machine that has the key as well. The vault says so itself,
 * or a note does that only this key can have marked.
 */
export function isKnownToKey({ catalogue, places }: Vault, seal: Seal): boolean {
  if (keptBy(places.state, seal) === 'this key') return true;
  const paths = (['event', 'reversal'] as const).values().flatMap((kind) => catalogue.pathsOf(kind));
  return paths.some((file) => {
    const record = catalogue.get(file);
    return (record?.kind === 'event' || record?.kind === 'reversal') && isOwn(seal, record);
  });
}

/** Whether a vault bears the marks of another key: then nothing in it is the user's own before they say so. */
export function isFromElsewhere({ catalogue }: Vault, seal: Seal): boolean {
  const paths = (['event', 'reversal', 'signal', 'licence'] as const)
    .values()
    .flatMap((kind) => catalogue.pathsOf(kind));
  return paths.some((file) => {
    const record = catalogue.get(file);
    return record !== undefined && bearsOtherMark(seal, record);
  });
}

/** The file of this machine's key, and the vault that it meets. */
export interface VaultMeeting {
  readonly file: string;
  readonly vault: VaultIdentity;
}

/** Returns which key meets which vault; null without a key. */
export function findMeeting({ context, vault }: DecisionIndexAccess): VaultMeeting | null {
  const { meeting } = context;
  return meeting === undefined ? null : { file: meeting.keyFile, vault: { root: vault.root, id: meeting.vaultId } };
}

const adoptionMarks = z.array(z.string());

/** Returns where the marks of what is asked about, or agreed to, are kept. */
export function marksFile({ file, vault }: VaultMeeting, state: 'asked' | 'agreed'): string {
  return `${meetingFile(file, path.resolve(vault.root))}.${state}`;
}

/** Returns these marks; null without any. */
export function listMarks(met: VaultMeeting, state: 'asked' | 'agreed'): readonly string[] | null {
  try {
    return adoptionMarks.parse(JSON.parse(fs.readFileSync(marksFile(met, state), 'utf8')));
  } catch {
    return null; // none, or unreadable: then nothing is adopted
  }
}
