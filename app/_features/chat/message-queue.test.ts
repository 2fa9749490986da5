import { expect, it } from "vitest";
import { type MessageQueue, nextQueue } from "./message-queue";

const first = { id: "1", answerId: "a", text: "first" };
const second = { id: "2", answerId: "b", text: "second" };
const queue: MessageQueue = [first, second];

it("sends in the order of writing", () => {
  expect(nextQueue([first], { type: "added", message: second })).toEqual([first, second]);
});

it("changes the text of a message that waits, and keeps its place", () => {
  expect(nextQueue(queue, { type: "changed", id: "1", text: "other" })).toEqual([
    { ...first, text: "other" },
    second,
  ]);
});

it("lets a message go that was changed to nothing", () => {
  expect(nextQueue(queue, { type: "changed", id: "1", text: "  " })).toEqual([second]);
  expect(nextQueue(queue, { type: "removed", id: "2" })).toEqual([first]);
});
