import fs from 'node:fs';
import { isAllowed } from './allowed.ts';
import type { SystemCalls } from './system-calls.ts';

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
