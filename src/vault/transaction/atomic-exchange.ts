import fs from 'node:fs';
import { createRequire } from 'node:module';

/** Swaps two files of one file system in one step, so that neither name is ever free. */
export type Exchange = (one: string, other: string) => void;

const AT_FDCWD = -100;
const RENAME_EXCHANGE = 2;

/**
 * Returns the system's atomic exchange (`renameat2(…, RENAME_EXCHANGE)`, Linux), or null where there is none.
 * The exchange throws an error with the system's code, as Node's own calls do.
 */
export function systemExchange(): Exchange | null {
  if (process.platform !== 'linux') return null;
  try {
    return linuxExchange();
  } catch {
    return null; // a libc without renameat2, or a platform without a build of koffi
  }
}

function linuxExchange(): Exchange {
  const koffi: typeof import('koffi') = createRequire(import.meta.url)('koffi');
  const libc = koffi.load(null);
  const renameat2 = libc.func('int renameat2(int, const char *, int, const char *, unsigned int)');
  return (one, other) => {
    const result: unknown = renameat2(AT_FDCWD, one, AT_FDCWD, other, RENAME_EXCHANGE);
    if (result !== 0) throw systemError(koffi.errno(), koffi.os.errno, one);
  };
}

function systemError(errno: number, names: Readonly<Record<string, number>>, file: string): Error {
  const code = Object.entries(names).find(([, value]) => value === errno)?.[0] ?? 'EIO';
  return Object.assign(new Error(`${code}: exchange '${file}'`), { code, errno: -errno });
}

/** Whether the file system under `folder` supports the exchange: tried on two files of our own. */
export function canExchange(exchange: Exchange, folder: string): boolean {
  const one = `${folder}/exchange-a.part`;
  const other = `${folder}/exchange-b.part`;
  try {
    fs.writeFileSync(one, 'a');
    fs.writeFileSync(other, 'b');
    exchange(one, other);
    return fs.readFileSync(one, 'utf8') === 'b';
  } catch {
    return false;
  } finally {
    fs.rmSync(one, { force: true });
    fs.rmSync(other, { force: true });
  }
}
