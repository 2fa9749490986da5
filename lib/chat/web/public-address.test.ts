import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isPublicAddress } from "./public-address";

const byte = fc.nat(255);
const group = fc.nat(0xffff);
const join = (bytes: readonly number[]) => bytes.join(".");
const hex = (groups: readonly number[]) => groups.map((each) => each.toString(16)).join(":");
const asGroups = ([a = 0, b = 0, c = 0, d = 0]: readonly number[]) => [a * 256 + b, c * 256 + d];

/** Every address of a network given by its first bytes. */
const within = (...first: number[]) =>
  fc
    .tuple(...Array.from({ length: 4 - first.length }, () => byte))
    .map((rest) => [...first, ...rest]);

const notPublic = fc.oneof(
  within(0),
  within(10),
  within(127),
  within(169, 254),
  within(192, 168),
  fc.integer({ min: 16, max: 31 }).chain((second) => within(172, second)),
  fc.integer({ min: 64, max: 127 }).chain((second) => within(100, second)),
  fc.integer({ min: 224, max: 255 }).chain((first) => within(first)),
);

const isPublic4 = fc.tuple(byte, byte, byte, byte).filter((bytes) => isPublicAddress(join(bytes)));

describe("an address", () => {
  test("of a private, loopback, link-local, shared or reserved network is not public in any form", () => {
    fc.assert(
      fc.property(notPublic, (bytes) => {
        const forms = [
          join(bytes),
          `::ffff:${join(bytes)}`,
          `::ffff:${hex(asGroups(bytes))}`,
          `0:0:0:0:0:ffff:${hex(asGroups(bytes))}`,
          `64:ff9b::${hex(asGroups(bytes))}`,
          `::${hex(asGroups(bytes))}`,
          `2002:${hex(asGroups(bytes))}::1`,
        ];
        expect(forms.filter(isPublicAddress)).toEqual([]);
      }),
    );
  });

  test("of IPv4 is as public mapped into IPv6 as on its own", () => {
    fc.assert(
      fc.property(isPublic4, (bytes) => {
        expect(isPublicAddress(`::ffff:${join(bytes)}`)).toBe(true);
        expect(isPublicAddress(`64:ff9b::${hex(asGroups(bytes))}`)).toBe(true);
      }),
    );
  });

  test("of IPv6 outside the global unicast block is not public", () => {
    const outside = fc
      .tuple(group, fc.array(group, { minLength: 7, maxLength: 7 }))
      .filter(([first]) => first >> 13 !== 1 && first !== 0 && first !== 0x64)
      .map(([first, rest]) => hex([first, ...rest]));
    fc.assert(
      fc.property(outside, (address) => {
        expect(isPublicAddress(address)).toBe(false);
      }),
    );
  });

  test.each([
    ["8.8.8.8", true],
    ["172.15.255.255", true],
    ["172.32.0.0", true],
    ["100.63.255.255", true],
    ["2606:4700::1111", true],
    ["::", false],
    ["::1", false],
    ["fe80::1", false],
    ["fe80::1%eth0", false],
    ["2606:4700::1%eth0", false],
    ["fc00::1", false],
    ["fd00:ec2::254", false],
    ["ff02::1", false],
    ["2001:db8::1", false],
    ["2001::1", false],
    ["169.254.169.254", false],
    ["100.100.100.200", false],
    ["168.63.129.16", false],
    ["192.0.0.192", false],
    ["255.255.255.255", false],
    ["0x7f.1", false],
    ["localhost", false],
    ["", false],
  ])("%s is public: %s", (address, expected) => {
    expect(isPublicAddress(address)).toBe(expected);
  });
});
