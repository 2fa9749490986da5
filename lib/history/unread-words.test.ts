import { expect, test } from "vitest";
import { unreadWordsIn } from "./unread-words";

const chat = { id: "", title: "", tags: [], nodes: [], currentId: null, losses: [] };
const found = (text: string, said = "") =>
  unreadWordsIn({ recap: text }, { ...chat, title: said } as never);

test.each(["x", "𐐀"])(
  "a word of megabytes in an unread field, of %j, is noticed",
  { tags: "long" },
  (sign) => {
    expect(found(`a long ${sign.repeat(5_000_000)} word`)).toContain("“recap”");
  },
);

test.each([
  "他们谈到了海里的鱼和天气",
  "海の魚について話しました",
  "ユーザーフレンドリー",
  "พวกเขาพูดถึงปลา",
  "ພວກເຂົາເວົ້າກ່ຽວກັບປາ",
  "ពួកគេនិយាយអំពីត្រី",
  "သူတို့ငါးအကြောင်းပြောခဲ့သည်",
  "ཁོང་ཚོས་ཉ་སྐོར་བཤད་པ་རེད།",
  "这种鱼很好吃，GPT说。",
])("a sentence without spaces in an unread field is noticed: %s", (sentence) => {
  expect(found(sentence)).toContain("“recap”");
  expect(found(sentence, sentence)).toBeNull();
  expect(found(sentence, `Before${sentence}After`)).toBeNull();
});

test.each([
  "user-1",
  "in_progress",
  "2025-06-02T23:49:25.000Z",
  "gpt-5",
  "한국어",
  "鱼",
  "通义千问",
  "finé",
])("a text of one word may be an id or a state: %s", (word) => {
  expect(found(word)).toBeNull();
});
