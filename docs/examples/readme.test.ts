import { expect, test } from "vitest";
import { InMemorySessionStore, SessionManager } from "@/lib/session";
import { ids } from "@/lib/session/testing";

test("the library in a few lines", async () => {
  const sessions = SessionManager.create(new InMemorySessionStore())
    .withContext("memory", {
      description: "Facts about the person",
      maxTokens: 1100,
      scope: "owner",
    })
    .withCachedPrompt();

  const { id } = await sessions.create("Tea");
  const session = sessions.getSession(id);
  const text = (words: string) => [{ type: "text", text: words }];
  await session.appendMessage({ id: "q1", role: "user", parts: text("How long does tea steep?") });
  await session.appendMessage({ id: "a1", role: "assistant", parts: text("Three minutes.") });
  // A second answer to the same question: a branch, nothing is overwritten.
  await session.appendMessage({ id: "a2", role: "assistant", parts: text("Two, if green.") }, "q1");
  const messages = await session.getModelHistory();

  expect(ids(messages)).toEqual(["q1", "a2"]);
  expect(ids(await session.getBranches("q1"))).toEqual(["a1", "a2"]);
});
