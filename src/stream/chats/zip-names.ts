const HEADER_BYTES = 30;
const MOST_NAMES = 50;

/** Returns the names of the files whose beginning stands in the first bytes of a zip; none where it is no zip. */
export function namesInZip(head: Uint8Array): readonly string[] {
  const view = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  const names: string[] = [];
  let at = view.indexOf(LOCAL_FILE) === 0 ? 0 : -1;
  while (at >= 0 && at + HEADER_BYTES <= view.length && names.length < MOST_NAMES) {
    const length = view.readUInt16LE(at + 26);
    names.push(view.toString('utf8', at + HEADER_BYTES, at + HEADER_BYTES + length));
    at = view.indexOf(LOCAL_FILE, at + HEADER_BYTES + length);
  }
  return names;
}

const LOCAL_FILE = Buffer.from('PK\x03\x04', 'latin1');
