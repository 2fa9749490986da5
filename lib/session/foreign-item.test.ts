import { describe, expect, test } from "vitest";
import { foreignItem, withForeignItem } from "./foreign-item";
import { InMemorySessionStore } from "./in-memory/in-memory-session-store";
import { Session } from "./session";
import { assistant } from "./testing";

const item = { type: "message", id: "msg_1", content: [{ annotations: ["kept"] }] };

describe("an item of another system", () => {
  test("comes back from the store while the message is as it was", async () => {
    const session = Session.create(new InMemorySessionStore());
    const message = { ...assistant("a1", "Tea."), metadata: { model: "m" } };
    await session.appendMessage(withForeignItem(message, "openai", item));
    const stored = await session.getMessage("a1");
    expect(stored && foreignItem(stored, "openai")).toEqual({ item });
    expect(stored && foreignItem(stored, "other")).toBeNull();
    expect(stored?.metadata).toMatchObject({ model: "m" });
  });

  test("is outdated once the message was edited, and valid again when that is undone", () => {
    const message = withForeignItem(assistant("a1", "Tea."), "openai", item);
    const edited = { ...message, parts: [{ type: "text", text: "Coffee." }] };
    expect(foreignItem(edited, "openai")).toBeNull();
    expect(foreignItem({ ...edited, parts: [...message.parts] }, "openai")).toEqual({ item });
  });

  test("is absent where metadata is something else", () => {
    const metadata = { openai: "something else" };
    expect(foreignItem({ ...assistant("a1"), metadata }, "openai")).toBeNull();
    expect(foreignItem({ ...assistant("a1"), metadata: "text" }, "openai")).toBeNull();
  });
});
