import { expect, test } from "vitest";
import { mapInSlices } from "./sent-messages";

test("maps a list in order and lets other work run meanwhile", async () => {
  const order: string[] = [];
  const busy = (n: number) => {
    const until = performance.now() + 1;
    while (performance.now() < until);
    order.push(`item ${n}`);
    return n * 2;
  };
  const mapping = mapInSlices([1, 2, 3], busy);
  order.push("other work");
  expect(await mapping).toEqual([2, 4, 6]);
  expect(order).toEqual(["item 1", "other work", "item 2", "item 3"]);
});

test("maps an empty list to an empty one", async () => {
  expect(await mapInSlices([], String)).toEqual([]);
});
