import fs from 'node:fs';
import { isAllowed } from './allowed.ts';
import type { SystemCalls } from './system-calls.ts';

/** What a file has besides its bytes, and an edit must not change. */
export interface Attributes {
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  /** Extended attributes by name: the ACL, labels, whatever another program has put there. */
  readonly extended: ReadonlyMap<string, Buffer>;
}

/** These are the system's own, made from the bytes; copied, they would be wrong. */
const OF_THE_BYTES = ['security.ima', 'security.evm', 'security.capability'];

/** Returns a file's attributes; the extended ones only where the system has calls for them. Throws the system error. */
export function attributesOf(file: string, system: SystemCalls | null): Attributes {
  const { mode, uid, gid } = fs.lstatSync(file);
  const extended = [...(system?.attributes(file) ?? [])].filter(([name]) => !OF_THE_BYTES.includes(name));
  return { mode: mode & 0o7777, uid, gid, extended: new Map(extended) };
}

/** Whether two files have the same attributes. */
export function sameAttributes(one: Attributes, other: Attributes): boolean {
  const { extended } = one;
  return (
    one.mode === other.mode &&
    one.uid === other.uid &&
    one.gid === other.gid &&
    extended.size === other.extended.size &&
    [...extended].every(([name, value]) => other.extended.get(name)?.equals(value) === true)
  );
}

/**
 * Gives a file the attributes of another, and takes away those that the other does not have. Returns whether it has
 * them all: only root may give a file away, and some attributes belong to the system. Throws what the disk refuses.
 */
export function giveAttributes(file: string, like: Attributes, system: SystemCalls | null): boolean {
  const made = attributesOf(file, system);
  if (sameAttributes(made, like)) return true;
  if (made.uid !== like.uid || made.gid !== like.gid) giveOwner(file, like);
  if (system !== null) giveExtended(file, made, like, system);
  // Last: a change of owner takes bits away, and an ACL sets them.
  if ((fs.lstatSync(file).mode & 0o7777) !== like.mode) isAllowed(() => fs.chmodSync(file, like.mode));
  return sameAttributes(attributesOf(file, system), like);
}

// A group can be given by whoever is in it, even where the owner cannot.
function giveOwner(file: string, { uid, gid }: Attributes): void {
  if (!isAllowed(() => fs.chownSync(file, uid, gid))) isAllowed(() => fs.chownSync(file, -1, gid));
}

function giveExtended(file: string, made: Attributes, like: Attributes, system: SystemCalls): void {
  for (const name of made.extended.keys()) {
    if (!like.extended.has(name)) isAllowed(() => system.removeAttribute(file, name));
  }
  for (const [name, value] of like.extended) {
    if (made.extended.get(name)?.equals(value) !== true) isAllowed(() => system.setAttribute(file, name, value));
  }
}
