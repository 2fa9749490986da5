import { expect, test } from "vitest";
import {
  blockNote,
  blockTerms,
  blockTitle,
  targetName,
  wishWords,
  writeWords,
} from "./block-words";

test("names a block by its label", () => {
  expect(["memory", "soul", "todos", "house-rules", "my_notes"].map(blockTitle)).toEqual([
    "About you",
    "Instructions",
    "Tasks",
    "House rules",
    "My notes",
  ]);
});

test("describes a block in words for people, and in those of its owner where there are any", () => {
  const skills = { label: "skills", note: "", isOwn: false };
  expect(blockNote(skills)).toBe("Instructions for specific tasks, loaded when needed.");
  expect(blockNote({ ...skills, note: "Ours" })).toBe("Ours");
  expect(blockNote({ ...skills, isOwn: true })).toBe("");
});

test("says who writes a block and where it counts", () => {
  expect(blockTerms({ writers: "person", scope: "owner" })).toBe(
    "Editable by you\u00a0·\u00a0All chats",
  );
  expect(blockTerms({ writers: "nobody", scope: "owner" })).toBe("Read only\u00a0·\u00a0All chats");
  expect(blockTerms({ writers: "both", scope: "session" })).toBe(
    "Editable by you and the model\u00a0·\u00a0This chat",
  );
});

test.each([
  [undefined, "Wrote to"],
  [{ added: 2, removed: 1 }, "Wrote 2 lines to"],
  [{ added: 1, removed: 0 }, "Wrote 1 line to"],
  [{ added: 0, removed: 3 }, "Took 3 lines out of"],
  [{ added: 0, removed: 0 }, "Wrote to"],
])("a write of %j reads “%s”", (lines, words) => {
  expect(writeWords(lines)).toBe(words);
});

test("a wish says how much it is about", () => {
  expect(wishWords({ added: 2, removed: 0 })).toBe("Wants to write 2 lines to");
  expect(wishWords({ added: 0, removed: 0 })).toBe("Wants to empty");
});

test("an entry is named with its block", () => {
  expect(targetName({ label: "memory", key: null })).toBe("Memory");
  expect(targetName({ label: "knowledge", key: "tea" })).toBe("Knowledge · tea");
});
