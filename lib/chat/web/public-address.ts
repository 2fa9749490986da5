import { BlockList, isIP } from "node:net";

/** Networks that are not the public internet, or reach this machine's own. */
const reserved = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
  // Metadata and DNS of Azure's machines.
  ["168.63.129.16", 32],
] as const;

/** Ranges within the public 2000::/3: protocol assignments with Teredo, documentation, 6to4. */
const reserved6 = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const;

const refused = new BlockList();
for (const [network, prefix] of reserved) refused.addSubnet(network, prefix, "ipv4");
for (const [network, prefix] of reserved6) refused.addSubnet(network, prefix, "ipv6");

const globalUnicast = new BlockList();
globalUnicast.addSubnet("2000::", 3, "ipv6");

/**
 * False for private, loopback, link-local, metadata and reserved addresses, also inside IPv6 forms of IPv4, and for
 * anything that is no address.
 *
 * @see https://www.iana.org/assignments/iana-ipv4-special-registry
 * @see https://www.iana.org/assignments/iana-ipv6-special-registry
 */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !refused.check(address, "ipv4");
  if (family !== 6) return false;
  const groups = groupsOf(address);
  if (!groups) return false;
  const inside = embeddedAddress(groups);
  if (inside !== null) return isPublicAddress(inside);
  return globalUnicast.check(address, "ipv6") && !refused.check(address, "ipv6");
}

/** IPv4 in ::ffff:0:0/96 (mapped) and 64:ff9b::/96 (translated); other forms are refused. */
function embeddedAddress(groups: readonly number[]): string | null {
  const [first, second, ...rest] = groups.slice(0, 6);
  const isZero = (some: readonly (number | undefined)[]) => some.every((group) => group === 0);
  const isMapped = isZero([first, second, ...rest.slice(0, 3)]) && rest[3] === 0xffff;
  const isTranslated = first === 0x64 && second === 0xff9b && isZero(rest);
  if (!isMapped && !isTranslated) return null;
  const bytes = groups.slice(6).flatMap((group) => [group >> 8, group & 0xff]);
  return bytes.join(".");
}

function groupsOf(address: string): number[] | null {
  const url = `http://[${address}]`;
  if (!URL.canParse(url)) return null;
  const [left = "", right] = new URL(url).hostname.slice(1, -1).split("::");
  const parse = (part: string) =>
    part === "" ? [] : part.split(":").map((group) => Number.parseInt(group, 16));
  const [start, end] = [parse(left), parse(right ?? "")];
  return right === undefined
    ? start
    : [...start, ...Array.from({ length: 8 - start.length - end.length }, () => 0), ...end];
}
