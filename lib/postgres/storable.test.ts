import fc from "fast-check";
import { expect, test } from "vitest";
import { storableJson, storableJsonInSlices } from "./storable";

test("JSON written in slices is the JSON written at once", { tags: "long" }, async () => {
  const property = fc.asyncProperty(
    fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue()),
    async (value) => {
      const json = await storableJsonInSlices(value);
      expect(json).toBe(storableJson(value));
    },
  );
  await fc.assert(property, { numRuns: 50 * Number(process.env.GROVE_TEST_DEPTH ?? 1) });
});

test("a list of any length is written in slices as at once", async () => {
  for (const length of [99, 100, 101, 250]) {
    const value = { list: Array.from({ length }, (_, n) => (n % 7 === 0 ? undefined : `${n}`)) };
    expect(await storableJsonInSlices(value)).toBe(storableJson(value));
  }
});
