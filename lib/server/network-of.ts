import { isIP } from "node:net";

/** One client can draw addresses from a whole network, so an IPv6 address counts by its first 64 bits. */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const groups = groupsOf(address);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isMapped)
    return groups
      .slice(6)
      .flatMap((group) => [group >> 8, group & 255])
      .join(".");
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(":")}::/64`;
}

function groupsOf(address: string): number[] {
  const [plain = ""] = address.split("%", 1);
  const [head = "", tail] = plain.split("::");
  const [before, after] = [numbersOf(head), tail === undefined ? [] : numbersOf(tail)];
  const missing = Math.max(0, 8 - before.length - after.length);
  return [...before, ...Array.from({ length: missing }, () => 0), ...after];
}

function numbersOf(part: string): number[] {
  return part
    .split(":")
    .filter(Boolean)
    .flatMap((group) => {
      if (!group.includes(".")) return [Number.parseInt(group, 16)];
      const [a = 0, b = 0, c = 0, d = 0] = group.split(".").map(Number);
      return [a * 256 + b, c * 256 + d];
    });
}
