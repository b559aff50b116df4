import { createRequire } from 'node:module';

/*
 * Extended attributes and ACLs, set by the system's own call: the tools for them (setfacl, setfattr) are often missing.
 */

const ACCESS = 'system.posix_acl_access';
const DEFAULT = 'system.posix_acl_default';
const NOBODY_IN_PARTICULAR = 0xffffffff;

/** One entry of an ACL: whom it is about, what they may (4 read, 2 write), and for a named user or group, which. */
export type AclEntry = readonly [
  who: 'owner' | 'user' | 'group' | 'named-group' | 'mask' | 'other',
  may: number,
  id?: number,
];

const TAGS: Readonly<Record<AclEntry[0], number>> = {
  owner: 1,
  user: 2,
  group: 4,
  'named-group': 8,
  mask: 16,
  other: 32,
};

const koffi: typeof import('koffi') = createRequire(import.meta.url)('koffi');
const libc = koffi.load(null);
const set = libc.func('int setxattr(const char *, const char *, const void *, size_t, int)');
const get = libc.func('intptr_t getxattr(const char *, const char *, void *, size_t)');

/** Gives a file an extended attribute. Throws where the file system has none. */
export function setAttribute(file: string, name: string, value: Uint8Array): void {
  if (set(file, name, value, value.length, 0) !== 0) throw new Error(`${name} of ${file}: errno ${koffi.errno()}`);
}

/** Returns an extended attribute, or null where the file has none of that name. */
export function attributeOf(file: string, name: string): Buffer | null {
  const value = Buffer.alloc(4096);
  const length = Number(get(file, name, value, value.length));
  return length < 0 ? null : value.subarray(0, length);
}

/** Gives a file an ACL; `kind`: its own, or the one that new files in this folder get. */
export function setAcl(file: string, entries: readonly AclEntry[], kind: 'access' | 'default' = 'access'): void {
  const value = Buffer.alloc(4 + 8 * entries.length);
  value.writeUInt32LE(2, 0);
  for (const [at, [who, may, id]] of entries.entries()) {
    value.writeUInt16LE(TAGS[who], 4 + 8 * at);
    value.writeUInt16LE(may, 6 + 8 * at);
    value.writeUInt32LE(id ?? NOBODY_IN_PARTICULAR, 8 + 8 * at);
  }
  setAttribute(file, kind === 'access' ? ACCESS : DEFAULT, value);
}

/** Returns the bytes of a file's own ACL, or null where it has none. */
export function aclOf(file: string): Buffer | null {
  return attributeOf(file, ACCESS);
}
