import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeMetadata, encodeMetadata } from "./metadata-text";

test("ASCII stands as it is", () => {
  expect(encodeMetadata("API Reference documentation")).toBe("API Reference documentation");
});

test("any line of text comes back from an ASCII header", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 300 }), (text) => {
      const line = text.replace(/[\s\p{Cc}]+/gu, " ").trim();
      const header = encodeMetadata(text);
      expect(header).toMatch(/^[\x20-\x7e]*$/);
      expect(decodeMetadata(header)).toBe(line);
    }),
  );
});

test.each([
  ["=?UTF-8?Q?Caf=C3=A9_au_lait?=", "Café au lait"],
  [Buffer.from("Für alle").toString("latin1"), "Für alle"],
  ["caf\xe9", "caf\xe9"],
  ["a ? b = c", "a ? b = c"],
])("reads what others write: %j", (header, text) => {
  expect(decodeMetadata(header)).toBe(text);
});
