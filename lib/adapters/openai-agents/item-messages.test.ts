import fc from "fast-check";
import { expect, test } from "vitest";
import { itemsFromMessage, messagesFromItems } from "./item-messages";
import { anyItems } from "./testing/any-item";

test("items of every kind are read as they were written", () => {
  fc.assert(
    fc.property(anyItems, (items) => {
      const stored = JSON.parse(JSON.stringify(messagesFromItems(items))) as ReturnType<
        typeof messagesFromItems
      >;
      expect(stored.flatMap(itemsFromMessage)).toEqual(items);
    }),
    { numRuns: 1_000 },
  );
});
