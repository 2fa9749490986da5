import { expect, test } from "vitest";
import { z } from "zod";
import { readItems } from "./read-items";

const item = z.object({ id: z.string().min(1) });
const read = (list: readonly unknown[], most = 10) =>
  readItems(list, { item, keyOf: ({ id }) => id, most });

test("takes what can be read and counts the rest", () => {
  const list = [{}, { id: "a" }, null, { id: 7 }, "b", { id: "b" }, [], { id: "" }];
  expect(read(list)).toEqual({ items: [{ id: "a" }, { id: "b" }], unreadable: 6, over: 0 });
});

test("takes the first of twins, and does not count the other as left out", () => {
  const twins = [
    { id: "a", n: 1 },
    { id: "a", n: 2 },
  ];
  expect(read(twins)).toEqual({ items: [{ id: "a" }], unreadable: 0, over: 0 });
});

test("counts what is over the limit, without twins of what was taken", () => {
  const list = ["a", "b", "a", "c", "d"].map((id) => ({ id }));
  expect(read(list, 2)).toEqual({ items: [{ id: "a" }, { id: "b" }], unreadable: 0, over: 2 });
});
