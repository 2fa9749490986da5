import { describe, expect, test } from "vitest";
import { taskMarks, ticked } from "./task-items";

const list = "Seeds:\n- [ ] buy\n  1. [x] sow\n> * [X] water\n- [ ]\n- [y] no";

describe("ticked", () => {
  test("puts a tick at one item and takes it away again, and changes nothing else", () => {
    expect(ticked(list, 0)).toBe(list.replace("[ ] buy", "[x] buy"));
    expect(ticked(list, 1)).toBe(list.replace("[x] sow", "[ ] sow"));
    expect(ticked(list, 2)).toBe(list.replace("[X] water", "[ ] water"));
    expect(ticked(ticked(list, 0) ?? "", 0)).toBe(list);
  });

  test("knows no item that is none", () => {
    expect(ticked(list, 3)).toBeNull();
    expect(ticked("Text with [ ] brackets", 0)).toBeNull();
  });
});

test("what stands in a code block is no item", () => {
  const text = "```md\n- [ ] shown\n```\n- [ ] real";
  expect(taskMarks(text)).toEqual([text.indexOf("[ ] real") + 1]);
});
