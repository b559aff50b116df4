import { type OpenFile, openFile } from '../../vault/disk/copy-whole.ts';
import { fileError } from '../../vault/files.ts';

/** So many bytes say of which kind a file is. */
const HEAD_BYTES = 64 * 1024;

/** Opens a file that is to be imported. Throws what the disk refuses, in plain words. */
export async function openSource(from: string): Promise<OpenFile> {
  try {
    return await openFile(from);
  } catch (error) {
    throw fileError(error, from);
  }
}

/** Returns the first bytes of an open file. */
export async function headOf({ handle }: OpenFile): Promise<Uint8Array> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
  return buffer.subarray(0, bytesRead);
}
