import fs from 'node:fs';
import path from 'node:path';
import { DEFAULT_SETTINGS, ownPlaces, readSettings } from '../steward.ts';
import { adoptVault, compose, hasOtherMarks, keptBy, oneShot, readEnvironment, vaultSeal } from '../steward-daemon.ts';

/** Returns whether notes in a vault bear the marks of another key, so that a host with this environment couldn't undo them. */
export async function hasOtherKey(root: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  const own = readEnvironment(env);
  const { state } = ownPlaces(root);
  const by = keptBy(state, vaultSeal(own, state, false).seal);
  if (by === 'this key' || (by === 'no key' && !hasEventNotes(root))) return false;
  const { space } = await compose({ root, env: own, now: Date.now, emit: () => {}, readsOnly: true });
  try {
    return hasOtherMarks(space);
  } finally {
    await space.vault.close();
  }
}

function hasEventNotes(root: string): boolean {
  const { folders } = readSettings(root, DEFAULT_SETTINGS).settings;
  try {
    return fs.readdirSync(path.join(root, folders.event)).length > 0;
  } catch {
    return false; // no folder yet; a disk that can't be read stops the visit
  }
}

/**
 * Lets a host with this environment undo what a vault's notes with another key's marks say. Returns the files that could not
 * be taken over and wait for a person. Throws `vault-locked` (75).
 */
export function adoptOtherKey(root: string, env: NodeJS.ProcessEnv): Promise<string[]> {
  return oneShot({ root, env: readEnvironment(env), now: Date.now, emit: () => {} }, adoptVault);
}
