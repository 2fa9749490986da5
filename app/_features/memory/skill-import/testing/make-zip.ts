import { crc32, deflateRawSync } from "node:zlib";

export interface ZipSample {
  readonly name: string;
  readonly content?: string | Buffer;
  /** Already packed content, with arbitrary claims about it. */
  readonly packed?: { readonly bytes: Buffer; readonly crc: number; readonly size: number };
  /** Points at another entry's bytes instead of its own. */
  readonly sameAs?: number;
  readonly flags?: number;
}

/**
 * Builds a zip archive.
 *
 * @see https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
 */
export function makeZip(samples: readonly ZipSample[]): Blob {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  const starts: number[] = [];
  const contents = samples.map(packedOf);
  let at = 0;
  for (const [n, { name, sameAs, flags = 0 }] of samples.entries()) {
    const { bytes, crc, size } = contents[sameAs ?? n] ?? packedOf({ name });
    const path = Buffer.from(name);
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(20, 0);
    facts.writeUInt16LE(0x800 | flags, 2);
    facts.writeUInt16LE(8, 4);
    facts.writeUInt32LE(0x5a21_0000, 6);
    facts.writeUInt32LE(crc, 10);
    facts.writeUInt32LE(bytes.length, 14);
    facts.writeUInt32LE(size, 18);
    facts.writeUInt16LE(path.length, 22);
    if (sameAs === undefined) {
      starts[n] = at;
      const local = Buffer.concat([Buffer.from("PK\x03\x04"), facts, path, bytes]);
      parts.push(local);
      at += local.length;
    }
    const where = Buffer.alloc(14);
    where.writeUInt32LE(starts[sameAs ?? n] ?? 0, 10);
    directory.push(Buffer.from("PK\x01\x02\x14\0", "latin1"), facts, where, path);
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(samples.length & 0xffff, 4);
  end.writeUInt16LE(samples.length & 0xffff, 6);
  end.writeUInt32LE(central.length, 8);
  end.writeUInt32LE(at, 12);
  return new Blob([
    Buffer.concat([...parts, central, Buffer.from("PK\x05\x06"), end.subarray(0, 18)]),
  ]);
}

function packedOf({ content = "", packed }: ZipSample) {
  if (packed) return packed;
  const bytes = Buffer.from(content);
  return { bytes: deflateRawSync(bytes), crc: crc32(bytes), size: bytes.length };
}
