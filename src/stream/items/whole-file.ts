import { type ByteSource, FileRefusal } from './item.ts';

/** Returns all bytes of a file. Throws `FileRefusal` where there are more than `most`. */
export function wholeFile(source: ByteSource, most: number): Uint8Array {
  if (source.size > most) {
    const size = (source.size / 1024 / 1024).toFixed(0);
    throw new FileRefusal(
      `The file has ${size} MiB; of its kind at most ${most / 1024 / 1024} MiB are read.`,
      'Export a shorter time, or split it.',
    );
  }
  return source.read(0, source.size);
}
