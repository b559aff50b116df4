import { createRequire } from 'node:module';

/** What Node cannot ask of Linux, and an edit must know. The calls throw an error with the system's code, as Node's do. */
export interface SystemCalls {
  /** Returns a file's extended attributes by name, its ACL among them; none where the file system has none. */
  attributes(file: string): ReadonlyMap<string, Buffer>;
  setAttribute(file: string, name: string, value: Buffer): void;
  removeAttribute(file: string, name: string): void;
  /**
   * Whether anybody has the file of this open handle (opened to read only) open for writing; null where the system does
   * not tell. The kernel itself answers, for processes of every user and every container.
   */
  isBeingWritten(handle: number): boolean | null;
  /** Gives memory that this process no longer uses, and its allocator keeps, back to the system, where the libc can. */
  returnMemory(): void;
}

const F_SETSIG = 10;
const F_SETLEASE = 1024;
const F_RDLCK = 0;
const F_UNLCK = 2;
/** A signal that is ignored where nobody asks for it, in place of SIGIO, which ends the process. */
const SIGURG = 23;
/** The kernel's own limit for the names of all attributes, and for the value of one. */
const MOST_BYTES = 65_536;

/** Returns the calls, or null where this system does not have them. Loading them takes some milliseconds. */
export function loadSystemCalls(): SystemCalls | null {
  if (process.platform !== 'linux') return null;
  try {
    return linuxCalls();
  } catch {
    return null; // a libc without these calls, or a platform without a build of koffi
  }
}

function linuxCalls(): SystemCalls {
  const koffi: typeof import('koffi') = createRequire(import.meta.url)('koffi');
  const libc = koffi.load(null);
  const list = libc.func('intptr_t llistxattr(const char *, void *, size_t)');
  const get = libc.func('intptr_t lgetxattr(const char *, const char *, void *, size_t)');
  const set = libc.func('int lsetxattr(const char *, const char *, const void *, size_t, int)');
  const remove = libc.func('int lremovexattr(const char *, const char *)');
  const fcntl = libc.func('int fcntl(int, int, ...)');
  const scratch = Buffer.alloc(MOST_BYTES);
  const trim = optional(() => libc.func('int malloc_trim(size_t)'));

  const lastError = (what: string): NodeJS.ErrnoException => {
    const errno = koffi.errno();
    const code = Object.entries(koffi.os.errno).find(([, value]) => value === errno)?.[0] ?? 'EIO';
    return Object.assign(new Error(`${code}: ${what}`), { code, errno: -errno });
  };
  const bytesOf = (length: number, what: string): Buffer => {
    if (length < 0) throw lastError(what);
    return Buffer.from(scratch.subarray(0, length));
  };
  const namesOf = (file: string): string[] => {
    const length = Number(list(file, scratch, MOST_BYTES));
    if (length === 0 || (length < 0 && koffi.errno() === koffi.os.errno.ENOTSUP)) return [];
    const names = bytesOf(length, `attributes of '${file}'`).toString('utf8');
    return names.split('\0').filter((name) => name !== '');
  };
  return {
    attributes: (file) =>
      new Map(
        namesOf(file).map((name) => [
          name,
          bytesOf(Number(get(file, name, scratch, MOST_BYTES)), `attribute ${name} of '${file}'`),
        ]),
      ),
    setAttribute(file, name, value) {
      if (set(file, name, value, value.length, 0) !== 0) throw lastError(`set attribute ${name} of '${file}'`);
    },
    removeAttribute(file, name) {
      if (remove(file, name) !== 0) throw lastError(`remove attribute ${name} of '${file}'`);
    },
    // A lease to read is given only while nobody writes. It is let go at once; who opens the file in between is held
    // up for microseconds, and this process gets a signal that it ignores.
    isBeingWritten(handle) {
      fcntl(handle, F_SETSIG, 'int', SIGURG);
      if (fcntl(handle, F_SETLEASE, 'int', F_RDLCK) === 0) {
        fcntl(handle, F_SETLEASE, 'int', F_UNLCK);
        return false;
      }
      return koffi.errno() === koffi.os.errno.EAGAIN ? true : null;
    },
    returnMemory() {
      trim?.(0);
    },
  };
}

function optional<Call>(load: () => Call): Call | null {
  try {
    return load();
  } catch {
    return null; // only glibc has it
  }
}
