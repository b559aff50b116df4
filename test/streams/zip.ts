import { crc32, deflateRawSync } from 'node:zlib';

/** A file to put into a zip, and what the listing is to say of it instead of the truth. */
export interface Packed {
  readonly name: string;
  readonly text: string | Uint8Array;
  readonly said?: {
    readonly size?: number;
    readonly packed?: number;
    readonly flags?: number;
    readonly method?: number;
  };
}

/** Returns a zip of these files, with whatever lies its listing is to tell. */
export function zipOf(files: readonly Packed[]): Uint8Array {
  const locals: Buffer[] = [];
  const listing: Buffer[] = [];
  let offset = 0;
  for (const { name, text, said = {} } of files) {
    const plain = Buffer.from(text);
    const packed = deflateRawSync(plain);
    const [local, listed] = [Buffer.alloc(30), Buffer.alloc(46)];
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(Buffer.byteLength(name), 26);
    listed.writeUInt32LE(0x02014b50, 0);
    listed.writeUInt16LE(said.flags ?? 0, 8);
    listed.writeUInt16LE(said.method ?? 8, 10);
    listed.writeUInt32LE(crc32(plain), 16);
    listed.writeUInt32LE(said.packed ?? packed.length, 20);
    listed.writeUInt32LE(said.size ?? plain.length, 24);
    listed.writeUInt16LE(Buffer.byteLength(name), 28);
    listed.writeUInt32LE(offset, 42);
    locals.push(local, Buffer.from(name), packed);
    listing.push(listed, Buffer.from(name));
    offset += 30 + Buffer.byteLength(name) + packed.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(Buffer.concat(listing).length, 12);
  end.writeUInt32LE(offset, 16);
  return new Uint8Array(Buffer.concat([...locals, ...listing, end]));
}
