import { expect, test } from "vitest";
import { unreadWordsIn } from "./unread-words";

test.each(["x", "𐐀"])("a word of megabytes in an unread field, of %j, is noticed", (sign) => {
  const chat = { id: "", title: "", tags: [], nodes: [], currentId: null, losses: [] };
  const found = unreadWordsIn({ recap: `a long ${sign.repeat(5_000_000)} word` }, chat as never);
  expect(found).toContain("“recap”");
});
