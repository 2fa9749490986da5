import { expect, test } from "vitest";
import { toTsvector, toTsvectorInSlices } from "./search/lexemes";
import { inSlices, type Steps } from "./steps";

test("Work in slices lets other work run between its steps", async () => {
  const order: string[] = [];
  function* work(): Steps<string> {
    for (let n = 0; n < 3; n++) {
      order.push("step");
      const until = performance.now() + 11;
      while (performance.now() < until);
      yield;
    }
    return "done";
  }
  setTimeout(() => order.push("other"));
  expect(await inSlices(work())).toBe("done");
  expect(order.slice(0, 2)).toEqual(["step", "other"]);
});

test("The words of a text are the same in slices", async () => {
  const text = "Der Fluß fließt. 森の中の川が流れる naïve C++ ½ ".repeat(400);
  expect(await toTsvectorInSlices(text)).toBe(toTsvector(text));
});
