import { expect, it } from "vitest";
import { contentBefore, joinedWrites } from "./undo-write";

const write = (version: number, label = "memory", key?: string) => ({
  ...{ label, version, lines: { added: 1, removed: 0 } },
  ...(key !== undefined && { key }),
});

it("joins what an answer wrote to one text, but for what somebody wrote between", () => {
  const writes = [write(3), write(1, "todos"), write(4), write(6), write(1, "skills", "tea")];
  expect(joinedWrites(writes)).toEqual([
    { ...write(4), since: 3, lines: { added: 2, removed: 0 } },
    { ...write(1, "todos"), since: 1 },
    { ...write(6), since: 6 },
    { ...write(1, "skills", "tea"), since: 1 },
  ]);
});

it("counts no lines where a write of an earlier version says none", () => {
  const { lines: _, ...uncounted } = write(2);
  expect(joinedWrites([write(1), uncounted])).toEqual([{ ...uncounted, since: 1 }]);
});

it("undoes joined writes at once, unless the text has changed since", () => {
  const versions = [4, 3, 2].map((version) => ({ version, content: `text ${version}` }));
  expect(contentBefore(versions, { version: 4, since: 3 })).toBe("text 2");
  expect(contentBefore(versions, { version: 4, since: 2 })).toBeNull();
  expect(() => contentBefore(versions, { version: 3, since: 3 })).toThrow("has changed since");
});
