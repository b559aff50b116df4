/**
 * Returns what of a text can be read before its charset is known: ASCII as it is, everything else as some character. UTF-16
 * is read without its zeros. Good for recognising a file by its head, and for nothing else.
 */
export function asciiOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1').replaceAll('\0', '');
}
