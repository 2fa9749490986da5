const unmarkedHead = 512;

/** UTF-16 has a zero byte beside each of its first letters. */
export function unmarkedUtf16(bytes: Uint8Array): "utf-16le" | "utf-16be" | null {
  const head = bytes.subarray(0, Math.min(unmarkedHead, bytes.byteLength - (bytes.byteLength % 2)));
  const zerosAt = (parity: number) =>
    head.filter((byte, at) => at % 2 === parity && byte === 0).byteLength * 2;
  if (head.byteLength < 4) return null;
  const [even, odd] = [zerosAt(0), zerosAt(1)];
  if (odd >= head.byteLength * 0.9 && even === 0) return "utf-16le";
  return even >= head.byteLength * 0.9 && odd === 0 ? "utf-16be" : null;
}

/** Windows-1252 comes last: in it every byte is a character. */
export function decodedText(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  const unmarked = unmarkedUtf16(bytes);
  if (unmarked) return new TextDecoder(unmarked).decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}
