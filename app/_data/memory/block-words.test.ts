import { expect, test } from "vitest";
import { blockTerms, blockTitle } from "./block-words";

test("names a block by its label", () => {
  expect(["todos", "house-rules", "my_notes"].map(blockTitle)).toEqual([
    "Todos",
    "House rules",
    "My notes",
  ]);
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
