import { describe, expect, test } from "vitest";
import { mutated } from "@/lib/text/testing/mutated-text";
import { Random } from "@/lib/text/testing/random";
import { reshaped } from "@/lib/text/testing/reshaped";
import {
  differencesOf,
  fileNamed,
  lostWords,
  readAsPage,
  toldExport,
} from "./testing/products/judge";
import { products } from "./testing/products/product-table";

const exportsOfEach = 6;
const damagedOfEach = 30;
/** Damaged exports that are compared: most reports excuse every chat of a small one. */
const leastCompared = 5;
const encoder = new TextEncoder();

describe.each(products)("An export of $name", (product) => {
  test("is read with every word, branch and time, and names what is left out", async () => {
    for (let seed = 0; seed < exportsOfEach; seed++) {
      const told = toldExport(product, new Random(seed));
      const files = told.files.map((file) => fileNamed(file, encoder.encode(file.text)));
      expect(differencesOf(told, await readAsPage(files)), `seed ${seed}`).toEqual([]);
    }
  });

  test("that is damaged loses no word unsaid", { tags: "long" }, async () => {
    let compared = 0;
    for (let seed = 0; seed < damagedOfEach; seed++) {
      const random = new Random(seed);
      const told = toldExport(product, random, { isTakenWhole: true });
      const bytes = told.files.map(({ name, text }) =>
        seed % 2 === 0 || !name.endsWith(".json")
          ? mutated(text, random)
          : encoder.encode(reshaped(text, random)),
      );
      const read = await readAsPage(
        told.files.map((file, at) => fileNamed(file, bytes[at] ?? new Uint8Array())),
      );
      const lost = lostWords(told, bytes, read);
      if (lost !== null) compared++;
      expect(lost ?? [], `seed ${seed}`).toEqual([]);
    }
    expect(compared).toBeGreaterThanOrEqual(leastCompared);
  });
});
