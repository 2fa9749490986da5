import { expect, test } from "vitest";
import { canonicalJson } from "./canonical-json";

test("is the same for values whose keys stand in another order", () => {
  const one = { b: [{ z: 1, a: null }], a: "x" };
  const other = { a: "x", b: [{ a: null, z: 1 }] };
  expect(canonicalJson(one)).toBe('{"a":"x","b":[{"a":null,"z":1}]}');
  expect(canonicalJson(other)).toBe(canonicalJson(one));
});
