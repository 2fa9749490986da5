import { expect, test } from "vitest";
import { appendNumbered, describeSessionProvider } from "../testing";
import { emptyTree } from "../tree/session-tree";
import { InMemorySessionProvider } from "./in-memory-session-provider";

describeSessionProvider("InMemorySessionProvider", () => new InMemorySessionProvider(), {
  longPath: 50_000,
});

test("every move of the active leaf advances the clock that a followed list is checked against", async () => {
  const tree = emptyTree();
  const same = () => tree;
  const access = { sessionId: "s", read: same, write: same, append: same, touch: () => undefined };
  const messages = new InMemorySessionProvider(access);
  await appendNumbered(messages, 3);
  let deletionId = "";
  for (const move of [
    async () => {
      deletionId = (await messages.deleteMessages(["m3"])).deletionId;
    },
    () => messages.restoreMessages(deletionId),
    () => messages.stepBack(1),
    () => messages.setActiveLeaf("m3"),
    () => messages.clearMessages(),
  ]) {
    const { clock } = tree;
    await move();
    expect(tree.clock, String(move)).toBeGreaterThan(clock);
  }
});
