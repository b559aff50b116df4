import fs from 'node:fs';
import type { SystemCalls } from './disk/system-calls.ts';
import { StewardError, systemCode } from './errors.ts';
import type { FileBytes } from './files.ts';

/** What may be refused to this user, or by this file system. Everything else is an error of the disk. */
const REFUSALS: ReadonlySet<string | null> = new Set(['EPERM', 'EACCES', 'ENOTSUP', 'EOPNOTSUPP', 'ENODATA', 'EINVAL']);

/** Makes a call that changes whose a file is, and returns whether it was allowed. Throws any other error. */
function isAllowed(call: () => void): boolean {
  try {
    call();
    return true;
  } catch (error) {
    if (!REFUSALS.has(systemCode(error))) throw error;
    return false;
  }
}

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

/**
 * Returns why a note must not be edited, judged by how it lies on the disk, or null where it may. `file`: its
 * vault-relative path; `place`: the file itself.
 */
export function editRefusal(file: string, place: string, { links, uid }: FileBytes): StewardError | null {
  if (links > 1) return linked(file, links);
  const isForeign = uid !== process.geteuid?.();
  return isForeign && !isWritable(place) ? foreign(file) : null;
}

/** Returns the refusal of a note whose attributes can neither be given to a new file nor be left in their place. */
export function attributesRefusal(file: string): StewardError {
  return new StewardError({
    code: 'attributes-lost',
    file,
    message: `${file} has an owner or attributes that an edit on this file system would take away.`,
    hint: 'Let the note belong to the user who runs the daemon, or edit it by hand.',
  });
}

// A rename would part the names, and writing in place would write into a file that may lie outside the vault.
function linked(file: string, links: number): StewardError {
  return new StewardError({
    code: 'note-linked',
    file,
    message: `${file} has ${links} names on this disk (a hard link), and an edit would reach or part the others.`,
    hint: `Make it a file of its own (cp -p NOTE NOTE.new && mv NOTE.new NOTE), or use a symbolic link.`,
  });
}

// Replacing it would be possible, since that asks only for the folder; but it would go round what its owner has said.
function foreign(file: string): StewardError {
  return new StewardError({
    code: 'note-not-ours',
    file,
    message: `${file} belongs to another user, who does not let this one write into it.`,
    hint: 'Give the group of the user who runs the daemon write permission (chmod g+w), or leave it as it is.',
  });
}

function isWritable(place: string): boolean {
  try {
    fs.accessSync(place, fs.constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

const ACCESS = 'system.posix_acl_access';
const DEFAULT = 'system.posix_acl_default';
const SET_GID = 0o2000;
/** The kernel's form of an ACL: a version of 4 bytes, then 8 for each entry: tag, permission, id. */
const ENTRY_BYTES = 8;
const VERSION_BYTES = 4;
const GROUP_TAG = 0x04;

/**
 * Lets a new file be read as one that was made in `folder` by hand: by the folder's group where it passes its group on, and
 * by its default ACL. And by nobody who may not read each of `sources`, the files that its text is about: what they say
 * stands in it. Throws the system error.
 */
export function openAsFolderAndSources(
  part: string,
  folder: string,
  sources: readonly string[],
  system: SystemCalls | null,
): void {
  asMadeIn(part, folder, system);
  for (const source of sources) {
    const stat = fs.statSync(source, { throwIfNoEntry: false });
    if (stat !== undefined) closeAs(part, source, stat, system);
  }
}

function asMadeIn(part: string, folder: string, system: SystemCalls | null): void {
  const { mode, gid } = fs.statSync(folder);
  const made = fs.statSync(part);
  if ((mode & SET_GID) !== 0 && made.gid !== gid) isAllowed(() => fs.chownSync(part, -1, gid));
  if (system === null) return;
  const acl = system.attributes(folder).get(DEFAULT);
  if (acl === undefined) return;
  isAllowed(() => system.setAttribute(part, ACCESS, acl));
  isAllowed(() => fs.chmodSync(part, fs.statSync(part).mode & 0o666));
}

function closeAs(part: string, source: string, like: fs.Stats, system: SystemCalls | null): void {
  const made = fs.statSync(part);
  if (made.uid !== like.uid && !isAllowed(() => fs.chownSync(part, like.uid, like.gid))) keepGroup(part, like.gid);
  else if (made.gid !== like.gid) keepGroup(part, like.gid);
  const others = like.mode & 0o7;
  // Who is in the new file's group and not in that of the source is one of the others there.
  const group = fs.statSync(part).gid === like.gid ? groupOf(part, source, like, system) : others;
  const { mode } = fs.statSync(part);
  const closed = mode & (0o600 | (group << 3) | others);
  if (closed !== mode) fs.chmodSync(part, closed & 0o777);
}

function keepGroup(part: string, gid: number): void {
  isAllowed(() => fs.chownSync(part, -1, gid));
}

// Under an ACL the mode shows the mask in the place of the group: more than the group itself may have.
function groupOf(part: string, source: string, like: fs.Stats, system: SystemCalls | null): number {
  const shown = (like.mode >> 3) & 0o7;
  const acl = system?.attributes(source).get(ACCESS);
  if (acl === undefined || system?.attributes(part).get(ACCESS)?.equals(acl) === true) return shown;
  return shown & permissionOf(acl, GROUP_TAG);
}

function permissionOf(acl: Buffer, tag: number): number {
  for (let at = VERSION_BYTES; at + ENTRY_BYTES <= acl.length; at += ENTRY_BYTES) {
    if (acl.readUInt16LE(at) === tag) return acl.readUInt16LE(at + 2);
  }
  return 0;
}
