export interface ImageSize {
  /** Pixels before any rotation in the metadata. */
  readonly width: number;
  readonly height: number;
}

export function imageSize(head: Uint8Array, mediaType: string): ImageSize | null {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  try {
    const size = readers[mediaType]?.(bytes) ?? null;
    return size && size.width > 0 && size.height > 0 ? size : null;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

const readers: Readonly<Record<string, (bytes: Buffer) => ImageSize | null>> = {
  "image/png": (bytes) => ({ width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }),
  "image/gif": (bytes) => ({ width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }),
  "image/jpeg": jpegSize,
  "image/webp": webpSize,
};

/** @see https://www.w3.org/Graphics/JPEG/itu-t81.pdf, table B.1 */
function jpegSize(bytes: Buffer): ImageSize | null {
  for (let at = 2; bytes[at] === 0xff; ) {
    const marker = bytes.readUInt8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return null;
}

/** @see https://developers.google.com/speed/webp/docs/riff_container */
function webpSize(bytes: Buffer): ImageSize | null {
  const form = bytes.toString("latin1", 12, 16);
  if (form === "VP8X")
    return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
  if (form === "VP8 ")
    return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
  if (form !== "VP8L") return null;
  const bits = bytes.readUInt32LE(21);
  return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
}
