import fs from 'node:fs';
import path from 'node:path';
import { copyWhole, hasSameBytes, type OpenFile } from '../../vault/disk/copy-whole.ts';
import { openAsFolderAndSources } from '../../vault/disk/readers.ts';
import { loadSystemCalls } from '../../vault/disk/system-calls.ts';
import { EXIT, StewardError, systemCode } from '../../vault/errors.ts';
import type { Vault } from '../../vault/watch/vault.ts';
import type { ImportSource } from './sources.ts';

/** How often a copy is begun again whose part was removed. */
const MOST_TRIES = 3;
/** Room that is left to the journal, the state and the notes. */
const SPARE_BYTES = 16 * 1024 * 1024;

/** What is copied: an open file, where it was found, and the name that it should get in the vault. */
interface Placing {
  readonly from: string;
  readonly source: OpenFile;
  readonly wanted: string;
}

/** Who hears of the copying, and may end it. */
export interface Watch {
  readonly copied: (bytes: number) => void;
  readonly abort: AbortSignal;
  /** Throws where the vault is no longer this process's to write to. */
  readonly demand: () => void;
}

/**
 * Puts a copy of a file into the vault and returns its path there. Where the same bytes lie there under that name they are
 * not copied again; where another file has the name, the copy gets one of its own. Throws as `copyWhole` does.
 */
export async function placed(vault: Vault, { from, source, wanted }: Placing, watch: Watch): Promise<string> {
  const { dir, name, ext } = path.posix.parse(wanted);
  // A private mail stays one: what is copied of it is read by those who may read it.
  const ready = (part: string, place: string) => openAsFolderAndSources(part, place, [from], loadSystemCalls());
  for (let count = 1; ; count += 1) {
    const file = `${dir}/${name}${count === 1 ? '' : `-${count}`}${ext}`;
    if (isTaken(vault, file)) {
      if (await hasSameBytes(vault.root, file, source)) return file;
    } else if (await copied(source, { root: vault.root, tmp: vault.places.tmp, file, ready, ...watch })) return file;
  }
}

// What a crash left is removed from .steward/tmp whenever the journal is brought to its end, and with it the part of a copy
// that is being made just then.
async function copied(source: OpenFile, order: Parameters<typeof copyWhole>[1], tries = 1): Promise<boolean> {
  try {
    return await copyWhole(source, order);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT' || tries === MOST_TRIES) throw error;
    return copied(source, order, tries + 1);
  }
}

/** Returns the vault-relative path of a file that lies in the stream folder already; null for any other. */
export function placeInStream(vault: Vault, from: string): string | null {
  const file = path.relative(fs.realpathSync.native(vault.root), fs.realpathSync.native(from));
  return vault.layout.kindOf(file) === 'stream' ? file : null;
}

/** Throws `disk-full` (75) where the disk of the vault has no room for what is to be copied. */
export function demandRoom(vault: Vault, sources: readonly ImportSource[]): void {
  const needed = sources.filter((source) => !isThere(vault, source)).reduce((all, { size }) => all + size, 0);
  const { bavail, bsize, blocks } = fs.statfsSync(vault.places.tmp);
  // Some network file systems do not say how large they are.
  if (needed === 0 || blocks === 0 || needed + SPARE_BYTES <= bavail * bsize) return;
  throw new StewardError(
    {
      code: 'disk-full',
      message: `The disk of the vault is too full: ${mib(needed)} MiB needed, ${mib(bavail * bsize)} MiB left.`,
      hint: 'Free some room and import it again; nothing is in the vault yet.',
    },
    EXIT.tryAgain,
  );
}

function isThere(vault: Vault, { from, size }: ImportSource): boolean {
  if (placeInStream(vault, from) !== null) return true;
  const place = path.join(vault.root, vault.layout.folders.stream, path.basename(from));
  return fs.lstatSync(place, { throwIfNoEntry: false })?.size === size;
}

function isTaken({ root }: Vault, file: string): boolean {
  return fs.lstatSync(path.join(root, file), { throwIfNoEntry: false }) !== undefined;
}

function mib(bytes: number): string {
  return Math.ceil(bytes / 1024 / 1024).toLocaleString('en');
}
